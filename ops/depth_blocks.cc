// DEPTH_TO_SPACE and SPACE_TO_DEPTH: blocks of pixels in the depth of one.
//
//   DEPTH_TO_SPACE  out[b, h * block + i, w * block + j, c] = in[b, h, w, (i * block + j) * depth_out + c]
//   SPACE_TO_DEPTH  out[b, h, w, (i * block + j) * depth_in + c] = in[b, h * block + i, w * block + j, c]
//
// with 0 <= i, j < block_size: each is the other's inverse. In NCHW the order of channels within a pixel is the same.
// The documentation has DEPTH_TO_SPACE's width as depth * block_size, a slip. Elements are moved: every type is exact,
// and the output has the input's quantization.
#include <algorithm>

#include "ops/define.h"
#include "ops/image_map.h"

namespace assay {
namespace {

using enum OperandType;

// What the two differ in.
struct ToSpace {
  static constexpr absl::string_view kProse =
      "Spreads depth over blocks of pixels: "
      "out[b, h * block + i, w * block + j, c] = in[b, h, w, (i * block + j) * depth_out + c].";
  static constexpr Rule kDivides{"block", Stage::kExecution, "block_size^2 divides the depth"};
  static void Check(Checker& check, const ImageExtents& in, Extent block) {
    CheckDivides(check, kDivides, "depth", in.depth, block * block);
  }
  static ImageExtents OutputOf(const ImageExtents& in, Extent block) {
    return {in.batches, in.height * block, in.width * block, in.depth / (block * block)};
  }
  static bool Fits(const ImageSize& in, size_t block) { return in.depth % (block * block) == 0; }
  static ImageSize Grown(ImageSize in, size_t block) {
    return {in.batches, in.height, in.width, in.depth * block * block};
  }
  static ImageMap Map(const ImageSize& out, const ImageSize& by, size_t block) {
    const size_t row_of_block = block * out.depth;
    ImageMap map(out, by);
    map.height =
        MovesOf(out.height, [&](size_t y) { return y / block * by.height + y % block * row_of_block * by.depth; });
    map.width = MovesOf(out.width, [&](size_t x) { return x / block * by.width + x % block * out.depth * by.depth; });
    return map;
  }
};

struct ToDepth {
  static constexpr absl::string_view kProse =
      "Puts blocks of pixels into the depth: "
      "out[b, h, w, (i * block + j) * depth_in + c] = in[b, h * block + i, w * block + j, c].";
  static constexpr Rule kDivides{"block", Stage::kExecution, "block_size divides height and width"};
  static void Check(Checker& check, const ImageExtents& in, Extent block) {
    CheckDivides(check, kDivides, "height", in.height, block);
    CheckDivides(check, kDivides, "width", in.width, block);
  }
  static ImageExtents OutputOf(const ImageExtents& in, Extent block) {
    return {in.batches, in.height / block, in.width / block, in.depth * block * block};
  }
  static bool Fits(const ImageSize& in, size_t block) { return in.height % block == 0 && in.width % block == 0; }
  static ImageSize Grown(ImageSize in, size_t block) {
    return {in.batches, in.height * block, in.width * block, in.depth};
  }
  static ImageMap Map(const ImageSize& out, const ImageSize& by, size_t block) {
    const size_t depth_in = out.depth / (block * block);
    ImageMap map(out, by);
    map.height = SourceMap::AsItIs(out.height, block * by.height);
    map.width = SourceMap::AsItIs(out.width, block * by.width);
    map.depth = MovesOf(out.depth, [&](size_t c) {
      const size_t pixel = c / depth_in;
      return pixel / block * by.height + pixel % block * by.width + c % depth_in * by.depth;
    });
    return map;
  }
};

template <class Way>
struct DepthBlocks {
  static constexpr absl::string_view kProse = Way::kProse;
  static constexpr Evaluation kEvaluation = Evaluation::kMovement;
  static constexpr TypeRow kRows[] = {
      // since, {input}, {output}
      {1, {TENSOR_FLOAT32}, {TENSOR_FLOAT32}},
      {1, {TENSOR_QUANT8_ASYMM}, {TENSOR_QUANT8_ASYMM}},
      {3, {TENSOR_FLOAT16}, {TENSOR_FLOAT16}},
      {4, {TENSOR_QUANT8_ASYMM_SIGNED}, {TENSOR_QUANT8_ASYMM_SIGNED}},
  };
  static constexpr Rule kRank{"rank", Stage::kExecution, "the input has rank 4"};
  static constexpr Rule kSize{"output_size", Stage::kExecution, "a dimension of the output fits 32 bits"};
  static constexpr Rule kRules[] = {kRank, Way::kDivides, kSize};

