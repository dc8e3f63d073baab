// What other threads may read of a run: a copy of its numbers, its events, and what its equations are. The thread that steps
// writes; a reader never makes it wait longer than a copy takes.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "core/run/RunStatus.h"
#include "core/run/TimeLine.h"

namespace driftless::run {

/// The numbers of a row.
struct Standing {
    double t = 0;              ///< [s]
    std::span<const double> q; ///< n, borrowed for the call
    integrate::Statistics statistics;
    std::uint64_t pivots = 0;
    ResidualNorms residual, maxResidual;
    double energy = 0, energyError = 0; ///< [J]
    double stepSize = 0;                ///< [s]
    int order = 0;
    double cpuSeconds = 0, wallSeconds = 0;
    double kappa = 1;
};

/// What changes with a command alone: the settings in force and the form that they lead to.
struct InForce {
    RunSettings settings;
    integrate::ErrorTest errorTest;
    std::vector<double> parameters;
    std::string mode; ///< empty: the model has one
    model::Mode rowsInForce;
    std::map<std::string, double> gains;
    std::vector<model::Quantity> gainQuantities;
    formulation::DaeSize form;
    std::shared_ptr<const formulation::CompiledDae> dae;
    std::vector<int> dummies, positionDummies; ///< coordinates; empty where the form has no choice
    formulation::Dummies selection;            ///< the same, or what is followed where the form has no choice
};

class Published {
public:
    /// n: coordinates of the model.
    explicit Published(std::size_t n);

    // Any thread.
    RunStatus status() const;
    /// Whether status() was asked for since the last call of this.
    bool takeWatched() { return watched_.exchange(false); }
    double t() const { return time_; } ///< of the last row
    std::uint64_t accepted() const { return accepted_.load(std::memory_order_relaxed); }
    bool failed() const { return failed_; }
    RunMark mark() const;
    RunSettings settings() const;
    StartSettings start() const;
    EquationsInForce equations() const;

    TimeLine& timeLine() { return timeLine_; }
    const TimeLine& timeLine() const { return timeLine_; }

    // The thread that steps.
    void accept() { accepted_.store(accepted() + 1, std::memory_order_relaxed); } ///< one step
    void takeBack(int steps) { accepted_ -= static_cast<std::uint64_t>(steps); }
    void arrive(double t) { time_ = t; } ///< a row is there
    void begin(const StartSettings& start);
    void tell(const Standing& standing);
    /// New settings; the run is ready again and forgets why it failed. goesOn() says the latter of failed(), before.
    void tell(InForce&& inForce);
    void goesOn() { failed_ = false; }
    /// The run has ended here, with an event that says so.
    void fail(double t, Diagnostic diagnostic, bool stuck, bool asked = false);

    /// The selection that is followed though the form has no choice. No allocation where its size stays.
    void tellFollowed(const std::vector<int>& selection);
    /// The dummies were exchanged.
    void tellDummies(const formulation::Dummies& dummies);
    /// Of a general DAE; exchanges: null where they are as they were. No allocation where sizes stay.
    void tellStages(const std::vector<int>& dummies, const std::vector<reduction::StageChoice>& stages,
                    std::vector<std::vector<reduction::StageExchange>>* exchanges);

    /// What a panel may offer in place of the selection, judged at the last row.
    struct Exchanges {
        std::vector<formulation::PivotCandidate> candidates, ofPositions;
    };
    double lastTime() const { return lastTime_; }
    const std::vector<double>& lastPositions() const { return lastPositions_; }
    /// Whether the exchanges told belong to the last row and the present selection.
    bool offersHere() const;
    void offer(Exchanges&& exchanges);
    void withdraw(); ///< they are to be judged again

private:
    /// To which state and selection the judged exchanges belong.
    struct Offered {
        double t = 0;
        formulation::Dummies selection;
    };
    struct Shared {
        RunStatus status;
        std::optional<Offered> offered;
        RunMark mark;
        std::shared_ptr<const formulation::CompiledDae> dae;
        formulation::Dummies selection;
        StartSettings start;
    };
    mutable std::mutex mutex_;
    Shared shared_; ///< written by the thread that steps alone, which may read it without the mutex
    std::atomic<double> time_{0};
    std::atomic<std::uint64_t> accepted_{0};
    std::atomic<bool> failed_{false};
    mutable std::atomic<bool> watched_{false}; ///< somebody asked for the status
    TimeLine timeLine_;
    // Of the thread that steps:
    double lastTime_ = 0; ///< [s] of the last row told
    std::vector<double> lastPositions_;
};

} // namespace driftless::run
