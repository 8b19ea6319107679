#include "driver/guarded.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "model/status.h"

namespace assay {
namespace {

constexpr size_t kCanary = 64;  // bytes on each side
constexpr size_t kLine = 64;

uint8_t CanaryByte(size_t i) { return static_cast<uint8_t>(0xC3 ^ (i * 29)); }

// A drawn multiple of the element size below a cache line; different for every buffer.
size_t OffsetFor(uint64_t seed, size_t index, size_t element) {
  if (seed == 0 || element == 0) return 0;
  uint64_t x = seed + 0x9E3779B97F4A7C15u * (index + 1);
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  return static_cast<size_t>((x >> 40) % (kLine / element)) * element;
}

// Bytes with a canary on either side.
class Guarded {
 public:
  Guarded(size_t size, size_t offset) : size_(size), memory_(offset + 2 * kCanary + size + kLine) {
    const auto address = reinterpret_cast<uintptr_t>(memory_.data());
    begin_ = (kLine - address % kLine) % kLine + kCanary + offset;
    for (size_t i = 0; i < kCanary; ++i) memory_[begin_ - kCanary + i] = memory_[begin_ + size_ + i] = CanaryByte(i);
  }
  std::span<uint8_t> bytes() { return {memory_.data() + begin_, size_}; }
  std::span<const uint8_t> bytes() const { return {memory_.data() + begin_, size_}; }
  // Where the first written canary lies, relative to the buffer's begin; nothing if all are whole.
  std::optional<ptrdiff_t> Overrun() const {
    for (size_t i = kCanary; i-- > 0;)
      if (memory_[begin_ - kCanary + i] != CanaryByte(i))
        return static_cast<ptrdiff_t>(i) - static_cast<ptrdiff_t>(kCanary);
    for (size_t i = 0; i < kCanary; ++i)
      if (memory_[begin_ + size_ + i] != CanaryByte(i)) return static_cast<ptrdiff_t>(size_ + i);
    return std::nullopt;
  }

 private:
  size_t size_, begin_ = 0;
  std::vector<uint8_t> memory_;
};

uint64_t Checksum(const Bytes& bytes) {
  uint64_t sum = 0xcbf29ce484222325u;
  for (uint8_t b : bytes) sum = (sum ^ b) * 0x100000001b3u;
  return sum;
}

template <class Visit>
void ForEachConstant(const Model& model, Visit visit) {
  for (const Subgraph& s : model.subgraphs)
    for (size_t i = 0; i < s.operands.size(); ++i)
      if (IsConstant(s.operands[i].lifetime) && s.operands[i].value) visit(s, i, *s.operands[i].value);
}

}  // namespace

absl::string_view NameOf(BreachKind kind) {
  switch (kind) {
    case BreachKind::kOutputOverrun:
      return "output overrun";
    case BreachKind::kInputOverrun:
      return "input overrun";
    case BreachKind::kInputWritten:
      return "input written";
    case BreachKind::kConstantWritten:
      return "constant written";
    case BreachKind::kElementUnwritten:
      return "element unwritten";
    case BreachKind::kLateWrite:
      return "late write";
    case BreachKind::kResultShape:
      return "result shape";
  }
  return "unknown";
}

struct GuardedExecution::Buffers {
  const Model& model;
  std::span<const ExampleValue> values;
  std::vector<Guarded> inputs, outputs;
  std::vector<Dims> output_dims;
  std::vector<Bytes> after_inputs, after_outputs;  // what they held when the execution returned

  const Operand& Output(size_t i) const { return model.main().operands[model.main().outputs[i]]; }
  void CheckMemory(std::vector<Breach>& breaches) const;
  // True if the shapes agree with the status, the model and the buffers.
  bool CheckShapes(const DeviceResult& result, std::vector<Breach>& breaches) const;
  Dims ActualDims(const DeviceResult& result, size_t i) const;
};

GuardedExecution::GuardedExecution(const Model& model, std::span<const ExampleValue> inputs,
                                   std::span<const Dims> outputs, const GuardOptions& options)
    : buffers_(new Buffers{model, inputs, {}, {}, {outputs.begin(), outputs.end()}, {}, {}}) {
  const Subgraph& main = model.main();
  ASSAY_CHECK(inputs.size() == main.inputs.size() && outputs.size() == main.outputs.size(),
              "one value for each input and output");
  size_t index = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const size_t element = ElementSize(main.operands[main.inputs[i]].type);
    Guarded& g =
        buffers_->inputs.emplace_back(inputs[i].bytes.size(), OffsetFor(options.alignment_seed, index++, element));
    std::copy(inputs[i].bytes.begin(), inputs[i].bytes.end(), g.bytes().begin());
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    const size_t element = ElementSize(buffers_->Output(i).type);
    Guarded& g = buffers_->outputs.emplace_back(Count(outputs[i]) * element,
                                                OffsetFor(options.alignment_seed, index++, element));
    std::fill(g.bytes().begin(), g.bytes().end(), options.poison);
  }
}

