// Errors in statements about models, in examples and in the superset, each with its exact place and words.
#include <string>

#include "gtest/gtest.h"
#include "tests/spec_dumps/spoiled_file.h"

namespace assay {
namespace {

TEST(StatementError, StatementsAboutModels) {
  ExpectErrors({
      {15, "m.IdentifyInput(a)",
       "15:3: expected IdentifyInputs, IdentifyOutputs, Operation, RelaxedExecution or IntroducedIn, found "
       "\"IdentifyInput\""},
      {15, "m.Extension(\"x\", 1)",
       "15:3: expected IdentifyInputs, IdentifyOutputs, Operation, RelaxedExecution or IntroducedIn (or the superset "
       "group extensions in line 1), found \"Extension\""},
      {15, "m.IdentifyInputs()", "15:18: expected a NAME, found \")\""},
      {15, "m.IdentifyInputs(a,)", "15:19: expected \", \" or \")\", found \",)\""},
      {15, "m.IdentifyInputs(c)", "15:18: expected an Input (or the superset group lists in line 1), found \"c\""},
      {15, "m.IdentifyInputs(a, a)",
       "15:21: expected each operand once (or the superset group lists in line 1), found \"a\""},
      {16, "m.IdentifyOutputs(b)", "16:19: expected an Output (or the superset group lists in line 1), found \"b\""},
      {15, "-",
       "9:1: expected no Input that m.IdentifyInputs leaves out (or the superset group lists in line 1), found \"a\""},
      {7, "-",
       "4:1: expected no Output that s.IdentifyOutputs leaves out (or the superset group lists in line 1), found "
       "\"s_op1\""},
      {16, "m.IdentifyInputs(a)",
       "16:1: expected Model, IdentifyInputs, IdentifyOutputs, operations, flags in this order, and each list once, "
       "found \"m.IdentifyInputs\""},
      {18, "m.IdentifyOutputs(d)",
       "18:1: expected Model, IdentifyInputs, IdentifyOutputs, operations, flags in this order, and each list once, "
       "found \"m.IdentifyOutputs\""},
      {19, "m.Operation(\"ADD\", a).To(d)",
       "19:1: expected Model, IdentifyInputs, IdentifyOutputs, operations, flags in this order, and each list once, "
       "found \"m.Operation\""},
      {17, "m.Operation(\"AD\", a).To(d)", "17:13: expected an NNAPI operation, found \"AD\""},
      {17, "m.Operation(\"OEM_OPERATION\", a).To(d)",
       "17:13: expected an operation of NNAPI's list (or the superset group operations in line 1), found "
       "\"OEM_OPERATION\""},
      {17, "m.Operation(\"ADD\", a).To()",
       "17:26: expected at least one output (or the superset group operations in line 1), found \")\""},
      {17, "m.Operation(\"ADD\", a)", "17:21: expected \", \" or \").To(\", found \")\""},
      {17, "m.Operation(\"ADD\", a).to(d)", "17:21: expected \", \" or \").To(\", found \").to(d)\""},
      {18, "m.RelaxedExecution(False)", "18:19: expected \"(True)\", found \"(False)\""},
      {19, "m.RelaxedExecution(True)", "19:1: expected RelaxedExecution only once, found \"m.RelaxedExecution\""},
      {18, "m.IntroducedIn(\"V1_0\")", "19:1: expected IntroducedIn only once, found \"m.IntroducedIn\""},
      {19, "m.IntroducedIn(\"V1_4\")",
       "19:16: expected V1_0, V1_1, V1_2, V1_3, AIDL_V1, AIDL_V2, AIDL_V3 or AIDL_V4, found \"V1_4\""},
      {19, "m.IntroducedIn(\"LEVEL_9\")",
       "19:16: expected a version (or the superset group versions in line 1), found \"LEVEL_9\""},
      {19, "s.RelaxedExecution(True)", "19:1: expected m, the last model, found s, a model"},
      {19, "a.RelaxedExecution(True)", "19:1: expected m, the last model, found a, an operand of m"},
      {10, "s.Operation(\"FLOOR\", s_op0).To(s_op1)",
       "10:1: expected an operand, a Model or an Example, found s, a model"},
      {8, "s.RelaxedExecution(True)", "8:1: expected flags of m only, which has the example, found s"},
      {8, "s.IntroducedIn(\"V1_0\")", "8:1: expected flags of m only, which has the example, found s"},
      {10, "b = Internal(\"op1\", [\"INT32\", []])",
       "5:1: expected only models that m refers to (or the superset group subgraphs in line 1), found \"s\""},
      {14, "m.IdentifyInputs(a)", "14:1: expected an operand, a Model or an Example, found m, which is not defined"},
  });
}

TEST(StatementError, Examples) {
  const std::string end = ", model=m, name=\"m\").DisableLifeTimeVariation()";
  const std::string values = "Example({a: [1, 2, 3, 4, 5, 6], d: [1.0, 2.0]}";
  ExpectErrors({
      {20, "Example({a: [1, 2, 3, 4, 5, 6]}" + end,
       "20:31: expected values of all 2 inputs and outputs, d too, found values of 1"},
      {20, "Example({}" + end, "20:10: expected values of all 2 inputs and outputs, a too, found values of 0"},
      {20, "Example({a: [], a: []}" + end, "20:17: expected each input and output once, found \"a\""},
      {20, "Example({a: [], b: [], d: [1.0, 2.0]}" + end,
       "20:17: expected an input or output of the model, found \"b\""},
      {20, "Example({x: []}" + end, "20:10: expected an operand of m, found x, which is not defined"},
      {20, "Example({s_op0: []}" + end, "20:10: expected an operand of m, found s_op0, an operand of s"},
      {20, "Example({a: [1, 2], d: [1.0, 2.0]}" + end,
       "20:13: expected 6 values of TENSOR_QUANT8_ASYMM [2, 3], found 2 values"},
      {20, "Example({a: [], d: []}" + end, "20:20: expected 2 values of TENSOR_FLOAT16 [2], found 0 values"},
      {20, "Example({a: [], d: [1.0, 2.0],}" + end,
       "20:30: expected \", \" or \"}\", found \",}, model=m, name=\"m\").DisableLifeTimeVa...\""},
      {20, "Example({a: None, d: [1.0, 2.0]}" + end,
       "20:13: expected values (or the superset group examples in line 1), found \"None\""},
      {20, "Example({a: ([2], [1, 2]), d: [1.0, 2.0]}" + end,
       "20:13: expected values (or the superset group shapes in line 1), found \"([2], [1, 2]), d: [1.0, 2.0]}, "
       "model=m, ...\""},
      {20, "Example([[]], [[1.0, 2.0]]" + end,
       "20:9: expected \"{\" (or the superset group examples in line 1), found \"[[]], [[1.0, 2.0]], model=m, "
       "name=\"m\").D...\""},
      {20, values + ", model=s, name=\"m\").DisableLifeTimeVariation()",
       "20:55: expected m, the last model, found s, a model"},
      {20, values + ", model=x, name=\"m\").DisableLifeTimeVariation()",
       "20:55: expected m, the last model, found x, which is not defined"},
      {20, values + ", name=\"m\").DisableLifeTimeVariation()",
       "20:47: expected \", model=\", found \", name=\"m\").DisableLifeTimeVariation()\""},
      {20, values + ", model=m).DisableLifeTimeVariation()",
       "20:56: expected \", name=\", found \").DisableLifeTimeVariation()\""},
      {20, values + ", model=m, name=\"m\")", "20:66: expected \").DisableLifeTimeVariation()\", found \")\""},
      {20, values + end + ".ExpectFailure().WithMultinomialDistributionTolerance(0.1)",
       "20:110: expected the end of the line, found \".WithMultinomialDistributionTolerance\""},
      {20, values + end + ".WithMultinomialDistributionTolerance(1)",
       "20:132: expected a FLOAT (a decimal with \".\" or \"e\"), found \"1\""},
      {20, values + end + ".ExpectFailure(True)", "20:94: expected the end of the line, found \".ExpectFailure\""},
      {20, values + end + "\n" + values + end,
       "21:1: expected one Example for a model (or the superset group examples in line 1), found \"Example\""},
      {20, values + end + "\nm.IntroducedIn(\"V1_0\")",
       "21:1: expected an operand, a Model or an Example, found m, a model of an earlier example"},
      {20, values + end + "\nz = SubgraphReference(\"op0\", s)",
       "21:30: expected a model of this example, found s, a model of an earlier example"},
      {20, values + end + "\na = Input(\"op0\", [\"INT32\", []])",
       "21:1: expected a new NAME, found a, which is already defined"},
      {20, values + end + "\nz = Model(\"z\")\nz.Operation(\"FLOOR\", a).To(a)",
       "22:22: expected an operand of z, found a, an operand of m"},
      {20, "Example", "20:8: expected \" = \" or \".\", found the end of the line"},
      {20, "-", "20:1: expected an Example for m, found the end of the file"},
      {8,
       "s.Operation(\"FLOOR\", s_op0).To(s_op1)\nExample({s_op0: [1.0, 1.0], s_op1: [1.0, 1.0]}, model=s, "
       "name=\"s\").DisableLifeTimeVariation()",
       "11:30: expected a model of this example, found s, a model of an earlier example"},
  });
  EXPECT_EQ(ErrorOf("Example({}, model=m, name=\"m\").DisableLifeTimeVariation()\n"),
            "f:1:1: expected operands and a Model, found \"Example\"");
  EXPECT_EQ(ErrorOf("a = Internal(\"op0\", [\"INT32\", []])\n"),
            "f:2:1: expected a Model with a, found the end of the file");
  EXPECT_EQ(ErrorOf("a = Internal(\"op0\", [\"INT32\", []])\nExample({}, model=m, name=\"m\")\n"),
            "f:2:1: expected a Model after the operands, found \"Example\"");
  EXPECT_EQ(ErrorOf("a = Output(\"op0\", [\"TENSOR_INT32\", []])\nm = Model(\"m\")\nm.IdentifyOutputs(a)\n"
                    "Example({a: [1]}, model=m, name=\"m\").DisableLifeTimeVariation()\n"),
            "f:4:13: expected an operand of known rank (or the superset group shapes in line 1), found "
            "\"[1]}, model=m, name=\"m\").DisableLifeTime...\"");
}

TEST(StatementError, FirstLineOfTheSuperset) {
  ExpectErrors({
      {1, "# Assay spec superset", "1:22: expected \" 1: \", found the end of the line"},
      {1, "# Assay spec superset 2: raw", "1:22: expected \" 1: \", found \" 2: raw\""},
      {1, "# Assay spec superset 1: ",
       "1:26: expected one of examples shapes types extensions operations raw lists subgraphs versions, found the end "
       "of the line"},
      {1, "# Assay spec superset 1: raw, magic", "1:31: expected one of lists subgraphs versions, found \"magic\""},
      {1, "# Assay spec superset 1: raw, raw", "1:31: expected one of lists subgraphs versions, found \"raw\""},
      {1, "# Assay spec superset 1: versions, raw", "1:36: expected no more names, found \"raw\""},
      {2, "# Assay spec superset 1: raw",
       "2:1: expected the superset mark in the first line only, found \"# Assay spec superset 1: raw\""},
  });
}

TEST(StatementError, TextOfTheSuperset) {
  const std::string head = "# Assay spec superset 1: examples, shapes, extensions, raw, lists\n\n";
  const std::string operand = "a = Input(\"op0\", [\"TENSOR_FLOAT32\", [1]])\n";
  const std::string model = "m = Model(\"m\")\nm.IdentifyInputs(a)\n";
  EXPECT_EQ(ErrorOf(head + "a = Parameter(\"op0\", [\"EXTENSION_1_2\", [1]], [1])\n"),
            "f:3:46: expected value=None or bytes.fromhex(...), for this type, found \"[1])\"");
  EXPECT_EQ(ErrorOf(head + "a = Parameter(\"op0\", [\"TENSOR_FLOAT32\", [1]], bytes.fromhex(\"0\"))\n"),
            "f:3:62: expected pairs of hexadecimal digits 0-9, a-f, found \"0\"");
  EXPECT_EQ(ErrorOf(head + "a = Parameter(\"op0\", [\"TENSOR_FLOAT32\", [1]], bytes.fromhex(\"0A\"))\n"),
            "f:3:62: expected pairs of hexadecimal digits 0-9, a-f, found \"0A\"");
  EXPECT_EQ(ErrorOf(head + "a = Input(\"op0\", [\"EXTENSION_0_2\", [1]])\n"),
            "f:3:19: expected an NNAPI operand type, found \"EXTENSION_0_2\"");
  EXPECT_EQ(ErrorOf(head + "a = Input(\"op0\", [\"TENSOR_FLOAT32\", [1]], extensionParams=bytes.fromhex(\"\"))\n"),
            "f:3:59: expected at least one byte, found \"bytes.fromhex\"");
  EXPECT_EQ(ErrorOf(head + operand + "m = Model(\"m\")\nm.Extension(\"a\\b\", 1)\n"),
            "f:5:16: expected \" or \\ after \\, found \"b\"");
  EXPECT_EQ(ErrorOf(head + operand + "m = Model(\"m\")\nm.Extension(\"a\", 65536)\n"),
            "f:5:18: expected an INT in 0..65535 (prefix of an extension), found \"65536\"");
  EXPECT_EQ(ErrorOf(head + operand + "m = Model(\"m\")\nm.IdentifyInputs(0)\n"),
            "f:5:18: expected the operand's name, or the number of an operand that does not exist, found \"0\"");
  EXPECT_EQ(
      ErrorOf(head + operand + "m = Model(\"m\")\nm.IdentifyInputs(a, a)\nExample({a: [1.0]}, model=m, name=\"\")\n"),
      "f:6:9: expected \"[\": two inputs or outputs are the same operand, or one is none, found \"{a: [1.0]}, "
      "model=m, name=\"\")\"");
  EXPECT_EQ(ErrorOf(head + operand + model + "Example([[], [1.0]], [], model=m, name=\"\")\n"),
            "f:6:14: expected dimensions and bytes, for what is no operand, found \"[1.0]], [], model=m, name=\"\")\"");
  EXPECT_EQ(ErrorOf(head + operand + model + "m.NoExample()\nExample({}, model=m, name=\"\")\n"),
            "f:7:1: expected operands and a Model, found \"Example\"");
  EXPECT_EQ(ErrorOf(head + operand + model + "a.NoExample()\n"),
            "f:6:1: expected m, the last model, found a, an operand of m");
}

}  // namespace
}  // namespace assay
