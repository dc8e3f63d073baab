// One run: a model integrated in a formulation by an integrator, with its recording, metrics, monitors and commands.
// Runs on one thread at a time; recording(), events() and status() may be read from others.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/consistency/Consistency.h"
#include "core/formulation/Describe.h"
#include "core/formulation/Pivot.h"
#include "core/integrate/ErrorTest.h"
#include "core/reduction/DummyChooser.h"
#include "core/run/Event.h"
#include "core/run/Recording.h"
#include "core/run/RunStatus.h"
#include "core/run/Settings.h"
#include "core/run/StartRequest.h"
#include "core/system/CompiledSystem.h"

namespace driftless::run {

/// So many steps of a run in a laboratory are rows, whatever its curves need.
constexpr std::uint64_t kFirstRecorded = 2000;

struct DriftClass {
    std::string position; ///< "none", "linear", "quadratic"
    std::string energy;   ///< empty where the model states no energy
};

class Run;
Result<std::vector<Command>> applyTogether(const std::vector<Run*>& runs, double t, std::span<const CommandPayload> payloads,
                                           double patience, std::optional<std::size_t>& late);

class Run {
public:
    /// Builds the formulation, finds a consistent start and prepares the integrator. A refusal (formulation or
    /// integrator cannot carry the model) is a Diagnostic, as is a conflict in the start values.
    static Result<std::unique_ptr<Run>> create(std::shared_ptr<const model::CompiledSystem> system, const StartSettings& start,
                                               const RunSettings& settings,
                                               std::uint64_t recordingBudget = Recording::kDefaultBudgetBytes);
    ~Run();

    /// One accepted step ending at tStop at the latest. False when it failed (see status()) or was interrupted.
    bool step(double tStop);
    /// Steps until t >= tEnd (exactly tEnd), failure, or interrupt.
    bool advanceTo(double tEnd);
    /// As advanceTo, but never shortens a step: stops after the first accepted step at or beyond t.
    bool advanceBeyond(double t);
    /// Stops exactly at t (shortening one step), then applies the payload. The returned Command is what a log needs to
    /// repeat it. A command that cannot be carried out (refused formulation, unknown name) leaves the run as it was.
    Result<Command> apply(double t, const CommandPayload& payload);
    /// Repeats a logged command: advances freely for command.afterSteps steps, then exactly to command.t, then applies.
    /// told is asked after each step whether to go on; where it says no, that is the error and the run is of no further use.
    Result<void> replay(const Command& command, const std::function<bool()>& told = {});

    /// Refuses what cannot be carried out whatever the state: unknown names, a formulation or integrator that cannot
    /// carry the model. apply() asks it before it takes a step.
    Result<void> check(const CommandPayload& payload) const;
    /// Restarts since the last call that were not asked for (after interrupt(), or before a failed run goes on): a log
    /// repeats them like commands, before the next one.
    std::vector<Command> takeRestarts();

    /// Judges the exchanges of dummies that status() tells of, at the last row. Dearer than a small step, so no step does it:
    /// advanceTo, advanceBeyond and commands do when they are done, and who calls step() where they are shown.
    void judgeExchanges();

    /// Where the last accepted step ended, recorded or not; never before t().
    double reached() const;
    /// Records the last accepted step. False where the run has failed by that.
    bool settle();

    // Any thread:
    double t() const;                    ///< of the last row
    std::uint64_t acceptedSteps() const; ///< over the life of the run, Reset and Branch included
    using Mark = RunMark;
    Mark mark() const;
    bool failed() const;
    RecordingView recording() const;
    /// Until there are so many rows, every step is one. Before the first step.
    void recordFirst(std::uint64_t rows);
    /// From now on keeps the states at these times [s], in order, as the method knows them inside of its steps: with
    /// multipliers, which a recording holds at its rows alone. The thread that steps.
    void sampleAt(std::vector<double> times);
    /// The state that was kept of a time, with its accelerations; null where it was a row or the method does not know it.
    const model::ModelState* sampled(double t) const;
    std::vector<Event> events() const;
    std::vector<Event> events(EventKind kind, double from, double to) const; ///< with from < t <= to
    std::vector<double> firstParameters() const;                             ///< those with which what is recorded began
    RunStatus status() const;
    /// Whether status() was asked for since the last call of this.
    bool takeWatched();
    /// Leaves the step under way as soon as possible; the step is discarded, and the run goes on with a restart if it goes on.
    /// For runs that are given up: a run that somebody looks at is never interrupted, or its numbers would depend on when.
    void interrupt();

    /// Computed over the recording so far (docs/monitors.md).
    DriftClass drift() const;
    /// Every position, velocity, multiplier and auxiliary at the end, by name.
    std::vector<std::pair<std::string, double>> namedState() const;
    /// What is integrated now: the form as it is written for the mode in force.
    EquationsInForce equationsInForce() const;
    /// Its rows.
    std::vector<formulation::DescribedRow> equations(expr::Format format) const;
    const model::CompiledSystem& system() const;
    const std::shared_ptr<const model::CompiledSystem>& systemHandle() const;
    StartSettings start() const; ///< as begun, or as the last SetStart left it; any thread

    struct Impl;

private:
    friend Result<std::vector<Command>> applyTogether(const std::vector<Run*>&, double, std::span<const CommandPayload>, double,
                                                      std::optional<std::size_t>&);
    Run();
    std::unique_ptr<Impl> impl_;
};

} // namespace driftless::run
