// Derivatives of a general DAE that are dummies, stage by stage of its index reduction: chosen with hysteresis on kappa or
// pinned by hand.
#pragma once

#include "core/reduction/DummyChooser.h"
#include "core/run/Metrics.h"
#include "core/run/Selector.h"

namespace driftless::run {

class ValueSelector final : public Selector {
public:
    /// The model is one of equations; the metrics evaluate them and outlive this.
    ValueSelector(std::shared_ptr<const model::CompiledSystem> system, Metrics& metrics);

    Result<void> check(const formulation::Dae& form, const PivotChoice& pivot) const override;
    bool keeps(const Core&, const PivotChoice&, const model::ModelState&) override { return false; }
    Result<DummyChoice> choose(formulation::DaeInstance& instance, const PivotChoice& pivot,
                               const model::ModelState& from) override;
    Followed follow(Stepper& stepper, model::ModelState& state) override;
    std::optional<RankLost> rankLost(const Core&, const model::ModelState&, const RankFollower::Past&) override
    {
        return std::nullopt;
    }
    bool needsEveryStep(const Core&) const override { return true; }
    bool passedSingular(const Core&, const model::ModelState&, const model::ModelState&) override { return false; }
    Diagnostic pinnedSingular(const Core& core, const model::ModelState& at, double until) override;
    formulation::Dummies selection(const Core&) const override { return {}; }
    Published::Exchanges exchanges(const Core&, const Published&) override { return {}; }
    void show(const Core& core, Published& published) override;

private:
    void judge(const Core& core, const model::ModelState& state) override;
    void reset(double) override {}
    std::uint64_t rowsBetween(const Core&) const override { return 1; }

    Result<std::vector<int>> pinned(const PivotChoice& choice) const;
    Result<structure::DummySelection> selectionAt(const PivotChoice& pivot, const model::ModelState& from);
    bool load(const model::ModelState& at);

    Metrics& metrics_;
    reduction::DummyChooser chooser_;
    std::vector<reduction::StageChoice> stages_; ///< those that leave a choice, as they were judged last
    std::vector<double> jacobian_;
    std::vector<int> shownDummies_;  ///< when the stages were shown last
    std::size_t shownExchanges_ = 0; ///< stages of which exchanges were
};

/// Values that are integrated stay, the others follow from the equations; where that cannot be, all move as little as possible.
/// change: at least the largest change of a value that is integrated.
Result<void> completeValues(Metrics& metrics, const formulation::DaeInstance& instance, model::ModelState& state,
                            double& change);

} // namespace driftless::run
