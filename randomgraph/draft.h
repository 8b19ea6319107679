// A subgraph that is being drawn, and what all drafts of one model share. Refuses to know how anything is chosen.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "choice/choices.h"
#include "model/model.h"
#include "ops/operation.h"
#include "randomgraph/options.h"
#include "randomgraph/plan.h"

namespace assay {

// Why a drawn call did not become an operation.
enum class Reason : uint8_t {
  kFault,  // it breaks a rule, or an operand was left unbound: a fault of its family
  kLevel,  // legal at later levels only
  kSize,   // a result is empty or has too many elements
  kRange,  // a result may pass the limits of its type
  kMatch,  // it was to give a tensor of a certain type and shape, and gives another
  kApart,  // it was to read a tensor that is there, and reads fresh ones only
};
absl::string_view NameOf(Reason reason);
struct Rejection {
  OperationCode code = OperationCode::ADD;
  Reason reason = Reason::kFault;
  std::string message;
};

// Operands and operations are only ever added, so a draft can be rolled back to what it was.
class Draft {
 public:
  // Fresh model inputs can be made in the main graph only.
  explicit Draft(bool is_main) : is_main_(is_main) {}

  bool is_main() const { return is_main_; }
  const Subgraph& graph() const { return graph_; }
  Subgraph& graph() { return graph_; }
  const Plan& plan(uint32_t operand) const { return plans_[operand]; }
  Plan& plan(uint32_t operand) { return plans_[operand]; }
  const Operand& operand(uint32_t operand) const { return graph_.operands[operand]; }
  // The value of a model input; null for other operands, and for inputs of a referenced subgraph.
  const SharedBytes& data(uint32_t operand) const { return data_[operand]; }

  // Each returns the operand's index; the lifetime of `operand` is set here.
  uint32_t AddConstant(Operand operand, Bytes value, bool reference, Plan plan);
  uint32_t AddInput(Operand operand, Bytes value, Plan plan);
  uint32_t AddTemporary(Operand operand, Plan plan);
  uint32_t AddOmitted(Operand operand);       // NO_VALUE
  uint32_t AddOmittedInput(Operand operand);  // a model input for which the request passes nothing
  uint32_t AddSubgraphOperand(uint32_t subgraph);
  uint32_t AddInt32Constant(int32_t value);  // a scalar

  struct Mark {
    size_t operands, operations, inputs;
  };
  Mark mark() const { return {graph_.operands.size(), graph_.operations.size(), graph_.inputs.size()}; }
  void RollBack(const Mark& mark);

  // True if an operation may read it as a source of data: a tensor of known shape, no constant, of good values.
  bool IsSource(uint32_t operand, bool half) const;
  // Does an operation read it?
  std::vector<bool> Read() const;

 private:
  uint32_t Add(Operand operand, Lifetime lifetime, Plan plan, SharedBytes data = nullptr);

  bool is_main_;
  Subgraph graph_;
  std::vector<Plan> plans_;
  std::vector<SharedBytes> data_;
};

// What the drafts of one model share.
struct Session {
  Session(Choices& choices_, const Options& options_) : choices(choices_), options(options_) {}
  // Draws whether the model is relaxed. Before level 2 a model cannot say so.
  void DrawRelaxed();
  Choices& choices;
  const Options& options;
  bool relaxed = false;
  // The finished subgraphs that the model refers to; index 0 is kept for the main one.
  std::vector<Subgraph> subgraphs = std::vector<Subgraph>(1);
  std::vector<Rejection> rejected;
  // Operands of the main graph that must keep their full shapes: the boundary of a WHILE.
  std::vector<uint32_t> fixed;

  bool IsHalf(OperandType type) const {
    return type == OperandType::TENSOR_FLOAT16 || (type == OperandType::TENSOR_FLOAT32 && relaxed);
  }
};

}  // namespace assay
