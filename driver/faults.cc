// The table of planted faults, and the proof that each of them can be seen.
#include "driver/faults.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "choice/choices.h"
#include "driver/fault_table.h"
#include "model/status.h"
#include "numeric/half.h"
#include "numeric/storage.h"
#include "ops/broadcast.h"
#include "randomgraph/graph.h"
#include "reference/bounded.h"

namespace assay {

Fault RewritingFault(std::string name, std::string sentence, std::vector<OperationCode> operations, Change change) {
  auto hooks = std::make_shared<FaultHooks>();
  hooks->rewrite = [operations, change = std::move(change)](const OperationPlace& place, CallRewrite& call) {
    const bool mine = std::find(operations.begin(), operations.end(), place.code) != operations.end();
    return mine && change(place.code, call);
  };
  return {{std::move(name), std::move(sentence), std::move(operations)}, {.hooks = std::move(hooks)}};
}

Fault SpoilingFault(std::string name, std::string sentence, std::vector<OperationCode> operations, Spoil spoil) {
  auto hooks = std::make_shared<FaultHooks>();
  hooks->outputs = [operations, spoil = std::move(spoil)](const OperationPlace& place, std::span<const TensorRef> in,
                                                          std::span<const TensorRef> out) {
    const bool mine =
        operations.empty() || std::find(operations.begin(), operations.end(), place.code) != operations.end();
    if (mine && !out.empty() && out.front().bytes != nullptr) spoil(place, in, out);
  };
  return {{std::move(name), std::move(sentence), std::move(operations)}, {.hooks = std::move(hooks)}};
}

Spoil Recomputing(std::function<double(double)> f) {
  return [f = std::move(f)](const OperationPlace&, std::span<const TensorRef> in, std::span<const TensorRef> out) {
    std::vector<double> values = Values(in[0]);
    for (double& v : values) v = f(v);
    SetValues(out[0], values);
  };
}

Spoil RecomputingPairs(std::function<double(double, double)> f) {
  return [f = std::move(f)](const OperationPlace&, std::span<const TensorRef> in, std::span<const TensorRef> out) {
    const std::vector<double> a = Values(in[0]), b = Values(in[1]);
    std::vector<double> values(Count(*out[0].dims));
    const Dims& dims = *out[0].dims;
    BroadcastIndex::ForEach(dims, {*in[0].dims, dims}, {*in[1].dims, dims},
                            [&](size_t i, size_t ia, size_t ib) { values[i] = f(a[ia], b[ib]); });
    SetValues(out[0], values);
  };
}

int32_t IntOf(const Argument& argument) {
  int32_t value = 0;
  if (argument.value.size() >= sizeof value) std::memcpy(&value, argument.value.data(), sizeof value);
  return value;
}

void SetInt(CallRewrite& call, size_t index, int32_t value) {
  Bytes bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  call.SetValue(index, std::move(bytes));
}

double RealOf(const Argument& argument) { return ElementAt(argument.type, {}, {}, argument.value.data(), 0); }

void SetReal(CallRewrite& call, size_t index, double value) {
  Bytes bytes(ElementSize(call.inputs[index].type));
  Store(call.inputs[index].type, {}, {}, &value, bytes.data());
  call.SetValue(index, std::move(bytes));
}

std::vector<double> Values(const TensorRef& tensor) {
  std::vector<double> out(Count(*tensor.dims));
  Load(tensor.type, *tensor.quantization, *tensor.dims, tensor.bytes, out.data());
  return out;
}

void SetValues(const TensorRef& tensor, const std::vector<double>& values) {
  Store(tensor.type, *tensor.quantization, *tensor.dims, values.data(), tensor.bytes);
}

int64_t Code(const TensorRef& tensor, size_t i) { return CodeAt(tensor.type, tensor.bytes, i); }

void SetCode(const TensorRef& tensor, size_t i, int64_t code) {
  const Storage storage = InfoOf(tensor.type).storage;
  const CodeRange range = CodesOf(storage);
  code = std::clamp(code, range.least, range.most);
  // The low bytes of a two's complement number are its code in every width (little endian).
  std::memcpy(tensor.bytes + i * ElementSize(tensor.type), &code, ElementSize(tensor.type));
}

namespace {

FaultList AllFaults() {
  FaultList all;
  for (FaultList list : {WindowFaults(), ElementFaults(), StructureFaults(), ComparisonFaults(), RegionFaults(),
                         FunctionFaults(), MovementFaults(), ExecutionFaults()})
    std::move(list.begin(), list.end(), std::back_inserter(all));
  return all;
}

// Does the device answer a drawn graph so that the bounds report it? False too if it cannot be executed.
bool Shows(Device& device, const DrawnModel& drawn) {
  const auto prepared = device.Prepare(drawn.model, {});
  if (!prepared.ok()) return false;
  std::vector<InputBuffer> inputs;
  for (const ExampleValue& v : drawn.example.inputs) inputs.push_back({v.bytes, v.dims, v.omitted});
  const Subgraph& main = drawn.model.main();
  std::vector<Bytes> bytes(main.outputs.size());
  std::vector<OutputBuffer> outputs;
  for (size_t i = 0; i < bytes.size(); ++i) {
    const Operand& o = main.operands[main.outputs[i]];
    bytes[i].resize(ByteSize(o.type, o.dims).value_or(0));
    outputs.push_back({bytes[i], o.dims});
  }
  const DeviceResult result = (*prepared)->Execute(inputs, outputs, {});
  if (!result.ok()) return false;
  Observations observations;
  for (size_t i = 0; i < bytes.size(); ++i) observations[main.outputs[i]] = {result.outputs[i].shape.dims, bytes[i]};
  const auto runs = RunBoundedPaths(drawn.model, inputs, observations, {});
  if (!runs.ok()) return false;
  return std::all_of(runs->begin(), runs->end(), [](const BoundedRun& run) {
    return std::any_of(run.judged.begin(), run.judged.end(), [](const JudgedTensor& t) {
      return t.wrong_shape || std::find(t.sound.begin(), t.sound.end(), Verdict::kOutside) != t.sound.end();
    });
  });
}

// Small graphs of the fault's own operations, until one shows it.
absl::Status CheckVisible(const Fault& fault, Device& device, uint64_t most_graphs) {
  if (!fault.judged_by_value) return absl::OkStatus();
  const Options options{.operations = fault.description.operations,
                        .most_operations = 2,
                        .control_flow = false,
                        .expose = ExposePolicy::kAll,
                        .dynamic_shapes = false};
  for (uint64_t seed = 0; seed < most_graphs; ++seed) {
    Choices choices = Choices::FromSeed(seed);
    if (Shows(device, Draw(choices, options))) return absl::OkStatus();
  }
  return absl::FailedPreconditionError(
      absl::StrCat("faulty:", fault.description.name, ": ", most_graphs,
                   " drawn graphs do not show the fault to the reference's bounds: it stays inside the allowance"));
}

std::unique_ptr<Device> Make(const Fault& fault) {
  BuiltInOptions options = fault.options;
  options.name = absl::StrCat("faulty:", fault.description.name);
  options.mode = Mode::kFast;
  return MakeBuiltIn(std::move(options));
}

absl::StatusOr<Fault> Find(absl::string_view name) {
  for (Fault& fault : AllFaults())
    if (fault.description.name == name) return std::move(fault);
  return absl::NotFoundError(absl::StrCat("there is no planted fault \"", name, "\"; `assay drivers` lists them"));
}

}  // namespace

std::vector<FaultDescription> Faults() {
  std::vector<FaultDescription> out;
  for (Fault& fault : AllFaults()) out.push_back(std::move(fault.description));
  return out;
}

absl::StatusOr<std::unique_ptr<Device>> OpenFault(const Fault& fault, uint64_t most_graphs) {
  auto device = Make(fault);
  if (const absl::Status visible = CheckVisible(fault, *device, most_graphs); !visible.ok()) return visible;
  return device;
}

absl::StatusOr<std::unique_ptr<Device>> OpenFaulty(absl::string_view name) {
  ASSAY_ASSIGN_OR_RETURN(const Fault fault, Find(name));
  return OpenFault(fault);
}

absl::StatusOr<std::unique_ptr<Device>> OpenProvenFaulty(absl::string_view name) {
  ASSAY_ASSIGN_OR_RETURN(const Fault fault, Find(name));
  return Make(fault);
}

}  // namespace assay
