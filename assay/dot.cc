// assay dot: models as graphs for Graphviz.
#include "spec_dumps/dot.h"

#include <cstdio>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "assay/command.h"
#include "assay/words.h"
#include "campaign/finding_files.h"
#include "spec_dumps/reader.h"

namespace assay {

int Dot(const DotCommand& command) {
  const auto file = ReadSpecFile(command.file);
  if (!file.ok()) return Complain(file.status(), kWrongUse);
  if (file->cases.empty())
    return Complain(absl::NotFoundError(absl::StrCat(command.file, ": there is no model in it")), kWrongUse);
  if (command.out.empty()) {
    if (file->cases.size() > 1)
      std::fprintf(stderr, "assay: %zu models, this is the first; --out FOLDER writes all\n", file->cases.size());
    std::fputs(WriteDot(file->cases.front().test.model).c_str(), stdout);
    return kGood;
  }
  if (const absl::Status made = MakeFolder(command.out); !made.ok()) return Complain(made, kWrongUse);
  std::set<std::string> names;
  for (const SpecCase& spec : file->cases) {
    // A model need not have a name, nor one of its own.
    std::string name = FolderNameOf(spec.test.model.main().name);
    if (name.empty() || names.count(name) > 0) absl::StrAppend(&name, name.empty() ? "model_" : "_", names.size());
    names.insert(name);
    const absl::Status status =
        WriteFileAtomically(absl::StrCat(command.out, "/", name, ".dot"), WriteDot(spec.test.model));
    if (!status.ok()) return Complain(status, kWrongUse);
  }
  return kGood;
}

}  // namespace assay
