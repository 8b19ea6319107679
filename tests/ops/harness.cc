#include "tests/ops/harness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "model/status.h"
#include "numeric/storage.h"
#include "ops/registry.h"

namespace assay {
namespace {

constexpr size_t kCanary = 64;
constexpr uint8_t kCanaryByte = 0xA5;
constexpr uint8_t kPoison = 0xFF;  // NaN in every float format

// Memory between two canaries, aligned to 64 bytes, poisoned.
class Guarded {
 public:
  explicit Guarded(size_t size) : size_(size), memory_(size + 2 * kCanary + 64, kCanaryByte) {
    const auto address = reinterpret_cast<uintptr_t>(memory_.data()) + kCanary;
    begin_ = memory_.data() + kCanary + (64 - address % 64) % 64;
    std::memset(begin_, kPoison, size);
  }
  uint8_t* data() { return begin_; }
  std::span<uint8_t> span() { return {begin_, size_}; }
  Bytes Taken(absl::string_view what) {
    Check(what);
    return Bytes(begin_, begin_ + size_);
  }
  void Check(absl::string_view what) const {
    const auto intact = [](const uint8_t* from, const uint8_t* to) {
      return std::all_of(from, to, [](uint8_t b) { return b == kCanaryByte; });
    };
    EXPECT_TRUE(intact(memory_.data(), begin_) && intact(begin_ + size_, memory_.data() + memory_.size()))
        << what << ": written outside of its memory";
  }

