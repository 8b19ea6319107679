// What each subcommand is given, and the functions that carry them out. Plain data: how it is written on a command line
// is command_line.cc's business.
#pragma once
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace assay {

// The exit codes of the program.
enum ExitCode : int {
  kGood = 0,
  kVerdict = 1,   // a verdict against the driver (or the model, for `validate`)
  kWrongUse = 2,  // wrong use, or unreadable input
  kOurFault = 3,
  kStopped = 130,  // stopped before it was done, as shells tell it
};

// What to draw: common to fuzz, draw, replay and shrink. Nothing where the default is meant.
struct DrawingWords {
  std::optional<std::string> ops, types;  // comma separated
  std::optional<std::string> ranks;       // "1-4", "4"
  std::optional<uint64_t> feature_level, max_operations, max_dim;
  std::optional<std::string> expose;   // none, planned, all
  std::optional<std::string> relaxed;  // never, sometimes, always
  bool no_control_flow = false, static_shapes = false;
};

struct RunCommand {
  std::vector<std::string> files;
  std::string driver;           // empty = the reference
  std::string mode = "golden";  // golden, fast, bounded, all
  double loop_timeout = 2;      // seconds
  std::string dump;
  bool per_operation = false, json = false;
};
struct VerifyCommand {
  std::vector<std::string> folders;
  std::string driver, mode = "golden", junit;
  double loop_timeout = 2;
  int jobs = 1;
  bool json = false;
};
struct FuzzCommand {
  std::string driver;  // empty: that of the campaign which is resumed
  std::string out = "findings";
  DrawingWords drawing;
  std::optional<uint64_t> seconds, graphs, stop_after, seed;
  int jobs = 1;
  std::string resume;
  bool strict = false, json = false, no_files = false;
  std::string command;  // as typed, for reports
};
struct DrawCommand {
  DrawingWords drawing;
  uint64_t graphs = 1, seed = 1;
  std::string out;
  bool statistics = false, json = false;
};
struct ReplayCommand {
  std::string file, driver;  // a tape or a spec
  DrawingWords drawing;
  bool strict = false;
};
struct ShrinkCommand {
  std::string tape, driver, out = "findings";
  DrawingWords drawing;
  uint64_t trials = 20'000, seconds = 600;
  bool strict = false;
};
struct ValidateCommand {
  std::vector<std::string> files;
  int feature_level = 8;
  bool lowest = false, json = false;
};
struct DotCommand {
  std::string file, out;  // out: empty = standard output, one example; else a folder
};
struct OpsCommand {
  std::optional<std::string> operation;  // nothing = the table
  bool json = false;
};
struct DriversCommand {
  bool json = false;
};

int RunFiles(const RunCommand& command);
int Verify(const VerifyCommand& command, std::stop_token stop);
// Starts processes, and minds signals by itself.
int Fuzz(const FuzzCommand& command);
int DrawModels(const DrawCommand& command, std::stop_token stop);
int Replay(const ReplayCommand& command);
int Shrink(const ShrinkCommand& command, std::stop_token stop);
int Validate(const ValidateCommand& command);
int Dot(const DotCommand& command);
int Ops(const OpsCommand& command);
int Drivers(const DriversCommand& command);

// Reads the command line and carries it out. Returns an ExitCode.
int Main(int argc, char** argv);

}  // namespace assay
