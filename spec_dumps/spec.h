// What a spec file holds: test cases, and how the file words them where the language leaves a choice. Knows neither
// text nor files: reader.h and writer.h do.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "model/test_case.h"
#include "spec_dumps/superset.h"

namespace assay {

// Comment and blank lines that stand before a statement, counted within its case from 0 as the writer orders them.
struct InnerLines {
  size_t statement = 0;
  std::string lines;
  friend bool operator==(const InnerLines&, const InnerLines&) = default;
};

// A test case with its comments. All comments are texts of any number of lines; lines without a "#" get one when they
// are written, and blank lines are kept. A reader gives them as they stand in the file, with LF after each.
//
// The operands' names (Operand::name) and `model_names` are the NAMEs of the file: letters, digits and "_", each one
// only once. Of a name in Subgraph::name or Example::name, a file keeps letters, digits and "_".
struct SpecCase {
  TestCase test;
  std::string comments;                       // before the case
  std::vector<std::string> example_comments;  // before each example; may have fewer elements than there are examples
  std::vector<std::string> model_names;       // one for each subgraph: "m0", "m0_s0", ...
  std::vector<InnerLines> inner_lines;        // in the order of their statements
  bool tight = false;                         // no blank line parts it from what stands before it
  friend bool operator==(const SpecCase&, const SpecCase&) = default;
};

struct SpecFile {
  std::string comments;  // at the beginning, parted from the first case by a blank line
  std::vector<SpecCase> cases;
  std::string end_comments;  // after the last case
  Features declared;         // superset groups that the first line names; the writer adds those that are needed
  friend bool operator==(const SpecFile&, const SpecFile&) = default;
};

// Adds a test case as m<n>, n being the number of cases before it. All that a file cannot keep is put in the form that
// reading the file gives: operands are named m<n>_op<i>, or m<n>_s<k>_op<i> in subgraph k + 1; subgraphs are renumbered
// in order of first reference, depth first, those without a reference last; names keep letters, digits and "_" (others
// become "_"); fields without a meaning are emptied (the value of an operand that is no constant, `ignored` of one that
// is no output, the subgraph of one that refers to none, dimensions and bytes of an omitted value).
// Returns the new case, for comments. CHECK-fails on a model without a subgraph.
SpecCase& AddCase(SpecFile& file, TestCase test);

// A file of one case.
SpecFile FromTestCase(const TestCase& test);

}  // namespace assay