 private:
  size_t size_;
  Bytes memory_;
  uint8_t* begin_;
};

// How a call in the plain domains reads an operand's bytes.
const Quantization& ReadAs(const Call& call, size_t i, const Given& o) {
  const Quantization* q = call.read_as(i);
  return q == nullptr ? o.argument.quantization : *q;
}
template <class N>
Bytes Converted(const Call& call, size_t i, const Given& o) {
  const Dims& dims = o.argument.shape.dims;
  Bytes out(Count(dims) * sizeof(N));
  std::vector<N> values(Count(dims));
  Load(o.argument.type, ReadAs(call, i, o), dims, o.bytes.data(), values.data());
  if (!out.empty()) std::memcpy(out.data(), values.data(), out.size());
  return out;
}

std::string Describe(const Assumptions& a) {
  return absl::StrCat(a.relaxed ? "relaxed " : "", a.strict ? "strict " : "",
                      a.float16_sums_in_float32 ? "float16 sums in float32" : "");
}

}  // namespace

OneCall::OneCall(OperationCode code, std::vector<Given> inputs, std::vector<Given> outputs)
    : code_(code), inputs_(std::move(inputs)), outputs_(std::move(outputs)) {
  ASSAY_CHECK(FindOperationInfo(code) != nullptr, "this operation is not in the registry");
  for (Given& o : inputs_)
    if (o.argument.value_known) o.argument.value = o.bytes;
  DecodeAndCheck();
  if (inferred_.empty()) return;
  bool more = false;
  for (size_t i = 0; i < outputs_.size(); ++i) {
    Argument& a = outputs_[i].argument;
    const Result& r = inferred_[i];
    const std::optional<Shape> merged = a.shape.ranked ? Merge(a.shape, r.shape) : r.shape;
    if (!merged) {
      ADD_FAILURE() << NameOf(code_) << ": output " << i << " is declared " << ToString(a.shape) << ", inferred is "
                    << ToString(r.shape);
      continue;
    }
    more |= !(a.shape == *merged);
    a.shape = *merged;
    if (!r.quantization || !IsQuantized(a.type)) continue;
    if (a.quantization == Quantization{}) {
      a.quantization = *r.quantization;
      more = true;
    } else if (!(a.quantization == *r.quantization)) {
      violations_.push_back({absl::StrCat(absl::AsciiStrToLower(NameOf(code_)), ".output_quantization"), Stage::kModel,
                             absl::StrCat("output ", i, " has scale ", a.quantization.scale, " and zero point ",
                                          a.quantization.zero_point, ", must have ", r.quantization->scale, " and ",
                                          r.quantization->zero_point)});
    }
  }
  // A call is run with the shapes that it was decoded with.
  if (more && valid()) DecodeAndCheck();
}

void OneCall::DecodeAndCheck() {
  violations_.clear();
  inferred_.clear();
  std::vector<Argument> in, out;
  for (const Given& o : inputs_) in.push_back(o.argument);
  for (const Given& o : outputs_) out.push_back(o.argument);
  call_ = FindOperationInfo(code_)->decode(in, out, violations_);
  if (call_ == nullptr) return;
  call_->Check(Stage::kModel, violations_);
  call_->Check(Stage::kRequest, violations_);
  if (!violations_.empty() || !call_->values_known()) return;
  call_->Check(Stage::kExecution, violations_);
  if (!violations_.empty()) return;
  inferred_ = call_->Infer();
  EXPECT_EQ(inferred_.size(), outputs_.size()) << NameOf(code_) << ": Infer gave another number of outputs";
  inferred_.resize(outputs_.size());
}

std::set<std::string> OneCall::broken() const {
  std::set<std::string> out;
  const std::string prefix = absl::StrCat(absl::AsciiStrToLower(NameOf(code_)), ".");
  for (const Violation& v : violations_) {
    EXPECT_EQ(v.rule.substr(0, prefix.size()), prefix) << ToString(v);
    EXPECT_FALSE(v.message.empty()) << v.rule;
    out.insert(v.rule.substr(prefix.size()));
  }
  return out;
}

Dims OneCall::dims(size_t output) const {
  EXPECT_TRUE(valid()) << ToStatus(violations_);
  return output < inferred_.size() && inferred_[output].shape.IsKnown() ? inferred_[output].shape.dims : Dims{};
}

bool OneCall::Runnable() const {
  if (!valid()) {
    ADD_FAILURE() << NameOf(code_) << " cannot be run: " << ToStatus(violations_);
    return false;
  }
  for (size_t i = 0; i < inputs_.size(); ++i)
    if (const Argument& a = inputs_[i].argument; !a.omitted && (!a.shape.IsKnown() || !a.value_known)) {
      ADD_FAILURE() << NameOf(code_) << " cannot be run: input " << i << " is unknown";
      return false;
    }
  for (const Result& r : inferred_)
    if (!r.shape.IsKnown()) {
      ADD_FAILURE() << NameOf(code_) << " cannot be run: an output's shape is unknown: " << ToString(r.shape);
      return false;
    }
  return true;
}

std::vector<Bytes> OneCall::Run(Mode mode, bool converted) const {
  const Domain domain = call_->domain(mode);
  std::vector<TensorRef> in(inputs_.size()), out(outputs_.size());
  std::vector<bool> is_converted(inputs_.size(), false);
  std::vector<Bytes> before(inputs_.size()), constants(inputs_.size());
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const Given& o = inputs_[i];
    in[i] = {o.argument.type, &o.argument.quantization, &o.argument.shape.dims, nullptr, nullptr};
    if (o.argument.omitted || call_->needs_value()[i]) continue;
    before[i] = o.bytes;
    if (converted && domain != Domain::kCodes) {
      constants[i] = domain == Domain::kFloat ? Converted<float>(*call_, i, o) : Converted<double>(*call_, i, o);
      in[i].converted = constants[i].data();
      is_converted[i] = true;
    } else {
      in[i].bytes = before[i].data();
    }
  }
  std::vector<Guarded> stored;
  for (size_t i = 0; i < outputs_.size(); ++i)
    stored.emplace_back(Count(inferred_[i].shape.dims) * ElementSize(outputs_[i].argument.type));
  for (size_t i = 0; i < outputs_.size(); ++i) {
    const Argument& a = outputs_[i].argument;
    out[i] = {a.type, &a.quantization, &a.shape.dims, stored[i].data(), nullptr};
  }
  Guarded scratch(call_->ScratchBytes(mode, is_converted));
  call_->Run(mode, in, out, scratch.span());
  scratch.Check("scratch memory");
  std::vector<Bytes> answers;
  for (Guarded& g : stored) answers.push_back(g.Taken("an output"));
  for (size_t i = 0; i < inputs_.size(); ++i)
    EXPECT_TRUE(before[i].empty() || before[i] == inputs_[i].bytes) << NameOf(code_) << " wrote to its input " << i;
  return answers;
}

