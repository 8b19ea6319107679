#include "tests/driver/drawn_answers.h"

#include "absl/strings/str_cat.h"
#include "model/status.h"
#include "reference/bounded.h"

namespace assay {
namespace {

constexpr size_t kRoom = 1 << 16;  // bytes for an output: more than any drawn tensor has

std::vector<InputBuffer> InputsOf(const DrawnModel& drawn) {
  std::vector<InputBuffer> inputs;
  for (const ExampleValue& v : drawn.example.inputs) inputs.push_back({v.bytes, v.dims, v.omitted});
  return inputs;
}

}  // namespace

DrawnModel DrawSeed(uint64_t seed, const Options& options) {
  Choices choices = Choices::FromSeed(seed);
  return Draw(choices, options);
}

absl::StatusOr<std::vector<ExampleValue>> AnswerOf(Device& device, const DrawnModel& drawn) {
  ASSAY_ASSIGN_OR_RETURN(const auto prepared, device.Prepare(drawn.model, {}));
  const Subgraph& main = drawn.model.main();
  std::vector<Bytes> bytes(main.outputs.size(), Bytes(kRoom));
  std::vector<OutputBuffer> outputs;
  for (size_t i = 0; i < bytes.size(); ++i) {
    const Operand& o = main.operands[main.outputs[i]];
    outputs.push_back({bytes[i], o.dims});
  }
  const DeviceResult result = prepared->Execute(InputsOf(drawn), outputs, {});
  if (!result.ok()) return MakeStatus(result.status, result.message);
  std::vector<ExampleValue> answer;
  for (size_t i = 0; i < bytes.size(); ++i) {
    const Dims& dims = result.outputs[i].shape.dims;
    bytes[i].resize(Count(dims) * ElementSize(main.operands[main.outputs[i]].type));
    answer.push_back({false, dims, std::move(bytes[i])});
  }
  return answer;
}

absl::StatusOr<Judged> JudgeAnswer(const DrawnModel& drawn, const std::vector<ExampleValue>& answer,
                                   const Assumptions& assumptions, bool anchor) {
  const Subgraph& main = drawn.model.main();
  Observations observations;
  for (size_t i = 0; i < answer.size(); ++i)
    if (!main.operands[main.outputs[i]].ignored) observations[main.outputs[i]] = {answer[i].dims, answer[i].bytes};
  ASSAY_ASSIGN_OR_RETURN(const auto runs,
                         RunBoundedPaths(drawn.model, InputsOf(drawn), observations, assumptions, {.anchor = anchor}));
  std::optional<Judged> best;
  for (const BoundedRun& run : runs) {
    Judged judged;
    for (const JudgedTensor& t : run.judged) {
      judged.outside += t.wrong_shape ? 1 : 0;
      for (size_t i = 0; i < t.sound.size(); ++i) {
        judged.judged += t.sound[i] != Verdict::kUnknown;
        if (t.sound[i] != Verdict::kOutside) continue;
        ++judged.outside;
        if (judged.first.empty())
          judged.first =
              absl::StrCat(NameOf(main.operations[t.operation].code), " (operation ", t.operation, ") element ", i);
      }
    }
    if (!best || judged.outside < best->outside) best = std::move(judged);
  }
  return *best;
}

}  // namespace assay
