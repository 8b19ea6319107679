// How a jittered device is written down. Included by the files of jitters only.
//
// Only the ChoosingJitters ask the families for the bounds that they judge by: they test how bounds are carried through
// a graph. All others compute on their own, so that they can find a bound wrong.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "driver/built_in.h"
#include "driver/jitter.h"
#include "reference/hooks.h"

namespace assay {

struct Jitter {
  JitterDescription description;
  std::function<std::shared_ptr<const ExecutionHooks>(const Model&)> hooks;
  bool float16_sums_in_float32 = false;  // declared
};

std::vector<Jitter> ChoosingJitters();  // somewhere inside of what the family's own bounds allow
std::vector<Jitter> CarryingJitters();  // a consumer reads something else than what its producer stored
std::vector<Jitter> Float16Jitters();   // operands and sums in float16
std::vector<Jitter> FlushingJitters();  // subnormal numbers

// A number in [0, 1) that depends on the place and the element alone; another one for another `salt`.
double Hash(const OperationPlace& place, size_t output, size_t element, uint64_t salt = 0);

// Does the operation compute with real numbers? Not those that move elements, in every call or in some: CONCATENATION
// and CAST.
bool Computes(OperationCode code);

}  // namespace assay
