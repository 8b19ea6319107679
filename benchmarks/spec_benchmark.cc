// How fast spec files are read and written: MobileNet's 4 MB from the conformance vectors, and a file of floats.
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "benchmark/benchmark.h"
#include "spec_dumps/reader.h"
#include "spec_dumps/writer.h"

namespace assay {
namespace {

// Empty if the vectors are not installed.
std::string MobileNet() {
  const char* variable = std::getenv("ASSAY_CONFORMANCE");
  const std::string root = variable != nullptr ? variable : "../shared/conformance";
  std::ifstream file(root + "/V1_0/mobilenet_224_gender_basic_fixed.mod.py", std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// A constant of 2^18 floats of all magnitudes: most have 8 or 9 digits.
std::string Floats() {
  constexpr uint32_t kCount = uint32_t{1} << 18;
  TestCase test;
  Subgraph& main = test.model.main();
  Operand& constant = main.operands.emplace_back();
  constant.dims = {kCount};
  constant.lifetime = Lifetime::CONSTANT_COPY;
  std::vector<float> values(kCount);
  float value = 1.0f;
  for (float& v : values) {
    value = value > 1e30f ? value * 1e-35f : value * -1.7320508f;
    v = value;
  }
  constant.value = MakeValue(std::span<const float>(values));
  test.examples.emplace_back();
  return WriteSpec(FromTestCase(test));
}

void Read(benchmark::State& state, const std::string& text) {
  if (text.empty()) {
    state.SkipWithError("no conformance vectors: set ASSAY_CONFORMANCE to their folder");
    return;
  }
  for (auto _ : state) {
    const absl::StatusOr<SpecFile> file = ReadSpec(text, "text");
    if (!file.ok()) state.SkipWithError(file.status().ToString().c_str());
    benchmark::DoNotOptimize(file);
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * static_cast<int64_t>(text.size()));
}

void Write(benchmark::State& state, const std::string& text) {
  const absl::StatusOr<SpecFile> file = ReadSpec(text, "text");
  if (text.empty() || !file.ok()) {
    state.SkipWithError("no conformance vectors: set ASSAY_CONFORMANCE to their folder");
    return;
  }
  for (auto _ : state) benchmark::DoNotOptimize(WriteSpec(*file));
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations()) * static_cast<int64_t>(text.size()));
}

void BM_ReadMobileNet(benchmark::State& state) { Read(state, MobileNet()); }
void BM_WriteMobileNet(benchmark::State& state) { Write(state, MobileNet()); }
void BM_ReadFloats(benchmark::State& state) { Read(state, Floats()); }
void BM_WriteFloats(benchmark::State& state) { Write(state, Floats()); }
BENCHMARK(BM_ReadMobileNet);
BENCHMARK(BM_WriteMobileNet);
BENCHMARK(BM_ReadFloats);
BENCHMARK(BM_WriteFloats);

}  // namespace
}  // namespace assay
