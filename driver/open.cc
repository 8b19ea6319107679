#include "driver/open.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "driver/built_in.h"

namespace assay {

std::vector<DeviceListing> ListDevices() {
  return {{"reference", "the reference in double precision, each operation rounded once"},
          {"fast", "the reference in single precision"}};
}

absl::StatusOr<std::unique_ptr<Device>> OpenDevice(absl::string_view name) {
  if (name == "reference") return MakeBuiltIn({.name = "reference", .mode = Mode::kGolden});
  if (name == "fast") return MakeBuiltIn({.name = "fast", .mode = Mode::kFast});
  return absl::InvalidArgumentError(absl::StrCat("there is no driver \"", name, "\"; `assay drivers` lists them"));
}

}  // namespace assay
