// The matrix product. The only file of the project that knows Eigen.
#include <Eigen/Core>
#include <algorithm>
#include <optional>
#include <vector>

#include "model/status.h"
#include "numeric/bounded_sum.h"
#include "numeric/functions.h"
#include "numeric/sums.h"

namespace assay {
namespace {

using Index = Eigen::Index;
template <class N>
using Plane = Eigen::Matrix<N, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <Plain N>
auto View(Matrix<N> m) {
  using Element = std::conditional_t<std::is_const_v<N>, const Plane<std::remove_const_t<N>>, Plane<N>>;
  return Eigen::Map<Element, 0, Eigen::OuterStride<>>(m.data, static_cast<Index>(m.rows), static_cast<Index>(m.cols),
                                                      Eigen::OuterStride<>(static_cast<Index>(m.stride)));
}

template <Plain N>
void PlainDot(std::span<const Factors<N>> factors, const N* bias, Matrix<N> out) {
  for (size_t r = 0; r < out.rows; ++r) {
    if (bias)
      std::copy_n(bias, out.cols, out.Row(r));
    else
      std::fill_n(out.Row(r), out.cols, N(0));
  }
  for (const Factors<N>& f : factors)
    if (f.rows.cols != 0 && out.rows != 0 && out.cols != 0)
      View(out).noalias() += View(f.rows) * View(f.weights).transpose();
}

// What one side of a product is made of.
struct Kinds {
  bool points = true;         // every finite element is a point
  bool settled = true;        // every finite element is settled
  std::vector<char> unknown;  // for each row, whether it has an element that is not finite
};

template <class F>
Kinds KindsOf(Matrix<const Bounded<F>> m) {
  Kinds kinds;
  kinds.unknown.assign(m.rows, 0);
  for (size_t r = 0; r < m.rows; ++r)
    for (size_t c = 0; c < m.cols; ++c) {
      const Bounded<F>& x = m.Row(r)[c];
      if (!x.IsFinite()) {
        kinds.unknown[r] = 1;
      } else {
        kinds.points &= x.lo == x.hi && x.IsSettled();
        kinds.settled &= x.IsSettled();
      }
    }
  return kinds;
}

// One number of each element as a dense matrix; 0 where the element is not finite.
template <class F, class Part>
Plane<double> PlaneOf(Matrix<const Bounded<F>> m, Part part) {
  Plane<double> plane(static_cast<Index>(m.rows), static_cast<Index>(m.cols));
  double* to = plane.data();
  for (size_t r = 0; r < m.rows; ++r)
    for (size_t c = 0; c < m.cols; ++c) {
      const Bounded<F>& x = m.Row(r)[c];
      *to++ = x.IsFinite() ? part(x) : 0;
    }
  return plane;
}

double Middle(double lo, double hi) { return lo == hi ? lo : lo / 2 + hi / 2; }

// The sums of products of intervals with points.
template <class F>
class Block {
 public:
  // wide [m, k]: intervals; points [n, k]: points. The sums are [m, n].
  Block(Matrix<const Bounded<F>> wide, const Kinds& kinds, const Plane<double>& points, const Plane<double>& sizes)
      : hull_(
            wide, [](const Bounded<F>& x) { return HullOf(x); }, points, sizes, kinds.points) {
    if (!kinds.points) value_.noalias() = PlaneOf(wide, [](const auto& x) { return x.value; }) * points.transpose();
    const auto outer = [](const Bounded<F>& x) { return OuterOf(x); };
    if (!kinds.settled) outer_.emplace(wide, outer, points, sizes, false);
  }

