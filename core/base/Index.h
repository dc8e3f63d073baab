// Indices are int, as in Eigen; containers count in std::size_t.
#pragma once

#include <cstddef>

namespace driftless {

/// An index that is known not to be negative, for operator[].
constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

} // namespace driftless
