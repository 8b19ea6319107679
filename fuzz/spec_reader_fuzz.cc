// libFuzzer: the spec reader on any bytes. What it accepts is written, read again and must be the same; a drawing of it
// must not break either. Begin with the corpus tests/data/specs.
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "model/status.h"
#include "spec_dumps/dot.h"
#include "spec_dumps/reader.h"
#include "spec_dumps/writer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using assay::SpecFile;
  const absl::string_view text(reinterpret_cast<const char*>(data), size);
  const absl::StatusOr<SpecFile> file = assay::ReadSpec(text, "input");
  if (!file.ok()) {
    ASSAY_CHECK(absl::StartsWith(file.status().message(), "input:"), file.status().message());
    return 0;
  }
  const std::string written = assay::WriteSpec(*file);
  const absl::StatusOr<SpecFile> again = assay::ReadSpec(written, "written");
  ASSAY_CHECK(again.ok(), absl::StrCat(again.status().message(), "\n", written));
  ASSAY_CHECK(assay::WriteSpec(*again) == written, written);
  // A NaN as scale or tolerance is not equal to itself.
  ASSAY_CHECK(*again == *file || absl::StrContains(text, "nan"), written);
  for (const assay::SpecCase& spec_case : file->cases) {
    ASSAY_CHECK(!assay::WriteDot(spec_case.test.model).empty());
  }
  return 0;
}
