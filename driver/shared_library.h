// Drivers from shared libraries: loads one that exports what assay_driver.h says, and makes it a Device. The one place
// that knows the C interface from Assay's side; refuses to know what a driver computes.
#pragma once
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "driver/device.h"

namespace assay {

// The driver in the library at `path`. A library stays loaded until the process ends: a driver may have threads of its
// own. Prepared models may outlive the device. Executions of one prepared model wait for each other unless the driver
// says that they need not.
// Errors begin with the path: NotFound if there is no such file; FailedPrecondition if it is no library, does not
// export `assay_driver`, gives null, has another ASSAY_DRIVER_ABI, or describes itself with what NNAPI does not define.
absl::StatusOr<std::unique_ptr<Device>> OpenSharedLibrary(const std::string& path);

}  // namespace assay
