// Whether the motion passed a configuration in which the constraints lose their rank: said once for each such place.
//
// Where the rank is lost every minor of W vanishes: the sign of that of the selection in force turns, and kappa of the best one
// has a peak. Either asks for a close look at the rows since (RankWatch.h).
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "core/run/ConstraintMatrices.h"
#include "core/run/Event.h"
#include "core/run/Interval.h"
#include "core/run/RankWatch.h"
#include "core/run/Recorder.h"

namespace driftless::run {

class RankFollower {
public:
    /// matrices: its W is lost where a close look is taken.
    explicit RankFollower(ConstraintMatrices& matrices);

    /// The motion begins afresh at t [s].
    void restart(double t);
    /// Where the motion went: the rows of the recorder end before the state; within the last step, begun at `since` [s], the
    /// method's polynomial is better, where there is one.
    struct Past {
        const Recorder& recorder;
        DenseValues* inside = nullptr;
        double since = 0;
    };
    /// At a measured state: selection of columns of W, its kappa and the least kappa since the start. loaded: W of that state
    /// is loaded already.
    std::optional<RankLost> follow(const model::ModelState& state, const std::vector<int>& selection, double kappa,
                                   double leastKappa, const Past& past, bool loaded = false);

private:
    /// The last two states at which a selection was judged.
    struct Judged {
        int known = 0;                     ///< how many of them there are
        double t = 0, before = 0;          ///< [s]
        double kappa = 1, kappaBefore = 1; ///< of the selections
        std::vector<int> selection;
        int orientation = 0;                                      ///< sign of its determinant at t
        std::optional<double> independent;                        ///< [s] of the last one well away from any loss of rank
        std::vector<double> independentAt;                        ///< q there: a row may be thinned away
        double passed = -std::numeric_limits<double>::infinity(); ///< [s] until where a loss of rank has been told
    };
    bool cameFromAfar() const;
    std::optional<RankLost> look(const model::ModelState& state, double from, const Past& past, bool certain);

    ConstraintMatrices& matrices_;
    RankWatch watch_;
    Judged judged_;
    std::vector<double> rate_;
};

} // namespace driftless::run
