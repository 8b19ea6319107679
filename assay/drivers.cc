// assay drivers: the devices that have names.
#include <cstdio>

#include "absl/strings/str_format.h"
#include "assay/command.h"
#include "assay/json_text.h"
#include "driver/open.h"
#include "nlohmann/json.hpp"

namespace assay {

int Drivers(const DriversCommand& command) {
  if (command.json) {
    nlohmann::json list = nlohmann::json::array();
    for (const DeviceListing& d : ListDevices()) list.push_back({{"name", d.name}, {"sentence", d.sentence}});
    PrintJson(list);
    return kGood;
  }
  for (const DeviceListing& d : ListDevices()) absl::PrintF("%-36s %s\n", d.name, d.sentence);
  absl::PrintF("./mine.so                            a driver of your own: a shared library (driver/assay_driver.h)\n");
  return kGood;
}

}  // namespace assay
