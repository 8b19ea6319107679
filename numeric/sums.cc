// Sums and means; products with weights are in dot.cc and channel_dot.cc.
#include "numeric/sums.h"

#include <algorithm>
#include <vector>

#include "model/status.h"
#include "numeric/bounded_sum.h"
#include "numeric/functions.h"

namespace assay {
namespace {

// Several running sums: short chains of additions are more exact, and faster.
constexpr size_t kLanes = 8;

template <Plain N, class Term>
N SumOf(const N* first, size_t count, ptrdiff_t stride, Term term) {
  N lanes[kLanes] = {};
  const N* p = first;
  size_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    for (N& lane : lanes) {
      lane += term(*p);
      p += stride;
    }
  for (N* lane = lanes; i < count; ++i, p += stride) *lane++ += term(*p);
  return ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) + ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7]));
}

template <class N>
constexpr bool kBounded = !Plain<N>;

template <class F>
Totals TotalsOf(const Bounded<F>* first, size_t count, ptrdiff_t stride) {
  Totals t;
  for (size_t i = 0; i < count; ++i) t.Add(first[static_cast<ptrdiff_t>(i) * stride]);
  return t;
}

template <class N>
void Pool(std::span<const N* const> taps, size_t divisor, size_t channels, N* out) {
  if constexpr (kBounded<N>) {
    const auto count = static_cast<size_t>(std::count_if(taps.begin(), taps.end(), [](const N* t) { return t; }));
    for (size_t c = 0; c < channels; ++c) {
      Totals t;
      for (const N* tap : taps)
        if (tap) t.Add(tap[c]);
      out[c] = Finish<typename N::Format>(t, count, static_cast<double>(divisor));
    }
  } else {
    std::fill_n(out, channels, N(0));
    for (const N* tap : taps)
      if (tap)
        for (size_t c = 0; c < channels; ++c) out[c] += tap[c];
    if (divisor != 1)
      for (size_t c = 0; c < channels; ++c) out[c] /= static_cast<N>(divisor);
  }
}

}  // namespace

template <class N>
N Sum(const N* first, size_t count, ptrdiff_t stride) {
  if constexpr (kBounded<N>)
    return Finish<typename N::Format>(TotalsOf(first, count, stride), count);
  else
    return SumOf(first, count, stride, [](N x) { return x; });
}

template <class N>
N Mean(const N* first, size_t count, ptrdiff_t stride) {
  ASSAY_CHECK(count > 0, "the mean of nothing");
  if constexpr (kBounded<N>)
    return Finish<typename N::Format>(TotalsOf(first, count, stride), count, static_cast<double>(count));
  else
    return Sum(first, count, stride) / static_cast<N>(count);
}

template <class N>
N SumOfSquares(const N* first, size_t count, ptrdiff_t stride) {
  if constexpr (kBounded<N>) {
    Totals t;
    for (size_t i = 0; i < count; ++i) t.AddSquare(first[static_cast<ptrdiff_t>(i) * stride]);
    return Finish<typename N::Format>(t, count);
  } else {
    return SumOf(first, count, stride, [](N x) { return x * x; });
  }
}

template <class N>
void ChannelSum(std::span<const std::type_identity_t<N>* const> taps, size_t channels, N* out) {
  Pool<N>(taps, 1, channels, out);
}

template <class N>
void ChannelMean(std::span<const std::type_identity_t<N>* const> taps, size_t divisor, size_t channels, N* out) {
  ASSAY_CHECK(divisor > 0, "a mean divided by zero");
  Pool<N>(taps, divisor, channels, out);
}

template double Sum(const double*, size_t, ptrdiff_t);
template float Sum(const float*, size_t, ptrdiff_t);
template Bounded<Fp32> Sum(const Bounded<Fp32>*, size_t, ptrdiff_t);
template Bounded<Fp16> Sum(const Bounded<Fp16>*, size_t, ptrdiff_t);
template double Mean(const double*, size_t, ptrdiff_t);
template float Mean(const float*, size_t, ptrdiff_t);
template Bounded<Fp32> Mean(const Bounded<Fp32>*, size_t, ptrdiff_t);
template Bounded<Fp16> Mean(const Bounded<Fp16>*, size_t, ptrdiff_t);
template double SumOfSquares(const double*, size_t, ptrdiff_t);
template float SumOfSquares(const float*, size_t, ptrdiff_t);
template Bounded<Fp32> SumOfSquares(const Bounded<Fp32>*, size_t, ptrdiff_t);
template Bounded<Fp16> SumOfSquares(const Bounded<Fp16>*, size_t, ptrdiff_t);
template void ChannelSum(std::span<const double* const>, size_t, double*);
template void ChannelSum(std::span<const float* const>, size_t, float*);
template void ChannelSum(std::span<const Bounded<Fp32>* const>, size_t, Bounded<Fp32>*);
template void ChannelSum(std::span<const Bounded<Fp16>* const>, size_t, Bounded<Fp16>*);
template void ChannelMean(std::span<const double* const>, size_t, size_t, double*);
template void ChannelMean(std::span<const float* const>, size_t, size_t, float*);
template void ChannelMean(std::span<const Bounded<Fp32>* const>, size_t, size_t, Bounded<Fp32>*);
template void ChannelMean(std::span<const Bounded<Fp16>* const>, size_t, size_t, Bounded<Fp16>*);

}  // namespace assay
