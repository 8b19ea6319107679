#include "assay/child.h"

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "absl/strings/str_cat.h"

namespace assay {
namespace {

std::atomic<pid_t> child = 0;
std::atomic<bool> signalled = false;

extern "C" void HandOn(int signal) {
  const int error = errno;
  signalled = true;
  if (child > 0) kill(child, signal);
  errno = error;
}

bool ComesFromOutside(int signal) {
  return signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP;
}

// One byte that the child sets when its work has returned: an exit code alone may be a driver's that called exit().
class Returned {
 public:
  Returned() : byte_(mmap(nullptr, 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {}
  ~Returned() {
    if (byte_ != MAP_FAILED) munmap(byte_, 1);
  }
  Returned(const Returned&) = delete;
  bool usable() const { return byte_ != MAP_FAILED; }
  void Set() { *static_cast<volatile char*>(byte_) = 1; }
  bool IsSet() const { return *static_cast<volatile char*>(byte_) != 0; }

 private:
  void* byte_;
};

}  // namespace

ChildEnd RunInChild(const std::function<int()>& work, bool& interrupted) {
  interrupted = false;
  Returned returned;
  if (!returned.usable()) return {.death = std::string("no memory for a process")};
  std::fflush(nullptr);  // or both processes would write what is buffered
  signalled = false;
  child = 0;
  struct sigaction hand_on {
  }, old_int, old_term;
  hand_on.sa_handler = HandOn;
  sigemptyset(&hand_on.sa_mask);
  sigaction(SIGINT, &hand_on, &old_int);
  sigaction(SIGTERM, &hand_on, &old_term);
  const pid_t pid = fork();
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    const int code = work();
    std::fflush(nullptr);
    returned.Set();
    _exit(code);  // neither what the parent nor what a driver registered for the end is run
  }
  ChildEnd end;
  if (pid < 0) {
    end.death = absl::StrCat("no process could be started: ", std::strerror(errno));
  } else {
    child = pid;
    if (signalled) kill(pid, SIGINT);  // it came before there was anybody to hand it on to
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    child = 0;
    if (WIFEXITED(status)) {
      end.exit_code = WEXITSTATUS(status);
      if (!returned.IsSet()) end.death = absl::StrCat("exit code ", end.exit_code);
    } else {
      const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
      end.exit_code = 128 + signal;
      end.death = strsignal(signal);
      end.was_killed = ComesFromOutside(signal);
    }
  }
  interrupted = signalled;
  sigaction(SIGINT, &old_int, nullptr);
  sigaction(SIGTERM, &old_term, nullptr);
  return end;
}

}  // namespace assay
