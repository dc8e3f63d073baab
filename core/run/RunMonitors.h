// What a run remembers of states it has judged and of steps it has drawn.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/model/State.h"

namespace driftless::run {

/// The last two states at which a selection of columns was judged, for the rank of G (RunLosses.cpp).
struct Judged {
    int known = 0;                     ///< how many of them there are
    double t = 0, before = 0;          ///< [s]
    double kappa = 1, kappaBefore = 1; ///< of the selections
    std::vector<int> selection;
    int orientation = 0;                                      ///< sign of its determinant at t
    double passed = -std::numeric_limits<double>::infinity(); ///< [s] until where a loss of rank has been told
};

/// The matrix (3.24) of [PP92] on the way.
struct RateWatch {
    bool known = false, warned = false;
    double ratio = 1; ///< smallest singular value of [G; L] against its largest
    int orientation = 0;
    double acceleration = 0; ///< largest of the last states
};

/// What a run has moved and exchanged, against which its losses are judged (RunLosses.cpp).
struct LossWatch {
    std::vector<double> origin, originResidual; ///< q and |g| where the watch began
    std::vector<int> group;                     ///< of each coordinate: those of one unit
    std::vector<double> way, size;              ///< of each group: furthest from the origin, largest magnitude
    double began = 0;                           ///< [s]
    double moved = 0, speed = 0;                ///< of the coordinate that went furthest or fastest for its nominal size,
    double movedFor = 0, speedFor = 0;          ///< and in nominal sizes
    double potential = 0, magnitude = 0;        ///< [J] where it began; largest |V|
    double kinetic = 0, fall = 0,
           work = 0; ///< [J] largest kinetic energy, change of the potential and work, without what was gained
    std::uint64_t rows = 0, stepsBefore = 0; ///< since it began; the run's steps when it did
    double markError = 0,
           markLimit = 0;        ///< [J] where the present stretch began; share of the exchange that it may lose, once it has
    std::uint64_t markSteps = 0; ///< the run's steps there
    double suddenSince = kNever; ///< [s] since when more than that is gone
    double driftSince = kNever, lossSince = kNever; ///< [s] beyond the limit without a break
    double driftSaid = kNever, lossSaid = kNever;   ///< [s] when the warning was given: once a run

    static constexpr double kNever = std::numeric_limits<double>::infinity();
};

/// What tells a step whose chord would be seen (RunBetween.cpp), for each position and velocity, or each value of a general
/// DAE.
struct Between {
    std::vector<double> slopes, extents;                          ///< of the last step; largest magnitudes so far
    std::vector<double> multiplierSlopes, multiplierExtents;      ///< the same, where only some steps are recorded
    double end = std::numeric_limits<double>::quiet_NaN(), h = 0; ///< of the last step (of the last row's interval)
    double step = 0;                                              ///< [s] of the integrator there
    int order = 0;
    std::vector<double> y, yp, early, late, row;
    model::ModelState state;
};

} // namespace driftless::run
