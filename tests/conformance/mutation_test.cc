// Published models with a few fields spoilt at random are answered, whatever the answer is: no crash, no hang. What
// counts is run under the sanitizers.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "spec_dumps/reader.h"
#include "tests/spec_dumps/spec_files.h"
#include "validate/model.h"

namespace assay {
namespace {

// SplitMix64: the same edits on every machine.
class Numbers {
 public:
  explicit Numbers(uint64_t seed) : state_(seed) {}
  uint64_t Next() {
    uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  // In [0, count); 0 if there is none.
  size_t Below(size_t count) { return count == 0 ? 0 : Next() % count; }
  template <class T>
  T& Of(std::vector<T>& list) {
    return list[Below(list.size())];
  }
  // Numbers at which something changes.
  uint32_t Number() {
    constexpr uint32_t kNumbers[] = {0,          1,          2,          3,          4,          5,
                                     7,          255,        256,        65536,      0x7FFFFFFF, 0x80000000,
                                     0x80000001, 0xFFFFFFFE, 0xFFFFFFFF, 0x7F800000, 0x7FC00000};
    return kNumbers[Below(std::size(kNumbers))];
  }

 private:
  uint64_t state_;
};

void SpoilValue(Operand& operand, Numbers& n) {
  if (operand.value == nullptr) {
    operand.value = std::make_shared<const Bytes>(n.Below(9));
    return;
  }
  Bytes bytes = *operand.value;
  const uint32_t number = n.Number();
  if (bytes.size() >= 4) {
    const size_t at = n.Below(bytes.size() / 4) * 4;
    for (size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<uint8_t>(number >> (8 * i));
  } else if (!bytes.empty()) {
    n.Of(bytes) = static_cast<uint8_t>(number);
  }
  if (n.Below(16) == 0) bytes.resize(n.Below(bytes.size() + 5));
  operand.value = std::make_shared<const Bytes>(std::move(bytes));
}

void SpoilOperand(Operand& operand, size_t subgraphs, Numbers& n) {
  switch (n.Below(9)) {
    case 0:
      operand.type = n.Below(4) > 0 ? static_cast<OperandType>(n.Below(17)) : static_cast<OperandType>(n.Number());
      break;
    case 1:
      if (!operand.dims.empty()) n.Of(operand.dims) = n.Number();
      break;
    case 2: {
      const size_t rank = n.Below(7);  // drawn apart: the order of arguments is not said
      operand.dims.resize(rank, n.Number());
      break;
    }
    case 3:
      operand.quantization.scale = static_cast<float>(static_cast<int32_t>(n.Number()));
      break;
    case 4:
      operand.quantization.zero_point = static_cast<int32_t>(n.Number());
      break;
    case 5:
      operand.quantization.per_channel =
          std::make_shared<const PerChannel>(PerChannel{n.Number(), std::vector<float>(n.Below(5), 1)});
      break;
    case 6:
      operand.lifetime = static_cast<Lifetime>(n.Below(8));
      break;
    case 7:
      operand.subgraph = static_cast<uint32_t>(n.Below(subgraphs + 1));
      break;
    default:
      SpoilValue(operand, n);
  }
}

void SpoilList(std::vector<uint32_t>& list, size_t operands, Numbers& n) {
  const auto any = static_cast<uint32_t>(n.Below(operands + 1));
  switch (n.Below(4)) {
    case 0:
      list.push_back(any);
      break;
    case 1:
      if (!list.empty()) list.pop_back();
      break;
    case 2:
      if (!list.empty()) std::swap(list.front(), n.Of(list));
      break;
    default:
      if (!list.empty()) n.Of(list) = any;
  }
}

void Spoil(Model& model, Numbers& n) {
  Subgraph& s = n.Of(model.subgraphs);
  const uint64_t what = n.Below(8);
  // Values that are read in place of others reach furthest.
  if (what < 2)
    for (size_t i = n.Below(s.operands.size()); i < s.operands.size(); ++i)
      if (s.operands[i].value != nullptr) return SpoilValue(s.operands[i], n);
  if (what < 4 && !s.operands.empty()) SpoilOperand(s.operands[n.Below(s.operands.size())], model.subgraphs.size(), n);
  if (what == 4) {
    std::vector<uint32_t>& list = n.Below(2) == 0 ? s.inputs : s.outputs;
    SpoilList(list, s.operands.size(), n);
  }
  if (what < 5 || s.operations.empty()) return;
  Operation& operation = n.Of(s.operations);
  if (what == 5) operation.code = static_cast<OperationCode>(n.Below(107));
  if (what == 6) SpoilList(operation.inputs, s.operands.size(), n);
  if (what == 7) SpoilList(operation.outputs, s.operands.size(), n);
}

TEST(MutationTest, SpoiltModelsAreAnswered) {
  const std::vector<std::string> files = ConformanceFiles();
  if (files.empty()) GTEST_SKIP() << "no conformance vectors: set ASSAY_CONFORMANCE to their folder";
  Numbers numbers(1);
  int valid = 0, invalid = 0, foreseen = 0;
  for (const std::string& path : files) {
    const absl::StatusOr<SpecFile> file = ReadSpecFile(path);
    ASSERT_TRUE(file.ok()) << file.status();
    // Every variation of a spec has the same operations; a few are enough.
    for (size_t i = 0; i < std::min<size_t>(file->cases.size(), 6); ++i) {
      if (!LowestLevel(file->cases[i].test.model).valid) continue;
      for (int round = 0; round < 24; ++round) {
        Model model = file->cases[i].test.model;
        for (int edits = 0; edits <= round % 3; ++edits) Spoil(model, numbers);
        const bool is_valid = ValidateModel(model).empty();
        EXPECT_EQ(is_valid, LowestLevel(model).valid) << path;
        const bool fails = !ExecutionViolations(model).empty();
        valid += is_valid && !fails;
        foreseen += is_valid && fails;
        invalid += !is_valid;
      }
    }
  }
  std::cout << valid << " spoilt models are still valid, " << invalid << " are not, " << foreseen
            << " are foreseen to fail when executed\n";
  EXPECT_GT(valid, 0);
  EXPECT_GT(invalid, 0);
  EXPECT_GT(foreseen, 0);
}

}  // namespace
}  // namespace assay
