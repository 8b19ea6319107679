#include "reference/request.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "model/status.h"
#include "reference/resolve.h"
#include "reference/status.h"

namespace assay {
namespace {

template <class... Message>
absl::Status Invalid(const Message&... message) {
  return MakeStatus(ErrorStatus::INVALID_ARGUMENT, absl::StrCat(message...));
}

absl::StatusOr<Shape> Completed(const Operand& operand, const Dims& dims, absl::string_view what, size_t index) {
  if (dims.empty()) return operand.shape();
  if (IsScalar(operand.type)) return Invalid(what, " ", index, " is a scalar, the request has ", ToString(dims));
  const std::optional<Shape> merged = Merge(operand.shape(), Shape::FromModel(dims, false));
  if (!merged)
    return Invalid(what, " ", index, " is ", ToString(operand.shape()), " in the model, ", ToString(dims),
                   " in the request");
  return *merged;
}

struct Range {
  const uint8_t *begin, *end;
  absl::string_view what;
  size_t index;
};

// Whether an output shares bytes with another buffer. Ranges are sorted by their begin; `end` of the two that reach
// furthest so far: any, and an output.
absl::Status CheckOverlaps(std::span<const InputBuffer> inputs, std::span<const OutputBuffer> outputs) {
  std::vector<Range> ranges;
  const auto add = [&](std::span<const uint8_t> bytes, absl::string_view what, size_t index) {
    if (!bytes.empty()) ranges.push_back({bytes.data(), bytes.data() + bytes.size(), what, index});
  };
  for (size_t i = 0; i < inputs.size(); ++i)
    if (!inputs[i].omitted) add(inputs[i].bytes, "input", i);
  for (size_t i = 0; i < outputs.size(); ++i) add(outputs[i].bytes, "output", i);
  std::stable_sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
  const Range *any = nullptr, *output = nullptr;
  for (const Range& range : ranges) {
    const bool is_output = range.what == "output";
    const Range* before = is_output ? any : output;
    if (before != nullptr && range.begin < before->end)
      return Invalid("the buffers of ", before->what, " ", before->index, " and ", range.what, " ", range.index,
                     " overlap");
    if (any == nullptr || range.end > any->end) any = &range;
    if (is_output && (output == nullptr || range.end > output->end)) output = &range;
  }
  return absl::OkStatus();
}

}  // namespace

bool IsAligned(const uint8_t* bytes, OperandType type) {
  const size_t size = ElementSize(type);
  return size <= 1 || reinterpret_cast<uintptr_t>(bytes) % size == 0;
}

absl::Status Request::BindInputs(const Model& model, std::span<const InputBuffer> buffers, Memory& memory) {
  const Subgraph& main = model.main();
  if (buffers.size() != main.inputs.size())
    return Invalid("the request has ", buffers.size(), " inputs, the model ", main.inputs.size());
  for (size_t i = 0; i < buffers.size(); ++i) {
    const InputBuffer& buffer = buffers[i];
    const Operand& operand = main.operands[main.inputs[i]];
    BoundInput& input = inputs_.emplace_back();
    input.omitted = buffer.omitted;
    if (input.omitted) continue;
    ASSAY_ASSIGN_OR_RETURN(Shape shape, Completed(operand, buffer.dims, "input", i));
    if (!shape.IsKnown()) return Invalid("input ", i, " is ", ToString(shape), ": its dimensions must be known");
    const std::optional<uint32_t> bytes = StorageBytes(operand.type, shape.dims);
    if (!bytes || *bytes != buffer.bytes.size() || (*bytes != 0 && buffer.bytes.data() == nullptr))
      return Invalid("input ", i, " has ", buffer.bytes.size(), " bytes, ", ToString(shape), " of ",
                     NameOf(operand.type), " takes ", bytes ? absl::StrCat(*bytes) : "more than 2^32 - 1");
    input.dims = std::move(shape.dims);
    ASSAY_ASSIGN_OR_RETURN(input.bytes, AlignedBytes(operand.type, buffer.bytes, memory));
  }
  return absl::OkStatus();
}

absl::StatusOr<const uint8_t*> Request::AlignedBytes(OperandType type, std::span<const uint8_t> bytes, Memory& memory) {
  if (IsAligned(bytes.data(), type)) return bytes.data();
  ASSAY_ASSIGN_OR_RETURN(Buffer copy, memory.Allocate(bytes.size()));
  std::memcpy(copy.data(), bytes.data(), bytes.size());
  return copies_.emplace_back(std::move(copy)).data();
}

absl::Status Request::BindOutputs(const Model& model, std::span<const InputBuffer> inputs,
                                  std::span<const OutputBuffer> buffers) {
  const Subgraph& main = model.main();
  if (buffers.size() != main.outputs.size())
    return Invalid("the request has ", buffers.size(), " outputs, the model ", main.outputs.size());
  for (size_t i = 0; i < buffers.size(); ++i) {
    ASSAY_ASSIGN_OR_RETURN(Shape shape, Completed(main.operands[main.outputs[i]], buffers[i].dims, "output", i));
    output_shapes_.push_back(std::move(shape));
  }
  return CheckOverlaps(inputs, buffers);
}

}  // namespace assay
