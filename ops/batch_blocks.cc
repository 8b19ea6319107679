// SPACE_TO_BATCH_ND and BATCH_TO_SPACE_ND: the pixels of blocks in images of their own.
//
//   SPACE_TO_BATCH_ND  out[(i * bw + j) * batches_in + n, h, w, c] = padded[n, h * bh + i, w * bw + j, c]
//   BATCH_TO_SPACE_ND  out[n, h * bh + i, w * bw + j, c] = in[(i * bw + j) * batches_out + n, h, w, c]
//
// with 0 <= i < bh, 0 <= j < bw of block_shape {bh, bw}, and the image padded by real zeros; there are no crops. That
// the block comes before the batch is Android's executor's order: all examples have one batch. Documented are any
// number of spatial dimensions; only rank 4 exists. block_shape and paddings are height first, in NCHW too. A quantized
// zero is the zero point; before feature level 3 it was undefined, so a QUANT8_ASYMM input with another zero point than
// 0 needs that level (the documentation has this at the signed type, a slip). Elements are moved: every type is exact,
// and the output has the input's quantization.
#include <algorithm>

#include "ops/define.h"
#include "ops/image_map.h"

namespace assay {
namespace {

using enum OperandType;

constexpr TypeRow kMoved[] = {
    // since, {input}, {output}
    {2, {TENSOR_FLOAT32}, {TENSOR_FLOAT32}},
    {2, {TENSOR_QUANT8_ASYMM}, {TENSOR_QUANT8_ASYMM}},
    {3, {TENSOR_FLOAT16}, {TENSOR_FLOAT16}},
    {4, {TENSOR_QUANT8_ASYMM_SIGNED}, {TENSOR_QUANT8_ASYMM_SIGNED}},
};

// The operand block_shape.
struct Block : IntValues {
  static constexpr Rule kShape{"block_shape", Stage::kExecution, "block_shape has the dimensions [2]"};
  static constexpr Rule kEntries{"block", Stage::kExecution, "an entry of block_shape is at least 1"};

  void Check(Checker& check) const {
    check.That(present(), kShape, "block_shape has no value");
    if (!present()) return;
    check.Rank(kShape, tensor, "block_shape", 1, 1);
    check.Same(kShape, "number of entries", static_cast<int64_t>(values.size()), "expected", 2);
    for (int32_t entry : values) check.AtLeast(kEntries, "an entry", entry, 1);
  }
  int32_t height() const { return values[0]; }
  int32_t width() const { return values[1]; }
  size_t rows() const { return static_cast<size_t>(values[0]); }
  size_t columns() const { return static_cast<size_t>(values[1]); }
};

// An image of at most `most` elements, none of its dimensions above 4.
ImageSize DrawImage(Choices& c, size_t most) {
  ImageSize size{1, 1, 1, 1};
  for (size_t* dim : {&size.batches, &size.height, &size.width, &size.depth}) {
    *dim = static_cast<size_t>(c.Between(1, static_cast<int64_t>(std::clamp<size_t>(most, 1, 4))));
    most /= *dim;
  }
  return size;
}

struct SpaceToBatchNd {
  static constexpr absl::string_view kProse =
      "Spreads blocks of pixels over batches: "
      "out[(i * bw + j) * batches + n, h, w, c] = padded[n, h * bh + i, w * bw + j, c].";
  static constexpr Evaluation kEvaluation = Evaluation::kMovement;
  static constexpr std::span<const TypeRow> kRows = kMoved;
  static constexpr Rule kRank{"rank", Stage::kExecution, "the input has rank 4"};
  static constexpr Rule kPaddings{"paddings", Stage::kExecution, "paddings has the dimensions [2, 2]"};
  static constexpr Rule kEntries{"padding", Stage::kExecution, "no padding is negative"};
  static constexpr Rule kDivides{"divides", Stage::kExecution, "the block divides the padded height and width"};
  static constexpr Rule kSize{"output_size", Stage::kExecution, "a dimension of the output fits 32 bits"};
  static constexpr Rule kRules[] = {kRank, Block::kShape, Block::kEntries, kPaddings, kEntries, kDivides, kSize};

  In input;
  Block block;
  IntValues paddings;
  bool has_layout = false, nchw = false;
  Out output;

  template <class Walk>
  void Operands(Walk& w) {
    w.Tensor(input, "input", "[batches, height, width, depth], or [batches, depth, height, width] if nchw");
    w.Values(block, "block_shape", "[2]: height and width of a block");
    w.Values(paddings, "paddings", "[2, 2]: top, bottom, left, right");
    if (w.More(has_layout)) w.Flag(nchw, "nchw");
    w.Output(output, "output", "of the input's layout");
  }

