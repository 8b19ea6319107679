#include "assay/json_text.h"

#include <cstdio>

#include "nlohmann/json.hpp"

namespace assay {

void PrintJson(const nlohmann::json& json) {
  std::puts(json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
}

}  // namespace assay
