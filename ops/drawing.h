// How a family draws a random call of itself. The source of tensors is the random graph, behind this interface.
//
// A family's Draw(d) runs after DrawScalars has given every operand its row's type and drawn scalars, lists and what is
// omitted. It binds every tensor that is present by ONE of Tensor, Exactly, Weights, Bias, Like, Contents and Values,
// gives every output by one of Output, OutputLike and OutputAs, may overwrite scalars and the flags of optional groups
// (read d.level() first), and may make lists shorter or longer. It must end with a call that breaks no rule and whose
// results keep judging.md 7's limits, whatever the choices are; all choices 0 give the simplest such call.
//
// If the result is still too large, needs a later level than d.level(), or passes the limits of its type, the random
// graph drops the call. A call that breaks a rule is a fault of its family, and the shared tests report it.
#pragma once
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "choice/choices.h"
#include "ops/argument.h"
#include "ops/type_row.h"

namespace assay {

// An interval that most real values of a tensor lie in: a plan for drawing. If `sure`, all of them lie in it whatever a
// conforming driver answers (a TANH lies in [-1, 1]; of quantized tensors the codes' range is sure without saying so).
// The range given for a TENSOR_INT32 or TENSOR_BOOL8 output is taken as sure: it must be the hull.
struct Range {
  double least = -1, most = 1;
  bool sure = false;
  double magnitude() const { return std::max(std::abs(least), std::abs(most)); }
  double middle() const { return (least + most) / 2; }
  double half_width() const { return (most - least) / 2; }
};
// The hull of a + b and of a * b; sure if both are.
Range HullOfSum(const Range& a, const Range& b);
Range HullOfProduct(const Range& a, const Range& b);
// Where most of a + b lie if the two are independent: half widths add like standard deviations, so that deep quantized
// graphs go on using their codes. Never sure. For TENSOR_INT32 take the hull.
Range LikelySum(const Range& a, const Range& b);
// Where most sums of products of such values with Drawing::Weights, and a Drawing::Bias, lie: around 0.
Range LikelyWeightedSum(const Range& input);
// What a fused activation (code 0 to 3) leaves of `range`.
Range Activated(const Range& range, int32_t activation);

// How the values of a fresh tensor are drawn. All of them lie in `range`. Tensors of bools get 0 and 1 if the range
// holds both.
struct Fill {
  enum class Kind : uint8_t {
    kUniform,    // in [range.least, range.most]
    kNormal,     // around the middle, cut off at the ends
    kWeights,    // around 0 and inside of the range, scaled so that a sum of `fan_in` products keeps the magnitude of
                 // its other factor; half of the time with one dominant tap (judging.md 4: keeps intervals narrow)
    kIntegers,   // whole numbers in [least, most]
    kDistinct,   // spaced apart, in random order: no ties (as far as the type can tell so many apart)
    kAscending,  // like kDistinct, in rising order
  };
  Kind kind = Kind::kNormal;
  Range range;
  size_t fan_in = 1;
  // An existing tensor may be taken though its values are elsewhere. Otherwise it is taken only if they surely lie in
  // `range` (and never for kDistinct and kAscending). For summands and factors; not for divisors and indices.
  bool loose = false;
};

// What an operation asks of a tensor that may come from anywhere: an existing tensor, a fresh input, a constant.
struct Want {
  size_t least_rank = 1, most_rank = 4;
  // Values must surely lie in here (a divisor away from 0, a logarithm's argument); none = anything.
  std::optional<Range> within = std::nullopt;
  uint32_t most_dim = 0;  // 0 = the generator's limit
  bool nonempty = true;   // drawn tensors are never empty; kept for families that say so
  // How a fresh one is filled, if not by the generator's own taste (kNormal in a range of its choice).
  std::optional<Fill::Kind> kind = std::nullopt;
  // Never an existing tensor: the values must have the distribution `kind`, not only lie in `within`.
  bool fresh = false;
  uint32_t least_dim = 1;  // of every dimension
};

class Drawing {
 public:
  virtual ~Drawing() = default;
  virtual Choices& choices() = 0;
  virtual const TypeRow& row() const = 0;
  // The call must be legal at this level: leave out optional operands and relations that came later.
  virtual FeatureLevel level() const = 0;
  // TENSOR_FLOAT32 may be computed as float16: the limits of TENSOR_FLOAT16 hold for it (2^13, EXP arguments to 8).
  virtual bool relaxed() const = 0;
  bool IsHalf(OperandType type) const {
    return type == OperandType::TENSOR_FLOAT16 || (type == OperandType::TENSOR_FLOAT32 && relaxed());
  }
  // The largest dimension the user allows for, and the largest number of elements of one tensor.
  virtual uint32_t most_dim() const = 0;
  virtual size_t most_elements() const = 0;

  // Binds `in` (its type is already the row's) to a tensor that satisfies `want`; dims and quantization are known
  // after. Simplest: the tensor made last, so that graphs are connected.
  virtual void Tensor(In& in, const Want& want) = 0;
  // Binds `in` to a tensor of exactly these dims (never empty, at most most_elements() in all): a constant, a fresh
  // input or an existing tensor that fits. With `quantization`, exactly that one as well; otherwise quantized types get
  // one that fits `fill.range`.
  virtual void Exactly(In& in, Dims dims, const Fill& fill,
                       std::optional<Quantization> quantization = std::nullopt) = 0;
  // Weights: `Exactly` with Fill::kWeights, of which a sum takes all that have the same index along `channel_dim`;
  // per-channel types get scales along it.
  virtual void Weights(In& in, Dims dims, size_t fan_in, uint32_t channel_dim = 0) = 0;
  // A bias [size] for the two: scale and per-channel scale as NNAPI wants, magnitude a fraction of the sum's.
  virtual void Bias(In& bias, uint32_t size, const In& input, const In& weights) = 0;
  // A tensor with the same type, quantization and dims as `like`.
  virtual void Like(In& in, const In& like, const Fill& fill) = 0;
  // Exactly these real values, row-major (boxes, keys, ...), rounded to the type: a constant, sometimes a fresh input.
  // Without `quantization`, quantized types get one that fits them. Make bulk values from a Stream of choices().Seed().
  virtual void Contents(In& in, Dims dims, const std::vector<double>& values,
                        std::optional<Quantization> quantization = std::nullopt) = 0;
  virtual void Omit(In& in) = 0;
  // IntValues: a constant, sometimes a model input. `dims` if it is not the vector [elements.size()].
  virtual void Values(IntValues& values, std::vector<int32_t> elements, std::optional<Dims> dims = std::nullopt) = 0;

  // Where the real values of a tensor that was bound lie.
  virtual Range RangeOf(const In& in) const = 0;
  // Quantized outputs get parameters that fit `range` (snapped to a coarse grid), with a scale above `above_scale`
  // (MUL: the product of the input scales); floats remember the range. An Out that Draw() added to a list gets the
  // row's type here: give the outputs of a list in order.
  virtual void Output(Out& out, const Range& range, double above_scale = 0) = 0;
  // The output repeats the input's quantization and range (data movement, MAX_POOL_2D, ...).
  virtual void OutputLike(Out& out, const In& in) = 0;
  // Exactly this quantization (LOGISTIC: 1/256, 0).
  virtual void OutputAs(Out& out, const Quantization& quantization, const Range& range) = 0;
};

}  // namespace assay
