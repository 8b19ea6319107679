// What a comparison found: how many elements are inside, outside or undecided, and which differ most. Knows tensors of
// elements; refuses to know where they came from.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "model/shape.h"
#include "model/types.h"
#include "numeric/settle.h"

namespace assay {

// One tensor whose elements are judged, in storage form.
struct StoredTensor {
  OperandType type = OperandType::TENSOR_FLOAT32;
  const Quantization* quantization = nullptr;
  const Dims* dims = nullptr;
};

// One element that is not as it must be.
struct Discrepancy {
  size_t index = 0;      // row-major
  std::string position;  // "[0, 2, 1]"
  std::string expected;  // as people read it: "0.25", "17 (0.25)"
  std::string got;
  std::string allowed;  // the interval or the criterion: "[0.2499, 0.2501]"
  double excess = 0;    // distance from what is allowed, in units of half its width (infinite if it has none)
};

// The verdict on one tensor. The default is the verdict on nothing: no element judged.
struct Account {
  size_t inside = 0, outside = 0, unknown = 0;
  std::vector<Discrepancy> worst;  // at most kMostShown, by excess, then by index
  std::string shape_mismatch;      // if not empty, the tensors cannot be compared element by element

  static constexpr size_t kMostShown = 8;
  size_t judged() const { return inside + outside; }
  // Nothing speaks against the driver. True too where all is unknown: ask AllUnknown.
  bool Passed() const { return outside == 0 && shape_mismatch.empty(); }
  bool AllUnknown() const { return judged() == 0 && unknown > 0; }

  void Add(Verdict verdict);
  // Keeps the discrepancy if it is among the worst so far.
  void Keep(Discrepancy discrepancy);
  // Several lines: counts, then element by element; every line starts with `indent`.
  std::string ToString(absl::string_view indent) const;
};

// "[0, 2, 1]" for row-major element `index` of a tensor with `dims`.
std::string PositionOf(const Dims& dims, size_t index);

}  // namespace assay
