#include "campaign/header.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"

namespace assay {

absl::string_view Version() { return ASSAY_VERSION; }

absl::string_view ProcessorIsa() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return "avx512";
  if (__builtin_cpu_supports("avx2")) return "avx2";
  if (__builtin_cpu_supports("sse4.2")) return "sse4.2";
#endif
  return "baseline";
}

std::string ShellWord(absl::string_view word) {
  const auto is_plain = [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
           absl::string_view("_-+=.,:/@%").find(c) != absl::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return std::string(word);
  return absl::StrCat("'", absl::StrReplaceAll(word, {{"'", "'\\''"}}), "'");
}

std::vector<std::string> ReportHeader(const DeviceDescription* device, std::optional<uint64_t> seed,
                                      absl::string_view command) {
  std::vector<std::string> out = {absl::StrCat("assay ", Version(), " (", ProcessorIsa(), ")")};
  if (device != nullptr)
    out.push_back(absl::StrCat("driver ", device->name, " ", device->version, " (", NameOf(device->type),
                               ", feature level ", device->feature_level, ")"));
  if (seed) out.push_back(absl::StrCat("seed ", *seed));
  if (!command.empty()) out.push_back(absl::StrCat("command ", command));
  return out;
}

}  // namespace assay
