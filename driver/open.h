// Devices by name: built-in ones, jittered ones, planted faults, and shared libraries.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "driver/device.h"

namespace assay {

// A device that is named, not loaded from a file.
struct DeviceListing {
  std::string name;      // "fast", "jitter:edge", "faulty:bias_dropped"
  std::string sentence;  // what it does
};
// In the order in which people should read them.
std::vector<DeviceListing> ListDevices();

// Opens a named device, or the driver in a shared library (a word with a slash or ending in ".so"). Errors:
// InvalidArgument for an unknown name, with the nearest ones; for a faulty device whose fault its own witness does not
// show; NotFound and FailedPrecondition for libraries that cannot be used, with the reason.
absl::StatusOr<std::unique_ptr<Device>> OpenDevice(absl::string_view name_or_path);

}  // namespace assay
