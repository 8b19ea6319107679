// What a user may ask of the random graphs. Refuses to know how they are drawn.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "model/model.h"

namespace assay {

// Whether the model allows float32 to be computed as float16.
enum class RelaxedPolicy : uint8_t { kNever, kSometimes, kAlways };

// Which tensors inside of the main graph become outputs, so that the judge sees them (judging.md 4).
enum class ExposePolicy : uint8_t {
  kNone,     // none: only what no operation reads
  kPlanned,  // where the predicted width of the judge's interval passes 25 % of the values' range, and some more
  kAll,      // all
};

struct Options {
  // Every drawn model is valid at this level.
  FeatureLevel feature_level = kHighestFeatureLevel;
  // The operations to draw; empty: all that the registry can draw. The drawn loops and branches of WHILE and IF take
  // what they need besides (LESS and ADD count a loop).
  std::vector<OperationCode> operations;
  // The types that tensors may have; empty: all. TENSOR_INT32 and TENSOR_QUANT8_SYMM_PER_CHANNEL are always allowed
  // where they are not an operation's first input (indices, biases, filters).
  std::vector<OperandType> types;
  // Of tensors that may come from anywhere; an operation that needs other ranks gets them.
  size_t least_rank = 1, most_rank = 4;
  // Of the main graph; a bound for the branches and bodies inside of it is 3.
  size_t least_operations = 1, most_operations = 10;
  uint32_t most_dim = 20;       // elements
  size_t most_elements = 2048;  // of one tensor
  RelaxedPolicy relaxed = RelaxedPolicy::kSometimes;
  bool control_flow = true;
  int control_flow_depth = 2;  // loops and branches inside of one another
  ExposePolicy expose = ExposePolicy::kPlanned;
  // Model inputs, temporaries and outputs may declare unknown dimensions or an unknown rank.
  bool dynamic_shapes = true;
  // Scalars and shape-deciding tensors may be model inputs; weights may be.
  bool late_values = true;
  // Float inputs hold NaN, infinities, -0, subnormals and the greatest numbers (judging.md 7): the special mode.
  bool special_values = false;
};

// InvalidArgument, with the option and its value, if nothing can be drawn like that.
absl::Status CheckOptions(const Options& options);

}  // namespace assay
