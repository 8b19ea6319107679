// What the reader gives, the form that AddCase brings a test case into, comments, and writing of files.
#include "spec_dumps/spec.h"

#include <sys/stat.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "absl/strings/match.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "spec_dumps/reader.h"
#include "spec_dumps/spelling.h"
#include "spec_dumps/writer.h"
#include "tests/spec_dumps/spec_files.h"

namespace assay {
namespace {

using testing::ElementsAre;

SpecFile Own(const std::string& name) {
  absl::StatusOr<SpecFile> file = ReadSpecFile("tests/data/specs/" + name + ".mod.py");
  EXPECT_TRUE(file.ok()) << file.status();
  return file.ok() ? *std::move(file) : SpecFile();
}

template <class T>
std::vector<T> Elements(const Bytes& bytes) {
  std::vector<T> elements(bytes.size() / sizeof(T));
  std::memcpy(elements.data(), bytes.data(), bytes.size());
  return elements;
}

TEST(ReadSpec, GivesModelAndExample) {
  const SpecFile file = Own("add_float");
  ASSERT_EQ(file.cases.size(), 1u);
  EXPECT_EQ(file.comments, "# The smallest complete file: one operation, its fused activation a constant.\n");
  const TestCase& test = file.cases[0].test;
  EXPECT_EQ(test.introduced_in, 1);
  EXPECT_FALSE(test.model.relaxed);
  ASSERT_EQ(test.model.subgraphs.size(), 1u);
  const Subgraph& main = test.model.main();
  EXPECT_EQ(main.name, "add_float");
  EXPECT_THAT(main.inputs, ElementsAre(0, 1));
  EXPECT_THAT(main.outputs, ElementsAre(3));
  ASSERT_EQ(main.operands.size(), 4u);
  EXPECT_EQ(main.operands[0].name, "m0_op0");
  EXPECT_EQ(main.operands[0].type, OperandType::TENSOR_FLOAT32);
  EXPECT_EQ(main.operands[0].dims, Dims{2});
  EXPECT_EQ(main.operands[0].lifetime, Lifetime::SUBGRAPH_INPUT);
  EXPECT_EQ(main.operands[2].type, OperandType::INT32);
  EXPECT_EQ(main.operands[2].lifetime, Lifetime::CONSTANT_COPY);
  EXPECT_THAT(Elements<int32_t>(*main.operands[2].value), ElementsAre(0));
  EXPECT_EQ(main.operands[3].lifetime, Lifetime::SUBGRAPH_OUTPUT);
  ASSERT_EQ(main.operations.size(), 1u);
  EXPECT_EQ(main.operations[0].code, OperationCode::ADD);
  EXPECT_THAT(main.operations[0].inputs, ElementsAre(0, 1, 2));
  EXPECT_THAT(main.operations[0].outputs, ElementsAre(3));
  ASSERT_EQ(test.examples.size(), 1u);
  const Example& example = test.examples[0];
  EXPECT_EQ(example.name, "add_float");
  EXPECT_FALSE(example.expect_failure);
  EXPECT_EQ(example.multinomial_tolerance, std::nullopt);
  ASSERT_EQ(example.inputs.size(), 2u);
  EXPECT_FALSE(example.inputs[1].omitted);
  EXPECT_EQ(example.inputs[1].dims, Dims{2});
  EXPECT_THAT(Elements<float>(example.inputs[1].bytes), ElementsAre(3.0f, -0.25f));
  ASSERT_EQ(example.outputs.size(), 1u);
  EXPECT_THAT(Elements<float>(example.outputs[0].bytes), ElementsAre(4.0f, 2.25f));
}

TEST(ReadSpec, GivesQuantization) {
  const SpecFile file = Own("conv_quantized");
  const std::vector<Operand>& operands = file.cases[0].test.model.main().operands;
  EXPECT_EQ(operands[0].quantization.scale, 0.5f);
  EXPECT_EQ(operands[0].quantization.zero_point, -128);
  EXPECT_EQ(operands[0].quantization.per_channel, nullptr);
  ASSERT_NE(operands[1].quantization.per_channel, nullptr);
  EXPECT_EQ(operands[1].quantization.per_channel->channel_dim, 0u);
  EXPECT_THAT(operands[1].quantization.per_channel->scales, ElementsAre(0.5f, 0.75f));
  EXPECT_THAT(Elements<int8_t>(*operands[1].value), ElementsAre(1, 2, -127, 127));
  EXPECT_THAT(Elements<int32_t>(*operands[2].value), ElementsAre(4, INT32_MIN));
}

TEST(ReadSpec, GivesOmittedAndIgnored) {
  const SpecFile omitted = Own("omitted");
  EXPECT_EQ(omitted.cases[0].test.model.main().operands[1].lifetime, Lifetime::NO_VALUE);
  EXPECT_EQ(omitted.cases[0].test.model.main().operands[1].value, nullptr);
  for (size_t i : {1, 2}) {
    const ExampleValue& value = omitted.cases[i].test.examples[0].inputs[1];
    EXPECT_TRUE(value.omitted);
    EXPECT_TRUE(value.bytes.empty());
    EXPECT_FALSE(omitted.cases[i].test.examples[0].inputs[0].omitted);
  }
  const SpecFile ignored = Own("ignored_output");
  EXPECT_FALSE(ignored.cases[0].test.model.main().operands[2].ignored);
  EXPECT_TRUE(ignored.cases[0].test.model.main().operands[3].ignored);
  EXPECT_EQ(ignored.cases[0].test.model.main().operands[3].lifetime, Lifetime::SUBGRAPH_OUTPUT);
}

TEST(ReadSpec, AnOutputWithDimensionZeroIsNotOmitted) {
  const SpecFile file = Own("zero_sized");
  const ExampleValue& value = file.cases[0].test.examples[0].outputs[0];
  EXPECT_FALSE(value.omitted);
  EXPECT_EQ(value.dims, (Dims{0, 3}));
  EXPECT_TRUE(value.bytes.empty());
}

TEST(ReadSpec, NumbersSubgraphsByFirstReference) {
  const SpecFile file = Own("while_nested");
  const Model& model = file.cases[0].test.model;
  ASSERT_EQ(model.subgraphs.size(), 4u);
  EXPECT_EQ(model.subgraphs[0].name, "while_nested");
  EXPECT_EQ(model.subgraphs[1].name, "while_nested_s0");
  EXPECT_EQ(model.subgraphs[2].name, "while_nested_s1");
  EXPECT_EQ(model.subgraphs[3].name, "while_nested_s2");
  EXPECT_EQ(model.subgraphs[0].operands[1].lifetime, Lifetime::SUBGRAPH);
  EXPECT_EQ(model.subgraphs[0].operands[1].type, OperandType::SUBGRAPH);
  EXPECT_EQ(model.subgraphs[0].operands[1].subgraph, 1u);
  EXPECT_EQ(model.subgraphs[0].operands[2].subgraph, 2u);
  EXPECT_EQ(model.subgraphs[2].operands[1].subgraph, 1u);
  EXPECT_EQ(model.subgraphs[2].operands[2].subgraph, 3u);
  EXPECT_THAT(file.cases[0].model_names, ElementsAre("m0", "m0_s0", "m0_s1", "m0_s2"));
}

TEST(ReadSpec, GivesConstantReferences) {
  const SpecFile file = Own("constant_reference");
  const Model& model = file.cases[0].test.model;
  EXPECT_EQ(model.subgraphs[0].operands[0].lifetime, Lifetime::CONSTANT_REFERENCE);
  EXPECT_EQ(model.subgraphs[1].operands[1].lifetime, Lifetime::CONSTANT_REFERENCE);
  EXPECT_EQ(model.subgraphs[1].operands[2].lifetime, Lifetime::CONSTANT_REFERENCE);
  EXPECT_THAT(Elements<float>(*model.subgraphs[1].operands[1].value), ElementsAre(2.0f));
}

TEST(ReadSpec, GivesFlags) {
  const SpecFile relaxed = Own("relaxed");
  EXPECT_TRUE(relaxed.cases[0].test.model.relaxed);
  EXPECT_EQ(relaxed.cases[0].test.introduced_in, std::nullopt);
  EXPECT_TRUE(relaxed.cases[1].test.model.relaxed);
  EXPECT_EQ(relaxed.cases[1].test.introduced_in, 2);
  const SpecFile versions = Own("versions");
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(versions.cases[static_cast<size_t>(i)].test.introduced_in, i + 1);
  }
  EXPECT_EQ(versions.cases[8].test.introduced_in, std::nullopt);
  EXPECT_TRUE(Own("must_fail").cases[0].test.examples[0].expect_failure);
  const SpecFile multinomial = Own("multinomial");
  EXPECT_EQ(multinomial.cases[0].test.examples[0].multinomial_tolerance, 0.025f);
  EXPECT_FALSE(multinomial.cases[0].test.examples[0].expect_failure);
  EXPECT_TRUE(multinomial.cases[1].test.examples[0].expect_failure);
}

TEST(ReadSpec, AcceptsOtherDecimalsAndOrders) {
  const std::string before =
      "a = Input(\"op0\", [\"TENSOR_FLOAT32\", [3]])\nb = Output(\"op1\", [\"TENSOR_FLOAT32\", [1]])\nm = "
      "Model(\"m\")\n"
      "m.IdentifyInputs(a)\nm.IdentifyOutputs(b)\nm.IntroducedIn(\"V1_0\")\nm.RelaxedExecution(True)\n";
  const absl::StatusOr<SpecFile> file =
      ReadSpec(before +
                   "Example({b: [1.50], a: [100.0, 0.1000000014901161193847656, 16777217.0]}, model=m, "
                   "name=\"m\").DisableLifeTimeVariation()\n",
               "f");
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_THAT(Elements<float>(file->cases[0].test.examples[0].inputs[0].bytes), ElementsAre(100.0f, 0.1f, 16777216.0f));
  EXPECT_THAT(WriteSpec(*file), testing::HasSubstr("m.RelaxedExecution(True)\nm.IntroducedIn(\"V1_0\")\n"
                                                   "Example({a: [1e+02, 0.1, 16777216.0], b: [1.5]}, model=m"));
}

TEST(ReadSpec, KeepsCommentsApart) {
  const SpecFile file = Own("comments");
  ASSERT_EQ(file.cases.size(), 2u);
  EXPECT_EQ(file.comments,
            "# Comments and blank lines may stand anywhere,\n#even so,\n#\n# and stay where they are.\n");
  EXPECT_EQ(file.cases[0].comments, "\n# This belongs to the first case,\n\n# and this too.\n");
  EXPECT_THAT(file.cases[0].example_comments, ElementsAre("\n# Before the example: what the driver answered.\n"));
  EXPECT_FALSE(file.cases[0].tight);
  EXPECT_EQ(file.cases[1].comments, "# No blank line before this one.\n");
  EXPECT_TRUE(file.cases[1].tight);
  EXPECT_EQ(file.end_comments, "\n\n\n# The end.\n\n");
  const SpecFile examples = Own("superset_examples");
  EXPECT_THAT(examples.cases[0].example_comments,
              ElementsAre("# The first.\n", "# The second:\n# the driver answered 2.0, allowed is 1.0.\n"));
  EXPECT_EQ(examples.cases[0].test.examples.size(), 4u);
  EXPECT_TRUE(examples.cases[1].test.examples.empty());
}

// FLOOR of one element, with a name that no file can keep.
TestCase SmallCase() {
  TestCase test;
  Subgraph& main = test.model.main();
  main.name = "floor of 1.5";
  main.operands.resize(2);
  for (Operand& operand : main.operands) operand.dims = {1};
  main.operands[0].lifetime = Lifetime::SUBGRAPH_INPUT;
  main.operands[1].lifetime = Lifetime::SUBGRAPH_OUTPUT;
  main.inputs = {0};
  main.outputs = {1};
  main.operations.push_back({OperationCode::FLOOR, {0}, {1}});
  Example& example = test.examples.emplace_back();
  const float in = 1.5f, out = 1.0f;
  example.inputs.push_back({false, {1}, *MakeValue(std::span(&in, 1))});
  example.outputs.push_back({false, {1}, *MakeValue(std::span(&out, 1))});
  return test;
}

constexpr char kSmallText[] =
    "m0_op0 = Input(\"op0\", [\"TENSOR_FLOAT32\", [1]])\n"
    "m0_op1 = Output(\"op1\", [\"TENSOR_FLOAT32\", [1]])\n"
    "m0 = Model(\"floor_of_1_5\")\n"
    "m0.IdentifyInputs(m0_op0)\n"
    "m0.IdentifyOutputs(m0_op1)\n"
    "m0.Operation(\"FLOOR\", m0_op0).To(m0_op1)\n";
constexpr char kSmallExample[] =
    "Example({m0_op0: [1.5], m0_op1: [1.0]}, model=m0, name=\"\").DisableLifeTimeVariation()\n";

TEST(FromTestCase, GivesNamesAndPlainText) {
  EXPECT_EQ(WriteSpec(FromTestCase(SmallCase())), std::string(kSmallText) + kSmallExample);
}

TEST(FromTestCase, WritesCommentsOfAFinding) {
  SpecFile file = FromTestCase(SmallCase());
  file.comments = "Found by a campaign.";
  file.cases[0].comments = "seed 7\n\nassay replay 7\n# CONSTANT_REFERENCE: no\n# Assay spec superset 1: no";
  file.cases[0].example_comments = {"the driver answered 2.0\tallowed [1.0, 1.0]\n"};
  file.end_comments = "end\n";
  const std::string text = WriteSpec(file);
  EXPECT_EQ(text,
            "# Found by a campaign.\n\n# seed 7\n\n# assay replay 7\n# # CONSTANT_REFERENCE: no\n"
            "# # Assay spec superset 1: no\n" +
                std::string(kSmallText) + "# the driver answered 2.0\\tallowed [1.0, 1.0]\n" + kSmallExample +
                "# end\n");
  const absl::StatusOr<SpecFile> read = ReadSpec(text, "f");
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->cases[0].test, file.cases[0].test);
  EXPECT_EQ(WriteSpec(*read), text);
}

