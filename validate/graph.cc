#include "validate/graph.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace assay {
namespace {

constexpr Stage kModel = Stage::kModel;
constexpr Rule kSubgraphs{"model.subgraphs", kModel, "there is a main subgraph"};
constexpr Rule kCycle{"subgraph.cycle", kModel, "no subgraph refers to itself, directly or through others"};
constexpr Rule kOperands{"subgraph.operands", kModel, "a subgraph has an operand"};
constexpr Rule kOperations{"subgraph.operations", kModel, "a subgraph has an operation"};
constexpr Rule kIndex{"graph.index", kModel, "every operand index is below the number of operands"};
constexpr Rule kListedTwice{"graph.listed_twice", kModel, "an operand is once in the inputs or outputs of a subgraph"};
constexpr Rule kListedLifetime{"graph.listed_lifetime", kModel,
                               "the inputs (outputs) of a subgraph have lifetime SUBGRAPH_INPUT (SUBGRAPH_OUTPUT)"};
constexpr Rule kUnlisted{"graph.unlisted", kModel,
                         "operands of lifetime SUBGRAPH_INPUT (SUBGRAPH_OUTPUT) are in the inputs (outputs)"};
constexpr Rule kReadBeforeWrite{"graph.read_before_write", kModel,
                                "what an operation reads, an earlier operation has written"};
constexpr Rule kNotWritable{"graph.not_writable", kModel, "operations write temporaries and outputs only"};
constexpr Rule kWrittenTwice{"graph.written_twice", kModel, "an operand is written once"};
constexpr Rule kUnwritten{"graph.unwritten", kModel, "every temporary and every output is written"};
constexpr Rule kAll[] = {kSubgraphs,      kCycle,    kOperands,        kOperations,  kIndex,        kListedTwice,
                         kListedLifetime, kUnlisted, kReadBeforeWrite, kNotWritable, kWrittenTwice, kUnwritten};

constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

bool IsWritten(Lifetime lifetime) {
  return lifetime == Lifetime::TEMPORARY_VARIABLE || lifetime == Lifetime::SUBGRAPH_OUTPUT;
}

class GraphCheck {
 public:
  GraphCheck(const Model& model, size_t subgraph, Report& report)
      : model_(model),
        at_(subgraph),
        subgraph_(model.subgraphs[subgraph]),
        report_(report),
        writer_(subgraph_.operands.size(), kNone) {}

  void All() {
    const Place place = Place::OfSubgraph(model_, at_);
    report_.That(!subgraph_.operands.empty(), kOperands, place, "there are no operands");
    report_.That(!subgraph_.operations.empty(), kOperations, place, "there are no operations");
    List(subgraph_.inputs, Lifetime::SUBGRAPH_INPUT, "input");
    List(subgraph_.outputs, Lifetime::SUBGRAPH_OUTPUT, "output");
    Writes();
    Reads();
  }

 private:
  // `list` is the subgraph's inputs or outputs.
  void List(const std::vector<uint32_t>& list, Lifetime lifetime, absl::string_view what) {
    const Place place = Place::OfSubgraph(model_, at_);
    std::vector<bool> listed(subgraph_.operands.size(), false);
    for (size_t i = 0; i < list.size(); ++i) {
      const uint32_t index = list[i];
      if (!report_.That(index < listed.size(), kIndex, place, what, " ", i, " is operand ", index, ", there are ",
                        listed.size(), " operands"))
        continue;
      const Lifetime actual = subgraph_.operands[index].lifetime;
      report_.That(actual == lifetime, kListedLifetime, OperandPlace(index), "is ", what, " ", i, ", its lifetime is ",
                   actual, ", expected ", lifetime);
      report_.That(!listed[index], kListedTwice, OperandPlace(index), "is ", what, " ", i, " and an earlier one");
      listed[index] = true;
    }
    for (size_t i = 0; i < listed.size(); ++i)
      report_.That(listed[i] || subgraph_.operands[i].lifetime != lifetime, kUnlisted, OperandPlace(i), "has lifetime ",
                   lifetime, " and is no ", what, " of the subgraph");
  }

