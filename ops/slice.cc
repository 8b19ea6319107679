// SLICE: a box cut out of a tensor.
//
//   output[i, j, ...] = input[i + begin[0], j + begin[1], ...], size[d] long in dimension d; size -1: up to the end
//
// Empty inputs and empty slices are executed. Elements are moved: every type is exact. That the output has the input's
// quantization is documented; Android's executor does not look at it, here it must.
#include "ops/define.h"
#include "ops/source_map.h"

namespace assay {
namespace {

struct Slice {
  static constexpr absl::string_view kProse =
      "Cuts a box out of a tensor: output[i, j, ...] = input[i + begin[0], j + begin[1], ...].";
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
  static constexpr Rule kVectors{"vectors", Stage::kExecution,
                                 "begin and size have rank 1 and an entry for each dimension"};
  static constexpr Rule kBegin{"begin", Stage::kExecution, "an entry of begin lies in [0, dimension]"};
  static constexpr Rule kSize{"size", Stage::kExecution,
                              "an entry of size is -1, or at least 0 and at most what begin leaves"};
  static constexpr Rule kRules[] = {kVectors, kBegin, kSize};
  static constexpr bool kAllowsEmpty = true;

  In input;
  IntValues begin, size;
  Out output;

  template <class Walk>
  void Operands(Walk& w) {
    w.Tensor(input, "input", "of any rank");
    w.Values(begin, "begin", "[rank]: index of the first element, for each dimension");
    w.Values(size, "size", "[rank]: how many elements; -1: all up to the end");
    w.Output(output, "output", "of the dimensions that size gives");
  }

  void Draw(Drawing& d) {
    Choices& c = d.choices();
    d.Tensor(input, {.most_rank = 5});
    std::vector<int32_t> first, count;
    for (uint32_t dim : input.dims()) {
      first.push_back(static_cast<int32_t>(c.Below(dim)));
      const int64_t left = int64_t{dim} - first.back();
      count.push_back(c.Chance(1, 4)
                          ? -1
                          : static_cast<int32_t>(left - static_cast<int64_t>(c.Below(static_cast<uint64_t>(left)))));
    }
    d.Values(begin, std::move(first));
    d.Values(size, std::move(count));
    d.OutputLike(output, input);
  }

  void CheckModel(Checker&) const {}
  void CheckExecution(Checker& check) const {
    for (const IntValues* v : {&begin, &size}) {
      const absl::string_view name = v == &begin ? "begin" : "size";
      check.That(v->present(), kVectors, name, " has no value");
      if (!v->present()) continue;
      check.Rank(kVectors, v->tensor, name, 1, 1);
      if (input.ranked())
        check.Same(kVectors, absl::StrCat("entries of ", name), static_cast<int64_t>(v->values.size()), "rank",
                   static_cast<int64_t>(input.rank()));
    }
    check.Same(kVectors, "entries of begin", static_cast<int64_t>(begin.values.size()), "of size",
               static_cast<int64_t>(size.values.size()));
    if (!check.clean()) return;
    for (size_t i = 0; i < begin.values.size(); ++i) {
      const Extent dim = input.dim(i);
      check.InRange(kBegin, absl::StrCat("begin[", i, "]"), begin.values[i], 0, dim.known ? dim.value : INT32_MAX);
      if (!check.clean()) continue;
      check.InRange(kSize, absl::StrCat("size[", i, "]"), size.values[i], -1,
                    dim.known ? dim.value - begin.values[i] : INT32_MAX);
    }
  }
  std::vector<Result> Infer() const {
    Extents out;
    for (size_t i = 0; i < begin.values.size(); ++i)
      out.push_back(size.values[i] >= 0 ? Extent(size.values[i]) : input.dim(i) - Extent(begin.values[i]));
    return {{ToShape(out), input.quantization()}};
  }

  template <class T>
  void Eval(Frame<T>& f) const {
    const View<T>& out = f(output);
    const std::vector<size_t> strides = StridesOf(input.dims());
    SourceMap map;
    for (size_t i = 0; i < out.rank(); ++i)
      map.Add(out.dim(i), strides[i], [&](size_t k) { return k + static_cast<size_t>(begin.values[i]); });
    map.Move(f(input).data, out.data);
  }
};

}  // namespace

extern const OperationInfo kSlice;
constinit const OperationInfo kSlice = Define<Slice, kSlice>(OperationCode::SLICE, "SLICE");

}  // namespace assay
