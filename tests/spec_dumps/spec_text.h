// What a spec says, in lines for comparison: the same lines that spec_stand_ins.py prints after running the file.
#pragma once
#include <string>

#include "spec_dumps/spec.h"

namespace assay {

std::string SpecText(const SpecFile& file);

}  // namespace assay
