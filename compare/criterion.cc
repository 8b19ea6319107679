#include "compare/criterion.h"

#include <cmath>
#include <limits>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "numeric/storage.h"

namespace assay {
namespace {

constexpr Criterion kSingle{1e-5, 5 * 0x1p-23, false};
constexpr Criterion kHalf{5 * 0x1p-10, 5 * 0x1p-10, false};

// How far an answer is past its tolerance, as a multiple of the tolerance; at most 0 if it is within.
double Excess(double expected, double actual, double tolerance) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (std::isnan(expected) || std::isnan(actual)) return std::isnan(expected) == std::isnan(actual) ? 0 : kInfinity;
  if (expected == actual) return 0;
  if (std::isinf(expected) || std::isinf(actual)) return kInfinity;
  const double distance = std::abs(expected - actual);
  if (distance <= tolerance) return 0;
  return tolerance > 0 ? distance / tolerance - 1 : kInfinity;
}

}  // namespace

CriterionContext ContextOf(const Model& model, const Example& example) {
  return {model.relaxed, Uses(model, OperandType::TENSOR_FLOAT16), absl::StrContains(example.name, "mobilenet")};
}

Criterion CriterionFor(OperandType type, const CriterionContext& context) {
  switch (InfoOf(type).storage) {
    case Storage::kFloat32:
      return context.relaxed || context.uses_float16 ? kHalf : kSingle;
    case Storage::kFloat16:
      return kHalf;
    case Storage::kBool8:
      return {0, 0, true};
    case Storage::kUint8:
    case Storage::kInt8:
      return {context.whole_network ? 3.0 : 1.0, 0, true};
    default:
      return {1, 0, true};
  }
}

Account CompareElements(const StoredTensor& tensor, const Criterion& criterion, const uint8_t* expected,
                        const uint8_t* actual) {
  Account account;
  const auto format = [&](const uint8_t* bytes, size_t i) {
    return FormatElement(tensor.type, *tensor.quantization, *tensor.dims, bytes, i);
  };
  const auto value = [&](const uint8_t* bytes, size_t i) {
    return criterion.on_codes ? static_cast<double>(CodeAt(tensor.type, bytes, i))
                              : ElementAt(tensor.type, *tensor.quantization, *tensor.dims, bytes, i);
  };
  for (size_t i = 0; i < Count(*tensor.dims); ++i) {
    const double e = value(expected, i), a = value(actual, i);
    const double tolerance = criterion.absolute + criterion.relative * std::abs(e);
    const double excess = Excess(e, a, tolerance);
    account.Add(excess > 0 ? Verdict::kOutside : Verdict::kInside);
    if (excess > 0)
      account.Keep({i, PositionOf(*tensor.dims, i), format(expected, i), format(actual, i),
                    absl::StrCat("within ", tolerance, criterion.on_codes ? " codes" : ""), excess});
  }
  return account;
}

Account CompareDistribution(std::span<const double> log_probabilities, std::span<const int32_t> samples,
                            double tolerance) {
  const size_t classes = log_probabilities.size();
  double most = -std::numeric_limits<double>::infinity(), total = 0;
  for (double p : log_probabilities) most = std::max(most, p);
  for (double p : log_probabilities) total += std::exp(p - most);
  std::vector<size_t> counts(classes, 0);
  Account account;
  for (size_t i = 0; i < samples.size(); ++i) {
    const auto c = static_cast<size_t>(samples[i]);
    if (samples[i] >= 0 && c < classes) {
      ++counts[c];
      continue;
    }
    account.Add(Verdict::kOutside);
    account.Keep({i, absl::StrCat("[", i, "]"), "a class", absl::StrCat(samples[i]), absl::StrCat("[0, ", classes, ")"),
                  std::numeric_limits<double>::infinity()});
  }
  for (size_t c = 0; c < classes && !samples.empty(); ++c) {
    const double expected = std::exp(log_probabilities[c] - most) / total;
    const double share = static_cast<double>(counts[c]) / static_cast<double>(samples.size());
    const double excess = Excess(expected, share, tolerance);
    account.Add(excess > 0 ? Verdict::kOutside : Verdict::kInside);
    if (excess > 0)
      account.Keep({c, absl::StrCat("class ", c), absl::StrCat(expected), absl::StrCat(share),
                    absl::StrCat("within ", tolerance), excess});
  }
  return account;
}

}  // namespace assay
