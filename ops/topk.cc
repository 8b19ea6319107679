// TOPK_V2: the k greatest elements of every row along the last dimension, and where they are.
//
//   of the pairs (input[.., i], i) of a row, sorted with the greatest first, the first k
//
// So of equal elements the one with the GREATER index comes first, the opposite of what a stable sort gives. Quantized
// elements compare by their codes, which is the same. Where a NaN comes is unspecified: here it is the greatest.
//
// Bounded: the j-th greatest element lies between the j-th greatest of the lower bounds and of the upper ones; its
// index is one of those that fewer than j + 1 elements surely precede, and enough may. An answer is judged by the
// relation itself: values sorted and each inside of its bounds; indices distinct, and none of an element that surely
// comes before one that was given before it, or was left out.
#include <algorithm>

#include "ops/define.h"

namespace assay {
namespace {

struct TopkV2 {
  static constexpr absl::string_view kProse =
      "The k greatest elements of every row along the last dimension, and their indices; of equal ones, the one with "
      "the "
      "greater index comes first.";
  static constexpr Evaluation kEvaluation = Evaluation::kReal;
  using enum OperandType;
  static constexpr TypeRow kRows[] = {
      // since, {input}, {values, indices}
      {3, {TENSOR_FLOAT16}, {TENSOR_FLOAT16, TENSOR_INT32}},
      {3, {TENSOR_FLOAT32}, {TENSOR_FLOAT32, TENSOR_INT32}},
      {3, {TENSOR_INT32}, {TENSOR_INT32, TENSOR_INT32}},
      {3, {TENSOR_QUANT8_ASYMM}, {TENSOR_QUANT8_ASYMM, TENSOR_INT32}},
      {4, {TENSOR_QUANT8_ASYMM_SIGNED}, {TENSOR_QUANT8_ASYMM_SIGNED, TENSOR_INT32}},
  };
  static constexpr Rule kCount{"k", Stage::kExecution, "k is at most the last dimension"};
  static constexpr Rule kRules[] = {kCount};

  In input;
  int32_t k = 1;
  Out values, indices;

  template <class Walk>
  void Operands(Walk& w) {
    w.Tensor(input, "input", "[..., size]");
    w.Int(k, "k", kPositive);
    w.Output(values, "values", "[..., k], the greatest first");
    w.Output(indices, "indices", "[..., k]");
  }

  // Most often all elements are different, so that intervals leave little doubt.
  void Draw(Drawing& d) {
    Want want{};
    if (d.choices().Chance(2, 3)) {
      want.within = Range{-100, 100};
      want.kind = Fill::Kind::kDistinct;
      want.fresh = true;
    }
    d.Tensor(input, want);
    const uint32_t size = input.dims().back();
    k = static_cast<int32_t>(d.choices().Between(1, size));
    d.OutputLike(values, input);
    d.Output(indices, {0, static_cast<double>(size) - 1});
  }

  void CheckModel(Checker&) const {}
  void CheckExecution(Checker& check) const {
    if (!input.ranked() || input.rank() == 0) return;
    const Extent size = input.dim(input.rank() - 1);
    check.That(!size.known || k <= size.value, kCount, "k is ", k, ", the last dimension ", size.value);
  }
  std::vector<Result> Infer() const {
    Shape shape = input.shape();
    if (shape.ranked && !shape.dims.empty()) shape.dims.back() = static_cast<uint32_t>(k);
    return {{shape, input.quantization()}, {shape, Quantization{}}};
  }

  Allowance Allowed(size_t) const { return {.exact = true}; }

  template <class N>
  void Eval(Frame<N>& f) const {
    const View<const N>& in = f(input);
    const size_t size = in.dims->back(), count = static_cast<size_t>(k);
    for (size_t row = 0; row < in.size / size; ++row) {
      const std::span<const N> x(in.data + row * size, size);
      N* const best = f(values).data + row * count;
      N* const where = f(indices).data + row * count;
      const std::vector<Place> order = Sorted(x, [](const N& e) { return Nominal(e); });
      for (size_t j = 0; j < count; ++j) {
        best[j] = x[order[j].index];
        where[j] = N(static_cast<double>(order[j].index));
      }
      if constexpr (!Plain<N>) Widen(x, {best, count}, {where, count});
    }
  }

  template <class F>
  void Accept(Frame<Bounded<F>>& f, size_t output, std::span<const double> answer, std::span<Verdict> verdicts) const {
    const View<const Bounded<F>>& in = f(input);
    const size_t size = in.dims->back(), count = static_cast<size_t>(k);
    for (size_t row = 0; row < in.size / size; ++row) {
      const std::span<const Bounded<F>> x(in.data + row * size, size);
      const std::span<const double> given = answer.subspan(row * count, count);
      const std::span<Verdict> judged = verdicts.subspan(row * count, count);
      if (output == 0) {
        JudgeValues<F>(x, given, judged);
      } else {
        JudgeIndices<F>(x, given, judged);
      }
    }
  }

