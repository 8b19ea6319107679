#include "driver/shared_library.h"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <mutex>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "driver/c_model.h"
#include "model/status.h"

namespace assay {
namespace {

constexpr uint8_t kUnset = 0xA5;  // what answers hold before the driver gives them

int64_t RemainingNs(const std::optional<Deadline>& deadline) {
  if (!deadline) return -1;
  const auto left = *deadline - std::chrono::steady_clock::now();
  return std::max<int64_t>(0, std::chrono::duration_cast<std::chrono::nanoseconds>(left).count());
}

// A driver's text as one that is safe to print and to store: printable ASCII, no longer than a few lines.
std::string Printable(absl::string_view text) {
  constexpr size_t kMost = 500;
  const std::string out = absl::CHexEscape(text.substr(0, kMost));
  return text.size() > kMost ? absl::StrCat(out, "... (", text.size(), " bytes)") : out;
}

struct Answer {
  ErrorStatus status;
  std::string message;
};

// What the driver answered to `function`. A number that is no status of NNAPI is a general failure.
Answer AnswerOf(const AssayDriver& driver, absl::string_view function, int32_t status) {
  if (status == ASSAY_NONE) return {ErrorStatus::NONE, ""};
  const char* said = driver.last_error == nullptr ? nullptr : driver.last_error(driver.context);
  std::string message = said == nullptr ? "" : Printable(said);
  if (status >= ASSAY_NONE && status <= ASSAY_RESOURCE_EXHAUSTED_PERSISTENT)
    return {static_cast<ErrorStatus>(status), std::move(message)};
  return {ErrorStatus::GENERAL_FAILURE, absl::StrCat(function, " answered ", status, ", which is no status of NNAPI",
                                                     message.empty() ? "" : ": ", message)};
}

class PreparedFromLibrary final : public PreparedDeviceModel {
 public:
  PreparedFromLibrary(const AssayDriver& driver, std::unique_ptr<CModel> model, void* prepared)
      : driver_(driver), model_(std::move(model)), prepared_(prepared) {}
  ~PreparedFromLibrary() override { driver_.release(prepared_); }

  DeviceResult Execute(std::span<const InputBuffer> inputs, std::span<const OutputBuffer> outputs,
                       const DeviceExecuteOptions& options) override {
    const std::vector<AssayInput> in = Told(inputs);
    std::vector<AssayOutput> out = Told(outputs);
    AssayExecution execution{.input_count = static_cast<uint32_t>(in.size()),
                             .inputs = in.data(),
                             .output_count = static_cast<uint32_t>(out.size()),
                             .outputs = out.data(),
                             .measure_timing = options.measure_timing ? 1 : 0,
                             .loop_timeout_ns = options.loop_timeout ? options.loop_timeout->count() : -1,
                             .time_on_device_ns = UINT64_MAX,
                             .time_in_driver_ns = UINT64_MAX};
    DeviceResult result;
    {
      std::unique_lock lock(one_at_a_time_, std::defer_lock);
      if (driver_.concurrent_executions == 0) lock.lock();
      execution.deadline_ns = RemainingNs(options.deadline);
      Answer answer = AnswerOf(driver_, "execute", driver_.execute(prepared_, &execution));
      result.status = answer.status;
      result.message = std::move(answer.message);
      result.written_constant = model_->Written();
    }
    const bool insufficient = result.status == ErrorStatus::OUTPUT_INSUFFICIENT_SIZE;
    if (result.ok() || insufficient)
      for (size_t i = 0; i < out.size(); ++i)
        result.outputs.push_back({ShapeOf(out[i], insufficient && IsTensor(i)), out[i].sufficient != 0});
    if (result.ok() && options.measure_timing)
      result.timing = {TimeOf(execution.time_on_device_ns), TimeOf(execution.time_in_driver_ns)};
    return result;
  }

