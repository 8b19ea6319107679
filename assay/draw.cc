// assay draw: random models with golden outputs, as spec files; or what such models are like.
#include <cstdio>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "assay/command.h"
#include "assay/json_text.h"
#include "assay/words.h"
#include "campaign/attempt.h"
#include "campaign/candidate.h"
#include "campaign/finding_files.h"
#include "campaign/header.h"
#include "nlohmann/json.hpp"
#include "randomgraph/statistics.h"
#include "spec_dumps/writer.h"

namespace assay {
namespace {

// A drawn graph as a test case; an error is a fault of the reference.
absl::StatusOr<TestCase> TestCaseOf(const Candidate& candidate, uint64_t index) {
  TestCase test{.model = candidate.drawn.model};
  Example example = candidate.drawn.example;
  example.name = absl::StrCat("graph_", index);
  test.model.main().name = example.name;
  auto golden = ReferenceOutputs(test.model, example.inputs, Mode::kGolden, kDefaultLoopTimeout);
  if (!golden.ok()) return absl::InternalError(absl::StrCat("graph ", index, ": ", golden.status().message()));
  example.outputs = *std::move(golden);
  test.examples.push_back(std::move(example));
  return test;
}

absl::Status Write(const DrawCommand& command, const TestCase& test, uint64_t index) {
  SpecFile file = FromTestCase(test);
  for (const std::string& line : ReportHeader(nullptr, command.seed, ""))
    absl::StrAppend(&file.cases.front().comments, "# ", line, "\n");
  absl::StrAppend(&file.cases.front().comments, "# graph ", index, ", options: ", ToWords(command.drawing), "\n");
  return WriteSpecFile(absl::StrFormat("%s/graph_%06d.mod.py", command.out, index), file);
}

}  // namespace

int DrawModels(const DrawCommand& command, std::stop_token stop) {
  const auto options = OptionsFrom(command.drawing);
  if (!options.ok()) return Complain(options.status(), kWrongUse);
  if (command.out.empty() && !command.statistics)
    return Complain(absl::InvalidArgumentError("draw needs --out FOLDER, --statistics, or both"), kWrongUse);
  if (!command.out.empty())
    if (const absl::Status made = MakeFolder(command.out); !made.ok()) return Complain(made, kWrongUse);
  DrawStatistics statistics;
  uint64_t drawn = 0, dropped = 0;
  for (uint64_t i = 0; i < command.graphs && !stop.stop_requested(); ++i, ++drawn) {
    const Candidate candidate = DrawFromSeed(GraphSeed(command.seed, i), *options);
    const auto test = TestCaseOf(candidate, i);
    if (!test.ok()) return Complain(test.status(), kOurFault);
    statistics.Add(test->model, test->examples.front());
    dropped += candidate.drawn.rejected.size();
    if (command.out.empty()) continue;
    if (const absl::Status status = Write(command, *test, i); !status.ok()) return Complain(status, kWrongUse);
  }
  if (command.json) {
    nlohmann::json operations = nlohmann::json::object();
    for (const auto& [code, count] : statistics.sums().codes) operations[std::string(NameOf(code))] = count;
    PrintJson({{"version", std::string(Version())},
               {"isa", std::string(ProcessorIsa())},
               {"graphs", drawn},
               {"seed", command.seed},
               {"options", ToWords(command.drawing)},
               {"dependent_share", statistics.DependentShare()},
               {"calls_dropped", dropped},
               {"operations", operations}});
  } else {
    if (command.statistics) std::fputs(statistics.ToString().c_str(), stdout);
    absl::PrintF("%d graphs drawn from seed %d%s%s\n", drawn, command.seed, command.out.empty() ? "" : " into ",
                 command.out);
  }
  return kGood;
}

}  // namespace assay
