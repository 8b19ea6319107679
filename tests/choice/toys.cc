// Lists, numbers and trees with planted faults.
#include "tests/choice/toys.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace assay {
namespace {

using Numbers = std::vector<int64_t>;

std::string Show(const Numbers& numbers) { return absl::StrCat("[", absl::StrJoin(numbers, " "), "]"); }
int64_t Sum(const Numbers& n) { return std::accumulate(n.begin(), n.end(), int64_t{0}); }
int64_t Product(const Numbers& n) { return std::accumulate(n.begin(), n.end(), int64_t{1}, std::multiplies<>()); }
size_t Distinct(const Numbers& n) { return std::set<int64_t>(n.begin(), n.end()).size(); }
bool Ascends(const Numbers& n) { return std::is_sorted(n.begin(), n.end()); }
template <class Predicate>
size_t Count(const Numbers& n, Predicate predicate) {
  return static_cast<size_t>(std::count_if(n.begin(), n.end(), predicate));
}

// Each number is a group; the question for one more is outside of it.
auto List(size_t most, int64_t lo, int64_t hi) {
  return [=](Choices& c) {
    Numbers numbers;
    while (c.More(numbers.size(), most)) {
      Choices::Scope element(c, "element");
      numbers.push_back(c.Between(lo, hi));
    }
    return numbers;
  };
}

// Some 500 numbers on average; the question for one more is inside of each group, if there are any.
auto LongList(bool grouped) {
  return [=](Choices& c) {
    Numbers numbers;
    for (bool more = true; more;) {
      std::optional<Choices::Scope> element;
      if (grouped) element.emplace(c, "element");
      more = c.Chance(499, 500);
      if (more) numbers.push_back(c.Between(0, 1000));
    }
    return numbers;
  };
}

// What one should not do: the length first.
auto CountedList(int64_t most, int64_t lo, int64_t hi) {
  return [=](Choices& c) {
    Numbers numbers(static_cast<size_t>(c.Between(0, most)));
    for (int64_t& number : numbers) number = c.Between(lo, hi);
    return numbers;
  };
}

// The second number is below the first.
Numbers Dependent(Choices& c) {
  const int64_t n = c.Between(1, 100);
  return {n, c.Between(0, n - 1)};
}

template <class Draw, class Predicate>
Toy Of(std::string name, Draw draw, Predicate faulty, std::string minimum, Cost cost) {
  return {name,
          [=](Choices& c) {
            const Numbers drawn = draw(c);
            return Drawn{Show(drawn), faulty(drawn)};
          },
          minimum, cost};
}

// An expression, and the largest number in it: anywhere, under a negation, and under a negation under a sum.
struct Tree {
  std::string text;
  size_t depth = 0;
  int64_t any = -1, negated = -1, negated_in_sum = -1;
};

Tree DrawTree(Choices& c, int depth) {
  Choices::Scope scope(c, "tree");
  switch (c.Below(depth > 0 ? 3 : 1)) {
    case 0: {
      const int64_t number = c.Between(0, 99);
      return {absl::StrCat(number), 0, number};
    }
    case 1: {
      const Tree of = DrawTree(c, depth - 1);
      return {absl::StrCat("-", of.text), of.depth + 1, of.any, std::max(of.any, of.negated), of.negated_in_sum};
    }
    default: {
      const Tree left = DrawTree(c, depth - 1), right = DrawTree(c, depth - 1);
      const int64_t negated = std::max(left.negated, right.negated);
      return {absl::StrCat("(", left.text, "+", right.text, ")"), std::max(left.depth, right.depth) + 1,
              std::max(left.any, right.any), negated, negated};
    }
  }
}

template <class Predicate>
Toy OfTree(std::string name, Predicate faulty, std::string minimum, Cost cost) {
  return {name,
          [=](Choices& c) {
            const Tree drawn = DrawTree(c, 8);
            return Drawn{drawn.text, faulty(drawn)};
          },
          minimum, cost};
}

}  // namespace

Outcome Replay(const Toy& toy, const Tape& tape) {
  Choices c = Choices::Replay(tape);
  const bool faulty = toy.draw(c).faulty;
  return {faulty, c.trace(), c.groups()};
}

