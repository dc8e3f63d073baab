// What a run remembers of states it has judged.
#pragma once

#include <vector>

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

} // namespace driftless::run
