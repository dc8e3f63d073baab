// Newton's iteration carried to round-off, with a matrix kept as long as it converges fast.
//
// The methods here study drift: a residual left by a lazy iteration would look like drift. So the iteration stops when
// the correction that would come next is below round-off, or when corrections stop shrinking at a level that only
// round-off explains: all of them shrink no more, or a new matrix contracts far less than it did one correction before.
//
// delta_k correction of iteration k in the weighted norm; theta = |delta_k| / |delta_{k-1}| contraction.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/solve/LinearSolver.h"

namespace driftless::solve {

enum class NewtonStatus { Converged, Diverged, Singular, OutsideDomain, Cancelled };

struct NewtonResult {
    NewtonStatus status = NewtonStatus::Converged;
    double norm = 0;  ///< last correction, weighted
    double limit = 0; ///< what it had to fall below
    int largest = -1; ///< unknown of the largest weighted correction, where the method knows it
    int iterations = 0;
    Factorization matrix{}; ///< the last factorisation, when Singular

    /// The same, ended for this reason.
    NewtonResult ended(NewtonStatus reason) const
    {
        NewtonResult out = *this;
        out.status = reason;
        return out;
    }
};

struct NewtonControl {
    int maxIterations = 20;
    /// The same where the matrix is not the exact one and convergence therefore linear: 16 digits at a contraction of 0.8.
    static constexpr int kMaxLinear = 200;
    /// Corrections below a few units of round-off carry no information.
    double tolerance = 4 * std::numeric_limits<double>::epsilon();
    /// Corrections that stagnate below this are the round-off of an ill-conditioned matrix (condition up to 1e7).
    double floor = 1e-9;
    /// Below the floor, too, a contraction no better than this and so many times the one before, with the same new matrix, is
    /// round-off. (Milder changes are not: unknowns of other index orders shrink at other rates.)
    double hardly = 0.1, worsened = 10;
    /// When more iterations than this are still to come at the present contraction, a new matrix is cheaper.
    int patience = 4;
};

/// Problem supplies:
///   bool residual()            evaluates at the current iterate, false outside the domain
///   bool assemble()            evaluates the matrix there, false outside the domain
///   Factorization factor()     of that matrix
///   double correct()           solves, adds the correction, returns its weighted norm
///   void reset()               back to the starting values
///   bool cancelled()
/// factored says whether a matrix of an earlier solve may be used, and afterwards whether there is one.
template <class Problem>
NewtonResult newton(Problem& problem, bool& factored, const NewtonControl& control = {})
{
    NewtonResult result;
    result.limit = control.tolerance;
    bool stale = factored;
    double last = 0, lastTheta = 0;
    int strikes = 0;
    for (result.iterations = 0; result.iterations < control.maxIterations;) {
        if (problem.cancelled())
            return result.ended(NewtonStatus::Cancelled);
        if (!factored) {
            stale = false;
            last = lastTheta = 0;
            if (!problem.assemble())
                return result.ended(NewtonStatus::OutsideDomain);
            result.matrix = problem.factor();
            if (!result.matrix.ok)
                return result.ended(NewtonStatus::Singular);
            factored = true;
        }
        if (!problem.residual()) {
            factored = false;
            if (!stale)
                return result.ended(NewtonStatus::OutsideDomain);
            problem.reset();
            continue;
        }
        const double norm = result.norm = problem.correct();
        ++result.iterations;
        if (norm <= control.tolerance)
            return result;
        const double theta = last > 0 ? norm / last : 0;
        if (last > 0 && theta < 1 && norm * theta / (1 - theta) <= control.tolerance)
            return result;
        if (!stale && lastTheta > 0 && theta > std::max(control.hardly, control.worsened * lastTheta) && norm <= control.floor)
            return result;
        const bool slow = theta >= 1 || norm * std::pow(theta, control.patience) > control.tolerance;
        if ((last > 0 && slow) || !std::isfinite(norm)) {
            if (norm <= control.floor && theta > 0.5)
                return result;
            if (!stale && (!std::isfinite(norm) || (theta >= 2 && ++strikes > 1)))
                break;
            factored = false;
            if (stale && !(theta < 1))
                problem.reset();
            continue;
        }
        last = norm;
        lastTheta = theta;
    }
    factored = false;
    result.status = NewtonStatus::Diverged;
    return result;
}

} // namespace driftless::solve
