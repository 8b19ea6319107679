// The published examples are valid at the level that they declare, none of them is foreseen to fail when executed
// unless it must, and their requests are valid.
#include <algorithm>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "ops/registry.h"
#include "spec_dumps/reader.h"
#include "tests/spec_dumps/spec_files.h"
#include "validate/model.h"
#include "validate/request.h"

namespace assay {
namespace {

// The first operation of the model that the registry does not have; empty if it has all of them.
std::string UnknownOperation(const Model& model) {
  for (const Subgraph& s : model.subgraphs)
    for (const Operation& o : s.operations)
      if (FindOperationInfo(o.code) == nullptr) return std::string(NameOf(o.code));
  return "";
}

// The request that runs an example: what is omitted has no buffer, outputs have as many bytes as are expected.
RequestShape RequestOf(const Example& example) {
  const auto arguments = [](const std::vector<ExampleValue>& values) {
    std::vector<RequestArgument> out;
    for (const ExampleValue& v : values)
      out.push_back(v.omitted ? RequestArgument{.source = Source::NO_VALUE}
                              : RequestArgument{.dims = v.dims, .length = v.bytes.size()});
    return out;
  };
  return {.inputs = arguments(example.inputs), .outputs = arguments(example.outputs)};
}

// The values of outputs that come out empty have no bytes, and no request can ask for a dimension 0.
bool HasEmptyValue(const std::vector<ExampleValue>& values) {
  return std::any_of(values.begin(), values.end(), [](const ExampleValue& v) { return !v.omitted && v.bytes.empty(); });
}

struct Counts {
  int models = 0, examples = 0, skipped = 0, refused = 0, foreseen = 0, failing = 0, requests = 0, undeclared = 0,
      lower = 0;
  std::map<std::string, int> unknown;  // examples by the operation that the registry lacks
};

void CheckCase(const TestCase& test, const std::string& file, Counts& counts) {
  const int examples = static_cast<int>(std::max<size_t>(test.examples.size(), 1));
  if (const std::string unknown = UnknownOperation(test.model); !unknown.empty()) {
    counts.skipped += examples;
    counts.unknown[unknown] += examples;
    return;
  }
  ++counts.models;
  counts.examples += examples;
  const bool fails = std::any_of(test.examples.begin(), test.examples.end(), [](auto& e) { return e.expect_failure; });
  const FeatureLevel level = test.introduced_in.value_or(kHighestFeatureLevel);
  counts.undeclared += !test.introduced_in;
  const Violations violations = ValidateModel(test.model, level), foreseen = ExecutionViolations(test.model);
  if (fails) {
    counts.failing += 1;
    counts.refused += !violations.empty();
    counts.foreseen += violations.empty() && !foreseen.empty();
    return;
  }
  counts.lower += LowestLevel(test.model).level < level && test.introduced_in;
  EXPECT_TRUE(violations.empty()) << file << " at level " << level << ":\n" << ToStatus(violations);
  EXPECT_TRUE(foreseen.empty()) << file << ":\n" << ToStatus(foreseen);
  for (const Example& example : test.examples) {
    if (HasEmptyValue(example.outputs)) continue;
    ++counts.requests;
    const Violations broken = ValidateRequest(test.model, RequestOf(example), level);
    EXPECT_TRUE(broken.empty()) << file << ":\n" << ToStatus(broken);
  }
}

TEST(ValidityTest, OfPublishedExamples) {
  const std::vector<std::string> files = ConformanceFiles();
  if (files.empty()) GTEST_SKIP() << "no conformance vectors: set ASSAY_CONFORMANCE to their folder";
  Counts counts;
  for (const std::string& path : files) {
    const absl::StatusOr<SpecFile> file = ReadSpecFile(path);
    ASSERT_TRUE(file.ok()) << file.status();
    for (size_t i = 0; i < file->cases.size(); ++i)
      CheckCase(file->cases[i].test, absl::StrCat(path, ", ", file->cases[i].model_names.front()), counts);
  }
  std::cout << files.size() << " files; " << counts.examples << " examples of " << counts.models << " models ("
            << counts.undeclared << " of an undeclared level, " << counts.lower << " of a higher one than they need), "
            << counts.requests << " requests; " << counts.failing << " must fail, of them " << counts.refused
            << " are refused and " << counts.foreseen << " foreseen; " << counts.skipped << " examples not counted:";
  for (const auto& [operation, examples] : counts.unknown) std::cout << " " << operation << " " << examples;
  std::cout << "\n";
  EXPECT_GT(counts.examples, 0);
}

}  // namespace
}  // namespace assay
