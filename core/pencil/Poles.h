// Poles of f inside of the interval of a solution; private to this room.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/expr/Expr.h"

namespace driftless::pencil {

struct Pole {
    double t = 0;
    std::string divisor; ///< what is zero there
};

/// The first t in (0, end] where one of the expressions in t is divided by zero and size(t) grows like a power of the distance.
/// size is what the expressions make together, not finite where one has no value: a zero that cancels is no pole. Looks at
/// 2,049 points in time and at the first 400 divisors: a bound on the work, for a text of any length. Beyond the third
/// derivative round-off hides what cancels, and the answer may be wrong either way.
std::optional<Pole> firstPole(const std::vector<std::vector<expr::Expr>>& f, double end,
                              const std::function<double(double)>& size);

} // namespace driftless::pencil
