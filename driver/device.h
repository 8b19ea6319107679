// A device as NNAPI has it: what it is, which operations it takes, models prepared and executed. Built-in devices,
// planted faults and drivers from shared libraries all look like this. Knows no operation and no judge.
#pragma once
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "model/model.h"
#include "reference/prepared_model.h"
#include "reference/status.h"

namespace assay {

enum class DeviceType : int32_t { OTHER = 1, CPU = 2, GPU = 3, ACCELERATOR = 4 };
absl::string_view NameOf(DeviceType type);

// How fast and thrifty a device is for one operand type, relative to the CPU: below 1 is better.
struct Performance {
  OperandType type = OperandType::TENSOR_FLOAT32;
  float execution_time = 1, power_usage = 1;
};

// What a device says of itself.
struct DeviceDescription {
  std::string name, version;
  DeviceType type = DeviceType::CPU;
  FeatureLevel feature_level = kHighestFeatureLevel;
  std::vector<Performance> capabilities;
  std::vector<std::string> extensions;   // names of vendor extensions
  bool concurrent_executions = true;     // one prepared model may be executed from several threads at once
  bool float16_sums_in_float32 = false;  // declared: judged by the stricter bound
};

enum class Preference : int32_t { LOW_POWER = 0, FAST_SINGLE_ANSWER = 1, SUSTAINED_SPEED = 2 };
enum class Priority : int32_t { LOW = 0, MEDIUM = 1, HIGH = 2 };

struct DevicePrepareOptions {
  Preference preference = Preference::FAST_SINGLE_ANSWER;
  Priority priority = Priority::MEDIUM;
  std::optional<Deadline> deadline;
  // Unique for the model, chosen by the client; all zero = no caching. A device without a cache ignores it.
  std::array<uint8_t, 32> cache_token{};
};

struct DeviceExecuteOptions {
  bool measure_timing = false;
  std::optional<Deadline> deadline;
  std::optional<std::chrono::nanoseconds> loop_timeout;  // of each WHILE; none = the default of 2 s
  std::stop_token stop;                                  // built-in devices stop between operations
};

struct Timing {
  std::optional<std::chrono::nanoseconds> on_device, in_driver;
};

// A constant of the model that a device wrote to, or past.
struct WrittenConstant {
  size_t operand = 0;
  std::string message;  // which byte, and both values
  friend bool operator==(const WrittenConstant&, const WrittenConstant&) = default;
};

struct DeviceResult {
  ErrorStatus status = ErrorStatus::NONE;
  std::string message;               // what the device says about an error; may be empty
  std::vector<OutputShape> outputs;  // as in ExecutionResult
  Timing timing;                     // only if it was measured
  // Told by a device that gives a driver copies of the constants, which the caller cannot look at.
  std::optional<WrittenConstant> written_constant;
  bool ok() const { return status == ErrorStatus::NONE; }
};

class PreparedDeviceModel {
 public:
  virtual ~PreparedDeviceModel() = default;
  // As PreparedModel::Execute: buffers in the order of the main subgraph's inputs and outputs.
  virtual DeviceResult Execute(std::span<const InputBuffer> inputs, std::span<const OutputBuffer> outputs,
                               const DeviceExecuteOptions& options) = 0;
};

class Device {
 public:
  virtual ~Device() = default;
  virtual const DeviceDescription& description() const = 0;
  // One answer for each operation of the main subgraph; an IF or WHILE counts with all that its subgraphs hold. The
  // model is valid at the device's feature level. What is claimed must prepare and execute.
  virtual absl::StatusOr<std::vector<bool>> SupportedOperations(const Model& model) = 0;
  // The status carries an ErrorStatus (reference/status.h).
  virtual absl::StatusOr<std::unique_ptr<PreparedDeviceModel>> Prepare(const Model& model,
                                                                       const DevicePrepareOptions& options) = 0;
};

}  // namespace assay
