#include "ops/evaluate.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <vector>

#include "numeric/storage.h"

namespace assay {
namespace {

constexpr size_t kAlign = 64;
constexpr size_t Padded(size_t bytes) { return (bytes + kAlign - 1) / kAlign * kAlign; }

// Hands out aligned pieces of the scratch memory, front to back.
class Arena {
 public:
  explicit Arena(std::span<uint8_t> memory) : memory_(memory) {}
  template <class T>
  T* Take(size_t count) {
    const size_t bytes = Padded(count * sizeof(T));
    ASSAY_CHECK(bytes <= memory_.size(), "the scratch memory is smaller than what was planned");
    T* at = reinterpret_cast<T*>(memory_.data());
    memory_ = memory_.subspan(bytes);
    return at;
  }
  template <class T>
  std::span<T> Rest() {
    return {reinterpret_cast<T*>(memory_.data()), memory_.size() / sizeof(T)};
  }

 private:
  std::span<uint8_t> memory_;
};

size_t SizeOf(const Dims* dims) { return dims == nullptr ? 0 : Count(*dims); }

// float32 storage is the fast domain itself, if it is aligned; the executor's buffers are.
template <class N>
bool InPlace(const TensorRef& t) {
  return std::is_same_v<N, float> && (t.type == OperandType::TENSOR_FLOAT32) &&
         reinterpret_cast<uintptr_t>(t.bytes) % alignof(float) == 0;
}

template <class N>
View<const N> InputView(const TensorRef& t, Arena& arena) {
  if (t.bytes == nullptr && t.converted == nullptr) return {nullptr, t.dims, 0};
  const size_t size = SizeOf(t.dims);
  if (t.converted != nullptr) return {static_cast<const N*>(t.converted), t.dims, size};
  if (InPlace<N>(t)) return {reinterpret_cast<const N*>(t.bytes), t.dims, size};
  N* converted = arena.Take<N>(size);
  Load<N>(t.type, *t.quantization, *t.dims, t.bytes, converted);
  return {converted, t.dims, size};
}

template <class N>
N* OutputMemory(const TensorRef& t, size_t size, Arena& arena) {
  if (t.unrounded != nullptr) return static_cast<N*>(t.unrounded);
  return InPlace<N>(t) ? reinterpret_cast<N*>(t.bytes) : arena.Take<N>(size);
}

template <class N>
void StoreOutput(const TensorRef& t, Activation activation, N* values, size_t size) {
  if (values == t.unrounded) return;
  if (reinterpret_cast<uint8_t*>(values) == t.bytes) {
    Activate(activation, values, size);
  } else {
    Store(t.type, *t.quantization, *t.dims, values, t.bytes, activation);
  }
}

template <class T>
void RunCodes(const void* op, EvalFunction<T> eval, std::span<const TensorRef> inputs,
              std::span<const TensorRef> outputs, std::span<uint8_t> scratch) {
  std::vector<View<const T>> in;
  for (const TensorRef& t : inputs) {
    const bool same_width = ElementSize(t.type) == sizeof(T) && t.bytes != nullptr;
    in.push_back({same_width ? reinterpret_cast<const T*>(t.bytes) : nullptr, t.dims, same_width ? SizeOf(t.dims) : 0});
  }
  std::vector<View<T>> out;
  for (const TensorRef& t : outputs) out.push_back({reinterpret_cast<T*>(t.bytes), t.dims, SizeOf(t.dims)});
  const Quantization* q = inputs.front().quantization;
  const auto zero = static_cast<T>(q != nullptr ? q->zero_point : 0);
  Frame<T> frame(in, out, Arena(scratch).Rest<T>(), zero);
  eval(op, frame);
}

// The quantization of operand `i`, if the call does not take the tensor's own.
const Quantization* Another(std::span<const std::optional<Quantization>> list, size_t i, const IntervalRef& t) {
  return i < list.size() && list[i] && !(*list[i] == *t.quantization) ? &*list[i] : nullptr;
}

// What the codes of a tensor count: real = scale * (code - zero point), and the code itself where there is no scale.
class Steps {
 public:
  Steps(const Quantization& q, const Dims& dims) : quantization_(q) {
    if (q.per_channel == nullptr) return;
    for (size_t d = q.per_channel->channel_dim + 1; d < dims.size(); ++d) inner_ *= dims[d];
  }
  double Scale(size_t i) const {
    if (const PerChannel* channels = quantization_.per_channel.get())
      return double{channels->scales[i / inner_ % channels->scales.size()]};
    return quantization_.scale == 0 ? 1 : double{quantization_.scale};
  }
  double ZeroPoint() const {
    return quantization_.per_channel == nullptr && quantization_.scale != 0 ? quantization_.zero_point : 0;
  }