std::vector<Bytes> OneCall::Run(Mode mode) const {
  if (!Runnable()) return {};
  std::vector<Bytes> answers = Run(mode, false);
  const std::vector<Bytes> again = Run(mode, true);
  for (size_t i = 0; i < answers.size(); ++i)
    EXPECT_TRUE(answers[i] == again[i] || inferred_[i].unspecified)
        << NameOf(code_) << ": output " << i << " differs when constants come converted";
  return answers;
}

std::vector<double> OneCall::RealsOf(Mode mode, size_t output) const {
  const std::vector<Bytes> answers = Run(mode);
  if (answers.empty()) return {};
  const Given& o = outputs_.at(output);
  std::vector<double> out(Count(o.argument.shape.dims));
  Load(o.argument.type, o.argument.quantization, o.argument.shape.dims, answers[output].data(), out.data());
  return out;
}

std::vector<int64_t> OneCall::CodesOf(Mode mode, size_t output) const {
  const std::vector<Bytes> answers = Run(mode);
  if (answers.empty()) return {};
  const Argument& a = outputs_.at(output).argument;
  std::vector<int64_t> out(Count(a.shape.dims));
  for (size_t i = 0; i < out.size(); ++i) out[i] = CodeAt(a.type, answers[output].data(), i);
  return out;
}

std::vector<std::vector<Interval>> OneCall::Elements(const InputIntervals& given) const {
  std::vector<std::vector<Interval>> elements(inputs_.size());
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const Given& o = inputs_[i];
    if (o.argument.omitted || call_->needs_value()[i]) continue;
    const Dims& dims = o.argument.shape.dims;
    if (i < given.size() && !given[i].empty()) {
      elements[i] = given[i];
      ASSAY_CHECK(elements[i].size() == Count(dims), "a test gives another number of intervals than elements");
    } else {
      elements[i].resize(Count(dims));
      Load(o.argument.type, o.argument.quantization, dims, o.bytes.data(), elements[i].data());
    }
  }
  return elements;
}

std::vector<std::vector<Interval>> OneCall::Bounds(const Assumptions& assumptions, const InputIntervals& given) const {
  if (!Runnable()) return {};
  std::vector<std::vector<Interval>> elements = Elements(given), bounds(outputs_.size());
  std::vector<IntervalRef> in, out;
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const Argument& a = inputs_[i].argument;
    const bool absent = a.omitted || call_->needs_value()[i];
    in.push_back({a.type, &a.quantization, &a.shape.dims, absent ? nullptr : elements[i].data()});
  }
  for (size_t i = 0; i < outputs_.size(); ++i) {
    const Argument& a = outputs_[i].argument;
    const double poison = std::numeric_limits<double>::quiet_NaN();
    bounds[i].assign(Count(a.shape.dims), Interval(poison));
    out.push_back({a.type, &a.quantization, &a.shape.dims, bounds[i].data()});
  }
  Guarded scratch(call_->BoundedScratchBytes());
  call_->RunBounded(assumptions, in, out, scratch.span());
  scratch.Check("scratch memory of a bounded run");
  for (const std::vector<Interval>& b : bounds)
    for (const Interval& e : b)
      EXPECT_TRUE(e.IsSettled() && (e.IsExactNan() || e.lo <= e.hi)) << "an output was not settled";
  return bounds;
}

std::vector<Interval> OneCall::Bound(size_t output, const Assumptions& assumptions,
                                     const InputIntervals& inputs) const {
  std::vector<std::vector<Interval>> bounds = Bounds(assumptions, inputs);
  return bounds.empty() ? std::vector<Interval>{} : bounds.at(output);
}

double OneCall::Widest(size_t output, const Assumptions& assumptions, const InputIntervals& inputs) const {
  double widest = 0;
  for (const Interval& e : Bound(output, assumptions, inputs)) widest = std::fmax(widest, e.Hi() - e.Lo());
  return widest;
}

