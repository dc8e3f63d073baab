// Time to reach a measured accuracy: our integrators on our models beside IDA on the same equations as straight C.
#pragma once

#include <string>

namespace driftless::bench {

/// Runs all problems and returns a page in Markdown; json receives every point.
std::string race(std::string& json);

} // namespace driftless::bench
