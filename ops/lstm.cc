// LSTM: one step in time of a long short-term memory cell (lstm_cell.h has the formula).
//
// Android numbers activations as for fused ones, and 4 tanh, 6 logistic; 2 and 5 are not in the documentation's list
// and are refused. With activation 0 its executor leaves act(c') unwritten; here it is the identity. The documentation
// wants the input gate's peephole only without CIFG, and so it is checked; Android's executor does not use it then, and
// does not look at the shapes of the states, which are checked here too. What the scratch buffer holds is
// unspecified. The documentation speaks of a deviation and not of the small number that keeps it from 0: see LstmStep.
#include "ops/define.h"
#include "ops/lstm_cell.h"

namespace assay {
namespace {

struct Lstm {
  static constexpr absl::string_view kProse =
      "One step of a long short-term memory cell: c' = f * c + i * act(W_g [x, h] + b_g), h' = o * act(c'), with gates "
      "i, f, o = logistic(W [x, h] + p * c + b), and optional projection, clips and layer normalization.";
  static constexpr Evaluation kEvaluation = Evaluation::kReal;
  using enum OperandType;
  static constexpr TypeRow kRows[] = {
      // since, {all tensors}, {all outputs}
      {1, {TENSOR_FLOAT32}, {TENSOR_FLOAT32}},
      {3, {TENSOR_FLOAT16}, {TENSOR_FLOAT16}},
  };
  static constexpr Rule kProjectionBias{"projection_bias", Stage::kExecution,
                                        "a projection bias needs projection weights"};
  static constexpr Rule kRules[] = {LstmCell::kOffered,    LstmCell::kRank,   LstmCell::kWeights, LstmCell::kVectors,
                                    LstmCell::kProjection, LstmCell::kStates, LstmCell::kCifg,    LstmCell::kPeephole,
                                    LstmCell::kLayerNorm,  kProjectionBias};

  In input, output_state_in, cell_state_in;
  Out scratch_buffer, output_state_out, cell_state_out, output;
  LstmCell cell;
  bool has_norms = false;

  template <class Walk>
  void Operands(Walk& w) {
    w.Tensor(input, "input", "[batches, n_input]");
    cell.Weights(w);
    w.Tensor(output_state_in, "output_state_in", "[batches, n_output]");
    w.Tensor(cell_state_in, "cell_state_in", "[batches, n_cell]");
    cell.Scalars(w);
    if (w.More(has_norms)) cell.LayerNorms(w);
    w.Output(scratch_buffer, "scratch_buffer", "[batches, 4 * n_cell], 3 * n_cell for CIFG; unspecified");
    w.Output(output_state_out, "output_state_out", "[batches, n_output]");
    w.Output(cell_state_out, "cell_state_out", "[batches, n_cell]");
    w.Output(output, "output", "[batches, n_output], the same as output_state_out");
  }

  void Draw(Drawing& d) {
    if (d.level() < 3 && has_norms) {
      has_norms = false;
      for (LstmGate* gate : {&cell.input, &cell.forget, &cell.cell, &cell.output}) gate->norm.Reset();
    }
    // judging.md 4: K <= 64 products in float16.
    d.Tensor(input, {.least_rank = 2, .most_rank = 2, .most_dim = d.IsHalf(input.type()) ? 48u : 0u});
    cell.Draw(d, input.dims()[0], input.dims()[1], output_state_in, cell_state_in);
    const Range new_cell = cell.NewCellState(d, input, output_state_in, cell_state_in);
    d.Output(scratch_buffer, {});
    d.Output(output_state_out, cell.NewOutputState(new_cell));
    d.Output(cell_state_out, new_cell);
    d.Output(output, cell.NewOutputState(new_cell));
  }

  FeatureLevel Level(FeatureLevel of_row) const { return has_norms ? std::max(of_row, 3) : of_row; }

  void CheckModel(Checker&) const {}
  void CheckExecution(Checker& check) const {
    check.Rank(LstmCell::kRank, input, "input", 2, 2);
    cell.Check(check, input.dim(0), input.dim(1), output_state_in, cell_state_in);
    const bool has_bias = cell.projection_bias.present() && !cell.projection_bias.may_be_omitted();
    check.That(!has_bias || cell.projection.present(), kProjectionBias,
               "projection_bias is given, projection_weights are omitted");
  }
  std::vector<Result> Infer() const {
    const Extent batches = input.dim(0);
    const Shape state = ToShape(Extents{batches, cell.n_output()});
    Extent gates = cell.n_cell() * Extent(cell.cifg() ? 3 : 4);
    if (cell.input.input_weights.may_be_omitted()) gates = Extent();
    return {{ToShape(Extents{batches, gates}), {}, /*unspecified=*/true},
            {state, {}},
            {ToShape(Extents{batches, cell.n_cell()}), {}},
            {state, {}}};
  }
  bool Unspecified(size_t index) const { return index == scratch_buffer.index(); }

  size_t ScratchElements() const { return LstmStep<double>::ScratchElements(cell, input.dims()[0]); }

  template <class N>
  void Eval(Frame<N>& f) const {
    LstmStep<N> step(cell, f, input.dims()[0]);
    const View<N>& h = f(output_state_out);
    step.Run(f(input).data, f(output_state_in).data, f(cell_state_in).data, h.data, f(cell_state_out).data);
    std::copy(h.begin(), h.end(), f(output).begin());
    std::fill(f(scratch_buffer).begin(), f(scratch_buffer).end(), N(0));
  }
};

}  // namespace

extern const OperationInfo kLstm;
constinit const OperationInfo kLstm = Define<Lstm, kLstm>(OperationCode::LSTM, "LSTM");

}  // namespace assay
