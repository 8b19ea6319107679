// Conforming devices that err, each in another way inside the rules (judging.md 10): what a judge must never report.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "driver/device.h"

namespace assay {

struct JitterDescription {
  std::string name;  // without "jitter:"
  std::string sentence;
};
std::vector<JitterDescription> Jitters();

// The device "jitter:<name>"; NotFound for another name.
absl::StatusOr<std::unique_ptr<Device>> OpenJittered(absl::string_view name);

}  // namespace assay
