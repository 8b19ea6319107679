#include "ops/checker.h"

#include <algorithm>
#include <cmath>

namespace assay {

void Checker::Rank(const Rule& rule, const In& in, absl::string_view name, size_t least, size_t most) {
  if (!in.present() || !in.ranked()) return;
  That(in.rank() >= least && in.rank() <= most, rule, name, " has rank ", in.rank(), ", expected ",
       least == most ? absl::StrCat(least) : absl::StrCat(least, " to ", most));
}

void Checker::Same(const Rule& rule, absl::string_view a_name, Extent a, absl::string_view b_name, Extent b) {
  That(!a.known || !b.known || a.value == b.value, rule, a_name, " is ", a.value, ", ", b_name, " is ", b.value);
}

void Checker::AtLeast(const Rule& rule, absl::string_view name, Extent a, int64_t least) {
  That(!a.known || a.value >= least, rule, name, " is ", a.value, ", must be at least ", least);
}

void Checker::InRange(const Rule& rule, absl::string_view name, Extent a, int64_t least, int64_t most) {
  That(!a.known || (a.value >= least && a.value <= most), rule, name, " is ", a.value, ", must be in [", least, ", ",
       most, "]");
}

void Checker::SameQuantization(const Rule& rule, absl::string_view a_name, const In& a, absl::string_view b_name,
                               const In& b) {
  if (!IsQuantized(a.type()) || !IsQuantized(b.type())) return;
  const Quantization &p = a.quantization(), &q = b.quantization();
  That(p == q, rule, a_name, " has scale ", p.scale, " and zero point ", p.zero_point, ", ", b_name, " has ", q.scale,
       " and ", q.zero_point);
}

void Checker::BiasScale(const Rule& rule, const In& bias, const In& input, const In& weights) {
  if (bias.type() != OperandType::TENSOR_INT32) return;
  if (weights.quantization().per_channel) {
    That(bias.quantization().scale == 0, rule, "bias scale is ", bias.quantization().scale,
         ", must be 0: the filter has one scale for each channel");
    return;
  }
  const double product = double{input.quantization().scale} * double{weights.quantization().scale};
  const double scale = bias.quantization().scale;
  That(std::abs(scale - product) <= 1e-6 * std::min(scale, product), rule, "bias scale is ", scale,
       ", input scale * weights scale is ", product);
}

}  // namespace assay
