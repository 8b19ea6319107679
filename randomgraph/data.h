// The values of a fresh tensor: a drawn pattern and a drawn sub-seed, never a choice for each element.
// Refuses to know where the tensor goes. Only + - * / and square roots of doubles: the same bits on every compiler.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "choice/choices.h"
#include "model/model.h"
#include "ops/drawing.h"

namespace assay {

enum class Pattern : uint8_t {
  kEqual,     // all the same, 1 if that is well inside of the range (weights: such that a sum of them is a mean);
              // kDistinct: rising
  kRamp,      // rising evenly over the range, again and again, in 7 steps
  kSparse,    // as kRandom, but seven of eight are as kEqual says
  kEnds,      // the ends of the range alone
  kRandom,    // as Fill::kind says
  kDominant,  // weights only: one large tap in each sum, the others small
};

// All that is needed to make the values again.
struct Recipe {
  Fill fill;
  Pattern pattern = Pattern::kEqual;
  uint64_t sub_seed = 0;
  uint32_t channel_dim = 0;     // of weights: elements with the same index along it are summed
  bool special_values = false;  // sprinkle a float tensor with NaN, infinities, -0, subnormals and great numbers
};
Recipe DrawRecipe(Choices& choices, const Fill& fill);

// The greatest magnitude that a recipe gives, for quantization parameters that fit.
Range RangeOfRecipe(const Recipe& recipe);
// By how much an interval grows relative to its range in a sum with such weights (judging.md 4).
double GrowthOf(const Recipe& recipe);

// Elements in [fill.range.least, fill.range.most], row-major.
std::vector<double> ValuesOf(const Recipe& recipe, const Dims& dims);

// Stores numbers in a tensor of `type`: nearest, but inside of `range` wherever the type has a number there. Dithered
// (so that weights smaller than a step do not all vanish) if `dither` is given.
Bytes StoreValues(OperandType type, const Quantization& quantization, const Dims& dims, std::span<const double> values,
                  const Range& range, const uint64_t* dither = nullptr);
// The values of a recipe, stored.
Bytes BytesOf(const Recipe& recipe, OperandType type, const Quantization& quantization, const Dims& dims);

// Scales of a per-channel tensor for values in `range`: different ones, drawn from `sub_seed`; all equal if it is 0.
Quantization PerChannelScales(const Range& range, uint32_t channel_dim, uint32_t channels, uint64_t sub_seed);

}  // namespace assay
