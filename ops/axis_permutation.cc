// CHANNEL_SHUFFLE and REVERSE: the elements along one axis in another order.
//
//   CHANNEL_SHUFFLE  output[.., k * num_groups + g, ..] = input[.., g * (size / num_groups) + k, ..]
//                    (the axis seen as [groups, size / groups] is transposed)
//   REVERSE          output[.., k, ..] = input[.., size - 1 - k, ..]
//
// The axis of CHANNEL_SHUFFLE may be negative; that of REVERSE may not, and comes in a tensor [1]. Elements are moved:
// every type is exact, and the output has the input's quantization (of REVERSE, by a rule of the model).
#include <algorithm>

#include "ops/define.h"
#include "ops/source_map.h"

namespace assay {
namespace {

using enum OperandType;

struct ChannelShuffle {
  static constexpr absl::string_view kProse =
      "Mixes groups of channels: output[.., k * num_groups + g, ..] = input[.., g * size / num_groups + k, ..].";
  static constexpr Evaluation kEvaluation = Evaluation::kMovement;
  static constexpr TypeRow kRows[] = {
      // since, {input}, {output}
      {3, {TENSOR_FLOAT16}, {TENSOR_FLOAT16}},
      {3, {TENSOR_FLOAT32}, {TENSOR_FLOAT32}},
      {3, {TENSOR_QUANT8_ASYMM}, {TENSOR_QUANT8_ASYMM}},
      {4, {TENSOR_QUANT8_ASYMM_SIGNED}, {TENSOR_QUANT8_ASYMM_SIGNED}},
  };
  static constexpr Rule kRank{"rank", Stage::kModel, "the input has rank at most 4"};
  static constexpr Rule kAxis{"axis", Stage::kExecution, "axis lies in [-rank, rank)"};
  static constexpr Rule kGroups{"groups", Stage::kExecution, "num_groups divides the size of the axis"};
  static constexpr Rule kRules[] = {kRank, kAxis, kGroups};

  In input;
  int32_t num_groups = 1, axis = 0;
  Out output;

  template <class Walk>
  void Operands(Walk& w) {
    w.Tensor(input, "input", "of rank 1 to 4");
    w.Int(num_groups, "num_groups", kPositive);
    w.Int(axis, "axis", kAnyInt);
    w.Output(output, "output", "of the input's shape");
  }

  // Most often the axis can be divided, and not only into groups of one.
  void Draw(Drawing& d) {
    Choices& c = d.choices();
    if (c.Chance(1, 3)) {
      d.Tensor(input, {});
      axis = DrawAxis(c, input.dims());
    } else {
      Dims dims{1, 1, 1, 1};
      dims.resize(static_cast<size_t>(c.Between(1, 4)));
      const auto at = static_cast<size_t>(c.Below(dims.size()));
      dims[at] = static_cast<uint32_t>(c.Pick({4, 6, 12, 8, 9}));
      for (size_t i = 0; i < dims.size(); ++i)
        if (i != at) dims[i] = static_cast<uint32_t>(c.Between(1, 3));
      axis = static_cast<int32_t>(at) - (c.Maybe() ? static_cast<int32_t>(dims.size()) : 0);
      d.Exactly(input, std::move(dims), {.range = {-4, 4}, .loose = true});
    }
    const uint32_t size = input.dims()[AxisIndex(axis, input.rank())];
    std::vector<int32_t> divisors;
    for (uint32_t i = 2; i < size; ++i)
      if (size % i == 0) divisors.push_back(static_cast<int32_t>(i));
    divisors.push_back(1);
    divisors.push_back(static_cast<int32_t>(size));
    num_groups = c.Pick(divisors);
    d.OutputLike(output, input);
  }

  void CheckModel(Checker& check) const { check.Rank(kRank, input, "input", 1, 4); }
  void CheckExecution(Checker& check) const {
    check.Rank(kRank, input, "input", 1, 4);
    CheckAxis(check, kAxis, axis, input);
    if (!check.clean() || !input.ranked() || num_groups < 1) return;
    const Extent size = input.dim(AxisIndex(axis, input.rank()));
    check.That(!size.known || size.value % num_groups == 0, kGroups, "num_groups is ", num_groups, ", the axis has ",
               size.value, " elements");
  }
  std::vector<Result> Infer() const { return {{input.shape(), input.quantization()}}; }

