// What is selected while a run goes on: which derivatives are dummies, and which basis a form works in.
//
// Two leaves: CoordinateSelector for mechanisms (columns of W and G), ValueSelector for general DAEs (stages of the index
// reduction). Both judge by kappa, 1 at best and infinite where the selection is singular, and change an automatic selection
// when a better one lowers kappa by a factor.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/run/Event.h"
#include "core/run/Published.h"
#include "core/run/RankFollower.h"
#include "core/run/Recorder.h"
#include "core/run/Stepper.h"

namespace driftless::run {

/// kappa of a pinned selection from which a step may bounce back at its singular point, and a step that fails is put down to
/// it.
inline constexpr double kNearlySingularPivot = 30;

/// What following the motion has led to, in the order in which it happened.
struct Followed {
    std::optional<BasisRenewed> renewed{};
    std::optional<Failure> failure{};
    std::optional<PivotChange> change{};
    bool shows = false; ///< there is something new for show()
};

class Selector {
public:
    explicit Selector(std::shared_ptr<const model::CompiledSystem> system) : system_(std::move(system)) {}
    virtual ~Selector() = default;
    Selector(const Selector&) = delete;
    Selector& operator=(const Selector&) = delete;

    /// Of the selection in force; of the best one followed where the form has no choice.
    double kappa() const { return kappa_; }

    /// Refuses names that cannot be pinned in that form, whatever the state.
    virtual Result<void> check(const formulation::Dae& form, const PivotChoice& pivot) const = 0;
    /// Bases and dummies for a state, chosen or pinned, and set on the instance, which has its parameters.
    virtual Result<DummyChoice> choose(formulation::DaeInstance& instance, const PivotChoice& pivot,
                                       const model::ModelState& from) = 0;
    /// Whether what the core has in force may stay after its numbers changed: then nothing is chosen, nor ordered anew. Its
    /// instance has its new parameters.
    virtual bool keeps(const Core& core, const PivotChoice& pivot, const model::ModelState& from) = 0;

    /// After every start and change: what is in force is judged at this state, and the next row is judged, too.
    void begin(const Core& core, const model::ModelState& state);
    /// Whether the selection is to be judged at this row. Counts rows.
    bool due(const Core& core, const model::ModelState& state);
    /// After a row that is due: a better selection or basis where one is due.
    virtual Followed follow(Stepper& stepper, model::ModelState& state) = 0;
    /// Behind that: a loss of rank of the constraints on the way here.
    virtual std::optional<RankLost> rankLost(const Core& core, const model::ModelState& state,
                                             const RankFollower::Past& past) = 0;
    /// Whether it looks at every step, so that none may be passed over.
    virtual bool needsEveryStep(const Core& core) const = 0;
    /// Whether the step from one state to the next passed a singular point of the pinned selection.
    virtual bool passedSingular(const Core& core, const model::ModelState& before, const model::ModelState& now) = 0;
    /// That the pinned selection is singular from a state on, or between it and a later time [s].
    virtual Diagnostic pinnedSingular(const Core& core, const model::ModelState& at, double until) = 0;

    /// Dummies in force, or what is followed where the form has no choice.
    virtual formulation::Dummies selection(const Core& core) const = 0;
    /// The single exchanges that a panel may offer, judged at the last row published.
    virtual Published::Exchanges exchanges(const Core& core, const Published& published) = 0;
    /// Tells what is selected.
    virtual void show(const Core& core, Published& published) = 0;
    /// Variables whose derivatives are dummies: values of a general DAE, coordinates chosen for positions and velocities alike,
    /// or coordinates and then velocities that are chosen apart.
    std::vector<std::string> names(const formulation::Dummies& dummies) const;

protected:
    std::string sentence(const formulation::Dummies& dummies) const; ///< their names
    const std::shared_ptr<const model::CompiledSystem>& system() const { return system_; }
    void setKappa(double kappa) { kappa_ = kappa; }

private:
    virtual void judge(const Core& core, const model::ModelState& state) = 0;
    virtual void reset(double t) = 0; ///< [s] what was followed until here counts no more
    /// Whether it is to be judged before its rows are over, as one that has come closer to singular.
    virtual bool closer(const Core& /*core*/, const model::ModelState& /*state*/) { return false; }
    virtual std::uint64_t rowsBetween(const Core& core) const = 0;

    std::shared_ptr<const model::CompiledSystem> system_;
    double kappa_ = 1;
    std::optional<std::uint64_t> sinceJudged_{}; ///< rows; none: the next one is judged
};

} // namespace driftless::run
