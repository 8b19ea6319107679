// Does a request fit a model: number, dimensions and lengths of its arguments? Refuses to know the bytes of an
// argument and how memory is mapped.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "model/model.h"
#include "ops/rule.h"

namespace assay {

// Where the bytes of an argument are.
enum class Source : uint8_t {
  POINTER,   // at an address of the caller
  POOL,      // in one of the request's pools
  NO_VALUE,  // nowhere: the argument is omitted
};
absl::string_view NameOf(Source source);

// One input or output, in the order of the main subgraph's list.
struct RequestArgument {
  Source source = Source::POINTER;
  Dims dims = {};        // of this request; empty: as in the model
  uint64_t length = 0;   // bytes of the value
  uint64_t padding = 0;  // bytes of room behind it
  uint32_t pool = 0;     // of POOL: index into RequestShape::pools
  uint64_t offset = 0;   // of POOL: bytes
  bool null = false;     // of POINTER: the address is null
};

struct RequestPool {
  uint64_t size = 0;       // bytes; 0 if `is_buffer`
  bool is_buffer = false;  // a buffer of a memory domain: the driver knows its size
};

struct RequestShape {
  std::vector<RequestArgument> inputs, outputs;
  std::vector<RequestPool> pools;
  bool fenced = false;  // fenced execution: outputs must be fully specified
};

// Every broken rule of Stage::kRequest. The model is valid; `level` is that of the runtime and the device.
Violations ValidateRequest(const Model& model, const RequestShape& request, FeatureLevel level = kHighestFeatureLevel);

std::span<const Rule> RequestRules();

}  // namespace assay
