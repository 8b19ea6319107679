// EQUAL, NOT_EQUAL, GREATER, GREATER_EQUAL, LESS and LESS_EQUAL, with broadcasting.
//
//   output = (x < y) ? 1 : 0,   output = (x == y) ? 1 : 0,   ...
//
// Quantized operands are compared as the float32 numbers that they stand for, each by its own parameters and without
// tolerance; with equal parameters that is a comparison of codes. A comparison with a NaN is false, but NOT_EQUAL is
// true. Bools compare as 0 and 1: Android's executor compares the bytes, so a byte above 1, which is true as well, is
// unspecified.
#include "ops/broadcast.h"
#include "ops/define.h"

namespace assay {
namespace {

struct EqualTo {
  static constexpr absl::string_view kProse = "Compares two tensors: output = (x == y), broadcasting.";
  template <class N>
  static Truth Of(const N& x, const N& y) {
    return Equal(x, y);
  }
};
struct NotEqualTo {
  static constexpr absl::string_view kProse = "Compares two tensors: output = (x != y), broadcasting.";
  template <class N>
  static Truth Of(const N& x, const N& y) {
    return Not(Equal(x, y));
  }
};
struct GreaterThan {
  static constexpr absl::string_view kProse = "Compares two tensors: output = (x > y), broadcasting.";
  template <class N>
  static Truth Of(const N& x, const N& y) {
    return Greater(x, y);
  }
};
struct GreaterThanOrEqualTo {
  static constexpr absl::string_view kProse = "Compares two tensors: output = (x >= y), broadcasting.";
  template <class N>
  static Truth Of(const N& x, const N& y) {
    return GreaterOrEqual(x, y);
  }
};
struct LessThan {
  static constexpr absl::string_view kProse = "Compares two tensors: output = (x < y), broadcasting.";
  template <class N>
  static Truth Of(const N& x, const N& y) {
    return Less(x, y);
  }
};
struct LessThanOrEqualTo {
  static constexpr absl::string_view kProse = "Compares two tensors: output = (x <= y), broadcasting.";
  template <class N>
  static Truth Of(const N& x, const N& y) {
    return GreaterOrEqual(y, x);
  }
};

template <class Relation>
struct Comparison {
  static constexpr absl::string_view kProse = Relation::kProse;
  static constexpr Evaluation kEvaluation = Evaluation::kReal;
  using enum OperandType;
  static constexpr TypeRow kRows[] = {
      // since, {x, y}, {output}
      {3, {TENSOR_BOOL8}, {TENSOR_BOOL8}},        {3, {TENSOR_FLOAT16}, {TENSOR_BOOL8}},
      {3, {TENSOR_FLOAT32}, {TENSOR_BOOL8}},      {3, {TENSOR_INT32}, {TENSOR_BOOL8}},
      {3, {TENSOR_QUANT8_ASYMM}, {TENSOR_BOOL8}}, {4, {TENSOR_QUANT8_ASYMM_SIGNED}, {TENSOR_BOOL8}},
  };
  static constexpr Rule kBroadcast{"broadcast", Stage::kExecution, "dimensions from the last are equal or 1"};
  static constexpr Rule kRules[] = {kBroadcast};

  In x, y;
  Out output;

  template <class Walk>
  void Operands(Walk& w) {
    w.Tensor(x, "x", "of any rank");
    w.Tensor(y, "y", "of any rank, its dimensions equal to x's or 1");
    w.Output(output, "output", "of the broadcast shape");
  }

  // Half of the time both operands hold few different numbers, so that some are equal.
  void Draw(Drawing& d) {
    Want want{.most_rank = 5};
    Fill fill{.kind = Fill::Kind::kIntegers, .range = {-2, 2}, .loose = true};
    if (d.choices().Maybe()) {
      want.within = fill.range;
      want.kind = fill.kind;
      want.fresh = true;
      fill.loose = false;
    }
    DrawBroadcast(d, x, y, want, fill);
    d.Output(output, {0, 1});
  }

  void CheckModel(Checker&) const {}
  void CheckExecution(Checker& check) const { CheckBroadcast(check, kBroadcast, x, y); }
  std::vector<Result> Infer() const { return {{BroadcastShape(x, y), {}}}; }

  Allowance Allowed(size_t) const { return {.exact = true}; }
  // Integers are compared as they are stored, whatever scale they carry.
  std::optional<Quantization> ReadAs(size_t) const {
    if (x.type() != TENSOR_INT32) return std::nullopt;
    return Quantization{};
  }
  // A product of a code and a scale is rounded to float32. Where the parameters differ, the rounding may decide.
  bool ComparesProducts() const { return IsQuantized(x.type()) && !(x.quantization() == y.quantization()); }

  template <class N>
  void Eval(Frame<N>& f) const {
    const bool products = ComparesProducts();
    ZipBroadcast(f(x), f(y), f(output), [products](const N& a, const N& b) {
      return FromTruth<N>(products ? Relation::Of(AsFloat32(a), AsFloat32(b)) : Relation::Of(a, b));
    });
  }

 private:
  template <class N>
  static N AsFloat32(const N& a) {
    if constexpr (Plain<N>) {
      return static_cast<float>(a);
    } else {
      return a.IsPoint() && double{static_cast<float>(a.value)} == a.value ? a : Inexact(a);
    }
  }
};

}  // namespace

extern const OperationInfo kEqual, kGreater, kGreaterEqual, kLess, kLessEqual, kNotEqual;
constinit const OperationInfo kEqual = Define<Comparison<EqualTo>, kEqual>(OperationCode::EQUAL, "EQUAL");
constinit const OperationInfo kGreater = Define<Comparison<GreaterThan>, kGreater>(OperationCode::GREATER, "GREATER");
constinit const OperationInfo kGreaterEqual =
    Define<Comparison<GreaterThanOrEqualTo>, kGreaterEqual>(OperationCode::GREATER_EQUAL, "GREATER_EQUAL");
constinit const OperationInfo kLess = Define<Comparison<LessThan>, kLess>(OperationCode::LESS, "LESS");
constinit const OperationInfo kLessEqual =
    Define<Comparison<LessThanOrEqualTo>, kLessEqual>(OperationCode::LESS_EQUAL, "LESS_EQUAL");
constinit const OperationInfo kNotEqual =
    Define<Comparison<NotEqualTo>, kNotEqual>(OperationCode::NOT_EQUAL, "NOT_EQUAL");

}  // namespace assay
