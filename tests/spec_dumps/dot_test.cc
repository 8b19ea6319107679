// Tests of the drawing: what it says, and that it is valid whatever the model is.
#include "spec_dumps/dot.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "spec_dumps/reader.h"
#include "tests/spec_dumps/random_cases.h"
#include "tests/spec_dumps/spec_files.h"

namespace assay {
namespace {

using testing::HasSubstr;
using testing::Not;

// Checks strings, brackets and the ends of statements: empty, or what is wrong.
std::string FaultIn(absl::string_view text) {
  std::string open;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((c < 0x20 && c != '\n') || c > 0x7e) return absl::StrCat("character ", int{c}, " at ", i);
    if (in_string) {
      if (c == '\n') return absl::StrCat("line end in a string at ", i);
      if (c == '\\') ++i;
      in_string = c != '"';
      continue;
    }
    if (c == '"') in_string = true;
    if (c == '{' || c == '[') open += c;
    if (c == '}' || c == ']') {
      const char opening = c == '}' ? '{' : '[';
      if (open.empty() || open.back() != opening) return absl::StrCat("no ", std::string(1, opening), " for ", i);
      open.pop_back();
      if (open.empty() && i + 2 != text.size()) return "text after the graph";
    }
    const bool ends_line = i > 0 && c == '\n';
    if (ends_line && !absl::StrContains("{};", text.substr(i - 1, 1))) return absl::StrCat("no ; at ", i);
  }
  if (in_string) return "string without end";
  if (!open.empty()) return "bracket without end: " + open;
  return absl::StartsWith(text, "digraph ") ? "" : "no digraph";
}

bool HasGraphviz() { return std::system("dot -V >/dev/null 2>&1") == 0; }

void ExpectValid(const std::string& text, bool ask_graphviz) {
  ASSERT_EQ(FaultIn(text), "") << text.substr(0, 20000);
  if (!ask_graphviz) return;
  const std::string path = (std::filesystem::path(testing::TempDir()) / "assay_dot_test.dot").string();
  std::ofstream(path) << text;
  // Canonical output: parses, draws nothing.
  ASSERT_EQ(std::system(absl::StrCat("dot -Tcanon '", path, "' >/dev/null").c_str()), 0) << text;
  std::filesystem::remove(path);
}

TEST(FaultIn, FindsFaults) {
  EXPECT_EQ(FaultIn("digraph g {\n  a [label=\"x\\\"{\"];\n}\n"), "");
  EXPECT_NE(FaultIn("digraph g {\n  a [label=\"x];\n}\n"), "");
  EXPECT_NE(FaultIn("digraph g {\n  a [label=\"x\"}];\n}\n"), "");
  EXPECT_NE(FaultIn("digraph g {\n  a [label=\"x\"]\n}\n"), "");
  EXPECT_NE(FaultIn("digraph g {\n"), "");
}

Model Read(const std::string& name) {
  const absl::StatusOr<SpecFile> file = ReadSpecFile("tests/data/specs/" + name + ".mod.py");
  EXPECT_TRUE(file.ok()) << file.status();
  return file.ok() ? file->cases[0].test.model : Model();
}

TEST(WriteDot, ShowsOperandsAndOperations) {
  const std::string text = WriteDot(Read("conv_quantized"), {});
  ExpectValid(text, HasGraphviz());
  EXPECT_THAT(text,
              HasSubstr("label=\"#0 m0_op0\\nTENSOR_QUANT8_ASYMM_SIGNED [1, 1, 1, 2]\\nscale 0.5, zero point -128\""));
  EXPECT_THAT(text, HasSubstr("2 scales along dimension 0\\n= [1, 2, -127, 127]\""));
  EXPECT_THAT(text, HasSubstr("label=\"0: CONV_2D\""));
  EXPECT_THAT(text, HasSubstr("v0_0 -> f0_0 [label=\"0\"];"));
  EXPECT_THAT(text, HasSubstr("f0_0 -> v0_5;"));
}

TEST(WriteDot, CutsBigConstantsAndSaysWhatIsUnknown) {
  Model model = Read("zero_sized");
  EXPECT_THAT(WriteDot(model), HasSubstr("TENSOR_FLOAT32 [?, ?]"));
  Operand& constant = model.main().operands[1];
  constant.dims = {9};
  constant.value = std::make_shared<const Bytes>(36);
  EXPECT_THAT(WriteDot(model), HasSubstr("constant, 36 bytes"));
  EXPECT_THAT(WriteDot(Read("omitted")), HasSubstr("\\nomitted\""));
  EXPECT_THAT(WriteDot(Read("ignored_output")), HasSubstr("\\nnot compared\""));
}

TEST(WriteDot, JoinsOperationsToTheirSubgraphs) {
  const std::string text = WriteDot(Read("while_nested"), {});
  ExpectValid(text, HasGraphviz());
  for (int i = 0; i < 4; ++i) EXPECT_THAT(text, HasSubstr(absl::StrCat("subgraph cluster_", i, " {")));
  EXPECT_THAT(text, HasSubstr("f0_0 -> entry_1 [style=dashed, lhead=cluster_1, label=\"0\"];"));
  EXPECT_THAT(text, HasSubstr("f0_0 -> entry_2 [style=dashed, lhead=cluster_2, label=\"1\"];"));
  EXPECT_THAT(text, HasSubstr("f2_0 -> entry_3 [style=dashed, lhead=cluster_3, label=\"1\"];"));
  EXPECT_THAT(text, Not(HasSubstr("entry_0")));
}

TEST(WriteDot, MarksInColour) {
  DotMarks marks;
  marks.title = "finding \"7\"";
  marks.operations.push_back({0, 0, "wrong: 2.0 for 1.0", "orange"});
  marks.operands.push_back({0, 3, "element [1]\nis NaN"});
  marks.operands.push_back({9, 9, "nowhere"});
  const std::string text = WriteDot(Read("add_float"), marks);
  ExpectValid(text, HasGraphviz());
  EXPECT_THAT(text, HasSubstr("label=\"finding \\\"7\\\"\""));
  EXPECT_THAT(text, HasSubstr("label=\"0: ADD\\nwrong: 2.0 for 1.0\", color=\"orange\", fontcolor=\"orange\""));
  EXPECT_THAT(text, HasSubstr("TENSOR_FLOAT32 [2]\\nelement [1]\\nis NaN\", color=\"red\", fontcolor=\"red\""));
  EXPECT_THAT(text, Not(HasSubstr("nowhere")));
}

TEST(WriteDot, EscapesNamesAndLabels) {
  Model model = Read("add_float");
  model.main().name = "a\"]; } \\ \n\r\t\xc3\xa4 <b>";
  model.main().operands[0].name = "\\";
  model.main().operands[1].name = std::string(100000, '"');
  DotMarks marks;
  marks.operations.push_back({0, 0, "\\\"\\", "\"];x"});
  const std::string text = WriteDot(model, marks);
  ExpectValid(text, HasGraphviz());
  EXPECT_LT(text.size(), 5000u);
}

TEST(WriteDot, IsValidForEveryModel) {
  const bool graphviz = HasGraphviz();
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    Dice dice(seed);
    const TestCase test = DrawWildCase(dice);
    ASSERT_NO_FATAL_FAILURE(ExpectValid(WriteDot(test.model), graphviz && seed < 20)) << seed;
  }
}

TEST(WriteDot, IsValidForHugeModels) {
  Model model;
  Subgraph& main = model.main();
  main.operands.resize(100001);
  for (Operand& operand : main.operands) operand.dims = {1, 2};
  for (uint32_t i = 0; i < 100000; ++i) main.operations.push_back({OperationCode::RELU, {i}, {i + 1}});
  ExpectValid(WriteDot(model), false);
}

}  // namespace
}  // namespace assay
