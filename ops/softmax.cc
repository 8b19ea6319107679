// SOFTMAX.
//
//   output_i = e^(beta * (x_i - m)) / sum_j e^(beta * (x_j - m)),  m = max_j x_j
//
// along one axis, the last if none is given. Quantized outputs have ONE legal quantization, 1/256 from 0: a probability
// of 1 saturates at 255/256. Android's validator does not look at it; its executor forces it on temporaries, and fails
// for a model output that declares another. Before feature level 3 the input has rank 2 or 4.
//
// The bound is direct: with z = beta * x, output_i = 1 / (1 + sum_{j != i} e^(z_j - z_i)) falls with every other z_j
// and rises with z_i, so its hull is taken at the ends. A naive division of intervals would count z_i twice.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "numeric/sums.h"
#include "numeric/ulps.h"
#include "ops/axis.h"
#include "ops/define.h"

namespace assay {
namespace {

// log(sum_{j != i} e^z_j) for every i, without overflow or cancellation: the greatest term is kept apart.
class LogSumOfOthers {
 public:
  explicit LogSumOfOthers(const std::vector<double>& z) : exps_(z.size()), z_(z) {
    top_ = static_cast<size_t>(std::max_element(z.begin(), z.end()) - z.begin());
    for (size_t j = 0; j < z.size(); ++j)
      if (j != top_) second_ = std::max(second_, z[j]);
    for (size_t j = 0; j < z.size(); ++j) exps_[j] = j == top_ ? 0 : std::exp(z[j] - second_);
    of_second_ = std::log(Sum(exps_.data(), exps_.size()));
    for (size_t j = 0; j < z.size(); ++j) exps_[j] = j == top_ ? 0 : std::exp(z[j] - z[top_]);
    rest_ = Sum(exps_.data(), exps_.size());
  }
  double operator()(size_t i) const {
    if (z_.size() == 1) return -std::numeric_limits<double>::infinity();
    if (i == top_) return second_ + of_second_;
    return z_[top_] + std::log1p(std::max(0.0, rest_ - exps_[i]));
  }

 private:
  std::vector<double> exps_;
  const std::vector<double>& z_;
  size_t top_ = 0;
  double second_ = -std::numeric_limits<double>::infinity(), of_second_ = 0, rest_ = 0;
};

// Bounded softmax, line by line.
template <class F>
class BoundedSoftmax {
 public:
  BoundedSoftmax(double beta, size_t size)
      : beta_(beta), least_(size), most_(size), nominal_(size), upper_(size), errors_(size), shares_(size) {}

  // Elements of both lines are `stride` apart.
  void Line(const Bounded<F>* x, Bounded<F>* out, size_t stride) {
    const size_t n = least_.size();
    bool finite = true;
    for (size_t i = 0; i < n; ++i) {
      const Bounded<F>& e = x[i * stride];
      finite &= e.IsFinite();
      least_[i] = beta_ * e.Lo(), most_[i] = beta_ * e.Hi(), nominal_[i] = beta_ * e.value;
    }
    if (!finite) {
      for (size_t i = 0; i < n; ++i) out[i * stride] = Bounded<F>::Unknown();
      return;
    }
    const double top = *std::max_element(most_.begin(), most_.end());
    const double bottom = *std::min_element(least_.begin(), least_.end());
    // For the rounding of our own doubles.
    const double room = 0x1p-48 * (4 + std::max(std::fabs(top), std::fabs(bottom)));
    const LogSumOfOthers others_least(least_), others_most(most_), others_nominal(nominal_);
    for (size_t i = 0; i < n; ++i) {
      upper_[i] = std::min(1.0, Logistic(most_[i] - others_least(i)) * (1 + room));
      errors_[i] = TermError(i, top);
    }
    const double sum_error = SumError();
    for (size_t i = 0; i < n; ++i) {
      const double lower = Logistic(least_[i] - others_most(i)) * (1 - room);
      const double value = std::clamp(Logistic(nominal_[i] - others_nominal(i)), lower, upper_[i]);
      const double quotient = sum_error < 1 ? (1 + errors_[i]) * (1 + kDivideError.relative * F::kUlp) / (1 - sum_error)
                                            : Bounded<F>::kInfinity;
      // A tiny numerator may be flushed, and a tiny result.
      const double rounding = upper_[i] * (quotient - 1) + 2 * F::kTiny;
      out[i * stride] = Bounded<F>::Enclose(lower, upper_[i], value, lower, upper_[i], rounding);
    }
  }

 private:
  // Most relative error of e^(z_i - m) on a device. The argument may be computed as beta * (x - m), beta held rounded,
  // or as beta * x - beta * m, where the rounding of beta * m is common to all terms.
  double TermError(size_t i, double top) const {
    const double argument = top - least_[i], product = std::max(std::fabs(least_[i]), std::fabs(most_[i]));
    return std::expm1(F::kUlp * (kExpError.relative + (kExpError.by_argument + 3) * argument + product));
  }
  // Most relative error of the sum: each term's by its share, then a summation in any order of terms that may have been
  // flushed. The sum is at least 1.
  double SumError() {
    const size_t n = shares_.size();
    for (size_t i = 0; i < n; ++i) shares_[i] = upper_[i] * errors_[i];
    const double of_terms = std::min(*std::max_element(errors_.begin(), errors_.end()), Sum(shares_.data(), n));
    const auto terms = static_cast<double>(n);
    return of_terms + (1 + of_terms) * (Gamma<F>(terms + 3) + terms * F::kTiny);
  }

