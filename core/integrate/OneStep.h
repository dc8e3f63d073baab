// What all our own methods share: grid of fixed steps, step control, stop times, statistics, projection, failures.
//
// A leaf supplies one step of its method from (t, y, y') of length h into yNew_, ypNew_ (and error_ when adaptive). A
// multistep method keeps its past itself.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/integrate/RateSolver.h"
#include "core/integrate/StageSums.h"

namespace driftless::integrate {

class OneStepIntegrator : public Integrator {
public:
    const IntegratorInfo& info() const final { return info_; }
    Result<void> prepare(solve::DaeSystem& system, const IntegratorOptions& options) final;
    Result<void> restart(double t, std::span<const double> y, std::span<const double> yp) final;
    Result<void> setOptions(const IntegratorOptions& options) final;
    void suggestStep(double h) final { h_ = info_.adaptive ? h : h_; }
    StepOutcome step(double tStop) final;

    double t() const final { return t_; }
    std::span<const double> y() const final { return y_; }
    std::span<const double> yp() const final { return yp_; }
    void interpolate(double t, std::span<double> y) const override;
    int currentOrder() const override { return info_.order; }
    double lastStep() const final { return lastStep_; }
    double nextStep() const final { return h_; }
    const Statistics& statistics() const final { return statistics_; }

protected:
    explicit OneStepIntegrator(const IntegratorInfo& info) : info_(info) {}

    // The hooks of a leaf.
    virtual void allocate() = 0;                    ///< size is known
    virtual void structureChanged() { allocate(); } ///< pattern and roles changed, size and meaning of y did not
    virtual void restarted() {}                     ///< at (t, y, y'): the past of a multistep method is void
    virtual void forget() {} ///< restarted, roles changed or failed: matrices and starting values are void
    virtual bool takesEliminated() const { return false; } ///< takes rates that the system solves for itself (RateSolver.h)
    virtual bool mayHalve() const { return true; }         ///< whether shorter steps help where a fixed one failed
    virtual solve::NewtonResult attempt(double tEnd, double h) = 0;
    virtual int errorOrder() const { return info_.order; } ///< the estimated error is O(h^errorOrder)
    virtual double integralGain() const { return 0.04; }   ///< beta of the control of the step size
    /// What the accepted step is multiplied with; the factor is that of the error test. A change that is not worth a new matrix
    /// may be declined, and a method of variable order has a step that goes with its next order.
    virtual double steadied(double factor) const { return factor; }
    virtual double errorNorm() const { return weightedNorm(error_); } ///< of the attempt: above 1 it is rejected
    virtual void accepted(double /*h*/) {}                            ///< yNew_, ypNew_ now hold the state before the step
    virtual StepOutcome failure(const solve::NewtonResult& result, double h) const; ///< in words

    solve::DaeSystem& system() { return *system_; }
    const solve::DaeSystem& system() const { return *system_; }
    const IntegratorOptions& options() const { return options_; }
    std::size_t size() const { return y_.size(); }
    solve::NewtonControl newtonControl() const
    {
        solve::NewtonControl control;
        if (!system().exactJacobian())
            control.maxIterations = solve::NewtonControl::kMaxLinear;
        return control;
    }
    solve::NewtonResult solveRates(double t, double* y, double* yp);
    /// Whether the system does, now: then a step may ask it without this detour.
    bool eliminates() const { return system_->index() <= 1 && rates_.eliminates(); }
    /// Whether stages that are solved in advance are judged, too: some step just now failed twice, for which inexact
    /// stages may be the reason, or only a step that was far too long.
    bool doubtsStages() const { return doubtful_ > 0; }
    /// To be told when the system's own elimination did not solve a step: what was a doubt then lasts.
    void stagesUnsuited();
    int eliminatedRoom() const { return eliminates() ? system_->eliminatedRoom() : 0; }
    /// The same between steps: dense output changes no state but counters, and no flag of another thread decides about it.
    bool solveBetween(double t, double* y, double* yp) const;
    /// The root of the mean square over the differential unknowns, in tolerances at y_ and yNew_.
    double weightedNorm(std::span<const double> error) const;
    /// What is tolerated of the k-th differential unknown between two of its values.
    double tolerated(std::size_t k, double before, double after) const
    {
        return absolute_[k] + options_.relativeTolerance * std::max(std::abs(before), std::abs(after));
    }
    double stepStart() const { return before_; }
    /// weights (size()) in which the round-off of every unknown is of one size: velocities and multipliers of higher-index
    /// forms carry the round-off of the positions divided by powers of h, and the farther from the origin these are, the more
    /// of it. In a large system what the farthest one brings into the constraints moves all others, too.
    void roundoffWeights(double h, double* weights) const;
    /// Finite-difference rates for the algebraic unknowns of yNew, so that interpolation has a slope.
    void estimateAlgebraicRates(double h);

    std::vector<double> y_, yp_, yNew_, ypNew_, error_;
    mutable Statistics statistics_; ///< dense output may count

private:
    /// Fixed steps end at origin + (cell + place / kSubdivisions) * step, by multiplication.
    struct Grid {
        double origin = 0;
        double cells = 0;
        int place = 0;
        int level = 0;
        void start(double t) { *this = {t, 0, 0, 0}; }
    };
    struct Target {
        double end = 0;
        bool cut = false; ///< the stop time, before the end the method would have chosen
    };

    StepOutcome fixedStep(double tStop);
    StepOutcome adaptiveStep(double tStop);
    double shared(double left) const;
    Target fixedTarget(double tStop) const;
    void advanceGrid(const Target& target);
    double firstStep();
    solve::NewtonResult refreshRates();
    bool finish(double tEnd, double h, StepOutcome& outcome);
    bool noteStructure();
    void noteTolerances();
    void noteRoles();

    const IntegratorInfo& info_;
    solve::DaeSystem* system_ = nullptr;
    IntegratorOptions options_;
    mutable RateSolver rates_;     ///< keeps nothing from one solution to the next
    IntegratedUnknowns tested_;    ///< the differential unknowns, which the error test looks at,
    std::vector<double> absolute_; ///< and their absolute tolerances
    /// Of the roles, what is asked for in every step.
    struct Roles {
        std::vector<std::pair<int, int>> rated; ///< unknowns, and those that state their rates
        std::vector<int> algebraic;             ///< unknowns without rates
        std::vector<int> late;                  ///< those of them of index 2 and 3
        std::vector<unsigned char> powers;      ///< of h in the weight of each unknown
    };
    Roles asked_;
    Grid grid_;
    std::uint64_t revision_ = 0;
    bool ratesStale_ = true;
    double t_ = 0, h_ = 0, lastStep_ = 0;
    double before_ = 0;    ///< where the last step began [s]: then yNew_, ypNew_ hold what was there
    double longest_ = 0;   ///< step tried since the last restart: at t = 0 nothing else says what is too small
    int doubtful_ = 0;     ///< so many steps to come
    double lastError_ = 0; ///< error norm of the last accepted step, for the proportional-integral control
};

} // namespace driftless::integrate
