// A device that takes subnormal numbers for zeros, on the way in and on the way out.
#include <algorithm>
#include <cmath>

#include "driver/jitter_table.h"
#include "numeric/storage.h"

namespace assay {
namespace {

class FlushHooks final : public ExecutionHooks {
 public:
  bool RewriteCall(const OperationPlace& place, CallRewrite& call) const override {
    if (!Computes(place.code)) return false;
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
    if (!Computes(place.code)) return;
    for (const TensorRef& t : out)
      if (IsFloat(t.type) && t.bytes != nullptr) Flush(t.type, {t.bytes, Count(*t.dims) * ElementSize(t.type)});
  }

 private:
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

}  // namespace

std::vector<Jitter> FlushingJitters() {
  return {{{"flush-to-zero", "subnormal numbers are taken for 0"},
           [](const Model&) { return std::make_shared<FlushHooks>(); }}};
}

}  // namespace assay
