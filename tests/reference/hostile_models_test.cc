// Damaged models and requests: whatever is prepared can be executed and judged, and never crashes, hangs or writes
// where it must not (the sanitizer builds see that).
#include <limits>

#include "choice/stream.h"
#include "gmock/gmock.h"
#include "reference/bounded.h"
#include "tests/reference/execution.h"

namespace assay {
namespace {

using enum OperandType;

// Some of everything: unknown dims, IF, WHILE, shapes from values, convolution, quantization, an omitted operand.
Model Rich() {
  ModelBuilder b;
  SubgraphBuilder& condition = b.AddSubgraph("condition");
  SubgraphBuilder& body = b.AddSubgraph("body");
  SubgraphBuilder& then_branch = b.AddSubgraph("then");
  {
    const auto count = condition.Input(TENSOR_INT32, {1});
    condition.Input(TENSOR_FLOAT32, {0});
    const auto three = condition.Constant<int32_t>(TENSOR_INT32, {1}, {3});
    condition.Output(condition.Op("LESS", {count, three}, TENSOR_BOOL8, {1}));
  }
  {
    const auto count = body.Input(TENSOR_INT32, {1});
    const auto x = body.Input(TENSOR_FLOAT32, {0});
    const auto one = body.Constant<int32_t>(TENSOR_INT32, {1}, {1});
    const auto paddings = body.Constant<int32_t>(TENSOR_INT32, {1, 2}, {0, 1});
    const auto next = body.Op("ADD", {count, one, body.Int(0)}, TENSOR_INT32, {1});
    const auto padded = body.Op("PAD", {x, paddings}, TENSOR_FLOAT32, {0});
    body.Output(next);
    body.Output(padded);
  }
  {
    const auto x = then_branch.Input(TENSOR_FLOAT32, {0});
    then_branch.Output(then_branch.Op("ADD", {x, x, then_branch.Int(1)}, TENSOR_FLOAT32, {0}));
  }
  const auto x = b.Input(TENSOR_FLOAT32, {0});
  const auto condition_value = b.Input(TENSOR_BOOL8, {1});
  const auto codes = b.Input(TENSOR_QUANT8_ASYMM, {1, 2, 2, 1}, Quant(0.5, 3));
  const auto shape = b.Input(TENSOR_INT32, {2});
  const auto zero = b.Constant<int32_t>(TENSOR_INT32, {1}, {0});
  const auto looped =
      b.Op("WHILE", {b.Reference(1), b.Reference(2), zero, x}, {{TENSOR_INT32, {1}}, {TENSOR_FLOAT32, {0}}});
  const auto chosen = b.Op("IF", {condition_value, b.Reference(3), b.Reference(3), looped[1]}, TENSOR_FLOAT32, {0});
  b.Output(chosen);
  const auto filter = b.Constant<uint8_t>(TENSOR_QUANT8_ASYMM, {2, 1, 1, 1}, {1, 200}, Quant(0.25, 100));
  const auto bias = b.Constant<int32_t>(TENSOR_INT32, {2}, {100, -100}, Quant(0.125));
  const auto image = b.Op("CONV_2D", {codes, filter, bias, b.Int(1), b.Int(1), b.Int(1), b.Int(0)}, TENSOR_QUANT8_ASYMM,
                          {1, 2, 2, 2}, Quant(1, 10));
  const auto flat = b.Op("RESHAPE", {image, shape}, TENSOR_QUANT8_ASYMM, {0, 0}, Quant(1, 10));
  b.Output(b.Op("ARGMAX", {flat, b.Int(1)}, TENSOR_INT32, {0}));
  b.Output(b.Op("DEQUANTIZE", {flat}, TENSOR_FLOAT32, {}));
  return b.Build();
}

class Damage {
 public:
  explicit Damage(uint64_t seed) : stream_(seed) {}

  void Apply(Model& model) {
    const size_t times = stream_.UpTo(3);
    for (size_t i = 0; i < times; ++i) Once(model);
  }
  uint64_t UpTo(uint64_t most) { return stream_.UpTo(most); }
  Bytes Random(size_t size) {
    Bytes bytes(size);
    for (uint8_t& b : bytes) b = static_cast<uint8_t>(UpTo(1) == 0 ? UpTo(3) : UpTo(255));
    return bytes;
  }

