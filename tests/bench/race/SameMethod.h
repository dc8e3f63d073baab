// Our explicit methods beside the codes that they are compared with: DOPRI5, DOP853 and ODEX of Hairer and Wanner, where who
// builds the benchmarks has them (HAIRER_OBJECTS).
#pragma once

#include <string>

namespace driftless::bench {

/// Two tables in Markdown. Both sides solve the same problems at the same tolerances in turns, in one process. method: part of
/// its name, where not all are wanted. Without the other side the tables have ours alone.
std::string sameMethod(const std::string& method);

} // namespace driftless::bench
