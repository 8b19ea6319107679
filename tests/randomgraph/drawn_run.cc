#include "tests/randomgraph/drawn_run.h"

#include <cmath>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "model/status.h"
#include "numeric/storage.h"
#include "reference/bounded.h"
#include "reference/prepared_model.h"

namespace assay {
namespace {

constexpr size_t kRoom = 1 << 16;  // bytes for an output of unknown size; a larger one is asked for again

std::vector<InputBuffer> InputsOf(const DrawnModel& drawn) {
  std::vector<InputBuffer> inputs;
  for (const ExampleValue& v : drawn.example.inputs)
    inputs.push_back({v.bytes, v.omitted ? Dims{} : v.dims, v.omitted});
  return inputs;
}

class Digest {
 public:
  void Number(uint64_t n) {
    for (int shift = 0; shift < 64; shift += 8) Byte(static_cast<uint8_t>(n >> shift));
  }
  void Add(const Dims& dims) {
    Number(dims.size());
    for (uint32_t d : dims) Number(d);
  }
  void Add(const Bytes& bytes) {
    Number(bytes.size());
    for (uint8_t b : bytes) Byte(b);
  }
  void Add(float f) {
    uint32_t bits;
    std::memcpy(&bits, &f, sizeof bits);
    Number(bits);
  }
  void Add(const Operand& o) {
    Number(static_cast<uint64_t>(o.type));
    Add(o.dims);
    Add(o.quantization.scale);
    Number(static_cast<uint64_t>(o.quantization.zero_point));
    if (o.quantization.per_channel) {
      Number(o.quantization.per_channel->channel_dim);
      for (float s : o.quantization.per_channel->scales) Add(s);
    }
    Number(static_cast<uint64_t>(o.lifetime));
    if (o.value) Add(*o.value);
    Number(o.subgraph);
    Number(o.ignored ? 1 : 0);
  }
  uint64_t value() const { return value_; }

 private:
  void Byte(uint8_t b) { value_ = (value_ ^ b) * 0x100000001b3u; }
  uint64_t value_ = 0xcbf29ce484222325u;
};

}  // namespace

absl::StatusOr<std::vector<ExampleValue>> RunDrawn(const DrawnModel& drawn, Mode mode, FeatureLevel level) {
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<PreparedModel> prepared,
                         Prepare(drawn.model, {.mode = mode, .level = level}));
  const Subgraph& main = drawn.model.main();
  std::vector<ExampleValue> outputs(main.outputs.size());
  std::vector<size_t> sizes(main.outputs.size(), kRoom);
  for (int attempt = 0; attempt < 2; ++attempt) {
    std::vector<OutputBuffer> buffers;
    for (size_t i = 0; i < outputs.size(); ++i) {
      outputs[i].bytes.assign(sizes[i], 0xA5);
      const Operand& o = main.operands[main.outputs[i]];
      if (const auto size = ByteSize(o.type, o.dims)) outputs[i].bytes.resize(*size);
      buffers.push_back({outputs[i].bytes, {}});
    }
    const ExecutionResult result = prepared->Execute(InputsOf(drawn), buffers);
    if (!result.ok() && result.status != ErrorStatus::OUTPUT_INSUFFICIENT_SIZE)
      return absl::InternalError(absl::StrCat(NameOf(result.status), ": ", result.message));
    for (size_t i = 0; i < outputs.size(); ++i) {
      outputs[i].dims = result.outputs[i].shape.dims;
      const auto size = ElementCount(outputs[i].dims);
      if (size) sizes[i] = static_cast<size_t>(*size) * ElementSize(main.operands[main.outputs[i]].type);
      if (result.ok()) outputs[i].bytes.resize(sizes[i]);
    }
    if (result.ok()) return outputs;
  }
  return absl::InternalError("the outputs' sizes changed between two executions");
}

