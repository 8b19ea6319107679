// From a chosen operation to an operation of the draft: draws a call, checks it as a stranger would, infers its results
// and adds them. Refuses to know one operation from another.
#pragma once
#include <vector>

#include "ops/operation.h"
#include "randomgraph/call_drawing.h"
#include "randomgraph/draft.h"

namespace assay {

// An operation and the type row to draw.
struct RowChoice {
  const OperationInfo* info = nullptr;
  const TypeRow* row = nullptr;
};

// All rows that the options allow, grouped by operation, in the registry's order; control flow is not among them.
std::vector<RowChoice> RowsFor(const Options& options);

// Whether the judge will see the result of an operation, as the options' policy says, and what that means for its plan.
void DecideExposure(Session& session, const Draft& draft, const Operand& operand, Plan& plan);

// What a call shall do with the tensors that the draft has.
enum class Join : uint8_t {
  kFree,    // what the choices say
  kPrefer,  // its first tensor is an existing one wherever one fits
  kDemand,  // the same, and the call is dropped if it reads none
};

// Draws one call; true if it became an operation, the last one of the draft. Otherwise the draft is as before, and the
// session says why.
bool PlaceCall(Session& session, Draft& draft, const RowChoice& choice, Join join, const Target* target = nullptr);

// Chooses one of the rows (most often one whose first tensor can be an existing one) and draws it.
bool PlaceAny(Session& session, Draft& draft, const std::vector<RowChoice>& rows);

}  // namespace assay