  template <class T>
  void Eval(Frame<T>& f) const {
    const Lines lines = LinesAlong(input.dims(), AxisIndex(axis, input.rank()));
    const auto groups = static_cast<size_t>(num_groups);
    const size_t in_group = lines.size / groups;
    MapAlong(lines, lines.size, [&](size_t k) {
      return k % groups * in_group + k / groups;
    }).Move(f(input).data, f(output).data);
  }
};

struct Reverse {
  static constexpr absl::string_view kProse =
      "Reverses a tensor along an axis: output[.., k, ..] = input[.., size - 1 - k, ..].";
  static constexpr Evaluation kEvaluation = Evaluation::kMovement;
  static constexpr TypeRow kRows[] = {
      // since, {input}, {output}
      {7, {TENSOR_FLOAT16}, {TENSOR_FLOAT16}},
      {7, {TENSOR_FLOAT32}, {TENSOR_FLOAT32}},
      {7, {TENSOR_QUANT8_ASYMM}, {TENSOR_QUANT8_ASYMM}},
      {7, {TENSOR_QUANT8_ASYMM_SIGNED}, {TENSOR_QUANT8_ASYMM_SIGNED}},
      {7, {TENSOR_INT32}, {TENSOR_INT32}},
  };
  static constexpr Rule kOneAxis{"one_axis", Stage::kModel, "axis has the dimensions [1]"};
  static constexpr Rule kRanks{"ranks", Stage::kModel, "input and output have the same rank"};
  static constexpr Rule kQuantization{"quantization", Stage::kModel, "input and output have the same quantization"};
  static constexpr Rule kRank{"rank", Stage::kExecution, "the input has rank at most 8"};
  static constexpr Rule kHasAxis{"has_axis", Stage::kExecution, "axis has a value"};
  static constexpr Rule kAxis{"axis", Stage::kExecution, "axis lies in [0, rank)"};
  static constexpr Rule kRules[] = {kOneAxis, kRanks, kQuantization, kRank, kHasAxis, kAxis};

  In input;
  IntValues axis;
  Out output;

  template <class Walk>
  void Operands(Walk& w) {
    w.Tensor(input, "input", "of rank 1 to 8");
    w.Values(axis, "axis", "[1]: which dimension");
    w.Output(output, "output", "of the input's shape");
  }

  void Draw(Drawing& d) {
    d.Tensor(input, {.most_rank = 6});
    d.Values(axis, {static_cast<int32_t>(AxisIndex(DrawAxis(d.choices(), input.dims()), input.rank()))});
    d.OutputLike(output, input);
  }

  void CheckModel(Checker& check) const {
    CheckAxisTensor(check);
    if (input.ranked() && output.ranked())
      check.Same(kRanks, "rank of the input", static_cast<int64_t>(input.rank()), "of the output",
                 static_cast<int64_t>(output.rank()));
    check.SameQuantization(kQuantization, "input", input, "output", output);
  }
  void CheckExecution(Checker& check) const {
    CheckAxisTensor(check);
    check.Rank(kRank, input, "input", 1, 8);
    check.That(axis.present(), kHasAxis, "axis has no value");
    if (!check.clean() || axis.values.empty() || !input.ranked()) return;
    check.InRange(kAxis, "axis", axis.values[0], 0, static_cast<int64_t>(input.rank()) - 1);
  }
  void CheckAxisTensor(Checker& check) const {
    if (!axis.present()) return;
    check.Rank(kOneAxis, axis.tensor, "axis", 1, 1);
    check.Same(kOneAxis, "length of axis", axis.tensor.dim(0), "expected", 1);
  }
  std::vector<Result> Infer() const { return {{input.shape(), input.quantization()}}; }

  template <class T>
  void Eval(Frame<T>& f) const {
    const Lines lines = LinesAlong(input.dims(), static_cast<size_t>(axis.values[0]));
    MapAlong(lines, lines.size, [&](size_t k) { return lines.size - 1 - k; }).Move(f(input).data, f(output).data);
  }
};

}  // namespace

extern const OperationInfo kChannelShuffle, kReverse;
constinit const OperationInfo kChannelShuffle =
    Define<ChannelShuffle, kChannelShuffle>(OperationCode::CHANNEL_SHUFFLE, "CHANNEL_SHUFFLE");
constinit const OperationInfo kReverse = Define<Reverse, kReverse>(OperationCode::REVERSE, "REVERSE");

}  // namespace assay
