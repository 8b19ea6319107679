// The source of tensors for one call: fresh inputs, constants, and the tensors that the draft has so far.
// Refuses to know operations: what it binds and what was asked is all it sees.
#pragma once
#include <deque>
#include <optional>
#include <vector>

#include "ops/drawing.h"
#include "randomgraph/data.h"
#include "randomgraph/draft.h"

namespace assay {

// A tensor that a call should give as its first output: the call takes tensors of the same dimensions if it can, and
// its output takes the quantization.
struct Target {
  OperandType type = OperandType::TENSOR_FLOAT32;
  Dims dims;
  Quantization quantization;
  std::optional<uint32_t> source = std::nullopt;  // the draft's tensor to make it of, if the call can take it
};

class CallDrawing final : public Drawing {
 public:
  // If `connected`, the first tensor is an existing one wherever one fits.
  CallDrawing(Session& session, Draft& draft, const TypeRow& row, bool connected, const Target* target = nullptr)
      : session_(session), draft_(draft), row_(row), target_(target), connected_(connected) {}

  Choices& choices() override { return session_.choices; }
  const TypeRow& row() const override { return row_; }
  FeatureLevel level() const override { return session_.options.feature_level; }
  bool relaxed() const override { return session_.relaxed; }
  uint32_t most_dim() const override { return session_.options.most_dim; }
  size_t most_elements() const override { return session_.options.most_elements; }

  void Tensor(In& in, const Want& want) override;
  void Exactly(In& in, Dims dims, const Fill& fill, std::optional<Quantization> quantization) override;
  void Weights(In& in, Dims dims, size_t fan_in, uint32_t channel_dim) override;
  void Bias(In& bias, uint32_t size, const In& input, const In& weights) override;
  void Like(In& in, const In& like, const Fill& fill) override;
  void Contents(In& in, Dims dims, const std::vector<double>& values,
                std::optional<Quantization> quantization) override;
  void Omit(In& in) override;
  void Values(IntValues& values, std::vector<int32_t> elements, std::optional<Dims> dims) override;

  Range RangeOf(const In& in) const override;
  void Output(Out& out, const Range& range, double above_scale) override;
  void OutputLike(Out& out, const In& in) override;
  void OutputAs(Out& out, const Quantization& quantization, const Range& range) override;

  // What was bound to a field: the draft's operand, and of an output the planned range. Null if nothing was.
  struct Bound {
    Argument argument;
    uint32_t operand = 0;
    Range range;
    Bytes bytes;  // of IntValues
  };
  const Bound* BoundTo(const In& in) const;
  // By how much the judge's interval grows in the call's weights, and the sum of the widths of its data.
  double growth() const { return growth_; }
  double input_width() const { return input_width_; }

 private:
  enum class From : uint8_t { kConstant, kFresh };

  bool IsSource(uint32_t operand) const;
  std::vector<uint32_t> TensorCandidates(const In& in, const Want& want, const Dims* dims) const;
  std::vector<uint32_t> ExactCandidates(OperandType type, const Dims& dims, const Fill& fill,
                                        const std::optional<Quantization>& quantization, uint32_t channel_dim) const;
  void ExactlyAlong(In& in, Dims dims, const Fill& asked, std::optional<Quantization> quantization,
                    uint32_t channel_dim);
  Dims DrawDims(const Want& want);
  std::vector<Dims> KnownDims(const Want& want) const;
  Range DrawRange(OperandType type, const Want& want);
  From ConstantOr(From from) const { return draft_.is_main() ? from : From::kConstant; }
  uint32_t Make(From from, OperandType type, Dims dims, const Recipe& recipe, Quantization quantization);
  uint32_t Put(From from, Operand operand, Bytes bytes, const Plan& plan);
  void Bind(In& in, uint32_t operand);
  static Range Stored(OperandType type, const Quantization& quantization, const Range& range);
  void BindOut(Out& out, const Quantization& quantization, const Range& range);

  Session& session_;
  Draft& draft_;
  const TypeRow& row_;
  const Target* target_;
  bool connected_;           // until the first tensor is bound
  std::deque<Bound> bound_;  // a deque: addresses stay
  size_t outputs_ = 0;
  bool first_tensor_ = true;
  double growth_ = 1, input_width_ = 0;
};

}  // namespace assay
