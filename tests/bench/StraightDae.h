// A DAE as straight C: residual and dense iteration matrix in one function each, nothing interpreted. This is what a user of a
// solver library writes by hand, except that it is printed from the model, with common subexpressions shared and no mistakes.
#pragma once

#include <span>
#include <string_view>

namespace driftless::bench {

struct StraightDae {
    const char* name; ///< "model of formulation", or the model and its start in place of the model
    int n;
    void (*residual)(double t, const double* y, const double* yp, double* F);
    /// dF/dy + c dF/dy' into J, n columns of n; entries that are always zero are not written.
    void (*matrix)(double t, const double* y, const double* yp, double c, double* J);
    const double *y0, *yp0;
    const char* differential; ///< 'd' or 'a' for each unknown
    const char* multiplier;   ///< 'm' where an unknown is a multiplier or an auxiliary one
};

std::span<const StraightDae> straightDaes(); ///< generated

/// The same mechanism as y' = f(t, y) in positions and velocities: accelerations and multipliers by an elimination that is
/// written out, each pivot chosen beforehand and none of them judged. What a user writes who knows his mechanism.
struct StraightOde {
    const char* name; ///< the model, or the model and its start
    int n;
    /// As codes in Fortran call it; the first and the last two arguments are not used.
    void (*rates)(const int* n, const double* t, const double* y, double* yp, double* reals, int* integers);
    const double* y0;
};

std::span<const StraightOde> straightOdes(); ///< generated

/// nullptr: there is none.
inline const StraightOde* straightOde(std::string_view name)
{
    for (const StraightOde& ode : straightOdes())
        if (name == ode.name)
            return &ode;
    return nullptr;
}

} // namespace driftless::bench
