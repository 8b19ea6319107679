// Exit code 3 where the program would abort.
#pragma once

namespace assay {

// From now on, a failed check or an exception that nobody expects (no memory, no thread) ends the program with exit
// code 3, after what it has told on standard error. Not for a process that runs a driver from a shared library: there
// an abort may be the driver's, and stays one.
void EndFaultsOfOursWithExitCode();

}  // namespace assay
