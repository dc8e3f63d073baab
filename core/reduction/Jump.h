// What moves where values of a general DAE are reinitialised.
#pragma once

#include <string>
#include <vector>

#include "core/reduction/Reduced.h"

namespace driftless::reduction {

/// Of each value: whether it is integrated in some selection, as its rate is the next one.
std::vector<char> followedOf(const Reduced& reduced);

/// Values that meet the rows (Lower::Passed) beside those that are kept, which have jumped. Of the integrated ones only those
/// move that the rows tie to each other whatever is not integrated: first those that equations without their rates give, then
/// states; and of both, rates before what they are the rates of, as an impulse changes velocities. Those that are not tied stay
/// to the last bit, and tied ones that need not move to round-off. False where there are none, with y anywhere. sizes: usual
/// ones of the values; empty: 1.
bool solveJump(ReducedEvaluator& evaluator, double t, std::vector<double>& y, const std::vector<char>& kept,
               const std::vector<double>& sizes);

/// Why equations cannot go on where values would have to jump: the one that jumps furthest, of an unknown rather than of one of
/// its rates. put: those that were reinitialised. least: in sizes, below which nothing jumps.
Diagnostic jumpDemanded(const Reduced& reduced, const std::vector<double>& from, const std::vector<double>& to,
                        const std::vector<int>& put, const std::vector<double>& sizes, double least, const std::string& where);

} // namespace driftless::reduction
