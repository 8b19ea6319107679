// Planted faults of control flow, fusion, memory and buffers.
#include <algorithm>
#include <map>
#include <mutex>
#include <set>

#include "driver/fault_table.h"

namespace assay {
namespace {

using enum OperationCode;

Fault Unjudged(std::string name, std::string sentence, std::vector<OperationCode> operations, BuiltInOptions options) {
  return {{std::move(name), std::move(sentence), std::move(operations)}, std::move(options), false};
}

Fault WithHooks(std::string name, std::string sentence, std::vector<OperationCode> operations,
                const std::function<void(FaultHooks&)>& set) {
  auto hooks = std::make_shared<FaultHooks>();
  set(*hooks);
  return Unjudged(std::move(name), std::move(sentence), std::move(operations), {.hooks = std::move(hooks)});
}

// A loop goes on once more after its condition has said no; what was done already is remembered for each loop.
class OnceMore {
 public:
  bool operator()(const OperationPlace& place, bool condition) {
    const std::lock_guard lock(mutex_);
    std::vector<uint64_t> key = {place.execution, place.subgraph, place.operation};
    if (!place.iterations.empty()) key.insert(key.end(), place.iterations.begin(), place.iterations.end());
    if (condition) return true;
    return extended_.insert(std::move(key)).second;
  }

 private:
  std::mutex mutex_;
  std::set<std::vector<uint64_t>> extended_;
};

std::shared_ptr<const ExecutionHooks> LoopOnceMore(const Model&) {
  auto hooks = std::make_shared<FaultHooks>();
  auto once_more = std::make_shared<OnceMore>();
  hooks->loop = [=](const OperationPlace& place, uint64_t, bool condition) { return (*once_more)(place, condition); };
  return hooks;
}

void InvertConstantConditions(Model& model) {
  for (Subgraph& s : model.subgraphs)
    for (const Operation& o : s.operations) {
      if (o.code != IF) continue;
      Operand& condition = s.operands[o.inputs[0]];
      if (!IsConstant(condition.lifetime) || !condition.value) continue;
      Bytes bytes = *condition.value;
      for (uint8_t& b : bytes) b = b == 0 ? 1 : 0;
      condition.value = std::make_shared<const Bytes>(std::move(bytes));
    }
}

// The operations of the main graph that could be fused with the one before: a RELU that alone reads a hidden result.
std::set<uint32_t> FusableRelus(const Model& model) {
  const Subgraph& main = model.main();
  std::map<uint32_t, uint32_t> writer, readers;
  for (uint32_t i = 0; i < main.operations.size(); ++i) {
    for (uint32_t o : main.operations[i].outputs) writer[o] = i;
    for (uint32_t o : main.operations[i].inputs) ++readers[o];
  }
  std::set<uint32_t> out;
  for (uint32_t i = 0; i < main.operations.size(); ++i) {
    const Operation& o = main.operations[i];
    if (o.code != RELU || main.operands[o.inputs[0]].lifetime != Lifetime::TEMPORARY_VARIABLE) continue;
    const auto before = writer.find(o.inputs[0]);
    if (before == writer.end() || readers[o.inputs[0]] != 1) continue;
    const OperationCode code = main.operations[before->second].code;
    if (code == ADD || code == MUL || code == CONV_2D || code == DEPTHWISE_CONV_2D || code == FULLY_CONNECTED)
      out.insert(i);
  }
  return out;
}

// RELU is lost where it could be fused: the result is what it read.
std::shared_ptr<const ExecutionHooks> LoseFusedRelu(const Model& model) {
  auto hooks = std::make_shared<FaultHooks>();
  hooks->outputs = [fused = FusableRelus(model)](const OperationPlace& place, std::span<const TensorRef> in,
                                                 std::span<const TensorRef> out) {
    if (place.subgraph == 0 && place.code == RELU && fused.count(place.operation) > 0) SetValues(out[0], Values(in[0]));
  };
  return hooks;
}

// The memory of a tensor that several operations read is given away after the first of them.
void ForgetLaterReaders(const Model&, uint32_t, std::span<TensorLifetime> lifetimes) {
  for (TensorLifetime& l : lifetimes)
    if (l.operand != TensorLifetime::kScratch && l.last > l.first + 1) l.last = l.first + 1;
}

// The bytes of an output before an execution, for each thread that executes.
class Before {
 public:
  void Keep(std::span<const uint8_t> bytes) {
    const std::lock_guard lock(mutex_);
    kept_[bytes.data()] = {bytes.begin(), bytes.end()};
  }
  Bytes Take(std::span<const uint8_t> bytes) {
    const std::lock_guard lock(mutex_);
    Bytes out = std::move(kept_[bytes.data()]);
    kept_.erase(bytes.data());
    return out;
  }

