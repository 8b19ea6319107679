// The loop over operations, and the subgraphs of IF and WHILE.
//
// A branch is drawn freely; the other one must give tensors of the same types, dimensions and quantization, and so must
// the body of a loop for its state. Such a tensor is drawn by trying calls that give its type, on tensors of its
// dimensions; where that fails, the branch is the first one with other constants, and the state does not change.
#include "randomgraph/grow.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <set>

#include "choice/stream.h"
#include "ops/registry.h"

namespace assay {
namespace {

using enum OperandType;

constexpr size_t kMostInside = 3;  // operations of a branch or body
constexpr size_t kAttempts = 6;    // to draw a tensor of a certain shape
constexpr int32_t kMostTurns = 4;  // of a loop

// What `code` needs besides drawn operations.
bool IsRegistered(OperationCode code) { return FindOperationInfo(code) != nullptr; }

class Flow {
 public:
  Flow(Session& session, Draft& outer, const Palette& palette, int depth)
      : session_(session), choices_(session.choices), outer_(outer), palette_(palette), depth_(depth) {}

  bool If() {
    Operation operation{OperationCode::IF, {Condition()}, {}};
    const std::vector<uint32_t> boundary = Boundary(3);
    Draft first = Inside(boundary);
    Grow(session_, first, palette_, 1, kMostInside, depth_ - 1);
    const std::vector<uint32_t> results = Results(first);
    if (results.empty()) return false;
    SetOutputs(first, results);
    const std::optional<Draft> other = Other(first, boundary);
    const Draft& second = other ? *other : first;
    operation.inputs.push_back(outer_.AddSubgraphOperand(Finished(first.graph())));
    operation.inputs.push_back(outer_.AddSubgraphOperand(Finished(other ? second.graph() : Permuted(first))));
    operation.inputs.insert(operation.inputs.end(), boundary.begin(), boundary.end());
    for (size_t i = 0; i < results.size(); ++i) {
      const Plan &a = first.plan(first.graph().outputs[i]), &b = second.plan(second.graph().outputs[i]);
      const Range range{std::min(a.range.least, b.range.least), std::max(a.range.most, b.range.most),
                        a.range.sure && b.range.sure};
      operation.outputs.push_back(
          AddResult(first.operand(first.graph().outputs[i]), range, std::max(a.width, b.width)));
    }
    outer_.graph().operations.push_back(std::move(operation));
    return true;
  }

  bool While() {
    std::vector<uint32_t> boundary = {Counter()};
    for (uint32_t operand : Boundary(3)) boundary.push_back(operand);
    const int32_t turns = choices_.Pick({1, 2, 3, kMostTurns, 0});
    Draft body = Inside(boundary);
    // Values differ from turn to turn: of the state only what its type guarantees is sure, and what NextState demands.
    for (size_t i = 1; i < boundary.size(); ++i) {
      Plan& plan = body.plan(body.graph().inputs[i]);
      const OperandType type = body.operand(body.graph().inputs[i]).type;
      if (type == TENSOR_BOOL8) plan.range = {0, 1, true};
      if (type != TENSOR_BOOL8 && type != TENSOR_INT32) plan.range.sure = false;
    }
    std::vector<uint32_t> results = {Step(body, body.graph().inputs[0])};
    Grow(session_, body, palette_, 0, kMostInside - 1, depth_ - 1);
    std::vector<size_t> order = {0};
    std::vector<size_t> constant;  // what the loop does not change
    for (size_t i = 1; i < boundary.size(); ++i) {
      const std::optional<uint32_t> result = NextState(body, body.graph().inputs[i]);
      (result ? order : constant).push_back(i);
      if (result) results.push_back(*result);
    }
    if (results.size() == 1) return false;
    const size_t states = order.size();
    order.insert(order.end(), constant.begin(), constant.end());
    Reorder(boundary, order);
    Reorder(body.graph().inputs, order);
    SetOutputs(body, results);
    Draft condition = Inside(boundary);
    SetOutputs(condition, {IsLess(condition, condition.graph().inputs[0], turns)});

    Operation operation{OperationCode::WHILE, {}, {}};
    operation.inputs.push_back(outer_.AddSubgraphOperand(Finished(condition.graph())));
    operation.inputs.push_back(outer_.AddSubgraphOperand(Finished(body.graph())));
    operation.inputs.insert(operation.inputs.end(), boundary.begin(), boundary.end());
    operation.outputs.push_back(AddResult(outer_.operand(boundary[0]), {0, static_cast<double>(kMostTurns), true}, 0));
    for (size_t i = 1; i < states; ++i) {
      const Plan &before = outer_.plan(boundary[i]), &after = body.plan(results[i]);
      operation.outputs.push_back(AddResult(outer_.operand(boundary[i]), AfterTurns(before.range, after.range, turns),
                                            kMostTurns * std::max(before.width, after.width)));
    }
    if (outer_.is_main()) {
      session_.fixed.insert(session_.fixed.end(), boundary.begin(), boundary.end());
      session_.fixed.insert(session_.fixed.end(), operation.outputs.begin(), operation.outputs.end());
    }
    outer_.graph().operations.push_back(std::move(operation));
    return true;
  }

