#include "driver/built_in.h"

#include <atomic>
#include <chrono>

#include "absl/strings/str_cat.h"
#include "model/status.h"
#include "ops/registry.h"
#include "validate/model.h"

namespace assay {

absl::string_view NameOf(DeviceType type) {
  switch (type) {
    case DeviceType::OTHER:
      return "OTHER";
    case DeviceType::CPU:
      return "CPU";
    case DeviceType::GPU:
      return "GPU";
    case DeviceType::ACCELERATOR:
      return "ACCELERATOR";
  }
  return "UNKNOWN";
}

namespace {

class PreparedBuiltIn final : public PreparedDeviceModel {
 public:
  PreparedBuiltIn(std::unique_ptr<PreparedModel> prepared, const BuiltInOptions& options)
      : prepared_(std::move(prepared)), options_(options) {}

  DeviceResult Execute(std::span<const InputBuffer> inputs, std::span<const OutputBuffer> outputs,
                       const DeviceExecuteOptions& options) override {
    const uint64_t execution = executions_++;
    const auto begin = std::chrono::steady_clock::now();
    if (options_.before_execution) options_.before_execution(prepared_->model(), inputs, outputs, execution);
    ExecutionResult result = prepared_->Execute(inputs, outputs,
                                                {.deadline = options.deadline,
                                                 .loop_timeout = options.loop_timeout.value_or(kDefaultLoopTimeout),
                                                 .stop = options.stop});
    if (options_.after_execution) options_.after_execution(prepared_->model(), inputs, outputs, execution);
    DeviceResult out{result.status, std::move(result.message), std::move(result.outputs), {}};
    if (options.measure_timing && result.ok()) {
      const auto spent = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - begin);
      out.timing = {spent, spent};
    }
    return out;
  }

 private:
  std::unique_ptr<PreparedModel> prepared_;
  BuiltInOptions options_;  // a copy: a prepared model may outlive its device
  std::atomic<uint64_t> executions_ = 0;
};

class BuiltIn final : public Device {
 public:
  explicit BuiltIn(BuiltInOptions options) : options_(std::move(options)) {
    description_.name = options_.name;
    description_.version = ASSAY_VERSION;
    description_.type = DeviceType::CPU;
    description_.float16_sums_in_float32 = options_.float16_sums_in_float32;
    for (const TypeInfo& type : AllTypes())
      if (type.storage != Storage::kNone) description_.capabilities.push_back({type.type, 1, 1});
  }

  const DeviceDescription& description() const override { return description_; }

  absl::StatusOr<std::vector<bool>> SupportedOperations(const Model& model) override {
    return ExecutableOperations(model, description_.feature_level);
  }

  absl::StatusOr<std::unique_ptr<PreparedDeviceModel>> Prepare(const Model& model,
                                                               const DevicePrepareOptions& options) override {
    PrepareOptions prepare{.mode = options_.mode,
                           .level = description_.feature_level,
                           .deadline = options.deadline,
                           .hooks = options_.hooks};
    if (options_.hooks_for) prepare.hooks = options_.hooks_for(model);
    Model changed;
    if (options_.change_model) {
      changed = model;
      options_.change_model(changed);
    }
    ASSAY_ASSIGN_OR_RETURN(auto prepared, assay::Prepare(options_.change_model ? changed : model, prepare));
    return std::make_unique<PreparedBuiltIn>(std::move(prepared), options_);
  }

 private:
  BuiltInOptions options_;
  DeviceDescription description_;
};

}  // namespace

std::unique_ptr<Device> MakeBuiltIn(BuiltInOptions options) { return std::make_unique<BuiltIn>(std::move(options)); }

std::vector<bool> ExecutableOperations(const Model& model, FeatureLevel level) {
  const size_t count = model.main().operations.size();
  if (!ValidateModel(model, level).empty()) return std::vector<bool>(count, false);
  // An IF or WHILE can run only if all that its subgraphs hold can; the referenced subgraphs are few, so all of them
  // are asked for.
  const auto known = [](const Operation& o) { return FindOperationInfo(o.code) != nullptr; };
  bool referenced = true;
  for (size_t s = 1; s < model.subgraphs.size(); ++s)
    for (const Operation& o : model.subgraphs[s].operations) referenced &= known(o);
  std::vector<bool> out;
  for (const Operation& o : model.main().operations) {
    const bool nests = o.code == OperationCode::IF || o.code == OperationCode::WHILE;
    out.push_back(known(o) && (!nests || referenced));
  }
  return out;
}

}  // namespace assay
