// After each operation, its outputs are moved inside of what the operation is allowed for the inputs that it really
// had. What is allowed comes from the family's own bounds, so these devices test how bounds are carried through a
// graph, not the bounds themselves; flush-to-zero and float16-sums compute on their own where they can.
#include "driver/jitter.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "absl/strings/str_cat.h"
#include "driver/built_in.h"
#include "numeric/half.h"
#include "numeric/storage.h"
#include "ops/registry.h"
#include "reference/hooks.h"

namespace assay {
namespace {

// A number in [0, 1) that depends on the place and the element alone.
double Hash(const OperationPlace& place, size_t output, size_t element) {
  uint64_t x = (uint64_t{place.subgraph} << 40) ^ (uint64_t{place.operation} << 20) ^ (output << 60) ^ element;
  x = (x + 0x9E3779B97F4A7C15u) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 31)) * 0x94D049BB133111EBu;
  return static_cast<double>(x >> 11) * 0x1p-53;
}

// Where to go inside of an interval.
using Choose =
    std::function<double(const OperationPlace&, size_t output, size_t element, const Interval&, const TensorRef&)>;

// Stores `target`, moved by single codes or ulps until it lies in [lo, hi]; leaves the element if none does.
void StoreInside(const TensorRef& t, size_t i, double target, const Interval& allowed) {
  const size_t size = ElementSize(t.type);
  uint8_t* at = t.bytes + i * size;
  uint8_t before[8];
  std::copy(at, at + size, before);
  for (int step = 0; step < 4; ++step) {
    Store(t.type, *t.quantization, {1}, &target, at);
    const double stored = ElementAt(t.type, *t.quantization, {1}, at, 0);
    if (stored >= allowed.lo && stored <= allowed.hi) return;
    const double unit = IsQuantized(t.type)
                            ? static_cast<double>(t.quantization->scale)
                            : std::abs(stored) * (size == 2 ? 0x1p-11 : 0x1p-24) + (size == 2 ? 0x1p-25 : 0x1p-150);
    target = stored < allowed.lo ? stored + unit : stored - unit;
  }
  std::copy(before, before + size, at);
}

class JitterHooks final : public ExecutionHooks {
 public:
  JitterHooks(bool relaxed, Choose choose) : relaxed_(relaxed), choose_(std::move(choose)) {}

  void ChangeOutputs(const OperationPlace& place, std::span<const TensorRef> in,
                     std::span<const TensorRef> out) const override {
    const OperationInfo* info = FindOperationInfo(place.code);
    if (info == nullptr || info->evaluation != Evaluation::kReal) return;
    Violations violations;
    const auto call = info->decode(Arguments(in), Arguments(out), violations);
    if (call == nullptr || call->HasAccept()) return;
    std::vector<std::vector<Interval>> memory;
    memory.reserve(in.size() + out.size());
    const std::vector<IntervalRef> inputs = Intervals(in, call->needs_value(), memory),
                                   outputs = Intervals(out, {}, memory);
    std::vector<uint8_t> scratch(call->BoundedScratchBytes() + 64);
    const size_t shift = (64 - reinterpret_cast<uintptr_t>(scratch.data()) % 64) % 64;
    call->RunBounded({.relaxed = relaxed_}, inputs, outputs, std::span(scratch).subspan(shift));
    for (size_t o = 0; o < out.size(); ++o)
      for (size_t i = 0; i < Count(*out[o].dims); ++i) {
        const Interval& allowed = outputs[o].elements[i];
        if (allowed.IsFinite() && allowed.lo < allowed.hi)
          StoreInside(out[o], i, choose_(place, o, i, allowed, out[o]), allowed);
      }
  }

