// Executes on a device under watch: canaries around every buffer, poison in the outputs, inputs and constants compared
// afterwards, odd alignments. What a driver must not do with memory is found here, whatever it computes.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "driver/device.h"
#include "model/test_case.h"

namespace assay {

// How a driver broke the rules of memory or of results.
enum class BreachKind : uint8_t {
  kOutputOverrun,     // a byte before or after an output buffer was written
  kInputOverrun,      // likewise around an input buffer
  kInputWritten,      // an input's value was changed
  kConstantWritten,   // a constant of the model was changed
  kElementUnwritten,  // success was reported, but an output element was never written
  kLateWrite,         // a buffer was written after the execution had ended
  kResultShape,       // reported shapes contradict the model, the status, or each other
};
absl::string_view NameOf(BreachKind kind);

struct Breach {
  BreachKind kind;
  size_t index = 0;     // of the input or output; of the operand for constants
  std::string message;  // place and both values
};

// One execution.
struct GuardedAnswer {
  DeviceResult result;
  std::vector<ExampleValue> outputs;  // actual dims and bytes, if the status is NONE; else empty
  std::vector<Breach> breaches;
};

struct GuardOptions {
  uint64_t alignment_seed =
      0;                  // where in a cache line each buffer begins (a multiple of the element size); 0: at its start
  uint8_t poison = 0xA5;  // what outputs hold before; see UnwrittenElements
};

// Buffers are allocated for these outputs: dims known; what the reference found, or the model's. They live until the
// object ends, so that late writes are seen.
class GuardedExecution {
 public:
  GuardedExecution(const Model& model, std::span<const ExampleValue> inputs, std::span<const Dims> outputs,
                   const GuardOptions& options);
  ~GuardedExecution();
  GuardedExecution(GuardedExecution&&) noexcept;

  // Executes once; call it once.
  GuardedAnswer Run(PreparedDeviceModel& prepared, const DeviceExecuteOptions& options);
  // Compares all buffers with what they held when Run returned.
  std::vector<Breach> LateWrites() const;

 private:
  struct Buffers;
  std::unique_ptr<Buffers> buffers_;
};

// Elements that hold the poison after both of two executions with different poisons: never written. A breach for each
// output that has some.
std::vector<Breach> UnwrittenElements(const Model& model, const GuardedAnswer& first, uint8_t first_poison,
                                      const GuardedAnswer& second, uint8_t second_poison);

// A checksum of every constant of the model, to see whether a driver writes to them.
class ConstantWatch {
 public:
  explicit ConstantWatch(const Model& model);
  std::vector<Breach> Changed() const;

 private:
  const Model& model_;
  std::vector<uint64_t> sums_;
};

}  // namespace assay
