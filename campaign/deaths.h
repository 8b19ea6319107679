// Which graphs a driver dies of. A driver runs in the campaign's own process, so the process dies with it; what was on
// the driver then is tried again, each graph alone, and only the one that ends the process again is guilty. Knows
// numbers of graphs; refuses to know how a process ends and who starts the next one.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay {

// What a dead process had on the driver.
struct LeftBehind {
  std::vector<uint64_t> tried;           // graphs, one for each thread at most
  std::optional<uint64_t> investigated;  // a failure of this graph was being shrunk
  bool empty() const { return tried.empty() && !investigated; }
  friend bool operator==(const LeftBehind&, const LeftBehind&) = default;
};

// A graph, and how the process ended: "Segmentation fault"; empty where nobody saw it.
struct Death {
  uint64_t graph = 0;
  std::string cause;
  friend bool operator==(const Death&, const Death&) = default;
};

struct Deaths {
  std::vector<Death> deadly;       // ended the process twice, the second time alone: not to be tried again
  std::vector<Death> not_shrunk;   // ended it while they were investigated: to be written down as they were found
  std::vector<uint64_t> suspects;  // were on the driver when it died: to be tried alone
  // The death that the suspects are tried for.
  LeftBehind at_death;
  std::string cause;

  // A process has died, of `cause`, and left this behind. While there were suspects it had one of them alone on the
  // driver: that one is guilty.
  void Learn(const LeftBehind& left, const std::string& cause);
  // The first suspect was tried alone, and the process lives.
  void Acquit();

  // After the last suspect was acquitted: whose investigation is guilty, then; or nobody's.
  struct Unexplained {
    std::vector<uint64_t> tried;
    std::string cause;
  };
  // Blames the investigation if there was one; else gives the graphs of a death that came from none of them alone.
  // Nothing if there is nothing to explain, or nobody saw a cause: then somebody may have ended the process.
  std::optional<Unexplained> Conclude();

  const Death* DeadlyAt(uint64_t graph) const;
  const Death* NotShrunkAt(uint64_t graph) const;
  // Those before `next_graph` are done with.
  void ForgetBefore(uint64_t next_graph);

  friend bool operator==(const Deaths& a, const Deaths& b) = default;
};

}  // namespace assay
