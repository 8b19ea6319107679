// The command line: every subcommand's options, and examples in its help. The only file that knows CLI11.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <optional>
#include <stop_token>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "assay/child.h"
#include "assay/command.h"
#include "assay/our_fault.h"
#include "assay/signal_watch.h"
#include "assay/words.h"
#include "campaign/header.h"
#include "driver/open.h"
#include "model/nearest_name.h"

namespace assay {
namespace {

// Digits only, within bounds: CLI11 lets -1 wrap around, and what is too large end at the largest number.
CLI::Validator Whole(uint64_t least, uint64_t most) {
  return CLI::Validator(
      [=](std::string& text) {
        uint64_t value = 0;
        const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
        if (digits && absl::SimpleAtoi(text, &value) && value >= least && value <= most) return std::string();
        return absl::StrCat("\"", text, "\" is not a whole number from ", least, " to ", most);
      },
      most == UINT64_MAX ? absl::StrCat("from ", least) : absl::StrCat(least, " to ", most));
}

// What would overflow as a time is refused, and what is no number.
CLI::Validator LoopTimeout() {
  return CLI::Validator(
      [](std::string& text) {
        double value = 0;
        if (absl::SimpleAtod(text, &value) && value > 0 && value <= 15) return std::string();
        return absl::StrCat("\"", text, "\" is not a number of seconds above 0 and up to 15");
      },
      "up to 15");
}

CLI::Validator NotEmpty() {
  return CLI::Validator([](std::string& text) { return text.empty() ? std::string("the name is empty") : ""; }, "");
}

CLI::Validator OneOf(std::vector<std::string> words) {
  const std::string list = absl::StrJoin(words, ", ");
  return CLI::Validator(
      [words, list](std::string& text) {
        if (std::find(words.begin(), words.end(), text) != words.end()) return std::string();
        return absl::StrCat("\"", text, "\" is none of ", list);
      },
      list);
}

constexpr uint64_t kMostSeconds = 1'000'000'000;  // some 30 years: far from where times overflow
constexpr uint64_t kMostJobs = 256;

void AddDrawing(CLI::App& app, DrawingWords& words) {
  app.add_option("--ops", words.ops, "only these operations: CONV_2D,ADD (default: all)");
  app.add_option("--types", words.types, "only these operand types: TENSOR_FLOAT32,TENSOR_QUANT8_ASYMM (default: all)");
  app.add_option("--ranks", words.ranks, "ranks of tensors that may have any: 3, or 1-4");
  app.add_option("--feature-level", words.feature_level, "models are valid at this NNAPI feature level")
      ->check(Whole(1, 8));
  app.add_option("--max-operations", words.max_operations, "operations of a main graph, at most")
      ->check(Whole(1, 1000));
  app.add_option("--max-dim", words.max_dim, "the largest dimension drawn")->check(Whole(1, 65536));
  app.add_option("--expose", words.expose, "internal tensors that become outputs (default: planned)")
      ->check(OneOf({"none", "planned", "all"}));
  app.add_option("--relaxed", words.relaxed, "models that allow float32 to be computed as float16 (default: sometimes)")
      ->check(OneOf({"never", "sometimes", "always"}));
  app.add_flag("--no-control-flow", words.no_control_flow, "no IF and WHILE");
  app.add_flag("--static-shapes", words.static_shapes, "no unknown dimensions and ranks");
}

CLI::Option* AddDriver(CLI::App& app, std::string& driver) {
  return app.add_option("-d,--driver", driver, "fast, jitter:NAME, faulty:NAME (see `assay drivers`) or ./mine.so");
}

// Where examples run: on a driver, or on the reference in some mode.
void AddPlace(CLI::App& app, std::string& driver, std::string& mode) {
  auto* on_driver = app.add_option("-d,--driver", driver, "run on this driver instead of the reference");
  app.add_option("--mode", mode,
                 "what the reference is asked for; bounded: expected values and the fast answer lie inside the bounds")
      ->check(OneOf({"golden", "fast", "bounded", "all"}))
      ->excludes(on_driver)
      ->capture_default_str();
}

std::string Joined(int argc, char** argv) {
  std::string out = "assay";
  for (int i = 1; i < argc; ++i) absl::StrAppend(&out, " ", ShellWord(argv[i]));
  return out;
}

std::vector<std::string> NamesOf(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands({})) names.push_back(sub->get_name());
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

// "; did you mean --seconds?"
std::string Advice(const CLI::App& app, const std::string& word) {
  const std::vector<std::string> names = NamesOf(app);
  return DidYouMean(word, std::vector<absl::string_view>(names.begin(), names.end()));
}

// One line that names what is wrong, and one that says where to read on.
std::string TellError(const CLI::App* app, const CLI::Error& error) {
  const CLI::App* chosen = app;
  for (const CLI::App* sub : app->get_subcommands()) chosen = sub;
  std::string message = error.what();
  // The packaged sentence lists all such words, but no better one.
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError)) {
    const std::vector<std::string> words = app->remaining(true);
    const auto option = std::find_if(words.begin(), words.end(), [](const auto& w) { return w.rfind("-", 0) == 0; });
    const std::string word = option != words.end() ? *option : words.empty() ? "" : words.front();
    if (!word.empty()) message = absl::StrCat("\"", word, "\" is no option or argument here", Advice(*chosen, word));
  }
  return absl::StrCat("assay: ", message, "\n`assay ", chosen == app ? "" : absl::StrCat(chosen->get_name(), " "),
                      "--help` says more.\n");
}

