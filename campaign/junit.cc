// Results of examples as JUnit XML.
#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "campaign/examples.h"

namespace assay {
namespace {

// Text for an attribute or element: XML 1.0 has no way to say most control characters.
std::string Escaped(absl::string_view text) {
  std::string out;
  for (char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? '?' : c;
    }
  }
  return out;
}

std::string CaseOf(const ExampleResult& r) {
  const std::string open = absl::StrFormat("    <testcase name=\"%s\" classname=\"%s\" time=\"%.6f\"",
                                           Escaped(r.example), Escaped(r.file), r.seconds);
  if (r.verdict == ExampleVerdict::kPassed) return absl::StrCat(open, "/>\n");
  if (r.verdict == ExampleVerdict::kNotRun)
    return absl::StrCat(open, "><skipped message=\"", Escaped(r.reason), "\"/></testcase>\n");
  std::string text;
  for (const OutputAccount& o : r.outputs)
    if (!o.account.Passed()) absl::StrAppend(&text, o.check, ": ", o.name, "\n", o.account.ToString("  "));
  return absl::StrCat(open, "><failure message=\"", Escaped(r.reason), "\">", Escaped(text), "</failure></testcase>\n");
}

}  // namespace

std::string ToJUnit(std::span<const ExampleResult> results) {
  struct Suite {
    size_t tests = 0, failures = 0, skipped = 0;
    double seconds = 0;
    std::string cases;
    void Add(const ExampleResult& r) {
      ++tests, seconds += r.seconds;
      failures += r.verdict == ExampleVerdict::kFailed;
      skipped += r.verdict == ExampleVerdict::kNotRun;
    }
    std::string Attributes() const {
      return absl::StrFormat("tests=\"%d\" failures=\"%d\" errors=\"0\" skipped=\"%d\" time=\"%.6f\"", tests, failures,
                             skipped, seconds);
    }
  };
  Suite all;
  std::map<std::string, Suite> suites;
  for (const ExampleResult& r : results) {
    Suite& suite = suites[r.file];
    suite.Add(r);
    absl::StrAppend(&suite.cases, CaseOf(r));
    all.Add(r);
  }
  std::string out =
      absl::StrCat("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"assay\" ", all.Attributes(), ">\n");
  for (const auto& [name, suite] : suites)
    absl::StrAppend(&out, "  <testsuite name=\"", Escaped(name), "\" ", suite.Attributes(), ">\n", suite.cases,
                    "  </testsuite>\n");
  return absl::StrCat(out, "</testsuites>\n");
}

}  // namespace assay
