// LOGICAL_AND, LOGICAL_OR and LOGICAL_NOT, the first two with broadcasting.
//
//   output = x and y,   output = x or y,   output = not input
//
// Every byte above 0 is true; what is written is 0 or 1. Where the judge does not know an operand, the other may still
// decide: false and anything is false.
#include "ops/broadcast.h"
#include "ops/define.h"

namespace assay {
namespace {

using enum OperandType;

struct Conjunction {
  static constexpr absl::string_view kProse = "Whether both are true: output = x and y, broadcasting.";
  static Truth Of(Truth x, Truth y) { return And(x, y); }
};
struct Disjunction {
  static constexpr absl::string_view kProse = "Whether one or both are true: output = x or y, broadcasting.";
  static Truth Of(Truth x, Truth y) { return Or(x, y); }
};

template <class Connective>
struct LogicalPair {
  static constexpr absl::string_view kProse = Connective::kProse;
  static constexpr Evaluation kEvaluation = Evaluation::kReal;
  static constexpr TypeRow kRows[] = {{3, {TENSOR_BOOL8}, {TENSOR_BOOL8}}};  // since, {x, y}, {output}
  static constexpr Rule kBroadcast{"broadcast", Stage::kExecution, "dimensions from the last are equal or 1"};
  static constexpr Rule kRules[] = {kBroadcast};

  In x, y;
  Out output;

  template <class Walk>
  void Operands(Walk& w) {
    w.Tensor(x, "x", "of any rank");
    w.Tensor(y, "y", "of any rank, its dimensions equal to x's or 1");
    w.Output(output, "output", "of the broadcast shape");
  }

  void Draw(Drawing& d) {
    DrawBroadcast(d, x, y, {.most_rank = 5}, {.kind = Fill::Kind::kIntegers, .range = {0, 1}, .loose = true});
    d.Output(output, {0, 1});
  }

  void CheckModel(Checker&) const {}
  void CheckExecution(Checker& check) const { CheckBroadcast(check, kBroadcast, x, y); }
  std::vector<Result> Infer() const { return {{BroadcastShape(x, y), {}}}; }
  Allowance Allowed(size_t) const { return {.exact = true}; }

  template <class N>
  void Eval(Frame<N>& f) const {
    ZipBroadcast(f(x), f(y), f(output),
                 [](const N& a, const N& b) { return FromTruth<N>(Connective::Of(IsTrue(a), IsTrue(b))); });
  }
};

struct LogicalNot {
  static constexpr absl::string_view kProse = "Whether an element is false: output = not input.";
  static constexpr Evaluation kEvaluation = Evaluation::kReal;
  static constexpr TypeRow kRows[] = {{3, {TENSOR_BOOL8}, {TENSOR_BOOL8}}};  // since, {input}, {output}
  static constexpr std::array<Rule, 0> kRules{};

  In input;
  Out output;

  template <class Walk>
  void Operands(Walk& w) {
    w.Tensor(input, "input", "of any rank");
    w.Output(output, "output", "of the input's shape");
  }

  void Draw(Drawing& d) {
    d.Tensor(input, {.most_rank = 5});
    d.Output(output, {0, 1});
  }

  void CheckModel(Checker&) const {}
  void CheckExecution(Checker&) const {}
  std::vector<Result> Infer() const { return {{input.shape(), {}}}; }
  Allowance Allowed(size_t) const { return {.exact = true}; }

  template <class N>
  void Eval(Frame<N>& f) const {
    const View<const N>& in = f(input);
    const View<N>& out = f(output);
    for (size_t i = 0; i < out.size; ++i) out[i] = FromTruth<N>(Not(IsTrue(in[i])));
  }
};

}  // namespace

extern const OperationInfo kLogicalAnd, kLogicalNot, kLogicalOr;
constinit const OperationInfo kLogicalAnd =
    Define<LogicalPair<Conjunction>, kLogicalAnd>(OperationCode::LOGICAL_AND, "LOGICAL_AND");
constinit const OperationInfo kLogicalNot = Define<LogicalNot, kLogicalNot>(OperationCode::LOGICAL_NOT, "LOGICAL_NOT");
constinit const OperationInfo kLogicalOr =
    Define<LogicalPair<Disjunction>, kLogicalOr>(OperationCode::LOGICAL_OR, "LOGICAL_OR");

}  // namespace assay
