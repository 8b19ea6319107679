// Devices that compute in float16 what may be computed so: tensors of float16, and everything in a relaxed model.
#include <algorithm>

#include "driver/half_loops.h"
#include "driver/jitter_table.h"
#include "numeric/storage.h"

namespace assay {
namespace {

using Direction = HalfArithmetic::Direction;

// In a relaxed model float32 operands are rounded to float16 before they are used.
class Float16OperandHooks : public ExecutionHooks {
 public:
  explicit Float16OperandHooks(bool relaxed) : relaxed_(relaxed) {}

  bool RewriteCall(const OperationPlace& place, CallRewrite& call) const override {
    if (!relaxed_ || !Computes(place.code)) return false;
    const HalfArithmetic half(DirectionAt(place));
    bool changed = false;
    for (size_t i = 0; i < call.inputs.size(); ++i) {
      const Argument& a = call.inputs[i];
      if (a.type != OperandType::TENSOR_FLOAT32 || a.omitted) continue;
      std::vector<double> values(a.value.size() / sizeof(float));
      Load(a.type, {}, a.shape.dims, a.value.data(), values.data());
      for (double& v : values) v = half.Round(v);
      Bytes bytes(a.value.size());
      Store(a.type, {}, a.shape.dims, values.data(), bytes.data());
      call.SetValue(i, std::move(bytes));
      changed = true;
    }
    return changed;
  }

 protected:
  virtual Direction DirectionAt(const OperationPlace&) const { return Direction::kNearest; }
  bool relaxed() const { return relaxed_; }

 private:
  bool relaxed_;
};

// Sums and results are rounded as well.
class Float16SumHooks final : public Float16OperandHooks {
 public:
  using Float16OperandHooks::Float16OperandHooks;

  void ChangeOutputs(const OperationPlace& place, std::span<const TensorRef> in,
                     std::span<const TensorRef> out) const override {
    const OperandType type = out.empty() ? OperandType::TENSOR_INT32 : out[0].type;
    const bool computes_in_half =
        type == OperandType::TENSOR_FLOAT16 || (relaxed() && type == OperandType::TENSOR_FLOAT32);
    if (!computes_in_half || !Computes(place.code)) return;
    const HalfArithmetic half(DirectionAt(place));
    if (EvaluateInHalf(place.code, half, in, out)) return;
    for (const TensorRef& t : out) StoreHalves(t, half.Read(t), 0);
  }

 protected:
  Direction DirectionAt(const OperationPlace& place) const override {
    constexpr Direction kAll[] = {Direction::kNearest, Direction::kTowardZero, Direction::kAwayFromZero};
    return kAll[static_cast<size_t>(Hash(place, 0, 0) * std::size(kAll))];
  }
};

}  // namespace

std::vector<Jitter> Float16Jitters() {
  return {
      {{"float16-operands", "in relaxed models operands are rounded to float16; all sums are float32, as it declares"},
       [](const Model& model) { return std::make_shared<Float16OperandHooks>(model.relaxed); },
       /*float16_sums_in_float32=*/true},
      {{"float16-sums",
        "every step in float16 and in relaxed models: sums, products and functions, to nearest or always to one side"},
       [](const Model& model) { return std::make_shared<Float16SumHooks>(model.relaxed); }},
  };
}

}  // namespace assay
