// Devices in which a consumer does not read what is stored of a tensor: fused ones carry a hidden tensor unrounded, and
// recomputing ones evaluate a visible tensor a second time. The exact results come from the operations in double, and
// what a device may be off by from the specification: no bound of ours is asked.
#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

#include "driver/jitter_call.h"
#include "driver/jitter_table.h"
#include "numeric/activation.h"
#include "numeric/storage.h"

namespace assay {
namespace {

// Tensors that are carried from their producer to their consumers beside the memory of the execution.
class CarryingHooks : public ExecutionHooks {
 public:
  void ChangeOutputs(const OperationPlace& place, std::span<const TensorRef> in,
                     std::span<const TensorRef> out) const final {
    if (place.subgraph >= graphs_.size()) return;
    const Graph& graph = graphs_[place.subgraph];
    const Operation& operation = graph.operations[place.operation];
    const auto is_carried = [&](uint32_t operand) { return graph.is_carried[operand]; };
    if (std::none_of(operation.inputs.begin(), operation.inputs.end(), is_carried) &&
        std::none_of(operation.outputs.begin(), operation.outputs.end(), is_carried))
      return;
    const auto call = JitteredCall::Decode(place.code, in, out);
    if (call == nullptr) return;
    Elements& elements = Of(place);
    std::vector<const std::vector<double>*> inputs;
    for (size_t i = 0; i < operation.inputs.size(); ++i) {
      const auto at = elements.find(operation.inputs[i]);
      // Who reads codes must read stored ones.
      const bool reads_codes = call->call().read_as(i) != nullptr;
      inputs.push_back(at == elements.end() || reads_codes ? nullptr : &at->second);
    }
    std::vector<std::vector<double>> results = call->Evaluate(inputs);
    for (size_t o = 0; o < results.size(); ++o) {
      if (is_carried(operation.outputs[o]))
        elements[operation.outputs[o]] = Carry(place, *call, o, out[o], results[o]);
      else
        call->StoreOutput(o, results[o]);
    }
  }
  void AfterExecution(uint64_t execution) const final {
    const std::lock_guard lock(mutex_);
    executions_.erase(execution);
  }

 protected:
  struct Graph {
    std::vector<Operation> operations;
    std::vector<bool> is_carried;  // by operand
  };
  std::vector<Graph> graphs_;  // by subgraph; may be fewer

  // What is carried of output `output` of `call`, given its exact elements before the activation; what is stored may be
  // changed.
  virtual std::vector<double> Carry(const OperationPlace& place, const JitteredCall& call, size_t output,
                                    const TensorRef& t, std::vector<double>& exact) const = 0;

  // How often each operand of a subgraph is produced and consumed by operations whose results may be carried: not by
  // IF and WHILE, which no hook evaluates.
  struct Uses {
    uint32_t producers = 0, consumers = 0, others = 0;
  };
  static std::vector<Uses> UsesOf(const Subgraph& subgraph) {
    std::vector<Uses> uses(subgraph.operands.size());
    for (const Operation& operation : subgraph.operations) {
      // CAST looks at codes, and its rounding is what it is for.
      const bool other = operation.code == OperationCode::IF || operation.code == OperationCode::WHILE ||
                         operation.code == OperationCode::CAST;
      std::vector<uint32_t> inputs = operation.inputs;
      std::sort(inputs.begin(), inputs.end());
      inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
      for (uint32_t operand : inputs) ++(other ? uses[operand].others : uses[operand].consumers);
      for (uint32_t operand : operation.outputs) ++(other ? uses[operand].others : uses[operand].producers);
    }
    return uses;
  }
  static bool IsReal(const Operand& operand) {
    return (IsFloat(operand.type) || IsQuantized(operand.type)) && operand.quantization.per_channel == nullptr;
  }

 private:
  using Elements = std::map<uint32_t, std::vector<double>>;  // by operand

  // What the execution carries in this subgraph. Only its own thread uses it, and no subgraph runs inside of itself.
  Elements& Of(const OperationPlace& place) const {
    const std::lock_guard lock(mutex_);
    return executions_[place.execution][place.subgraph];
  }