TEST(AddCase, NumbersCasesAndRenumbersSubgraphs) {
  SpecFile file;
  AddCase(file, SmallCase());
  TestCase test = SmallCase();
  const auto refer = [&test](size_t from, uint32_t to) {
    Operand operand;
    operand.type = OperandType::SUBGRAPH;
    operand.lifetime = Lifetime::SUBGRAPH;
    operand.subgraph = to;
    test.model.subgraphs[from].operands.push_back(operand);
  };
  for (const char* name : {"a", "b", "c"}) {
    test.model.subgraphs.emplace_back();
    test.model.subgraphs.back().name = name;
  }
  refer(0, 3);
  refer(0, 2);
  refer(3, 1);
  const SpecCase& added = AddCase(file, test);
  EXPECT_THAT(added.model_names, ElementsAre("m1", "m1_s0", "m1_s1", "m1_s2"));
  const Model& model = added.test.model;
  EXPECT_EQ(model.subgraphs[1].name, "c");
  EXPECT_EQ(model.subgraphs[2].name, "a");
  EXPECT_EQ(model.subgraphs[3].name, "b");
  EXPECT_EQ(model.subgraphs[0].operands[2].subgraph, 1u);
  EXPECT_EQ(model.subgraphs[0].operands[3].subgraph, 3u);
  EXPECT_EQ(model.subgraphs[1].operands[0].subgraph, 2u);
  EXPECT_EQ(model.subgraphs[1].operands[0].name, "m1_s0_op0");
  EXPECT_THAT(WriteSpec(file),
              testing::HasSubstr("\nm1_s1 = Model(\"a\")\nm1_s0_op0 = SubgraphReference(\"op0\", m1_s1)\n"
                                 "m1_s0 = Model(\"c\")\nm1_s2 = Model(\"b\")\nm1_op0 = Input("));
}