 private:
  static std::vector<Argument> Arguments(std::span<const TensorRef> refs) {
    std::vector<Argument> out;
    for (const TensorRef& t : refs) {
      Argument& a = out.emplace_back();
      a.type = t.type;
      a.omitted = t.bytes == nullptr;
      if (t.dims != nullptr) a.shape = Shape::Of(*t.dims);
      if (t.quantization != nullptr) a.quantization = *t.quantization;
      a.value_known = !a.omitted;
      if (!a.omitted) a.value = {t.bytes, Count(*t.dims) * ElementSize(t.type)};
    }
    return out;
  }
  static std::vector<IntervalRef> Intervals(std::span<const TensorRef> refs, const std::vector<bool>& skip,
                                            std::vector<std::vector<Interval>>& memory) {
    std::vector<IntervalRef> out;
    for (size_t i = 0; i < refs.size(); ++i) {
      const TensorRef& t = refs[i];
      IntervalRef& ref = out.emplace_back(IntervalRef{t.type, t.quantization, t.dims, nullptr});
      if (t.bytes == nullptr || (i < skip.size() && skip[i])) continue;
      std::vector<Interval>& elements = memory.emplace_back(Count(*t.dims));
      Load(t.type, *t.quantization, *t.dims, t.bytes, elements.data());
      ref.elements = elements.data();
    }
    return out;
  }

  bool relaxed_;
  Choose choose_;
};

// Subnormal numbers are zeros, on the way in and on the way out.
class FlushHooks final : public ExecutionHooks {
 public:
  bool RewriteCall(const OperationPlace& place, CallRewrite& call) const override {
    if (!Computes(place)) return false;
    bool changed = false;
    for (size_t i = 0; i < call.inputs.size(); ++i) {
      const Argument& a = call.inputs[i];
      if (!IsFloat(a.type) || IsScalar(a.type) || a.omitted) continue;
      Bytes bytes(a.value.begin(), a.value.end());
      if (!Flush(a.type, bytes)) continue;
      call.SetValue(i, std::move(bytes));
      changed = true;
    }
    return changed;
  }
  void ChangeOutputs(const OperationPlace& place, std::span<const TensorRef>,
                     std::span<const TensorRef> out) const override {
    if (!Computes(place)) return;
    for (const TensorRef& t : out)
      if (IsFloat(t.type) && t.bytes != nullptr) Flush(t.type, {t.bytes, Count(*t.dims) * ElementSize(t.type)});
  }

 private:
  // CONCATENATION and CAST may only move their elements, and then they are exact.
  static bool Computes(const OperationPlace& place) {
    const OperationInfo* info = FindOperationInfo(place.code);
    const bool may_move = place.code == OperationCode::CONCATENATION || place.code == OperationCode::CAST;
    return info != nullptr && info->evaluation == Evaluation::kReal && !may_move;
  }
  static bool Flush(OperandType type, std::span<uint8_t> bytes) {
    const size_t size = ElementSize(type);
    const double tiny = size == 2 ? 0x1p-14 : 0x1p-126;
    bool changed = false;
    for (size_t at = 0; at + size <= bytes.size(); at += size) {
      const double v = ElementAt(type, {}, {1}, bytes.data() + at, 0);
      if (v == 0 || !(std::abs(v) < tiny)) continue;
      std::fill_n(bytes.begin() + static_cast<ptrdiff_t>(at), size, uint8_t{0});
      changed = true;
    }
    return changed;
  }
};

double Middle(const Interval& a) { return a.lo + (a.hi - a.lo) / 2; }

// Rounds toward minus infinity where a result is requantized, and toward zero in floats.
double Floor(const OperationPlace&, size_t, size_t, const Interval& a, const TensorRef& t) {
  if (!IsQuantized(t.type))
    return a.value - std::copysign(std::abs(a.value) * (ElementSize(t.type) == 2 ? 0x1p-10 : 0x1p-23), a.value);
  const double scale = static_cast<double>(t.quantization->scale);
  return std::floor(Middle(a) / scale) * scale;
}