  void Draw(Drawing& d) {
    Choices& c = d.choices();
    if (d.level() < 3) has_layout = false;
    if (!has_layout) nchw = false;
    if (c.Chance(1, 3)) {
      d.Tensor(input, {.least_rank = 4});
    } else {
      d.Exactly(input, DimsOf(DrawImage(c, d.most_elements()), nchw), {.range = {-4, 4}, .loose = true});
    }
    const ImageSize size = SizeOf(input.dims(), nchw);
    std::vector<int32_t> blocks, pads;
    for (size_t dim : {size.height, size.width}) {
      blocks.push_back(c.Pick({2, 1, 3}));
      const auto before = static_cast<int32_t>(c.Below(3));
      const int32_t uneven = (static_cast<int32_t>(dim) + before) % blocks.back();
      const int32_t after = (blocks.back() - uneven) % blocks.back() + blocks.back() * static_cast<int32_t>(c.Below(2));
      pads.push_back(before), pads.push_back(after);
    }
    d.Values(block, std::move(blocks));
    d.Values(paddings, std::move(pads), Dims{2, 2});
    const Range range = d.RangeOf(input);
    d.OutputAs(output, input.quantization(), {std::min(range.least, 0.0), std::max(range.most, 0.0), range.sure});
  }

  FeatureLevel Level(FeatureLevel of_row) const {
    const bool shifted = input.type() == TENSOR_QUANT8_ASYMM && input.quantization().zero_point != 0;
    return has_layout || shifted ? std::max(of_row, 3) : of_row;
  }

  void CheckModel(Checker&) const {}
  void CheckExecution(Checker& check) const {
    check.Rank(kRank, input, "input", 4, 4);
    block.Check(check);
    check.That(paddings.present(), kPaddings, "paddings has no value");
    if (paddings.present()) {
      check.Rank(kPaddings, paddings.tensor, "paddings", 2, 2);
      check.Same(kPaddings, "number of pairs", paddings.tensor.dim(0), "expected", 2);
      check.Same(kPaddings, "length of a pair", paddings.tensor.dim(1), "expected", 2);
      for (int32_t padding : paddings.values) check.AtLeast(kEntries, "a padding", padding, 0);
    }
    if (!check.clean()) return;
    const ImageExtents padded = Padded();
    CheckDivides(check, kDivides, "padded height", padded.height, block.height());
    CheckDivides(check, kDivides, "padded width", padded.width, block.width());
    if (check.clean()) CheckImage(check, kSize, OutputImage());
  }

  ImageExtents Padded() const {
    const ImageExtents in = ExtentsOf(input, nchw);
    const std::vector<int32_t>& p = paddings.values;
    return {in.batches, in.height + Extent(p[0]) + Extent(p[1]), in.width + Extent(p[2]) + Extent(p[3]), in.depth};
  }
  ImageExtents OutputImage() const {
    const ImageExtents padded = Padded();
    return {padded.batches * (Extent(block.height()) * Extent(block.width())), padded.height / Extent(block.height()),
            padded.width / Extent(block.width()), padded.depth};
  }
  std::vector<Result> Infer() const { return {{ToShape(OutputImage(), nchw), input.quantization()}}; }

  // One pixel of the blocks after the other: the batches that it makes lie together, in both layouts.
  template <class T>
  void Eval(Frame<T>& f) const {
    const ImageSize in = SizeOf(input.dims(), nchw), by = ImageStrides(input.dims(), nchw);
    ImageSize out = SizeOf(*f(output).dims, nchw);
    out.batches = in.batches;
    const size_t count = out.batches * out.height * out.width * out.depth;
    T* to = f(output).data;
    for (size_t i = 0; i < block.rows(); ++i)
      for (size_t j = 0; j < block.columns(); ++j, to += count) {
        ImageMap map(out, by);
        map.height = Pixels(out.height, block.rows(), i, paddings.values[0], in.height, by.height);
        map.width = Pixels(out.width, block.columns(), j, paddings.values[2], in.width, by.width);
        std::move(map).InLayout(nchw).Move(f(input).data, to, f.Zero());
      }
  }
  // The `count` pixels number `pixel` of the blocks along one side of an image, `before` of which are padding.
  static SourceMap::Moves Pixels(size_t count, size_t block, size_t pixel, int32_t before, size_t size, size_t stride) {
    return SourceMap::MovesBy(count, stride, [=](size_t k) {
      const size_t at = k * block + pixel, head = static_cast<size_t>(before);
      return at >= head && at - head < size ? at - head : SourceMap::kNone;
    });
  }
};

struct BatchToSpaceNd {
  static constexpr absl::string_view kProse =
      "Puts batches side by side as blocks of pixels: "
      "out[n, h * bh + i, w * bw + j, c] = in[(i * bw + j) * batches_out + n, h, w, c].";
  static constexpr Evaluation kEvaluation = Evaluation::kMovement;
  static constexpr std::span<const TypeRow> kRows = kMoved;
  static constexpr Rule kRank{"rank", Stage::kExecution, "the input has rank 4"};
  static constexpr Rule kDivides{"divides", Stage::kExecution, "the block's pixels divide the batches"};
  static constexpr Rule kSize{"output_size", Stage::kExecution, "a dimension of the output fits 32 bits"};
  static constexpr Rule kRules[] = {kRank, Block::kShape, Block::kEntries, kDivides, kSize};

