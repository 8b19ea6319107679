// The command line: every subcommand's options, and examples in its help. The only file that knows CLI11.
#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "absl/strings/str_cat.h"
#include "assay/command.h"
#include "campaign/header.h"

namespace assay {
namespace {

volatile std::sig_atomic_t interrupted = 0;

// The first signal asks for an orderly end; the second ends at once.
extern "C" void OnSignal(int) {
  if (interrupted != 0) std::_Exit(130);
  interrupted = 1;
}

// Turns the signal into a stop token: a handler may do little more than set a flag.
class SignalWatch {
 public:
  SignalWatch() {
    std::signal(SIGINT, OnSignal);
    std::signal(SIGTERM, OnSignal);
    thread_ = std::jthread([this](std::stop_token end) {
      while (!end.stop_requested() && interrupted == 0) std::this_thread::sleep_for(std::chrono::milliseconds(50));
      if (interrupted != 0) source_.request_stop();
    });
  }
  std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::jthread thread_;
};

void AddDrawing(CLI::App& app, DrawingWords& words) {
  app.add_option("--ops", words.ops, "only these operations: CONV_2D,ADD (default: all)");
  app.add_option("--types", words.types, "only these operand types: TENSOR_FLOAT32,TENSOR_QUANT8_ASYMM (default: all)");
  app.add_option("--ranks", words.ranks, "ranks of tensors that may have any: 3, or 1-4");
  app.add_option("--feature-level", words.feature_level, "models are valid at this NNAPI feature level")
      ->check(CLI::Range(1, 8));
  app.add_option("--max-operations", words.max_operations, "operations of a main graph, at most")
      ->check(CLI::PositiveNumber);
  app.add_option("--max-dim", words.max_dim, "the largest dimension drawn")->check(CLI::PositiveNumber);
  app.add_option("--expose", words.expose, "internal tensors that become outputs")
      ->check(CLI::IsMember({"none", "planned", "all"}));
  app.add_option("--relaxed", words.relaxed, "models that allow float32 to be computed as float16")
      ->check(CLI::IsMember({"never", "sometimes", "always"}));
  app.add_flag("--no-control-flow", words.no_control_flow, "no IF and WHILE");
  app.add_flag("--static-shapes", words.static_shapes, "no unknown dimensions and ranks");
}

void AddDriver(CLI::App& app, std::string& driver, bool required) {
  auto* option = app.add_option("-d,--driver", driver,
                                required ? "fast, jitter:NAME, faulty:NAME (see `assay drivers`) or ./mine.so"
                                         : "run on this driver instead of the reference");
  if (required) option->required();
}

void AddMode(CLI::App& app, std::string& mode) {
  app.add_option("--mode", mode,
                 "what the reference is asked for; bounded: expected values and the fast answer lie inside the bounds")
      ->check(CLI::IsMember({"golden", "fast", "bounded", "all"}))
      ->capture_default_str();
}

std::string Joined(int argc, char** argv) {
  std::string out = "assay";
  for (int i = 1; i < argc; ++i) absl::StrAppend(&out, " ", argv[i]);
  return out;
}

constexpr const char* kExitCodes =
    "exit codes: 0 good, 1 a verdict against the driver or model, 2 wrong use or unreadable input, 3 a fault of ours";

// All subcommands with their options, and what was chosen.
class CommandLine {
 public:
  CommandLine() {
    app_.require_subcommand(1);
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
    try {
      app_.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      return app_.exit(error) == 0 ? kGood : kWrongUse;
    }
    fuzz_.command = Joined(argc, argv);
    const SignalWatch watch;
    if (chosen("run")) return RunFiles(run_);
    if (chosen("verify")) return Verify(verify_, watch.token());
    if (chosen("fuzz")) return Fuzz(fuzz_, watch.token());
    if (chosen("draw")) return DrawModels(draw_, watch.token());
    if (chosen("replay")) return Replay(replay_);
    if (chosen("shrink")) return Shrink(shrink_, watch.token());
    if (chosen("validate")) return Validate(validate_);
    if (chosen("dot")) return Dot(dot_);
    if (chosen("ops")) return Ops(ops_);
    return Drivers(drivers_);
  }

 private:
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
    AddDriver(run, run_.driver, false);
    AddMode(run, run_.mode);
    run.add_option("--loop-timeout", run_.loop_timeout, "seconds for each WHILE, at most 15")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    run.add_option("--dump", run_.dump, "write every operand of the reference as NumPy .npy below this folder");
    run.add_flag("--per-operation", run_.per_operation,
                 "shape, range, error against golden and time of each operation, on the reference");
    run.add_flag("--json", run_.json, "print JSON");

    CLI::App& verify = Add("verify", "run all examples below some folders, with a summary by operation",
                           "  assay verify conformance\n  assay verify conformance --mode all --junit report.xml\n  "
                           "assay verify conformance --driver ./mine.so --jobs 2\n");
    verify.add_option("FOLDERS", verify_.folders, "folders, or single spec files")->required();
    AddDriver(verify, verify_.driver, false);
    AddMode(verify, verify_.mode);
    verify.add_option("--junit", verify_.junit, "also write the results as JUnit XML");
    verify.add_option("--loop-timeout", verify_.loop_timeout, "seconds for each WHILE, at most 15")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    verify.add_option("-j,--jobs", verify_.jobs, "threads")->check(CLI::Range(1, 256))->capture_default_str();
    verify.add_flag("--json", verify_.json, "print JSON");
  }