 private:
  template <class T>
  T& Pick(std::vector<T>& list) {
    return list[static_cast<size_t>(UpTo(list.size() - 1))];
  }
  uint32_t Number() {
    constexpr uint32_t kNumbers[] = {0,     1,     2,          3,          4,          7,         255,
                                     65535, 65536, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF};
    return kNumbers[UpTo(std::size(kNumbers) - 1)];
  }
  void Once(Model& model) {
    Subgraph& s = Pick(model.subgraphs);
    Operand& o = Pick(s.operands);
    switch (UpTo(11)) {
      case 0:
        if (!o.dims.empty()) Pick(o.dims) = Number();
        return;
      case 1:
        o.dims.push_back(Number());
        return;
      case 2:
        o.dims.clear();
        return;
      case 3:
        o.type = Pick(s.operands).type;
        return;
      case 4:
        o.quantization.scale = UpTo(1) == 0 ? 0.f : std::numeric_limits<float>::max();
        return;
      case 5:
        o.quantization.zero_point = static_cast<int32_t>(Number());
        return;
      case 6:
        o.lifetime = Pick(s.operands).lifetime;
        return;
      case 7:
        if (o.value != nullptr) o.value = std::make_shared<const Bytes>(Random(o.value->size()));
        return;
      case 8:
        if (o.value != nullptr) {
          const int32_t number = static_cast<int32_t>(Number());
          Bytes bytes = *o.value;
          for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(number >> (8 * (i % 4)));
          o.value = std::make_shared<const Bytes>(std::move(bytes));
        }
        return;
      case 9: {
        Operation& operation = Pick(s.operations);
        if (!operation.inputs.empty()) Pick(operation.inputs) = static_cast<uint32_t>(UpTo(s.operands.size()));
        return;
      }
      case 10:
        Pick(s.operations).code = Pick(Pick(model.subgraphs).operations).code;
        return;
      default: {
        Operation& operation = Pick(s.operations);
        if (UpTo(1) == 0 && !operation.inputs.empty()) {
          operation.inputs.pop_back();
        } else {
          operation.inputs.push_back(static_cast<uint32_t>(UpTo(s.operands.size() - 1)));
        }
      }
    }
  }
  Stream stream_;
};

// Inputs that mostly fit the model.
std::vector<Given> InputsFor(const Model& model, Damage& damage) {
  std::vector<Given> inputs;
  for (uint32_t index : model.main().inputs) {
    const Operand& o = model.main().operands[index];
    Given& given = inputs.emplace_back();
    given.omitted = damage.UpTo(30) == 0;
    Dims dims = o.dims;
    for (uint32_t& d : dims)
      if (d == 0) d = 1 + static_cast<uint32_t>(damage.UpTo(3));
    if (dims.empty() && !IsScalar(o.type)) dims = {static_cast<uint32_t>(1 + damage.UpTo(2)), 2};
    const std::optional<uint32_t> size = ByteSize(o.type, dims);
    given.bytes = damage.Random(size && *size < 100000 ? *size : 4);
    if (!IsScalar(o.type)) given.dims = dims;
    if (o.type == TENSOR_INT32 && damage.UpTo(2) != 0 && given.bytes.size() == 8)
      given.bytes = BytesOf<int32_t>({2, damage.UpTo(1) == 0 ? 4 : -1});
  }
  return inputs;
}

TEST(HostileModels, NothingBreaks) {
  size_t prepared_models = 0, executed = 0, judged = 0;
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE(seed);
    Damage damage(seed);
    Model model = Rich();
    damage.Apply(model);
    PrepareOptions prepare;
    prepare.mode = seed % 2 == 0 ? Mode::kGolden : Mode::kFast;
    prepare.most_constant_bytes = 1 << 20;
    const auto prepared = Prepare(model, prepare);
    if (!prepared.ok()) {
      EXPECT_NE(ErrorStatusOf(prepared.status()), ErrorStatus::GENERAL_FAILURE);
      continue;
    }
    ++prepared_models;
    const std::vector<Given> inputs = InputsFor(model, damage);
    ExecuteOptions options;
    options.loop_timeout = std::chrono::milliseconds(20);
    options.most_bytes = 32 << 20;
    options.most_operations = 2000;
    const std::vector<size_t> capacities(model.main().outputs.size(), damage.UpTo(9) == 0 ? 7 : 4096);
    const Ran ran = Execute(**prepared, inputs, options, capacities);
    if (!ran.result.ok()) {
      EXPECT_FALSE(ran.result.message.empty());
      EXPECT_EQ(ran.result.outputs.empty(), ran.result.status != ErrorStatus::OUTPUT_INSUFFICIENT_SIZE);
      continue;
    }
    ++executed;
    std::vector<InputBuffer> in;
    for (const Given& g : inputs) in.push_back({g.bytes, g.dims, g.omitted});
    Observations observations;
    for (size_t i = 0; i < ran.outputs.size(); ++i)
      observations[model.main().outputs[i]] = {ran.result.outputs[i].shape.dims, ran.outputs[i]};
    BoundedOptions bounded;
    bounded.most_bytes = 256 << 20;
    bounded.most_iterations = 20;
    const auto runs = RunBoundedPaths(model, in, observations, {}, bounded);
    ASSERT_TRUE(runs.ok()) << runs.status();
    // Our own answer is accepted by one of the paths.
    bool accepted = false;
    for (const BoundedRun& run : *runs) {
      bool inside = true;
      for (const JudgedTensor& t : run.judged)
        for (Verdict v : t.sound) inside &= v != Verdict::kOutside;
      accepted |= inside;
    }
    EXPECT_TRUE(accepted);
    ++judged;
  }
  EXPECT_GT(prepared_models, 1000u);
  EXPECT_GT(executed, 500u);
  EXPECT_GT(judged, 500u);
}

}  // namespace
}  // namespace assay
