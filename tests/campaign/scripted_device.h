// A device that is `fast` but for what a test says.
#pragma once
#include <functional>
#include <memory>
#include <utility>

#include "driver/built_in.h"

namespace assay {

class ScriptedDevice final : public Device {
 public:
  // Null functions change nothing. The second argument is what `fast` gave.
  std::function<absl::StatusOr<std::vector<bool>>(const Model&, absl::StatusOr<std::vector<bool>>)> supported;
  std::function<absl::StatusOr<std::unique_ptr<PreparedDeviceModel>>(
      const Model&, absl::StatusOr<std::unique_ptr<PreparedDeviceModel>>)>
      prepared;
  // `execution` counts those of one prepared model from 0.
  std::function<void(const Model&, std::span<const InputBuffer>, std::span<const OutputBuffer>, uint64_t execution,
                     DeviceResult&)>
      executed;
  DeviceDescription said{.name = "scripted", .version = "1"};

  const DeviceDescription& description() const override { return said; }
  absl::StatusOr<std::vector<bool>> SupportedOperations(const Model& model) override {
    auto answer = fast_->SupportedOperations(model);
    return supported ? supported(model, std::move(answer)) : answer;
  }
  absl::StatusOr<std::unique_ptr<PreparedDeviceModel>> Prepare(const Model& model,
                                                               const DevicePrepareOptions& options) override {
    auto answer = fast_->Prepare(model, options);
    if (prepared) return prepared(model, std::move(answer));
    if (!answer.ok()) return answer;
    return std::make_unique<Prepared>(*this, model, *std::move(answer));
  }

 private:
  class Prepared final : public PreparedDeviceModel {
   public:
    Prepared(ScriptedDevice& device, Model model, std::unique_ptr<PreparedDeviceModel> fast)
        : device_(device), model_(std::move(model)), fast_(std::move(fast)) {}
    DeviceResult Execute(std::span<const InputBuffer> inputs, std::span<const OutputBuffer> outputs,
                         const DeviceExecuteOptions& options) override {
      DeviceResult result = fast_->Execute(inputs, outputs, options);
      if (device_.executed) device_.executed(model_, inputs, outputs, executions_, result);
      ++executions_;
      return result;
    }

   private:
    ScriptedDevice& device_;
    Model model_;
    std::unique_ptr<PreparedDeviceModel> fast_;
    uint64_t executions_ = 0;
  };

  std::unique_ptr<Device> fast_ = MakeBuiltIn({.name = "fast", .mode = Mode::kFast});
};

}  // namespace assay
