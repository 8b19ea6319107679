#include "spec_dumps/writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "spec_dumps/case_writer.h"
#include "spec_dumps/spelling.h"

namespace assay {
namespace {

// Writes all of `text` and closes the file. 0, or errno.
int WriteAndClose(int descriptor, absl::string_view text) {
  int error = 0;
  while (!text.empty() && error == 0) {
    const ssize_t written = write(descriptor, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<size_t>(written));
    } else if (errno != EINTR) {
      error = errno;
    }
  }
  // What the rename makes visible is to be on the disk.
  if (error == 0 && fsync(descriptor) != 0 && errno != EINVAL) error = errno;
  if (close(descriptor) != 0 && error == 0) error = errno;
  return error;
}

}  // namespace

std::string WriteSpec(const SpecFile& file) {
  Features needed = file.declared;
  std::string body;
  for (const SpecCase& spec_case : file.cases) {
    // Before the first one it depends on the head, which is only known at the end.
    if (!body.empty() && !spec_case.tight) body += '\n';
    body += AsComment(spec_case.comments);
    AppendCase(body, spec_case, needed);
  }
  body += AsComment(file.end_comments);
  std::string head;
  if (!needed.empty()) head += SupersetLine(needed);
  head += AsComment(file.comments);
  if (!head.empty() && !file.cases.empty() && !file.cases.front().tight) head += '\n';
  return head + body;
}

absl::Status WriteSpecFile(const std::string& path, const SpecFile& file) {
  // A name of our own: two writers of one path do not meet.
  std::string temporary;
  int descriptor = -1;
  for (int i = 0; descriptor < 0; ++i) {
    temporary = absl::StrCat(path, ".part-", getpid(), "-", i);
    descriptor = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0 && errno != EEXIST) {
      return absl::ErrnoToStatus(errno, absl::StrCat(path, ": a file beside it cannot be created"));
    }
  }
  int error = WriteAndClose(descriptor, WriteSpec(file));
  if (error == 0 && std::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error == 0) return absl::OkStatus();
  unlink(temporary.c_str());
  return absl::ErrnoToStatus(error, absl::StrCat(path, ": cannot be written"));
}

}  // namespace assay