  // The sum at (i, j) of `terms` products, with a bias if not null.
  Bounded<F> Result(Index i, Index j, bool unknown, size_t terms, const Bounded<F>* bias) const {
    Totals t;
    const double middle = hull_.middle(i, j), radius = hull_.Radius(i, j);
    const double size = std::max(hull_.size(i, j), outer_ ? outer_->size(i, j) : 0);
    t.unknown = unknown;
    // Terms of both signs are assumed: which they were is not known here.
    t.positive = t.negative = size > 0;
    t.size = size;
    t.value = value_.size() ? value_(i, j) : middle;
    // k products and sums in double, in any order, of the middles and of the radii.
    t.lost = size * (static_cast<double>(terms) + 4) * 0x1p-52;
    t.lo = middle - radius;
    t.hi = middle + radius;
    if (outer_) {
      // Both hulls are as uncertain as `lost` says.
      t.below = std::max(t.lo - (outer_->middle(i, j) - outer_->Radius(i, j)), 0.0) + 2 * t.lost;
      t.above = std::max(outer_->middle(i, j) + outer_->Radius(i, j) - t.hi, 0.0) + 2 * t.lost;
    }
    if (bias) t.Add(*bias);
    return Finish<F>(t, terms + (bias ? 1 : 0));
  }

 private:
  // Sums of intervals, each as a middle and a radius, and the sums of their magnitudes.
  struct Balls {
    template <class Bound>
    Balls(Matrix<const Bounded<F>> wide, Bound bound, const Plane<double>& points, const Plane<double>& sizes,
          bool only_points) {
      const auto middle_of = [bound](const auto& x) { return Middle(bound(x).lo, bound(x).hi); };
      const auto middles = PlaneOf(wide, middle_of);
      middle.noalias() = middles * points.transpose();
      size.noalias() = middles.cwiseAbs() * sizes.transpose();
      if (only_points) return;
      const auto radius_of = [&](const auto& x) {
        const double m = middle_of(x);
        return std::max(bound(x).hi - m, m - bound(x).lo);
      };
      radius.noalias() = PlaneOf(wide, radius_of) * sizes.transpose();
      size += radius;
    }
    double Radius(Index i, Index j) const { return radius.size() ? radius(i, j) : 0; }
    Plane<double> middle, size, radius;
  };

