// TILE: a tensor repeated along every dimension.
//
//   output[i, j, ...] = input[i mod d0, j mod d1, ...], each dimension multiples[d] times as long
//
// Android's executor does not look at the multiples; each must be at least 1, and there is one for each dimension.
// Elements are moved: every type is exact, and the output has the input's quantization.
#include <algorithm>

#include "ops/define.h"
#include "ops/source_map.h"

namespace assay {
namespace {

struct Tile {
  static constexpr absl::string_view kProse =
      "Repeats a tensor along every dimension: output[i, j, ...] = input[i mod d0, j mod d1, ...].";
  static constexpr Evaluation kEvaluation = Evaluation::kMovement;
  using enum OperandType;
  static constexpr TypeRow kRows[] = {
      // since, {input}, {output}
      {3, {TENSOR_FLOAT16}, {TENSOR_FLOAT16}},
      {3, {TENSOR_FLOAT32}, {TENSOR_FLOAT32}},
      {3, {TENSOR_INT32}, {TENSOR_INT32}},
      {3, {TENSOR_QUANT8_ASYMM}, {TENSOR_QUANT8_ASYMM}},
      {4, {TENSOR_QUANT8_ASYMM_SIGNED}, {TENSOR_QUANT8_ASYMM_SIGNED}},
  };
  static constexpr Rule kMultiples{"multiples", Stage::kExecution,
                                   "multiples has rank 1 and an entry for each dimension"};
  static constexpr Rule kEntries{"multiple", Stage::kExecution, "an entry of multiples is at least 1"};
  static constexpr Rule kSize{"output_size", Stage::kExecution, "a dimension of the output fits 32 bits"};
  static constexpr Rule kRules[] = {kMultiples, kEntries, kSize};

  In input;
  IntValues multiples;
  Out output;

  template <class Walk>
  void Operands(Walk& w) {
    w.Tensor(input, "input", "of any rank");
    w.Values(multiples, "multiples", "[rank]: how often, for each dimension");
    w.Output(output, "output", "each dimension as many times longer");
  }

  void Draw(Drawing& d) {
    d.Tensor(input, {.most_rank = 5});
    size_t left = std::max<size_t>(1, d.most_elements() / std::max<size_t>(1, Count(input.dims())));
    std::vector<int32_t> entries;
    for (size_t i = 0; i < input.rank(); ++i) {
      entries.push_back(static_cast<int32_t>(d.choices().Between(1, static_cast<int64_t>(std::min<size_t>(left, 3)))));
      left /= static_cast<size_t>(entries.back());
    }
    d.Values(multiples, std::move(entries));
    d.OutputLike(output, input);
  }

  void CheckModel(Checker&) const {}
  void CheckExecution(Checker& check) const {
    check.That(multiples.present(), kMultiples, "multiples has no value");
    if (!multiples.present()) return;
    check.Rank(kMultiples, multiples.tensor, "multiples", 1, 1);
    if (input.ranked())
      check.Same(kMultiples, "number of entries", static_cast<int64_t>(multiples.values.size()), "rank",
                 static_cast<int64_t>(input.rank()));
    for (int32_t entry : multiples.values) check.AtLeast(kEntries, "an entry", entry, 1);
    if (!check.clean()) return;
    for (size_t i = 0; i < multiples.values.size(); ++i)
      check.InRange(kSize, absl::StrCat("dimension ", i, " of the output"), Repeated(i), 0, int64_t{kUnknownDim} - 1);
  }

  Extent Repeated(size_t i) const { return input.dim(i) * Extent(multiples.values[i]); }
  std::vector<Result> Infer() const {
    Extents out;
    for (size_t i = 0; i < multiples.values.size(); ++i) out.push_back(Repeated(i));
    return {{ToShape(out), input.quantization()}};
  }

  template <class T>
  void Eval(Frame<T>& f) const {
    const View<const T>& in = f(input);
    const std::vector<size_t> strides = StridesOf(*in.dims);
    SourceMap map;
    for (size_t i = 0; i < in.rank(); ++i)
      map.Add(f(output).dim(i), strides[i], [&](size_t k) { return k % in.dim(i); });
    map.Move(in.data, f(output).data);
  }
};

}  // namespace

extern const OperationInfo kTile;
constinit const OperationInfo kTile = Define<Tile, kTile>(OperationCode::TILE, "TILE");

}  // namespace assay
