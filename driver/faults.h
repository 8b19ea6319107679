// Devices with ONE planted fault each: what a fuzzer must find. All of them are `fast` with a few lines of
// interference.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "driver/device.h"

namespace assay {

struct FaultDescription {
  std::string name;                       // without "faulty:"
  std::string sentence;                   // what is wrong, and when it shows
  std::vector<OperationCode> operations;  // those that can show it; empty: any
};
// In the order of the table, which is by kind.
std::vector<FaultDescription> Faults();

// The device "faulty:<name>". NotFound for a name that is not in the table; FailedPrecondition if no drawn call of its
// operations shows the fault to the reference's bounds: it would stay inside of what a conforming driver may answer.
absl::StatusOr<std::unique_ptr<Device>> OpenFaulty(absl::string_view name);

// The same without looking for a graph that shows the fault: for one that OpenFaulty has opened before.
absl::StatusOr<std::unique_ptr<Device>> OpenProvenFaulty(absl::string_view name);

}  // namespace assay
