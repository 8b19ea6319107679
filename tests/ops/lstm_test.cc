// LSTM.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "tests/ops/harness.h"
#include "tests/ops/image_cases.h"
#include "tests/ops/rule_book.h"

namespace assay {
namespace {

using enum OperandType;

struct Options {
  OperandType type = TENSOR_FLOAT32;
  bool cifg = false, peephole = false, projection = false, projection_bias = false, norms = false;
  int32_t activation = 4;
  double cell_clip = 0, projection_clip = 0;
  uint32_t batches = 2, n_input = 3, n_cell = 4, n_output = 4;
  double scale = 1;  // of all numbers
};

// The operands of one call, and the reals they stand for, by position.
struct Lstm {
  Options o;
  std::vector<Given> in, out;
  std::vector<std::vector<double>> reals = std::vector<std::vector<double>>(27);

  explicit Lstm(const Options& options, uint64_t seed = 1) : o(options) {
    const uint32_t b = o.batches, x = o.n_input, u = o.n_cell, h = o.n_output;
    const auto tensor = [&](size_t index, Dims dims, bool given = true, double least = -1, double most = 1) {
      if (!given) return in.push_back(Omitted(o.type));
      reals[index] = Noise(Count(dims), seed * 100 + index, least * o.scale, most * o.scale);
      for (double& r : reals[index]) r = std::round(r * 64) / 64;  // exact in every type
      in.push_back(Reals(o.type, dims, reals[index]));
    };
    tensor(0, {b, x});
    for (size_t i = 1; i <= 4; ++i) tensor(i, {u, x}, i > 1 || !o.cifg);
    for (size_t i = 5; i <= 8; ++i) tensor(i, {u, h}, i > 5 || !o.cifg);
    for (size_t i = 9; i <= 11; ++i) tensor(i, {u}, o.peephole && (i > 9 || !o.cifg));
    for (size_t i = 12; i <= 15; ++i) tensor(i, {u}, i > 12 || !o.cifg);
    tensor(16, {h, u}, o.projection);
    tensor(17, {h}, o.projection_bias);
    tensor(18, {b, h});
    tensor(19, {b, u});
    in.push_back(Int(o.activation));
    const bool half = o.type == TENSOR_FLOAT16;
    for (double clip : {o.cell_clip, o.projection_clip}) in.push_back(half ? RealHalf(clip) : Real(clip));
    if (o.norms)
      for (size_t i = 23; i <= 26; ++i) tensor(i, {u}, i > 23 || !o.cifg, 0.5, 1.5);
    out.assign(4, Output(o.type));
  }
  OneCall call() const { return {OperationCode::LSTM, in, out}; }

  double Act(double x) const {
    switch (o.activation) {
      case 0:
        return x;
      case 1:
        return std::max(x, 0.0);
      case 3:
        return std::clamp(x, 0.0, 6.0);
      case 4:
        return std::tanh(x);
      default:
        return 1 / (1 + std::exp(-x));
    }
  }
  static double Clip(double x, double clip) { return clip > 0 ? std::clamp(x, -clip, clip) : x; }

