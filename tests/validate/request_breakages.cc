// Requests that break a rule.
#include "tests/validate/breakages.h"
#include "validate/report.h"

namespace assay {
namespace {

using enum OperandType;

struct Asked {
  Model model;
  RequestShape request;
  FeatureLevel level = kHighestFeatureLevel;
  RequestArgument& input() { return request.inputs[0]; }
  RequestArgument& output() { return request.outputs[0]; }
  Operand& output_operand() { return model.main().operands[model.main().outputs[0]]; }
  Operand& input_operand() { return model.main().operands[model.main().inputs[0]]; }
};

// The sample with its input and its output at pointers.
Breakage Of(std::string rule, std::string how, std::function<void(Asked&)> edit) {
  return {std::move(rule), std::move(how), [edit = std::move(edit)] {
            Asked asked;
            asked.model = Sample().Build();
            asked.request.inputs = {{.length = 24}};
            asked.request.outputs = {{.length = 24}};
            edit(asked);
            return ValidateRequest(asked.model, asked.request, asked.level);
          }};
}

void IntoPool(Asked& a, RequestPool pool) {
  a.request.pools = {pool};
  a.input().source = Source::POOL;
}

}  // namespace

std::vector<Breakage> RequestBreakages() {
  return {
      Of("request.model", "no subgraph", [](Asked& a) { a.model.subgraphs.clear(); }),
      Of("request.model", "index", [](Asked& a) { a.model.main().inputs[0] = 99; }),
      Of("request.input_count", "none", [](Asked& a) { a.request.inputs.clear(); }),
      Of("request.output_count", "two", [](Asked& a) { a.request.outputs.push_back(a.output()); }),
      Of("request.source", "3", [](Asked& a) { a.input().source = Source{3}; }),
      Of("request.no_value", "with a length", [](Asked& a) { a.input().source = Source::NO_VALUE; }),
      Of("request.no_value", "with dimensions",
         [](Asked& a) {
           a.input() = {.source = Source::NO_VALUE, .dims = {2, 3}};
         }),
      Of("request.pointer", "null", [](Asked& a) { a.output().null = true; }),
      Of("request.pointer", "offset", [](Asked& a) { a.input().offset = 4; }),
      Of("request.pointer", "pool", [](Asked& a) { a.input().pool = 1; }),
      Of("request.empty", "pointer", [](Asked& a) { a.input().length = 0; }),
      Of("request.empty", "pool",
         [](Asked& a) {
           IntoPool(a, {.size = 24});
           a.input().length = 0;
         }),
      Of("request.pool", "none", [](Asked& a) { a.input().source = Source::POOL; }),
      Of("request.range", "one byte too long",
         [](Asked& a) {
           IntoPool(a, {.size = 27});
           a.input().offset = 4;
         }),
      Of("request.range", "offset wraps",
         [](Asked& a) {
           IntoPool(a, {.size = 100});
           a.input().offset = 0xFFFFFFFFFFFFFFF0;
         }),
      Of("request.range", "padding wraps",
         [](Asked& a) {
           IntoPool(a, {.size = 100});
           a.input().padding = 0xFFFFFFFFFFFFFFF0;
         }),
      Of("request.buffer", "length", [](Asked& a) { IntoPool(a, {.is_buffer = true}); }),
      Of("request.rank", "1 of 2", [](Asked& a) { a.input().dims = {6}; }),
      Of("request.rank", "of a scalar",
         [](Asked& a) {
           a.input_operand().type = INT32;
           a.input_operand().dims = {};
           a.input() = {.dims = {1}, .length = 4};
         }),
      Of("request.dimension", "another",
         [](Asked& a) {
           a.input().dims = {3, 2};
         }),
      Of("request.dimension", "0 for a known one",
         [](Asked& a) {
           a.output().dims = {0, 3};
         }),
      Of("request.dimension", "the greatest",
         [](Asked& a) {
           a.output().dims = {0xFFFFFFFF, 3};
         }),
      Of("request.unspecified", "input",
         [](Asked& a) {
           a.input_operand().dims = {0, 3};
         }),
      Of("request.unspecified", "input given as 0",
         [](Asked& a) {
           a.input_operand().dims = {0, 3};
           a.input().dims = {0, 3};
         }),
      Of("request.unspecified", "output at level 2",
         [](Asked& a) {
           a.output_operand().dims = {0, 3};
           a.level = 2;
         }),
      Of("request.unspecified", "output, fenced",
         [](Asked& a) {
           a.output_operand().dims = {};
           a.request.fenced = true;
         }),
      Of("request.size", "2^32 bytes",
         [](Asked& a) {
           a.input_operand().dims = {0, 0};
           a.input().dims = {1 << 15, 1 << 15};
         }),
      Of("request.length", "too short", [](Asked& a) { a.input().length = 23; }),
      Of("request.length", "too long", [](Asked& a) { a.output().length = 25; }),
      Of("request.length", "by the request's dimensions",
         [](Asked& a) {
           a.input_operand().dims = {0, 3};
           a.input().dims = {3, 3};
         }),
      Of("level.fenced", "3",
         [](Asked& a) {
           a.request.fenced = true;
           a.level = 3;
         }),
      Of("level.buffer", "3",
         [](Asked& a) {
           IntoPool(a, {.is_buffer = true});
           a.input().length = 0;
           a.level = 3;
         }),
      Of("level.padding", "4",
         [](Asked& a) {
           a.input().padding = 8;
           a.level = 4;
         }),
      // Not of requests, but the cap can be reached in one as well.
      {"model.more", "the cap",
       [] {
         Report report(0);
         const Model model;
         report.That(false, Rule{"any", Stage::kModel, ""}, Place::OfModel(model), "broken");
         return report.Take();
       }},
  };
}

}  // namespace assay