absl::StatusOr<JudgedRun> JudgeDrawn(const DrawnModel& drawn, const std::vector<ExampleValue>& answers,
                                     FeatureLevel level) {
  const Subgraph& main = drawn.model.main();
  Observations observations;
  for (size_t i = 0; i < answers.size(); ++i)
    if (!main.operands[main.outputs[i]].ignored) observations[main.outputs[i]] = {answers[i].dims, answers[i].bytes};
  BoundedOptions options;
  options.level = level;
  ASSAY_ASSIGN_OR_RETURN(const std::vector<BoundedRun> runs,
                         RunBoundedPaths(drawn.model, InputsOf(drawn), observations, {}, options));
  JudgedRun best;
  bool first = true;
  for (const BoundedRun& run : runs) {
    JudgedRun judged;
    for (const JudgedTensor& t : run.judged) {
      const Operand& o = main.operands[t.operand];
      for (size_t i = 0; i < t.sound.size(); ++i) {
        ++judged.elements;
        if (t.sound[i] == Verdict::kUnknown) ++judged.unknown;
        if (t.sound[i] != Verdict::kOutside) continue;
        if (judged.outside++ > 0) continue;
        const Observation& seen = observations.at(t.operand);
        judged.first_outside =
            absl::StrCat(NameOf(main.operations[t.operation].code), " output ", t.output, " element ", i, ": ",
                         FormatElement(o.type, o.quantization, seen.dims, seen.bytes.data(), i), ", allowed ",
                         i < t.intervals.size() ? absl::StrCat("[", t.intervals[i].Lo(), ", ", t.intervals[i].Hi(), "]")
                                                : "nothing of this shape");
      }
    }
    if (first || judged.outside < best.outside) best = judged;
    first = false;
  }
  return best;
}

std::string BrokenPlan(const DrawnModel& drawn, const std::vector<ExampleValue>& outputs) {
  const Subgraph& main = drawn.model.main();
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Operand& o = main.operands[main.outputs[i]];
    const Range& range = drawn.ranges[main.outputs[i]];
    if (o.ignored) continue;
    const bool half =
        o.type == OperandType::TENSOR_FLOAT16 || (o.type == OperandType::TENSOR_FLOAT32 && drawn.model.relaxed);
    // A quantized value may be rounded past the range by half a step, a float by the CTS criterion.
    const double rounding = InfoOf(o.type).has_scale ? double{o.quantization.scale} / 2
                            : IsFloat(o.type)        ? (half ? 0x1p-8 : 1e-5) * (1 + range.magnitude())
                                                     : 0;
    const size_t count = outputs[i].bytes.size() / ElementSize(o.type);
    for (size_t k = 0; k < count; ++k) {
      const double v = ElementAt(o.type, o.quantization, outputs[i].dims, outputs[i].bytes.data(), k);
      const bool kept = std::isfinite(v) && !(half && std::fabs(v) > 0x1p13) &&
                        !(range.sure && (v < range.least - rounding || v > range.most + rounding));
      if (!kept)
        return absl::StrCat("output ", i, " of type ", NameOf(o.type), ": element ", k, " is ", v, ", planned ",
                            range.sure ? "for sure " : "", "[", range.least, ", ", range.most, "]");
    }
  }
  return "";
}

bool HasOmittedInput(const DrawnModel& drawn) {
  for (const ExampleValue& v : drawn.example.inputs)
    if (v.omitted) return true;
  return false;
}

uint64_t DigestOf(const DrawnModel& drawn) {
  Digest digest;
  digest.Number(drawn.model.relaxed ? 1 : 0);
  for (const Subgraph& graph : drawn.model.subgraphs) {
    for (const Operand& o : graph.operands) digest.Add(o);
    for (const Operation& operation : graph.operations) {
      digest.Number(static_cast<uint64_t>(operation.code));
      digest.Add(operation.inputs);
      digest.Add(operation.outputs);
    }
    digest.Add(graph.inputs);
    digest.Add(graph.outputs);
  }
  for (const ExampleValue& v : drawn.example.inputs) {
    digest.Number(v.omitted ? 1 : 0);
    digest.Add(v.dims);
    digest.Add(v.bytes);
  }
  return digest.value();
}

bool SameDraw(const DrawnModel& a, const DrawnModel& b) {
  return a.model == b.model && a.example == b.example && a.exposed == b.exposed;
}

std::string Text(const Violations& violations) {
  return absl::StrJoin(violations, "\n", [](std::string* out, const Violation& v) { *out += ToString(v); });
}

}  // namespace assay
