#include "driver/jitter.h"

#include "absl/strings/str_cat.h"
#include "driver/jitter_table.h"

namespace assay {
namespace {

std::vector<Jitter> AllJitters() {
  std::vector<Jitter> all;
  for (std::vector<Jitter> list : {ChoosingJitters(), CarryingJitters(), Float16Jitters(), FlushingJitters()})
    std::move(list.begin(), list.end(), std::back_inserter(all));
  return all;
}

}  // namespace

std::vector<JitterDescription> Jitters() {
  std::vector<JitterDescription> out;
  for (Jitter& j : AllJitters()) out.push_back(std::move(j.description));
  return out;
}

absl::StatusOr<std::unique_ptr<Device>> OpenJittered(absl::string_view name) {
  for (Jitter& j : AllJitters()) {
    if (j.description.name != name) continue;
    return MakeBuiltIn({.name = absl::StrCat("jitter:", name),
                        .mode = Mode::kFast,
                        .hooks_for = std::move(j.hooks),
                        .float16_sums_in_float32 = j.float16_sums_in_float32});
  }
  return absl::NotFoundError(absl::StrCat("there is no jittered device \"", name, "\"; `assay drivers` lists them"));
}

}  // namespace assay
