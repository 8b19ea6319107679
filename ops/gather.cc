// GATHER and EMBEDDING_LOOKUP: what indices name along an axis.
//
//   GATHER            output[p.., j.., q..] = input[p.., indices[j..], q..], the axis between p and q
//   EMBEDDING_LOOKUP  output[i, q..] = values[lookups[i], q..]
//
// An index outside of the axis breaks a rule, a negative one too (the axis itself may be negative). Elements are moved:
// every type is exact. That GATHER's output has the input's quantization is documented; Android's executor does not
// look at it, here it must.
#include <algorithm>

#include "ops/define.h"
#include "ops/source_map.h"

namespace assay {
namespace {

using enum OperandType;

// Draws `count` indices of an axis of `size` elements; the simplest are the last ones first.
std::vector<int32_t> DrawIndices(Choices& choices, size_t count, uint32_t size) {
  const uint64_t seed = choices.Seed();
  Stream stream = Bulk(seed);
  std::vector<int32_t> indices(count);
  for (size_t i = 0; i < count; ++i)
    indices[i] = static_cast<int32_t>(seed == 0 ? size - 1 - i % size : stream.UpTo(size - 1));
  return indices;
}

void CheckIndices(Checker& check, const Rule& rule, const IntValues& indices, Extent size) {
  for (int32_t index : indices.values) {
    check.InRange(rule, "an index", index, 0, size.known ? size.value - 1 : INT32_MAX);
    if (!check.clean()) return;  // one is enough
  }
}

struct Gather {
  static constexpr absl::string_view kProse =
      "Takes what indices name along an axis: output[p.., j.., q..] = input[p.., indices[j..], q..].";
  static constexpr Evaluation kEvaluation = Evaluation::kMovement;
  static constexpr TypeRow kRows[] = {
      // since, {input}, {output}
      {3, {TENSOR_FLOAT16}, {TENSOR_FLOAT16}},
      {3, {TENSOR_FLOAT32}, {TENSOR_FLOAT32}},
      {3, {TENSOR_INT32}, {TENSOR_INT32}},
      {3, {TENSOR_QUANT8_ASYMM}, {TENSOR_QUANT8_ASYMM}},
      {4, {TENSOR_QUANT8_ASYMM_SIGNED}, {TENSOR_QUANT8_ASYMM_SIGNED}},
  };
  static constexpr Rule kAxis{"axis", Stage::kExecution, "axis lies in [-rank, rank)"};
  static constexpr Rule kIndices{"indices", Stage::kExecution, "indices has a value"};
  static constexpr Rule kIndex{"index", Stage::kExecution, "an index lies in [0, size of the axis)"};
  static constexpr Rule kRules[] = {kAxis, kIndices, kIndex};

  In input;
  int32_t axis = 0;
  IntValues indices;
  Out output;

  template <class Walk>
  void Operands(Walk& w) {
    w.Tensor(input, "input", "of any rank");
    w.Int(axis, "axis", kAnyInt);
    w.Values(indices, "indices", "of any rank; each in [0, size of the axis)");
    w.Output(output, "output", "the input's dimensions with those of indices in place of the axis");
  }

  void Draw(Drawing& d) {
    Choices& c = d.choices();
    d.Tensor(input, {});
    axis = DrawAxis(c, input.dims());
    const uint32_t size = input.dims()[AxisIndex(axis, input.rank())];
    size_t left = std::max<size_t>(1, d.most_elements() / std::max<size_t>(1, Count(input.dims()) / size));
    Dims dims;
    while (dims.empty() || c.More(dims.size(), 3)) {
      dims.push_back(static_cast<uint32_t>(c.Between(1, static_cast<int64_t>(std::min<size_t>(left, 6)))));
      left /= dims.back();
    }
    std::vector<int32_t> entries = DrawIndices(c, Count(dims), size);
    d.Values(indices, std::move(entries), dims);
    d.OutputLike(output, input);
  }

