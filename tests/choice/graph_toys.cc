// Graphs with planted faults: nodes choose an operation with attributes of its own, and take earlier values as inputs.
#include <algorithm>
#include <array>
#include <iterator>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tests/choice/toys.h"

namespace assay {
namespace {

constexpr size_t kGiven = 2;  // values that no node makes

enum Operation : uint64_t {
  kPlain = 0,
  kUnary = 1,
  kBinary = 2,
  kRead = 4,
  kWindow = 5,
  kConcatenation = 6,
  kConstant = 7
};

struct Node {
  uint64_t operation;
  std::vector<size_t> inputs;  // values: those given, then that of each node
  std::vector<int64_t> attributes;
};
using Graph = std::vector<Node>;

Graph DrawGraph(Choices& c) {
  Graph graph;
  while (c.More(graph.size(), 40)) {
    Choices::Scope scope(c, "node");
    Node node{c.Below(8), {}, {}};
    auto input = [&] { node.inputs.push_back(c.Below(graph.size() + kGiven)); };
    auto attribute = [&](int64_t lo, int64_t hi) { node.attributes.push_back(c.Between(lo, hi)); };
    input();
    switch (node.operation) {
      case kBinary:
        input();
        break;
      case kWindow:  // width, height, stride, and padding: its name, or four numbers
        attribute(1, 5);
        attribute(1, 5);
        attribute(1, 3);
        if (c.Maybe()) {
          for (int i = 0; i < 4; ++i) attribute(0, 3);
        } else {
          attribute(1, 2);
        }
        break;
      case kConcatenation:
        for (size_t have = 1; c.More(have, 4); ++have) input();
        attribute(0, 3);
        break;
      case kConstant:
        attribute(1, 64);
        c.Seed();
        break;
      default:
        break;
    }
    graph.push_back(std::move(node));
  }
  return graph;
}

std::string Show(const Graph& graph) {
  return absl::StrJoin(graph, " ", [](std::string* out, const Node& node) {
    absl::StrAppend(out, node.operation, "(", absl::StrJoin(node.inputs, " "), ";", absl::StrJoin(node.attributes, " "),
                    ")");
  });
}

// Whether a node with operation `reader` takes what one with operation `read` made, and both please.
template <class Predicate>
bool Reads(const Graph& graph, uint64_t reader, uint64_t read, Predicate pleases) {
  for (const Node& node : graph) {
    for (size_t input : node.inputs) {
      if (node.operation != reader || input < kGiven) continue;
      const Node& maker = graph[input - kGiven];
      if (maker.operation == read && pleases(node, maker)) return true;
    }
  }
  return false;
}

bool ConcatenatesThenWindows(const Graph& graph) {
  return Reads(graph, kWindow, kConcatenation, [](const Node&, const Node& maker) { return maker.inputs.size() >= 2; });
}

bool WindowsThenConcatenates(const Graph& graph) {
  return Reads(graph, kConcatenation, kWindow, [](const Node& node, const Node& maker) {
    return node.attributes[0] == 2 && maker.attributes[0] >= 3 && maker.attributes[2] > 1;
  });
}

bool PadsUnequally(const Graph& graph) {
  return std::any_of(graph.begin(), graph.end(), [](const Node& node) {
    return node.operation == kWindow && node.attributes.size() == 7 && node.attributes[4] != node.attributes[6];
  });
}

bool ReadsLargeConstant(const Graph& graph) {
  return Reads(graph, kRead, kConstant, [](const Node&, const Node& maker) { return maker.attributes[0] >= 33; });
}

bool TwoNodesReadOne(const Graph& graph) {
  std::vector<std::set<size_t>> readers(graph.size() + kGiven);
  for (size_t i = 0; i < graph.size(); ++i) {
    for (size_t input : graph[i].inputs) readers[input].insert(i);
  }
  for (size_t i = 0; i < graph.size(); ++i) {
    if (graph[i].operation >= kUnary && readers[i + kGiven].size() >= 2) return true;
  }
  return false;
}

bool IsSixDeep(const Graph& graph) {
  std::vector<int> depth(graph.size() + kGiven);
  for (size_t i = 0; i < graph.size(); ++i) {
    for (size_t input : graph[i].inputs) depth[i + kGiven] = std::max(depth[i + kGiven], depth[input] + 1);
  }
  return std::any_of(depth.begin(), depth.end(), [](int d) { return d >= 6; });
}

Toy Of(std::string name, bool (*faulty)(const Graph&), std::string minimum, Cost cost) {
  return {name,
          [=](Choices& c) {
            const Graph drawn = DrawGraph(c);
            return Drawn{Show(drawn), faulty(drawn)};
          },
          minimum, cost};
}

// Values of three types; an operation chooses among the values of two of them, numbered from the first or from the
// last one made, so that every operation numbers them differently. The fault: operation 5 reads from operation 4, which
// reads from a large operation 2. What is shown of an input is the node that made it.
Drawn DrawTyped(Choices& c, bool from_last) {
  struct Value {
    size_t node;
    uint64_t operation, type;
    bool large, doubtful;
  };
  Drawn drawn;
  std::vector<Value> values{{0, 9, 0, false, false}, {0, 9, 1, false, false}, {0, 9, 2, false, false}};
  for (size_t node = 1; c.More(node - 1, 40); ++node) {
    Choices::Scope scope(c, "node");
    const uint64_t operation = c.Below(6);
    std::vector<Value> fitting;
    std::copy_if(values.begin(), values.end(), std::back_inserter(fitting),
                 [&](const Value& value) { return value.type == operation % 3 || value.type == (operation + 1) % 3; });
    if (from_last) std::reverse(fitting.begin(), fitting.end());
    Value made{node, operation, operation / 2, false, false};
    std::vector<size_t> inputs;
    for (int i = 0; i < (operation == 4 ? 2 : 1); ++i) {
      const Value& input = c.Pick(fitting);
      inputs.push_back(input.node);
      made.doubtful |= operation == 4 && input.operation == 2 && input.large;
      drawn.faulty |= operation == 5 && input.doubtful;
    }
    made.large = c.Between(1, 100) > 70;
    absl::StrAppend(&drawn.text, operation, made.large ? "!" : "", "(", absl::StrJoin(inputs, " "), ")");
    values.push_back(made);
  }
  return drawn;
}

// An input is a value that is there, or a new one, with a size and a pattern of its own; the first node has no choice.
// So where a node is left out, one behind it may have to make what it took from there. The fault: operation 4 reads
// from operation 3, with an attribute of its own.
Drawn DrawFresh(Choices& c) {
  Drawn drawn;
  std::vector<uint64_t> made_by;
  for (size_t made = 0; c.More(made, 40); ++made) {
    Choices::Scope scope(c, "node");
    const uint64_t operation = c.Below(6);
    absl::StrAppend(&drawn.text, operation, "(");
    bool doubtful = false;
    for (int i = 0; i < (operation % 2 == 0 ? 2 : 1); ++i) {
      Choices::Scope input(c, "input");
      const size_t chosen = c.Below(made_by.size() + 2);
      if (chosen < made_by.size()) {
        doubtful |= operation == 4 && made_by[made_by.size() - 1 - chosen] == 3;
        absl::StrAppend(&drawn.text, "-", chosen, " ");
      } else {
        for (int64_t rank = c.Between(1, 4); rank > 0; --rank) absl::StrAppend(&drawn.text, c.Between(1, 16), "x");
        absl::StrAppend(&drawn.text, c.Pick({"zeros", "ramp", "noise"}));
        absl::StrAppend(&drawn.text, c.Seed() % 10, " ");
      }
    }
    const int64_t attribute = c.Between(0, 20);
    absl::StrAppend(&drawn.text, attribute, ")");
    drawn.faulty |= doubtful && attribute >= 7;
    made_by.push_back(operation);
  }
  return drawn;
}

}  // namespace

std::vector<Toy> GraphToys() {
  return {
      Of("concatenates_then_windows", ConcatenatesThenWindows, "6(0 0;0) 5(2;1 1 1 1)", {150, 190}),
      Of("windows_then_concatenates", WindowsThenConcatenates, "5(0;3 1 2 1) 6(2;2)", {200, 290}),
      Of("pads_unequally", PadsUnequally, "5(0;1 1 1 0 0 0 1)", {70, 85}),
      Of("reads_large_constant", ReadsLargeConstant, "7(0;33) 4(2;)", {160, 195}),
      Of("two_nodes_read_one", TwoNodesReadOne, "1(0;) 0(2;) 0(2;)", {105, 170}),
      Of("six_deep", IsSixDeep, "0(0;) 0(2;) 0(3;) 0(4;) 0(5;) 0(6;)", {250, 360}),
      {"typed_from_first", [](Choices& c) { return DrawTyped(c, false); }, "2!(0)4(0 1)5(2)", {230, 320}},
      {"typed_from_last", [](Choices& c) { return DrawTyped(c, true); }, "2!(0)4(1 1)5(2)", {150, 210}},
      {"fresh_inputs", DrawFresh, "3(1xzeros0 0)4(-0 -0 7)", {150, 490}},
  };
}

}  // namespace assay
