// One cell of a long short-term memory: its weights, their rules and one step in time, for LSTM and its sequences.
//
//   z_i = W_xi x + W_hi h + p_i * c + b_i      input gate;  without weights (CIFG) i = 1 - f
//   z_f = W_xf x + W_hf h + p_f * c + b_f      forget gate
//   z_g = W_xg x + W_hg h           + b_g      cell
//   c'  = clip(logistic(z_f) * c + i * act(z_g), cell_clip)             i = logistic(z_i)
//   z_o = W_xo x + W_ho h + p_o * c' + b_o     output gate, sees the new cell state
//   m   = logistic(z_o) * act(c')
//   h'  = clip(W_proj m + b_proj, projection_clip), or m without projection weights
//
// * is elementwise, p are the peepholes, absent together. With layer normalization no bias is added yet; instead every
// z becomes (z - mean) / sqrt(variance) * norm + b, mean and population variance over the units of a row. A clip of 0
// is none. Refuses to know which operands come in which order in which operation beyond the groups below, and time.
#pragma once
#include <algorithm>

#include "numeric/activation.h"
#include "numeric/functions.h"
#include "numeric/standardize.h"
#include "numeric/sums.h"
#include "ops/checker.h"
#include "ops/drawing.h"
#include "ops/frame.h"

namespace assay {

// input_weights [n_cell, n_input], recurrent_weights [n_cell, n_output], the others [n_cell].
struct LstmGate {
  In input_weights, recurrent_weights, peephole, bias, norm;
};

struct LstmCell {
  LstmGate input, forget, cell, output;
  In projection, projection_bias;  // [n_output, n_cell], [n_output]
  int32_t activation = 4;          // 0 none, 1 relu, 3 relu6, 4 tanh, 6 logistic
  double cell_clip = 0, projection_clip = 0;

  static constexpr Kind kActivation{0, 6, 4, 4, "0 none, 1 relu, 3 relu6, 4 tanh or 6 logistic"};
  static constexpr Rule kOffered{"activation", Stage::kExecution, "activations 2 and 5 are not offered"};
  static constexpr Rule kRank{"rank", Stage::kExecution, "weights and states have rank 2, all other tensors rank 1"};
  static constexpr Rule kWeights{"weights", Stage::kExecution,
                                 "input weights are [n_cell, n_input], recurrent weights [n_cell, n_output]"};
  static constexpr Rule kVectors{"vectors", Stage::kExecution,
                                 "peepholes, gate biases and layer norm weights are [n_cell]"};
  static constexpr Rule kProjection{"projection", Stage::kExecution,
                                    "projection weights are [n_output, n_cell], their bias is [n_output]; without "
                                    "projection n_output is n_cell"};
  static constexpr Rule kStates{"states", Stage::kExecution,
                                "output states are [batches, n_output], cell states [batches, n_cell]"};
  static constexpr Rule kCifg{"cifg", Stage::kExecution,
                              "the input gate's weights and bias are all given or all omitted"};
  static constexpr Rule kPeephole{"peephole", Stage::kExecution,
                                  "peepholes are all given or all omitted (the input gate's only without CIFG)"};
  static constexpr Rule kLayerNorm{"layer_norm", Stage::kExecution,
                                   "layer norm weights are all given or all omitted (the input gate's with CIFG)"};

  // Weights, peepholes, biases and projection: 17 operands.
  template <class Walk>
  void Weights(Walk& w) {
    w.OptionalTensor(input.input_weights, "input_to_input_weights", "[n_cell, n_input]; omitted for CIFG");
    w.Tensor(forget.input_weights, "input_to_forget_weights", "[n_cell, n_input]");
    w.Tensor(cell.input_weights, "input_to_cell_weights", "[n_cell, n_input]");
    w.Tensor(output.input_weights, "input_to_output_weights", "[n_cell, n_input]");
    w.OptionalTensor(input.recurrent_weights, "recurrent_to_input_weights", "[n_cell, n_output]; omitted for CIFG");
    w.Tensor(forget.recurrent_weights, "recurrent_to_forget_weights", "[n_cell, n_output]");
    w.Tensor(cell.recurrent_weights, "recurrent_to_cell_weights", "[n_cell, n_output]");
    w.Tensor(output.recurrent_weights, "recurrent_to_output_weights", "[n_cell, n_output]");
    w.OptionalTensor(input.peephole, "cell_to_input_weights", "[n_cell]");
    w.OptionalTensor(forget.peephole, "cell_to_forget_weights", "[n_cell]");
    w.OptionalTensor(output.peephole, "cell_to_output_weights", "[n_cell]");
    w.OptionalTensor(input.bias, "input_gate_bias", "[n_cell]; omitted for CIFG");
    w.Tensor(forget.bias, "forget_gate_bias", "[n_cell]");
    w.Tensor(cell.bias, "cell_bias", "[n_cell]");
    w.Tensor(output.bias, "output_gate_bias", "[n_cell]");
    w.OptionalTensor(projection, "projection_weights", "[n_output, n_cell]");
    w.OptionalTensor(projection_bias, "projection_bias", "[n_output]");
  }
  template <class Walk>
  void Scalars(Walk& w) {
    w.Int(activation, "activation", kActivation);
    w.Real(cell_clip, "cell_clip", kNonNegativeReal);
    w.Real(projection_clip, "projection_clip", kNonNegativeReal);
  }
  template <class Walk>
  void LayerNorms(Walk& w) {
    w.OptionalTensor(input.norm, "input_layer_norm_weights", "[n_cell]; omitted for CIFG");
    w.OptionalTensor(forget.norm, "forget_layer_norm_weights", "[n_cell]");
    w.OptionalTensor(cell.norm, "cell_layer_norm_weights", "[n_cell]");
    w.OptionalTensor(output.norm, "output_layer_norm_weights", "[n_cell]");
  }

