// Sums and sums of products, for every numeric domain. The only place where numbers are accumulated: for the bounded
// domains the result holds for ANY order of summation on the device, fused multiply-add or not. Knows no operation.
//
// Bounded: [lo, hi] is the true hull of the exact sum, and
//   below = gamma(n + 3) * (sum of the magnitudes of the device's terms) + n * kTiny + the terms' own below,
//   gamma(k) = k u / (1 - k u), u = F::kUlp
// for n terms, a bias counted; the + 3 leaves room for a division, a folded scale or a folded bias. The result is
// unknown where (n + 3) u >= 1, where the sum of magnitudes passes F::kMax (a partial sum might overflow), or where a
// term is not finite: unknown absorbs, also when it is multiplied by zero. A sum of exact zeros is an exact zero.
#pragma once
#include <cstddef>
#include <span>
#include <type_traits>

#include "numeric/bounded.h"

namespace assay {

// A row-major matrix in someone else's memory; consecutive rows are `stride` elements apart.
template <class N>
struct Matrix {
  N* data = nullptr;
  size_t rows = 0, cols = 0, stride = 0;

  N* Row(size_t r) const { return data + r * stride; }
  operator Matrix<const N>() const { return {data, rows, cols, stride}; }  // NOLINT: implicit on purpose
};

// out[r][c] = bias[c] + sum_k rows[r][k] * weights[c][k]. rows [r, k], weights [c, k], out [r, c]; bias has c elements
// or is null. k may be 0. `out` overlaps none of the others.
template <class N>
void Dot(std::type_identity_t<Matrix<const N>> rows, std::type_identity_t<Matrix<const N>> weights,
         std::type_identity_t<const N*> bias, Matrix<N> out);

// One sum of the products of several pairs of matrices (a recurrent cell's input and state, each with its weights):
// out[r][c] = bias[c] + sum over all pairs and k of rows[r][k] * weights[c][k].
template <class N>
struct Factors {
  Matrix<const N> rows, weights;
};
template <class N>
void Dot(std::span<const std::type_identity_t<Factors<N>>> factors, std::type_identity_t<const N*> bias, Matrix<N> out);

// A depthwise convolution at one position: out[c] = bias[c] + sum_k taps[k][c] * weights[k * stride + c], for
// c < channels. A null tap is a row of zeros; a null bias is zero.
template <class N>
void ChannelDot(std::span<const std::type_identity_t<N>* const> taps, std::type_identity_t<const N*> weights,
                size_t stride, size_t channels, std::type_identity_t<const N*> bias, N* out);

// Pooling at one position: out[c] = sum_k taps[k][c], or that divided by `divisor` > 0. A null tap is skipped.
template <class N>
void ChannelSum(std::span<const std::type_identity_t<N>* const> taps, size_t channels, N* out);
template <class N>
void ChannelMean(std::span<const std::type_identity_t<N>* const> taps, size_t divisor, size_t channels, N* out);

// Of the elements first[0], first[stride], ..., first[(count - 1) * stride]. Sum and SumOfSquares of none are 0;
// Mean needs count > 0.
template <class N>
N Sum(const N* first, size_t count, ptrdiff_t stride = 1);
template <class N>
N Mean(const N* first, size_t count, ptrdiff_t stride = 1);
template <class N>
N SumOfSquares(const N* first, size_t count, ptrdiff_t stride = 1);

// How far k roundings to F may lead, relative to the sum of magnitudes; infinite when k * u >= 1.
template <class F>
constexpr double Gamma(double k) {
  return k * F::kUlp < 1 ? k * F::kUlp / (1 - k * F::kUlp) : Bounded<F>::kInfinity;
}

}  // namespace assay