constexpr const char* kExitCodes =
    "exit codes: 0 good, 1 a verdict against the driver or model, 2 wrong use or unreadable input, 3 a fault of ours, "
    "130 "
    "stopped";

// All subcommands with their options, and what was chosen.
class CommandLine {
 public:
  CommandLine() {
    app_.require_subcommand(1);
    app_.failure_message(TellError);
    app_.set_version_flag("--version", absl::StrCat("assay ", Version(), " (", ProcessorIsa(), ")"));
    app_.footer(
        absl::StrCat("examples:\n  assay fuzz --driver ./mine.so --seconds 60\n  assay verify folder/with/specs --mode "
                     "all\n  assay run spec.mod.py --driver ./mine.so\nassay COMMAND --help says more.\n",
                     kExitCodes));
    AddExamples();
    AddCampaigns();
    AddTools();
  }

  int Run(int argc, char** argv) {
    // CLI11 would only say that there must be a subcommand.
    const std::vector<std::string> names = NamesOf(app_);
    const std::string word = argc > 1 ? argv[1] : "";
    if (!word.empty() && word[0] != '-' && std::find(names.begin(), names.end(), word) == names.end())
      return Complain(absl::InvalidArgumentError(absl::StrCat("there is no command \"", word, "\"", Advice(app_, word),
                                                              " (`assay --help` lists them)")),
                      kWrongUse);
    try {
      app_.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      return app_.exit(error) == 0 ? kGood : kWrongUse;
    }
    fuzz_.command = Joined(argc, argv);
    if (chosen("fuzz")) return Fuzz(fuzz_);
    const std::string drivers[] = {run_.driver, verify_.driver, replay_.driver, shrink_.driver};
    if (std::any_of(std::begin(drivers), std::end(drivers), [](const auto& d) { return IsLibraryPath(d); }))
      return DispatchInChild();
    EndFaultsOfOursWithExitCode();
    return Dispatch();
  }

 private:
  // Only what looks at a stop token takes the signals; the others are ended by them.
  int Dispatch() {
    const bool stops = chosen("verify") || chosen("draw") || chosen("shrink");
    std::optional<SignalWatch> watch;
    const std::stop_token stop = stops ? watch.emplace().token() : std::stop_token();
    if (chosen("run")) return RunFiles(run_);
    if (chosen("verify")) return Verify(verify_, stop);
    if (chosen("draw")) return DrawModels(draw_, stop);
    if (chosen("replay")) return Replay(replay_);
    if (chosen("shrink")) return Shrink(shrink_, stop);
    if (chosen("validate")) return Validate(validate_);
    if (chosen("dot")) return Dot(dot_);
    if (chosen("ops")) return Ops(ops_);
    return Drivers(drivers_);
  }
  // A driver that ends the process, even with exit code 0, must not look like a good one.
  int DispatchInChild() {
    bool interrupted = false;
    const ChildEnd end = RunInChild([this] { return Dispatch(); }, interrupted);
    if (!end.death) return end.exit_code;
    if (interrupted && end.was_killed) return kStopped;
    std::fprintf(stderr, "assay: the driver's process died: %s\n", end.death->c_str());
    return kVerdict;
  }