 private:
  std::mutex mutex_;
  std::map<const uint8_t*, Bytes> kept_;
};

// Output `index` keeps its old bytes from `first` on, in executions that `when` names.
Fault Unwritten(std::string name, std::string sentence, size_t index, bool only_last_element,
                uint64_t first_execution) {
  auto before = std::make_shared<Before>();
  BuiltInOptions options;
  options.before_execution = [=](const Model&, std::span<const InputBuffer>, std::span<const OutputBuffer> out,
                                 uint64_t execution) {
    if (execution >= first_execution && index < out.size()) before->Keep(out[index].bytes);
  };
  options.after_execution = [=](const Model& model, std::span<const InputBuffer>, std::span<const OutputBuffer> out,
                                uint64_t execution) {
    if (execution < first_execution || index >= out.size()) return;
    const Bytes old = before->Take(out[index].bytes);
    const size_t element = ElementSize(model.main().operands[model.main().outputs[index]].type);
    const size_t from = only_last_element && old.size() > element ? old.size() - element : 0;
    std::copy(old.begin() + static_cast<ptrdiff_t>(from), old.end(),
              out[index].bytes.begin() + static_cast<ptrdiff_t>(from));
  };
  return Unjudged(std::move(name), std::move(sentence), {}, std::move(options));
}

void WriteToInput(const Model&, std::span<const InputBuffer> in, std::span<const OutputBuffer>, uint64_t) {
  for (const InputBuffer& i : in)
    if (!i.bytes.empty()) {
      const_cast<uint8_t&>(i.bytes.front()) ^= 1;  // NOLINT: that is the fault
      return;
    }
}

void WriteToConstant(const Model& model, std::span<const InputBuffer>, std::span<const OutputBuffer>, uint64_t) {
  for (const Operand& o : model.main().operands)
    if (IsConstant(o.lifetime) && o.value && !IsScalar(o.type) && !o.value->empty()) {
      ++const_cast<uint8_t&>(o.value->front());  // NOLINT: that is the fault; a second one does not undo the first
      return;
    }
}

void WritePastOutput(const Model&, std::span<const InputBuffer>, std::span<const OutputBuffer> out, uint64_t) {
  if (!out.empty()) *(out.back().bytes.data() + out.back().bytes.size()) = 0;
}

}  // namespace

FaultList ExecutionFaults() {
  FaultList faults = {
      WithHooks("while-one-iteration-short", "a loop ends with what it had before its last iteration", {WHILE},
                [](FaultHooks& h) { h.forget = [](const OperationPlace&) { return true; }; }),
      Unjudged("while-once-too-often", "a loop is run once more after its condition has ended it", {WHILE},
               {.hooks_for = LoopOnceMore}),
      WithHooks("if-always-then", "the first branch is always taken", {IF},
                [](FaultHooks& h) { h.branch = [](const OperationPlace&, bool) { return true; }; }),
      Unjudged("constant-condition-inverted", "an IF whose condition is a constant takes the other branch", {IF},
               {.change_model = InvertConstantConditions}),
      Unjudged("fused-relu-lost",
               "a RELU after ADD, MUL, a convolution or FULLY_CONNECTED is lost where nobody else sees what it reads",
               {RELU}, {.hooks_for = LoseFusedRelu}),
      WithHooks("buffer-reused-too-early", "the memory of a tensor is given away one operation after it was made", {},
                [](FaultHooks& h) { h.lifetimes = ForgetLaterReaders; }),
      WithHooks("second-execution-wrong",
                "from the second execution of a prepared model on, results of ADD and MUL are doubled", {ADD, MUL},
                [](FaultHooks& h) {
                  h.outputs = [](const OperationPlace& place, std::span<const TensorRef>,
                                 std::span<const TensorRef> out) {
                    if (place.execution == 0 || (place.code != ADD && place.code != MUL)) return;
                    std::vector<double> values = Values(out[0]);
                    for (double& v : values) v *= 2;
                    SetValues(out[0], values);
                  };
                }),
      Unwritten("stale-second-output", "the second output is not written from the second execution on", 1, false, 1),
      Unwritten("last-element-unwritten", "the last element of the first output is never written", 0, true, 0),
      Unjudged("input-written", "the first byte of an input is changed", {}, {.after_execution = WriteToInput}),
      Unjudged("constant-written", "a constant of the model is changed", {}, {.after_execution = WriteToConstant}),
      Unjudged("output-overrun", "one byte after the last output is written", {}, {.after_execution = WritePastOutput}),
  };
  return faults;
}

}  // namespace assay
