// How a planted fault is written down. Included by the files of faults only.
#pragma once
#include <cstring>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "driver/built_in.h"
#include "driver/faults.h"
#include "reference/hooks.h"

namespace assay {

// Hooks from functions; null ones do nothing.
class FaultHooks final : public ExecutionHooks {
 public:
  std::function<void(const Model&, uint32_t, std::span<TensorLifetime>)> lifetimes;
  std::function<bool(const OperationPlace&, CallRewrite&)> rewrite;
  std::function<void(const OperationPlace&, std::span<const TensorRef>, std::span<const TensorRef>)> outputs;
  std::function<bool(const OperationPlace&, bool)> branch;
  std::function<bool(const OperationPlace&, uint64_t, bool)> loop;
  std::function<bool(const OperationPlace&)> forget;

  void ChangeLifetimes(const Model& model, uint32_t subgraph, std::span<TensorLifetime> all) const override {
    if (lifetimes) lifetimes(model, subgraph, all);
  }
  bool RewriteCall(const OperationPlace& place, CallRewrite& call) const override {
    return rewrite && rewrite(place, call);
  }
  void ChangeOutputs(const OperationPlace& place, std::span<const TensorRef> in,
                     std::span<const TensorRef> out) const override {
    if (outputs) outputs(place, in, out);
  }
  bool ChooseBranch(const OperationPlace& place, bool condition) const override {
    return branch ? branch(place, condition) : condition;
  }
  bool ContinueLoop(const OperationPlace& place, uint64_t iteration, bool condition) const override {
    return loop ? loop(place, iteration, condition) : condition;
  }
  bool ForgetLastIteration(const OperationPlace& place) const override { return forget && forget(place); }
};

struct Fault {
  FaultDescription description;
  BuiltInOptions options;       // of the device; the name is filled in
  bool judged_by_value = true;  // an operation's answer is wrong whenever it is executed: a single call can show it
};
using FaultList = std::vector<Fault>;

// A fault that gives an operation other operands. `change` says whether it changed something.
using Change = std::function<bool(OperationCode, CallRewrite&)>;
Fault RewritingFault(std::string name, std::string sentence, std::vector<OperationCode> operations, Change change);
// A fault that spoils what an operation has computed.
using Spoil = std::function<void(const OperationPlace&, std::span<const TensorRef>, std::span<const TensorRef>)>;
Fault SpoilingFault(std::string name, std::string sentence, std::vector<OperationCode> operations, Spoil spoil);

// Computes an output of an operation anew: output = f(input), and output = f(input 0, input 1) with broadcasting.
Spoil Recomputing(std::function<double(double)> f);
Spoil RecomputingPairs(std::function<double(double, double)> f);

// The device "faulty:<name>" of a fault. FailedPrecondition if it is judged by value, and of so many drawn graphs of
// its operations none shows it to the reference's bounds.
inline constexpr uint64_t kMostWitnesses = 20'000;
absl::StatusOr<std::unique_ptr<Device>> OpenFault(const Fault& fault, uint64_t most_graphs = kMostWitnesses);

// Scalars of a call.
int32_t IntOf(const Argument& argument);
void SetInt(CallRewrite& call, size_t index, int32_t value);
double RealOf(const Argument& argument);
void SetReal(CallRewrite& call, size_t index, double value);
// The real values of a tensor, and back.
std::vector<double> Values(const TensorRef& tensor);
void SetValues(const TensorRef& tensor, const std::vector<double>& values);
// Codes of quantized tensors.
int64_t Code(const TensorRef& tensor, size_t i);
void SetCode(const TensorRef& tensor, size_t i, int64_t code);  // saturates

FaultList WindowFaults();      // convolutions and pools
FaultList ElementFaults();     // element by element, and along axes
FaultList StructureFaults();   // movement, casts, look-alikes
FaultList ComparisonFaults();  // comparisons, logic, choices
FaultList RegionFaults();      // resizing, regions of interest
FaultList FunctionFaults();    // functions of single elements
FaultList MovementFaults();    // cutting, repeating, reordering, stacking, looking up
FaultList ExecutionFaults();   // control flow, memory, buffers, counts

}  // namespace assay
