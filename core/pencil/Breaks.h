// Where f of a linear DAE breaks the solution inside of its interval; private to this room.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/expr/Expr.h"

namespace driftless::pencil {

/// Beyond this time there is no solution, or none that is a function.
struct Break {
    double t = 0;
    bool pole = false;   ///< f, or a derivative that the solution has, grows without bound; else what is differentiated jumps
    std::string divisor; ///< of a pole: what is zero there
};

/// What the solution is made of, at a time. Not finite where it has no value.
struct PartsOfSolution {
    std::function<double(double)> algebraic;  ///< the largest of z1, which has every pole of f
    std::function<double(double)> integrated; ///< the largest of P2 f, whose integral some poles have, too
    std::function<bool(double, std::vector<double>&)> differentiated; ///< what z1 has the derivatives of; empty below index 2
    double cost = 0; ///< of one of these beside the evaluation of f, in products
};

struct Breaks {
    std::optional<Break> first;
    bool complete = true;        ///< the search did not end for want of work
    std::vector<double> corners; ///< where f may jump or have a kink, sorted, none at an end
};

/// The first break in (0, end]. f[k] holds the k-th derivatives. Poles are zeros of what f is divided by where the parts grow
/// like a power of the distance: a zero that cancels is none. Essential singularities, such as that of exp(1/t), are not looked
/// for. Beyond the third derivative round-off hides what cancels, and the answer may be wrong either way. Looks at 2,049 points
/// in time, as long as its work is bounded: for a text of any length.
Breaks firstBreak(const std::vector<std::vector<expr::Expr>>& f, double end, const PartsOfSolution& parts);

} // namespace driftless::pencil
