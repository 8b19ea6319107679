// LSTM in float16. Operands by their positions in NNAPI's documentation.
#include <algorithm>
#include <cmath>

#include "driver/half_loops.h"
#include "numeric/activation.h"

namespace assay {
namespace {

enum Gate : size_t { kInput, kForget, kCell, kOutput };
constexpr size_t kInputWeights = 1, kRecurrentWeights = 5, kPeepholes = 9, kBiases = 12, kProjection = 16,
                 kProjectionBias = 17, kOutputState = 18, kCellState = 19, kActivation = 20, kCellClip = 21,
                 kProjectionClip = 22, kNorms = 23;

class HalfLstm {
 public:
  HalfLstm(const HalfArithmetic& half, std::span<const TensorRef> in)
      : half_(half),
        in_(in),
        cifg_(in[kInputWeights].bytes == nullptr),
        batches_((*in[0].dims)[0]),
        cells_((*in[kInputWeights + kOutput].dims)[0]) {}

  void Run(std::span<const TensorRef> out) const {
    const std::vector<double> x = half_.Read(in_[0]), h = half_.Read(in_[kOutputState]),
                              c = half_.Read(in_[kCellState]);
    const std::vector<double> forget = Opened(kForget, x, h, c), candidate = Sums(kCell, x, h, {}),
                              input = cifg_ ? std::vector<double>() : Opened(kInput, x, h, c);
    std::vector<double> new_c(c.size()), m(c.size());
    for (size_t i = 0; i < c.size(); ++i) {
      const double gate = cifg_ ? half_.Subtract(1, forget[i]) : input[i];
      const double sum = half_.Add(half_.Multiply(forget[i], c[i]), half_.Multiply(gate, Activated(candidate[i])));
      new_c[i] = Clipped(sum, kCellClip);
    }
    const std::vector<double> output = Opened(kOutput, x, h, new_c);
    for (size_t i = 0; i < c.size(); ++i) m[i] = half_.Multiply(output[i], Activated(new_c[i]));
    const std::vector<double> new_h = in_[kProjection].bytes == nullptr ? m : Projected(m);
    StoreHalves(out[0], std::vector<double>(Count(*out[0].dims)), 0);
    StoreHalves(out[1], new_h, 0);
    StoreHalves(out[2], new_c, 0);
    StoreHalves(out[3], new_h, 0);
  }

 private:
  // sums[row][u] += matrix[u] . vectors[row]
  void AddProducts(const std::vector<double>& matrix, const std::vector<double>& vectors,
                   std::vector<double>& sums) const {
    const size_t units = sums.size() / batches_, size = vectors.size() / batches_;
    for (size_t i = 0; i < sums.size(); ++i)
      for (size_t k = 0; k < size; ++k)
        sums[i] = half_.Add(sums[i], half_.Multiply(matrix[i % units * size + k], vectors[i / units * size + k]));
  }

  // What goes into the nonlinearity of a gate.
  std::vector<double> Sums(Gate gate, const std::vector<double>& x, const std::vector<double>& h,
                           const std::vector<double>& c) const {
    const bool has_norms = in_.size() > kNorms && in_[kNorms + gate].bytes != nullptr;
    const std::vector<double> bias = half_.Read(in_[kBiases + gate]);
    std::vector<double> z(batches_ * cells_);
    for (size_t i = 0; i < z.size(); ++i) z[i] = has_norms ? 0 : bias[i % cells_];
    AddProducts(half_.Read(in_[kInputWeights + gate]), x, z);
    AddProducts(half_.Read(in_[kRecurrentWeights + gate]), h, z);
    // There is none for the cell.
    const size_t peephole = kPeepholes + (gate == kOutput ? size_t{2} : size_t{gate});
    if (!c.empty() && in_[peephole].bytes != nullptr) {
      const std::vector<double> weights = half_.Read(in_[peephole]);
      for (size_t i = 0; i < z.size(); ++i) z[i] = half_.Add(z[i], half_.Multiply(weights[i % cells_], c[i]));
    }
    if (!has_norms) return z;
    const std::vector<double> norm = half_.Read(in_[kNorms + gate]);
    for (size_t row = 0; row < batches_; ++row) Normalize(&z[row * cells_]);
    for (size_t i = 0; i < z.size(); ++i) z[i] = half_.Add(half_.Multiply(z[i], norm[i % cells_]), bias[i % cells_]);
    return z;
  }

  // To mean 0 and variance 1, in two passes.
  void Normalize(double* row) const {
    const auto count = static_cast<double>(cells_);
    double sum = 0, squares = 0;
    for (size_t u = 0; u < cells_; ++u) sum = half_.Add(sum, row[u]);
    const double mean = half_.Divide(sum, count);
    for (size_t u = 0; u < cells_; ++u) {
      row[u] = half_.Subtract(row[u], mean);
      squares = half_.Add(squares, half_.Multiply(row[u], row[u]));
    }
    const double deviation = half_.Round(std::sqrt(half_.Divide(squares, count)));
    for (size_t u = 0; u < cells_; ++u) row[u] = deviation == 0 ? 0 : half_.Divide(row[u], deviation);
  }

  std::vector<double> Opened(Gate gate, const std::vector<double>& x, const std::vector<double>& h,
                             const std::vector<double>& c) const {
    std::vector<double> z = Sums(gate, x, h, c);
    for (double& v : z) v = half_.Logistic(v);
    return z;
  }

  std::vector<double> Projected(const std::vector<double>& m) const {
    const size_t outputs = (*in_[kProjection].dims)[0];
    const std::vector<double> bias = half_.Read(in_[kProjectionBias]);
    std::vector<double> h(batches_ * outputs);
    for (size_t i = 0; i < h.size(); ++i) h[i] = bias.empty() ? 0 : bias[i % outputs];
    AddProducts(half_.Read(in_[kProjection]), m, h);
    for (double& v : h) v = Clipped(v, kProjectionClip);
    return h;
  }

  double Activated(double x) const {
    const int32_t activation = IntAt(in_, kActivation);
    if (activation == 4) return half_.Tanh(x);
    if (activation == 6) return half_.Logistic(x);
    return Activate(static_cast<Activation>(activation), x);
  }
  double Clipped(double x, size_t operand) const {
    const double clip = half_.Read(in_[operand])[0];
    return clip > 0 ? std::clamp(x, -clip, clip) : x;
  }

  const HalfArithmetic& half_;
  std::span<const TensorRef> in_;
  bool cifg_;
  size_t batches_, cells_;
};

}  // namespace

void LstmInHalf(const HalfArithmetic& half, std::span<const TensorRef> in, std::span<const TensorRef> out) {
  HalfLstm(half, in).Run(out);
}

}  // namespace assay
