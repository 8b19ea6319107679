// The judge never cries wolf, and it sees: devices that err at random, or always the same way, within the allowance of
// every single operation are never outside, whatever is observed; one element moved further is.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "choice/stream.h"
#include "gmock/gmock.h"
#include "numeric/storage.h"
#include "reference/bounded.h"
#include "tests/reference/execution.h"

namespace assay {
namespace {

using enum OperandType;

enum class Err { kRandom, kUp, kDown };

bool IsRounded(OperationCode code) {
  using enum OperationCode;
  return code == ADD || code == MUL || code == CONV_2D || code == AVERAGE_POOL_2D || code == LOGISTIC || code == TANH;
}

// Moves every result of a rounding operation by as much as the CTS criterion allows: one code, or 5 ulps and 1e-5.
class Erring : public ExecutionHooks {
 public:
  Erring(uint64_t seed, Err err) : seed_(seed), err_(err) {}
  void ChangeOutputs(const OperationPlace& place, std::span<const TensorRef>,
                     std::span<const TensorRef> outputs) const override {
    if (!IsRounded(place.code)) return;
    Stream stream(Stream::Mix(seed_) + place.operation);
    for (const TensorRef& t : outputs) {
      if (t.type == TENSOR_INT32) continue;
      const CodeRange codes = CodesOf(InfoOf(t.type).storage);
      const auto move = [&](double unit) {
        if (err_ != Err::kRandom) return err_ == Err::kUp ? unit : -unit;
        return unit * static_cast<double>(static_cast<int64_t>(stream.UpTo(2)) - 1);
      };
      for (size_t i = 0; i < Count(*t.dims); ++i) {
        if (IsQuantized(t.type)) {
          // A device errs before it saturates: a code at the end of the range may stand for something far beyond.
          const int64_t code = CodeAt(t.type, t.bytes, i);
          if (code > codes.least && code < codes.most)
            t.bytes[i] = static_cast<uint8_t>(code + static_cast<int64_t>(move(1)));
        } else {
          double value = ElementAt(t.type, {}, *t.dims, t.bytes, i);
          const bool half = t.type == TENSOR_FLOAT16;
          // The golden answer and this one are each rounded once more.
          value += move(half ? 4 * 0x1p-10 * (1 + std::fabs(value)) : 0.98e-5 + 4 * 0x1p-23 * std::fabs(value));
          Store(t.type, {}, {1}, &value, t.bytes + i * ElementSize(t.type));
        }
      }
    }
  }

 private:
  const uint64_t seed_;
  const Err err_;
};

// Keeps what each operation of the main subgraph wrote.
class Keeping : public ExecutionObserver {
 public:
  explicit Keeping(const Subgraph& main) : main_(main) {}
  void AfterOperation(const ObservedOperation& o) override {
    for (size_t i = 0; i < o.outputs.size(); ++i) {
      const TensorRef& t = o.outputs[i];
      const size_t size = Count(*t.dims) * ElementSize(t.type);
      kept[main_.operations[o.place.operation].outputs[i]] = {*t.dims, Bytes(t.bytes, t.bytes + size)};
    }
  }
  std::map<uint32_t, std::pair<Dims, Bytes>> kept;

 private:
  const Subgraph& main_;
};

// A chain of operations on images, with quantization parameters that fit.
class Drawn {
 public:
  Drawn(uint64_t seed, OperandType type) : stream_(seed), type_(type) {
    at_ = b_.Input(type_, {1, 4, 4, 2}, Fitting(1));
    given_ = Values(32, 1);
    const size_t length = 1 + stream_.UpTo(6);
    for (size_t i = 0; i < length; ++i) Step();
    b_.Output(at_);
  }
  Model model() { return b_.Build(); }
  Given input() const { return {given_, {}, false}; }

 private:
  Quantization Fitting(float magnitude) const {
    if (type_ == TENSOR_QUANT8_ASYMM) return Quant(magnitude / 127, 128);
    return type_ == TENSOR_QUANT8_ASYMM_SIGNED ? Quant(magnitude / 127, 0) : Quantization();
  }
  Bytes Values(size_t count, float magnitude) {
    std::vector<double> values(count);
    for (double& v : values) v = stream_.Symmetric() * static_cast<double>(magnitude);
    Bytes bytes(count * ElementSize(type_));
    Store(type_, Fitting(magnitude), {static_cast<uint32_t>(count)}, values.data(), bytes.data());
    return bytes;
  }
  void Step() {
    const auto none = b_.Int(0);
    const Dims dims = b_.operand(at_).dims;
    const Quantization q = Fitting(2);
    const bool is_float = !IsQuantized(type_);
    switch (stream_.UpTo(6)) {
      case 0:
        at_ = b_.Op("ADD", {at_, at_, none}, type_, dims, q);
        return;
      case 1:
        at_ = b_.Op("MUL", {at_, b_.Constant(type_, {2}, Values(2, 1), Fitting(1)), none}, type_, dims, q);
        return;
      case 2: {
        const auto filter = b_.Constant(type_, {2, 1, 1, 2}, Values(4, 1), Fitting(1));
        const Quantization bias{b_.operand(at_).quantization.scale * Fitting(1).scale, 0, nullptr};
        const auto zeros = is_float ? b_.Constant(type_, {2}, Values(2, 1))
                                    : b_.Constant(TENSOR_INT32, {2}, BytesOf<int32_t>({500, -500}), bias);
        at_ = b_.Op("CONV_2D", {at_, filter, zeros, b_.Int(2), b_.Int(1), b_.Int(1), none}, type_, dims, q);
        return;
      }
      case 3:  // SAME padding and strides of 1 keep the size
        at_ = b_.Op("AVERAGE_POOL_2D", {at_, b_.Int(1), b_.Int(1), b_.Int(1), b_.Int(3), b_.Int(2), none}, type_, dims,
                    b_.operand(at_).quantization);
        return;
      case 4:
        at_ = b_.Op("TRANSPOSE", {at_, b_.Ints({0, 2, 1, 3})}, type_, {dims[0], dims[2], dims[1], dims[3]},
                    b_.operand(at_).quantization);
        return;
      case 5:
        if (type_ == TENSOR_QUANT8_ASYMM) at_ = b_.Op("LOGISTIC", {at_}, type_, dims, Quant(1.f / 256, 0));
        if (is_float) at_ = b_.Op("TANH", {at_}, type_, dims);
        return;
      default:
        at_ = b_.Op("RELU", {at_}, type_, dims, b_.operand(at_).quantization);
    }
  }

