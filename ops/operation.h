// What the rest of the project sees of an operation: a record, and decoded calls that can be checked, inferred and run.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "model/model.h"
#include "numeric/bounded.h"
#include "numeric/settle.h"
#include "ops/argument.h"
#include "ops/draw_walks.h"
#include "ops/drawing.h"
#include "ops/rule.h"
#include "ops/type_row.h"

namespace assay {

// How an operation is evaluated.
enum class Evaluation : uint8_t {
  kReal,         // on real numbers, in every numeric domain
  kMovement,     // elements are moved, never looked at: exact for any type
  kControlFlow,  // by the executor: IF, WHILE
};

// golden: double, one rounding per operation. fast: float (double where INT32 is computed).
enum class Mode : uint8_t { kGolden, kFast };
absl::string_view NameOf(Mode mode);

// An element of a stored tensor in a bounded run: err is 0.
using Interval = Bounded<Fp32>;

// What is inferred of one output.
struct Result {
  Shape shape;
  // If given, the output must have this quantization: a temporary takes it, a model output that declares another
  // breaks the rule "<operation>.output_quantization".
  std::optional<Quantization> quantization;
  // The values mean nothing (LSTM's scratch buffer): unknown to the judge, never read by a drawn operation.
  bool unspecified = false;
};

// A tensor that the caller owns: an input (read only) or an output.
struct TensorRef {
  OperandType type = OperandType::TENSOR_FLOAT32;
  const Quantization* quantization = nullptr;
  const Dims* dims = nullptr;
  uint8_t* bytes = nullptr;         // storage; never written for inputs
  const void* converted = nullptr;  // of an input: its elements in the call's domain, or null
  // Of an output, or null: where its elements go in the call's domain, as they are before the fused activation and the
  // rounding to the type, instead of to `bytes`. Not where elements are moved.
  void* unrounded = nullptr;
};
struct IntervalRef {
  OperandType type = OperandType::TENSOR_FLOAT32;
  // In whose terms the elements are given: the tensor's own. Where the call reads or writes by another one (read_as,
  // write_as), the run converts.
  const Quantization* quantization = nullptr;
  const Dims* dims = nullptr;
  Interval* elements = nullptr;  // never written for inputs
};

// The numeric domain in which a call runs in a mode; what `converted` must hold.
enum class Domain : uint8_t { kCodes, kFloat, kDouble };

// What the judge assumes of the driver.
struct Assumptions {
  bool relaxed = false;                  // float32 may be computed as float16
  bool float16_sums_in_float32 = false;  // declared by the device
  bool strict = false;                   // rounding alone, no CTS absolute term
};

struct OperationInfo;

// A call whose operands have been read into a family's struct. Immutable; used by many threads at once.
class Call {
 public:
  virtual ~Call() = default;
  virtual const OperationInfo& info() const = 0;
  virtual const TypeRow& row() const = 0;
  // Lowest feature level at which this call is legal (not counting what its operand types need by themselves).
  virtual FeatureLevel level() const = 0;
  // Are all scalars and shape-deciding values known? Otherwise only model rules can be checked, and Infer must not run.
  virtual bool values_known() const = 0;
  // Inputs whose values Infer needs (scalars, IntValues), by position.
  virtual const std::vector<bool>& needs_value() const = 0;
  // Writes the operands back, in order: the inverse of decode. The entries' pointers are null.
  virtual void WriteOperands(Encode& walk) const = 0;
  // Adds the broken rules of a stage (operand counts and types were checked by decode).
  virtual void Check(Stage stage, Violations& violations) const = 0;
  // What is known of the outputs. All of the rules hold, values_known().
  virtual std::vector<Result> Infer() const = 0;
  virtual Activation activation() const = 0;
  virtual Allowance allowance(size_t output) const = 0;

  // How the values of an input are to be read (of an output: written), where that is not the tensor's own quantization:
  // the bias of a per-channel filter, CAST's codes. Null otherwise.
  virtual const Quantization* read_as(size_t input) const = 0;
  virtual const Quantization* write_as(size_t output) const = 0;
  virtual Domain domain(Mode mode) const = 0;
  // Bytes of scratch memory, 64-byte aligned, that Run needs, given that inputs marked in `converted` come converted.
  virtual size_t ScratchBytes(Mode mode, const std::vector<bool>& converted) const = 0;
  virtual size_t BoundedScratchBytes() const = 0;
  // Evaluates: all shapes known and equal to those the call was decoded with, rules checked, outputs sized. Inputs in
  // needs_value() and omitted ones come with null bytes. `inputs` are as many as the call's.
  virtual void Run(Mode mode, std::span<const TensorRef> inputs, std::span<const TensorRef> outputs,
                   std::span<uint8_t> scratch) const = 0;
  // The same with intervals; outputs are settled (numeric/settle.h).
  virtual void RunBounded(const Assumptions& assumptions, std::span<const IntervalRef> inputs,
                          std::span<const IntervalRef> outputs, std::span<uint8_t> scratch) const = 0;
  // Does a discontinuous operation judge answers by a relation (judging.md 6) rather than by an interval?
  virtual bool HasAccept() const = 0;
  // One verdict per element of the driver's `answer` (real values of output `output`) to these inputs.
  virtual void Accept(const Assumptions& assumptions, std::span<const IntervalRef> inputs, size_t output,
                      std::span<const double> answer, std::span<Verdict> verdicts,
                      std::span<uint8_t> scratch) const = 0;
};

// A drawn call: operands in order, tensors referring to fields of a struct that this object keeps alive.
class DrawnCall {
 public:
  virtual ~DrawnCall() = default;
  const std::vector<EncodedOperand>& inputs() const { return encode_.inputs; }
  const std::vector<EncodedOperand>& outputs() const { return encode_.outputs; }

 protected:
  Encode encode_;
};

// One row of the registry.
struct OperationInfo {
  OperationCode code;
  absl::string_view name, prose;  // prose: one or two sentences and the formula
  Evaluation evaluation;
  std::span<const TypeRow> rows;
  std::span<const Rule> rules;  // the family's own; RuleIds has those of the walk as well
  // Null if the operands cannot be assigned or no type row fits; `violations` says why. Broken omission and range
  // rules (Stage::kExecution) are added too, but do not make it null.
  std::unique_ptr<Call> (*decode)(std::span<const Argument> inputs, std::span<const Argument> outputs,
                                  Violations& violations);
  // Draws a call for `drawing.row()`; null if this operation is not drawn by itself.
  std::unique_ptr<DrawnCall> (*draw)(Drawing& drawing);
  std::string (*signature)();
  // All rules, ids complete: "conv_2d.depth_in".
  std::vector<Violation> (*all_rules)();
};

}  // namespace assay
