// Work in a process of its own, so that what ends that process does not end this one. Knows no driver and no campaign.
#pragma once
#include <functional>
#include <optional>
#include <string>

namespace assay {

struct ChildEnd {
  int exit_code = 0;
  // How the process ended before the work returned: "Segmentation fault", "exit code 7". Nothing if it did return.
  std::optional<std::string> death;
  bool was_killed = false;  // by a signal that comes from outside: SIGKILL, SIGTERM, SIGINT, SIGHUP
};

// Forks: call it while there are no other threads. SIGINT and SIGTERM are handed on to the child while this waits, and
// end nothing here; `interrupted` says afterwards, until the next call, whether one came. An error to fork is a death.
ChildEnd RunInChild(const std::function<int()>& work, bool& interrupted);

}  // namespace assay