  Balls hull_;
  std::optional<Balls> outer_;  // of what a device may have, where that is more
  Plane<double> value_;
};

// One sum after the other: of any elements, and without copying.
template <class F>
void DirectDot(std::span<const Factors<Bounded<F>>> factors, size_t depth, const Bounded<F>* bias,
               Matrix<Bounded<F>> out) {
  for (size_t r = 0; r < out.rows; ++r)
    for (size_t c = 0; c < out.cols; ++c) {
      ProductSum<F> sum;
      for (const Factors<Bounded<F>>& f : factors) {
        const Bounded<F>* x = f.rows.Row(r);
        const Bounded<F>* w = f.weights.Row(c);
        for (size_t k = 0; k < f.rows.cols; ++k) sum.Add(x[k], w[k]);
      }
      Totals totals = sum.ToTotals(depth);
      if (bias) totals.Add(bias[c]);
      out.Row(r)[c] = Finish<F>(totals, depth + (bias ? 1 : 0));
    }
}

// By matrix products, where one side has only points.
template <class F>
void PlaneDot(Matrix<const Bounded<F>> rows, const Kinds& row_kinds, Matrix<const Bounded<F>> weights,
              const Kinds& weight_kinds, const Bounded<F>* bias, Matrix<Bounded<F>> out) {
  const size_t depth = rows.cols;
  const auto bias_at = [bias](size_t c) { return bias ? bias + c : nullptr; };
  const auto value = [](const auto& x) { return x.value; };
  const auto size = [](const auto& x) { return std::fabs(x.value); };
  const bool wide_weights = !weight_kinds.points;
  // Whatever is shared by all blocks of rows.
  Plane<double> weight_values, weight_sizes;
  if (!wide_weights) weight_values = PlaneOf(weights, value), weight_sizes = PlaneOf(weights, size);

  // Blocks bound the memory of the planes; wide weights would be split up again for each of them.
  const size_t at_once = wide_weights ? rows.rows : 128;
  for (size_t first = 0; first < rows.rows; first += at_once) {
    const Matrix<const Bounded<F>> some{rows.Row(first), std::min(at_once, rows.rows - first), depth, rows.stride};
    const Block<F> block = wide_weights ? Block<F>(weights, weight_kinds, PlaneOf(some, value), PlaneOf(some, size))
                                        : Block<F>(some, row_kinds, weight_values, weight_sizes);
    for (size_t r = 0; r < some.rows; ++r)
      for (size_t c = 0; c < weights.rows; ++c) {
        const bool unknown = row_kinds.unknown[first + r] != 0 || weight_kinds.unknown[c] != 0;
        const auto i = static_cast<Index>(r), j = static_cast<Index>(c);
        out.Row(first + r)[c] = block.Result(wide_weights ? j : i, wide_weights ? i : j, unknown, depth, bias_at(c));
      }
  }
}

// Matrices side by side: all rows of [first | second | ...].
template <class N>
std::vector<N> SideBySide(std::span<const Factors<N>> factors, Matrix<const N> Factors<N>::*side, size_t rows) {
  std::vector<N> out;
  for (size_t r = 0; r < rows; ++r)
    for (const Factors<N>& f : factors) out.insert(out.end(), (f.*side).Row(r), (f.*side).Row(r) + f.rows.cols);
  return out;
}

template <class F>
void BoundedDot(std::span<const Factors<Bounded<F>>> factors, size_t depth, const Bounded<F>* bias,
                Matrix<Bounded<F>> out) {
  // Few rows do not repay copying the weights; and the product of two intervals has no middle.
  constexpr size_t kFewRows = 2;
  if (out.rows <= kFewRows) return DirectDot<F>(factors, depth, bias, out);
  std::vector<Bounded<F>> all_rows, all_weights;
  Factors<Bounded<F>> all = factors.size() == 1 ? factors.front() : Factors<Bounded<F>>{};
  if (factors.size() != 1) {
    all_rows = SideBySide(factors, &Factors<Bounded<F>>::rows, out.rows);
    all_weights = SideBySide(factors, &Factors<Bounded<F>>::weights, out.cols);
    all = {{all_rows.data(), out.rows, depth, depth}, {all_weights.data(), out.cols, depth, depth}};
  }
  const Kinds row_kinds = KindsOf(all.rows), weight_kinds = KindsOf(all.weights);
  if (!row_kinds.points && !weight_kinds.points)
    DirectDot<F>(factors, depth, bias, out);
  else
    PlaneDot(all.rows, row_kinds, all.weights, weight_kinds, bias, out);
}

}  // namespace

template <class N>
void Dot(std::span<const std::type_identity_t<Factors<N>>> factors, std::type_identity_t<const N*> bias,
         Matrix<N> out) {
  size_t depth = 0;
  for (const Factors<N>& f : factors) {
    ASSAY_CHECK(f.rows.cols == f.weights.cols && out.rows == f.rows.rows && out.cols == f.weights.rows,
                "Dot: shapes differ");
    depth += f.rows.cols;
  }
  if constexpr (Plain<N>)
    PlainDot<N>(factors, bias, out);
  else
    BoundedDot<typename N::Format>(factors, depth, bias, out);
}

template <class N>
void Dot(std::type_identity_t<Matrix<const N>> rows, std::type_identity_t<Matrix<const N>> weights,
         std::type_identity_t<const N*> bias, Matrix<N> out) {
  const Factors<N> factors[] = {{rows, weights}};
  Dot<N>(factors, bias, out);
}

template void Dot(Matrix<const double>, Matrix<const double>, const double*, Matrix<double>);
template void Dot(Matrix<const float>, Matrix<const float>, const float*, Matrix<float>);
template void Dot(Matrix<const Bounded<Fp32>>, Matrix<const Bounded<Fp32>>, const Bounded<Fp32>*,
                  Matrix<Bounded<Fp32>>);
template void Dot(Matrix<const Bounded<Fp16>>, Matrix<const Bounded<Fp16>>, const Bounded<Fp16>*,
                  Matrix<Bounded<Fp16>>);
template void Dot(std::span<const Factors<double>>, const double*, Matrix<double>);
template void Dot(std::span<const Factors<float>>, const float*, Matrix<float>);
template void Dot(std::span<const Factors<Bounded<Fp32>>>, const Bounded<Fp32>*, Matrix<Bounded<Fp32>>);
template void Dot(std::span<const Factors<Bounded<Fp16>>>, const Bounded<Fp16>*, Matrix<Bounded<Fp16>>);

}  // namespace assay
