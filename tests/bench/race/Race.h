// Time to reach a measured accuracy: our integrators on our models beside the codes that people would take instead.
#pragma once

#include <string>

namespace driftless::bench {

/// Runs the problems whose title contains `part` and returns a page in Markdown; json receives every point.
std::string race(const std::string& part, std::string& json);

} // namespace driftless::bench
