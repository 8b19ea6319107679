// Makes a registry record of a family's struct. Included by family files only.
//
// A family's struct `Op` has
//   static constexpr absl::string_view kProse;            one or two sentences and the formula
//   static constexpr Evaluation kEvaluation;
//   static constexpr TypeRow kRows[];
//   static constexpr std::array<Rule, n> kRules or Rule kRules[];   its own rules (those of the walk come by
//   themselves) template <class Walk> void Operands(Walk&);           the operands, inputs and outputs, in order void
//   CheckModel(Checker&) const;                      rules with Stage::kModel; scalars may be unknown: not looked at
//   void CheckExecution(Checker&) const;                  rules with Stage::kExecution; scalars known, dims maybe not
//   std::vector<Result> Infer() const;                    all rules hold; dims may be unknown
//   template <class N> void Eval(Frame<N>&) const;        unless kControlFlow; everything known, outputs sized by Infer
//   void Draw(Drawing&);                                  draws tensors (scalars are drawn already; may be overwritten)
// and, where the default does not do,
//   FeatureLevel Level(FeatureLevel of_row) const;        what trailing operands and quantization raise the level to
//   static constexpr bool kAllowsEmpty = true;            inputs with a dimension 0 may be executed
//   bool Moves() const;                                   this call of a kReal operation only moves elements, so it is
//                                                         evaluated as kMovement: Eval is instantiated for codes too
//   std::optional<Quantization> ReadAs(size_t input) const, WriteAs(size_t output) const;   values are dequantized with
//                                                         (stored by) this instead of the tensor's own quantization
//   Activation Fused() const;                             the fused activation (Eval does not apply it)
//   Allowance Allowed(size_t output) const;               what a conforming driver may be off by (default: 1 step)
//   size_t ScratchElements() const;                       sum of all frame.Scratch() calls
//   bool Unspecified(size_t output) const;                LSTM's scratch buffer
//   template <class F> void Accept(Frame<Bounded<F>>&, size_t output, std::span<const double> answer,
//                                  std::span<Verdict>) const;       judges by relation (judging.md 6)
#pragma once
#include <array>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "ops/call_base.h"
#include "ops/checker.h"
#include "ops/decode.h"
#include "ops/evaluate.h"
#include "ops/operation.h"
#include "ops/walks.h"

namespace assay {

template <class Op>
class CallOf final : public CallBase {
 public:
  using CallBase::CallBase;
  Op op;

  FeatureLevel level() const override {
    if constexpr (requires { op.Level(row().since); }) return op.Level(row().since);
    return row().since;
  }
  void WriteOperands(Encode& walk) const override {
    Op copy = op;  // the walk numbers the fields that it visits
    copy.Operands(walk);
    for (auto* operands : {&walk.inputs, &walk.outputs})
      for (EncodedOperand& o : *operands) o.tensor = nullptr, o.values = nullptr;
  }
  void Check(Stage stage, Violations& violations) const override {
    const std::string name = absl::AsciiStrToLower(info().name);
    Checker check(name, violations);
    if (stage == Stage::kModel) op.CheckModel(check);
    if (stage != Stage::kExecution) return;
    if constexpr (!requires { Op::kAllowsEmpty; }) CheckEmpty(violations);
    op.CheckExecution(check);
  }
  std::vector<Result> Infer() const override { return op.Infer(); }
  Activation activation() const override {
    if constexpr (requires { op.Fused(); }) return op.Fused();
    return Activation::NONE;
  }
  Allowance allowance(size_t output) const override {
    if constexpr (requires { op.Allowed(output); }) return op.Allowed(output);
    return {};
  }
  size_t ScratchBytes(Mode mode, const std::vector<bool>& converted) const override {
    return TensorScratch(mode, converted, Elements());
  }
  size_t BoundedScratchBytes() const override { return BoundedTensorScratch(Elements()); }

  void Run(Mode mode, std::span<const TensorRef> in, std::span<const TensorRef> out,
           std::span<uint8_t> scratch) const override {
    if constexpr (Op::kEvaluation == Evaluation::kMovement) {
      RunMovement(&op, &Eval<uint8_t>, &Eval<uint16_t>, &Eval<uint32_t>, in, out, scratch);
    } else if constexpr (Op::kEvaluation == Evaluation::kReal) {
      if constexpr (kMayMove) {
        if (moves_) return RunMovement(&op, &Eval<uint8_t>, &Eval<uint16_t>, &Eval<uint32_t>, in, out, scratch);
      }
      const std::vector<TensorRef> from = Requantized(in, false), to = Requantized(out, true);
      if (domain(mode) == Domain::kFloat) return RunReal<float>(&op, &Eval<float>, activation(), from, to, scratch);
      RunReal<double>(&op, &Eval<double>, activation(), from, to, scratch);
    } else {
      ASSAY_CHECK(false, "control flow is executed by reference/");
    }
  }
  void RunBounded(const Assumptions& assumptions, std::span<const IntervalRef> in, std::span<const IntervalRef> out,
                  std::span<uint8_t> scratch) const override {
    if constexpr (Op::kEvaluation == Evaluation::kMovement) {
      RunBoundedMovement(&op, &Eval<Interval>, assumptions, rereading(), in, out, scratch);
    } else if constexpr (Op::kEvaluation == Evaluation::kReal) {
      if (moves_) return RunBoundedMovement(&op, &Eval<Interval>, assumptions, rereading(), in, out, scratch);
      std::vector<Allowance> allowances;
      const auto unspecified = std::make_unique<bool[]>(out.size());
      for (size_t i = 0; i < out.size(); ++i) {
        allowances.push_back(allowance(i));
        if constexpr (requires { op.Unspecified(i); }) unspecified[i] = op.Unspecified(i);
      }
      const BoundedSettings settings{
          assumptions, rereading(), activation(), allowances, {unspecified.get(), out.size()}};
      if (ComputesInFloat16(assumptions, in, out)) {
        RunBoundedReal<Fp16>(&op, &Eval<Bounded<Fp16>>, settings, in, out, scratch);
      } else {
        RunBoundedReal<Fp32>(&op, &Eval<Bounded<Fp32>>, settings, in, out, scratch);
      }
    } else {
      ASSAY_CHECK(false, "control flow is executed by reference/");
    }
  }