  In input;
  Block block;
  bool has_layout = false, nchw = false;
  Out output;

  template <class Walk>
  void Operands(Walk& w) {
    w.Tensor(input, "input", "[batches, height, width, depth], or [batches, depth, height, width] if nchw");
    w.Values(block, "block_shape", "[2]: height and width of a block");
    if (w.More(has_layout)) w.Flag(nchw, "nchw");
    w.Output(output, "output", "of the input's layout");
  }

  void Draw(Drawing& d) {
    Choices& c = d.choices();
    if (d.level() < 3) has_layout = false;
    if (!has_layout) nchw = false;
    std::vector<int32_t> blocks{c.Pick({2, 1, 3}), c.Pick({2, 1, 3})};
    const auto pixels = static_cast<size_t>(blocks[0] * blocks[1]);
    if (c.Chance(1, 3)) {
      d.Tensor(input, {.least_rank = 4});
      if (input.dims()[0] % pixels != 0) blocks = {1, static_cast<int32_t>(std::min(input.dims()[0], 9u))};
      if (input.dims()[0] % static_cast<uint32_t>(blocks[0] * blocks[1]) != 0) blocks = {1, 1};
    } else {
      ImageSize size = DrawImage(c, d.most_elements() / pixels);
      size.batches *= pixels;
      d.Exactly(input, DimsOf(size, nchw), {.range = {-4, 4}, .loose = true});
    }
    d.Values(block, std::move(blocks));
    d.OutputLike(output, input);
  }

  FeatureLevel Level(FeatureLevel of_row) const { return has_layout ? std::max(of_row, 3) : of_row; }

  void CheckModel(Checker&) const {}
  void CheckExecution(Checker& check) const {
    check.Rank(kRank, input, "input", 4, 4);
    block.Check(check);
    if (!check.clean()) return;
    CheckDivides(check, kDivides, "number of batches", input.dim(0), Extent(block.height()) * Extent(block.width()));
    if (check.clean()) CheckImage(check, kSize, OutputImage());
  }
  ImageExtents OutputImage() const {
    const ImageExtents in = ExtentsOf(input, nchw);
    return {in.batches / (Extent(block.height()) * Extent(block.width())), in.height * Extent(block.height()),
            in.width * Extent(block.width()), in.depth};
  }
  std::vector<Result> Infer() const { return {{ToShape(OutputImage(), nchw), input.quantization()}}; }

  template <class T>
  void Eval(Frame<T>& f) const {
    const ImageSize out = SizeOf(*f(output).dims, nchw), by = ImageStrides(input.dims(), nchw);
    const size_t bh = block.rows(), bw = block.columns(), to_next_pixel = out.batches * by.batches;
    ImageMap map(out, by);
    map.height = MovesOf(out.height, [=](size_t y) { return y / bh * by.height + y % bh * bw * to_next_pixel; });
    map.width = MovesOf(out.width, [=](size_t x) { return x / bw * by.width + x % bw * to_next_pixel; });
    std::move(map).InLayout(nchw).Move(f(input).data, f(output).data);
  }
};

}  // namespace

extern const OperationInfo kBatchToSpaceNd, kSpaceToBatchNd;
constinit const OperationInfo kBatchToSpaceNd =
    Define<BatchToSpaceNd, kBatchToSpaceNd>(OperationCode::BATCH_TO_SPACE_ND, "BATCH_TO_SPACE_ND");
constinit const OperationInfo kSpaceToBatchNd =
    Define<SpaceToBatchNd, kSpaceToBatchNd>(OperationCode::SPACE_TO_BATCH_ND, "SPACE_TO_BATCH_ND");

}  // namespace assay