  // What goes into the nonlinearity of gate 0 input, 1 forget, 2 cell, 3 output, with the cell states that it sees.
  std::vector<double> Gate(size_t gate, const std::vector<double>& c) const {
    const size_t peepholes[] = {9, 10, 99, 11};
    std::vector<double> z(o.batches * o.n_cell);
    for (size_t b = 0; b < o.batches; ++b) {
      double* row = &z[b * o.n_cell];
      for (size_t u = 0; u < o.n_cell; ++u) {
        for (size_t i = 0; i < o.n_input; ++i)
          row[u] += reals[1 + gate][u * o.n_input + i] * reals[0][b * o.n_input + i];
        for (size_t i = 0; i < o.n_output; ++i)
          row[u] += reals[5 + gate][u * o.n_output + i] * reals[18][b * o.n_output + i];
        if (o.peephole && gate != 2) row[u] += reals[peepholes[gate]][u] * c[b * o.n_cell + u];
      }
      double mean = 0, variance = 0;
      for (size_t u = 0; u < o.n_cell; ++u) mean += row[u] / o.n_cell;
      for (size_t u = 0; u < o.n_cell; ++u) variance += (row[u] - mean) * (row[u] - mean) / o.n_cell;
      for (size_t u = 0; u < o.n_cell; ++u) {
        if (o.norms) row[u] = (row[u] - mean) / std::sqrt(variance + 1e-8) * reals[23 + gate][u];
        row[u] += reals[12 + gate][u];
      }
    }
    return z;
  }
  struct States {
    std::vector<double> h, c;
  };
  States Step() const {
    const auto logistic = [](double x) { return 1 / (1 + std::exp(-x)); };
    const std::vector<double>& old = reals[19];
    const std::vector<double> i = o.cifg ? old : Gate(0, old), f = Gate(1, old), g = Gate(2, old);
    States s;
    for (size_t k = 0; k < old.size(); ++k) {
      const double forget = logistic(f[k]), input = o.cifg ? 1 - forget : logistic(i[k]);
      s.c.push_back(Clip(forget * old[k] + input * Act(g[k]), o.cell_clip));
    }
    const std::vector<double> output = Gate(3, s.c);
    for (size_t k = 0; k < old.size(); ++k) s.h.push_back(logistic(output[k]) * Act(s.c[k]));
    if (!o.projection) return s;
    const std::vector<double> m = s.h;
    s.h.assign(o.batches * o.n_output, 0);
    for (size_t b = 0; b < o.batches; ++b)
      for (size_t k = 0; k < o.n_output; ++k) {
        double& y = s.h[b * o.n_output + k];
        if (o.projection_bias) y = reals[17][k];
        for (size_t u = 0; u < o.n_cell; ++u) y += reals[16][k * o.n_cell + u] * m[b * o.n_cell + u];
        y = Clip(y, o.projection_clip);
      }
    return s;
  }
};

// Every combination of the optional parts.
std::vector<Options> AllOptions() {
  std::vector<Options> all;
  for (int bits = 0; bits < 32; ++bits) {
    Options o{.cifg = (bits & 1) != 0,
              .peephole = (bits & 2) != 0,
              .projection = (bits & 4) != 0,
              .projection_bias = (bits & 12) == 12,
              .norms = (bits & 16) != 0};
    if (o.projection) o.n_output = 3;
    all.push_back(o);
  }
  for (int32_t activation : {0, 1, 3, 6}) all.push_back({.activation = activation, .scale = 2});
  all.push_back({.cell_clip = 0.25});
  all.push_back({.projection = true, .projection_clip = 0.25, .n_output = 5});
  all.push_back({.projection_clip = 0.01});  // without projection it means nothing
  all.push_back({.peephole = true, .projection = true, .activation = 1, .cell_clip = 0.5, .projection_clip = 0.5});
  const size_t count = all.size();
  for (size_t i = 0; i < count; ++i) {
    all.push_back(all[i]);
    all.back().type = TENSOR_FLOAT16;
  }
  return all;
}

TEST(LstmTest, AsDefined) {
  uint64_t seed = 1;
  for (const Options& options : AllOptions()) {
    const Lstm lstm(options, seed++);
    const OneCall call = lstm.call();
    ASSERT_TRUE(call.valid()) << ToStatus(call.violations());
    EXPECT_EQ(call.dims(0), Dims({2, options.n_cell * (options.cifg ? 3 : 4)}));
    EXPECT_EQ(call.dims(1), Dims({2, options.n_output}));
    EXPECT_EQ(call.dims(2), Dims({2, options.n_cell}));
    EXPECT_EQ(call.dims(3), call.dims(1));
    const Lstm::States expected = lstm.Step();
    ExpectRounded(options.type, {}, call.Golden(1), expected.h);
    ExpectRounded(options.type, {}, call.Golden(2), expected.c);
    ExpectRounded(options.type, {}, call.Golden(3), expected.h);
    call.ExpectInside();
    EXPECT_TRUE(call.inferred()[0].unspecified);
    for (const Interval& e : call.Bound(0)) EXPECT_TRUE(e.IsUnknown());
    for (size_t i = 1; i < 4; ++i) EXPECT_FALSE(call.inferred()[i].unspecified);
  }
}

TEST(LstmTest, ByHand) {
  // One unit; all weights 0, so that the gates are logistic(bias): 1/2, 1/2, 1/2, and the candidate is tanh(1).
  const Given zero = Float32({1, 1}, {0}), one = Float32({1}, {1}), none = Float32({1}, {0});
  const Given no = Omitted(TENSOR_FLOAT32);
  const OneCall call(OperationCode::LSTM,
                     {zero,   zero,    zero,   zero, zero, zero, zero, zero, zero, no,
                      no,     no,      none,   none, one,  none, no,   no,   zero, Float32({1, 1}, {3}),
                      Int(4), Real(0), Real(0)},
                     {Output(TENSOR_FLOAT32), Output(TENSOR_FLOAT32), Output(TENSOR_FLOAT32), Output(TENSOR_FLOAT32)});
  const double cell = 1.5 + std::tanh(1.0) / 2;
  EXPECT_FLOAT_EQ(static_cast<float>(call.Golden(2)[0]), static_cast<float>(cell));
  EXPECT_FLOAT_EQ(static_cast<float>(call.Golden(1)[0]), static_cast<float>(std::tanh(cell) / 2));
  EXPECT_EQ(call.level(), 1);
}

// A row without variance gives the bias alone.
TEST(LstmTest, NormalizesEqualNumbersToZero) {
  Lstm lstm({.norms = true});
  for (size_t i : {1u, 2u, 3u, 4u}) lstm.in[i] = Float32({4, 3}, {0.5});
  for (size_t i : {5u, 6u, 7u, 8u}) lstm.in[i] = Float32({4, 4}, {0.5});
  const OneCall call = lstm.call();
  const std::vector<double> c = call.Golden(2);
  for (size_t k = 0; k < c.size(); ++k) {
    const auto gate = [&](size_t i) { return 1 / (1 + std::exp(-lstm.reals[i][k % 4])); };
    EXPECT_NEAR(c[k], gate(13) * lstm.reals[19][k] + gate(12) * std::tanh(lstm.reals[14][k % 4]), 1e-6);
  }
  call.ExpectInside();
}

TEST(LstmTest, HullsHold) {
  uint64_t seed = 50;
  for (const Options& options : AllOptions()) Lstm(options, seed++).call().ExpectHullHolds(0.02, 0, 6);
}

TEST(LstmTest, BoundsAreNarrow) {
  double plain = 0, normalized = 0, half = 0;
  uint64_t seed = 1;
  for (const Options& options : AllOptions()) {
    const OneCall call = Lstm(options, seed++).call();
    double& widest = options.type == TENSOR_FLOAT16 ? half : options.norms ? normalized : plain;
    if ((options.type == TENSOR_FLOAT16 && options.norms) || options.scale != 1) continue;
    for (size_t i = 1; i < 4; ++i) widest = std::max(widest, call.Widest(i, {.strict = true}));
  }
  EXPECT_LT(plain, 2e-5);
  EXPECT_LT(normalized, 1e-3);
  EXPECT_LT(half, 0.2);
  // Inputs and states that are only known within 0.01.
  const Lstm lstm({});
  const OneCall call = lstm.call();
  InputIntervals intervals(23);
  for (size_t i : {0u, 18u, 19u})
    for (double r : lstm.reals[i]) intervals[i].push_back(Interval(r - 0.01, r + 0.01, r));
  EXPECT_LT(call.Widest(1, {.strict = true}, intervals), 0.1);
  EXPECT_LT(call.Widest(2, {.strict = true}, intervals), 0.1);
}

TEST(LstmTest, InfersWhatIsKnown) {
  Lstm lstm({});
  lstm.in[0] = lstm.in[0].UnknownDim(0);
  lstm.in[4] = lstm.in[4].UnknownDim(0);
  lstm.in[8] = lstm.in[8].UnknownRank();
  const std::vector<Result> results = lstm.call().inferred();
  ASSERT_EQ(results.size(), 4u);
  const Shape unknown = Shape::Of({kUnknownDim, kUnknownDim});
  for (const Result& r : results) EXPECT_EQ(r.shape, unknown);
  Lstm normalized({.norms = true});
  EXPECT_EQ(normalized.call().level(), 3);
  // All layer norms omitted.
  for (size_t i = 23; i < 27; ++i) normalized.in[i] = Omitted(TENSOR_FLOAT32);
  EXPECT_TRUE(normalized.call().valid());
  EXPECT_EQ(normalized.call().Golden(1), Lstm({}).call().Golden(1));
  EXPECT_EQ(Lstm({.type = TENSOR_FLOAT16}).call().level(), 3);
}

// Before a request is known, whatever it may yet omit breaks nothing.
TEST(LstmTest, MayBeOmitted) {
  Lstm lstm({.peephole = true, .projection = true, .projection_bias = true, .norms = true, .n_output = 3});
  for (size_t i : {1u, 5u, 9u, 10u, 11u, 12u, 16u, 17u, 23u, 24u, 25u, 26u}) {
    lstm.in[i] = i % 2 == 0 ? Omitted(TENSOR_FLOAT32) : Float32({99}, {1}).Hidden();
    lstm.in[i].argument.may_be_omitted = i % 2 != 0;
  }
  lstm.in[16] = Float32({3, 4}, {1}).Hidden();
  lstm.in[16].argument.may_be_omitted = true;
  const OneCall call = lstm.call();
  ASSERT_TRUE(call.valid()) << ToStatus(call.violations());
  EXPECT_EQ(call.inferred()[0].shape, Shape::Of({2, kUnknownDim}));
  EXPECT_EQ(call.inferred()[1].shape, Shape::Of({2, 3}));
}

TEST(LstmTest, Rules) {
  RuleBook rules(OperationCode::LSTM);
  const Options full{.peephole = true, .projection = true, .projection_bias = true, .norms = true, .n_output = 3};
  const Given no = Omitted(TENSOR_FLOAT32);
  rules.Valid(Lstm(full).call());
  const auto breaks = [&](const std::string& rule, const Options& options, size_t index, const Given& other) {
    Lstm lstm(options);
    lstm.in[index] = other;
    SCOPED_TRACE(index);
    rules.Breaks(rule, lstm.in, lstm.out);
  };
  const auto matrix = [](uint32_t rows, uint32_t columns) { return Float32({rows, columns}, {0.5}); };
  const auto vector = [](uint32_t size) { return Float32({size}, {0.5}); };
  breaks("activation", full, 20, Int(2));
  breaks("activation", full, 20, Int(5));
  breaks("rank", full, 0, Float32({2, 3, 1}, {1}));
  breaks("rank", full, 13, matrix(4, 1));
  breaks("rank", full, 19, Float32({2, 4, 1}, {1}));
  for (size_t i : {1u, 2u, 3u}) breaks("weights", full, i, matrix(5, 3)), breaks("weights", full, i, matrix(4, 2));
  for (size_t i : {5u, 6u, 7u}) breaks("weights", full, i, matrix(5, 3)), breaks("weights", full, i, matrix(4, 4));
  breaks("weights", full, 8, matrix(3, 3));
  for (size_t i : {9u, 10u, 11u, 12u, 13u, 14u, 15u, 23u, 24u, 25u, 26u}) breaks("vectors", full, i, vector(3));
  breaks("projection", full, 16, matrix(4, 4));
  breaks("projection", full, 16, matrix(3, 3));
  breaks("projection", full, 17, vector(4));
  breaks("projection", {.n_output = 3}, 9, no);
  for (size_t i : {18u, 19u}) breaks("states", full, i, matrix(3, i == 18 ? 3 : 4));
  for (size_t i : {18u, 19u}) breaks("states", full, i, matrix(2, 5));
  for (size_t i : {5u, 12u}) breaks("cifg", full, i, no);
  breaks("cifg", {.cifg = true}, 5, matrix(4, 4));
  breaks("cifg", {.cifg = true}, 12, vector(4));
  for (size_t i : {9u, 10u, 11u}) breaks("peephole", full, i, no), breaks("peephole", {}, i, vector(4));
  breaks("peephole", {.cifg = true}, 9, vector(4));
  for (size_t i : {23u, 24u, 25u, 26u}) breaks("layer_norm", full, i, no);
  breaks("layer_norm", {.cifg = true, .norms = true}, 23, vector(4));
  breaks("projection_bias", {}, 17, vector(4));
  breaks("peephole", {.cifg = true, .peephole = true}, 9, vector(4));
  rules.ExpectComplete();
}

}  // namespace
}  // namespace assay
