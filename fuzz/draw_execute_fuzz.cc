// Bytes -> a drawn model -> validated -> executed in golden and fast mode -> the fast answer judged by the bounds. What
// is drawn is valid, valid models execute, and the fast answer conforms: anything else stops the fuzzer.
#include <cstddef>
#include <cstdint>
#include <span>

#include "campaign/attempt.h"
#include "driver/open.h"
#include "model/status.h"
#include "randomgraph/graph.h"
#include "validate/model.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace assay;
  static const std::unique_ptr<Device> device = *OpenDevice("fast");
  const Options options{.most_operations = 6, .most_dim = 6, .most_elements = 256};
  Choices choices = Choices::FromBytes(std::span(data, size));
  const DrawnModel drawn = Draw(choices, options);
  const Violations violations = ValidateModel(drawn.model);
  ASSAY_CHECK(violations.empty(), ToString(violations.front()));
  const Attempt attempt = TryOn(*device, drawn.model, drawn.example.inputs, {.executions = 1});
  ASSAY_CHECK(attempt.verdict == AttemptVerdict::kPassed || attempt.verdict == AttemptVerdict::kAllUnknown,
              attempt.reason);
  return 0;
}
