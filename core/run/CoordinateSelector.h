// Coordinates whose derivatives are dummies, and numeric bases: columns of W for the velocities and of G for the positions,
// chosen with hysteresis on kappa or pinned by hand.
#pragma once

#include <functional>
#include <span>

#include "core/run/ConstraintMatrices.h"
#include "core/run/RankFollower.h"
#include "core/run/Selector.h"

namespace driftless::run {

class CoordinateSelector final : public Selector {
public:
    /// whyNone: where no selection exists, what is known of the configuration the run is in; none: nothing is.
    using Explanation = std::function<std::optional<Diagnostic>()>;
    CoordinateSelector(std::shared_ptr<const model::CompiledSystem> system, ConstraintMatrices& matrices, Explanation whyNone);

    Result<void> check(const formulation::Dae& form, const PivotChoice& pivot) const override;
    bool keeps(const Core& core, const PivotChoice& pivot, const model::ModelState& from) override;
    Result<DummyChoice> choose(formulation::DaeInstance& instance, const PivotChoice& pivot,
                               const model::ModelState& from) override;
    Followed follow(Stepper& stepper, model::ModelState& state) override;
    std::optional<RankLost> rankLost(const Core& core, const model::ModelState& state, const RankFollower::Past& past) override;
    bool needsEveryStep(const Core& core) const override;
    bool passedSingular(const Core& core, const model::ModelState& before, const model::ModelState& now) override;
    Diagnostic pinnedSingular(const Core& core, const model::ModelState& at, double until) override;
    formulation::Dummies selection(const Core& core) const override;
    Published::Exchanges exchanges(const Core& core, const Published& published) override;
    void show(const Core& core, Published& published) override;

private:
    /// One selection of columns.
    struct Track {
        Track(formulation::PivotChooser& of, int rows) : chooser(of), trial(static_cast<std::size_t>(rows)), better(trial) {}
        formulation::PivotChooser& chooser;
        std::vector<int> followed; ///< best selection followed where the form does not pivot
        std::vector<int> trial, better;
        double kappa = 1;
        int orientation = 0; ///< sign of the determinant of the selection in force
    };
    void judge(const Core& core, const model::ModelState& state) override;
    void reset(double t) override;
    std::uint64_t rowsBetween(const Core& core) const override;
    bool closer(const Core& core, const model::ModelState& state) override;
    static bool takesLongSteps(const Core& core);

    bool apart(const formulation::Dae& form) const;
    bool load(const model::ModelState& at, const formulation::Dae& form);
    Result<formulation::Dummies> pinned(const formulation::Dae& form, const PivotChoice& choice) const;
    Result<formulation::Dummies> dummiesAt(const formulation::Dae& form, const PivotChoice& pivot,
                                           const model::ModelState& from);
    Diagnostic noneExists(double t);
    void judgeLoaded(const Core& core);
    double improve(Track& track, std::span<const int> selection, bool told);
    bool seekBetter(const Core& core);
    formulation::Dummies betterThan(const formulation::Dummies& now, bool two) const;
    std::optional<Failure> followBases(const Core& core, const model::ModelState& state, Followed& out);

    ConstraintMatrices& matrices_;
    Explanation whyNone_;
    Track velocities_, positions_;
    RankFollower rank_;
    double leastKappa_ = 1;       ///< since the last start
    int sinceLooked_ = 0;         ///< judgements
    bool measuredLoaded_ = false; ///< W of the row that was followed last is loaded
    double share_ = 0;            ///< of the selection followed, at the last row that was looked at
    int again_ = 0;               ///< so many rows behind a closer one are judged, too
    std::vector<double> predicted_, rate_;
};

} // namespace driftless::run
