// SQUEEZE and EXPAND_DIMS: dimensions of size 1 leave and come; the elements stay as they are.
//
// SQUEEZE drops the dimensions that `axis` names (some twice, perhaps), which must have size 1; without `axis`, all of
// size 1. If nothing is left, [1] is. Documented are indices from 0; Android's executor also takes negative ones,
// counted from the end, and so does this. EXPAND_DIMS inserts a dimension of size 1 in front of dimension `axis`; a
// negative axis counts in the output, so that -1 appends.
#include <algorithm>

#include "ops/axis.h"
#include "ops/define.h"
#include "ops/draw_dims.h"

namespace assay {
namespace {

using enum OperandType;

struct Squeeze {
  static constexpr absl::string_view kProse = "Drops dimensions of size 1: those that axis names, or all.";
  static constexpr Evaluation kEvaluation = Evaluation::kMovement;
  static constexpr TypeRow kRows[] = {
      // since, {input}, {output}
      {2, {TENSOR_FLOAT32}, {TENSOR_FLOAT32}},
      {2, {TENSOR_QUANT8_ASYMM}, {TENSOR_QUANT8_ASYMM}},
      {3, {TENSOR_FLOAT16}, {TENSOR_FLOAT16}},
      {4, {TENSOR_QUANT8_ASYMM_SIGNED}, {TENSOR_QUANT8_ASYMM_SIGNED}},
  };
  static constexpr Rule kRank{"rank", Stage::kModel, "the input has rank at most 4"};
  static constexpr Rule kAxisRank{"axis_rank", Stage::kExecution, "axis has rank 1, also if it is omitted"};
  static constexpr Rule kAxis{"axis", Stage::kExecution, "an entry of axis lies in [-rank, rank)"};
  static constexpr Rule kUnit{"unit", Stage::kExecution, "a dimension that axis names has size 1"};
  static constexpr Rule kRules[] = {kRank, kAxisRank, kAxis, kUnit};

  In input;
  IntValues axis;
  Out output;

  template <class Walk>
  void Operands(Walk& w) {
    w.Tensor(input, "input", "of rank 1 to 4");
    w.Values(axis, "axis", "which dimensions; may be omitted: all of size 1");
    w.Output(output, "output", "without these dimensions; [1] if nothing is left");
  }

  void Draw(Drawing& d) {
    Choices& c = d.choices();
    if (c.Chance(1, 4)) {
      d.Tensor(input, {});
    } else {
      Dims dims = DrawDims(d, 1, 4);
      for (uint32_t& dim : dims)
        if (c.Maybe()) dim = 1;
      d.Exactly(input, std::move(dims), {.range = {-4, 4}, .loose = true});
    }
    std::vector<int32_t> units;
    for (size_t i = 0; i < input.rank(); ++i)
      if (input.dims()[i] == 1) units.push_back(static_cast<int32_t>(i));
    if (units.empty() || c.Chance(1, 4)) {
      d.Omit(axis.tensor);
    } else {
      std::vector<int32_t> entries;
      while (entries.empty() || c.More(entries.size(), 4)) {
        const int32_t unit = c.Pick(units);
        entries.push_back(c.Chance(1, 4) ? unit - static_cast<int32_t>(input.rank()) : unit);
      }
      d.Values(axis, std::move(entries));
    }
    d.OutputLike(output, input);
  }

  void CheckModel(Checker& check) const { check.Rank(kRank, input, "input", 1, 4); }
  void CheckExecution(Checker& check) const {
    check.Rank(kRank, input, "input", 1, 4);
    if (axis.tensor.ranked() && axis.tensor.rank() > 0)
      check.Same(kAxisRank, "rank of axis", static_cast<int64_t>(axis.tensor.rank()), "expected", 1);
    if (!axis.present() || !input.ranked()) return;
    const auto rank = static_cast<int64_t>(input.rank());
    for (int32_t entry : axis.values) {
      check.InRange(kAxis, "an entry of axis", entry, -rank, rank - 1);
      if (!check.clean()) return;
      const size_t at = AxisIndex(entry, input.rank());
      check.Same(kUnit, absl::StrCat("size of dimension ", at), input.dim(at), "expected", 1);
    }
  }

