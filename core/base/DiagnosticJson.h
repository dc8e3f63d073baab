// A Diagnostic as programs read it.
#pragma once

#include <string>

#include "core/base/Diagnostic.h"

namespace driftless {

/// {"what","where","why","try"}, with the place in a file before "where".
std::string diagnosticJson(const Diagnostic& diagnostic);

} // namespace driftless