  void CheckModel(Checker&) const {}
  void CheckExecution(Checker& check) const {
    CheckAxis(check, kAxis, axis, input);
    check.That(indices.present(), kIndices, "indices has no value");
    if (!check.clean()) return;
    CheckIndices(check, kIndex, indices, input.ranked() ? input.dim(AxisIndex(axis, input.rank())) : Extent());
  }
  std::vector<Result> Infer() const {
    if (!input.ranked() || !indices.tensor.ranked()) return {{Shape::Unranked(), input.quantization()}};
    Extents out = input.extents();
    const auto at = out.erase(out.begin() + static_cast<ptrdiff_t>(AxisIndex(axis, out.size())));
    const Extents in_place = indices.tensor.extents();
    out.insert(at, in_place.begin(), in_place.end());
    return {{ToShape(out), input.quantization()}};
  }

  template <class T>
  void Eval(Frame<T>& f) const {
    const Lines lines = LinesAlong(input.dims(), AxisIndex(axis, input.rank()));
    MapAlong(lines, indices.values.size(), [&](size_t k) {
      return static_cast<size_t>(indices.values[k]);
    }).Move(f(input).data, f(output).data);
  }
};

struct EmbeddingLookup {
  static constexpr absl::string_view kProse = "Takes rows by their index: output[i, ...] = values[lookups[i], ...].";
  static constexpr Evaluation kEvaluation = Evaluation::kMovement;
  static constexpr TypeRow kRows[] = {
      // since, {values}, {output}
      {1, {TENSOR_FLOAT32}, {TENSOR_FLOAT32}},
      {3, {TENSOR_INT32}, {TENSOR_INT32}},
      {3, {TENSOR_QUANT8_ASYMM}, {TENSOR_QUANT8_ASYMM}},
      {4, {TENSOR_FLOAT16}, {TENSOR_FLOAT16}},
      {4, {TENSOR_QUANT8_ASYMM_SIGNED}, {TENSOR_QUANT8_ASYMM_SIGNED}},
  };
  static constexpr Rule kLookups{"lookups", Stage::kExecution, "lookups has rank 1"};
  static constexpr Rule kRank{"rank", Stage::kExecution, "values has rank at least 2"};
  static constexpr Rule kIndex{"index", Stage::kExecution, "an index lies in [0, first dimension of values)"};
  static constexpr Rule kRules[] = {kLookups, kRank, kIndex};

  IntValues lookups;
  In values;
  Out output;

  template <class Walk>
  void Operands(Walk& w) {
    w.Values(lookups, "lookups", "[count]: which rows");
    w.Tensor(values, "values", "[rows, ...] of rank 2 or more");
    w.Output(output, "output", "[count, ...]");
  }

  void Draw(Drawing& d) {
    Choices& c = d.choices();
    d.Tensor(values, {.least_rank = 2});
    const uint32_t rows = values.dims()[0];
    const size_t most = std::max<size_t>(1, d.most_elements() / std::max<size_t>(1, Count(values.dims()) / rows));
    const auto count = static_cast<size_t>(c.Between(1, static_cast<int64_t>(std::min<size_t>(most, 8))));
    d.Values(lookups, DrawIndices(c, count, rows));
    d.OutputLike(output, values);
  }

  void CheckModel(Checker&) const {}
  void CheckExecution(Checker& check) const {
    check.That(lookups.present(), kLookups, "lookups has no value");
    if (lookups.present()) check.Rank(kLookups, lookups.tensor, "lookups", 1, 1);
    check.Rank(kRank, values, "values", 2, SIZE_MAX);
    if (check.clean()) CheckIndices(check, kIndex, lookups, values.dim(0));
  }
  std::vector<Result> Infer() const {
    if (!values.ranked()) return {{Shape::Unranked(), values.quantization()}};
    Extents out = values.extents();
    out[0] = static_cast<int64_t>(lookups.values.size());
    return {{ToShape(out), values.quantization()}};
  }

  template <class T>
  void Eval(Frame<T>& f) const {
    MapAlong(LinesAlong(values.dims(), 0), lookups.values.size(), [&](size_t k) {
      return static_cast<size_t>(lookups.values[k]);
    }).Move(f(values).data, f(output).data);
  }
};

}  // namespace

extern const OperationInfo kEmbeddingLookup, kGather;
constinit const OperationInfo kEmbeddingLookup =
    Define<EmbeddingLookup, kEmbeddingLookup>(OperationCode::EMBEDDING_LOOKUP, "EMBEDDING_LOOKUP");
constinit const OperationInfo kGather = Define<Gather, kGather>(OperationCode::GATHER, "GATHER");

}  // namespace assay