GuardedExecution::~GuardedExecution() = default;
GuardedExecution::GuardedExecution(GuardedExecution&&) noexcept = default;

GuardedAnswer GuardedExecution::Run(PreparedDeviceModel& prepared, const DeviceExecuteOptions& options) {
  Buffers& b = *buffers_;
  std::vector<InputBuffer> in;
  for (size_t i = 0; i < b.inputs.size(); ++i)
    in.push_back({b.inputs[i].bytes(), b.values[i].dims, b.values[i].omitted});
  std::vector<OutputBuffer> out;
  for (size_t i = 0; i < b.outputs.size(); ++i) out.push_back({b.outputs[i].bytes(), b.Output(i).dims});
  GuardedAnswer answer;
  answer.result = prepared.Execute(in, out, options);
  b.CheckMemory(answer.breaches);
  if (const auto& written = answer.result.written_constant)
    answer.breaches.push_back({BreachKind::kConstantWritten, written->operand, written->message});
  for (const Guarded& g : b.inputs) b.after_inputs.emplace_back(g.bytes().begin(), g.bytes().end());
  for (const Guarded& g : b.outputs) b.after_outputs.emplace_back(g.bytes().begin(), g.bytes().end());
  if (!b.CheckShapes(answer.result, answer.breaches) || !answer.result.ok()) return answer;
  for (size_t i = 0; i < b.outputs.size(); ++i) {
    ExampleValue& value = answer.outputs.emplace_back();
    value.dims = b.ActualDims(answer.result, i);
    const size_t size = Count(value.dims) * ElementSize(b.Output(i).type);
    const auto bytes = std::as_const(b.outputs[i]).bytes().first(size);
    value.bytes.assign(bytes.begin(), bytes.end());
  }
  return answer;
}

void GuardedExecution::Buffers::CheckMemory(std::vector<Breach>& breaches) const {
  const auto overrun = [&](const Guarded& g, BreachKind kind, size_t i, absl::string_view what) {
    if (const auto at = g.Overrun())
      breaches.push_back({kind, i,
                          absl::StrCat("byte ", *at, " of ", what, " ", i, " was written; the buffer has ",
                                       g.bytes().size(), " bytes")});
  };
  for (size_t i = 0; i < outputs.size(); ++i) overrun(outputs[i], BreachKind::kOutputOverrun, i, "output");
  for (size_t i = 0; i < inputs.size(); ++i) {
    overrun(inputs[i], BreachKind::kInputOverrun, i, "input");
    const auto now = inputs[i].bytes();
    const auto at = std::mismatch(now.begin(), now.end(), values[i].bytes.begin()).first;
    if (at == now.end()) continue;
    const auto byte = static_cast<size_t>(at - now.begin());
    breaches.push_back(
        {BreachKind::kInputWritten, i,
         absl::StrCat("byte ", byte, " of input ", i, " was ", values[i].bytes[byte], ", is now ", *at)});
  }
}

Dims GuardedExecution::Buffers::ActualDims(const DeviceResult& result, size_t i) const {
  return i < result.outputs.size() && result.outputs[i].shape.IsKnown() ? result.outputs[i].shape.dims : output_dims[i];
}

