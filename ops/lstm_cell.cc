#include "ops/lstm_cell.h"

#include <array>

namespace assay {
namespace {

struct NamedGate {
  absl::string_view name;
  const LstmGate* gate;
};
std::array<NamedGate, 4> GatesOf(const LstmCell& cell) {
  return {{{"input gate", &cell.input},
           {"forget gate", &cell.forget},
           {"cell", &cell.cell},
           {"output gate", &cell.output}}};
}

// Names and sizes of what a tensor's dimensions must be.
struct Size {
  absl::string_view name;
  Extent extent;
};

void CheckDims(Checker& check, const Rule& rule, const In& in, const std::string& name,
               std::initializer_list<Size> sizes) {
  if (!in.present() || in.may_be_omitted()) return;
  check.Rank(LstmCell::kRank, in, name, sizes.size(), sizes.size());
  size_t i = 0;
  for (const Size& size : sizes) {
    check.Same(rule, absl::StrCat("dimension ", i, " of ", name), in.dim(i), size.name, size.extent);
    ++i;
  }
}

}  // namespace

void LstmCell::Check(Checker& check, Extent batches, Extent n_input, const In& output_state,
                     const In& cell_state) const {
  check.That(activation != 2 && activation != 5, kOffered, "activation is ", activation, ", must be ",
             kActivation.says);
  const Size cells{"n_cell", n_cell()}, outputs{"n_output", n_output()}, inputs{"n_input", n_input};
  const bool is_cifg = cifg();
  for (const auto& [name, gate] : GatesOf(*this)) {
    const auto named = [&name = name](absl::string_view what) { return absl::StrCat("the ", name, "'s ", what); };
    if (is_cifg && gate == &input) continue;
    CheckDims(check, kWeights, gate->input_weights, named("input weights"), {cells, inputs});
    CheckDims(check, kWeights, gate->recurrent_weights, named("recurrent weights"), {cells, outputs});
    CheckDims(check, kVectors, gate->peephole, named("peephole"), {cells});
    CheckDims(check, kVectors, gate->bias, named("bias"), {cells});
    CheckDims(check, kVectors, gate->norm, named("layer norm weights"), {cells});
  }
  CheckDims(check, kProjection, projection, "projection weights", {outputs, cells});
  if (projection.present())
    CheckDims(check, kProjection, projection_bias, "projection bias", {outputs});
  else
    check.Same(kProjection, "n_output without projection", outputs.extent, "n_cell", cells.extent);
  CheckDims(check, kStates, output_state, "output_state_in", {{"the batches of the input", batches}, outputs});
  CheckDims(check, kStates, cell_state, "cell_state_in", {{"the batches of the input", batches}, cells});
  CheckPresence(check);
}

void LstmCell::CheckPresence(Checker& check) const {
  const auto decided = [](std::initializer_list<const In*> list) {
    return std::none_of(list.begin(), list.end(), [](const In* in) { return in->may_be_omitted(); });
  };
  const auto given = [](const In& in) { return in.present() ? "given" : "omitted"; };
  if (!decided({&input.input_weights})) return;
  const bool is_cifg = cifg();
  if (decided({&input.recurrent_weights, &input.bias}))
    check.That(input.recurrent_weights.present() != is_cifg && input.bias.present() != is_cifg, kCifg,
               "input_to_input_weights are ", given(input.input_weights), ", recurrent_to_input_weights ",
               given(input.recurrent_weights), ", input_gate_bias ", given(input.bias));
  const bool peeps = output.peephole.present();
  if (decided({&input.peephole, &forget.peephole, &output.peephole}))
    check.That(forget.peephole.present() == peeps && input.peephole.present() == (peeps && !is_cifg), kPeephole,
               "cell_to_input_weights are ", given(input.peephole), ", cell_to_forget_weights ", given(forget.peephole),
               ", cell_to_output_weights ", given(output.peephole), is_cifg ? ", CIFG" : "");
  const bool norms = output.norm.present();
  if (decided({&input.norm, &forget.norm, &cell.norm, &output.norm}))
    check.That(
        forget.norm.present() == norms && cell.norm.present() == norms && input.norm.present() == (norms && !is_cifg),
        kLayerNorm, "input_layer_norm_weights are ", given(input.norm), ", forget_layer_norm_weights ",
        given(forget.norm), ", cell_layer_norm_weights ", given(cell.norm), ", output_layer_norm_weights ",
        given(output.norm), is_cifg ? ", CIFG" : "");
}

void LstmCell::Draw(Drawing& d, uint32_t batches, uint32_t n_input, In& output_state, In& cell_state) {
  Choices& c = d.choices();
  constexpr int32_t kOfferedActivations[] = {4, 0, 1, 3, 6};
  activation = kOfferedActivations[c.Below(std::size(kOfferedActivations))];
  const bool is_cifg = cifg(), peeps = output.peephole.present(), projects = projection.present();
  // What varies little is not normalized well: judging.md 7.
  const uint32_t most = std::clamp<uint32_t>(static_cast<uint32_t>(d.most_elements() / std::max(batches, n_input)), 1,
                                             std::min<uint32_t>(8, d.most_dim()));
  const bool norms = output.norm.argument() != nullptr && output.norm.present() && most >= 4;
  const auto n_cell = static_cast<uint32_t>(c.Between(norms ? 4 : 1, most));
  const auto n_output = projects ? static_cast<uint32_t>(c.Between(1, most)) : n_cell;

  const auto matrix = [&](In& in, bool given, uint32_t columns) {
    if (in.argument() == nullptr) return;
    given ? d.Weights(in, {n_cell, columns}, n_input + n_output) : d.Omit(in);
  };
  const auto vector = [&](In& in, bool given, uint32_t size, Range range) {
    if (in.argument() == nullptr) return;
    given ? d.Exactly(in, {size}, {.kind = Fill::Kind::kNormal, .range = range}) : d.Omit(in);
  };
  for (LstmGate* gate : {&input, &forget, &cell, &output}) {
    const bool given = gate != &input || !is_cifg;
    matrix(gate->input_weights, given, n_input);
    matrix(gate->recurrent_weights, given, n_output);
    vector(gate->peephole, given && peeps, n_cell, {-0.5, 0.5});
    vector(gate->bias, given, n_cell, {-0.5, 0.5});
    vector(gate->norm, given && norms, n_cell, {0.5, 1.5});
  }
  if (projects)
    d.Weights(projection, {n_output, n_cell}, n_cell);
  else
    d.Omit(projection);
  vector(projection_bias, projects && projection_bias.present(), n_output, {-0.5, 0.5});
  d.Exactly(output_state, {batches, n_output}, {.kind = Fill::Kind::kNormal, .range = {-1, 1}, .loose = true});
  d.Exactly(cell_state, {batches, n_cell}, {.kind = Fill::Kind::kNormal, .range = {-1, 1}, .loose = true});
}

namespace {

Range ActivatedRange(int32_t activation, const Range& range) {
  if (activation == 4) return {-1, 1, true};
  if (activation == 6) return {0, 1, true};
  return Activated(range, activation);
}
// Of the product with a number in [0, 1].
Range Gated(const Range& range) { return {std::min(range.least, 0.0), std::max(range.most, 0.0), range.sure}; }

Range ClippedRange(const Range& range, double clip) {
  if (clip <= 0) return range;
  return {std::clamp(range.least, -clip, clip), std::clamp(range.most, -clip, clip), range.sure};
}

}  // namespace

Range LstmCell::NewCellState(const Drawing& d, const In& x, const In& output_state, const In& cell_state) const {
  // The weights keep the magnitude of what they sum, a normalized sum has magnitude 1.
  const double m = cell.norm.present() ? 3 : d.RangeOf(x).magnitude() + d.RangeOf(output_state).magnitude() + 0.5;
  const Range candidate = ActivatedRange(activation, {-m, m});
  return ClippedRange(HullOfSum(Gated(d.RangeOf(cell_state)), Gated(candidate)), cell_clip);
}

Range LstmCell::NewOutputState(const Range& new_cell_state) const {
  const Range m = Gated(ActivatedRange(activation, new_cell_state));
  if (!projection.present()) return m;
  const double size = m.magnitude() + 0.5;
  return ClippedRange({-size, size}, projection_clip);
}

}  // namespace assay