 private:
  const Subgraph& main() const { return model_->model().main(); }
  bool IsTensor(size_t output) const { return !IsScalar(main().operands[main().outputs[output]].type); }

  std::vector<AssayInput> Told(std::span<const InputBuffer> inputs) const {
    static constexpr uint8_t kNothing = 0;  // where an empty value is: only an omitted one is null
    std::vector<AssayInput> out;
    for (size_t i = 0; i < inputs.size(); ++i) {
      const InputBuffer& from = inputs[i];
      if (from.omitted) {
        out.push_back({});
        continue;
      }
      const Dims& dims = from.dims.empty() ? main().operands[main().inputs[i]].dims : from.dims;
      out.push_back({from.bytes.data() == nullptr ? &kNothing : from.bytes.data(), from.bytes.size(),
                     static_cast<uint32_t>(dims.size()), dims.data()});
    }
    return out;
  }
  std::vector<AssayOutput> Told(std::span<const OutputBuffer> outputs) const {
    std::vector<AssayOutput> out;
    for (size_t i = 0; i < outputs.size(); ++i) {
      const OutputBuffer& from = outputs[i];
      const Dims& dims = from.dims.empty() ? main().operands[main().outputs[i]].dims : from.dims;
      AssayOutput& to = out.emplace_back(
          AssayOutput{.data = from.bytes.data(), .size = from.bytes.size(), .rank = 0, .dims = {}, .sufficient = 1});
      to.rank = static_cast<uint32_t>(std::min<size_t>(dims.size(), ASSAY_MAX_RANK));
      std::copy_n(dims.begin(), to.rank, to.dims);
    }
    return out;
  }
  // A rank that has no room becomes one too many dimensions, unknown ones: no model declares such an output.
  static Shape ShapeOf(const AssayOutput& o, bool zero_is_unknown) {
    if (o.rank > ASSAY_MAX_RANK) return Shape::Of(Dims(ASSAY_MAX_RANK + 1, kUnknownDim));
    const Dims dims(o.dims, o.dims + o.rank);
    return zero_is_unknown ? Shape::FromModel(dims, false) : Shape::Of(dims);
  }
  static std::optional<std::chrono::nanoseconds> TimeOf(uint64_t ns) {
    if (ns == UINT64_MAX) return std::nullopt;
    return std::chrono::nanoseconds(ns);
  }

  const AssayDriver& driver_;
  std::unique_ptr<CModel> model_;
  void* prepared_;
  std::mutex one_at_a_time_;
};

class FromLibrary final : public Device {
 public:
  explicit FromLibrary(const AssayDriver& driver) : driver_(driver) {
    description_.name = Printable(driver.name);
    description_.version = driver.version;
    description_.type = static_cast<DeviceType>(driver.device_type);
    description_.feature_level = driver.feature_level;
    description_.concurrent_executions = driver.concurrent_executions != 0;
    description_.float16_sums_in_float32 = driver.float16_sums_in_float32 != 0;
    for (uint32_t i = 0; i < driver.performance_count; ++i) {
      const AssayPerformance& p = driver.performance[i];
      description_.capabilities.push_back({static_cast<OperandType>(p.operand_type), p.execution_time, p.power_usage});
    }
  }

  const DeviceDescription& description() const override { return description_; }

  absl::StatusOr<std::vector<bool>> SupportedOperations(const Model& model) override {
    const size_t count = model.main().operations.size();
    if (!CheckTellable(model).ok()) return std::vector<bool>(count, false);
    const CModel told(model);
    std::vector<uint8_t> supported(count, kUnset);
    const Answer answer = AnswerOf(driver_, "supported_operations",
                                   driver_.supported_operations(driver_.context, told.get(), supported.data()));
    if (answer.status != ErrorStatus::NONE) return MakeStatus(answer.status, answer.message);
    for (size_t i = 0; i < count; ++i)
      if (supported[i] > 1)
        return MakeStatus(ErrorStatus::GENERAL_FAILURE,
                          absl::StrCat("the answer for operation ", i, " (", NameOf(model.main().operations[i].code),
                                       supported[i] == kUnset ? ") was not set" : ") is neither 0 nor 1"));
    return std::vector<bool>(supported.begin(), supported.end());
  }

