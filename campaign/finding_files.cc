#include "campaign/finding_files.h"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "campaign/header.h"
#include "choice/tape_file.h"
#include "model/status.h"
#include "numeric/storage.h"
#include "ops/registry.h"
#include "spec_dumps/dot.h"
#include "spec_dumps/writer.h"

namespace assay {
namespace {

constexpr size_t kMostListed = 64;  // elements of a tensor that are written out in comments

const Operand& OutputOperand(const Finding& f, size_t i) { return f.model.main().operands[f.model.main().outputs[i]]; }

// "[3, 1.5, 2]", cut off after kMostListed elements.
std::string ValuesOf(const Operand& operand, const ExampleValue& value) {
  const size_t count = ElementSize(operand.type) == 0 ? 0 : value.bytes.size() / ElementSize(operand.type);
  std::vector<std::string> parts;
  for (size_t i = 0; i < std::min(count, kMostListed); ++i)
    parts.push_back(FormatElement(operand.type, operand.quantization, value.dims, value.bytes.data(), i));
  return absl::StrCat("[", absl::StrJoin(parts, ", "), count > kMostListed ? ", ..." : "", "]");
}

std::string AllowedOf(std::span<const Bounded<Fp32>> allowed) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < std::min(allowed.size(), kMostListed); ++i)
    parts.push_back(allowed[i].IsUnknown() ? "any" : absl::StrFormat("%.9g..%.9g", allowed[i].Lo(), allowed[i].Hi()));
  return absl::StrCat("[", absl::StrJoin(parts, ", "), allowed.size() > kMostListed ? ", ..." : "", "]");
}

std::string ReasonFor(const Finding& f) { return f.attempt.failure ? f.attempt.failure->message : f.attempt.reason; }

std::string Reproduced(const Finding& f) {
  if (f.tries == 0) return "not run again";
  return absl::StrCat("reproduced ", f.reproduced, " of ", f.tries, f.flaky() ? " times: FLAKY, not shrunk" : " times");
}

std::string Sizes(const Finding& f) {
  std::string ending;
  if (!f.cut_short.empty()) {
    ending = absl::StrCat(", ", f.cut_short);
  } else if (!f.shrunk && f.trials > 0) {
    ending = ", the budget ended";
  }
  const size_t operations = f.model.main().operations.size();
  return absl::StrCat(operations, operations == 1 ? " operation (" : " operations (", f.operations_found,
                      " when found, ", f.trials == 0 ? "not shrunk" : absl::StrCat(f.trials, " trials"), ending,
                      f.cut ? ", cut out of the tape's graph" : "", ")");
}

std::vector<std::string> Commands(const FindingContext& context, absl::string_view folder) {
  const std::string driver = ShellWord(context.driver);
  return {absl::StrCat("assay run ", ShellWord(absl::StrCat(folder, "/finding.mod.py")), " --driver ", driver),
          absl::StrCat("assay replay ", ShellWord(absl::StrCat(folder, "/tape")), " --driver ", driver,
                       context.strict ? " --strict" : "")};
}

DotMarks MarksOf(const Finding& f) {
  DotMarks marks{.title = ReasonFor(f)};
  if (!f.attempt.failure) return marks;
  const Failure& failure = *f.attempt.failure;
  if (failure.code) marks.operations.push_back({0, failure.operation, std::string(NameOf(failure.kind)), "red"});
  if (failure.code && failure.account.outside > 0)
    marks.operands.push_back({0, failure.operand, absl::StrCat(failure.account.outside, " elements outside"), "red"});
  return marks;
}

}  // namespace

SpecFile SpecOf(const Finding& f, const FindingContext& context) {
  TestCase test{.model = f.model};
  Example& example = test.examples.emplace_back();
  example.name = absl::StrCat("graph_", f.index);
  example.inputs = f.inputs;
  example.outputs = f.attempt.golden;
  test.model.main().name = example.name;
  SpecFile file = FromTestCase(test);
  std::string& text = file.cases.front().comments;
  for (const std::string& line : context.header) absl::StrAppend(&text, "# ", line, "\n");
  absl::StrAppend(&text, "# failure: ", ReasonFor(f), "\n# ", Reproduced(f), "; ", Sizes(f), "; ", NameOf(f.variant),
                  "\n");
  std::string& answers = file.cases.front().example_comments.emplace_back();
  for (size_t i = 0; i < f.attempt.answer.size(); ++i)
    absl::StrAppend(&answers, "# the driver's output ", i, ": ", ValuesOf(OutputOperand(f, i), f.attempt.answer[i]),
                    "\n");
  if (f.attempt.failure && !f.attempt.failure->allowed.empty())
    absl::StrAppend(&answers, "# allowed in operand ", f.attempt.failure->operand,
                    " (real values): ", AllowedOf(f.attempt.failure->allowed), "\n");
  for (const std::string& command : Commands(context, ".")) absl::StrAppend(&answers, "# again: ", command, "\n");
  return file;
}

