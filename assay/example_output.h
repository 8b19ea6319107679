// How results of examples are printed, for run and verify.
#pragma once
#include <string>

#include "campaign/examples.h"
#include "nlohmann/json_fwd.hpp"

namespace assay {

// "FAIL  name: reason" with the accounts of outputs that differ below; one line for others.
std::string ToText(const ExampleResult& result, bool with_accounts);
nlohmann::json ToJson(const ExampleResult& result);
nlohmann::json ToJson(const ExampleSummary& summary);
// "6068 examples: 6068 passed, 0 failed, 0 not run"
std::string ToText(const ExampleCounts& counts);
// A table: operation, passed, failed, not run.
std::string ToTable(const ExampleSummary& summary);

}  // namespace assay
