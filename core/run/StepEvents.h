// Finds events in the step that was just taken, and cuts the step there.
//
// Guards are looked at along the method's own dense output. A method that starts at its last point alone repeats the step from
// its beginning up to the event, and the time is corrected until the guard is zero at the end of a true step: a cubic
// polynomial between steps would be less good than the steps. A multistep method would lose its past by that: it is cut on its
// own polynomial, which is as good as its steps. In its first step it has no past, and its polynomial is a line: that step is
// repeated, too. A body that comes to rest on several feet would go on rocking by what the line errs by, and one that a floor
// lifts would leave it with the speed of the middle of the step.
#pragma once

#include <string>
#include <vector>

#include "core/run/EventSource.h"
#include "core/run/Stepper.h"

namespace driftless::run {

class StepEvents final : private integrate::GuardValues {
public:
    /// The source outlives this.
    explicit StepEvents(EventSource& source);

    EventSource& source() { return source_; }
    /// From here on guards are frozen on the sides that they have at this state.
    void begin(const model::ModelState& from);
    /// Before each step: where the integrator stands.
    void beforeStep(const Stepper& stepper);
    /// In the step that it has taken since. due: something else is, where the step has ended.
    integrate::Located search(const Stepper& stepper, const model::ModelState& now, bool due);
    /// The stepper ends its last step at the event, and the state is that there. False: it cannot, why says so.
    bool cut(Stepper& stepper, const integrate::Located& event, model::ModelState& state, std::string& why);
    /// Whether the step that was cut ended before the event, as the first of several, or as it was none: then none has
    /// happened.
    bool fallsShort() const { return fallsShort_; }
    /// The guards that fired, those found first.
    std::span<const int> fired() const { return fired_; }

private:
    bool at(double t, std::span<double> values, std::span<double> rates) override;
    bool stateAt(double t);
    bool repeat(Stepper& stepper, double until, model::ModelState& state, std::string& why);
    bool repeatTo(Stepper& stepper, const integrate::Located& event, model::ModelState& state, std::string& why);
    double rateAt(std::size_t guard, double t);
    double missedAt(std::size_t guard, double zero, const model::ModelState& state);
    bool firesAt(const integrate::Located& event, const model::ModelState& state);

    EventSource& source_;
    integrate::EventLocator locator_;
    const Core* core_ = nullptr;
    double begin_ = 0, end_ = 0; ///< [s] of the step
    bool fresh_ = false;         ///< the first one since the method began afresh
    std::vector<double> y_, yp_; ///< where it began
    std::vector<double> at_, early_, late_, slope_, values_, rates_;
    bool fallsShort_ = false;
    std::vector<int> fired_;
    model::ModelState state_;
};

} // namespace driftless::run
