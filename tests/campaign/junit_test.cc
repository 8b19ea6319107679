// JUnit: well-formed whatever names and messages hold, with counts that add up.
#include <string>
#include <vector>

#include "campaign/examples.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay {
namespace {

using testing::HasSubstr;

// The names of all elements in the order in which they begin; fails the test if the text is not well-formed: tags that
// do not match, attributes without quotes, "<" or "&" where they must be escaped.
std::vector<std::string> ElementsOf(const std::string& xml) {
  std::vector<std::string> elements, open;
  size_t at = xml.find("?>");
  EXPECT_EQ(xml.rfind("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", 0), 0u);
  if (at == std::string::npos) return {};
  for (at += 2; at < xml.size();) {
    const char c = xml[at];
    EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t') << "a control character";
    if (c == '&') {
      const std::string entity = xml.substr(at, xml.find(';', at) + 1 - at);
      EXPECT_TRUE(entity == "&amp;" || entity == "&lt;" || entity == "&gt;" || entity == "&quot;") << entity;
      at += entity.size();
    } else if (c != '<') {
      ++at;
    } else {
      size_t end = at + 1;
      for (bool quoted = false; end < xml.size() && (quoted || xml[end] != '>'); ++end) {
        quoted ^= xml[end] == '"';
        EXPECT_NE(xml[end], '<');
      }
      const std::string tag = xml.substr(at + 1, end - at - 1);
      at = end + 1;
      if (tag[0] == '/') {
        EXPECT_FALSE(open.empty());
        if (open.empty() || open.back() != tag.substr(1)) ADD_FAILURE() << "unexpected </" << tag << ">";
        if (!open.empty()) open.pop_back();
        continue;
      }
      elements.push_back(tag.substr(0, tag.find_first_of(" /")));
      if (tag.back() != '/') open.push_back(elements.back());
    }
  }
  EXPECT_TRUE(open.empty());
  return elements;
}

TEST(ToJUnit, NothingIsWellFormed) { EXPECT_EQ(ElementsOf(ToJUnit({})), std::vector<std::string>{"testsuites"}); }

TEST(ToJUnit, OneSuiteAFileOneCaseAnExample) {
  std::vector<ExampleResult> results(4);
  results[0] = {.file = "b.mod.py", .example = "passes", .seconds = 0.5};
  results[1] = {
      .file = "a.mod.py", .example = "fails", .verdict = ExampleVerdict::kFailed, .reason = "1 < 2 & \"3\" > 2\x01"};
  results[1].outputs.push_back({"out<put>", "golden", {.outside = 1}});
  results[2] = {.file = "a.mod.py", .example = "is <not> run", .verdict = ExampleVerdict::kNotRun, .reason = "a & b"};
  results[3] = {.file = "a.mod.py", .example = "passes", .seconds = 0.25};
  const std::string xml = ToJUnit(results);
  EXPECT_THAT(ElementsOf(xml), testing::ElementsAre("testsuites", "testsuite", "testcase", "failure", "testcase",
                                                    "skipped", "testcase", "testsuite", "testcase"));
  EXPECT_THAT(xml, HasSubstr("<testsuites name=\"assay\" tests=\"4\" failures=\"1\" errors=\"0\" skipped=\"1\" "
                             "time=\"0.750000\">"));
  EXPECT_THAT(xml, HasSubstr("<testsuite name=\"a.mod.py\" tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\" "));
  EXPECT_THAT(xml, HasSubstr("<failure message=\"1 &lt; 2 &amp; &quot;3&quot; &gt; 2?\">golden: out&lt;put&gt;\n"));
  EXPECT_THAT(xml, HasSubstr("<testcase name=\"is &lt;not&gt; run\" classname=\"a.mod.py\""));
}

}  // namespace
}  // namespace assay