 private:
  struct Place {
    double value;
    size_t index;
    // Whether it comes before `other`. NaN is the greatest of all.
    bool Precedes(const Place& other) const {
      const bool nan = std::isnan(value), other_nan = std::isnan(other.value);
      if (nan != other_nan) return nan;
      return nan || value == other.value ? index > other.index : value > other.value;
    }
  };

  // The row in order, by one number of each element.
  template <class N, class Value>
  static std::vector<Place> Sorted(std::span<const N> x, Value value) {
    std::vector<Place> order(x.size());
    for (size_t i = 0; i < x.size(); ++i) order[i] = {value(x[i]), i};
    std::sort(order.begin(), order.end(), [](const Place& a, const Place& b) { return a.Precedes(b); });
    return order;
  }
  // How many of `order` come before `place`, which is not among those that do.
  static size_t CountBefore(const std::vector<Place>& order, const Place& place) {
    const auto at = std::partition_point(order.begin(), order.end(), [&](const Place& p) { return p.Precedes(place); });
    return static_cast<size_t>(at - order.begin());
  }
  // Nothing is known of the order of a row with such an element.
  template <class F>
  static bool IsOpen(std::span<const Bounded<F>> x) {
    return std::any_of(x.begin(), x.end(), [](const Bounded<F>& e) { return e.IsUnknown() || e.IsExactNan(); });
  }

  template <class F>
  static void Widen(std::span<const Bounded<F>> x, std::span<Bounded<F>> best, std::span<Bounded<F>> where) {
    const double last = static_cast<double>(x.size()) - 1;
    if (IsOpen(x)) {
      for (Bounded<F>& b : best) b = Bounded<F>::Unknown();
      for (Bounded<F>& w : where) w = {0, last, w.value};
      return;
    }
    const std::vector<Place> lows = Sorted(x, [](const auto& e) { return e.Lo(); });
    const std::vector<Place> highs = Sorted(x, [](const auto& e) { return e.Hi(); });
    for (size_t j = 0; j < best.size(); ++j) {
      const Bounded<F> hull{lows[j].value, highs[j].value, best[j].value};
      const bool is_one = hull.IsFinite() || hull.IsExactInfinity();
      best[j] = is_one ? hull : Bounded<F>::Unknown();
      where[j].lo = where[j].hi = where[j].value;
    }
    for (size_t i = 0; i < x.size(); ++i) {
      // Those that surely come before, and those that may.
      const size_t least = CountBefore(lows, {x[i].Hi(), i});
      size_t most = CountBefore(highs, {x[i].Lo(), i});
      const bool itself = Place{x[i].Hi(), i}.Precedes({x[i].Lo(), i});
      if (itself) --most;
      for (size_t j = least; j <= most && j < where.size(); ++j) {
        where[j].lo = std::min(where[j].lo, static_cast<double>(i));
        where[j].hi = std::max(where[j].hi, static_cast<double>(i));
      }
    }
  }

  template <class F>
  static void JudgeValues(std::span<const Bounded<F>> x, std::span<const double> answer, std::span<Verdict> verdicts) {
    std::fill(verdicts.begin(), verdicts.end(), Verdict::kUnknown);
    if (IsOpen(x)) return;
    const std::vector<Place> lows = Sorted(x, [](const auto& e) { return e.Lo(); });
    const std::vector<Place> highs = Sorted(x, [](const auto& e) { return e.Hi(); });
    for (size_t j = 0; j < answer.size(); ++j) {
      // Subnormal numbers may compare as zeros.
      const bool sorted = j == 0 || answer[j] <= answer[j - 1] || std::fabs(answer[j]) < F::kTiny;
      const bool inside = lows[j].value <= answer[j] && answer[j] <= highs[j].value;
      verdicts[j] = sorted && inside ? Verdict::kInside : Verdict::kOutside;
    }
  }

  template <class F>
  static void JudgeIndices(std::span<const Bounded<F>> x, std::span<const double> answer, std::span<Verdict> verdicts) {
    const bool open = IsOpen(x);
    const std::vector<Place> lows = Sorted(x, [](const auto& e) { return e.Lo(); });
    std::vector<bool> taken(x.size(), false);
    size_t first = 0;  // in `lows`, of those that are not taken
    for (size_t j = 0; j < answer.size(); ++j) {
      const bool whole =
          answer[j] >= 0 && answer[j] < static_cast<double>(x.size()) && answer[j] == std::floor(answer[j]);
      const size_t i = whole ? static_cast<size_t>(answer[j]) : 0;
      if (!whole || taken[i]) {
        verdicts[j] = Verdict::kOutside;
        continue;
      }
      taken[i] = true;
      while (first < lows.size() && taken[lows[first].index]) ++first;
      const bool late = first < lows.size() && lows[first].Precedes({x[i].Hi(), i});
      verdicts[j] = open ? Verdict::kUnknown : late ? Verdict::kOutside : Verdict::kInside;
    }
  }
};

}  // namespace

extern const OperationInfo kTopkV2;
constinit const OperationInfo kTopkV2 = Define<TopkV2, kTopkV2>(OperationCode::TOPK_V2, "TOPK_V2");

}  // namespace assay
