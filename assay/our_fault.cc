#include "assay/our_fault.h"

#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "assay/command.h"

namespace assay {
namespace {

extern "C" void OnAbort(int) {
  constexpr char kSentence[] = "assay: this is a fault of ours\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kSentence, sizeof kSentence - 1);
  std::_Exit(kOurFault);
}

}  // namespace

void EndFaultsOfOursWithExitCode() { std::signal(SIGABRT, OnAbort); }

}  // namespace assay