  mutable std::mutex mutex_;
  mutable std::map<uint64_t, std::map<uint32_t, Elements>> executions_;
};

// A hidden tensor that one operation consumes is not rounded to its type, but saturates as it does.
class FusedHooks final : public CarryingHooks {
 public:
  explicit FusedHooks(const Model& model) {
    for (const Subgraph& subgraph : model.subgraphs) {
      Graph& graph = graphs_.emplace_back(Graph{subgraph.operations, {}});
      const std::vector<Uses> uses = UsesOf(subgraph);
      for (size_t i = 0; i < uses.size(); ++i)
        graph.is_carried.push_back(subgraph.operands[i].lifetime == Lifetime::TEMPORARY_VARIABLE &&
                                   uses[i].producers == 1 && uses[i].consumers == 1 && uses[i].others == 0 &&
                                   IsReal(subgraph.operands[i]));
    }
  }

 private:
  std::vector<double> Carry(const OperationPlace&, const JitteredCall& call, size_t, const TensorRef& t,
                            std::vector<double>& exact) const override {
    Activate(call.call().activation(), exact.data(), exact.size());
    if (IsQuantized(t.type)) {
      const CodeRange codes = CodesOf(InfoOf(t.type).storage);
      const double least = ValueOf(t.type, *t.quantization, 0, codes.least),
                   most = ValueOf(t.type, *t.quantization, 0, codes.most);
      for (double& x : exact) x = std::clamp(x, least, most);
    }
    return std::move(exact);
  }
};

// A tensor that is an output of the model and consumed as well is computed twice, and errs twice.
class RecomputingHooks final : public CarryingHooks {
 public:
  explicit RecomputingHooks(const Model& model) : relaxed_(model.relaxed) {
    const Subgraph& main = model.main();
    Graph& graph = graphs_.emplace_back(Graph{main.operations, {}});
    const std::vector<Uses> uses = UsesOf(main);
    for (size_t i = 0; i < uses.size(); ++i)
      graph.is_carried.push_back(main.operands[i].lifetime == Lifetime::SUBGRAPH_OUTPUT && uses[i].producers == 1 &&
                                 uses[i].consumers > 0 && IsReal(main.operands[i]));
  }

 private:
  std::vector<double> Carry(const OperationPlace& place, const JitteredCall& call, size_t output, const TensorRef& t,
                            std::vector<double>& exact) const override {
    std::vector<double> carried(exact.size());
    for (const uint64_t salt : {1, 2}) {  // what stays in memory is the second
      call.StoreOutput(output, Jittered(place, call, output, t, exact, salt));
      Load(t.type, *t.quantization, *t.dims, t.bytes, salt == 1 ? carried.data() : exact.data());
    }
    return carried;
  }

  // One code of a quantized tensor, and the CTS criterion of a float: a little less, for it will be rounded.
  std::vector<double> Jittered(const OperationPlace& place, const JitteredCall& call, size_t output, const TensorRef& t,
                               const std::vector<double>& exact, uint64_t salt) const {
    std::vector<double> out = exact;
    const Allowance allowance = call.call().allowance(output);
    if (call.Moves() || allowance.exact || call.call().HasAccept()) return out;
    const bool half = t.type == OperandType::TENSOR_FLOAT16 || relaxed_;
    const double ulp = half ? 0x1p-10 : 0x1p-23, absolute = half ? 5 * ulp : 1e-5;
    for (size_t i = 0; i < out.size(); ++i) {
      const double err = IsQuantized(t.type)
                             ? std::min(allowance.steps, 1.0) * static_cast<double>(t.quantization->scale)
                             : 0.9 * absolute + 4 * ulp * std::abs(out[i]);
      out[i] += err * (2 * Hash(place, output, i, salt) - 1);
    }
    return out;
  }

  bool relaxed_;
};

}  // namespace

std::vector<Jitter> CarryingJitters() {
  return {
      {{"fused",
        "a hidden tensor with one consumer is handed on unrounded, in double, clamped to the range of its type"},
       [](const Model& model) { return std::make_shared<FusedHooks>(model); }},
      {{"recomputing",
        "where a tensor is an output and consumed as well, the consumer gets another evaluation that errs otherwise"},
       [](const Model& model) { return std::make_shared<RecomputingHooks>(model); }},
  };
}

}  // namespace assay