  bool cifg() const { return !input.input_weights.present(); }
  Extent n_cell() const { return output.input_weights.dim(0); }
  Extent n_output() const { return output.recurrent_weights.dim(1); }

  void Check(Checker& check, Extent batches, Extent n_input, const In& output_state, const In& cell_state) const;

  // Of cifg(), projection and so on: what goes together. Nothing is said of what a request may yet omit.
  void CheckPresence(Checker& check) const;

  // Draws what belongs together as one: all of CIFG, all peepholes, all layer norms. `n_input` as x, drawn already,
  // says.
  void Draw(Drawing& d, uint32_t batches, uint32_t n_input, In& output_state, In& cell_state);
  // Where the states lie after a step, once all is drawn; x are the inputs.
  Range NewCellState(const Drawing& d, const In& x, const In& output_state, const In& cell_state) const;
  Range NewOutputState(const Range& new_cell_state) const;
};

// Steps of a cell in one numeric domain.
template <class N>
class LstmStep {
 public:
  static size_t ScratchElements(const LstmCell& cell, size_t batches) {
    return 4 * batches * cell.output.input_weights.dims()[0];
  }
  LstmStep(const LstmCell& cell, Frame<N>& f, size_t batches)
      : cell_(cell),
        f_(f),
        batches_(batches),
        n_input_(cell.output.input_weights.dims()[1]),
        n_cell_(cell.output.recurrent_weights.dims()[0]),
        n_output_(cell.output.recurrent_weights.dims()[1]),
        input_(f.Scratch(batches * n_cell_).data()),
        forget_(f.Scratch(batches * n_cell_).data()),
        candidate_(f.Scratch(batches * n_cell_).data()),
        output_(f.Scratch(batches * n_cell_).data()) {}

  // From x [batches, n_input], h [batches, n_output] and c [batches, n_cell] to the new states. `new_h` may be h and
  // `new_c` may be c.
  void Run(const N* x, const N* h, const N* c, N* new_h, N* new_c) {
    const size_t size = batches_ * n_cell_;
    const bool cifg = cell_.cifg();
    if (!cifg) Gate(cell_.input, x, h, c, input_);
    Gate(cell_.forget, x, h, c, forget_);
    Gate(cell_.cell, x, h, nullptr, candidate_);
    for (size_t i = 0; i < size; ++i) {
      const N forget = Logistic(forget_[i]), input = cifg ? N(1) - forget : Logistic(input_[i]);
      new_c[i] = Clipped(forget * c[i] + input * Activated(candidate_[i]), cell_.cell_clip);
    }
    Gate(cell_.output, x, h, new_c, output_);
    N* m = cell_.projection.present() ? candidate_ : new_h;
    for (size_t i = 0; i < size; ++i) m[i] = Logistic(output_[i]) * Activated(new_c[i]);
    if (!cell_.projection.present()) return;
    Dot<N>({m, batches_, n_cell_, n_cell_}, {f_(cell_.projection).data, n_output_, n_cell_, n_cell_},
           Values(cell_.projection_bias), Matrix<N>{new_h, batches_, n_output_, n_output_});
    for (size_t i = 0; i < batches_ * n_output_; ++i) new_h[i] = Clipped(new_h[i], cell_.projection_clip);
  }

 private:
  const N* Values(const In& in) const { return in.present() ? f_(in).data : nullptr; }

  // What goes into the nonlinearity of a gate: z [batches, n_cell].
  void Gate(const LstmGate& gate, const N* x, const N* h, const N* c, N* z) {
    const Factors<N> factors[] = {
        {{x, batches_, n_input_, n_input_}, {f_(gate.input_weights).data, n_cell_, n_input_, n_input_}},
        {{h, batches_, n_output_, n_output_}, {f_(gate.recurrent_weights).data, n_cell_, n_output_, n_output_}}};
    const N *norm = Values(gate.norm), *bias = Values(gate.bias), *peephole = Values(gate.peephole);
    Dot<N>(factors, norm == nullptr ? bias : nullptr, Matrix<N>{z, batches_, n_cell_, n_cell_});
    if (peephole != nullptr) {
      // A device may add these products first, and round them with every other term.
      const auto others = static_cast<double>(n_input_ + n_output_ + 2);
      for (size_t i = 0; i < batches_ * n_cell_; ++i) z[i] = z[i] + Inexact(peephole[i % n_cell_] * c[i], others);
    }
    if (norm == nullptr) return;
    for (N* row = z; row != z + batches_ * n_cell_; row += n_cell_) {
      // Android's executor divides by the square root of 1e-8 where the variance is 0; others add 1e-8 to it.
      Standardize(row, n_cell_, 1, {0, 1e-8});
      for (size_t u = 0; u < n_cell_; ++u) row[u] = row[u] * norm[u] + bias[u];
    }
  }

  N Activated(const N& x) const {
    switch (cell_.activation) {
      case 4:
        return Tanh(x);
      case 6:
        return Logistic(x);
      default:
        return Activate(static_cast<Activation>(cell_.activation), x);
    }
  }
  static N Clipped(const N& x, double clip) { return clip > 0 ? Clamp(x, -clip, clip) : x; }

  const LstmCell& cell_;
  Frame<N>& f_;
  size_t batches_, n_input_, n_cell_, n_output_;
  N *input_, *forget_, *candidate_, *output_;
};

}  // namespace assay
