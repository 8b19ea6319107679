#include "spec_dumps/float_text.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/strip.h"

namespace assay {
namespace {

constexpr absl::string_view kInfinity = "float(\"inf\")";
constexpr absl::string_view kMinusInfinity = "float(\"-inf\")";
constexpr absl::string_view kNaN = "float(\"nan\")";

size_t DigitCount(absl::string_view text) {
  size_t n = 0;
  while (n < text.size() && text[n] >= '0' && text[n] <= '9') ++n;
  return n;
}

// For a decimal that std::from_chars found out of range: true if it is too small rather than too big. `text` is a FLOAT
// without its sign.
bool IsBelowOne(absl::string_view text) {
  // The place of the first digit that is not 0, counted from the decimal point, plus the exponent.
  const size_t e = text.find('e');
  const absl::string_view digits = text.substr(0, e);
  const size_t point = std::min(digits.find('.'), digits.size());
  const size_t first = digits.find_first_not_of("0.");
  if (first == absl::string_view::npos) return true;
  int64_t exponent = 0;
  if (e != absl::string_view::npos) {
    const bool negative = text[e + 1] == '-';
    for (char c : text.substr(e + 2)) {
      if (exponent < (int64_t{1} << 50)) exponent = exponent * 10 + (c - '0');
    }
    if (negative) exponent = -exponent;
  }
  const auto place = static_cast<int64_t>(point) - static_cast<int64_t>(first);
  return exponent + place <= 0;
}

}  // namespace

void AppendFloat(std::string& out, float value) {
  if (std::isnan(value)) {
    out.append(kNaN.data(), kNaN.size());
    return;
  }
  if (std::isinf(value)) {
    const absl::string_view text = value > 0 ? kInfinity : kMinusInfinity;
    out.append(text.data(), text.size());
    return;
  }
  char buffer[32];
  const auto written = std::to_chars(buffer, buffer + sizeof(buffer), value, std::chars_format::scientific);
  // [-]d[.ddd]e[+-]dd[d]
  absl::string_view text(buffer, static_cast<size_t>(written.ptr - buffer));
  if (absl::ConsumePrefix(&text, "-")) out += '-';
  const size_t e = text.find('e');
  int exponent = 0;
  for (char c : text.substr(e + 2)) exponent = exponent * 10 + (c - '0');
  if (text[e + 1] == '-') exponent = -exponent;
  const int digit_count = e == 1 ? 1 : static_cast<int>(e) - 1;
  if (exponent < -4 || exponent >= digit_count) {
    out.append(text.data(), text.size());
    return;
  }
  const absl::string_view rest = text.substr(1, e - 1);  // ".ddd" or nothing
  if (exponent < 0) {
    out += "0.";
    out.append(static_cast<size_t>(-exponent - 1), '0');
    out += text[0];
    if (!rest.empty()) out.append(rest.data() + 1, rest.size() - 1);
    return;
  }
  out += text[0];
  const auto before_point = static_cast<size_t>(exponent);
  if (before_point > 0) out.append(rest.data() + 1, before_point);
  out += '.';
  if (rest.size() > before_point + 1) {
    out.append(rest.data() + 1 + before_point, rest.size() - 1 - before_point);
  } else {
    out += '0';
  }
}

bool HasFloatText(float value) { return !std::isnan(value) || std::bit_cast<uint32_t>(value) == uint32_t{0x7fc00000}; }

size_t FloatLength(absl::string_view text) {
  for (absl::string_view word : {kInfinity, kMinusInfinity, kNaN}) {
    if (absl::StartsWith(text, word)) return word.size();
  }
  size_t n = !text.empty() && text[0] == '-' ? 1 : 0;
  const size_t whole = DigitCount(text.substr(n));
  if (whole == 0) return 0;
  n += whole;
  bool is_float = false;
  if (n < text.size() && text[n] == '.') {
    const size_t fraction = DigitCount(text.substr(n + 1));
    if (fraction == 0) return 0;
    n += 1 + fraction;
    is_float = true;
  }
  if (n + 1 < text.size() && text[n] == 'e' && (text[n + 1] == '+' || text[n + 1] == '-')) {
    const size_t digits = DigitCount(text.substr(n + 2));
    if (digits == 0) return 0;
    n += 2 + digits;
    is_float = true;
  }
  return is_float ? n : 0;
}

bool ParseFloat(absl::string_view text, float& value) {
  if (text[0] == 'f') {
    value = std::numeric_limits<float>::infinity();
    if (text == kMinusInfinity) value = -value;
    if (text == kNaN) value = std::bit_cast<float>(uint32_t{0x7fc00000});
    return true;
  }
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec == std::errc::result_out_of_range) {
    const bool negative = absl::ConsumePrefix(&text, "-");
    if (!IsBelowOne(text)) return false;
    value = negative ? -0.0f : 0.0f;
    return true;
  }
  return std::isfinite(value);
}

}  // namespace assay
