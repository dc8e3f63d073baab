// The events of a model of equations as those of its run: conditions that change, instants that are due, and what a `when` does
// there (reduction/Events.h). Where a condition depends on what is not integrated, looking at it solves for that and allocates.
#pragma once

#include <memory>
#include <vector>

#include "core/reduction/Events.h"
#include "core/run/EventSource.h"
#include "core/run/Metrics.h"

namespace driftless::run {

class EquationEvents final : public EventSource {
public:
    /// Null where the model has none. The metrics outlive this. Refuses samplers that cannot be followed.
    static Result<std::unique_ptr<EquationEvents>> of(const model::CompiledSystem& system, Metrics& metrics,
                                                      std::span<const double> parameters);

    void setParameters(std::span<const double> values) { evaluator_.setParameters(values); }
    /// Conditions whose limits are not told from zero. at: the start.
    std::vector<std::string> tooFine(const model::ModelState& at);
    /// As a message names it: "x > 0".
    std::string nameOf(int condition) const;
    std::size_t guards() const override { return evaluator_.events().conditions.size(); }
    bool evaluate(const model::ModelState& at, std::span<double> values, std::span<double> rates) override;
    void watch(const model::ModelState& from, integrate::EventLocator& locator) override;
    double nextTime(double t) override { return evaluator_.nextTime(t, held_); }
    void found(const integrate::Located& event) override { grazing_ = event.grazing; }
    Result<Happening> happen(const model::ModelState& at, std::span<const int> guards, Occasion occasion) override;

private:
    EquationEvents(std::shared_ptr<const reduction::Reduced> reduced, Metrics& metrics);
    bool flightIsLost(std::span<const int> guards, double t) const;
    bool leavesLate(const std::vector<double>& values, std::span<const int> guards, double t);
    void keepBounce(const model::ModelState& after, std::span<const int> guards, bool jumped);
    Diagnostic endless(double t, std::span<const int> guards) const;

    reduction::EventEvaluator evaluator_;
    Metrics& metrics_;
    std::vector<double> held_;             ///< values where the run was last watched from
    std::vector<double> weights_, solved_; ///< where a condition depends on what is not integrated
    std::vector<double> tied_;             ///< weights where a branch ties values; else empty
    std::vector<double> sides_, tolerances_, z_, rates_;
    std::vector<int> fired_; ///< by the last event
    double firedAt_ = 0;     ///< [s]
    bool grazing_ = false;
    struct Bounce { ///< at which a condition has fired and values were reinitialised
        int guard = 0;
        double t = 0, rate = 0; ///< [s]; of its difference behind it, back to the side from which it came
    };
    std::vector<Bounce> bounces_; ///< of the last event
};

} // namespace driftless::run