  static constexpr bool kMayMove = requires(const Op& o) { o.Moves(); };
  static constexpr bool kHasAccept =
      requires(const Op& o, Frame<Bounded<Fp32>>& f, std::span<const double> a, std::span<Verdict> v) {
    o.Accept(f, size_t{0}, a, v);
  };
  bool HasAccept() const override { return kHasAccept; }
  void Accept(const Assumptions& assumptions, std::span<const IntervalRef> in, size_t output,
              std::span<const double> answer, std::span<Verdict> verdicts, std::span<uint8_t> scratch) const override {
    if constexpr (kHasAccept) {
      if (ComputesInFloat16(assumptions, in, {})) {
        RunAccept<Fp16>(&op, &AcceptIn<Fp16>, assumptions, rereading(), in, output, answer, verdicts, scratch);
      } else {
        RunAccept<Fp32>(&op, &AcceptIn<Fp32>, assumptions, rereading(), in, output, answer, verdicts, scratch);
      }
    } else {
      CallBase::Accept(assumptions, in, output, answer, verdicts, scratch);
    }
  }

  // After decoding: what depends on all of the operands.
  void Complete() {
    if constexpr (kMayMove) moves_ = op.Moves();
    if constexpr (requires { op.ReadAs(size_t{0}); })
      for (size_t i = 0; i < inputs().size(); ++i) read_as_.push_back(op.ReadAs(i));
    if constexpr (requires { op.WriteAs(size_t{0}); })
      for (size_t i = 0; i < outputs().size(); ++i) write_as_.push_back(op.WriteAs(i));
  }

 private:
  size_t Elements() const {
    if constexpr (requires { op.ScratchElements(); }) return op.ScratchElements();
    return 0;
  }
  template <class N>
  static void Eval(const void* op, Frame<N>& frame) {
    static_cast<const Op*>(op)->Eval(frame);
  }
  template <class F>
  static void AcceptIn(const void* op, Frame<Bounded<F>>& frame, size_t output, std::span<const double> answer,
                       std::span<Verdict> verdicts) {
    static_cast<const Op*>(op)->Accept(frame, output, answer, verdicts);
  }
};

template <class Op>
class DrawnCallOf final : public DrawnCall {
 public:
  explicit DrawnCallOf(Drawing& drawing) {
    Choices::Scope scope(drawing.choices(), "call");
    DrawScalars scalars(drawing.choices(), drawing.row());
    op_.Operands(scalars);
    arguments_ = std::move(scalars.arguments());
    op_.Draw(drawing);
    op_.Operands(encode_);
  }

 private:
  Op op_;
  std::deque<Argument> arguments_;
};

template <class Op, const OperationInfo& kInfo>
std::unique_ptr<Call> DecodeCall(std::span<const Argument> inputs, std::span<const Argument> outputs,
                                 Violations& violations) {
  auto call = std::make_unique<CallOf<Op>>(kInfo, inputs, outputs);
  const std::string name = absl::AsciiStrToLower(kInfo.name);
  Checker check(name, violations);
  Decode walk(call->inputs(), call->outputs(), kInfo.rows, check);
  call->op.Operands(walk);
  if (!call->Adopt(walk)) return nullptr;
  call->Complete();
  return call;
}

template <class Op>
std::unique_ptr<DrawnCall> DrawCall(Drawing& drawing) {
  return std::make_unique<DrawnCallOf<Op>>(drawing);
}

template <class Op>
std::string SignatureOf() {
  const auto text = [](bool both) {
    Op op;
    Document walk(both);
    op.Operands(walk);
    return walk.text;
  };
  const std::string one = text(false), other = text(true);
  return one == other ? one : absl::StrCat(other, "or\n", one);
}

std::vector<Violation> CompleteRules(const OperationInfo& info, std::span<const ListRules::Id> one,
                                     std::span<const ListRules::Id> other, bool allows_empty);

template <class Op, const OperationInfo& kInfo>
std::vector<Violation> RulesOf() {
  Op a, b;
  ListRules one(false), other(true);
  a.Operands(one);
  b.Operands(other);
  return CompleteRules(
      kInfo, one.ids, other.ids, requires { Op::kAllowsEmpty; });
}

// The record of `Op`: `constinit const OperationInfo kAdd = Define<Add, kAdd>(OperationCode::ADD, "ADD");`
template <class Op, const OperationInfo& kInfo>
constexpr OperationInfo Define(OperationCode code, absl::string_view name) {
  OperationInfo info{code,
                     name,
                     Op::kProse,
                     Op::kEvaluation,
                     Op::kRows,
                     Op::kRules,
                     &DecodeCall<Op, kInfo>,
                     nullptr,
                     &SignatureOf<Op>,
                     &RulesOf<Op, kInfo>};
  if constexpr (requires(Op & op, Drawing & d) { op.Draw(d); }) info.draw = &DrawCall<Op>;
  return info;
}

}  // namespace assay
