#include "ops/axis.h"

namespace assay {

void CheckAxis(Checker& check, const Rule& rule, int32_t axis, const In& in) {
  if (!in.ranked()) return;
  const auto rank = static_cast<int64_t>(in.rank());
  check.InRange(rule, "axis", axis, -rank, rank - 1);
}

size_t AxisIndex(int32_t axis, size_t rank) {
  return axis < 0 ? static_cast<size_t>(axis + static_cast<int64_t>(rank)) : static_cast<size_t>(axis);
}

int32_t DrawAxis(Choices& choices, const Dims& dims) {
  std::vector<size_t> axes;
  const bool any = choices.Chance(1, 8);
  for (size_t i = 0; i < dims.size(); ++i)
    if (any || dims[i] > 1) axes.push_back(i);
  const auto axis = static_cast<int32_t>(axes.empty() ? choices.Below(dims.size()) : choices.Pick(axes));
  return choices.Maybe() ? axis - static_cast<int32_t>(dims.size()) : axis;
}

Lines LinesAlong(const Dims& dims, size_t axis) {
  Lines lines;
  lines.size = dims[axis];
  for (size_t d = 0; d < axis; ++d) lines.outer *= dims[d];
  for (size_t d = axis + 1; d < dims.size(); ++d) lines.inner *= dims[d];
  return lines;
}

}  // namespace assay
