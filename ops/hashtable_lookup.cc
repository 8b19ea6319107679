// HASHTABLE_LOOKUP: rows of a table by their key.
//
//   hit   (keys[j] == lookups[i]):  output[i, ...] = values[j, ...],  hits[i] = 1
//   miss:                           output[i, ...] = zeros,           hits[i] = 0
//
// The keys are sorted; what others than strictly rising ones give is unspecified. Documented are zeros for a miss;
// Android's executor writes bytes 0, which in a quantized tensor is the real number 0 only if the zero point is 0, and
// all examples have that one. Golden and fast write the byte, and a driver may write either. Any byte but 0 of `hits`
// means a hit, so a driver may write any. Documented are values of rank 2 and more, executed also of rank 1. What is
// not missed is moved, and exact.
#include <algorithm>

#include "numeric/storage.h"
#include "ops/axis.h"
#include "ops/define.h"

namespace assay {
namespace {

struct HashtableLookup {
  static constexpr absl::string_view kProse =
      "Takes rows by their key: output[i] = values[j] where keys[j] = lookups[i], zeros where there is none; hits says "
      "which.";
  static constexpr Evaluation kEvaluation = Evaluation::kReal;
  using enum OperandType;
  static constexpr TypeRow kRows[] = {
      // since, {values}, {output, hits}
      {1, {TENSOR_FLOAT32}, {TENSOR_FLOAT32, TENSOR_QUANT8_ASYMM}},
      {1, {TENSOR_INT32}, {TENSOR_INT32, TENSOR_QUANT8_ASYMM}},
      {1, {TENSOR_QUANT8_ASYMM}, {TENSOR_QUANT8_ASYMM, TENSOR_QUANT8_ASYMM}},
  };
  static constexpr Rule kLookups{"lookups", Stage::kExecution, "lookups has rank 1"};
  static constexpr Rule kKeys{"keys", Stage::kExecution, "keys has rank 1"};
  static constexpr Rule kCount{"count", Stage::kExecution, "there are as many keys as rows of values"};
  static constexpr Rule kRules[] = {kLookups, kKeys, kCount};

  IntValues lookups, keys;
  In values;
  Out output, hits;

  template <class Walk>
  void Operands(Walk& w) {
    w.Values(lookups, "lookups", "[count]");
    w.Values(keys, "keys", "[rows], ascending");
    w.Tensor(values, "values", "[rows, ...]");
    w.Output(output, "output", "[count, ...]");
    w.Output(hits, "hits", "[count], with scale 1 and zero point 0");
  }

  void Draw(Drawing& d) {
    Choices& c = d.choices();
    d.Tensor(values, {.least_rank = 2});
    const uint32_t rows = values.dims()[0];
    Stream stream = Bulk(c.Seed());
    std::vector<int32_t> table(rows);
    int32_t key = -static_cast<int32_t>(rows) / 2;
    for (int32_t& k : table) k = key += static_cast<int32_t>(1 + stream.UpTo(2));
    const size_t most = std::max<size_t>(1, d.most_elements() / std::max<size_t>(1, Count(values.dims()) / rows));
    std::vector<int32_t> wanted(static_cast<size_t>(c.Between(1, static_cast<int64_t>(std::min<size_t>(most, 8)))));
    // A quarter is missed, or nearly so.
    for (int32_t& w : wanted)
      w = table[static_cast<size_t>(stream.UpTo(rows - 1))] +
          (stream.UpTo(3) == 0 ? 1 - 2 * static_cast<int32_t>(stream.UpTo(1)) : 0);
    d.Values(lookups, std::move(wanted));
    d.Values(keys, std::move(table));
    const Range range = d.RangeOf(values);
    const double missed = Missed();
    d.OutputAs(output, values.quantization(),
               {std::min({range.least, missed, 0.0}), std::max({range.most, missed, 0.0}), range.sure});
    d.OutputAs(hits, {1, 0, nullptr}, {0, 255, true});
  }

  void CheckModel(Checker&) const {}
  void CheckExecution(Checker& check) const {
    for (const auto& [v, rule] : {std::pair(&lookups, kLookups), {&keys, kKeys}}) {
      check.That(v->present(), rule, "there is no value");
      if (v->present()) check.Rank(rule, v->tensor, rule.id, 1, 1);
    }
    if (check.clean())
      check.Same(kCount, "number of keys", static_cast<int64_t>(keys.values.size()), "of rows", values.dim(0));
  }
  std::vector<Result> Infer() const {
    const auto count = static_cast<int64_t>(lookups.values.size());
    Shape shape = Shape::Unranked();
    if (values.ranked()) {
      Extents out = values.extents();
      if (!out.empty()) out[0] = count;
      shape = ToShape(out);
    }
    return {{shape, values.quantization()}, {ToShape(Extents{count}), Quantization{1, 0, nullptr}}};
  }

  Allowance Allowed(size_t) const { return {.exact = true}; }

  // The real number that a byte 0 stands for.
  double Missed() const { return IsQuantized(values.type()) ? ValueOf(values.type(), values.quantization(), 0, 0) : 0; }

  template <class N>
  void Eval(Frame<N>& f) const {
    const std::vector<int32_t>& table = keys.values;
    const Lines lines = LinesAlong(values.dims(), 0);
    for (size_t i = 0; i < lookups.values.size(); ++i) {
      const auto at = std::lower_bound(table.begin(), table.end(), lookups.values[i]);
      const bool hit = at != table.end() && *at == lookups.values[i];
      N* const row = f(output).data + i * lines.inner;
      f(hits)[i] = Hit<N>(hit);
      if (hit) {
        std::copy_n(f(values).data + static_cast<size_t>(at - table.begin()) * lines.inner, lines.inner, row);
      } else {
        std::fill_n(row, lines.inner, Miss<N>());
      }
    }
    if constexpr (!Plain<N>) {
      if (std::adjacent_find(table.begin(), table.end(), std::greater_equal<>()) == table.end()) return;
      for (const View<N>& v : {f(output), f(hits)}) std::fill(v.begin(), v.end(), N::Unknown());
    }
  }

 private:
  template <class N>
  static N Hit(bool hit) {
    if constexpr (!Plain<N>)
      if (hit) return {1, 255, 1};
    return N(hit ? 1 : 0);
  }
  template <class N>
  N Miss() const {
    N byte(static_cast<std::conditional_t<Plain<N>, N, double>>(Missed()));
    if constexpr (!Plain<N>) byte = Hull(byte, N(0));
    return byte;
  }
};

}  // namespace

extern const OperationInfo kHashtableLookup;
constinit const OperationInfo kHashtableLookup =
    Define<HashtableLookup, kHashtableLookup>(OperationCode::HASHTABLE_LOOKUP, "HASHTABLE_LOOKUP");

}  // namespace assay
