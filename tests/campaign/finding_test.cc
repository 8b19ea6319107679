// Findings: shrunk to little, told with all that is needed, and the same again from each of their files.
#include "campaign/finding.h"

#include <fstream>
#include <iterator>

#include "campaign/finding_files.h"
#include "choice/tape_file.h"
#include "driver/faults.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ops/registry.h"
#include "spec_dumps/reader.h"
#include "tests/campaign/folder.h"
#include "tests/campaign/scripted_device.h"

namespace assay {
namespace {

using testing::HasSubstr;

std::string TextOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

// The first graph that fails on the device, and how.
struct Failed {
  Candidate candidate;
  Variant variant = Variant::kAsDrawn;
  Attempt attempt;
};
std::optional<Failed> FirstFailure(Device& device, const Options& options, size_t least_operations) {
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    Candidate candidate = DrawFromSeed(GraphSeed(3, seed), options);
    if (candidate.drawn.model.main().operations.size() < least_operations) continue;
    for (Variant variant : candidate.variants()) {
      Attempt attempt = TryOn(device, candidate.model(variant), candidate.drawn.example.inputs, {});
      if (attempt.verdict == AttemptVerdict::kFailed) return Failed{std::move(candidate), variant, std::move(attempt)};
    }
  }
  return std::nullopt;
}

const FindingContext kContext = {{"assay 0", "driver some"}, "faulty:some", "--max-dim 8", true};

class Shrunk : public testing::TestWithParam<std::string> {};

TEST_P(Shrunk, ToAtMostTwoOperationsThatReadersAndReplaysAgreeOn) {
  const auto device = OpenFaulty(GetParam());
  ASSERT_TRUE(device.ok()) << device.status();
  using enum OperationCode;
  const Options options{.operations = {ADD, MUL, RELU, LOGISTIC, TRANSPOSE}, .most_dim = 8, .control_flow = false};
  const auto failed = FirstFailure(**device, options, 4);
  ASSERT_TRUE(failed.has_value());
  Finding finding = Investigate(**device, failed->candidate, failed->variant, failed->attempt, options, {},
                                {.trials = 300, .reruns = 2});
  finding.index = 17;
  EXPECT_EQ(finding.reproduced, 2);
  EXPECT_EQ(finding.tries, 2);
  EXPECT_FALSE(finding.flaky());
  EXPECT_GE(finding.operations_found, 4u);
  EXPECT_LE(finding.model.main().operations.size(), 2u);
  ASSERT_TRUE(finding.attempt.failure.has_value()) << finding.attempt.reason;
  const std::string signature = finding.attempt.failure->Signature();
  EXPECT_THAT(finding.GroupName(), HasSubstr(signature));

  const Folder out("finding");
  const auto folder = WriteFinding(out.path(), finding, kContext);
  ASSERT_TRUE(folder.ok()) << folder.status();
  EXPECT_THAT(*folder, testing::StartsWith(absl::StrCat(out.path(), "/", FolderNameOf(finding.GroupName()), "/17")));

  const auto spec = ReadSpecFile(absl::StrCat(*folder, "/finding.mod.py"));
  ASSERT_TRUE(spec.ok()) << spec.status();
  ASSERT_EQ(spec->cases.size(), 1u);
  const TestCase& test = spec->cases[0].test;
  ASSERT_EQ(test.examples.size(), 1u);
  EXPECT_EQ(test.examples[0].inputs, finding.inputs);
  EXPECT_EQ(test.examples[0].outputs, finding.attempt.golden);
  const Attempt from_spec = TryOn(**device, test.model, test.examples[0].inputs, {});
  ASSERT_TRUE(from_spec.failure.has_value()) << from_spec.reason;
  EXPECT_EQ(from_spec.failure->Signature(), signature);
  EXPECT_EQ(from_spec.answer, finding.attempt.answer);

  const auto tape = ReadTape(absl::StrCat(*folder, "/tape"), RegistryHash());
  ASSERT_TRUE(tape.ok()) << tape.status();
  EXPECT_EQ(tape->tape, finding.tape);
  EXPECT_EQ(VariantOfKind(tape->kind), finding.variant);
  const Candidate again = DrawFromTape(tape->tape, options);
  const Attempt from_tape = TryOn(**device, again.model(finding.variant), again.drawn.example.inputs, {});
  ASSERT_TRUE(from_tape.failure.has_value()) << from_tape.reason;
  EXPECT_EQ(from_tape.failure->Signature(), signature);
  if (!finding.cut) {
    EXPECT_EQ(again.model(finding.variant), finding.model);
  }

  const std::string report = TextOf(absl::StrCat(*folder, "/report.txt"));
  EXPECT_THAT(report, HasSubstr(finding.GroupName()));
  EXPECT_THAT(report, HasSubstr(finding.attempt.failure->message));
  EXPECT_THAT(report, HasSubstr("reproduced 2 of 2 times"));
  EXPECT_THAT(report, HasSubstr(absl::StrCat("assay run ", *folder, "/finding.mod.py --driver faulty:some\n")));
  EXPECT_THAT(report, HasSubstr(absl::StrCat("assay replay ", *folder, "/tape --driver faulty:some --strict\n")));
  EXPECT_THAT(TextOf(absl::StrCat(*folder, "/graph.dot")), testing::StartsWith("digraph"));
}

INSTANTIATE_TEST_SUITE_P(Faults, Shrunk, testing::Values("relu-dropped", "transpose-inverse", "second-execution-wrong"),
                         [](const auto& info) {
                           std::string name = info.param;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

TEST(Investigate, AFlakyFailureIsToldAndNotShrunk) {
  ScriptedDevice device;
  int executions = 0;
  device.executed = [&](auto&, auto, auto, uint64_t, DeviceResult& r) {
    if (++executions % 3 == 1) r = {.status = ErrorStatus::GENERAL_FAILURE, .message = "sometimes"};
  };
  const AttemptOptions once{.executions = 1};
  const Options options{.control_flow = false};
  const Candidate candidate = DrawFromSeed(5, options);
  const Attempt first = TryOn(device, candidate.model(Variant::kAsDrawn), candidate.drawn.example.inputs, once);
  ASSERT_TRUE(first.failure.has_value()) << first.reason;
  const Finding finding = Investigate(device, candidate, Variant::kAsDrawn, first, options, once, {.reruns = 4});
  EXPECT_TRUE(finding.flaky());
  EXPECT_EQ(finding.tries, 4);
  EXPECT_EQ(finding.trials, 0u);
  EXPECT_FALSE(finding.shrunk);
  EXPECT_EQ(finding.tape, TapeOf(candidate.trace));
  ASSERT_TRUE(finding.attempt.failure.has_value());
  EXPECT_EQ(finding.attempt.failure->Signature(), first.failure->Signature());
  EXPECT_EQ(finding.model, candidate.model(finding.variant));
  EXPECT_THAT(ReportOf(finding, kContext, "here"), HasSubstr("times: FLAKY, not shrunk"));
}

TEST(Investigate, AnAskedForStopEndsItAtOnce) {
  const auto device = OpenFaulty("relu-dropped");
  ASSERT_TRUE(device.ok()) << device.status();
  const Options options{.control_flow = false};
  const auto failed = FirstFailure(**device, options, 4);
  ASSERT_TRUE(failed.has_value());
  std::stop_source stop;
  stop.request_stop();
  const Finding finding = Investigate(**device, failed->candidate, failed->variant, failed->attempt, options, {},
                                      {.stop = stop.get_token()});
  EXPECT_EQ(finding.tries, 0);
  EXPECT_EQ(finding.trials, 0u);
  EXPECT_EQ(finding.cut_short, "the campaign was stopped");
  EXPECT_THAT(ReportOf(finding, kContext, "here"), HasSubstr("when found, not shrunk, the campaign was stopped"));
  EXPECT_EQ(finding.tape, TapeOf(failed->candidate.trace));
  EXPECT_TRUE(finding.attempt.failure.has_value());
}

TEST(FolderNameOf, KeepsLettersDigitsAndUnderscores) {
  EXPECT_EQ(FolderNameOf("value CONV_2D TENSOR_FLOAT32 (CONV_2D + RELU)"), "value_CONV_2D_TENSOR_FLOAT32_CONV_2D_RELU");
  EXPECT_EQ(FolderNameOf("../../etc/passwd"), "etc_passwd");
  EXPECT_EQ(FolderNameOf(std::string(500, 'x')).size(), 120u);
}

TEST(WriteFinding, NamesThePathThatCannotBeWritten) {
  Finding finding;
  EXPECT_THAT(std::string(WriteFinding("/proc/nowhere", finding, kContext).status().message()),
              HasSubstr("/proc/nowhere/"));
}

TEST(RemoveFinding, LeavesWhatIsNotItsOwn) {
  const Folder folder("removed");
  Finding finding;
  finding.attempt.reason = "wrong";
  const auto first = WriteFinding(folder.path(), finding, kContext);
  finding.index = 1;
  const auto second = WriteFinding(folder.path(), finding, kContext);
  ASSERT_TRUE(first.ok() && second.ok()) << first.status() << second.status();
  std::ofstream(absl::StrCat(*second, "/notes")) << "mine";
  RemoveFinding(*first);
  EXPECT_FALSE(std::filesystem::exists(*first));
  RemoveFinding(*second);
  EXPECT_EQ(TextOf(absl::StrCat(*second, "/notes")), "mine");
  EXPECT_FALSE(std::filesystem::exists(absl::StrCat(*second, "/tape")));
  std::filesystem::remove(absl::StrCat(*second, "/notes"));
  RemoveFinding(*second);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(MakeFolder, TakesWhatIsThereAndNamesWhatCannotBe) {
  const Folder folder("made");
  const std::string below = absl::StrCat(folder.path(), "/a/b");
  EXPECT_TRUE(MakeFolder(below).ok());
  EXPECT_TRUE(MakeFolder(below).ok());
  const std::string file = absl::StrCat(below, "/file");
  std::ofstream(file) << "no folder";
  for (const std::string& path : {file, absl::StrCat(file, "/c"), std::string("/proc/nowhere")})
    EXPECT_THAT(std::string(MakeFolder(path).message()), HasSubstr(absl::StrCat(path, ": cannot be written to: ")));
}

TEST(WriteFileAtomically, LeavesNoTemporaryFile) {
  const Folder folder("atomic");
  std::filesystem::create_directories(folder.path());
  const std::string path = absl::StrCat(folder.path(), "/file");
  ASSERT_TRUE(WriteFileAtomically(path, "one").ok());
  ASSERT_TRUE(WriteFileAtomically(path, "two").ok());
  EXPECT_EQ(TextOf(path), "two");
  size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path())) ++files;
  EXPECT_EQ(files, 1u);
}

}  // namespace
}  // namespace assay
