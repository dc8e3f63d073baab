// Backward differentiation formulas of orders 1 to 5 with order and step chosen from the error (VariableBdf.cpp says how).
#pragma once

#include <algorithm>
#include <array>
#include <memory>

#include "core/integrate/Integrator.h"
#include "core/integrate/JumpWatch.h"
#include "core/integrate/VariableBdfHistory.h"
#include "core/solve/LinearSolver.h"
#include "core/solve/Newton.h"

namespace driftless::integrate {

class VariableBdf final : public Integrator {
public:
    explicit VariableBdf(const IntegratorInfo& info) : info_(info) {}

    const IntegratorInfo& info() const override { return info_; }
    Result<void> prepare(solve::DaeSystem& system, const IntegratorOptions& options) override;
    Result<void> restart(double t, std::span<const double> y, std::span<const double> yp) override;
    Result<void> setOptions(const IntegratorOptions& options) override;
    StepOutcome step(double tStop) override;

    /// y at t between the last two accepted steps: the polynomial through the values of the last step's formula.
    void interpolate(double t, std::span<double> y) const override;
    bool followsAlgebraic() const override { return true; }

    double t() const override { return t_; }
    std::span<const double> y() const override { return y_; }
    std::span<const double> yp() const override { return yp_; }
    int currentOrder() const override { return static_cast<int>(usedOrder_); }
    double lastStep() const override { return lastStep_; }
    double nextStep() const override { return h_; }
    void limitStep(double h) override { h_ = std::min(h_, h); }
    const Statistics& statistics() const override { return statistics_; }

private:
    static constexpr std::size_t kHighestOrder = 5;

    /// Scaled estimates |h^(k+1) y^(k+1)| / (k + 1) of the local errors at neighbouring orders, in units of the tolerance.
    struct Estimates {
        double below2 = 0, below = 0, here = 0, above = 0;
        double test = 0; ///< error of the step itself, to be compared with 1
        bool aboveIsKnown = false;
        std::size_t order = 1; ///< the order itself, or the one below where that is as accurate
        double ofOrder = 0;    ///< the estimate that belongs to it
    };
    /// One step to be tried.
    struct Plan {
        const BackwardDifferences* past = nullptr;
        double end = 0, h = 0; ///< h from the youngest past value that is used
        std::size_t order = 1;
        bool cut = false; ///< ends at the stop time
    };
    struct Failures {
        int ofError = 0, ofNewton = 0;
        int all() const { return ofError + ofNewton; }
    };

    void takeStructure();
    double firstStep() const;
    Plan plan(double tStop, bool mayReplace) const;
    void predict(const Plan& plan);
    void weigh(const Plan& plan);
    solve::NewtonResult solveStep(const Plan& plan);
    solve::NewtonResult iterate(const Plan& plan, bool fresh);
    solve::NewtonResult renewMatrix(double t);
    double roundoffOfCorrections() const;
    double correct();
    Estimates estimate(const Plan& plan) const;
    StepOutcome accept(const Plan& plan, const Estimates& e, const Failures& failures);
    void choose(const Plan& plan, const Estimates& e);
    void startAgain();
    void reject(const Plan& plan, const Estimates& e, const Failures& failures, bool solved);

    std::size_t size() const { return y_.size(); }

    const IntegratorInfo& info_;
    solve::DaeSystem* system_ = nullptr;
    IntegratorOptions options_;
    Statistics statistics_;
    std::uint64_t revision_ = 0;

    double t_ = 0, lastStep_ = 0;
    double h_ = 0; ///< to be tried next, 0: not chosen yet
    JumpWatch jumps_;
    double longest_ = 0;    ///< step tried since the last restart: at t = 0 nothing else says what is too small
    std::size_t order_ = 1; ///< to be tried next
    std::size_t usedOrder_ = 1;
    double usedStep_ = 0;
    std::size_t steady_ = 0; ///< steps made with usedOrder_ and usedStep_
    bool starting_ = true;   ///< order and step still rise from the start

    BackwardDifferences one_, two_;
    BackwardDifferences* now_ = &one_;    ///< up to t
    BackwardDifferences* before_ = &two_; ///< up to the step before
    bool hasBefore_ = false;

    std::vector<double> y_, yp_, yNew_, ypNew_;
    std::vector<double> predicted_, predictedRate_,
        correction_; ///< y = predicted + correction, y' = predictedRate + leading * correction
    std::vector<double> residual_;
    std::vector<double> weights_, tested_;             ///< of Newton's test, of the error test
    std::vector<double> seen_;                         ///< largest sizes since the start
    std::vector<double> leastOpen_;                    ///< least size of open_ since the start
    std::vector<double> open_;                         ///< what the differential unknowns leave open of the algebraic ones
    std::size_t counted_ = 0;                          ///< degrees of freedom in the error test
    std::array<double, kHighestOrder + 2> distance_{}; ///< psi_j = t_n - tau_{j-1} [s], from j = 1
    std::array<double, kHighestOrder + 2> product_{};  ///< psi_1 ... psi_j
    double leading_ = 0;                               ///< [1/s]

    std::unique_ptr<solve::LinearSolver> linear_;
    std::vector<double> dFdy_, dFdyp_;
    bool factored_ = false, stale_ = false;
    double factoredLeading_ = 0;
};

} // namespace driftless::integrate