 private:
  // A bool [1] of the outer graph, computed half of the time.
  uint32_t Condition() {
    const Target target{.type = TENSOR_BOOL8, .dims = {1}, .quantization = {}};
    if (choices_.Maybe()) {
      if (const std::optional<uint32_t> computed = Produce(outer_, target)) return *computed;
    }
    return Outer(TENSOR_BOOL8, [](CallDrawing& drawing, In& in) {
      drawing.Exactly(in, {1}, {.kind = Fill::Kind::kIntegers, .range = {0, 1}}, std::nullopt);
    });
  }

  // Asks `draw` for a tensor of the outer graph.
  template <class Draw>
  uint32_t Outer(OperandType type, Draw draw) {
    static constexpr TypeRow kAny{1, {kAnyType}, {kAnyType}};
    CallDrawing drawing(session_, outer_, kAny, false);
    Argument argument;
    argument.type = type;
    In in;
    in.Bind(&argument, 0);
    draw(drawing, in);
    return drawing.BoundTo(in)->operand;
  }

  // 1 to `most` tensors of the outer graph, of types that it has or that the palette's operations take.
  std::vector<uint32_t> Boundary(size_t most) {
    std::set<OperandType> live;
    for (uint32_t i = 0; i < outer_.graph().operands.size(); ++i) {
      const Operand& o = outer_.operand(i);
      if (outer_.plan(i).readable && !IsScalar(o.type) && !IsConstant(o.lifetime)) live.insert(o.type);
    }
    const std::vector<OperandType> existing(live.begin(), live.end());
    std::vector<uint32_t> boundary;
    while (boundary.empty() || choices_.More(boundary.size(), most)) {
      Choices::Scope scope(choices_, "boundary");
      OperandType type = TENSOR_FLOAT32;
      if (!choices_.Chance(1, 4) && !existing.empty()) {
        type = choices_.Pick(existing);
      } else {
        const TypeRow& row = *choices_.Pick(palette_.rows).row;
        if (row.inputs.count > 0 && !IsScalar(row.inputs.types[0])) type = row.inputs.types[0];
      }
      boundary.push_back(Outer(type, [](CallDrawing& drawing, In& in) { drawing.Tensor(in, {}); }));
    }
    return boundary;
  }

  // A referenced graph whose inputs are like these operands of the outer one.
  Draft Inside(const std::vector<uint32_t>& boundary) {
    Draft draft(false);
    for (uint32_t outer : boundary) {
      const Operand& o = outer_.operand(outer);
      Operand inner;
      inner.type = o.type, inner.dims = o.dims, inner.quantization = o.quantization;
      draft.AddInput(std::move(inner), {}, {.range = outer_.plan(outer).range, .width = outer_.plan(outer).width});
    }
    return draft;
  }

  // A tensor that a new operation of `draft` gives.
  std::optional<uint32_t> Produce(Draft& draft, const Target& target) {
    // What is made of a certain tensor keeps its type, so that the tensor can be read.
    std::vector<RowChoice> giving;
    for (const RowChoice& c : palette_.rows) {
      if (c.row->outputs.count == 0 || c.row->outputs.types[0] != target.type) continue;
      if (!target.source || (c.row->inputs.count > 0 && c.row->inputs.types[0] == target.type)) giving.push_back(c);
    }
    for (size_t i = 0; i < kAttempts && !giving.empty(); ++i) {
      Choices::Scope scope(choices_, "operation");
      if (PlaceCall(session_, draft, choices_.Pick(giving), Join::kPrefer, &target))
        return draft.graph().operations.back().outputs[0];
    }
    return std::nullopt;
  }

