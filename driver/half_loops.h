// Operations in float16, one rounding at every step, as plain loops from the specification: for a device that really
// computes so. Refuses to know the kernels of ops/ and every bound.
#pragma once
#include <span>
#include <vector>

#include "model/operation_code.h"
#include "numeric/functions.h"
#include "ops/operation.h"

namespace assay {

// Arithmetic whose every result is a float16.
class HalfArithmetic {
 public:
  enum class Direction { kNearest, kTowardZero, kAwayFromZero };
  explicit HalfArithmetic(Direction direction) : direction_(direction) {}

  // A faithful rounding of an exact number: to nearest, or always toward zero, or away from it.
  double Round(double exact) const;

  double Add(double a, double b) const { return Round(a + b); }
  double Subtract(double a, double b) const { return Round(a - b); }
  double Multiply(double a, double b) const { return Round(a * b); }
  double Divide(double a, double b) const { return Round(a / b); }
  double Exp(double x) const { return Round(std::exp(x)); }
  // 1 / (1 + e^-x), and 1 - 2 / (e^2x + 1), step by step.
  double Logistic(double x) const { return Divide(1, Add(1, Exp(-x))); }
  double Tanh(double x) const { return Subtract(1, Divide(2, Add(Exp(2 * x), 1))); }

  // The elements of a stored tensor, or a scalar; those of float32 are rounded.
  std::vector<double> Read(const TensorRef& tensor) const;

 private:
  Direction direction_;
};

// Writes the outputs of an operation that sums, or of LOGISTIC and TANH, given its inputs. False for others.
bool EvaluateInHalf(OperationCode code, const HalfArithmetic& half, std::span<const TensorRef> in,
                    std::span<const TensorRef> out);
// The part for LSTM.
void LstmInHalf(const HalfArithmetic& half, std::span<const TensorRef> in, std::span<const TensorRef> out);

// Stores numbers after an activation 0 to 3, exactly.
void StoreHalves(const TensorRef& tensor, const std::vector<double>& values, int32_t activation);
// The INT32 scalar at an input.
int32_t IntAt(std::span<const TensorRef> in, size_t index);

}  // namespace assay