std::vector<Verdict> OneCall::Accept(const std::vector<double>& answer, size_t output, const Assumptions& assumptions,
                                     const InputIntervals& inputs) const {
  if (!Runnable()) return {};
  std::vector<std::vector<Interval>> elements = Elements(inputs);
  std::vector<IntervalRef> in;
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const Argument& a = inputs_[i].argument;
    const bool absent = a.omitted || call_->needs_value()[i];
    in.push_back({a.type, &a.quantization, &a.shape.dims, absent ? nullptr : elements[i].data()});
  }
  std::vector<Verdict> verdicts(answer.size(), Verdict::kUnknown);
  Guarded scratch(call_->BoundedScratchBytes());
  call_->Accept(assumptions, in, output, answer, verdicts, scratch.span());
  return verdicts;
}

void OneCall::ExpectInside(Mode mode, const Assumptions& assumptions, const std::vector<Bytes>& answers,
                           const std::vector<std::vector<Interval>>& bounds) const {
  for (size_t i = 0; i < answers.size(); ++i) {
    const Given& o = outputs_[i];
    if (inferred_[i].unspecified) continue;
    for (size_t e = 0; e < bounds[i].size(); ++e) {
      const Interval& b = bounds[i][e];
      const double real =
          ElementAt(o.argument.type, o.argument.quantization, o.argument.shape.dims, answers[i].data(), e);
      if (Inside(b, real) != Verdict::kOutside) continue;
      ADD_FAILURE() << NameOf(code_) << " (" << NameOf(mode) << ", " << Describe(assumptions) << "): element " << e
                    << " of output " << i << " is " << real << ", outside of [" << b.lo << ", " << b.hi << "]";
      return;
    }
  }
}

void OneCall::ExpectInside() const {
  if (!Runnable()) return;
  const std::vector<Bytes> golden = Run(Mode::kGolden), fast = Run(Mode::kFast);
  const Assumptions all[] = {{},
                             {.strict = true},
                             {.relaxed = true},
                             {.float16_sums_in_float32 = true},
                             {.relaxed = true, .float16_sums_in_float32 = true, .strict = true}};
  for (const Assumptions& assumptions : all) {
    const auto bounds = Bounds(assumptions, {});
    ExpectInside(Mode::kGolden, assumptions, golden, bounds);
    ExpectInside(Mode::kFast, assumptions, fast, bounds);
  }
}

void OneCall::ExpectHullHolds(double width, int steps, int samples, uint64_t seed) const {
  if (!Runnable()) return;
  InputIntervals intervals = Elements({});
  const auto widened = [&](size_t i, OperandType type) {
    return !intervals[i].empty() &&
           (IsFloat(type) || (IsQuantized(type) && inputs_[i].argument.quantization.scale > 0));
  };
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const Argument& a = inputs_[i].argument;
    if (!widened(i, a.type)) continue;
    const double by = IsFloat(a.type) ? width : steps * double{a.quantization.scale};
    for (Interval& e : intervals[i]) e.lo -= by, e.hi += by;
  }
  const auto bounds = Bounds({}, intervals);
  for (int s = 0; s < samples; ++s) {
    std::vector<Given> inputs = inputs_;
    for (size_t i = 0; i < inputs.size(); ++i) {
      const Argument& a = inputs[i].argument;
      if (!widened(i, a.type)) continue;
      std::vector<double> values = Noise(intervals[i].size(), seed++, 0, 1);
      for (size_t e = 0; e < values.size(); ++e) {
        const Interval& in = intervals[i][e];
        // Half of the samples lie at the corners.
        const double t = s % 2 == 0 ? values[e] : values[e] < 0.5 ? 0.0 : 1.0;
        values[e] = in.lo + (in.hi - in.lo) * t;
      }
      Store(a.type, a.quantization, a.shape.dims, values.data(), inputs[i].bytes.data());
      for (size_t e = 0; e < values.size(); ++e) {  // rounding to the type, or saturation, may have left the interval
        const double real = ElementAt(a.type, a.quantization, a.shape.dims, inputs[i].bytes.data(), e);
        const Interval& in = intervals[i][e];
        if (real >= in.lo && real <= in.hi) continue;
        const size_t size = ElementSize(a.type);
        std::memcpy(inputs[i].bytes.data() + e * size, inputs_[i].bytes.data() + e * size, size);
      }
    }
    const OneCall sample(code_, std::move(inputs), outputs_);
    sample.ExpectInside(Mode::kGolden, {}, sample.Run(Mode::kGolden, false), bounds);
  }
}

}  // namespace assay
