// The lines that every report begins with: which Assay, on what, against whom, with which options.
#pragma once
#include <string>
#include <vector>

#include "driver/device.h"

namespace assay {

// "0.1.0"
absl::string_view Version();
// The widest vector instructions of this processor that numeric/ could use: "avx512", "avx2", "sse4.2" or "baseline".
absl::string_view ProcessorIsa();

// A word as a shell reads it: quoted where that is needed.
std::string ShellWord(absl::string_view word);

// One fact a line, without line ends: "assay 0.1.0 (avx2)", "driver fast 0.1.0 (CPU, feature level 8)", "seed 7",
// "command assay fuzz ...". `command` may be empty.
std::vector<std::string> ReportHeader(const DeviceDescription* device, std::optional<uint64_t> seed,
                                      absl::string_view command);

}  // namespace assay
