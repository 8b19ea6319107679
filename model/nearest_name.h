// The names that someone may have meant by a word that is none of them. Refuses to know what is named.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace assay {

// How many letters must be replaced, added or left out to get from one word to the other.
size_t EditDistance(absl::string_view a, absl::string_view b);

// The names that differ from `word` by no more than half of its letters and one, nearest first and otherwise in their
// order; at most `most`, and none that is more than two letters farther than the nearest.
std::vector<absl::string_view> NearestNames(absl::string_view word, std::span<const absl::string_view> names,
                                            size_t most = 3);

// "; did you mean ADD, MUL or SUB?" for the end of a message; empty if no name is near.
std::string DidYouMean(absl::string_view word, std::span<const absl::string_view> names);

}  // namespace assay