  bool chosen(const char* name) { return app_.got_subcommand(name); }
  CLI::App& Add(const char* name, const char* says, const char* examples) {
    CLI::App& sub = *app_.add_subcommand(name, says);
    sub.footer(absl::StrCat("examples:\n", examples, kExitCodes));
    return sub;
  }

  void AddExamples() {
    CLI::App& run = Add("run", "run the examples of spec files, on the reference or on a driver",
                        "  assay run conv.mod.py\n  assay run conv.mod.py --mode all --per-operation\n  assay run "
                        "finding.mod.py --driver ./mine.so\n  assay run net.mod.py --dump tensors\n");
    run.add_option("FILES", run_.files, "spec files (.mod.py)")->required();
    AddPlace(run, run_.driver, run_.mode);
    run.add_option("--loop-timeout", run_.loop_timeout, "seconds for each WHILE, at most 15")
        ->check(LoopTimeout())
        ->capture_default_str();
    run.add_option("--dump", run_.dump, "write every operand of the reference as NumPy .npy below this folder")
        ->check(NotEmpty());
    run.add_flag("--per-operation", run_.per_operation,
                 "shape, range, error against golden and time of each operation, on the reference");
    run.add_flag("--json", run_.json, "print JSON");

    CLI::App& verify = Add("verify", "run all examples below some folders, with a summary by operation",
                           "  assay verify conformance\n  assay verify conformance --mode all --junit report.xml\n  "
                           "assay verify conformance --driver ./mine.so --jobs 2\n");
    verify.add_option("FOLDERS", verify_.folders, "folders, or single spec files")->required();
    AddPlace(verify, verify_.driver, verify_.mode);
    verify.add_option("--junit", verify_.junit, "also write the results as JUnit XML")->check(NotEmpty());
    verify.add_option("--loop-timeout", verify_.loop_timeout, "seconds for each WHILE, at most 15")
        ->check(LoopTimeout())
        ->capture_default_str();
    verify.add_option("-j,--jobs", verify_.jobs, "threads")->check(Whole(1, kMostJobs))->capture_default_str();
    verify.add_flag("--json", verify_.json, "print JSON");
  }

