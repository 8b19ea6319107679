// assay dot: models as graphs for Graphviz.
#include "spec_dumps/dot.h"

#include <cstdio>
#include <filesystem>

#include "absl/strings/str_cat.h"
#include "assay/command.h"
#include "assay/words.h"
#include "campaign/finding_files.h"
#include "spec_dumps/reader.h"

namespace assay {

int Dot(const DotCommand& command) {
  const auto file = ReadSpecFile(command.file);
  if (!file.ok()) return Complain(file.status(), kWrongUse);
  if (command.out.empty()) {
    if (file->cases.empty())
      return Complain(absl::NotFoundError(absl::StrCat(command.file, ": there is no model in it")), kWrongUse);
    if (file->cases.size() > 1)
      std::fprintf(stderr, "assay: %zu models, this is the first; --out FOLDER writes all\n", file->cases.size());
    std::fputs(WriteDot(file->cases.front().test.model).c_str(), stdout);
    return kGood;
  }
  std::error_code error;
  std::filesystem::create_directories(command.out, error);
  for (const SpecCase& spec : file->cases) {
    const std::string path = absl::StrCat(command.out, "/", FolderNameOf(spec.test.model.main().name), ".dot");
    const absl::Status status = WriteFileAtomically(path, WriteDot(spec.test.model));
    if (!status.ok()) return Complain(status, kWrongUse);
  }
  return kGood;
}

}  // namespace assay
