#include "driver/open.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "driver/built_in.h"
#include "driver/faults.h"
#include "driver/jitter.h"

namespace assay {

std::vector<DeviceListing> ListDevices() {
  std::vector<DeviceListing> out = {{"reference", "the reference in double precision, each operation rounded once"},
                                    {"fast", "the reference in single precision"}};
  for (const JitterDescription& j : Jitters()) out.push_back({absl::StrCat("jitter:", j.name), j.sentence});
  for (const FaultDescription& f : Faults()) out.push_back({absl::StrCat("faulty:", f.name), f.sentence});
  return out;
}

absl::StatusOr<std::unique_ptr<Device>> OpenDevice(absl::string_view name) {
  if (name == "reference") return MakeBuiltIn({.name = "reference", .mode = Mode::kGolden});
  if (name == "fast") return MakeBuiltIn({.name = "fast", .mode = Mode::kFast});
  absl::string_view rest = name;
  if (absl::ConsumePrefix(&rest, "jitter:")) return OpenJittered(rest);
  if (absl::ConsumePrefix(&rest, "faulty:")) return OpenFaulty(rest);
  return absl::InvalidArgumentError(absl::StrCat("there is no driver \"", name, "\"; `assay drivers` lists them"));
}

}  // namespace assay
