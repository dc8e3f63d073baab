// The functions that a text may call, for those who complete, mark or reserve words.
#pragma once

#include <string>
#include <vector>

namespace driftless::expr {

/// In alphabetical order: those of the operator table, and sqrt.
const std::vector<std::string>& functionNames();

} // namespace driftless::expr
