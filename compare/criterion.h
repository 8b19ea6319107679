// The CTS criterion: how far an answer may be from the expected values of an example (judging.md 1). Decides examples;
// drawn graphs are judged by intervals (judgement.h).
#pragma once
#include <cstdint>
#include <string>

#include "compare/account.h"
#include "model/test_case.h"

namespace assay {

// |expected - actual| <= absolute + relative * |expected|; for integers and quantized types on the stored codes.
struct Criterion {
  double absolute = 0, relative = 0;
  bool on_codes = false;  // compare stored codes rather than real values
};

// What decides the tolerance besides the operand's type.
struct CriterionContext {
  bool relaxed = false;        // the model is relaxed
  bool uses_float16 = false;   // any operand in it is TENSOR_FLOAT16
  bool whole_network = false;  // a whole quantized network (MobileNet): 3 codes instead of 1
};
CriterionContext ContextOf(const Model& model, const Example& example);
Criterion CriterionFor(OperandType type, const CriterionContext& context);

// Compares stored elements; `expected` and `actual` hold as many elements as `tensor.dims` say (a CHECK).
// NaN agrees with NaN only, an infinity with the same infinity only; -0 equals +0.
Account CompareElements(const StoredTensor& tensor, const Criterion& criterion, const uint8_t* expected,
                        const uint8_t* actual);

// RANDOM_MULTINOMIAL: the share of each class among `samples` (INT32, batch 1) against softmax of the real-valued
// log-probabilities, at most `tolerance` apart. One verdict per class; a sample outside of the classes is outside.
Account CompareDistribution(std::span<const double> log_probabilities, std::span<const int32_t> samples,
                            double tolerance);

}  // namespace assay
