// Ctrl-C and SIGTERM as a stop token. One object at a time: signals belong to the process.
#pragma once
#include <stop_token>
#include <thread>

namespace assay {

// The first signal asks for an orderly end. A second one ends the process at once with exit code 130, unless it comes
// within a second: then it is taken for the same one, for a terminal and a parent may both send it.
class SignalWatch {
 public:
  // With `asked`, the signal has come already.
  explicit SignalWatch(bool asked = false);
  std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::jthread thread_;
};

}  // namespace assay
