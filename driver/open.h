// Devices by name: built-in ones, jittered ones, planted faults, and shared libraries.
#pragma once
#include <functional>
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

// Whether a driver is asked for by the file of its shared library: a word with a slash, or ending in ".so".
bool IsLibraryPath(absl::string_view name_or_path);

// Opens a named device, or the driver in a shared library. Errors:
// InvalidArgument for an unknown name, with the nearest ones; for a faulty device whose fault its own witness does not
// show; NotFound and FailedPrecondition for libraries that cannot be used, with the reason.
absl::StatusOr<std::unique_ptr<Device>> OpenDevice(absl::string_view name_or_path);

// Opens the same device again with every call, for instance one for each thread.
using DeviceFactory = std::function<absl::StatusOr<std::unique_ptr<Device>>()>;

// The errors of OpenDevice for a named device; the search for graphs that show a planted fault is made here, once, and
// not by the factory. A shared library is not touched before the factory is called, which then tells what is wrong.
absl::StatusOr<DeviceFactory> MakeDeviceFactory(absl::string_view name_or_path);

}  // namespace assay
