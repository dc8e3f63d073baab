// Cores for settings at a state: made, or tuned to other numbers. Nothing that is in force is changed.
#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "core/run/Refusals.h"
#include "core/run/RunCore.h"
#include "core/run/Selector.h"
#include "core/run/States.h"

namespace driftless::run {

class CoreMaker {
public:
    /// What it works with; borrowed, and with the metrics at the parameters that a core is made for.
    struct Parts {
        Metrics& metrics;
        Refusals& refusals;
        Selector& selector;
        States& states;
        const std::atomic<bool>* cancel; ///< what integrators look at
    };
    CoreMaker(std::shared_ptr<const model::CompiledSystem> system, const Parts& parts);

    /// A core of its own, up to the state from which its integrator starts. rewritten: its form, where that has been written
    /// already; inForce: whose compiled form is taken where it is the same, null: none is.
    Result<std::unique_ptr<Core>> make(const RunSettings& settings, const std::vector<double>& parameters,
                                       std::optional<formulation::Dae>&& rewritten, const model::ModelState& from,
                                       const Core* inForce);
    /// Other numbers on the core in force at a state, in every respect but the integrator's; all is as it was when this
    /// returns. completes: values that follow from others are made to; change: at least the largest change of another one.
    Result<Tuning> tune(const Core& core, const RunSettings& settings, const std::vector<double>& parameters,
                        model::ModelState& at, bool completes, double& change);
    /// Whether an integrator can carry a form.
    Result<void> carries(const integrate::IntegratorInfo& method, const formulation::Dae& form) const;

private:
    Result<std::shared_ptr<const formulation::CompiledDae>>
    compiled(const RunSettings& settings, std::optional<formulation::Dae>&& form, const Core* inForce) const;
    Result<std::vector<double>> numbersOf(RunSettings& settings, const formulation::Dae& form) const;
    void installProjection(Core& c);

    std::shared_ptr<const model::CompiledSystem> system_;
    Metrics& metrics_;
    Refusals& refusals_;
    Selector& selector_;
    States& states_;
    const std::atomic<bool>* cancel_;
};

/// Another integrator, the parameter of its family as usual. A method of fixed steps takes the step that is set, also one that
/// an adaptive method had as its first; where none is, it gets the model's step, or 0.01 s, or a thousandth of the model's time
/// where that is less.
void takeIntegrator(RunSettings& settings, const std::string& id, const model::RunDefaults& defaults);

} // namespace driftless::run
