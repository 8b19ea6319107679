// How far a conforming device's functions may be from the exact result, as data, each with its reason. In units of one
// ulp of the device's format (F::kUlp). Refuses to know how the bounds are used (functions.cc) and the CTS criterion.
#pragma once
#include "absl/strings/string_view.h"

namespace assay {

// |error| <= kUlp * (relative * |result| + absolute + by_argument * |argument|) + kTiny; where `scaled`, the last term
// is a further share of the result: by_argument * |argument| * |result|.
struct FunctionError {
  absl::string_view function;
  double relative;
  double absolute;
  double by_argument;
  bool scaled;
  absl::string_view reason;
};

inline constexpr FunctionError kAddError{"a + b, a - b, a * b, x * x", 1, 0, 0, false, "any faithful rounding"};
inline constexpr FunctionError kDivideError{"a / b, 1 / x", 3, 0, 0, false, "computed as a * (1 / b)"};
inline constexpr FunctionError kSqrtError{"sqrt", 4, 0, 0, false, "computed as x * rsqrt(x)"};
inline constexpr FunctionError kRsqrtError{"rsqrt", 4, 0, 0, false, "an estimate and a Newton step, or 1 / sqrt(x)"};
inline constexpr FunctionError kExpError{"exp", 4, 0, 1.25, true, "x * log2(e) is rounded, and so was log2(e)"};
inline constexpr FunctionError kLogError{"log", 4, 4, 0, false, "exponent + log2(mantissa) cancels near 1"};
inline constexpr FunctionError kSinError{"sin", 0, 4, 4, false, "the argument is reduced by a rounded multiple of pi"};
inline constexpr FunctionError kTanhError{"tanh", 4, 4, 0, false, "1 - 2 / (exp(2 x) + 1) cancels near 0"};
inline constexpr FunctionError kLogisticError{"logistic", 4, 4, 0, false, "(1 + tanh(x / 2)) / 2 cancels in the tail"};
// The argument is y * log(x).
inline constexpr FunctionError kPowError{"pow", 16, 0, 16, true, "exp(y * log(x)): log and product are rounded"};
inline constexpr FunctionError kHardSwishError{
    "hard_swish", 6, 0, 0, false, "x + 3, a product, and a factor 1 / 6 that is itself rounded"};
// The absolute error is in units of the greatest alpha * exp(x) that is computed.
inline constexpr FunctionError kEluError{"elu", 4, 5, 0, false, "alpha * (exp(x) - 1) cancels near 0"};

// All of them, for the manual and the tests.
inline constexpr FunctionError kFunctionErrors[] = {kAddError,      kDivideError, kSqrtError,      kRsqrtError,
                                                    kExpError,      kLogError,    kSinError,       kTanhError,
                                                    kLogisticError, kPowError,    kHardSwishError, kEluError};

}  // namespace assay
