// Depthwise sums of products.
#include <algorithm>

#include "numeric/bounded_sum.h"
#include "numeric/functions.h"
#include "numeric/sums.h"

namespace assay {
namespace {

template <class F>
void BoundedChannelDot(std::span<const Bounded<F>* const> taps, const Bounded<F>* weights, size_t stride,
                       size_t channels, const Bounded<F>* bias, Bounded<F>* out) {
  // Running sums of a block of channels stay in the cache while the taps are walked in the order of memory.
  constexpr size_t kBlock = 32;
  for (size_t first = 0; first < channels; first += kBlock) {
    const size_t count = std::min(kBlock, channels - first);
    Totals totals[kBlock];
    for (size_t k = 0; k < taps.size(); ++k) {
      const Bounded<F>* w = weights + k * stride + first;
      if (!taps[k]) {  // zero times unknown is unknown
        for (size_t c = 0; c < count; ++c) totals[c].unknown |= !w[c].IsFinite();
        continue;
      }
      const Bounded<F>* tap = taps[k] + first;
      for (size_t c = 0; c < count; ++c) totals[c].AddProduct(tap[c], w[c]);
    }
    for (size_t c = 0; c < count; ++c) {
      if (bias) totals[c].Add(bias[first + c]);
      out[first + c] = Finish<F>(totals[c], taps.size() + (bias ? 1 : 0));
    }
  }
}

}  // namespace

template <class N>
void ChannelDot(std::span<const std::type_identity_t<N>* const> taps, std::type_identity_t<const N*> weights,
                size_t stride, size_t channels, std::type_identity_t<const N*> bias, N* out) {
  if constexpr (Plain<N>) {
    if (bias)
      std::copy_n(bias, channels, out);
    else
      std::fill_n(out, channels, N(0));
    for (size_t k = 0; k < taps.size(); ++k) {
      if (!taps[k]) continue;
      const N* tap = taps[k];
      const N* w = weights + k * stride;
      for (size_t c = 0; c < channels; ++c) out[c] += tap[c] * w[c];
    }
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