  absl::StatusOr<std::unique_ptr<PreparedDeviceModel>> Prepare(const Model& model,
                                                               const DevicePrepareOptions& options) override {
    ASSAY_RETURN_IF_ERROR(CheckTellable(model));
    auto told = std::make_unique<CModel>(model);
    const AssayPrepareOptions with{static_cast<int32_t>(options.preference), static_cast<int32_t>(options.priority),
                                   RemainingNs(options.deadline)};
    void* prepared = nullptr;
    const Answer answer = AnswerOf(driver_, "prepare", driver_.prepare(driver_.context, told->get(), &with, &prepared));
    if (answer.status != ErrorStatus::NONE) return MakeStatus(answer.status, answer.message);
    if (prepared == nullptr)
      return MakeStatus(ErrorStatus::GENERAL_FAILURE, "prepare answered NONE, but gave no prepared model");
    return std::make_unique<PreparedFromLibrary>(driver_, std::move(told), prepared);
  }

 private:
  const AssayDriver& driver_;
  DeviceDescription description_;
};

// What is wrong with how a driver describes itself; empty if nothing is. Only with the same abi is the rest readable.
std::string WrongIn(const AssayDriver* driver) {
  if (driver == nullptr) return "assay_driver() gave null: the device cannot be used";
  if (driver->abi != ASSAY_DRIVER_ABI)
    return absl::StrCat("the driver was compiled with ASSAY_DRIVER_ABI ", driver->abi, ", this program has ",
                        ASSAY_DRIVER_ABI);
  const std::pair<absl::string_view, bool> given[] = {
      {"name", driver->name != nullptr},
      {"version", driver->version != nullptr},
      {"performance", driver->performance != nullptr || driver->performance_count == 0},
      {"supported_operations", driver->supported_operations != nullptr},
      {"prepare", driver->prepare != nullptr},
      {"execute", driver->execute != nullptr},
      {"release", driver->release != nullptr}};
  for (const auto& [member, is_given] : given)
    if (!is_given) return absl::StrCat("AssayDriver.", member, " is null");
  if (driver->device_type < 1 || driver->device_type > 4)
    return absl::StrCat("AssayDriver.device_type is ", driver->device_type, ", expected 1 to 4");
  if (driver->feature_level < kLowestFeatureLevel || driver->feature_level > kHighestFeatureLevel)
    return absl::StrCat("AssayDriver.feature_level is ", driver->feature_level, ", expected ", kLowestFeatureLevel,
                        " to ", kHighestFeatureLevel);
  return "";
}

}  // namespace

absl::StatusOr<std::unique_ptr<Device>> OpenSharedLibrary(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return absl::NotFoundError(absl::StrCat(path, ": there is no such file"));
  // A name without a slash would be looked for where the system's libraries are.
  const std::string file = path.find('/') == std::string::npos ? absl::StrCat("./", path) : path;
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return absl::FailedPreconditionError(absl::StrCat(path, ": cannot be loaded: ", dlerror()));
  using Entry = const AssayDriver* (*)();
  const auto entry = reinterpret_cast<Entry>(dlsym(library, "assay_driver"));
  if (entry == nullptr)
    return absl::FailedPreconditionError(
        absl::StrCat(path, ": does not export `assay_driver` (see driver/assay_driver.h)"));
  const AssayDriver* driver = entry();
  if (const std::string wrong = WrongIn(driver); !wrong.empty())
    return absl::FailedPreconditionError(absl::StrCat(path, ": ", wrong));
  return std::make_unique<FromLibrary>(*driver);
}

}  // namespace assay
