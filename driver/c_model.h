// A model in the form in which a driver from a shared library is told it (assay_driver.h). Refuses to know the driver.
#pragma once
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "driver/assay_driver.h"
#include "driver/device.h"
#include "model/model.h"
#include "reference/memory.h"

namespace assay {

// InvalidArgument for a model that the C interface has no words for: one with extensions, or an output of a rank above
// ASSAY_MAX_RANK.
absl::Status CheckTellable(const Model& model);

// Keeps all that its structures point to, the constants included: copies, each at a multiple of 64 bytes and with a
// gap behind it, so that a driver that writes to them spoils nothing but is found out. Stays where it is.
class CModel {
 public:
  explicit CModel(const Model& model);
  CModel(const CModel&) = delete;
  CModel& operator=(const CModel&) = delete;

  const AssayModel* get() const { return &told_; }
  const Model& model() const { return model_; }
  // The first constant that is no longer what it was, or behind which something was written.
  std::optional<WrittenConstant> Written() const;

 private:
  // One constant and where its copy lies in `memory_`.
  struct Constant {
    size_t subgraph, operand, offset;
  };
  const Bytes& BytesOf(const Constant& c) const { return *model_.subgraphs[c.subgraph].operands[c.operand].value; }
  void CopyConstants();
  AssayOperand Told(const Operand& operand) const;

  Model model_;
  Block memory_;
  std::vector<Constant> constants_;  // in the order of their subgraphs and operands
  std::vector<std::vector<AssayOperand>> operands_;
  std::vector<std::vector<AssayOperation>> operations_;
  std::vector<AssaySubgraph> subgraphs_;
  AssayModel told_{};
};

}  // namespace assay
