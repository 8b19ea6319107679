// A caller's buffers, checked against the model and made tensors. Refuses to know plans and operations.
#pragma once
#include <deque>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "model/model.h"
#include "reference/memory.h"
#include "reference/prepared_model.h"

namespace assay {

// A checked input: its shape is known unless it is omitted.
struct BoundInput {
  bool omitted = false;
  Dims dims;
  const uint8_t* bytes = nullptr;  // aligned to the elements; null only if omitted
};

// What a request's buffers are; INVALID_ARGUMENT with place and both values where they do not fit the main subgraph.
class Request {
 public:
  absl::Status BindInputs(const Model& model, std::span<const InputBuffer> buffers, Memory& memory);
  // Merges the dims of model and request; inputs were bound before.
  absl::Status BindOutputs(const Model& model, std::span<const InputBuffer> inputs,
                           std::span<const OutputBuffer> buffers);

  const std::vector<BoundInput>& inputs() const { return inputs_; }
  const std::vector<Shape>& output_shapes() const { return output_shapes_; }

 private:
  absl::StatusOr<const uint8_t*> AlignedBytes(OperandType type, std::span<const uint8_t> bytes, Memory& memory);

  std::vector<BoundInput> inputs_;
  std::vector<Shape> output_shapes_;
  std::deque<Buffer> copies_;  // of inputs that are not aligned
};

// Whether an address can be used as elements of the type.
bool IsAligned(const uint8_t* bytes, OperandType type);

}  // namespace assay
