// How a family draws a random call of itself. The source of tensors is the random graph, behind this interface.
#pragma once
#include <optional>
#include <vector>

#include "choice/choices.h"
#include "ops/argument.h"
#include "ops/type_row.h"

namespace assay {

// An interval that most real values of a tensor lie in; a plan for drawing, not a proof.
struct Range {
  double least = -1, most = 1;
  double magnitude() const { return std::max(std::abs(least), std::abs(most)); }
};

// How the values of a fresh tensor are drawn.
struct Fill {
  enum class Kind : uint8_t {
    kUniform,   // in [range.least, range.most]
    kNormal,    // around the middle, cut off at the ends
    kWeights,   // like kNormal, scaled so that a sum of `fan_in` products keeps the magnitude of its other factor;
                // half of the time with one dominant tap (judging.md 4: keeps intervals narrow)
    kIntegers,  // whole numbers in [least, most]
    kDistinct,  // spaced apart, in random order: no ties
  };
  Kind kind = Kind::kNormal;
  Range range;
  size_t fan_in = 1;
};

// What an operation asks of a tensor that may come from anywhere: an existing tensor, a fresh input, a constant.
struct Want {
  size_t least_rank = 1, most_rank = 4;
  // Values must surely lie in here (a divisor away from 0, a logarithm's argument); none = anything.
  std::optional<Range> within = std::nullopt;
  uint32_t most_dim = 0;  // 0 = the generator's limit
  bool nonempty = true;
};

class Drawing {
 public:
  virtual ~Drawing() = default;
  virtual Choices& choices() = 0;
  virtual const TypeRow& row() const = 0;
  // The largest dimension the user allows for, and the largest number of elements of one tensor.
  virtual uint32_t most_dim() const = 0;
  virtual size_t most_elements() const = 0;

  // Binds `in` (its type is already the row's) to a tensor that satisfies `want`; dims and quantization are known
  // after.
  virtual void Tensor(In& in, const Want& want) = 0;
  // Binds `in` to a tensor of exactly these dims: a constant, a fresh input or an existing tensor that fits. With
  // `quantization`, exactly that one as well; otherwise quantized types get one that fits `fill.range`.
  virtual void Exactly(In& in, Dims dims, const Fill& fill,
                       std::optional<Quantization> quantization = std::nullopt) = 0;
  // Weights: `Exactly` with Fill::kWeights; per-channel types get scales along `channel_dim`.
  virtual void Weights(In& in, Dims dims, size_t fan_in, uint32_t channel_dim = 0) = 0;
  // A bias [size] for the two: scale and per-channel scale as NNAPI wants, magnitude a fraction of the sum's.
  virtual void Bias(In& bias, uint32_t size, const In& input, const In& weights) = 0;
  // A tensor with the same type, quantization and dims as `like`.
  virtual void Like(In& in, const In& like, const Fill& fill) = 0;
  virtual void Omit(In& in) = 0;
  // IntValues: a constant, sometimes a model input.
  virtual void Values(IntValues& values, std::vector<int32_t> elements) = 0;

  // Where the real values of a tensor that was bound lie.
  virtual Range RangeOf(const In& in) const = 0;
  // Quantized outputs get parameters that fit `range` (snapped to a coarse grid); floats remember it.
  virtual void Output(Out& out, const Range& range) = 0;
  // The output repeats the input's quantization (data movement, MAX_POOL_2D, ...).
  virtual void OutputLike(Out& out, const In& in) = 0;
  // Exactly this quantization (LOGISTIC: 1/256, 0).
  virtual void OutputAs(Out& out, const Quantization& quantization, const Range& range) = 0;
};

}  // namespace assay
