// STRIDED_SLICE: every stride-th element of a range, in each dimension.
//
//   dimension d: the elements begin, begin + stride, ... strictly before end (behind it, if the stride is negative)
//
// Negative begin and end count from the end of the dimension; what is out of range is moved to its ends. A bit of
// begin_mask (end_mask) takes the whole range's first (last) instead; bit i belongs to dimension i. A bit of
// shrink_axis_mask removes the dimension, of which one element must be left by a positive stride. So with a negative
// stride an end of -1 is the last element; only a mask or an end below -dimension goes through index 0. What is empty
// is executed, and gives an empty tensor. Elements are moved: every type is exact, and the output has the input's
// quantization.
#include <algorithm>

#include "ops/define.h"
#include "ops/source_map.h"

namespace assay {
namespace {

struct StridedSlice {
  static constexpr absl::string_view kProse =
      "Takes every stride-th element of a range in each dimension: begin, begin + stride, ... before end.";
  static constexpr Evaluation kEvaluation = Evaluation::kMovement;
  using enum OperandType;
  static constexpr TypeRow kRows[] = {
      // since, {input}, {output}
      {2, {TENSOR_FLOAT32}, {TENSOR_FLOAT32}},
      {2, {TENSOR_QUANT8_ASYMM}, {TENSOR_QUANT8_ASYMM}},
      {3, {TENSOR_FLOAT16}, {TENSOR_FLOAT16}},
      {4, {TENSOR_QUANT8_ASYMM_SIGNED}, {TENSOR_QUANT8_ASYMM_SIGNED}},
  };
  static constexpr Rule kRank{"rank", Stage::kModel, "the input has rank at most 4"};
  static constexpr Rule kVectors{"vectors", Stage::kExecution,
                                 "begin, end and strides have rank 1 and an entry for each dimension"};
  static constexpr Rule kStride{"stride", Stage::kExecution, "no stride is 0"};
  static constexpr Rule kShrink{"shrink", Stage::kExecution,
                                "of a dimension that is removed, one element is left, by a positive stride"};
  static constexpr Rule kRules[] = {kRank, kVectors, kStride, kShrink};

  In input;
  IntValues begin, end, strides;
  int32_t begin_mask = 0, end_mask = 0, shrink_axis_mask = 0;
  Out output;

  template <class Walk>
  void Operands(Walk& w) {
    w.Tensor(input, "input", "of rank 1 to 4");
    w.Values(begin, "begin", "[rank]; negative ones count from the end");
    w.Values(end, "end", "[rank], exclusive; negative ones count from the end");
    w.Values(strides, "strides", "[rank], not 0; negative ones go backwards");
    w.Int(begin_mask, "begin_mask", kAnyInt);
    w.Int(end_mask, "end_mask", kAnyInt);
    w.Int(shrink_axis_mask, "shrink_axis_mask", kAnyInt);
    w.Output(output, "output", "without the removed dimensions; [1] if nothing is left");
  }

  // What is drawn for one dimension.
  struct Range {
    int32_t begin, end, stride;
    bool begin_masked, end_masked, shrunk;
  };
  static Range DrawRange(Choices& c, int32_t dim) {
    Range r{};
    r.shrunk = c.Chance(1, 8);
    const bool back = !r.shrunk && c.Chance(1, 3);
    const auto first = static_cast<int32_t>(c.Below(static_cast<uint64_t>(dim)));
    // The range seen from its first element on, whichever way it goes.
    const int32_t step = static_cast<int32_t>(c.Between(1, 3)), left = dim - first;
    const int32_t most = (left - 1) / step + 1;
    const int32_t count = r.shrunk ? 1 : most - static_cast<int32_t>(c.Below(static_cast<uint64_t>(most)));
    // Behind the last element, anywhere before the next one; past the dimension it may be far.
    int32_t behind = first + (count - 1) * step + 1 + static_cast<int32_t>(c.Below(static_cast<uint64_t>(step)));
    if (behind >= dim) behind += static_cast<int32_t>(c.Pick({0, 1, 100}));
    r.begin_masked = first == 0 && c.Chance(1, 3);
    r.end_masked = behind >= dim && c.Chance(1, 3);
    if (back) {
      r = {dim - 1 - first, dim - 1 - behind, -step, r.begin_masked, r.end_masked, r.shrunk};
      // Below 0 is what a negative end cannot say but by going past the other end of the dimension.
      if (r.end < 0) r.end -= dim;
      if (first == 0 && c.Chance(1, 4)) r.begin += 5;
    } else {
      r = {first, behind, step, r.begin_masked, r.end_masked, r.shrunk};
      if (first == 0 && c.Chance(1, 4)) r.begin -= dim + 5;
    }
    if (r.begin >= 0 && r.begin < dim && c.Chance(1, 3)) r.begin -= dim;
    if (r.end >= 0 && r.end < dim && c.Chance(1, 3)) r.end -= dim;
    // What is masked is not read.
    if (r.begin_masked) r.begin = static_cast<int32_t>(c.Between(0, 3));
    if (r.end_masked) r.end = static_cast<int32_t>(c.Between(0, 3));
    return r;
  }

