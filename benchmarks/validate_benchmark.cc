// That validation is linear: long chains of operations, one operation with many operands, deep references. The time for
// each operation (operand, subgraph) is the counter "each"; BigO prints how well a line fits.
#include <cstdint>
#include <vector>

#include "benchmark/benchmark.h"
#include "model/status.h"
#include "tests/model_builder.h"
#include "validate/model.h"

namespace assay {
namespace {

using enum OperandType;

void Report(benchmark::State& state) {
  state.SetComplexityN(state.range(0));
  state.counters["each"] = benchmark::Counter(
      static_cast<double>(state.range(0)), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

// ADD after ADD; every shape but the first is unknown.
Model Chain(int64_t operations) {
  ModelBuilder b;
  const auto one = b.Constant<float>(TENSOR_FLOAT32, {2, 3}, {1, 2, 3, 4, 5, 6}), none = b.Int(0);
  auto at = b.Input(TENSOR_FLOAT32, {2, 3});
  for (int64_t i = 0; i < operations; ++i) at = b.Op("ADD", {at, one, none}, TENSOR_FLOAT32, {});
  b.Output(at);
  return b.Build();
}

void BM_ValidateChain(benchmark::State& state) {
  const Model model = Chain(state.range(0));
  for (auto _ : state) ASSAY_CHECK(ValidateModel(model).empty());
  Report(state);
}
BENCHMARK(BM_ValidateChain)
    ->RangeMultiplier(10)
    ->Range(1'000, 1'000'000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity(benchmark::oN);

void BM_ExecutionViolationsOfChain(benchmark::State& state) {
  const Model model = Chain(state.range(0));
  for (auto _ : state) ASSAY_CHECK(ExecutionViolations(model).empty());
  Report(state);
}
BENCHMARK(BM_ExecutionViolationsOfChain)
    ->RangeMultiplier(10)
    ->Range(1'000, 1'000'000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity(benchmark::oN);

// A CONCATENATION of as many inputs.
void BM_ValidateManyInputs(benchmark::State& state) {
  ModelBuilder b;
  std::vector<uint32_t> inputs(static_cast<size_t>(state.range(0)), b.Input(TENSOR_FLOAT32, {2, 3}));
  inputs.push_back(b.Int(0));
  b.Output(b.Op("CONCATENATION", inputs, TENSOR_FLOAT32, {0, 3}));
  const Model model = b.Build();
  for (auto _ : state) ASSAY_CHECK(ValidateModel(model).empty() && ExecutionViolations(model).empty());
  Report(state);
}
BENCHMARK(BM_ValidateManyInputs)
    ->RangeMultiplier(10)
    ->Range(100, 100'000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity(benchmark::oN);

// Each subgraph refers to the next.
void BM_ValidateReferences(benchmark::State& state) {
  Model model = Chain(1);
  const Subgraph leaf = model.main();
  model.subgraphs.assign(static_cast<size_t>(state.range(0)), leaf);
  for (uint32_t s = 0; s + 1 < model.subgraphs.size(); ++s) {
    Operand reference;
    reference.type = SUBGRAPH;
    reference.lifetime = Lifetime::SUBGRAPH;
    reference.subgraph = s + 1;
    model.subgraphs[s].operands.push_back(reference);
  }
  for (auto _ : state) ASSAY_CHECK(ValidateModel(model).empty());
  Report(state);
}
BENCHMARK(BM_ValidateReferences)
    ->RangeMultiplier(10)
    ->Range(1'000, 100'000)
    ->Unit(benchmark::kMillisecond)
    ->Complexity(benchmark::oN);

}  // namespace
}  // namespace assay