  void AddCampaigns() {
    CLI::App& fuzz = Add("fuzz", "draw random graphs, run them on a driver, judge every element, shrink what fails",
                         "  assay fuzz --driver fast --seconds 10\n  assay fuzz --driver ./mine.so --jobs 2 --out "
                         "findings      (until Ctrl-C)\n  assay fuzz --driver ./mine.so --resume findings\n  assay "
                         "fuzz --driver ./mine.so --ops CONV_2D,ADD --types TENSOR_FLOAT16 --graphs 10000\n");
    AddDriver(fuzz, fuzz_.driver, true);
    fuzz.add_option("--seconds", fuzz_.seconds, "end after this time");
    fuzz.add_option("--graphs", fuzz_.graphs, "end after so many graphs");
    fuzz.add_option("--stop-after", fuzz_.stop_after, "end after so many findings")->check(CLI::PositiveNumber);
    fuzz.add_option("--seed", fuzz_.seed, "the same seed draws the same graphs")->capture_default_str();
    fuzz.add_option("-j,--jobs", fuzz_.jobs, "threads; what is found does not depend on it")
        ->check(CLI::Range(1, 256))
        ->capture_default_str();
    auto* out = fuzz.add_option("-o,--out", fuzz_.out, "folder for findings and for the state of the campaign")
                    ->capture_default_str();
    auto* none = fuzz.add_flag("--no-files", fuzz_.no_files, "write nothing")->excludes(out);
    fuzz.add_option("--resume", fuzz_.resume, "go on with the campaign in this folder (same seed, driver and options)")
        ->excludes(out)
        ->excludes(none);
    fuzz.add_flag("--strict", fuzz_.strict, "judge by rounding alone, without the CTS absolute term");
    fuzz.add_flag("--json", fuzz_.json, "print a summary as JSON, and nothing else");
    AddDrawing(fuzz, fuzz_.drawing);

    CLI::App& draw = Add("draw", "write random models with golden outputs as spec files",
                         "  assay draw --graphs 100 --seed 7 --out models\n  assay draw --graphs 1000 --statistics\n");
    draw.add_option("--graphs", draw_.graphs, "how many")->capture_default_str();
    draw.add_option("--seed", draw_.seed, "the same seed draws the same graphs")->capture_default_str();
    draw.add_option("-o,--out", draw_.out, "folder");
    draw.add_flag("--statistics", draw_.statistics, "print what the models are like");
    draw.add_flag("--json", draw_.json, "print a summary as JSON");
    AddDrawing(draw, draw_.drawing);

    CLI::App& replay = Add("replay", "run a finding's tape or spec on a driver and judge it by the bounds",
                           "  assay replay findings/.../tape --driver ./mine.so\n  assay replay "
                           "findings/.../finding.mod.py --driver ./mine.so\n");
    replay.add_option("FILE", replay_.file, "a tape, or a spec (.py)")->required();
    AddDriver(replay, replay_.driver, true);
    replay.add_flag("--strict", replay_.strict, "judge by rounding alone");
    AddDrawing(replay, replay_.drawing);

    CLI::App& shrink = Add("shrink", "make the failing graph of a tape smaller",
                           "  assay shrink findings/.../tape --driver ./mine.so --out smaller\n");
    shrink.add_option("TAPE", shrink_.tape, "a finding's tape")->required();
    AddDriver(shrink, shrink_.driver, true);
    shrink.add_option("-o,--out", shrink_.out, "folder for the result")->capture_default_str();
    shrink.add_option("--trials", shrink_.trials, "graphs to try, at most")->capture_default_str();
    shrink.add_option("--seconds", shrink_.seconds, "time, at most")->capture_default_str();
    AddDrawing(shrink, shrink_.drawing);
  }

  void AddTools() {
    CLI::App& validate =
        Add("validate", "is a model valid at a feature level, and what is broken?",
            "  assay validate model.mod.py --feature-level 3\n  assay validate model.mod.py --lowest\n");
    validate.add_option("FILES", validate_.files, "spec files")->required();
    validate.add_option("--feature-level", validate_.feature_level, "1 = NNAPI 1.0 ... 4 = 1.3, 5..8 = AIDL v1..v4")
        ->check(CLI::Range(1, 8))
        ->capture_default_str();
    validate.add_flag("--lowest", validate_.lowest, "also the lowest level at which it is valid, and what raises it");
    validate.add_flag("--json", validate_.json, "print JSON");

    CLI::App& dot = Add("dot", "draw models as graphs for Graphviz",
                        "  assay dot model.mod.py | dot -Tsvg > model.svg\n  assay dot models.mod.py --out graphs\n");
    dot.add_option("FILE", dot_.file, "a spec file")->required();
    dot.add_option("-o,--out", dot_.out, "write one .dot for each model into this folder");

    CLI::App& ops = Add("ops", "the operations that are implemented", "  assay ops\n  assay ops CONV_2D\n");
    ops.add_option("OPERATION", ops_.operation, "only this one, with operands, types and rules");
    ops.add_flag("--json", ops_.json, "print JSON");

    CLI::App& drivers = Add("drivers", "the built-in devices", "  assay drivers\n");
    drivers.add_flag("--json", drivers_.json, "print JSON");
  }

  CLI::App app_{"Assay tests drivers of the Android Neural Networks API against a reference."};
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

int Main(int argc, char** argv) { return CommandLine().Run(argc, argv); }

}  // namespace assay
