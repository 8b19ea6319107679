// JSON on standard output.
#pragma once
#include "nlohmann/json_fwd.hpp"

namespace assay {

// What a driver says, or a file is called, need not be text: bytes that are not UTF-8 are replaced.
void PrintJson(const nlohmann::json& json);

}  // namespace assay