  void Writes() {
    for (size_t i = 0; i < subgraph_.operations.size(); ++i)
      for (uint32_t index : subgraph_.operations[i].outputs) {
        if (!InRange(i, index, "writes")) continue;
        const Lifetime lifetime = subgraph_.operands[index].lifetime;
        if (!report_.That(IsWritten(lifetime), kNotWritable, OperationPlace(i), "writes operand ", index,
                          ", whose lifetime is ", lifetime))
          continue;
        report_.That(writer_[index] == kNone, kWrittenTwice, OperationPlace(i), "writes operand ", index,
                     ", which operation ", writer_[index], " has written");
        if (writer_[index] == kNone) writer_[index] = static_cast<uint32_t>(i);
      }
    for (size_t i = 0; i < writer_.size(); ++i)
      report_.That(writer_[i] != kNone || !IsWritten(subgraph_.operands[i].lifetime), kUnwritten, OperandPlace(i),
                   "has lifetime ", subgraph_.operands[i].lifetime, ", and no operation writes it");
  }

  // After Writes.
  void Reads() {
    for (size_t i = 0; i < subgraph_.operations.size(); ++i)
      for (uint32_t index : subgraph_.operations[i].inputs) {
        if (!InRange(i, index, "reads") || !IsWritten(subgraph_.operands[index].lifetime)) continue;
        const uint32_t writer = writer_[index];
        if (writer == kNone) continue;  // told once, of the operand
        report_.That(writer < i, kReadBeforeWrite, OperationPlace(i), "reads operand ", index, ", which operation ",
                     writer, " writes");
      }
  }

  bool InRange(size_t operation, uint32_t index, absl::string_view does) {
    return report_.That(index < writer_.size(), kIndex, OperationPlace(operation), does, " operand ", index,
                        ", there are ", writer_.size(), " operands");
  }

  Place OperandPlace(size_t i) const { return Place::OfOperand(model_, at_, i); }
  Place OperationPlace(size_t i) const { return Place::OfOperation(model_, at_, i); }

  const Model& model_;
  const size_t at_;
  const Subgraph& subgraph_;
  Report& report_;
  std::vector<uint32_t> writer_;  // the first operation that writes an operand
};

// For each subgraph those to which it refers; the main one cannot be among them (a rule of operands).
std::vector<std::vector<uint32_t>> References(const Model& model) {
  std::vector<std::vector<uint32_t>> references(model.subgraphs.size());
  for (size_t s = 0; s < model.subgraphs.size(); ++s)
    for (const Operand& o : model.subgraphs[s].operands)
      if (o.lifetime == Lifetime::SUBGRAPH && o.subgraph > 0 && o.subgraph < model.subgraphs.size())
        references[s].push_back(o.subgraph);
  return references;
}

}  // namespace

std::span<const Rule> GraphRules() { return kAll; }

void CheckSubgraphs(const Model& model, Report& report) {
  const size_t count = model.subgraphs.size();
  if (!report.That(count > 0, kSubgraphs, Place::OfModel(model), "there are no subgraphs")) return;
  // Subgraphs to which nothing refers are taken away until none is left, or only those on cycles and behind them are.
  const std::vector<std::vector<uint32_t>> references = References(model);
  std::vector<size_t> referrers(count, 0);
  for (const auto& list : references)
    for (uint32_t to : list) ++referrers[to];
  std::vector<size_t> free;
  for (size_t s = 0; s < count; ++s)
    if (referrers[s] == 0) free.push_back(s);
  size_t taken = 0;
  for (; taken < free.size(); ++taken)
    for (uint32_t to : references[free[taken]])
      if (--referrers[to] == 0) free.push_back(to);
  if (taken == count) return;
  // Going back from any of the rest, through the rest, ends in a cycle.
  std::vector<size_t> referrer(count, count);
  for (size_t s = 0; s < count; ++s)
    for (uint32_t to : references[s])
      if (referrers[s] > 0 && referrers[to] > 0) referrer[to] = s;
  size_t at = static_cast<size_t>(std::find_if(referrers.begin(), referrers.end(), [](size_t n) { return n > 0; }) -
                                  referrers.begin());
  std::vector<bool> seen(count, false);
  for (; !seen[at]; at = referrer[at]) seen[at] = true;
  size_t length = 1;
  for (size_t s = referrer[at]; s != at; s = referrer[s]) ++length;
  report.That(false, kCycle, Place::OfSubgraph(model, at), "refers to itself through ", length - 1,
              " other subgraphs, the last of them ", referrer[at]);
}

void CheckGraph(const Model& model, size_t subgraph, Report& report) { GraphCheck(model, subgraph, report).All(); }

bool IndicesInRange(const Subgraph& subgraph, const Operation& operation) {
  const auto in_range = [&](uint32_t i) { return i < subgraph.operands.size(); };
  return std::all_of(operation.inputs.begin(), operation.inputs.end(), in_range) &&
         std::all_of(operation.outputs.begin(), operation.outputs.end(), in_range);
}

}  // namespace assay
