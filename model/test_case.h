// A model with examples: what a spec file holds, and what a finding is written as.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "model/model.h"

namespace assay {

// The value of one input or output of an example.
struct ExampleValue {
  bool omitted = false;  // an optional input for which the caller passes no buffer
  Dims dims;             // the dimensions of the value: the operand's, or what completes them
  Bytes bytes;           // row-major elements in the processor's byte order
  friend bool operator==(const ExampleValue&, const ExampleValue&) = default;
};

struct Example {
  std::string name;
  std::vector<ExampleValue> inputs, outputs;   // in the order of the main subgraph's inputs and outputs
  bool expect_failure = false;                 // validation, preparation or execution must end in an error
  std::optional<float> multinomial_tolerance;  // compare class frequencies of RANDOM_MULTINOMIAL instead of values
  friend bool operator==(const Example&, const Example&) = default;
};

struct TestCase {
  Model model;
  std::vector<Example> examples;
  std::optional<FeatureLevel> introduced_in;  // as the spec says; nothing if it says nothing
  friend bool operator==(const TestCase&, const TestCase&) = default;
};

}  // namespace assay
