// Devices whose results are moved, after each operation, inside of what the family's own bounds allow for the inputs
// that the operation really had. They test how bounds are carried through a graph, not the bounds themselves.
#include <algorithm>
#include <cmath>
#include <functional>

#include "driver/jitter_call.h"
#include "driver/jitter_table.h"
#include "numeric/storage.h"
#include "ops/registry.h"

namespace assay {
namespace {

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

class ChoosingHooks final : public ExecutionHooks {
 public:
  ChoosingHooks(bool relaxed, Choose choose) : relaxed_(relaxed), choose_(std::move(choose)) {}

  void ChangeOutputs(const OperationPlace& place, std::span<const TensorRef> in,
                     std::span<const TensorRef> out) const override {
    if (FindOperationInfo(place.code)->evaluation != Evaluation::kReal) return;
    const auto call = JitteredCall::Decode(place.code, in, out);
    if (call == nullptr || call->call().HasAccept()) return;
    const std::vector<std::vector<Interval>> outputs = call->Allowed({.relaxed = relaxed_});
    for (size_t o = 0; o < out.size(); ++o)
      for (size_t i = 0; i < outputs[o].size(); ++i) {
        const Interval& allowed = outputs[o][i];
        if (allowed.IsFinite() && allowed.lo < allowed.hi)
          StoreInside(out[o], i, choose_(place, o, i, allowed, out[o]), allowed);
      }
  }

 private:
  bool relaxed_;
  Choose choose_;
};

double Middle(const Interval& a) { return a.lo + (a.hi - a.lo) / 2; }

// Rounds toward minus infinity where a result is requantized, and toward zero in floats.
double RoundedDown(const OperationPlace&, size_t, size_t, const Interval& a, const TensorRef& t) {
  if (!IsQuantized(t.type))
    return a.value - std::copysign(std::abs(a.value) * (ElementSize(t.type) == 2 ? 0x1p-10 : 0x1p-23), a.value);
  const double scale = static_cast<double>(t.quantization->scale);
  return std::floor(Middle(a) / scale) * scale;
}

Jitter Choosing(std::string name, std::string sentence, Choose choose) {
  return {{std::move(name), std::move(sentence)}, [choose = std::move(choose)](const Model& model) {
            return std::make_shared<ChoosingHooks>(model.relaxed, choose);
          }};
}

}  // namespace

std::vector<Jitter> ChoosingJitters() {
  using Place = OperationPlace;
  return {
      Choosing("nearest", "every result is the exact one, rounded once",
               [](const Place&, size_t, size_t, const Interval& a, const TensorRef&) { return a.value; }),
      Choosing("floor", "results are truncated instead of rounded", RoundedDown),
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
  };
}

}  // namespace assay
