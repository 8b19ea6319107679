// RESHAPE: the same elements in row-major order, with other dimensions.
//
// One entry of the shape may be -1: what the element count leaves for it. A 0 or another negative entry is invalid, and
// so is an empty input. Elements are moved: every type is exact, and the output has the input's quantization.
#include <algorithm>

#include "ops/define.h"

namespace assay {
namespace {

struct Reshape {
  static constexpr absl::string_view kProse =
      "Gives a tensor other dimensions with the same number of elements; the elements stay in row-major order.";
  static constexpr Evaluation kEvaluation = Evaluation::kMovement;
  using enum OperandType;
  static constexpr TypeRow kRows[] = {
      // since, {input}, {output}
      {1, {TENSOR_FLOAT32}, {TENSOR_FLOAT32}}, {1, {TENSOR_QUANT8_ASYMM}, {TENSOR_QUANT8_ASYMM}},
      {3, {TENSOR_FLOAT16}, {TENSOR_FLOAT16}}, {4, {TENSOR_QUANT8_ASYMM_SIGNED}, {TENSOR_QUANT8_ASYMM_SIGNED}},
      {6, {TENSOR_INT32}, {TENSOR_INT32}},
  };
  static constexpr Rule kRank{"rank", Stage::kModel, "the input has rank at most 4"};
  static constexpr Rule kShape{"shape", Stage::kExecution, "shape has rank 1 and at least one element"};
  static constexpr Rule kEntries{"shape_entries", Stage::kExecution, "entries are at least 1, but one may be -1"};
  static constexpr Rule kCount{"count", Stage::kExecution, "input and output have the same number of elements"};
  static constexpr Rule kRules[] = {kRank, kShape, kEntries, kCount};

  In input;
  IntValues shape;
  Out output;

  template <class Walk>
  void Operands(Walk& w) {
    w.Tensor(input, "input", "of rank 1 to 4");
    w.Values(shape, "shape", "[output rank]; one entry may be -1");
    w.Output(output, "output", "of the given shape");
  }

  // Divisors of what is left, in any order, the last dimension taking the rest.
  void Draw(Drawing& d) {
    d.Tensor(input, {});
    Choices& c = d.choices();
    size_t left = Count(input.dims());
    std::vector<int32_t> entries;
    while (c.More(entries.size(), 3)) {
      std::vector<size_t> divisors;
      for (size_t i = 1; i <= std::min<size_t>(left, 64); ++i)
        if (left % i == 0) divisors.push_back(i);
      entries.push_back(static_cast<int32_t>(c.Pick(divisors)));
      left /= static_cast<size_t>(entries.back());
    }
    entries.push_back(static_cast<int32_t>(left));
    if (c.Chance(1, 3)) entries[static_cast<size_t>(c.Below(entries.size()))] = -1;
    d.Values(shape, std::move(entries));
    d.OutputLike(output, input);
  }

  void CheckModel(Checker& check) const { check.Rank(kRank, input, "input", 1, 4); }
  void CheckExecution(Checker& check) const {
    check.Rank(kRank, input, "input", 1, 4);
    check.That(shape.present(), kShape, "shape has no value");
    if (!shape.present()) return;
    check.Rank(kShape, shape.tensor, "shape", 1, 1);
    check.That(!shape.values.empty(), kShape, "shape has 0 elements");
    const auto inferred = std::count(shape.values.begin(), shape.values.end(), -1);
    check.That(inferred <= 1, kEntries, "-1 stands ", inferred, " times, at most one is taken");
    for (int32_t entry : shape.values)
      check.That(entry == -1 || entry >= 1, kEntries, "an entry is ", entry, ", must be at least 1, or -1");
    if (check.clean()) CheckCount(check, inferred == 1);
  }
  void CheckCount(Checker& check, bool inferred) const {
    const Extent count = ProductOf(input.extents());
    const std::optional<uint64_t> given = GivenCount();
    if (!input.ranked() || !count.known) return;
    const auto elements = static_cast<uint64_t>(count.value);
    check.That(given && (inferred ? elements % *given == 0 : elements == *given), kCount, "the input has ", elements,
               " elements, the entries of shape multiply to ", given ? absl::StrCat(*given) : "more than 64 bits",
               inferred ? " without -1" : "");
  }

  // Product of the entries but -1; nothing if it overflows.
  std::optional<uint64_t> GivenCount() const {
    std::optional<uint64_t> product = 1;
    for (int32_t entry : shape.values)
      if (entry != -1 && product) product = CheckedProduct(*product, static_cast<uint64_t>(entry));
    return product;
  }
  std::vector<Result> Infer() const {
    const Extent count = input.ranked() ? ProductOf(input.extents()) : Extent();
    const std::optional<uint64_t> given = GivenCount();
    Extents out;
    for (int32_t entry : shape.values)
      out.push_back(entry != -1 ? Extent(entry) : given ? count / Extent(static_cast<int64_t>(*given)) : Extent());
    return {{ToShape(out), input.quantization()}};
  }

  template <class T>
  void Eval(Frame<T>& f) const {
    std::copy(f(input).begin(), f(input).end(), f(output).begin());
  }
};

}  // namespace

extern const OperationInfo kReshape;
constinit const OperationInfo kReshape = Define<Reshape, kReshape>(OperationCode::RESHAPE, "RESHAPE");

}  // namespace assay
