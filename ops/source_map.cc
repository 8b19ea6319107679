#include "ops/source_map.h"

namespace assay {

std::vector<size_t> StridesOf(const Dims& dims) {
  std::vector<size_t> strides(dims.size(), 1);
  for (size_t i = dims.size(); i-- > 1;) strides[i - 1] = strides[i] * dims[i];
  return strides;
}

bool SourceMap::IsRun(const Moves& line) {
  for (size_t k = 0; k < line.size(); ++k)
    if (line[k] == kNone || line[k] != line.front() + k) return false;
  return true;
}

size_t SourceMap::From(const std::vector<size_t>& at) const {
  size_t from = 0;
  for (size_t d = 0; d + 1 < dimensions_.size(); ++d) {
    const size_t move = dimensions_[d][at[d]];
    if (move == kNone) return kNone;
    from += move;
  }
  return from;
}

bool SourceMap::Next(std::vector<size_t>& at) const {
  for (size_t d = dimensions_.size() - 1; d-- > 0;) {
    if (++at[d] < dimensions_[d].size()) return true;
    at[d] = 0;
  }
  return false;
}

}  // namespace assay
