// How a fault is told. A bad input is an absl::Status and travels up through ASSAY_RETURN_IF_ERROR and
// ASSAY_ASSIGN_OR_RETURN; a fault of our own stops the program through ASSAY_CHECK, in every build.
// Refuses to know any rule, model or message: only how they are passed on.
#ifndef ASSAY_MODEL_STATUS_H_
#define ASSAY_MODEL_STATUS_H_

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay {

// The last two components of a path ("ops/decode.cc"): the same wherever the tree was built.
constexpr const char* ShortPath(const char* path) {
  const char *last = path, *one_before = path;
  for (const char* c = path; *c != '\0'; ++c)
    if (*c == '/') one_before = last, last = c + 1;
  return one_before;
}

// Prints "file:line: check failed: condition: message" to stderr and aborts. Called by ASSAY_CHECK only.
[[noreturn, gnu::cold, gnu::noinline]] inline void CheckFailed(const char* file, int line, const char* condition,
                                                               absl::string_view message = {}) {
  std::fprintf(stderr, "%s:%d: check failed: %s%s%.*s\n", ShortPath(file), line, condition, message.empty() ? "" : ": ",
               static_cast<int>(message.size()), message.data());
  std::fflush(stderr);
  std::abort();
}

}  // namespace assay

#define ASSAY_STATUS_JOIN_(a, b) a##b
#define ASSAY_STATUS_NAME_(prefix, line) ASSAY_STATUS_JOIN_(prefix, line)

// ASSAY_CHECK(condition) or ASSAY_CHECK(condition, message): aborts when the condition is false. The message is
// anything that converts to absl::string_view, and is only evaluated then.
#define ASSAY_CHECK(condition, ...)                                                    \
  do {                                                                                 \
    if (!(condition)) [[unlikely]] {                                                   \
      ::assay::CheckFailed(__FILE__, __LINE__, #condition __VA_OPT__(, ) __VA_ARGS__); \
    }                                                                                  \
  } while (false)

// ASSAY_RETURN_IF_ERROR(expression): returns the absl::Status from the enclosing function unless it is OK. That
// function returns absl::Status or absl::StatusOr.
#define ASSAY_RETURN_IF_ERROR(...)                                           \
  do {                                                                       \
    if (::absl::Status assay_status_ = (__VA_ARGS__); !assay_status_.ok()) { \
      return assay_status_;                                                  \
    }                                                                        \
  } while (false)

// ASSAY_ASSIGN_OR_RETURN(lhs, expression): assigns the value of an absl::StatusOr to `lhs`, which may be a declaration
// (`ASSAY_ASSIGN_OR_RETURN(const Model model, Parse(text));`), or returns its error from the enclosing function. More
// than one statement: wants braces after an `if`. A comma in `lhs` needs a type alias.
#define ASSAY_ASSIGN_OR_RETURN(lhs, ...) \
  ASSAY_ASSIGN_OR_RETURN_NAMED_(ASSAY_STATUS_NAME_(assay_status_or_, __LINE__), lhs, (__VA_ARGS__))
#define ASSAY_ASSIGN_OR_RETURN_NAMED_(result, lhs, expression) \
  auto result = expression;                                    \
  if (!result.ok()) {                                          \
    return std::move(result).status();                         \
  }                                                            \
  lhs = *std::move(result)

#endif  // ASSAY_MODEL_STATUS_H_
