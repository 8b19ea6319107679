#include "reference/hooks.h"

namespace assay {

void ExecutionHooks::ChangeLifetimes(const Model&, uint32_t, std::span<TensorLifetime>) const {}

bool ExecutionHooks::RewriteCall(const OperationPlace&, CallRewrite&) const { return false; }

void ExecutionHooks::ChangeOutputs(const OperationPlace&, std::span<const TensorRef>,
                                   std::span<const TensorRef>) const {}

bool ExecutionHooks::ChooseBranch(const OperationPlace&, bool condition) const { return condition; }

bool ExecutionHooks::ContinueLoop(const OperationPlace&, uint64_t, bool condition) const { return condition; }

bool ExecutionHooks::ForgetLastIteration(const OperationPlace&) const { return false; }

void ExecutionHooks::AfterExecution(uint64_t) const {}

}  // namespace assay