  // Tensors that nothing in the draft reads: up to three.
  static std::vector<uint32_t> Results(const Draft& draft) {
    const std::vector<bool> read = draft.Read();
    std::vector<uint32_t> results;
    for (uint32_t i = 0; i < draft.graph().operands.size() && results.size() < 3; ++i) {
      const Operand& o = draft.operand(i);
      const bool is_tensor = o.lifetime == Lifetime::TEMPORARY_VARIABLE && !IsScalar(o.type);
      if (is_tensor && draft.plan(i).readable && !read[i]) results.push_back(i);
    }
    return results;
  }

  static void SetOutputs(Draft& draft, const std::vector<uint32_t>& outputs) {
    draft.graph().outputs = outputs;
    for (uint32_t o : outputs) draft.graph().operands[o].lifetime = Lifetime::SUBGRAPH_OUTPUT;
  }

  // A branch drawn to give what `first` gives.
  std::optional<Draft> Other(const Draft& first, const std::vector<uint32_t>& boundary) {
    Draft draft = Inside(boundary);
    const size_t subgraphs = session_.subgraphs.size();
    Grow(session_, draft, palette_, 0, kMostInside - 1, depth_ - 1);
    std::vector<uint32_t> results;
    for (uint32_t output : first.graph().outputs) {
      const Operand& o = first.operand(output);
      const std::optional<uint32_t> result = Produce(draft, {o.type, o.dims, o.quantization});
      if (!result) {
        session_.subgraphs.resize(subgraphs);
        return std::nullopt;
      }
      results.push_back(*result);
    }
    SetOutputs(draft, results);
    return draft;
  }

  // The same graph with its constants' elements in another order.
  Subgraph Permuted(const Draft& draft) {
    Subgraph graph = draft.graph();
    Stream stream = Bulk(choices_.Seed());
    for (uint32_t i = 0; i < graph.operands.size(); ++i) {
      Operand& o = graph.operands[i];
      if (!IsConstant(o.lifetime) || !draft.plan(i).permutable) continue;
      Bytes bytes = *o.value;
      const size_t size = ElementSize(o.type), count = bytes.size() / size;
      for (size_t k = count; k > 1; --k) {
        const auto other = static_cast<size_t>(stream.UpTo(k - 1));
        std::swap_ranges(bytes.begin() + static_cast<ptrdiff_t>((k - 1) * size),
                         bytes.begin() + static_cast<ptrdiff_t>(k * size),
                         bytes.begin() + static_cast<ptrdiff_t>(other * size));
      }
      o.value = std::make_shared<const Bytes>(std::move(bytes));
    }
    return graph;
  }

  uint32_t Finished(Subgraph graph) {
    session_.subgraphs.push_back(std::move(graph));
    return static_cast<uint32_t>(session_.subgraphs.size() - 1);
  }

  // An output of the IF or WHILE like `inner`.
  uint32_t AddResult(const Operand& inner, const Range& range, double width) {
    Operand operand;
    operand.type = inner.type, operand.dims = inner.dims, operand.quantization = inner.quantization;
    Plan plan{.range = range, .width = width};
    DecideExposure(session_, outer_, operand, plan);
    return outer_.AddTemporary(std::move(operand), plan);
  }

  static uint32_t AddInt32(Draft& draft, int32_t value, bool fresh) {
    Operand operand;
    operand.type = TENSOR_INT32;
    operand.dims = {1};
    Bytes bytes(sizeof value);
    std::memcpy(bytes.data(), &value, sizeof value);
    const Plan plan{.range = {static_cast<double>(value), static_cast<double>(value), true}};
    return fresh ? draft.AddInput(std::move(operand), std::move(bytes), plan)
                 : draft.AddConstant(std::move(operand), std::move(bytes), false, plan);
  }
  uint32_t Counter() {
    const bool fresh = choices_.Maybe() && outer_.is_main();
    const uint32_t counter = AddInt32(outer_, 0, fresh);
    outer_.plan(counter).range.most = kMostTurns;
    return counter;
  }
  // counter + 1
  static uint32_t Step(Draft& body, uint32_t counter) {
    const uint32_t one = AddInt32(body, 1, false), activation = body.AddInt32Constant(0);
    return Compute(body, OperationCode::ADD, {counter, one, activation}, TENSOR_INT32,
                   {1, static_cast<double>(kMostTurns), true});
  }
  // counter < turns
  static uint32_t IsLess(Draft& condition, uint32_t counter, int32_t turns) {
    const uint32_t limit = AddInt32(condition, turns, false);
    return Compute(condition, OperationCode::LESS, {counter, limit}, TENSOR_BOOL8, {0, 1, true});
  }
  static uint32_t Compute(Draft& draft, OperationCode code, std::vector<uint32_t> inputs, OperandType type,
                          const Range& range) {
    Operand operand;
    operand.type = type;
    operand.dims = {1};
    const uint32_t result = draft.AddTemporary(std::move(operand), {.range = range});
    draft.graph().operations.push_back({code, std::move(inputs), {result}});
    return result;
  }