  void Draw(Drawing& d) {
    d.Tensor(input, {});
    std::vector<int32_t> from, to, step;
    begin_mask = end_mask = shrink_axis_mask = 0;
    for (size_t i = 0; i < input.rank(); ++i) {
      const Range r = DrawRange(d.choices(), static_cast<int32_t>(input.dims()[i]));
      from.push_back(r.begin), to.push_back(r.end), step.push_back(r.stride);
      begin_mask |= int32_t{r.begin_masked} << i;
      end_mask |= int32_t{r.end_masked} << i;
      shrink_axis_mask |= int32_t{r.shrunk} << i;
    }
    d.Values(begin, std::move(from));
    d.Values(end, std::move(to));
    d.Values(strides, std::move(step));
    d.OutputLike(output, input);
  }

  void CheckModel(Checker& check) const { check.Rank(kRank, input, "input", 1, 4); }
  void CheckExecution(Checker& check) const {
    check.Rank(kRank, input, "input", 1, 4);
    for (const auto& [v, name] : {std::pair(&begin, "begin"), {&end, "end"}, {&strides, "strides"}}) {
      check.That(v->present(), kVectors, name, " has no value");
      if (!v->present()) continue;
      check.Rank(kVectors, v->tensor, name, 1, 1);
      if (input.ranked())
        check.Same(kVectors, absl::StrCat("entries of ", name), static_cast<int64_t>(v->values.size()), "rank",
                   static_cast<int64_t>(input.rank()));
      check.Same(kVectors, absl::StrCat("entries of ", name), static_cast<int64_t>(v->values.size()), "of begin",
                 static_cast<int64_t>(begin.values.size()));
    }
    if (!check.clean()) return;
    for (size_t i = 0; i < strides.values.size(); ++i) {
      check.That(strides.values[i] != 0, kStride, "strides[", i, "] is 0");
      if (!check.clean() || !Bit(shrink_axis_mask, i)) continue;
      check.AtLeast(kShrink, absl::StrCat("the stride of the removed dimension ", i), strides.values[i], 1);
      check.Same(kShrink, absl::StrCat("number of elements of dimension ", i), CountOf(i), "expected", 1);
    }
  }

  static bool Bit(int32_t mask, size_t i) { return i < 32 && (static_cast<uint32_t>(mask) >> i & 1) != 0; }
  // Where a dimension of `size` elements is entered, and where it is left at the latest.
  int64_t First(size_t i, int64_t size) const {
    const bool forward = strides.values[i] > 0;
    if (Bit(begin_mask, i)) return forward ? 0 : size - 1;
    return Within(begin.values[i], size, forward);
  }
  int64_t Stop(size_t i, int64_t size) const {
    const bool forward = strides.values[i] > 0;
    if (Bit(end_mask, i)) return forward ? size : -1;
    return Within(end.values[i], size, forward);
  }
  // A given index, counted from the end if it is negative, moved to [0, size], or backwards to [-1, size - 1].
  static int64_t Within(int64_t index, int64_t size, bool forward) {
    if (index < 0) index += size;
    return forward ? std::clamp<int64_t>(index, 0, size) : std::clamp<int64_t>(index, -1, size - 1);
  }
  Extent CountOf(size_t i) const {
    if (!input.dim(i).known) return {};
    const int64_t size = input.dim(i).value, stride = strides.values[i];
    const int64_t way = Stop(i, size) - First(i, size);
    return std::max<int64_t>(0, stride > 0 ? (way + stride - 1) / stride : (way + stride + 1) / stride);
  }
  std::vector<Result> Infer() const {
    Extents out;
    for (size_t i = 0; i < strides.values.size(); ++i)
      if (!Bit(shrink_axis_mask, i)) out.push_back(CountOf(i));
    if (out.empty()) out.push_back(1);
    return {{ToShape(out), input.quantization()}};
  }

  template <class T>
  void Eval(Frame<T>& f) const {
    const View<const T>& in = f(input);
    const std::vector<size_t> input_strides = StridesOf(*in.dims);
    SourceMap map;
    for (size_t i = 0; i < in.rank(); ++i) {
      const int64_t first = First(i, int64_t{(*in.dims)[i]}), stride = strides.values[i];
      map.Add(static_cast<size_t>(CountOf(i).value), input_strides[i],
              [&](size_t k) { return static_cast<size_t>(first + static_cast<int64_t>(k) * stride); });
    }
    map.Move(in.data, f(output).data);
  }
};

}  // namespace

extern const OperationInfo kStridedSlice;
constinit const OperationInfo kStridedSlice =
    Define<StridedSlice, kStridedSlice>(OperationCode::STRIDED_SLICE, "STRIDED_SLICE");

}  // namespace assay