TEST(AddCase, EmptiesFieldsWithoutMeaning) {
  TestCase test = SmallCase();
  std::vector<Operand>& operands = test.model.main().operands;
  operands[0].ignored = true;
  operands[0].value = std::make_shared<const Bytes>(4);
  operands[0].subgraph = 3;
  test.examples[0].inputs[0].omitted = true;
  const SpecFile file = FromTestCase(test);
  EXPECT_FALSE(file.cases[0].test.model.main().operands[0].ignored);
  EXPECT_EQ(file.cases[0].test.model.main().operands[0].value, nullptr);
  EXPECT_EQ(file.cases[0].test.model.main().operands[0].subgraph, 0u);
  EXPECT_TRUE(file.cases[0].test.examples[0].inputs[0].bytes.empty());
}

TEST(WriteSpec, NamesTheGroupsThatItNeeds) {
  const auto first_line = [](const TestCase& test) {
    const std::string text = WriteSpec(FromTestCase(test));
    return text.substr(0, text.find('\n'));
  };
  TestCase test = SmallCase();
  test.examples.clear();
  EXPECT_EQ(first_line(test), "# Assay spec superset 1: examples");
  test = SmallCase();
  test.model.main().operands[0].dims = {0};
  EXPECT_EQ(first_line(test), "# Assay spec superset 1: shapes");
  test = SmallCase();
  test.model.main().operands[0].type = OperandType::TENSOR_OEM_BYTE;
  EXPECT_EQ(first_line(test), "# Assay spec superset 1: types, raw");
  test = SmallCase();
  test.model.extensions.push_back({"com.example", 7});
  EXPECT_EQ(first_line(test), "# Assay spec superset 1: extensions");
  test = SmallCase();
  test.model.main().operations[0].code = static_cast<OperationCode>(0x70001);
  EXPECT_EQ(first_line(test), "# Assay spec superset 1: extensions");
  test.model.main().operations[0].code = static_cast<OperationCode>(999);
  EXPECT_EQ(first_line(test), "# Assay spec superset 1: operations");
  test = SmallCase();
  test.examples[0].outputs[0].bytes = {1, 0, 0xc0, 0x7f};
  EXPECT_EQ(first_line(test), "# Assay spec superset 1: raw");
  test.examples[0].outputs[0].bytes = {0, 0, 0xc0, 0x7f};
  EXPECT_EQ(first_line(test), "m0_op0 = Input(\"op0\", [\"TENSOR_FLOAT32\", [1]])");
  test = SmallCase();
  test.model.main().operands[0].lifetime = Lifetime::TEMPORARY_VARIABLE;
  EXPECT_EQ(first_line(test), "# Assay spec superset 1: lists");
  test = SmallCase();
  test.model.subgraphs.emplace_back();
  EXPECT_EQ(first_line(test), "# Assay spec superset 1: subgraphs");
  test = SmallCase();
  test.introduced_in = 9;
  EXPECT_EQ(first_line(test), "# Assay spec superset 1: versions");
}

