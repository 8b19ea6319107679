// Runs of small models for the tests of this room: inputs and outputs as byte strings.
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "reference/prepared_model.h"
#include "tests/model_builder.h"

namespace assay {

inline std::unique_ptr<PreparedModel> PrepareOrDie(const Model& model, const PrepareOptions& options = {}) {
  absl::StatusOr<std::unique_ptr<PreparedModel>> prepared = Prepare(model, options);
  EXPECT_TRUE(prepared.ok()) << prepared.status();
  return prepared.ok() ? *std::move(prepared) : nullptr;
}

// An input of a request.
struct Given {
  Bytes bytes;
  Dims dims = {};
  bool omitted = false;
};
template <class T>
Given Give(const std::vector<T>& elements, Dims dims = {}) {
  return {BytesOf(elements), std::move(dims), false};
}
inline Given Omit() { return {{}, {}, true}; }

struct Ran {
  ExecutionResult result;
  std::vector<Bytes> outputs;  // as much of each buffer as the result's shape says
  template <class T>
  std::vector<T> As(size_t output = 0) const {
    return ElementsOf<T>(outputs.at(output));
  }
};

// Outputs get buffers of `capacity` bytes, which are poisoned before; what lies behind a result must stay poisoned.
inline Ran Execute(const PreparedModel& prepared, const std::vector<Given>& inputs, const ExecuteOptions& options = {},
                   const std::vector<size_t>& capacities = {}, const std::vector<Dims>& output_dims = {}) {
  constexpr uint8_t kPoison = 0xA5;
  const Subgraph& main = prepared.model().main();
  std::vector<InputBuffer> in;
  for (const Given& g : inputs) in.push_back({g.bytes, g.dims, g.omitted});
  Ran ran;
  std::vector<OutputBuffer> out;
  for (size_t i = 0; i < main.outputs.size(); ++i)
    ran.outputs.emplace_back(i < capacities.size() ? capacities[i] : 4096, kPoison);
  for (size_t i = 0; i < main.outputs.size(); ++i)
    out.push_back({ran.outputs[i], i < output_dims.size() ? output_dims[i] : Dims()});
  ran.result = prepared.Execute(in, out, options);
  for (size_t i = 0; i < main.outputs.size() && ran.result.ok(); ++i) {
    const OutputShape& shape = ran.result.outputs.at(i);
    EXPECT_TRUE(shape.sufficient && shape.shape.IsKnown());
    const size_t used = Count(shape.shape.dims) * ElementSize(main.operands[main.outputs[i]].type);
    for (size_t k = used; k < ran.outputs[i].size(); ++k)
      EXPECT_EQ(ran.outputs[i][k], kPoison) << "output " << i << " was written past its end";
    ran.outputs[i].resize(used);
  }
  return ran;
}

// The same for a model that is prepared for this one execution.
inline Ran Execute(const Model& model, const std::vector<Given>& inputs, Mode mode = Mode::kGolden) {
  PrepareOptions options;
  options.mode = mode;
  const std::unique_ptr<PreparedModel> prepared = PrepareOrDie(model, options);
  if (prepared == nullptr) return {};
  Ran ran = Execute(*prepared, inputs);
  EXPECT_TRUE(ran.result.ok()) << NameOf(ran.result.status) << ": " << ran.result.message;
  return ran;
}

}  // namespace assay