std::string ReportOf(const Finding& f, const FindingContext& context, absl::string_view folder) {
  std::string out = absl::StrCat(f.GroupName(), "\n\n  ", ReasonFor(f), "\n  ", Reproduced(f), "\n  ", Sizes(f), ", ",
                                 NameOf(f.variant), ", graph ", f.index, "\n\n");
  const Subgraph& main = f.model.main();
  for (size_t i = 0; i < main.operations.size(); ++i) {
    const Operation& op = main.operations[i];
    const auto tensors = [&](const std::vector<uint32_t>& list) {
      return absl::StrJoin(list, ", ", [&](std::string* s, uint32_t o) {
        absl::StrAppend(s, NameOf(main.operands[o].type),
                        main.operands[o].dims.empty() ? "" : ToString(main.operands[o].dims));
      });
    };
    const bool culprit = f.attempt.failure && f.attempt.failure->code && f.attempt.failure->operation == i;
    absl::StrAppend(&out, culprit ? "  > " : "    ", i, " ", NameOf(op.code), " (", tensors(op.inputs), ") -> ",
                    tensors(op.outputs), "\n");
  }
  if (f.attempt.failure) absl::StrAppend(&out, "\n", f.attempt.failure->account.ToString("    "));
  absl::StrAppend(&out, "\n");
  for (const std::string& command : Commands(context, folder)) absl::StrAppend(&out, "  again: ", command, "\n");
  for (const std::string& line : context.header) absl::StrAppend(&out, "  ", line, "\n");
  return out;
}

std::string FolderNameOf(absl::string_view group) {
  std::string out;
  for (char c : group) {
    if (absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_') {
      out += c;
    } else if (!out.empty() && out.back() != '_') {
      out += '_';
    }
  }
  while (!out.empty() && out.back() == '_') out.pop_back();
  return out.substr(0, 120);
}

absl::Status WriteFileAtomically(const std::string& path, absl::string_view text) {
  const std::string temporary = absl::StrCat(path, ".tmp");
  {
    std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    file.flush();
    if (!file) return absl::UnavailableError(absl::StrCat(temporary, ": cannot be written"));
  }
  std::error_code error;
  std::filesystem::rename(temporary, path, error);
  if (error) return absl::UnavailableError(absl::StrCat(path, ": ", error.message()));
  return absl::OkStatus();
}

absl::StatusOr<std::string> WriteFinding(const std::string& out, const Finding& f, const FindingContext& context) {
  const std::string folder = absl::StrCat(out, "/", FolderNameOf(f.GroupName()), "/", f.index,
                                          f.variant == Variant::kHidden    ? "_hidden"
                                          : f.variant == Variant::kExposed ? "_exposed"
                                                                           : "");
  ASSAY_RETURN_IF_ERROR(MakeFolder(folder));
  ASSAY_RETURN_IF_ERROR(WriteSpecFile(absl::StrCat(folder, "/finding.mod.py"), SpecOf(f, context)));
  ASSAY_RETURN_IF_ERROR(WriteFileAtomically(absl::StrCat(folder, "/graph.dot"), WriteDot(f.model, MarksOf(f))));
  ASSAY_ASSIGN_OR_RETURN(const std::string tape, FormatTape({RegistryHash(), std::string(TapeKindOf(f.variant)), f.tape,
                                                             context.draw_options}));
  ASSAY_RETURN_IF_ERROR(WriteFileAtomically(absl::StrCat(folder, "/tape"), tape));
  ASSAY_RETURN_IF_ERROR(WriteFileAtomically(absl::StrCat(folder, "/report.txt"), ReportOf(f, context, folder)));
  return folder;
}

absl::Status MakeFolder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error && !std::filesystem::is_directory(folder, error)) error = std::make_error_code(std::errc::not_a_directory);
  if (!error && access(folder.c_str(), W_OK | X_OK) != 0) error = std::error_code(errno, std::generic_category());
  if (error) return absl::UnavailableError(absl::StrCat(folder, ": cannot be written to: ", error.message()));
  return absl::OkStatus();
}

void RemoveFinding(const std::string& folder) {
  std::error_code ignored;
  for (const char* file : {"report.txt", "tape", "graph.dot", "finding.mod.py"})
    std::filesystem::remove(absl::StrCat(folder, "/", file), ignored);
  std::filesystem::remove(folder, ignored);
  std::filesystem::remove(std::filesystem::path(folder).parent_path(), ignored);
}

}  // namespace assay