  double beta_;
  std::vector<double> least_, most_, nominal_, upper_, errors_, shares_;
};

struct Softmax {
  static constexpr absl::string_view kProse =
      "Turns each line along an axis into probabilities: output_i = e^(beta * x_i) / sum_j e^(beta * x_j).";
  static constexpr Evaluation kEvaluation = Evaluation::kReal;
  using enum OperandType;
  static constexpr TypeRow kRows[] = {
      // since, {input}, {output}
      {1, {TENSOR_FLOAT32}, {TENSOR_FLOAT32}},
      {1, {TENSOR_QUANT8_ASYMM}, {TENSOR_QUANT8_ASYMM}},
      {3, {TENSOR_FLOAT16}, {TENSOR_FLOAT16}},
      {4, {TENSOR_QUANT8_ASYMM_SIGNED}, {TENSOR_QUANT8_ASYMM_SIGNED}},
  };
  static constexpr Rule kRank{"rank", Stage::kModel, "the input has rank at most 4"};
  static constexpr Rule kAxis{"axis", Stage::kExecution, "axis lies in [-rank, rank)"};
  static constexpr Rule kRules[] = {kRank, kAxis};
  static constexpr bool kAllowsEmpty = true;

  In input;
  Out output;
  double beta = 1;
  int32_t axis = -1;
  bool has_axis = false;

  template <class Walk>
  void Operands(Walk& w) {
    w.Tensor(input, "input", "of rank 1 to 4; 2 or 4 before feature level 3");
    w.Real(beta, "beta", kPositiveReal);
    if (w.More(has_axis)) w.Int(axis, "axis", kAnyInt);
    w.Output(output, "output", "of the input's shape");
  }

  void Draw(Drawing& d) {
    const bool old = d.level() < 3;
    const size_t rank = old ? d.choices().Pick({2, 4}) : 1;
    // A sum of a thousand terms means nothing in float16.
    const uint32_t most_dim = d.IsHalf(input.type()) ? std::min<uint32_t>(d.most_dim(), 64) : 0;
    d.Tensor(input, {.least_rank = rank, .most_rank = old ? rank : 4, .most_dim = most_dim});
    has_axis = has_axis && !old;
    axis = has_axis ? DrawAxis(d.choices(), input.dims()) : -1;
    d.OutputAs(output, FixedQuantization().value_or(Quantization{}), {0, 1, true});
  }

  FeatureLevel Level(FeatureLevel of_row) const {
    const bool old_rank = !input.ranked() || input.rank() == 2 || input.rank() == 4;
    return has_axis || !old_rank ? std::max(of_row, 3) : of_row;
  }

  void CheckModel(Checker& check) const { check.Rank(kRank, input, "input", 1, 4); }
  void CheckExecution(Checker& check) const {
    check.Rank(kRank, input, "input", 1, 4);
    CheckAxis(check, kAxis, axis, input);
  }

  std::optional<Quantization> FixedQuantization() const {
    if (!IsQuantized(output.type())) return std::nullopt;
    return Quantization{1.0f / 256, output.type() == TENSOR_QUANT8_ASYMM_SIGNED ? -128 : 0, nullptr};
  }
  std::vector<Result> Infer() const { return {{input.shape(), FixedQuantization()}}; }

  Lines SoftmaxLines() const { return LinesAlong(input.dims(), AxisIndex(axis, input.rank())); }
  size_t ScratchElements() const { return SoftmaxLines().size; }

  template <class N>
  void Eval(Frame<N>& f) const {
    const Lines lines = SoftmaxLines();
    const N* in = f(input).data;
    N* out = f(output).data;
    if (f(output).size == 0) return;
    if constexpr (!Plain<N>) {
      BoundedSoftmax<typename N::Format> softmax(beta, lines.size);
      lines.ForEach([&](size_t, size_t first) { softmax.Line(in + first, out + first, lines.inner); });
    } else {
      N* const exps = f.Scratch(lines.size).data();
      lines.ForEach([&](size_t, size_t first) {
        const N* x = in + first;
        N most = *x;
        for (size_t i = 1; i < lines.size; ++i) most = Max(most, x[i * lines.inner]);
        for (size_t i = 0; i < lines.size; ++i) exps[i] = Exp((x[i * lines.inner] - most) * N(beta));
        const N sum = Sum(exps, lines.size);
        for (size_t i = 0; i < lines.size; ++i) out[first + i * lines.inner] = exps[i] / sum;
      });
    }
  }
};

}  // namespace

extern const OperationInfo kSoftmax;
constinit const OperationInfo kSoftmax = Define<Softmax, kSoftmax>(OperationCode::SOFTMAX, "SOFTMAX");

}  // namespace assay
