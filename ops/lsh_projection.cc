// LSH_PROJECTION: bits that are equal, most often, for inputs that are.
//
//   score[i, j] = sum over k of weight[k] * Fingerprint64(bytes of float32(hash[i, j]), bytes of input[k, ...])
//   bit[i, j]   = score[i, j] > 0
//   DENSE (2):              output[i * num_bits + j] = bit[i, j]
//   SPARSE_DEPRECATED (1):  output[i] = bit[i, 0] bit[i, 1] ... as a binary number
//   SPARSE (3):             output[i] = i * 2^num_bits + that number
//
// The fingerprint is a signed number of 64 bits; the input's bytes are hashed as they are stored, little-endian,
// whatever their quantization, so signed and unsigned inputs do not agree. Documented is a weight that may be omitted
// (all ones); Android's executor demands one for DENSE and forbids one for both SPARSE types, and so do the rules here.
// SPARSE is documented from feature level 3 on, and not validated: it is drawn from there on.
//
// Bounded: a bit is free where its score is within rounding of 0 (in float32: the reference adds in float64), and where
// what is hashed is not known exactly. An answer is judged bit by bit.
#include <algorithm>
#include <cstring>

#include "numeric/storage.h"
#include "numeric/sums.h"
#include "ops/define.h"
#include "ops/fingerprint.h"

namespace assay {
namespace {

struct LshProjection {
  static constexpr absl::string_view kProse =
      "Projects an input to bits, by locality-sensitive hashing: bit[i, j] = sum over k of weight[k] * "
      "Fingerprint64(hash[i, j], input[k, ...]) > 0.";
  static constexpr Evaluation kEvaluation = Evaluation::kReal;
  using enum OperandType;
  static constexpr TypeRow kRows[] = {
      // since, {hash, input, weight}, {output}
      {1, {TENSOR_FLOAT32, TENSOR_FLOAT32, TENSOR_FLOAT32}, {TENSOR_INT32}},
      {1, {TENSOR_FLOAT32, TENSOR_INT32, TENSOR_FLOAT32}, {TENSOR_INT32}},
      {1, {TENSOR_FLOAT32, TENSOR_QUANT8_ASYMM, TENSOR_FLOAT32}, {TENSOR_INT32}},
      {3, {TENSOR_FLOAT32, TENSOR_FLOAT16, TENSOR_FLOAT32}, {TENSOR_INT32}},
      {3, {TENSOR_FLOAT16, TENSOR_FLOAT32, TENSOR_FLOAT16}, {TENSOR_INT32}},
      {3, {TENSOR_FLOAT16, TENSOR_INT32, TENSOR_FLOAT16}, {TENSOR_INT32}},
      {3, {TENSOR_FLOAT16, TENSOR_QUANT8_ASYMM, TENSOR_FLOAT16}, {TENSOR_INT32}},
      {3, {TENSOR_FLOAT16, TENSOR_FLOAT16, TENSOR_FLOAT16}, {TENSOR_INT32}},
  };
  static constexpr Rule kHash{"hash", Stage::kExecution, "hash has rank 2"};
  static constexpr Rule kBits{"bits", Stage::kExecution, "hash has at most 32 bits in a row"};
  static constexpr Rule kSparse{"sparse", Stage::kExecution, "the SPARSE types take no weight"};
  static constexpr Rule kDense{"dense", Stage::kExecution, "DENSE takes a weight of rank 1 for each row of the input"};
  static constexpr Rule kSize{"output_size", Stage::kExecution, "the number of bits fits 32 bits"};
  static constexpr Rule kRules[] = {kHash, kBits, kSparse, kDense, kSize};
  static constexpr Kind kType{1, 3, 1, 3, "1 SPARSE_DEPRECATED, 2 DENSE or 3 SPARSE"};
  static constexpr int32_t kIsDense = 2, kIsSparse = 3;

  In hash, input, weight;
  int32_t type = kIsDense;
  Out output;

  template <class Walk>
  void Operands(Walk& w) {
    w.Tensor(hash, "hash", "[num_hash, num_bits]");
    w.Tensor(input, "input", "[rows, ...]");
    w.OptionalTensor(weight, "weight", "[rows]; omitted unless type is DENSE");
    w.Int(type, "type", kType);
    w.Output(output, "output", "[num_hash], of DENSE [num_hash * num_bits]");
  }

