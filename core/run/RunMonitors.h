// What a run remembers of states it has judged and of steps it has drawn.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/system/State.h"

namespace driftless::run {

/// The last two states at which a selection of columns was judged, for the rank of G (RunRank.cpp).
struct Judged {
    int known = 0;                     ///< how many of them there are
    double t = 0, before = 0;          ///< [s]
    double kappa = 1, kappaBefore = 1; ///< of the selections
    std::vector<int> selection;
    int orientation = 0;                                      ///< sign of its determinant at t
    double passed = -std::numeric_limits<double>::infinity(); ///< [s] until where a loss of rank has been told
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
