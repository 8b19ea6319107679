// Tensors of a bounded run: an interval for each element, shared by whoever reads them. Refuses to know operations.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "model/model.h"
#include "ops/operation.h"
#include "reference/memory.h"

namespace assay {

// Intervals in counted memory; never empty-handed: an address even for no elements.
class Intervals {
 public:
  // All unknown. Errors as of Memory::Allocate.
  static absl::StatusOr<std::shared_ptr<Intervals>> Unknown(size_t count, Memory& memory);
  std::span<Interval> span() { return {data_, size_}; }

 private:
  Buffer buffer_;
  Interval none_;
  Interval* data_ = &none_;
  size_t size_ = 0;
};

// What is known of a tensor. One of: omitted; `exact`, its stored bytes are at hand; `elements` known within bounds; or
// neither (lost), as far as `shape` is not known.
struct IntervalTensor {
  bool omitted = false;
  Shape shape;
  Quantization quantization;
  bool exact = false;
  std::span<const uint8_t> bytes;  // if exact; someone else's
  std::shared_ptr<Intervals> elements;

  bool lost() const { return !omitted && !exact && elements == nullptr; }
};

// Gives a tensor that is exact its elements. Does nothing to others.
absl::Status LoadElements(OperandType type, IntervalTensor& tensor, Memory& memory);
// Gives a tensor of known shape unknown elements; a tensor of unknown shape is lost.
absl::Status MakeUnknown(OperandType type, IntervalTensor& tensor, Memory& memory);
// The stored value of a tensor all of whose elements are points; nothing if one is not.
std::optional<Bytes> PointBytes(OperandType type, const IntervalTensor& tensor);

}  // namespace assay
