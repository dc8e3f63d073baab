// What every shipped model costs with each form and method, and which of them is the best to begin with.
#pragma once

#include <string>

namespace driftless::bench {

/// Lines of comma-separated values, a head first: of each model whose id contains `part` what its file states, what it states
/// for the command, and the fastest of all forms and methods that are no less exact, at a relative tolerance of 1e-6. all:
/// every pair that reaches the end instead.
std::string defaultsTable(const std::string& part, bool all);

} // namespace driftless::bench