 private:
  const Quantization& quantization_;
  size_t inner_ = 1;
};

// `x`, or the whole number that it is but for two roundings: codes of 31 bits times scales of 24 do not fit a double.
double Code(double x) {
  const double whole = std::round(x);
  return std::fabs(x - whole) <= std::fabs(x) * 0x1p-51 ? whole : x;
}

// Reads the codes behind `elements`, given in terms of `from`, in terms of `to`. Exact for whole codes.
template <class F>
void Reread(const Quantization& from, const Quantization& to, const Dims& dims, Bounded<F>* elements, size_t size) {
  const Steps a(from, dims), b(to, dims);
  for (size_t i = 0; i < size; ++i) {
    Bounded<F>& e = elements[i];
    if (!e.IsFinite()) continue;
    for (double* x : {&e.lo, &e.hi, &e.value})
      *x = b.Scale(i) * (Code(*x / a.Scale(i)) + (a.ZeroPoint() - b.ZeroPoint()));
  }
}

// What is done with an input: movement is exact, computing may read a subnormal number as zero; in a relaxed model
// both may read a float32 as a float16 (judging.md 2: each operand), since a device may keep its tensors so.
struct Reader {
  bool computes, relaxed;
};
double TinyOf(OperandType type) {
  if (type == OperandType::TENSOR_FLOAT16) return Fp16::kTiny;
  return type == OperandType::TENSOR_FLOAT32 ? Fp32::kTiny : 0;
}
bool MayFlush(const Interval& e, double tiny) { return (e.lo > 0 && e.lo < tiny) || (e.hi < 0 && e.hi > -tiny); }

template <class F>
View<const Bounded<F>> BoundedInput(const IntervalRef& t, const Quantization* as, Reader reader, Arena& arena) {
  if (t.elements == nullptr) return {nullptr, t.dims, 0};
  const size_t size = SizeOf(t.dims);
  const double tiny = reader.computes ? TinyOf(t.type) : 0;
  const bool is_single = t.type == OperandType::TENSOR_FLOAT32 || t.type == OperandType::FLOAT32;
  const bool relaxes = reader.relaxed && is_single;
  if constexpr (std::is_same_v<F, Fp32>) {
    const bool flushed =
        tiny > 0 && std::any_of(t.elements, t.elements + size, [=](const Interval& e) { return MayFlush(e, tiny); });
    if (as == nullptr && !flushed && !relaxes) return {t.elements, t.dims, size};
  }
  Bounded<F>* copy = arena.Take<Bounded<F>>(size);
  for (size_t i = 0; i < size; ++i) {
    const Interval& e = t.elements[i];
    copy[i] = {e.lo, e.hi, e.value};
    if (!MayFlush(e, tiny)) continue;
    copy[i].lo = std::min(e.lo, 0.0), copy[i].hi = std::max(e.hi, 0.0);
  }
  if (as != nullptr) Reread(*t.quantization, *as, *t.dims, copy, size);
  if (relaxes) Relax(copy, size);
  return {copy, t.dims, size};
}

template <class F>
std::vector<View<const Bounded<F>>> BoundedInputs(std::span<const IntervalRef> inputs, const Rereading& rereading,
                                                  Reader reader, Arena& arena) {
  std::vector<View<const Bounded<F>>> in;
  for (size_t i = 0; i < inputs.size(); ++i)
    in.push_back(BoundedInput<F>(inputs[i], Another(rereading.inputs, i, inputs[i]), reader, arena));
  return in;
}

template <class F>
void SettleInto(const IntervalRef& t, const BoundedSettings& s, size_t output, Bounded<F>* raw, size_t size) {
  if (s.unspecified[output]) {
    for (size_t i = 0; i < size; ++i) raw[i] = Bounded<F>::Unknown();
  } else {
    const Quantization* as = Another(s.rereading.outputs, output, t);
    Settle(t.type, as ? *as : *t.quantization, s.allowances[output], s.activation, s.assumptions.strict, raw, size);
    if (as != nullptr) Reread(*as, *t.quantization, *t.dims, raw, size);
  }
  if constexpr (!std::is_same_v<F, Fp32>) {
    for (size_t i = 0; i < size; ++i) {
      t.elements[i] = {raw[i].lo, raw[i].hi, raw[i].value};
    }
  }
}

}  // namespace

template <class N>
size_t ConversionBytes(OperandType type, size_t count, bool converted) {
  if (converted) return 0;
  if (std::is_same_v<N, float> && type == OperandType::TENSOR_FLOAT32) return 0;
  return Padded(count * sizeof(N));
}

template <class N>
void RunReal(const void* op, EvalFunction<N> eval, Activation activation, std::span<const TensorRef> inputs,
             std::span<const TensorRef> outputs, std::span<uint8_t> scratch) {
  Arena arena(scratch);
  std::vector<View<const N>> in;
  for (const TensorRef& t : inputs) in.push_back(InputView<N>(t, arena));
  std::vector<View<N>> out;
  for (const TensorRef& t : outputs) {
    const size_t size = SizeOf(t.dims);
    out.push_back({OutputMemory<N>(t, size, arena), t.dims, size});
  }
  Frame<N> frame(in, out, arena.Rest<N>(), N(0));
  eval(op, frame);
  for (size_t i = 0; i < outputs.size(); ++i) StoreOutput(outputs[i], activation, out[i].data, out[i].size);
}

void RunMovement(const void* op, EvalFunction<uint8_t> eval1, EvalFunction<uint16_t> eval2,
                 EvalFunction<uint32_t> eval4, std::span<const TensorRef> inputs, std::span<const TensorRef> outputs,
                 std::span<uint8_t> scratch) {
  switch (ElementSize(outputs.front().type)) {
    case 1:
      return RunCodes(op, eval1, inputs, outputs, scratch);
    case 2:
      return RunCodes(op, eval2, inputs, outputs, scratch);
    default:
      return RunCodes(op, eval4, inputs, outputs, scratch);
  }
}

template <class F>
void RunBoundedReal(const void* op, EvalFunction<Bounded<F>> eval, const BoundedSettings& settings,
                    std::span<const IntervalRef> inputs, std::span<const IntervalRef> outputs,
                    std::span<uint8_t> scratch) {
  Arena arena(scratch);
  const auto in = BoundedInputs<F>(inputs, settings.rereading, {true, settings.assumptions.relaxed}, arena);
  std::vector<View<Bounded<F>>> out;
  for (const IntervalRef& t : outputs) {
    const size_t size = SizeOf(t.dims);
    if constexpr (std::is_same_v<F, Fp32>) {
      out.push_back({t.elements, t.dims, size});
    } else {
      out.push_back({arena.Take<Bounded<F>>(size), t.dims, size});
    }
  }
  Frame<Bounded<F>> frame(in, out, arena.Rest<Bounded<F>>(), Bounded<F>(0));
  eval(op, frame);
  for (size_t i = 0; i < outputs.size(); ++i) SettleInto(outputs[i], settings, i, out[i].data, out[i].size);
}

void RunBoundedMovement(const void* op, EvalFunction<Interval> eval, const Assumptions& assumptions,
                        const Rereading& rereading, std::span<const IntervalRef> inputs,
                        std::span<const IntervalRef> outputs, std::span<uint8_t> scratch) {
  Arena arena(scratch);
  const auto in = BoundedInputs<Fp32>(inputs, rereading, {false, assumptions.relaxed}, arena);
  std::vector<View<Interval>> out;
  for (const IntervalRef& t : outputs) out.push_back({t.elements, t.dims, SizeOf(t.dims)});
  Frame<Interval> frame(in, out, arena.Rest<Interval>(), Interval(0));
  eval(op, frame);
  for (size_t i = 0; i < outputs.size(); ++i)
    if (const Quantization* as = Another(rereading.outputs, i, outputs[i]))
      Reread(*as, *outputs[i].quantization, *outputs[i].dims, outputs[i].elements, out[i].size);
}

template <class F>
void RunAccept(const void* op, AcceptFunction<F> accept, const Assumptions& assumptions, const Rereading& rereading,
               std::span<const IntervalRef> inputs, size_t output, std::span<const double> answer,
               std::span<Verdict> verdicts, std::span<uint8_t> scratch) {
  Arena arena(scratch);
  const auto in = BoundedInputs<F>(inputs, rereading, {true, assumptions.relaxed}, arena);
  Frame<Bounded<F>> frame(in, {}, arena.Rest<Bounded<F>>(), Bounded<F>(0));
  accept(op, frame, output, answer, verdicts);
}

bool ComputesInFloat16(const Assumptions& assumptions, std::span<const IntervalRef> inputs,
                       std::span<const IntervalRef> outputs) {
  bool half = false, single = false;
  const auto look = [&](const IntervalRef& t) {
    half |= t.type == OperandType::TENSOR_FLOAT16;
    single |= t.type == OperandType::TENSOR_FLOAT32;
  };
  for (const IntervalRef& t : inputs) look(t);
  for (const IntervalRef& t : outputs) look(t);
  return (half && !assumptions.float16_sums_in_float32) || (single && assumptions.relaxed);
}

template size_t ConversionBytes<float>(OperandType, size_t, bool);
template size_t ConversionBytes<double>(OperandType, size_t, bool);
template void RunReal(const void*, EvalFunction<float>, Activation, std::span<const TensorRef>,
                      std::span<const TensorRef>, std::span<uint8_t>);
template void RunReal(const void*, EvalFunction<double>, Activation, std::span<const TensorRef>,
                      std::span<const TensorRef>, std::span<uint8_t>);
template void RunBoundedReal<Fp32>(const void*, EvalFunction<Bounded<Fp32>>, const BoundedSettings&,
                                   std::span<const IntervalRef>, std::span<const IntervalRef>, std::span<uint8_t>);
template void RunBoundedReal<Fp16>(const void*, EvalFunction<Bounded<Fp16>>, const BoundedSettings&,
                                   std::span<const IntervalRef>, std::span<const IntervalRef>, std::span<uint8_t>);
template void RunAccept<Fp32>(const void*, AcceptFunction<Fp32>, const Assumptions&, const Rereading&,
                              std::span<const IntervalRef>, size_t, std::span<const double>, std::span<Verdict>,
                              std::span<uint8_t>);
template void RunAccept<Fp16>(const void*, AcceptFunction<Fp16>, const Assumptions&, const Rereading&,
                              std::span<const IntervalRef>, size_t, std::span<const double>, std::span<Verdict>,
                              std::span<uint8_t>);

}  // namespace assay
