#include "driver/c_model.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "model/status.h"

namespace assay {
namespace {

constexpr size_t kGap = kMemoryAlignment;  // bytes behind each constant, at least
constexpr uint8_t kGapByte = 0xC3;

uint32_t Size32(size_t size) { return static_cast<uint32_t>(size); }

AssayLifetime Told(Lifetime lifetime) {
  switch (lifetime) {
    case Lifetime::TEMPORARY_VARIABLE:
      return ASSAY_TEMPORARY_VARIABLE;
    case Lifetime::SUBGRAPH_INPUT:
      return ASSAY_SUBGRAPH_INPUT;
    case Lifetime::SUBGRAPH_OUTPUT:
      return ASSAY_SUBGRAPH_OUTPUT;
    case Lifetime::CONSTANT_COPY:
      return ASSAY_CONSTANT_COPY;
    case Lifetime::CONSTANT_REFERENCE:
      return ASSAY_CONSTANT_REFERENCE;
    case Lifetime::NO_VALUE:
      return ASSAY_NO_VALUE;
    case Lifetime::SUBGRAPH:
      return ASSAY_SUBGRAPH;
  }
  return ASSAY_TEMPORARY_VARIABLE;
}

}  // namespace

absl::Status CheckTellable(const Model& model) {
  if (!model.extensions.empty())
    return absl::InvalidArgumentError(
        absl::StrCat("the model uses extension ", model.extensions.front().name, "; assay_driver.h knows none"));
  const Subgraph& main = model.main();
  for (size_t i = 0; i < main.outputs.size(); ++i)
    if (const size_t rank = main.operands[main.outputs[i]].dims.size(); rank > ASSAY_MAX_RANK)
      return absl::InvalidArgumentError(
          absl::StrCat("output ", i, " has rank ", rank, ", at most ", ASSAY_MAX_RANK, " fit assay_driver.h"));
  return absl::OkStatus();
}

CModel::CModel(const Model& model) : model_(model) {
  CopyConstants();
  auto constant = constants_.begin();
  for (size_t s = 0; s < model_.subgraphs.size(); ++s) {
    const Subgraph& subgraph = model_.subgraphs[s];
    auto& operands = operands_.emplace_back();
    for (size_t i = 0; i < subgraph.operands.size(); ++i) {
      operands.push_back(Told(subgraph.operands[i]));
      if (constant == constants_.end() || constant->subgraph != s || constant->operand != i) continue;
      operands.back().value = memory_.data() + constant->offset;
      operands.back().value_size = BytesOf(*constant).size();
      ++constant;
    }
    auto& operations = operations_.emplace_back();
    for (const Operation& o : subgraph.operations)
      operations.push_back({static_cast<int32_t>(o.code), Size32(o.inputs.size()), o.inputs.data(),
                            Size32(o.outputs.size()), o.outputs.data()});
  }
  for (size_t s = 0; s < model_.subgraphs.size(); ++s) {
    const Subgraph& subgraph = model_.subgraphs[s];
    subgraphs_.push_back({Size32(operands_[s].size()), operands_[s].data(), Size32(operations_[s].size()),
                          operations_[s].data(), Size32(subgraph.inputs.size()), subgraph.inputs.data(),
                          Size32(subgraph.outputs.size()), subgraph.outputs.data()});
  }
  told_ = {Size32(subgraphs_.size()), subgraphs_.data(), model_.relaxed ? 1 : 0};
}

void CModel::CopyConstants() {
  size_t size = 0;
  for (size_t s = 0; s < model_.subgraphs.size(); ++s)
    for (size_t i = 0; i < model_.subgraphs[s].operands.size(); ++i) {
      const Operand& o = model_.subgraphs[s].operands[i];
      if (!IsConstant(o.lifetime) || !o.value) continue;
      constants_.push_back({s, i, size});
      size = Aligned(size + o.value->size() + kGap);
    }
  memory_ = Block(size);
  ASSAY_CHECK(size == 0 || memory_.data() != nullptr, "no memory is left for the constants of a model");
  std::fill_n(memory_.data(), size, kGapByte);
  for (const Constant& c : constants_) std::copy(BytesOf(c).begin(), BytesOf(c).end(), memory_.data() + c.offset);
}

AssayOperand CModel::Told(const Operand& operand) const {
  const PerChannel* channels = operand.quantization.per_channel.get();
  return {.type = static_cast<int32_t>(operand.type),
          .lifetime = assay::Told(operand.lifetime),
          .rank = Size32(operand.dims.size()),
          .dims = operand.dims.data(),
          .scale = operand.quantization.scale,
          .zero_point = operand.quantization.zero_point,
          .channel_dim = channels ? channels->channel_dim : 0,
          .scale_count = channels ? Size32(channels->scales.size()) : 0,
          .scales = channels ? channels->scales.data() : nullptr,
          .value = nullptr,
          .value_size = 0,
          .subgraph = operand.subgraph};
}

std::optional<WrittenConstant> CModel::Written() const {
  for (const Constant& c : constants_) {
    const Bytes& was = BytesOf(c);
    const uint8_t* now = memory_.data() + c.offset;
    const auto name = [&] {
      return absl::StrCat("constant operand ", c.operand, " (", model_.subgraphs[c.subgraph].operands[c.operand].name,
                          ")");
    };
    if (const auto at = std::mismatch(was.begin(), was.end(), now); at.first != was.end())
      return WrittenConstant{c.operand, absl::StrCat("byte ", at.first - was.begin(), " of ", name(), " was ",
                                                     *at.first, ", is now ", *at.second)};
    const uint8_t* end = now + Aligned(was.size() + kGap);
    if (const auto at = std::find_if(now + was.size(), end, [](uint8_t b) { return b != kGapByte; }); at != end)
      return WrittenConstant{
          c.operand, absl::StrCat("byte ", at - now, " of ", name(), " was written; it has ", was.size(), " bytes")};
  }
  return std::nullopt;
}

}  // namespace assay
