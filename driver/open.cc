#include "driver/open.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "driver/built_in.h"
#include "driver/faults.h"
#include "driver/jitter.h"
#include "driver/shared_library.h"
#include "model/nearest_name.h"
#include "model/status.h"

namespace assay {

std::vector<DeviceListing> ListDevices() {
  std::vector<DeviceListing> out = {{"reference", "the reference in double precision, each operation rounded once"},
                                    {"fast", "the reference in single precision"}};
  for (const JitterDescription& j : Jitters()) out.push_back({absl::StrCat("jitter:", j.name), j.sentence});
  for (const FaultDescription& f : Faults()) out.push_back({absl::StrCat("faulty:", f.name), f.sentence});
  return out;
}

bool IsLibraryPath(absl::string_view name) { return absl::StrContains(name, '/') || absl::EndsWith(name, ".so"); }

absl::StatusOr<std::unique_ptr<Device>> OpenDevice(absl::string_view name) {
  if (IsLibraryPath(name)) return OpenSharedLibrary(std::string(name));
  const std::vector<DeviceListing> listed = ListDevices();
  std::vector<absl::string_view> names;
  for (const DeviceListing& d : listed) names.push_back(d.name);
  if (std::find(names.begin(), names.end(), name) == names.end())
    return absl::InvalidArgumentError(absl::StrCat("there is no driver \"", name, "\"", DidYouMean(name, names),
                                                   " (`assay drivers` lists them all)"));
  if (name == "reference") return MakeBuiltIn({.name = "reference", .mode = Mode::kGolden});
  if (name == "fast") return MakeBuiltIn({.name = "fast", .mode = Mode::kFast});
  absl::string_view rest = name;
  return absl::ConsumePrefix(&rest, "jitter:") ? OpenJittered(rest) : OpenFaulty(absl::StripPrefix(name, "faulty:"));
}

absl::StatusOr<DeviceFactory> MakeDeviceFactory(absl::string_view name_or_path) {
  const std::string name(name_or_path);
  const DeviceFactory open = [name] { return OpenDevice(name); };
  if (IsLibraryPath(name)) return open;
  ASSAY_RETURN_IF_ERROR(open().status());
  absl::string_view fault = name;
  if (!absl::ConsumePrefix(&fault, "faulty:")) return open;
  return DeviceFactory([fault = std::string(fault)] { return OpenProvenFaulty(fault); });
}

}  // namespace assay
