// The reference executor as a device, in golden or fast mode, with or without something that interferes.
#pragma once
#include <functional>
#include <memory>
#include <string>

#include "driver/device.h"
#include "reference/hooks.h"

namespace assay {

struct BuiltInOptions {
  std::string name;
  Mode mode = Mode::kGolden;
  std::shared_ptr<const ExecutionHooks> hooks;  // null: none
  // Instead: hooks that depend on the model, made when it is prepared.
  std::function<std::shared_ptr<const ExecutionHooks>(const Model&)> hooks_for;
  bool float16_sums_in_float32 = false;      // declared; see DeviceDescription
  std::function<void(Model&)> change_model;  // before preparing; null: nothing is changed
  // Around each execution, for faults at the device's boundary: may write to the buffers. Null: nothing.
  std::function<void(const Model&, std::span<const InputBuffer>, std::span<const OutputBuffer>, uint64_t execution)>
      before_execution, after_execution;
};

// "reference" and "fast" are plain; planted faults and jittered devices are made with hooks.
std::unique_ptr<Device> MakeBuiltIn(BuiltInOptions options);

// The name of each operation that this program can execute is supported, whatever its types, if the call is valid at
// the level; a model that is broken, or needs a later level, is supported nowhere.
std::vector<bool> ExecutableOperations(const Model& model, FeatureLevel level);

}  // namespace assay