  // What the body gives for the next turn, if values stay where they are planned.
  std::optional<uint32_t> NextState(Draft& body, uint32_t state) {
    const Operand& o = body.operand(state);
    const Range before = body.plan(state).range;
    const Target target{o.type, o.dims, o.quantization, state};
    const Draft::Mark mark = body.mark();
    const std::optional<uint32_t> result = Produce(body, target);
    if (!result) return std::nullopt;
    const Range& after = body.plan(*result).range;
    const bool stays = target.type == TENSOR_INT32 ? LiesIn(after, before)
                       : IsFloat(target.type)
                           ? after.magnitude() <= (session_.IsHalf(target.type) ? 1.5 : 2) * before.magnitude()
                           : true;
    if (stays) return result;
    body.RollBack(mark);
    return std::nullopt;
  }

  static Range AfterTurns(const Range& before, const Range& after, int32_t turns) {
    Range range{std::min(before.least, after.least), std::max(before.most, after.most), before.sure && after.sure};
    if (range.sure) return range;
    for (int32_t i = 1; i < turns && after.magnitude() > before.magnitude(); ++i) range.least *= 2, range.most *= 2;
    return range;
  }

  static void Reorder(std::vector<uint32_t>& list, const std::vector<size_t>& order) {
    std::vector<uint32_t> reordered;
    for (size_t i : order) reordered.push_back(list[i]);
    list = std::move(reordered);
  }

  Session& session_;
  Choices& choices_;
  Draft& outer_;
  const Palette& palette_;
  int depth_;
};

}  // namespace

bool IsDrawableControlFlow(const Options& options, OperationCode code) {
  if (!options.control_flow || options.control_flow_depth < 1 || options.feature_level < 4) return false;
  if (code != OperationCode::IF && code != OperationCode::WHILE) return false;
  if (code == OperationCode::WHILE && !(IsRegistered(OperationCode::LESS) && IsRegistered(OperationCode::ADD)))
    return false;
  const auto& wanted = options.operations;
  return IsRegistered(code) && (wanted.empty() || std::find(wanted.begin(), wanted.end(), code) != wanted.end());
}

Palette PaletteFor(const Options& options) {
  Palette palette;
  palette.rows = RowsFor(options);
  for (OperationCode code : {OperationCode::IF, OperationCode::WHILE})
    if (IsDrawableControlFlow(options, code)) palette.control_flow.push_back(code);
  if (palette.rows.empty() && !palette.control_flow.empty()) {
    // Control flow alone: what is inside has to come from somewhere.
    Options all = options;
    all.operations.clear();
    palette.rows = RowsFor(all);
  }
  return palette;
}

bool PlaceControlFlow(Session& session, Draft& draft, const Palette& palette, OperationCode code, int depth) {
  const Draft::Mark mark = draft.mark();
  const size_t subgraphs = session.subgraphs.size(), fixed = session.fixed.size();
  Flow flow(session, draft, palette, depth);
  if (code == OperationCode::IF ? flow.If() : flow.While()) return true;
  draft.RollBack(mark);
  session.subgraphs.resize(subgraphs);
  session.fixed.resize(fixed);
  session.rejected.push_back({code, Reason::kMatch, "no tensor for the boundary could be drawn"});
  return false;
}

void Grow(Session& session, Draft& draft, const Palette& palette, size_t least, size_t most, int depth) {
  Choices& choices = session.choices;
  const size_t before = draft.graph().operations.size();
  const auto made = [&] { return draft.graph().operations.size() - before; };
  size_t dropped = 0;
  while (dropped < 4 * most && (made() < least || choices.More(made(), most))) {
    Choices::Scope scope(choices, "operation");
    // A branch may take an operation for its condition as well.
    const bool possible = depth > 0 && !palette.control_flow.empty() && made() + 2 <= most;
    const bool flow = choices.Chance(possible ? 1 : 0, 12);
    const bool done = flow ? PlaceControlFlow(session, draft, palette, choices.Pick(palette.control_flow), depth)
                           : PlaceAny(session, draft, palette.rows);
    if (!done) ++dropped;
  }
}

}  // namespace assay
