// What a tape costs against the same residual written by hand: operations, and machine instructions of an evaluation.
#pragma once

#include <string>

namespace driftless::bench {

/// A table in Markdown. Instructions are counted by stepping a child process through one evaluation (Linux); they are the
/// processor's own count, exact and the same every time, and need no performance counters.
std::string operationTable();

} // namespace driftless::bench