  bool Drops(size_t i) const {
    if (!axis.present()) return input.dims()[i] == 1;
    return std::any_of(axis.values.begin(), axis.values.end(),
                       [&](int32_t entry) { return AxisIndex(entry, input.rank()) == i; });
  }
  std::vector<Result> Infer() const {
    // Without axis, an unknown dimension may be one of those that leave.
    if (!input.ranked() || (!axis.present() && !input.shape().IsKnown()))
      return {{Shape::Unranked(), input.quantization()}};
    Extents out;
    for (size_t i = 0; i < input.rank(); ++i)
      if (!Drops(i)) out.push_back(input.dim(i));
    if (out.empty()) out.push_back(1);
    return {{ToShape(out), input.quantization()}};
  }

  template <class T>
  void Eval(Frame<T>& f) const {
    std::copy(f(input).begin(), f(input).end(), f(output).begin());
  }
};

struct ExpandDims {
  static constexpr absl::string_view kProse = "Inserts a dimension of size 1 in front of dimension axis.";
  static constexpr Evaluation kEvaluation = Evaluation::kMovement;
  static constexpr TypeRow kRows[] = {
      // since, {input}, {output}
      {3, {TENSOR_FLOAT16}, {TENSOR_FLOAT16}},
      {3, {TENSOR_FLOAT32}, {TENSOR_FLOAT32}},
      {3, {TENSOR_INT32}, {TENSOR_INT32}},
      {3, {TENSOR_QUANT8_ASYMM}, {TENSOR_QUANT8_ASYMM}},
      {4, {TENSOR_QUANT8_ASYMM_SIGNED}, {TENSOR_QUANT8_ASYMM_SIGNED}},
  };
  static constexpr Rule kAxis{"axis", Stage::kExecution, "axis lies in [-(rank + 1), rank + 1)"};
  static constexpr Rule kRules[] = {kAxis};

  In input;
  int32_t axis = 0;
  Out output;

  template <class Walk>
  void Operands(Walk& w) {
    w.Tensor(input, "input", "of any rank");
    w.Int(axis, "axis", kAnyInt);
    w.Output(output, "output", "with one more dimension");
  }

  void Draw(Drawing& d) {
    d.Tensor(input, {});
    const auto rank = static_cast<int32_t>(input.rank());
    axis = static_cast<int32_t>(d.choices().Below(input.rank() + 1));
    if (d.choices().Maybe()) axis -= rank + 1;
    d.OutputLike(output, input);
  }

  void CheckModel(Checker&) const {}
  void CheckExecution(Checker& check) const {
    if (!input.ranked()) return;
    const auto rank = static_cast<int64_t>(input.rank());
    check.InRange(kAxis, "axis", axis, -rank - 1, rank);
  }
  std::vector<Result> Infer() const {
    if (!input.ranked()) return {{Shape::Unranked(), input.quantization()}};
    Extents out = input.extents();
    out.insert(out.begin() + static_cast<ptrdiff_t>(AxisIndex(axis, input.rank() + 1)), Extent(1));
    return {{ToShape(out), input.quantization()}};
  }

  template <class T>
  void Eval(Frame<T>& f) const {
    std::copy(f(input).begin(), f(input).end(), f(output).begin());
  }
};

}  // namespace

extern const OperationInfo kExpandDims, kSqueeze;
constinit const OperationInfo kExpandDims = Define<ExpandDims, kExpandDims>(OperationCode::EXPAND_DIMS, "EXPAND_DIMS");
constinit const OperationInfo kSqueeze = Define<Squeeze, kSqueeze>(OperationCode::SQUEEZE, "SQUEEZE");

}  // namespace assay
