// Errors in characters, operands, values and names, each with its exact place and words.
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "spec_dumps/reader.h"
#include "tests/spec_dumps/spoiled_file.h"

namespace assay {
namespace {

TEST(ReaderError, TheFileItselfIsCorrect) { EXPECT_EQ(ErrorWith(0, ""), "no error"); }

TEST(ReaderError, Characters) {
  ExpectErrors({
      {1, "# tab\there", "1:6: expected printable ASCII or the end of the line, found \"\\there\""},
      {1, "# \xc3\xa9", "1:3: expected printable ASCII or the end of the line, found \"\\xc3\\xa9\""},
      {1, "# CR\r", "1:5: expected printable ASCII or the end of the line, found \"\\r\""},
      {2, " ", "2:1: expected a NAME, found \" \""},
      {3, " x = Model(\"x\")", "3:1: expected a NAME, found \" x = Model(\"x\")\""},
      {5, "s = Model(\"s\") ", "5:15: expected the end of the line, found \" \""},
      {5, "s = Model(\"s\");", "5:15: expected the end of the line, found \";\""},
      {5, "s  = Model(\"s\")", "5:2: expected \" = \" or \".\", found \"  = Model(\"s\")\""},
      {5, "s = Model(\"s-1\")", "5:11: expected a STRING of letters, digits and \"_\", found \"s-1\""},
      {5, "s = Model('s')", "5:11: expected a STRING, found \"'s')\""},
      {5, "s = Model(\"s", "5:11: expected a STRING of letters, digits and \"_\", found \"\"s\""},
      {5, "5 = Model(\"s\")", "5:1: expected a NAME, found \"5\""},
  });
  EXPECT_EQ(ErrorOf("# no end"), "f:1:9: expected the end of the line, found the end of the file");
  EXPECT_EQ(ErrorOf("m = Model(\"m\")"), "f:1:15: expected the end of the line, found the end of the file");
  EXPECT_EQ(ErrorOf(std::string("\0", 1)), "f:1:1: expected a NAME, found \"\\x00\"");
}

TEST(ReaderError, Operands) {
  ExpectErrors({
      {9, "a = Inptu(\"op0\", [])",
       "9:5: expected Input, Output, IgnoredOutput, Internal, Parameter, SubgraphReference or Model, found \"Inptu\""},
      {9, "a = Input(\"op1\", [\"INT32\", []])", "9:11: expected \"op0\", found \"op1\""},
      {9, "a = Input(\"op0\", \"INT32\")", "9:18: expected \"[\", found \"INT32\""},
      {9, "a = Input(\"op0\", [\"TENSOR_FLOAT\", []])", "9:19: expected an NNAPI operand type, found \"TENSOR_FLOAT\""},
      {9, "a = Input(\"op0\", [\"tensor_int32\", []])", "9:19: expected an NNAPI operand type, found \"tensor_int32\""},
      {9, "a = Input(\"op0\", [\"SUBGRAPH\", []])",
       "9:19: expected a type that has plain values (or the superset group types in line 1), found "
       "\"SUBGRAPH\""},
      {9, "a = Input(\"op0\", [\"TENSOR_OEM_BYTE\", [1]])",
       "9:19: expected a type that has plain values (or the superset group types in line 1), found "
       "\"TENSOR_OEM_BYTE\""},
      {9, "a = Input(\"op0\", [\"EXTENSION_1_2\", [1]])",
       "9:19: expected a type that has plain values (or the superset group extensions in line 1), found "
       "\"EXTENSION_1_2\""},
      {9, "a = Input(\"op0\", [\"INT32\"])", "9:26: expected \", \", found \"])\""},
      {9, "a = Input(\"op0\", [\"INT32\", []], [1])", "9:31: expected \")\", found \", [1])\""},
      {9, "a = Input(\"op0\", [\"TENSOR_INT32\", [-1]])",
       "9:36: expected an INT in 0..4294967295 (dimension), found \"-1\""},
      {9, "a = Input(\"op0\", [\"TENSOR_INT32\", [4294967296]])",
       "9:36: expected an INT in 0..4294967295 (dimension), found \"4294967296\""},
      {9, "a = Input(\"op0\", [\"TENSOR_INT32\", [1.0]])", "9:36: expected an INT (dimension), found \"1.0\""},
      {9, "a = Input(\"op0\", [\"TENSOR_INT32\", [01]])", "9:36: expected an INT without leading zeros, found \"01\""},
      {9, "a = Input(\"op0\", [\"TENSOR_INT32\", [1,2]])", "9:37: expected \", \" or \"]\", found \",2]])\""},
      {9, "a = Input(\"op0\", [\"TENSOR_INT32\", [2, ]])", "9:39: expected an INT (dimension), found \"]])\""},
      {9, "a = Input(\"op0\", [\"TENSOR_INT32\", [65536, 65536, 65536, 65536]])",
       "9:35: expected dimensions whose product fits 64 bits (or the superset group shapes in line 1), found "
       "\"[65536, 65536, 65536, 65536]])\""},
      {9, "a = Input(\"op0\", [\"INT32\", [1]])",
       "9:28: expected the dimensions [] of the scalar type INT32 (or the superset group shapes in line 1), found "
       "\"[1]])\""},
      {9, "a = Input(\"op0\", [\"TENSOR_INT32\", [1], 1, 0])",
       "9:40: expected a FLOAT (a decimal with \".\" or \"e\"), found \"1\""},
      {9, "a = Input(\"op0\", [\"TENSOR_INT32\", [1], 1.0])", "9:43: expected \", \", found \"])\""},
      {9, "a = Input(\"op0\", [\"TENSOR_INT32\", [1], 1.0, 2147483648])",
       "9:45: expected an INT in -2147483648..2147483647 (zero point), found \"2147483648\""},
      {9, "a = Input(\"op0\", [\"TENSOR_INT32\", [1], 0.0, 0])",
       "9:40: expected no scale and zero point where both are 0, found \"0.0\""},
      {9, "a = Input(\"op0\", [\"TENSOR_INT32\", [1]], value=None)", "9:39: expected \")\", found \", value=None)\""},
      {9, "a = Input(\"op0\", [\"TENSOR_INT32\", [1]], extraParams=None)",
       "9:39: expected \")\", found \", extraParams=None)\""},
      {9,
       "a = Input(\"op0\", [\"TENSOR_INT32\", [1]], extraParams=SymmPerChannelQuantParams(channelDim=-1, "
       "scales=[1.0]))",
       "9:90: expected an INT in 0..4294967295 (channelDim), found \"-1\""},
      {9, "a = Input(\"op0\", [\"TENSOR_INT32\", [1]], extraParams=SymmPerChannelQuantParams(channelDim=0, scales=[]))",
       "9:101: expected at least one scale (or the superset group raw in line 1), found \"]))\""},
      {9,
       "a = Input(\"op0\", [\"TENSOR_INT32\", [1]], extraParams=SymmPerChannelQuantParams(channelDim=0, scales=[1]))",
       "9:101: expected a FLOAT (a decimal with \".\" or \"e\"), found \"1\""},
      {11, "c = Parameter(\"op2\", [\"TENSOR_FLOAT32\", [2]])", "11:45: expected \", \", found \")\""},
      {11, "c = Parameter(\"op2\", [\"TENSOR_FLOAT32\", [2]], None)", "11:47: expected \"[\", found \"None\""},
      {11, "c = Parameter(\"op2\", [\"TENSOR_FLOAT32\", [2]], bytes.fromhex(\"00\"))",
       "11:47: expected values (or the superset group raw in line 1), found \"bytes.fromhex\""},
      {10, "b = SubgraphReference(\"op1\", 1)",
       "10:30: expected a model's NAME (or the superset group subgraphs in line 1), found \"1\""},
      {10, "b = SubgraphReference(\"op1\", s_op0)",
       "10:30: expected a model of this example, found s_op0, an operand of s"},
      {10, "b = SubgraphReference(\"op1\", t)",
       "10:30: expected a model of this example, found t, which is not defined"},
      {10, "b = SubgraphReference(\"op1\", m)",
       "10:30: expected a model of this example, found m, which is not defined"},
      {10, "b = SubgraphReference(\"op1\", s, [\"SUBGRAPH\", []])",
       "10:31: expected \")\" (or the superset group types in line 1), found \", [\"SUBGRAPH\", []])\""},
  });
  std::string dims = "1";
  for (int i = 0; i < 64; ++i) dims += ", 1";
  EXPECT_EQ(ErrorWith(9, absl::StrCat("a = Input(\"op0\", [\"TENSOR_INT32\", [", dims, "]])")),
            "f:9:228: expected at most 64 dimensions, found \"1\"");
}

TEST(ReaderError, Values) {
  const auto parameter = [](const std::string& type, const std::string& values) {
    return absl::StrCat("c = Parameter(\"op2\", [", type, "], ", values, ")");
  };
  ExpectErrors({
      {11, parameter("\"TENSOR_FLOAT32\", [2]", "[1.0]"),
       "11:47: expected 2 values of TENSOR_FLOAT32 [2], found 1 values"},
      {11, parameter("\"TENSOR_FLOAT32\", [2]", "[1.0, 2.0, 3.0]"),
       "11:47: expected 2 values of TENSOR_FLOAT32 [2], found 3 values"},
      {11, parameter("\"TENSOR_FLOAT32\", [2]", "[]"),
       "11:47: expected 2 values of TENSOR_FLOAT32 [2], found 0 values"},
      {11, parameter("\"TENSOR_FLOAT32\", [0]", "[1.0]"),
       "11:47: expected 0 values of TENSOR_FLOAT32 [0], found 1 values"},
      {11, parameter("\"TENSOR_FLOAT32\", [4000000000, 4000000000]", "[1.0]"),
       "11:68: expected 16000000000000000000 values of TENSOR_FLOAT32 [4000000000, 4000000000], found 1 values"},
      {11, parameter("\"INT32\", []", "[1, 2]"), "11:37: expected 1 values of INT32 [], found 2 values"},
      {11, parameter("\"INT32\", []", "1"), "11:37: expected \"[\", found \"1\""},
      {11, parameter("\"TENSOR_FLOAT32\", [2]", "[1.0, 2]"),
       "11:53: expected a FLOAT (a decimal with \".\" or \"e\"), found \"2\""},
      {11, parameter("\"TENSOR_FLOAT32\", [2]", "[1.0, .5]"),
       "11:53: expected a FLOAT (a decimal with \".\" or \"e\"), found \".5\""},
      {11, parameter("\"TENSOR_FLOAT32\", [2]", "[1.0, 1e5]"),
       "11:53: expected a FLOAT (a decimal with \".\" or \"e\"), found \"1e5\""},
      {11, parameter("\"TENSOR_FLOAT32\", [2]", "[1.0, inf]"),
       "11:53: expected a FLOAT (a decimal with \".\" or \"e\"), found \"inf\""},
      {11, parameter("\"TENSOR_FLOAT32\", [2]", "[1.0, 1.5f]"),
       "11:53: expected a FLOAT (a decimal with \".\" or \"e\"), found \"1.5f\""},
      {11, parameter("\"TENSOR_FLOAT32\", [2]", "[1.0, 1e+39]"),
       "11:53: expected a FLOAT in the range of float32, found \"1e+39\""},
      {11, parameter("\"TENSOR_FLOAT32\", [2]", "[1.0,  2.0]"),
       "11:53: expected a FLOAT (a decimal with \".\" or \"e\"), found \" 2.0])\""},
      {11, parameter("\"TENSOR_FLOAT32\", [2]", "[1.0, 2.0"), "11:56: expected \", \" or \"]\", found \")\""},
      {11, parameter("\"FLOAT16\", []", "[0.1]"),
       "11:40: expected a float16 value (the nearest is 0.099975586), found \"0.1\""},
      {11, parameter("\"FLOAT16\", []", "[7e+04]"),
       "11:40: expected a float16 value (the nearest is float(\"inf\")), found \"7e+04\""},
      {11, parameter("\"BOOL\", []", "[true]"), "11:37: expected True or False, found \"true\""},
      {11, parameter("\"BOOL\", []", "[1]"), "11:37: expected True or False, found \"1\""},
      {11, parameter("\"TENSOR_INT32\", [1]", "[True]"), "11:46: expected an INT (TENSOR_INT32), found \"True\""},
      {11, parameter("\"TENSOR_INT32\", [1]", "[0x10]"), "11:46: expected an INT (TENSOR_INT32), found \"0x10\""},
      {11, parameter("\"TENSOR_INT32\", [1]", "[-]"), "11:46: expected an INT (TENSOR_INT32), found \"-\""},
      {11, parameter("\"TENSOR_INT32\", [1]", "[+1]"), "11:46: expected an INT (TENSOR_INT32), found \"+1])\""},
      {11, parameter("\"TENSOR_INT32\", [1]", "[1_000]"), "11:46: expected an INT (TENSOR_INT32), found \"1_000\""},
      {11, parameter("\"TENSOR_INT32\", [1]", "[99999999999999999999999]"),
       "11:46: expected an INT in -2147483648..2147483647 (TENSOR_INT32), found \"99999999999999999999999\""},
  });
  const std::vector<std::pair<std::string, std::string>> beyond = {
      {"INT32 -2147483649", "-2147483648..2147483647"},
      {"UINT32 -1", "0..4294967295"},
      {"UINT32 4294967296", "0..4294967295"},
      {"TENSOR_QUANT8_ASYMM 256", "0..255"},
      {"TENSOR_QUANT8_ASYMM -1", "0..255"},
      {"TENSOR_QUANT16_SYMM 32768", "-32768..32767"},
      {"TENSOR_QUANT16_ASYMM 65536", "0..65535"},
      {"TENSOR_QUANT8_SYMM_PER_CHANNEL 128", "-128..127"},
      {"TENSOR_QUANT8_SYMM -129", "-128..127"},
      {"TENSOR_QUANT8_ASYMM_SIGNED 128", "-128..127"},
  };
  for (const auto& [type_and_value, range] : beyond) {
    const size_t space = type_and_value.find(' ');
    const std::string type = type_and_value.substr(0, space);
    const std::string value = type_and_value.substr(space + 1);
    const std::string line =
        parameter(absl::StrCat("\"", type, "\", ", type[0] == 'T' ? "[1]" : "[]"), absl::StrCat("[", value, "]"));
    EXPECT_EQ(ErrorWith(11, line), absl::StrCat("f:11:", line.rfind('[') + 2, ": expected an INT in ", range, " (",
                                                type, "), found \"", value, "\""));
  }
}

TEST(ReaderError, Names) {
  ExpectErrors({
      {9, "s = Input(\"op0\", [\"INT32\", []])", "9:1: expected a new NAME, found s, which is already defined"},
      {9, "s_op0 = Input(\"op0\", [\"INT32\", []])", "9:1: expected a new NAME, found s_op0, which is already defined"},
      {14, "c = Model(\"m\")", "14:1: expected a new NAME, found c, which is already defined"},
      {9, "lambda = Input(\"op0\", [\"INT32\", []])", "9:1: expected a NAME that is not reserved, found lambda"},
      {14, "Model = Model(\"m\")", "14:1: expected a NAME that is not reserved, found Model"},
      {15, "m.IdentifyInputs(x)", "15:18: expected an operand of m, found x, which is not defined"},
      {15, "m.IdentifyInputs(s_op0)", "15:18: expected an operand of m, found s_op0, an operand of s"},
      {17, "m.Operation(\"ADD\", a, s).To(d)", "17:23: expected an operand of m, found s, a model"},
      {17, "m.Operation(\"ADD\", a, b).To(s_op1)", "17:29: expected an operand of m, found s_op1, an operand of s"},
      {17, "m.Operation(\"ADD\", a, 7).To(d)",
       "17:23: expected an operand's NAME (or the superset group lists in line 1), found \"7\""},
      {13, "# CONSTANT_REFERENCE: s_op0", "13:23: expected an operand of the next model, found s_op0, an operand of s"},
      {13, "# CONSTANT_REFERENCE: x", "13:23: expected an operand of the next model, found x, which is not defined"},
      {13, "# CONSTANT_REFERENCE: a", "13:23: expected a Parameter with values, found a, which is none"},
      {13, "# CONSTANT_REFERENCE: c, c", "13:26: expected a Parameter with values, found c a second time"},
      {13, "# CONSTANT_REFERENCE", "13:21: expected \": \", found the end of the line"},
      {13, "# CONSTANT_REFERENCE: ", "13:23: expected a NAME, found the end of the line"},
      {13, "# CONSTANT_REFERENCE: c ", "13:24: expected \", \" or the end of the line, found \" \""},
      {13, "# CONSTANT_REFERENCE: c\nz = Internal(\"op4\", [\"INT32\", []])",
       "14:1: expected a Model statement after CONSTANT_REFERENCE, found z, which is not defined"},
      {13, "# CONSTANT_REFERENCE: c\n# CONSTANT_REFERENCE: c",
       "14:23: expected a Model statement after CONSTANT_REFERENCE, found \"c\""},
  });
}

TEST(ReaderError, FilesThatCannotBeRead) {
  const absl::StatusOr<SpecFile> missing = ReadSpecFile("no/such/file.mod.py");
  EXPECT_EQ(missing.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(missing.status().message()), testing::HasSubstr("no/such/file.mod.py"));
  EXPECT_FALSE(ReadSpecFile("tests").ok());
}

}  // namespace
}  // namespace assay
