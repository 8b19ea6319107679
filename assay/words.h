// From words of a command line to options of the rooms and back; and errors as people read them.
#pragma once
#include <chrono>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "assay/command.h"
#include "campaign/examples.h"
#include "randomgraph/options.h"

namespace assay {

// The error names the option and the word.
absl::StatusOr<Options> OptionsFrom(const DrawingWords& words);
// The words again, only those that differ from the defaults: "--max-dim 8 --ops ADD,MUL".
std::string ToWords(const DrawingWords& words);
// The words with which something was drawn before, as ToWords gave them. FailedPrecondition, with both values, if one
// of the words `now` says otherwise; InvalidArgument if the text is none of ToWords.
absl::StatusOr<DrawingWords> WordsAsBefore(const std::string& before, const DrawingWords& now);

absl::StatusOr<std::set<ExampleCheck>> ChecksFrom(const std::string& mode);
std::chrono::nanoseconds SecondsFrom(double seconds);

// "there is no operation "ADDD"; did you mean ADD or PAD?", or that NNAPI has it but this program not.
absl::Status NoSuchOperation(absl::string_view word);

// Prints "assay: message" to standard error and gives the exit code.
int Complain(const absl::Status& status, int exit_code);

}  // namespace assay
