// Which unknowns the error test of a method looks at.
//
// What a method integrates is tested. What follows from that at every instant is not: multipliers and accelerations of forms of
// index 1 (index order 1, AlgebraicFloor.h) are functions of positions and velocities, no error of theirs goes into the next
// step, and where they are large sums that nearly cancel, or swing with a fast spin through zero, a test of theirs asks for
// steps at which the motion is exact to many more digits than were asked for. A code for equations that nobody has looked at
// tests them all (DASSL); one that knows which of them are states tests the states (Brenan, Campbell, Petzold 1989,
// section 5.4, and the option of IDA to leave algebraic unknowns out). A tolerance of their own (atol_multipliers) takes them
// in again.
#pragma once

#include <string>

#include "core/integrate/Integrator.h"

namespace driftless::integrate {

struct ErrorTest {
    bool any = false;         ///< the method chooses its steps by a test
    bool dependent = false;   ///< algebraic unknowns of index order 0, such as positions that a pivot made dummies, are in it
    bool multipliers = false; ///< multipliers and accelerations of index order 1 are in it
    bool asDetermined =
        false; ///< these with what positions and velocities leave open of them, whatever the tolerances (AlgebraicFloor.h)
    double multiplierTolerance =
        0; ///< absolute tolerance of the multipliers where it is their own: in the error test or in Newton's

    bool takes(const solve::UnknownRole& role) const;
};

/// Absolute tolerance of an unknown: its own one; else that of multipliers, where apart and one is stated; else that of all.
inline double absoluteTolerance(const solve::UnknownRole& role, const IntegratorOptions& options, bool apart)
{
    const double stated =
        apart && role.multiplier && options.multiplierTolerance > 0 ? options.multiplierTolerance : options.absoluteTolerance;
    return role.tolerance > 0 ? role.tolerance : stated;
}

/// index: of the form that is integrated.
ErrorTest errorTestOf(const IntegratorInfo& method, const IntegratorOptions& options, int index);
/// One sentence for a card.
std::string inWords(const ErrorTest& test);

} // namespace driftless::integrate
