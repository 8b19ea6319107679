// The meaning of statements: puts a test case together from what the statements of a spec say, and refuses what
// contradicts itself. Knows no spelling of a statement: statement_reader.h and example_reader.h do.
//
// Functions that return bool return false on an error, which the cursor keeps.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "model/test_case.h"
#include "spec_dumps/cursor.h"
#include "spec_dumps/spec.h"
#include "spec_dumps/superset.h"

namespace assay {

// An operand in a list: its name, or (superset) the number of one that does not exist.
struct OperandPlace {
  Spot spot;
  std::optional<uint32_t> number;
};

// The statements about a model, in the order in which they must stand.
enum class Stage : uint8_t { kModel, kExtensions, kInputs, kOutputs, kOperations, kFlags };

class CaseBuilder {
 public:
  CaseBuilder(Cursor& cursor, Features declared) : in_(cursor), declared_(declared) {}

  // True if the file's first line names `feature`; else fails at `at` with what the plain grammar wants there.
  bool Allows(Feature feature, size_t at, absl::string_view plain_form);

  // The index that the next operand will have.
  size_t NextOperandIndex() const { return operands_.size(); }
  // `model`: what an operand of lifetime SUBGRAPH refers to; without one it refers by number.
  bool AddOperand(Spot name, Operand operand, const std::optional<Spot>& model);
  bool SetConstantReferences(const std::vector<Spot>& names);
  // Closes the list of operands: they belong to this model.
  bool AddModel(Spot name, absl::string_view title);

  bool AddExtension(Spot model, ExtensionPrefix extension);
  bool SetInputs(Spot model, const std::vector<OperandPlace>& places);
  bool SetOutputs(Spot model, const std::vector<OperandPlace>& places);
  bool AddOperation(Spot model, OperationCode code, const std::vector<OperandPlace>& inputs,
                    const std::vector<OperandPlace>& outputs);
  bool SetRelaxed(Spot model);
  bool SetVersion(Spot model, FeatureLevel level);

  // An example follows, or it is said that there is none: checks and joins the models since the last case, the last one
  // being the main one. Nothing more if that has happened. `at`: where to report that there is no model.
  bool Complete(size_t at);
  // Of a complete case: fails unless `model` is the main one.
  bool CheckMain(Spot model);
  bool is_complete() const { return is_complete_; }
  const Model& model() const { return test_.model; }
  // Where the values of the operand stand in an example: inputs from 0, outputs after them. Nothing if it has no place,
  // or if not every value has an operand of its own.
  std::optional<size_t> PlaceInExample(uint32_t operand) const;
  bool ExamplesNeedPlaces() const { return places_.empty() && !main_lists_are_empty_; }
  // The index of an operand of the main model.
  bool FindOperand(Spot name, uint32_t& index);
  void AddExample(Example example) { test_.examples.push_back(std::move(example)); }
  size_t example_count() const { return test_.examples.size(); }

  // Hands the complete case over and begins the next one.
  SpecCase TakeCase();
  // At the end of the text: no case may be begun and not complete.
  bool CheckEnd();

 private:
  // What a NAME means.
  struct Meaning {
    bool is_model = false;
    size_t model = 0;      // counted over the file; of an operand: the model it belongs to
    uint32_t operand = 0;  // index in its model
  };

  struct ModelDraft {
    Spot spot;
    Subgraph subgraph;
    std::vector<Spot> operand_spots;
    std::vector<std::optional<size_t>> references;  // of operands: the draft they refer to by name
    std::vector<char> listed;                       // of operands: 1 if in the inputs or outputs
    Stage stage = Stage::kModel;
    std::optional<size_t> flag_at;  // the first statement that only a main model may have
    std::vector<ExtensionPrefix> extensions;
    bool relaxed = false;
    std::optional<FeatureLevel> introduced_in;
  };

  bool Define(Spot name, Meaning meaning);
  // The open model, for a statement of `stage` about `model`; null after an error.
  ModelDraft* Statement(Spot model, Stage stage, bool only_once);
  bool Resolve(const std::vector<OperandPlace>& places, std::vector<uint32_t>& indices);
  bool FindOperandOf(size_t model, Spot name, uint32_t& index);
  bool SetList(ModelDraft& draft, const std::vector<OperandPlace>& places, Lifetime lifetime,
               std::vector<uint32_t>& list);
  bool CheckDrafts();
  bool Join();
  void PlaceExampleValues();
  // "m0_op1, an operand of m0", and so on.
  std::string Describe(absl::string_view name) const;

  Cursor& in_;
  Features declared_;
  absl::flat_hash_map<absl::string_view, Meaning> meanings_;
  std::vector<absl::string_view> model_names_;  // of the whole file
  size_t first_model_ = 0;                      // of this case, counted over the file

  // The operands of the model to come.
  std::vector<Operand> operands_;
  std::vector<Spot> operand_spots_;
  std::vector<std::optional<size_t>> references_;
  bool constants_listed_ = false;

  std::vector<ModelDraft> models_;
  bool is_model_open_ = false;  // statements about the last model may follow

  bool is_complete_ = false;
  TestCase test_;
  std::vector<std::string> joined_names_;
  std::vector<std::optional<size_t>> places_;  // see PlaceInExample
  bool main_lists_are_empty_ = false;
};

}  // namespace assay
