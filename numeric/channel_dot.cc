// Depthwise sums of products.
#include <algorithm>

#include "numeric/bounded_sum.h"
#include "numeric/functions.h"
#include "numeric/sums.h"

namespace assay {
namespace {

// The sums of kBlock channels from `first` on.
template <size_t kBlock, Plain N>
void PlainChannelDot(std::span<const N* const> taps, const N* weights, size_t stride, size_t first, const N* bias,
                     N* out) {
  N sums[kBlock] = {};
  if (bias) std::copy_n(bias + first, kBlock, sums);
  for (size_t k = 0; k < taps.size(); ++k) {
    if (!taps[k]) continue;
    const N* tap = taps[k] + first;
    const N* w = weights + k * stride + first;
    for (size_t c = 0; c < kBlock; ++c) sums[c] += tap[c] * w[c];
  }
  std::copy_n(sums, kBlock, out + first);
}

template <class F>
void BoundedChannelDot(std::span<const Bounded<F>* const> taps, const Bounded<F>* weights, size_t stride,
                       size_t channels, const Bounded<F>* bias, Bounded<F>* out) {
  // Running sums of a block of channels stay in the cache while the taps are walked in the order of memory.
  constexpr size_t kBlock = 32;
  for (size_t first = 0; first < channels; first += kBlock) {
    const size_t count = std::min(kBlock, channels - first);
    ProductSum<F> sums[kBlock];
    for (size_t k = 0; k < taps.size(); ++k) {
      const Bounded<F>* w = weights + k * stride + first;
      if (!taps[k]) {  // zero times unknown is unknown
        for (size_t c = 0; c < count; ++c) sums[c].AddZero(w[c]);
        continue;
      }
      const Bounded<F>* tap = taps[k] + first;
      for (size_t c = 0; c < count; ++c) sums[c].Add(tap[c], w[c]);
    }
    for (size_t c = 0; c < count; ++c) {
      Totals totals = sums[c].ToTotals(taps.size());
      if (bias) totals.Add(bias[first + c]);
      out[first + c] = Finish<F>(totals, taps.size() + (bias ? 1 : 0));
    }
  }
}

}  // namespace

template <class N>
void ChannelDot(std::span<const std::type_identity_t<N>* const> taps, std::type_identity_t<const N*> weights,
                size_t stride, size_t channels, std::type_identity_t<const N*> bias, N* out) {
  if constexpr (Plain<N>) {
    // Blocks of a constant length are kept in registers and become vector instructions.
    constexpr size_t kBlock = 16;
    size_t c = 0;
    for (; c + kBlock <= channels; c += kBlock) PlainChannelDot<kBlock>(taps, weights, stride, c, bias, out);
    for (; c < channels; ++c) PlainChannelDot<1>(taps, weights, stride, c, bias, out);
  } else {
    BoundedChannelDot<typename N::Format>(taps, weights, stride, channels, bias, out);
  }
}

template void ChannelDot(std::span<const double* const>, const double*, size_t, size_t, const double*, double*);
template void ChannelDot(std::span<const float* const>, const float*, size_t, size_t, const float*, float*);
template void ChannelDot(std::span<const Bounded<Fp32>* const>, const Bounded<Fp32>*, size_t, size_t,
                         const Bounded<Fp32>*, Bounded<Fp32>*);
template void ChannelDot(std::span<const Bounded<Fp16>* const>, const Bounded<Fp16>*, size_t, size_t,
                         const Bounded<Fp16>*, Bounded<Fp16>*);

}  // namespace assay