bool GuardedExecution::Buffers::CheckShapes(const DeviceResult& result, std::vector<Breach>& breaches) const {
  const auto breach = [&](size_t i, std::string message) {
    breaches.push_back({BreachKind::kResultShape, i, std::move(message)});
    return false;
  };
  const bool insufficient = result.status == ErrorStatus::OUTPUT_INSUFFICIENT_SIZE;
  if (!result.ok() && !insufficient)
    return result.outputs.empty() || breach(0, absl::StrCat("status ", NameOf(result.status), " comes with ",
                                                            result.outputs.size(), " output shapes, expected none"));
  if (!result.outputs.empty() && result.outputs.size() != outputs.size())
    return breach(0,
                  absl::StrCat("there are ", result.outputs.size(), " output shapes for ", outputs.size(), " outputs"));
  bool all_sufficient = true, good = true;
  for (size_t i = 0; i < result.outputs.size(); ++i) {
    const OutputShape& o = result.outputs[i];
    all_sufficient &= o.sufficient;
    if (!Merge(o.shape, Output(i).shape()))
      good = breach(i, absl::StrCat("output ", i, " came out as ", ToString(o.shape), ", the model declares ",
                                    ToString(Output(i).shape())));
    if (!result.ok() || !good) continue;
    if (!o.sufficient) good = breach(i, absl::StrCat("status NONE, but output ", i, " is said to be insufficient"));
    const auto count = o.shape.IsKnown() ? ElementCount(o.shape.dims) : std::nullopt;
    if (!count || *count > outputs[i].bytes().size() / std::max<size_t>(1, ElementSize(Output(i).type)))
      good = breach(i, absl::StrCat("output ", i, " is reported as ", ToString(o.shape), ", its buffer has ",
                                    outputs[i].bytes().size(), " bytes"));
  }
  if (insufficient && (result.outputs.empty() || all_sufficient))
    return breach(0, "status OUTPUT_INSUFFICIENT_SIZE, but no output is said to be insufficient");
  return good;
}

std::vector<Breach> GuardedExecution::LateWrites() const {
  std::vector<Breach> out;
  const auto look = [&](const std::vector<Guarded>& buffers, const std::vector<Bytes>& after, absl::string_view what) {
    for (size_t i = 0; i < after.size(); ++i) {
      const auto now = buffers[i].bytes();
      const bool same = std::equal(now.begin(), now.end(), after[i].begin());
      if (!same || buffers[i].Overrun())
        out.push_back(
            {BreachKind::kLateWrite, i, absl::StrCat(what, " ", i, " was written after the execution had ended")});
    }
  };
  look(buffers_->outputs, buffers_->after_outputs, "output");
  look(buffers_->inputs, buffers_->after_inputs, "input");
  return out;
}

std::vector<Breach> UnwrittenElements(const Model& model, const GuardedAnswer& first, uint8_t first_poison,
                                      const GuardedAnswer& second, uint8_t second_poison) {
  std::vector<Breach> out;
  for (size_t i = 0; i < std::min(first.outputs.size(), second.outputs.size()); ++i) {
    const Bytes &a = first.outputs[i].bytes, &b = second.outputs[i].bytes;
    const size_t element = ElementSize(model.main().operands[model.main().outputs[i]].type);
    if (element == 0 || a.size() != b.size()) continue;
    size_t count = 0, where = 0;
    for (size_t e = 0; e + element <= a.size(); e += element) {
      const auto is = [&](const Bytes& bytes, uint8_t poison) {
        return std::all_of(bytes.begin() + static_cast<ptrdiff_t>(e),
                           bytes.begin() + static_cast<ptrdiff_t>(e + element), [=](uint8_t x) { return x == poison; });
      };
      if (!is(a, first_poison) || !is(b, second_poison)) continue;
      if (count++ == 0) where = e / element;
    }
    if (count > 0)
      out.push_back(
          {BreachKind::kElementUnwritten, i,
           absl::StrCat(count, " elements of output ", i, " were never written, the first is element ", where)});
  }
  return out;
}

ConstantWatch::ConstantWatch(const Model& model) : model_(model) {
  ForEachConstant(model_, [&](const Subgraph&, size_t, const Bytes& bytes) { sums_.push_back(Checksum(bytes)); });
}

std::vector<Breach> ConstantWatch::Changed() const {
  std::vector<Breach> out;
  size_t n = 0;
  ForEachConstant(model_, [&](const Subgraph& s, size_t operand, const Bytes& bytes) {
    if (Checksum(bytes) != sums_[n++])
      out.push_back({BreachKind::kConstantWritten, operand,
                     absl::StrCat("constant operand ", operand, " (", s.operands[operand].name, ") was changed")});
  });
  return out;
}

}  // namespace assay
