// Running the examples of spec files, on the reference or on a driver: expected values by the CTS criterion, and the
// bounds. Knows what an example promises; refuses to know how results are printed.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "compare/account.h"
#include "driver/device.h"
#include "spec_dumps/spec.h"

namespace assay {

// What is checked of an example on the reference. On a device there is one check, by the CTS criterion.
enum class ExampleCheck : uint8_t {
  kGolden,   // the golden answer agrees with the expected values
  kFast,     // the fast answer does
  kBounded,  // the expected values and the fast answer lie inside the bounds
};
absl::string_view NameOf(ExampleCheck check);

enum class ExampleVerdict : uint8_t {
  kPassed,
  kFailed,  // an output differs, or what must fail did not, or what must not fail did
  kNotRun,  // an operation is not implemented, or the driver does not support the model
};
absl::string_view NameOf(ExampleVerdict verdict);

// How one output compares.
struct OutputAccount {
  std::string name;   // of the operand
  std::string check;  // "golden", "fast", "expected inside the bounds", "fast inside the bounds", "driver"
  Account account;
};

struct ExampleResult {
  std::string file, example;
  ExampleVerdict verdict = ExampleVerdict::kPassed;
  std::string reason;  // of a failure or of not running; one line
  std::vector<OutputAccount> outputs;
  std::set<OperationCode> operations;  // of all subgraphs
  double seconds = 0;
};

struct ExampleOptions {
  std::set<ExampleCheck> checks = {ExampleCheck::kGolden};
  Device* device = nullptr;  // if given, examples run on it, and `checks` are not made
  std::chrono::nanoseconds loop_timeout = kDefaultLoopTimeout;
};

// The example's own name, or else its model's, or else "example".
std::string NameOf(const TestCase& test, const Example& example);

ExampleResult RunExample(const TestCase& test, const Example& example, const ExampleOptions& options);
// All examples of a file.
std::vector<ExampleResult> RunExamples(const SpecFile& file, absl::string_view file_name,
                                       const ExampleOptions& options);

// Counts of examples by operation: an example counts for each operation that it uses.
struct ExampleCounts {
  uint64_t passed = 0, failed = 0, not_run = 0;
  void Add(ExampleVerdict verdict);
};
struct ExampleSummary {
  ExampleCounts all;
  std::map<OperationCode, ExampleCounts> by_operation;
  void Add(const ExampleResult& result);
};

// The results as JUnit XML: one suite a file, one case an example; not run = skipped.
std::string ToJUnit(std::span<const ExampleResult> results);

}  // namespace assay
