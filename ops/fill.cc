// FILL and RANK: a tensor of one value, and the number of a tensor's dimensions.
//
// FILL's value is a scalar that another operation may have computed; it is never needed to know the output's shape,
// which `dims` holds. RANK gives a scalar INT32: what it says is known as soon as the shape is, and what the tensor
// holds does not matter.
#include <algorithm>
#include <iterator>

#include "ops/define.h"
#include "ops/draw_dims.h"

namespace assay {
namespace {

using enum OperandType;

struct FillTensor {
  static constexpr absl::string_view kProse = "Makes a tensor of the dimensions dims, of which every element is value.";
  static constexpr Evaluation kEvaluation = Evaluation::kMovement;
  static constexpr TypeRow kRows[] = {
      // since, {value}, {output}
      {4, {FLOAT16}, {TENSOR_FLOAT16}},
      {4, {FLOAT32}, {TENSOR_FLOAT32}},
      {4, {INT32}, {TENSOR_INT32}},
  };
  static constexpr Rule kDims{"dims", Stage::kExecution, "dims has rank 1"};
  static constexpr Rule kEntries{"dims_entries", Stage::kExecution, "no entry of dims is negative"};
  static constexpr Rule kRules[] = {kDims, kEntries};

  IntValues dims;
  In value;
  Out output;

  template <class Walk>
  void Operands(Walk& w) {
    w.Values(dims, "dims", "[output rank]");
    w.Tensor(value, "value", "a scalar of the output's type");
    w.Output(output, "output", "of the dimensions dims");
  }

  void Draw(Drawing& d) {
    // Floats that are the same in every format.
    static constexpr double kValues[] = {0, 1, -1, 0.5, -2.5, 7, 100};
    const double drawn =
        value.type() == INT32 ? static_cast<double>(d.choices().Between(-1000, 1000)) : d.choices().Pick(kValues);
    const Dims shape = DrawDims(d, 1, 4);
    d.Values(dims, {shape.begin(), shape.end()});
    d.Contents(value, {}, {drawn});
    d.Output(output, {drawn, drawn, true});
  }

  void CheckModel(Checker&) const {}
  void CheckExecution(Checker& check) const {
    check.That(dims.present(), kDims, "dims has no value");
    if (dims.present()) check.Rank(kDims, dims.tensor, "dims", 1, 1);
    for (int32_t entry : dims.values) check.AtLeast(kEntries, "an entry", entry, 0);
  }
  std::vector<Result> Infer() const {
    Extents out(dims.values.begin(), dims.values.end());
    return {{ToShape(out), Quantization{}}};
  }

  template <class T>
  void Eval(Frame<T>& f) const {
    std::fill(f(output).begin(), f(output).end(), f(value)[0]);
  }
};

struct Rank {
  static constexpr absl::string_view kProse = "The number of dimensions of a tensor, as a scalar.";
  static constexpr Evaluation kEvaluation = Evaluation::kReal;
  static constexpr TypeRow kRows[] = {
      // since, {input}, {output}
      {4, {TENSOR_FLOAT16}, {INT32}},
      {4, {TENSOR_FLOAT32}, {INT32}},
      {4, {TENSOR_INT32}, {INT32}},
      {4, {TENSOR_QUANT8_ASYMM}, {INT32}},
      {4, {TENSOR_QUANT16_SYMM}, {INT32}},
      {4, {TENSOR_BOOL8}, {INT32}},
      {4, {TENSOR_QUANT8_SYMM_PER_CHANNEL}, {INT32}},
      {4, {TENSOR_QUANT16_ASYMM}, {INT32}},
      {4, {TENSOR_QUANT8_SYMM}, {INT32}},
      {4, {TENSOR_QUANT8_ASYMM_SIGNED}, {INT32}},
  };
  static constexpr std::span<const Rule> kRules{};

  In input;
  Out rank;

  template <class Walk>
  void Operands(Walk& w) {
    w.Tensor(input, "input", "of any rank");
    w.Output(rank, "rank", "a scalar");
  }

  void Draw(Drawing& d) {
    d.Tensor(input, {.most_rank = 6});
    const auto drawn = static_cast<double>(input.rank());
    d.Output(rank, {drawn, drawn, true});
  }

  void CheckModel(Checker&) const {}
  void CheckExecution(Checker&) const {}
  std::vector<Result> Infer() const { return {{Shape::Of({}), Quantization{}}}; }
  Allowance Allowed(size_t) const { return {.exact = true}; }

  template <class N>
  void Eval(Frame<N>& f) const {
    f(rank)[0] = N(static_cast<double>(input.rank()));
  }
};

}  // namespace

extern const OperationInfo kFill, kRank;
constinit const OperationInfo kFill = Define<FillTensor, kFill>(OperationCode::FILL, "FILL");
constinit const OperationInfo kRank = Define<Rank, kRank>(OperationCode::RANK, "RANK");

}  // namespace assay