std::vector<Toy> ListToys() {
  auto sum_1000 = [](const Numbers& n) { return Sum(n) >= 1000; };
  auto sum_1500 = [](const Numbers& n) { return Sum(n) >= 1500; };
  auto descends = [](const Numbers& n) { return !Ascends(n); };
  auto three_distinct = [](const Numbers& n) { return Distinct(n) >= 3; };
  auto five_distinct = [](const Numbers& n) { return Distinct(n) >= 5; };
  auto repeats = [](const Numbers& n) { return Distinct(n) < n.size(); };
  auto repeats_large = [](const Numbers& n) {
    Numbers large;
    std::copy_if(n.begin(), n.end(), std::back_inserter(large), [](int64_t x) { return x >= 10; });
    return Distinct(large) < large.size();
  };
  auto twelve = [](const Numbers& n) { return n.size() >= 12; };
  auto rare = [](const Numbers& n) { return Count(n, [](int64_t x) { return x > 900 && x % 4 == 3; }) > 0; };
  auto far_from_first = [](const Numbers& n) { return Count(n, [&](int64_t x) { return x - n[0] == 100; }) > 0; };
  auto three_large = [](const Numbers& n) { return Count(n, [](int64_t x) { return x >= 990; }) >= 3; };
  auto product_24 = [](const Numbers& n) { return Product(n) >= 24; };
  auto hundred = [](const Numbers& n) { return n.size() >= 100; };
  std::string hundred_zeros = Show(Numbers(100, 0));
  return {
      Of("sum", List(40, 0, 1000), sum_1000, "[1000]", {85, 200}),
      Of("sum_of_two", List(40, 0, 1000), sum_1500, "[500 1000]", {125, 320}),
      Of("descends", List(40, 0, 1000), descends, "[1 0]", {25, 35}),
      Of("three_distinct", List(40, 0, 1000), three_distinct, "[0 1 2]", {50, 55}),
      Of("five_distinct", List(40, 0, 1000), five_distinct, "[0 1 2 3 4]", {145, 160}),
      Of("repeats", List(40, 0, 60), repeats, "[0 0]", {50, 70}),
      Of("repeats_large", List(40, 0, 60), repeats_large, "[10 10]", {85, 100}),
      Of("twelve", List(60, 0, 1000), twelve, "[0 0 0 0 0 0 0 0 0 0 0 0]", {130, 140}),
      Of("full", List(4, 0, 1000), three_distinct, "[0 1 2]", {50, 55}),
      Of("rare", List(1000, 0, 1000), rare, "[903]", {45, 55}),
      Of("far_from_first", List(40, 0, 1000), far_from_first, "[0 100]", {80, 90}),
      Of("long", LongList(true), three_large, "[990 990 990]", {185, 210}),
      Of("long_without_groups", LongList(false), three_large, "[990 990 990]", {190, 220}),
      Of("all_needed", LongList(true), hundred, hundred_zeros, {1660, 1740}),
      Of("counted_sum_of_two", CountedList(30, 0, 1000), sum_1500, "[500 1000]", {140, 240}),
      Of("counted_descends", CountedList(30, 0, 1000), descends, "[1 0]", {25, 25}),
      Of("counted_three_distinct", CountedList(30, 0, 1000), three_distinct, "[0 1 2]", {55, 60}),
      Of("product", CountedList(4, 1, 8), product_24, "[3 8]", {50, 85}),
  };
}

std::vector<Toy> NumberToys() {
  auto seed = [](Choices& c) { return Numbers{static_cast<int64_t>(c.Seed())}; };
  auto two = [](Choices& c) {
    const int64_t first = c.Between(0, 100);
    return Numbers{first, c.Between(0, 100)};
  };
  auto at_least_2_40 = [](const Numbers& n) { return static_cast<uint64_t>(n[0]) >= uint64_t{1} << 40; };
  auto odd = [](const Numbers& n) { return static_cast<uint64_t>(n[0]) >= 1234567890123 && n[0] % 2 != 0; };
  // Bulk data of which a part is large: no seed is better than another.
  auto lucky = [](const Numbers& n) {
    Stream data = Bulk(static_cast<uint64_t>(n[0]));
    return data.Unit() > 0.5 && data.Unit() > 0.5;
  };
  return {
      Of("large_seed", seed, at_least_2_40, "[1099511627776]", {80, 80}),
      Of("large_odd_seed", seed, odd, "[1234567890123]", {140, 185}),
      Of("lucky_seed", seed, lucky, "[1]", {10, 10}),
      Of("large_index", Dependent, [](const Numbers& n) { return n[1] >= 17; }, "[18 17]", {55, 65}),
      Of("last_index", Dependent, [](const Numbers& n) { return n[0] >= 5 && n[1] == n[0] - 1; }, "[5 4]", {25, 35}),
      Of("sum_of_pair", two, [](const Numbers& n) { return n[0] + n[1] >= 120; }, "[20 100]", {65, 70}),
      Of("equal_pair", two, [](const Numbers& n) { return n[0] == n[1] && n[0] >= 5; }, "[5 5]", {50, 60}),
  };
}

std::vector<Toy> TreeToys() {
  return {
      OfTree("deep", [](const Tree& t) { return t.depth >= 3; }, "---0", {30, 55}),
      OfTree("negated", [](const Tree& t) { return t.negated >= 50; }, "-50", {40, 60}),
      OfTree("negated_in_sum", [](const Tree& t) { return t.negated_in_sum >= 50; }, "(0+-50)", {75, 90}),
  };
}

}  // namespace assay