  ModelBuilder b_;
  Stream stream_;
  OperandType type_;
  uint32_t at_ = 0;
  Bytes given_;
};

// Counts over all runs that what is tested does happen.
struct Totals {
  size_t judged = 0, unknown = 0, sharp = 0, moved = 0;
};

void ExpectSound(uint64_t seed, OperandType type, Err err, Totals& totals) {
  Drawn drawn(seed, type);
  const Model model = drawn.model();
  PrepareOptions prepare;
  prepare.hooks = std::make_shared<Erring>(seed, err);
  const auto device = PrepareOrDie(model, prepare);
  ASSERT_NE(device, nullptr) << "seed " << seed;
  Keeping keeping(model.main());
  ExecuteOptions options;
  options.observer = &keeping;
  const Ran ran = Execute(*device, {drawn.input()}, options);
  ASSERT_TRUE(ran.result.ok()) << "seed " << seed << ": " << ran.result.message;

  const Bytes input = drawn.input().bytes;
  const InputBuffer in{input};
  Stream stream(seed ^ 0xABCD);
  for (const uint64_t most : {0, 1, 3}) {  // everything observed, every second tensor or so, every fourth
    Observations observations;
    for (const auto& [operand, kept] : keeping.kept)
      if (stream.UpTo(most) == 0 || model.main().operands[operand].lifetime == Lifetime::SUBGRAPH_OUTPUT)
        observations[operand] = {kept.first, kept.second};
    const absl::StatusOr<BoundedRun> run = RunBounded(model, {&in, 1}, observations, {});
    ASSERT_TRUE(run.ok()) << run.status();
    for (const JudgedTensor& t : run->judged) {
      EXPECT_FALSE(t.wrong_shape);
      EXPECT_EQ(t.not_anchored, 0u) << "seed " << seed << ", operand " << t.operand;
      const auto check = [&](const std::vector<Verdict>& verdicts, absl::string_view which) {
        for (size_t i = 0; i < verdicts.size(); ++i) {
          ASSERT_NE(verdicts[i], Verdict::kOutside)
              << which << ", " << NameOf(type) << ", seed " << seed << ", operand " << t.operand << " ("
              << NameOf(model.main().operations[t.operation].code) << "), element " << i;
          totals.unknown += verdicts[i] == Verdict::kUnknown;
        }
      };
      check(t.sound, "sound");
      check(t.sharp, "sharp");
      totals.judged += t.sound.size();
      totals.sharp += t.sharp.size();
    }
    // Another element than the device's, a little outside of what it may be, is seen.
    const JudgedTensor& last = run->judged.back();
    const Operand& operand = model.main().operands[last.operand];
    const size_t element = stream.UpTo(last.sound.size() - 1);
    const Interval& interval = last.intervals[element];
    if (interval.IsUnknown()) continue;
    const double step = IsQuantized(type) ? static_cast<double>(operand.quantization.scale)
                                          : 0.01 * (std::fabs(interval.Hi()) + std::fabs(interval.Lo()) + 0.01);
    Bytes wrong = keeping.kept[last.operand].second;
    const double value = interval.Hi() + step;
    const size_t size = ElementSize(type);
    Store(type, operand.quantization, {1}, &value, wrong.data() + element * size);
    if (ElementAt(type, operand.quantization, last.dims, wrong.data(), element) <= interval.Hi())
      continue;  // saturated
    observations[last.operand].bytes = wrong;
    const absl::StatusOr<BoundedRun> seen = RunBounded(model, {&in, 1}, observations, {});
    ASSERT_TRUE(seen.ok());
    ++totals.moved;
    EXPECT_EQ(seen->judged.back().sound[element], Verdict::kOutside) << "seed " << seed;
    EXPECT_EQ(std::count(seen->judged.back().sound.begin(), seen->judged.back().sound.end(), Verdict::kOutside), 1);
  }
}

class Soundness : public testing::TestWithParam<OperandType> {};

TEST_P(Soundness, ErringWithinTheAllowanceIsNeverOutside) {
  Totals totals;
  for (uint64_t seed = 0; seed < 60; ++seed)
    for (const Err err : {Err::kRandom, Err::kUp, Err::kDown}) ExpectSound(seed, GetParam(), err, totals);
  EXPECT_GT(totals.judged, 10000u);
  EXPECT_GT(totals.sharp, 5000u);
  EXPECT_GT(totals.moved, 300u);
  EXPECT_LT(totals.unknown, totals.judged / 10);
}

INSTANTIATE_TEST_SUITE_P(Types, Soundness,
                         testing::Values(TENSOR_FLOAT32, TENSOR_FLOAT16, TENSOR_QUANT8_ASYMM,
                                         TENSOR_QUANT8_ASYMM_SIGNED),
                         [](const auto& info) { return std::string(NameOf(info.param)); });

}  // namespace
}  // namespace assay
