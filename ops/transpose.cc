// TRANSPOSE: dimensions in another order.
//
//   output dimension i = input dimension perm[i]; without perm the order is reversed
//
// Documented is an omitted perm for any rank, and so it is executed; Android's executor takes it for rank 2 only, so
// only that is drawn. Elements are moved: every type is exact, and the output has the input's quantization.
#include <algorithm>
#include <numeric>

#include "ops/define.h"

namespace assay {
namespace {

struct Transpose {
  static constexpr absl::string_view kProse =
      "Puts the dimensions in another order: output dimension i is input dimension perm[i].";
  static constexpr Evaluation kEvaluation = Evaluation::kMovement;
  using enum OperandType;
  static constexpr TypeRow kRows[] = {
      // since, {input}, {output}
      {2, {TENSOR_FLOAT32}, {TENSOR_FLOAT32}},
      {2, {TENSOR_QUANT8_ASYMM}, {TENSOR_QUANT8_ASYMM}},
      {3, {TENSOR_FLOAT16}, {TENSOR_FLOAT16}},
      {4, {TENSOR_QUANT8_ASYMM_SIGNED}, {TENSOR_QUANT8_ASYMM_SIGNED}},
  };
  static constexpr Rule kRank{"rank", Stage::kModel, "the input has rank at most 4"};
  static constexpr Rule kPerm{"perm", Stage::kExecution, "perm has rank 1 and an entry for each dimension"};
  static constexpr Rule kEntries{"perm_entries", Stage::kExecution, "perm holds each of 0 to rank - 1 once"};
  static constexpr Rule kRules[] = {kRank, kPerm, kEntries};
  static constexpr bool kAllowsEmpty = true;

  In input;
  IntValues perm;
  Out output;

  template <class Walk>
  void Operands(Walk& w) {
    w.Tensor(input, "input", "of rank 1 to 4");
    w.Values(perm, "perm", "[rank], a permutation; may be omitted: the reversed order");
    w.Output(output, "output", "of the permuted shape");
  }

  void Draw(Drawing& d) {
    d.Tensor(input, {});
    Choices& c = d.choices();
    if (input.rank() == 2 && c.Chance(1, 4)) {
      d.Omit(perm.tensor);
    } else {
      std::vector<int32_t> order(input.rank());
      std::iota(order.begin(), order.end(), 0);
      for (size_t i = 0; i + 1 < order.size(); ++i)
        std::swap(order[i], order[i + static_cast<size_t>(c.Below(order.size() - i))]);
      d.Values(perm, std::move(order));
    }
    d.OutputLike(output, input);
  }

  void CheckModel(Checker& check) const { check.Rank(kRank, input, "input", 1, 4); }
  void CheckExecution(Checker& check) const {
    check.Rank(kRank, input, "input", 1, 4);
    if (!perm.present()) return;
    check.Rank(kPerm, perm.tensor, "perm", 1, 1);
    const auto size = static_cast<int64_t>(perm.values.size());
    if (input.ranked()) check.Same(kPerm, "number of entries", size, "rank", static_cast<int64_t>(input.rank()));
    std::vector<bool> seen(perm.values.size(), false);
    for (int32_t entry : perm.values) {
      check.InRange(kEntries, "an entry", entry, 0, size - 1);
      if (entry < 0 || entry >= size) continue;
      check.That(!seen[static_cast<size_t>(entry)], kEntries, "the entry ", entry, " stands twice");
      seen[static_cast<size_t>(entry)] = true;
    }
  }

  // perm, or what stands for it.
  std::vector<size_t> Order() const {
    if (perm.present()) return {perm.values.begin(), perm.values.end()};
    std::vector<size_t> order(input.rank());
    for (size_t i = 0; i < order.size(); ++i) order[i] = order.size() - 1 - i;
    return order;
  }
  std::vector<Result> Infer() const {
    if (!perm.present() && !input.ranked()) return {{Shape::Unranked(), input.quantization()}};
    Extents out;
    for (size_t from : Order()) out.push_back(input.dim(from));
    return {{ToShape(out), input.quantization()}};
  }

  // The output in order; a step along its dimension i is a step along input dimension perm[i].
  template <class T>
  void Eval(Frame<T>& f) const {
    const View<const T>& in = f(input);
    const View<T>& out = f(output);
    if (out.size == 0) return;
    const std::vector<size_t> order = Order();
    const size_t rank = order.size();
    std::vector<size_t> input_strides(rank, 1), strides(rank), at(rank, 0);
    for (size_t i = rank - 1; i-- > 0;) input_strides[i] = input_strides[i + 1] * in.dim(i + 1);
    for (size_t i = 0; i < rank; ++i) strides[i] = input_strides[order[i]];
    const size_t inner = out.dim(rank - 1), step = strides[rank - 1];
    size_t from = 0;
    for (size_t i = 0; i < out.size; i += inner) {
      for (size_t k = 0; k < inner; ++k) out[i + k] = in[from + k * step];
      for (size_t d = rank - 1; d-- > 0;) {
        from += strides[d];
        if (++at[d] < out.dim(d)) break;
        from -= strides[d] * at[d];
        at[d] = 0;
      }
    }
  }
};

}  // namespace

extern const OperationInfo kTranspose;
constinit const OperationInfo kTranspose = Define<Transpose, kTranspose>(OperationCode::TRANSPOSE, "TRANSPOSE");

}  // namespace assay