  In input;
  int32_t block_size = 1;
  bool has_layout = false, nchw = false;
  Out output;

  template <class Walk>
  void Operands(Walk& w) {
    w.Tensor(input, "input", "[batches, height, width, depth], or [batches, depth, height, width] if nchw");
    w.Int(block_size, "block_size", kPositive);
    if (w.More(has_layout)) w.Flag(nchw, "nchw");
    w.Output(output, "output", "of the input's layout");
  }

  void Draw(Drawing& d) {
    Choices& c = d.choices();
    if (d.level() < 3) has_layout = false;
    if (!has_layout) nchw = false;
    if (c.Chance(1, 3)) {
      d.Tensor(input, {.least_rank = 4});
      std::vector<int32_t> fitting;
      for (size_t block = 2; block <= 4; ++block)
        if (Way::Fits(SizeOf(input.dims(), nchw), block)) fitting.push_back(static_cast<int32_t>(block));
      fitting.push_back(1);
      block_size = c.Pick(fitting);
    } else {
      block_size = c.Pick({2, 3, 1});
      const auto block = static_cast<size_t>(block_size);
      ImageSize size{1, 1, 1, 1};
      size_t left = std::max<size_t>(1, d.most_elements() / (block * block));
      for (size_t* dim : {&size.batches, &size.height, &size.width, &size.depth}) {
        *dim = static_cast<size_t>(c.Between(1, static_cast<int64_t>(std::min<size_t>(left, 4))));
        left /= *dim;
      }
      d.Exactly(input, DimsOf(Way::Grown(size, block), nchw), {.range = {-4, 4}, .loose = true});
    }
    d.OutputLike(output, input);
  }

  FeatureLevel Level(FeatureLevel of_row) const { return has_layout ? std::max(of_row, 3) : of_row; }

  void CheckModel(Checker&) const {}
  void CheckExecution(Checker& check) const {
    check.Rank(kRank, input, "input", 4, 4);
    if (!check.clean() || block_size < 1) return;
    Way::Check(check, ExtentsOf(input, nchw), block_size);
    if (check.clean()) CheckImage(check, kSize, Way::OutputOf(ExtentsOf(input, nchw), block_size));
  }
  std::vector<Result> Infer() const {
    return {{ToShape(Way::OutputOf(ExtentsOf(input, nchw), block_size), nchw), input.quantization()}};
  }

  template <class T>
  void Eval(Frame<T>& f) const {
    const ImageSize out = SizeOf(*f(output).dims, nchw);
    Way::Map(out, ImageStrides(input.dims(), nchw), static_cast<size_t>(block_size))
        .InLayout(nchw)
        .Move(f(input).data, f(output).data);
  }
};

}  // namespace

extern const OperationInfo kDepthToSpace, kSpaceToDepth;
constinit const OperationInfo kDepthToSpace =
    Define<DepthBlocks<ToSpace>, kDepthToSpace>(OperationCode::DEPTH_TO_SPACE, "DEPTH_TO_SPACE");
constinit const OperationInfo kSpaceToDepth =
    Define<DepthBlocks<ToDepth>, kSpaceToDepth>(OperationCode::SPACE_TO_DEPTH, "SPACE_TO_DEPTH");

}  // namespace assay
