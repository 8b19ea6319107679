// What RESIZE_BILINEAR and RESIZE_NEAREST_NEIGHBOR share: operands, rules, shapes and how they are drawn.
#pragma once
#include <algorithm>
#include <array>
#include <vector>

#include "ops/checker.h"
#include "ops/drawing.h"
#include "ops/resize_axis.h"
#include "ops/rule.h"
#include "ops/window.h"

namespace assay {

struct ResizeParts {
  static constexpr bool kAllowsEmpty = true;
  static constexpr Rule kRank{"rank", Stage::kExecution, "the input has rank 4"};
  static constexpr Rule kEmpty{"empty", Stage::kExecution, "only the batch dimension may be 0"};
  static constexpr Rule kSize{"output_size", Stage::kExecution, "height and width of the output are 1 to 2^32 - 2"};
  static constexpr Rule kSpread{"spread", Stage::kExecution, "align_corners and half_pixel_centers exclude each other"};
  static constexpr std::array<Rule, 4> kRules = {kRank, kEmpty, kSize, kSpread};

  In input;
  Out output;
  int32_t out_width = 1, out_height = 1;
  double width_scale = 1, height_scale = 1;
  bool by_scale = false, has_layout = true, nchw = false, has_spread = false, has_centers = false;
  Spread spread;

  template <class Walk>
  void InputAndSize(Walk& w) {
    w.Tensor(input, "input", "[batches, height, width, depth], or [batches, depth, height, width] if nchw");
    const auto scales = [](auto inputs) {
      return inputs.size() > 2 && inputs[1].type != OperandType::INT32 && inputs[2].type != OperandType::INT32;
    };
    if (w.Either(by_scale, scales)) {
      w.Real(width_scale, "width_scale", kPositiveReal);
      w.Real(height_scale, "height_scale", kPositiveReal);
    } else {
      w.Int(out_width, "out_width", kPositive);
      w.Int(out_height, "out_height", kPositive);
    }
  }
  template <class Walk>
  void SpreadAndOutput(Walk& w) {
    if (has_layout && w.More(has_spread)) {
      w.Flag(spread.align_corners, "align_corners");
      if (w.More(has_centers)) w.Flag(spread.half_pixel_centers, "half_pixel_centers");
    }
    w.Output(output, "output", "[batches, out_height, out_width, depth], or NCHW; by scale: floor(size * scale)");
  }

  FeatureLevel Level(FeatureLevel of_row) const {
    if (has_spread) return std::max(of_row, 4);
    return by_scale || has_layout ? std::max(of_row, 3) : of_row;
  }
  void CheckModel(Checker&) const {}
  void CheckExecution(Checker& check) const;
  std::vector<Result> Infer() const;
  void Draw(Drawing& d);

  // Height and width of the output; unknown if the image's are.
  Extent OutHeight() const;
  Extent OutWidth() const;
};

}  // namespace assay