// Adds the products of a FULLY_CONNECTED one after the other in float16, rounding each step; others err at random.
class Float16SumHooks final : public ExecutionHooks {
 public:
  explicit Float16SumHooks(bool relaxed)
      : others_(relaxed, [](const OperationPlace& p, size_t o, size_t i, const Interval& a, const TensorRef&) {
          return a.lo + (a.hi - a.lo) * Hash(p, o, i);
        }) {}
  void ChangeOutputs(const OperationPlace& place, std::span<const TensorRef> in,
                     std::span<const TensorRef> out) const override {
    if (place.code != OperationCode::FULLY_CONNECTED || out[0].type != OperandType::TENSOR_FLOAT16)
      return others_.ChangeOutputs(place, in, out);
    const auto half = [](double v) { return static_cast<double>(FloatFromHalf(HalfFromDouble(v))); };
    const auto element = [&](size_t input, size_t i) { return ElementAt(in[input].type, {}, {}, in[input].bytes, i); };
    const size_t units = (*in[1].dims)[0], k = (*in[1].dims)[1];
    int32_t activation = 0;
    std::copy(in[3].bytes, in[3].bytes + sizeof activation, reinterpret_cast<uint8_t*>(&activation));
    for (size_t i = 0; i < Count(*out[0].dims); ++i) {
      double sum = element(2, i % units);
      for (size_t j = 0; j < k; ++j)
        sum = half(sum + half(element(0, i / units * k + j) * element(1, i % units * k + j)));
      Store(out[0].type, {}, {1}, &sum, out[0].bytes + 2 * i, static_cast<Activation>(activation));
    }
  }

 private:
  JitterHooks others_;
};

struct Jitter {
  JitterDescription description;
  std::function<std::shared_ptr<const ExecutionHooks>(const Model&)> hooks;
};

Jitter Choosing(std::string name, std::string sentence, Choose choose) {
  return {{std::move(name), std::move(sentence)}, [choose = std::move(choose)](const Model& model) {
            return std::make_shared<JitterHooks>(model.relaxed, choose);
          }};
}

std::vector<Jitter> AllJitters() {
  using Place = OperationPlace;
  return {
      Choosing("nearest", "every result is the exact one, rounded once",
               [](const Place&, size_t, size_t, const Interval& a, const TensorRef&) { return a.value; }),
      Choosing("floor", "results are truncated instead of rounded", Floor),
      Choosing("edge", "every element is at an end of its allowance, drawn for each",
               [](const Place& p, size_t o, size_t i, const Interval& a, const TensorRef&) {
                 return Hash(p, o, i) < 0.5 ? a.lo : a.hi;
               }),
      Choosing("edge-coherent", "all elements of an operation are at the same end of their allowance",
               [](const Place& p, size_t o, size_t, const Interval& a, const TensorRef&) {
                 return Hash(p, o, 0) < 0.5 ? a.lo : a.hi;
               }),
      Choosing("edge-high", "all elements are at the upper end of their allowance",
               [](const Place&, size_t, size_t, const Interval& a, const TensorRef&) { return a.hi; }),
      Choosing("random", "every element is somewhere in its allowance",
               [](const Place& p, size_t o, size_t i, const Interval& a, const TensorRef&) {
                 return a.lo + (a.hi - a.lo) * Hash(p, o, i);
               }),
      {{"float16-sums", "FULLY_CONNECTED really adds in float16, one product after the other; others err at random"},
       [](const Model& model) { return std::make_shared<Float16SumHooks>(model.relaxed); }},
      {{"flush-to-zero", "subnormal numbers are taken for 0"},
       [](const Model&) { return std::make_shared<FlushHooks>(); }},
  };
}

}  // namespace

std::vector<JitterDescription> Jitters() {
  std::vector<JitterDescription> out;
  for (Jitter& j : AllJitters()) out.push_back(std::move(j.description));
  return out;
}

absl::StatusOr<std::unique_ptr<Device>> OpenJittered(absl::string_view name) {
  for (Jitter& j : AllJitters())
    if (j.description.name == name)
      return MakeBuiltIn({.name = absl::StrCat("jitter:", name), .mode = Mode::kFast, .hooks_for = std::move(j.hooks)});
  return absl::NotFoundError(absl::StrCat("there is no jittered device \"", name, "\"; `assay drivers` lists them"));
}

}  // namespace assay
