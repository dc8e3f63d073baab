// What a run remembers of states it has judged and of steps it has drawn.
#pragma once

#include <limits>
#include <vector>

#include "core/model/State.h"

namespace driftless::run {

/// The state at which a selection of columns was last judged.
struct Judged {
    bool known = false;
    double t = 0, before = 0; ///< [s] when the last one was, and the one before
    std::vector<double> q;
    std::vector<int> selection;
    int orientation = 0;      ///< sign of its determinant
};

/// The matrix (3.24) of [PP92] on the way.
struct RateWatch {
    bool known = false, warned = false;
    double ratio = 1;         ///< smallest singular value of [G; L] against its largest
    int orientation = 0;
    double acceleration = 0;  ///< largest of the last states
};

/// What tells a step whose chord would be seen (RunBetween.cpp), for each position and velocity, or each value of a general DAE.
struct Between {
    std::vector<double> slopes, extents; ///< of the last step; largest magnitudes so far
    std::vector<double> multiplierSlopes, multiplierExtents; ///< the same, where only some steps are recorded
    double end = std::numeric_limits<double>::quiet_NaN(), h = 0; ///< of the last step (of the last row's interval)
    double step = 0;  ///< [s] of the integrator there
    int order = 0;
    std::vector<double> y, yp, early, late, row;
    model::ModelState state;
};

} // namespace driftless::run