TEST(WriteSpecFile, ReplacesTheFileAndLeavesNothingBeside) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "assay_write_spec_file";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const std::string path = (folder / "x.mod.py").string();
  std::ofstream(path) << "old";
  ASSERT_TRUE(WriteSpecFile(path, FromTestCase(SmallCase())).ok());
  EXPECT_EQ(FileText(path), std::string(kSmallText) + kSmallExample);
  const std::filesystem::directory_iterator files(folder);
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
  std::filesystem::remove_all(folder);
}

TEST(WriteSpecFile, FailsWithoutATrace) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "assay_write_spec_fails";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder / "taken" / "inside");
  const absl::Status missing = WriteSpecFile((folder / "no" / "x.mod.py").string(), SpecFile());
  EXPECT_EQ(missing.code(), absl::StatusCode::kNotFound) << missing;
  EXPECT_THAT(std::string(missing.message()), testing::HasSubstr("x.mod.py"));
  // A folder that is not empty cannot be replaced; what was written beside it is gone again.
  EXPECT_FALSE(WriteSpecFile((folder / "taken").string(), SpecFile()).ok());
  const std::filesystem::directory_iterator files(folder);
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
  std::filesystem::remove_all(folder);
}

TEST(Spelling, WordsThatSpellThemselves) {
  for (const TypeInfo& info : AllTypes()) EXPECT_EQ(FindSpelledType(SpellType(info.type).value)->value, info.type);
  for (uint32_t code = 0; code < 120; ++code) {
    const auto operation = static_cast<OperationCode>(code);
    EXPECT_EQ(FindSpelledOperation(SpellOperation(operation).value)->value, operation);
  }
  for (int level : {INT32_MIN, -5, 0, 1, 4, 5, 8, 9, INT32_MAX}) {
    EXPECT_EQ(FindSpelledVersion(SpellVersion(level).value)->value, level);
  }
  for (const char* word : {"", "UNKNOWN", "TYPE_3", "TYPE_0300", "TYPE_65536", "EXTENSION_1", "EXTENSION_1_",
                           "EXTENSION_01_1", "EXTENSION_1_65536", "EXTENSION_65536_1", "EXTENSION_0_1"}) {
    EXPECT_FALSE(FindSpelledType(word).has_value()) << word;
  }
  for (const char* word : {"", "EXTENSION", "OPERATION_5", "OPERATION_10000", "OPERATION_99999999999"}) {
    EXPECT_FALSE(FindSpelledOperation(word).has_value()) << word;
  }
  for (const char* word : {"", "LEVEL_1", "LEVEL_8", "LEVEL_MINUS_0", "LEVEL_-1", "LEVEL_2147483648"}) {
    EXPECT_FALSE(FindSpelledVersion(word).has_value()) << word;
  }
  for (const char* word : {"if", "None", "Model", "yield", "bytes", "False"}) EXPECT_TRUE(IsReservedName(word)) << word;
  for (const char* word : {"m0", "Mode", "odel", "i", "e", "models", "True1", ""}) {
    EXPECT_FALSE(IsReservedName(word)) << word;
  }
}

}  // namespace
}  // namespace assay
