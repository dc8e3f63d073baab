// Values set again and again at one t (a body that is dragged): they leave one entry on the time line, that of the last.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/run/Published.h"
#include "core/system/State.h"

namespace driftless::run {

class Gesture {
public:
    /// Before a sample.
    struct Before {
        double energy = 0; ///< [J]
        std::vector<std::string> dummies{};
        model::Mode mode{};
        double kappa = 1;
        std::uint64_t pivots = 0;
    };
    /// A sample begins at a state: what an earlier one of the same gesture left on the time line goes.
    void begin(const SetState& sample, const model::ModelState& now, Before before, Published& published);
    /// What it leaves on the time line stands there, with what happened because of it.
    void told(const Published& published) { eventsAfter_ = published.timeLine().eventCount(); }
    void end() { first_.reset(); } ///< another command

    /// Of the first sample.
    const Before& beforeAll() const { return before_; }
    /// The state before the first sample of the gesture that this one continues, else the present one.
    const model::ModelState& before(const SetState& sample, const model::ModelState& now, const Published& published) const;

private:
    bool continues(const SetState& sample, double t, const Published& published) const;

    std::optional<model::ModelState> first_; ///< before the first sample; none: no gesture is under way
    std::vector<std::string> names_;
    double t_ = 0;
    Before before_;
    std::size_t firstEvent_ = 0, eventsAfter_ = 0;
};

/// Which asked values the constraints did not allow, what they became, and how far the state moved.
ValuesCorrected correctionOf(const SetState& command, const model::ConstrainedSystem& system, const model::ModelState& before,
                             const model::ModelState& after);

} // namespace driftless::run
