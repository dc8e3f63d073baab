// What takes the steps of a run: the core in force, and what all integrators that were in force have counted.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "core/run/MethodValues.h"
#include "core/run/RunCore.h"
#include "core/run/StepClock.h"

namespace driftless::run {

class Stepper {
public:
    /// general: the model is one of equations.
    explicit Stepper(bool general) : values_(general) {}

    const Core& core() const { return *core_; }
    const Core* inForce() const { return core_.get(); } ///< null before the first one

    /// One step that ends at tStop at the latest.
    integrate::StepOutcome advance(double tStop) { return core_->integrator->step(tStop); }
    /// The model's state where the integrator stands; false unless it is finite.
    bool read(model::ModelState& state) const;
    /// Of the last step: how long it was [s], and its order.
    double lastStep() const { return core_->integrator->lastStep(); }
    int order() const { return core_->integrator->currentOrder(); }
    /// Its polynomial, where now and h [s] are the state at its end and its length; until the next step.
    DenseValues& values(const model::ModelState& now, double h)
    {
        values_.follow(*core_, now, h);
        return values_;
    }
    StepClock& clock() { return clock_; } ///< what steps take is put there by whom it is asked of

    /// Over all integrators so far.
    integrate::Statistics totals() const;
    /// No step has been taken since it began afresh: a multistep method knows nothing but that point then.
    bool isFresh() const { return core_->integrator->statistics().steps == atRestart_.steps; }
    std::uint64_t rejected() const { return base_.rejected + core_->integrator->statistics().rejected - atRestart_.rejected; }

    // Each carries the statistics over; why: the reason where the integrator cannot start.
    std::unique_ptr<Core> replace(std::unique_ptr<Core> core); ///< by one that has been entered; returns the one before
    Result<void> retune(Tuning&& tuning, const model::ModelState& at, const model::NominalScales& sizes);
    bool restart(const model::ModelState& from, std::string& why);
    Result<void> restart(double t, std::span<const double> unknowns, std::span<const double> rates);
    void suggestStep(double h) { core_->integrator->suggestStep(h); } ///< [s] the first one after that
    void limitStep(double h) { core_->integrator->limitStep(h); }     ///< [s] the next one
    /// Other coordinates' derivatives are dummies; the integrator goes on where it can, else it starts afresh.
    bool exchange(const formulation::Dummies& dummies, const model::ModelState& at, std::string& why);
    /// Other unknowns of a general DAE: complete makes the state fit them, then the integrator starts afresh.
    using Complete = std::function<Result<void>(const formulation::DaeInstance&, model::ModelState&)>;
    bool exchange(DummyChoice&& choice, model::ModelState& at, const Complete& complete, std::string& why);

    void setRows(Rows rows) { core_->settings.rows = rows; }

    /// Any thread: leaves the step under way.
    void interrupt() { cancel_ = true; }
    void forgetInterrupt() { cancel_ = false; }
    /// Whether it was to be left; says so once.
    bool takeInterrupt() { return cancel_.load(std::memory_order_relaxed) && cancel_.exchange(false); }
    /// What an integrator looks at to know it.
    const std::atomic<bool>* cancelFlag() const { return &cancel_; }

private:
    void leave(); ///< what the integrator has counted stays, whatever happens to it

    std::unique_ptr<Core> core_;
    integrate::Statistics base_, atRestart_; ///< of integrators gone; of this one when it was last put in
    MethodValues values_;
    StepClock clock_;
    std::atomic<bool> cancel_{false};
};

} // namespace driftless::run