  // What is hashed must be known exactly, also in relaxed models: quarters are the same in every float format.
  void Draw(Drawing& d) {
    Choices& c = d.choices();
    if (type == kIsSparse && d.level() < 3) type = 1;
    const auto dim = [&](int64_t most) { return static_cast<uint32_t>(c.Between(1, most)); };
    const auto quarters = [&](size_t count, double unit) {
      Stream stream = Bulk(c.Seed());
      std::vector<double> out(count);
      for (double& v : out) v = unit * (static_cast<double>(stream.UpTo(400)) - 200);
      return out;
    };
    const Dims hashes{dim(4), dim(6)};
    Dims dims{dim(5), dim(8)};
    if (c.Chance(1, 4)) dims[1] = dim(70);  // bytes of every range of lengths
    if (c.Chance(1, 4)) dims.pop_back();
    d.Contents(hash, hashes, quarters(Count(hashes), 0.25));
    d.Contents(input, dims, quarters(Count(dims), IsFloat(input.type()) ? 0.25 : 1));
    if (type == kIsDense) {
      std::vector<double> weights = quarters(dims[0], 0.25);
      for (double& w : weights) w += w == 0 ? 1 : 0;
      d.Contents(weight, {dims[0]}, weights);
    } else {
      d.Omit(weight);
    }
    const double most =
        type == kIsDense
            ? 1
            : std::ldexp(static_cast<double>(type == kIsSparse ? hashes[0] : 1), static_cast<int>(hashes[1])) - 1;
    d.Output(output, {0, most, true});
  }

  void CheckModel(Checker&) const {}
  void CheckExecution(Checker& check) const {
    check.Rank(kHash, hash, "hash", 2, 2);
    check.InRange(kBits, "num_bits", hash.dim(1), 0, 32);
    if (type == kIsDense) {
      check.That(weight.present(), kDense, "there is no weight");
      if (weight.present() && !weight.may_be_omitted()) {
        check.Rank(kDense, weight, "weight", 1, 1);
        check.Same(kDense, "number of weights", weight.dim(0), "of rows", input.dim(0));
      }
      check.InRange(kSize, "number of bits", hash.dim(0) * hash.dim(1), 0, int64_t{kUnknownDim} - 1);
    } else {
      check.That(!weight.present() || weight.may_be_omitted(), kSparse, "there is a weight, type is ", type);
    }
  }
  std::vector<Result> Infer() const {
    const Extent count = type == kIsDense ? hash.dim(0) * hash.dim(1) : hash.dim(0);
    return {{ToShape(Extents{count}), Quantization{}}};
  }

  Allowance Allowed(size_t) const { return {.exact = true}; }

  template <class N>
  void Eval(Frame<N>& f) const {
    const Hashed hashed(*this, f);
    const size_t num_bits = f(hash).dim(1);
    for (size_t i = 0; i < f(hash).dim(0); ++i) {
      Bits row;
      for (size_t j = 0; j < num_bits; ++j) {
        const Bits bit = hashed.Bit(*this, f, i * num_bits + j);
        if (type == kIsDense) f(output)[i * num_bits + j] = ToNumber<N>(bit, 0);
        row.Append(bit);
      }
      if (type != kIsDense) f(output)[i] = ToNumber<N>(row, BaseOf(i, num_bits));
    }
  }

  template <class F>
  void Accept(Frame<Bounded<F>>& f, size_t, std::span<const double> answer, std::span<Verdict> verdicts) const {
    const Hashed hashed(*this, f);
    const size_t num_bits = f(hash).dim(1);
    for (size_t i = 0; i < f(hash).dim(0); ++i) {
      Bits row;
      for (size_t j = 0; j < num_bits; ++j) {
        const Bits bit = hashed.Bit(*this, f, i * num_bits + j);
        const size_t at = i * num_bits + j;
        if (type == kIsDense) verdicts[at] = Judge(bit, 0, answer[at], hashed.known);
        row.Append(bit);
      }
      if (type != kIsDense) verdicts[i] = Judge(row, BaseOf(i, num_bits), answer[i], hashed.known);
    }
  }

 private:
  // Some bits of a number: what they are nominally, and which of them a driver may have otherwise.
  struct Bits {
    uint32_t nominal = 0, free = 0;
    void Append(const Bits& bit) { nominal = nominal << 1 | bit.nominal, free = free << 1 | bit.free; }
  };

