#include "tests/spec_dumps/spoiled_file.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "spec_dumps/reader.h"

namespace assay {
namespace {

// A correct file; line numbers count from 1.
std::vector<std::string> Lines() {
  return {
      /* 1*/ "# A file that is correct.",
      /* 2*/ "",
      /* 3*/ "s_op0 = Input(\"op0\", [\"TENSOR_FLOAT32\", [2]])",
      /* 4*/ "s_op1 = Output(\"op1\", [\"TENSOR_FLOAT32\", [2]])",
      /* 5*/ "s = Model(\"s\")",
      /* 6*/ "s.IdentifyInputs(s_op0)",
      /* 7*/ "s.IdentifyOutputs(s_op1)",
      /* 8*/ "s.Operation(\"FLOOR\", s_op0).To(s_op1)",
      /* 9*/ "a = Input(\"op0\", [\"TENSOR_QUANT8_ASYMM\", [2, 3], 0.5, 128])",
      /*10*/ "b = SubgraphReference(\"op1\", s)",
      /*11*/ "c = Parameter(\"op2\", [\"TENSOR_FLOAT32\", [2]], [1.0, 2.0])",
      /*12*/ "d = Output(\"op3\", [\"TENSOR_FLOAT16\", [2]])",
      /*13*/ "# CONSTANT_REFERENCE: c",
      /*14*/ "m = Model(\"m\")",
      /*15*/ "m.IdentifyInputs(a)",
      /*16*/ "m.IdentifyOutputs(d)",
      /*17*/ "m.Operation(\"ADD\", a, b, c).To(d)",
      /*18*/ "m.RelaxedExecution(True)",
      /*19*/ "m.IntroducedIn(\"V1_0\")",
      /*20*/ "Example({a: [1, 2, 3, 4, 5, 6], d: [1.0, 2.0]}, model=m, name=\"m\").DisableLifeTimeVariation()",
  };
}

std::string Join(const std::vector<std::string>& lines) { return absl::StrCat(absl::StrJoin(lines, "\n"), "\n"); }

}  // namespace

std::string ErrorOf(const std::string& text) {
  const absl::StatusOr<SpecFile> file = ReadSpec(text, "f");
  if (file.ok()) return "no error";
  EXPECT_EQ(file.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(file.status().message());
}

std::string ErrorWith(size_t line, const std::string& text) {
  std::vector<std::string> lines = Lines();
  if (line == 0) return ErrorOf(Join(lines));
  if (text == "-") {
    lines.erase(lines.begin() + static_cast<ptrdiff_t>(line) - 1);
  } else {
    lines[line - 1] = text;
  }
  return ErrorOf(Join(lines));
}

void ExpectErrors(const std::vector<Spoiled>& table) {
  for (const Spoiled& bad : table) EXPECT_EQ(ErrorWith(bad.line, bad.text), "f:" + bad.error) << bad.text;
}

}  // namespace assay
