#include "reference/interval_tensor.h"

#include <algorithm>
#include <memory>

#include "absl/strings/str_cat.h"
#include "model/status.h"
#include "numeric/storage.h"
#include "reference/resolve.h"
#include "reference/status.h"

namespace assay {

absl::StatusOr<std::shared_ptr<Intervals>> Intervals::Unknown(size_t count, Memory& memory) {
  auto intervals = std::make_shared<Intervals>();
  if (count == 0) return intervals;
  ASSAY_ASSIGN_OR_RETURN(intervals->buffer_, memory.Allocate(uint64_t{count} * sizeof(Interval)));
  intervals->data_ = reinterpret_cast<Interval*>(intervals->buffer_.data());
  intervals->size_ = count;
  std::uninitialized_fill_n(intervals->data_, count, Interval::Unknown());
  return intervals;
}

absl::Status LoadElements(OperandType type, IntervalTensor& tensor, Memory& memory) {
  if (!tensor.exact || tensor.elements != nullptr || ElementSize(type) == 0) return absl::OkStatus();
  ASSAY_ASSIGN_OR_RETURN(tensor.elements, Intervals::Unknown(Count(tensor.shape.dims), memory));
  Load(type, tensor.quantization, tensor.shape.dims, tensor.bytes.data(), tensor.elements->span().data());
  return absl::OkStatus();
}

absl::Status MakeUnknown(OperandType type, IntervalTensor& tensor, Memory& memory) {
  tensor.exact = false;
  tensor.elements = nullptr;
  if (!tensor.shape.IsKnown()) return absl::OkStatus();
  if (!StorageBytes(type, tensor.shape.dims))
    return MakeStatus(ErrorStatus::GENERAL_FAILURE, absl::StrCat("a tensor is ", ToString(tensor.shape), " of ",
                                                                 NameOf(type), ": more than 2^32 - 1 bytes"));
  ASSAY_ASSIGN_OR_RETURN(tensor.elements, Intervals::Unknown(Count(tensor.shape.dims), memory));
  return absl::OkStatus();
}

std::optional<Bytes> PointBytes(OperandType type, const IntervalTensor& tensor) {
  if (tensor.elements == nullptr || ElementSize(type) == 0) return std::nullopt;
  const std::span<const Interval> elements = tensor.elements->span();
  if (!std::all_of(elements.begin(), elements.end(), [](const Interval& e) { return e.IsPoint(); }))
    return std::nullopt;
  std::vector<double> values;
  for (const Interval& e : elements) values.push_back(e.value);
  Bytes bytes(values.size() * ElementSize(type));
  Store(type, tensor.quantization, tensor.shape.dims, values.data(), bytes.data());
  return bytes;
}

}  // namespace assay