  // What SPARSE adds to hash `i`, so that different hashes never give the same number.
  uint32_t BaseOf(size_t i, size_t num_bits) const {
    return type == kIsSparse && num_bits < 32 ? static_cast<uint32_t>(i << num_bits) : 0;
  }

  static double AsInt32(uint32_t bits) { return static_cast<int32_t>(bits); }
  template <class N>
  static N ToNumber(const Bits& bits, uint32_t base) {
    const double nominal = AsInt32(bits.nominal | base);
    if constexpr (Plain<N>) {
      return N(nominal);
    } else {
      // The sign bit counts down.
      constexpr uint32_t kSign = uint32_t{1} << 31;
      const uint32_t sure = (bits.nominal & ~bits.free) | base;
      return {AsInt32(sure | (bits.free & kSign)), AsInt32(sure | (bits.free & ~kSign)), nominal};
    }
  }
  static Verdict Judge(const Bits& bits, uint32_t base, double answer, bool known) {
    const bool whole = answer == std::floor(answer) && answer >= INT32_MIN && answer <= INT32_MAX;
    if (!whole) return Verdict::kOutside;
    const auto given = static_cast<uint32_t>(static_cast<int32_t>(answer));
    if (((given ^ (bits.nominal | base)) & ~bits.free) != 0) return Verdict::kOutside;
    return known ? Verdict::kInside : Verdict::kUnknown;
  }

  template <class N>
  static bool IsExact(const N& x) {
    if constexpr (Plain<N>) {
      return true;
    } else {
      return x.IsPoint();
    }
  }

  // The input as it is stored, each row with room in front for the seed.
  struct Hashed {
    template <class N>
    Hashed(const LshProjection& op, Frame<N>& f) {
      const View<const N>& in = f(op.input);
      rows = in.dim(0);
      std::vector<double> reals(in.size);
      for (size_t i = 0; i < in.size; ++i) reals[i] = Nominal(in[i]);
      known = std::all_of(in.begin(), in.end(), [](const N& x) { return IsExact(x); });
      std::vector<uint8_t> stored(in.size * ElementSize(op.input.type()));
      Store(op.input.type(), op.input.quantization(), *in.dims, reals.data(), stored.data());
      row_bytes = stored.size() / rows;
      bytes.resize(rows * (sizeof(float) + row_bytes));
      for (size_t k = 0; k < rows; ++k)
        std::copy_n(stored.data() + k * row_bytes, row_bytes,
                    bytes.data() + k * (sizeof(float) + row_bytes) + sizeof(float));
    }

    // The fingerprints of all rows with one seed.
    std::vector<double> Fingerprints(float seed) const {
      std::vector<double> out(rows);
      std::vector<uint8_t> row(sizeof seed + row_bytes);
      for (size_t k = 0; k < rows; ++k) {
        std::copy_n(bytes.data() + k * row.size(), row.size(), row.data());
        std::memcpy(row.data(), &seed, sizeof seed);
        out[k] = static_cast<double>(static_cast<int64_t>(Fingerprint64(row)));
      }
      return out;
    }

    template <class N>
    Bits Bit(const LshProjection& op, Frame<N>& f, size_t at) const {
      // Whatever the call computes in: fingerprints are no half-precision numbers.
      using Score = std::conditional_t<Plain<N>, double, Bounded<Fp32>>;
      const N& seed = f(op.hash)[at];
      const std::vector<double> prints = Fingerprints(static_cast<float>(Nominal(seed)));
      std::vector<Score> terms(rows);
      for (size_t k = 0; k < rows; ++k) {
        terms[k] = Inexact(Score(prints[k]));
        if (op.weight.present()) terms[k] = terms[k] * Widened<Score>(f(op.weight)[k]);
      }
      const Score score = Sum<Score>(terms.data(), rows);
      const bool open = !known || !IsExact(seed) || Greater(score, Score(0)) == Truth::kMaybe;
      return {Nominal(score) > 0 ? 1u : 0u, open ? 1u : 0u};
    }
    template <class Score, class N>
    static Score Widened(const N& x) {
      if constexpr (Plain<N>) {
        return Score(x);
      } else {
        return {x.lo, x.hi, x.value};
      }
    }

    std::vector<uint8_t> bytes;
    size_t rows, row_bytes;
    bool known;
  };
};

}  // namespace

extern const OperationInfo kLshProjection;
constinit const OperationInfo kLshProjection =
    Define<LshProjection, kLshProjection>(OperationCode::LSH_PROJECTION, "LSH_PROJECTION");

}  // namespace assay
