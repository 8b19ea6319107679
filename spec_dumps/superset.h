// The forms that Assay adds to the spec language, in groups, each named in the first line of a file that uses it:
//   # Assay spec superset 1: examples, shapes
// Knows the groups and that line; what the forms are stands in docs/spec_format.md.
#pragma once
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace assay {

enum class Feature : uint32_t {
  kExamples = 1 << 0,    // not exactly one example per model, or values by position
  kShapes = 1 << 1,      // dimensions beside a value; scalars with dimensions; products that overflow
  kTypes = 1 << 2,       // operand types without a plain spelling
  kExtensions = 1 << 3,  // extension types, operations and parameters
  kOperations = 1 << 4,  // operations without a plain spelling, or without outputs
  kRaw = 1 << 5,         // values as bytes, for what numbers cannot say
  kLists = 1 << 6,       // input and output lists that contradict the operands; operands that do not exist
  kSubgraphs = 1 << 7,   // subgraphs that nothing refers to, or that refer to each other in a circle
  kVersions = 1 << 8,    // feature levels without a name
};

// A set of groups.
class Features {
 public:
  bool Has(Feature feature) const { return (bits_ & static_cast<uint32_t>(feature)) != 0; }
  bool empty() const { return bits_ == 0; }
  void Add(Feature feature) { bits_ |= static_cast<uint32_t>(feature); }
  void Add(Features others) { bits_ |= others.bits_; }
  friend bool operator==(const Features&, const Features&) = default;

 private:
  uint32_t bits_ = 0;
};

// What the first line of a superset file begins with: no other comment may.
inline constexpr absl::string_view kSupersetMark = "# Assay spec superset";

// "shapes", the group's name in the first line.
absl::string_view NameOf(Feature feature);
// The line, with its LF.
std::string SupersetLine(Features features);
// The inverse, for a line without its LF. On failure returns false and sets `bad_column` (from 0) and what was
// `expected` there.
bool ParseSupersetLine(absl::string_view line, Features& features, size_t& bad_column, std::string& expected);

}  // namespace assay