  void AddCampaigns() {
    CLI::App& fuzz = Add("fuzz", "draw random graphs, run them on a driver, judge every element, shrink what fails",
                         "  assay fuzz --driver fast --seconds 10\n  assay fuzz --driver ./mine.so --jobs 2 --out "
                         "findings  # until Ctrl-C\n  assay fuzz --resume findings\n  assay "
                         "fuzz --driver ./mine.so --ops CONV_2D,ADD --types TENSOR_FLOAT16 --graphs 10000\n");
    AddDriver(fuzz, fuzz_.driver);
    fuzz.add_option("--seconds", fuzz_.seconds, "end after this time")->check(Whole(1, kMostSeconds));
    fuzz.add_option("--graphs", fuzz_.graphs, "end after so many graphs, those before --resume included")
        ->check(Whole(1, UINT64_MAX));
    fuzz.add_option("--stop-after", fuzz_.stop_after, "end after so many findings")->check(Whole(1, UINT64_MAX));
    fuzz.add_option("--seed", fuzz_.seed, "the same seed draws the same graphs (default: 1)")
        ->check(Whole(0, UINT64_MAX));
    fuzz.add_option("-j,--jobs", fuzz_.jobs, "threads; what is found does not depend on it")
        ->check(Whole(1, kMostJobs))
        ->capture_default_str();
    auto* out = fuzz.add_option("-o,--out", fuzz_.out, "folder for findings and for the state of the campaign")
                    ->check(NotEmpty())
                    ->capture_default_str();
    auto* none = fuzz.add_flag("--no-files", fuzz_.no_files, "write nothing")->excludes(out);
    fuzz.add_option("--resume", fuzz_.resume,
                    "go on with the campaign in this folder: driver, seed and drawing options are those it has")
        ->check(NotEmpty())
        ->excludes(out)
        ->excludes(none);
    fuzz.add_flag("--strict", fuzz_.strict, "judge by rounding alone, without the CTS absolute term");
    fuzz.add_flag("--json", fuzz_.json, "print a summary as JSON, and nothing else");
    AddDrawing(fuzz, fuzz_.drawing);

    CLI::App& draw = Add("draw", "write random models with golden outputs as spec files",
                         "  assay draw --graphs 100 --seed 7 --out models\n  assay draw --graphs 1000 --statistics\n");
    draw.add_option("--graphs", draw_.graphs, "how many")->check(Whole(1, UINT64_MAX))->capture_default_str();
    draw.add_option("--seed", draw_.seed, "the same seed draws the same graphs")
        ->check(Whole(0, UINT64_MAX))
        ->capture_default_str();
    draw.add_option("-o,--out", draw_.out, "folder")->check(NotEmpty());
    draw.add_flag("--statistics", draw_.statistics, "print what the models are like");
    draw.add_flag("--json", draw_.json, "print a summary as JSON");
    AddDrawing(draw, draw_.drawing);

    CLI::App& replay = Add("replay", "run a finding's tape or spec on a driver and judge it by the bounds",
                           "  assay replay findings/.../tape --driver ./mine.so\n  assay replay "
                           "findings/.../finding.mod.py --driver ./mine.so\n");
    replay.add_option("FILE", replay_.file, "a tape, or a spec (.py)")->required();
    AddDriver(replay, replay_.driver)->required();
    replay.add_flag("--strict", replay_.strict, "judge by rounding alone");
    AddDrawing(replay, replay_.drawing);

    CLI::App& shrink = Add("shrink", "make the failing graph of a tape smaller",
                           "  assay shrink findings/.../tape --driver ./mine.so --out smaller\n");
    shrink.add_option("TAPE", shrink_.tape, "a finding's tape")->required();
    AddDriver(shrink, shrink_.driver)->required();
    shrink.add_option("-o,--out", shrink_.out, "folder for the result")->check(NotEmpty())->capture_default_str();
    shrink.add_option("--trials", shrink_.trials, "graphs to try, at most")
        ->check(Whole(1, 1'000'000'000))
        ->capture_default_str();
    shrink.add_option("--seconds", shrink_.seconds, "time, at most")
        ->check(Whole(1, kMostSeconds))
        ->capture_default_str();
    shrink.add_flag("--strict", shrink_.strict, "judge by rounding alone");
    AddDrawing(shrink, shrink_.drawing);
  }

  void AddTools() {
    CLI::App& validate =
        Add("validate", "is a model valid at a feature level, and what is broken?",
            "  assay validate model.mod.py --feature-level 3\n  assay validate model.mod.py --lowest\n");
    validate.add_option("FILES", validate_.files, "spec files")->required();
    validate.add_option("--feature-level", validate_.feature_level, "1 = NNAPI 1.0 ... 4 = 1.3, 5..8 = AIDL v1..v4")
        ->check(Whole(1, 8))
        ->capture_default_str();
    validate.add_flag("--lowest", validate_.lowest, "also the lowest level at which it is valid, and what raises it");
    validate.add_flag("--json", validate_.json, "print JSON");

    CLI::App& dot = Add("dot", "draw models as graphs for Graphviz",
                        "  assay dot model.mod.py | dot -Tsvg > model.svg\n  assay dot models.mod.py --out graphs\n");
    dot.add_option("FILE", dot_.file, "a spec file")->required();
    dot.add_option("-o,--out", dot_.out, "write one .dot for each model into this folder")->check(NotEmpty());

    CLI::App& ops = Add("ops", "the operations that are implemented", "  assay ops\n  assay ops CONV_2D\n");
    ops.add_option("OPERATION", ops_.operation, "only this one, with operands, types and rules");
    ops.add_flag("--json", ops_.json, "print JSON");

    CLI::App& drivers = Add("drivers", "the built-in devices", "  assay drivers\n");
    drivers.add_flag("--json", drivers_.json, "print JSON");
  }

  CLI::App app_{"Assay tests drivers of the Android Neural Networks API against a reference.", "assay"};
  RunCommand run_;
  VerifyCommand verify_;
  FuzzCommand fuzz_;
  DrawCommand draw_;
  ReplayCommand replay_;
  ShrinkCommand shrink_;
  ValidateCommand validate_;
  DotCommand dot_;
  OpsCommand ops_;
  DriversCommand drivers_;
};

}  // namespace

int Main(int argc, char** argv) {
  const int code = CommandLine().Run(argc, argv);
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  return Complain(absl::DataLossError("standard output: not all could be written"), kWrongUse);
}

}  // namespace assay
