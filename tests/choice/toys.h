// Toy generators with planted faults, for the tests of the shrinker.
// Refuses to know how shrinking works: a toy says what is drawn, when the fault is in it, and what the minimum is.
#pragma once
#include <cstddef>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "choice/choices.h"
#include "choice/shrink.h"

namespace assay {

// A drawn thing as text, and whether the fault is in it.
struct Drawn {
  std::string text;
  bool faulty = false;
};

// What shrinking may cost from one seed: on average over many seeds, and at most, in trials.
struct Cost {
  size_t mean = 0;
  size_t most = 0;
};

struct Toy {
  std::string name;  // letters, digits and underscores
  std::function<Drawn(Choices&)> draw;
  std::string minimum;  // the text of the simplest thing that is faulty
  Cost cost;
};

inline void PrintTo(const Toy& toy, std::ostream* out) { *out << toy.name; }

// A replay of `tape`, interesting if the fault is in it.
Outcome Replay(const Toy& toy, const Tape& tape);

std::vector<Toy> ListToys();    // lists of numbers, short and long, with and without groups and counts
std::vector<Toy> NumberToys();  // one or two numbers, some depending on each other
std::vector<Toy> TreeToys();    // expressions
std::vector<Toy> GraphToys();   // nodes that take what earlier nodes made

}  // namespace assay
