#include "driver/jitter_call.h"

#include "numeric/storage.h"
#include "ops/registry.h"

namespace assay {
namespace {

constexpr size_t kAlignment = 64;

// Scratch memory as a call wants it.
class Scratch {
 public:
  explicit Scratch(size_t bytes) : memory_(bytes + kAlignment), bytes_(bytes) {}
  std::span<uint8_t> span() {
    const size_t odd = reinterpret_cast<uintptr_t>(memory_.data()) % kAlignment;
    return std::span(memory_).subspan(odd == 0 ? 0 : kAlignment - odd, bytes_);
  }

 private:
  Bytes memory_;
  size_t bytes_;
};

std::vector<Argument> Arguments(std::span<const TensorRef> refs) {
  std::vector<Argument> out;
  for (const TensorRef& t : refs) {
    Argument& a = out.emplace_back();
    a.type = t.type;
    a.omitted = t.bytes == nullptr;
    if (t.dims != nullptr) a.shape = Shape::Of(*t.dims);
    if (t.quantization != nullptr) a.quantization = *t.quantization;
    a.value_known = !a.omitted;
    if (!a.omitted) a.value = {t.bytes, Count(*t.dims) * ElementSize(t.type)};
  }
  return out;
}

}  // namespace

std::unique_ptr<JitteredCall> JitteredCall::Decode(OperationCode code, std::span<const TensorRef> inputs,
                                                   std::span<const TensorRef> outputs) {
  const OperationInfo* info = FindOperationInfo(code);
  if (info == nullptr || info->evaluation == Evaluation::kControlFlow) return nullptr;
  std::unique_ptr<JitteredCall> out(new JitteredCall(inputs, outputs));
  Violations violations;
  out->call_ = info->decode(Arguments(inputs), Arguments(outputs), violations);
  return out->call_ == nullptr ? nullptr : std::move(out);
}

std::vector<std::vector<double>> JitteredCall::Evaluate(std::span<const std::vector<double>* const> replaced) const {
  const auto is_replaced = [&](size_t i) { return i < replaced.size() && replaced[i] != nullptr; };
  std::vector<std::vector<double>> results;
  for (const TensorRef& t : outputs_) results.emplace_back(Count(*t.dims));
  if (Moves()) {
    std::vector<std::vector<Interval>> points = Points(inputs_);
    for (size_t i = 0; i < points.size(); ++i)
      if (is_replaced(i)) points[i].assign(replaced[i]->begin(), replaced[i]->end());
    const auto moved = RunBounded({}, points);
    for (size_t o = 0; o < results.size(); ++o)
      for (size_t i = 0; i < results[o].size(); ++i) results[o][i] = moved[o][i].value;
    return results;
  }
  std::vector<TensorRef> inputs(inputs_.begin(), inputs_.end()), outputs(outputs_.begin(), outputs_.end());
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (call_->needs_value()[i]) inputs[i].bytes = nullptr;
    if (is_replaced(i)) inputs[i].converted = replaced[i]->data();
  }
  for (size_t o = 0; o < outputs.size(); ++o) outputs[o].unrounded = results[o].data();
  Scratch scratch(call_->ScratchBytes(Mode::kGolden, {}));
  call_->Run(Mode::kGolden, inputs, outputs, scratch.span());
  return results;
}

void JitteredCall::StoreOutput(size_t output, std::span<const double> elements) const {
  const TensorRef& t = outputs_[output];
  const Quantization* as = call_->write_as(output);
  Store(t.type, as == nullptr ? *t.quantization : *as, *t.dims, elements.data(), t.bytes, call_->activation());
}

std::vector<std::vector<Interval>> JitteredCall::Allowed(const Assumptions& assumptions) const {
  std::vector<std::vector<Interval>> inputs = Points(inputs_);
  return RunBounded(assumptions, inputs);
}

std::vector<std::vector<Interval>> JitteredCall::Points(std::span<const TensorRef> tensors) const {
  std::vector<std::vector<Interval>> points;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const TensorRef& t = tensors[i];
    std::vector<Interval>& elements = points.emplace_back();
    if (t.bytes == nullptr || call_->needs_value()[i]) continue;
    elements.resize(Count(*t.dims));
    Load(t.type, *t.quantization, *t.dims, t.bytes, elements.data());
  }
  return points;
}

std::vector<std::vector<Interval>> JitteredCall::RunBounded(const Assumptions& assumptions,
                                                            std::span<std::vector<Interval>> inputs) const {
  std::vector<IntervalRef> in, out;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const TensorRef& t = inputs_[i];
    const bool is_read = t.bytes != nullptr && !call_->needs_value()[i];
    in.push_back({t.type, t.quantization, t.dims, is_read ? inputs[i].data() : nullptr});
  }
  std::vector<std::vector<Interval>> results;
  for (const TensorRef& t : outputs_)
    out.push_back({t.type, t.quantization, t.dims, results.emplace_back(Count(*t.dims)).data()});
  Scratch scratch(call_->BoundedScratchBytes());
  call_->RunBounded(assumptions, in, out, scratch.span());
  return results;
}

}  // namespace assay
