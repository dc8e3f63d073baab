// Several runs of one model under one clock, on worker threads: what the window drives and what a replay repeats.
//
// The window calls from one thread (the GUI's). Workers: max(1, cores - 1) at low priority; a run belongs to one worker
// at a time. While playing, workers keep each run a little ahead of the clock; the clock waits for the slowest run.
#pragma once

#include <atomic>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/run/Run.h"

namespace driftless::run {

struct RunId {
    int value = -1;
    auto operator<=>(const RunId&) const = default;
};

/// One entry of the session's log: what was done to which runs, in order.
struct LogEntry {
    enum class Kind { AddRun, RemoveRun, Command, Branch } kind = Kind::Command;
    std::vector<RunId> runs;
    double t = 0;
    std::vector<Command> commands;       ///< one per run (t shared, afterSteps differs)
    std::optional<RunSettings> settings; ///< AddRun
    std::optional<RunId> source;         ///< AddRun: state taken from this run's start (always the shared start)
};

struct ClockStatus {
    double t = 0;       ///< displayed time [s]
    double reached = 0; ///< slowest run
    bool playing = false;
    double speed = 1;                ///< simulated seconds per second
    std::optional<RunId> waitingFor; ///< the run the clock waits for, if any
};

/// Where a laboratory stands, to come back to (Laboratory::rewind).
struct Checkpoint {
    std::size_t entries = 0;                ///< of the log
    std::uint64_t digest = 0;               ///< of these entries
    std::map<RunId, std::uint64_t> steps{}; ///< accepted ones of each run
    bool operator==(const Checkpoint&) const = default;
};

/// A replay seen from another thread: how far it is, and a wish that it stop.
struct ReplayWatch {
    std::atomic<bool> stop{false};
    std::atomic<double> share{0}; ///< of the recorded steps, 0 to 1
};

class Laboratory {
public:
    Laboratory(std::shared_ptr<const model::CompiledSystem> system, StartSettings start, int workers = 0);
    ~Laboratory();

    /// A laboratory that stands where sessionJson was taken: the log is repeated (this takes as long as computing it
    /// does), run ids and the log are those of the session. Bounded and checked as replaySession.
    static Result<std::unique_ptr<Laboratory>> open(const std::string& json, const std::string& file, int workers = 0,
                                                    ReplayWatch* watch = nullptr);

    const model::CompiledSystem& system() const;
    std::shared_ptr<const model::CompiledSystem> systemHandle() const;
    const StartSettings& start() const; ///< that new runs take: the session's, or as setStart left it

    /// A new run from the shared start; it catches up with the clock.
    Result<RunId> addRun(const RunSettings& settings);
    void removeRun(RunId id);
    /// Which steps of the runs that there are, and of all that are added from now on, are recorded; else each run's settings
    /// say it.
    Result<void> recordRows(Rows rows);
    /// Memory of the recording of each run that is added from now on [bytes].
    void setRecordingBudget(std::uint64_t bytes);
    /// How long a command may take to bring runs that are behind to where it acts [s of the wall's clock]; without an end
    /// unless set. Beyond that it is refused, and refused at once while the run has not come to where that was: the caller may
    /// be a window that cannot wait.
    void setPatience(double seconds);
    std::vector<RunId> runs() const;

    /// Acts on the given runs at one t not before any of them has reached; returns that t. On refusal nothing changed
    /// in any run.
    Result<double> command(const std::vector<RunId>& runs, const CommandPayload& payload);
    /// The same with a payload for each run.
    Result<double> command(const std::vector<RunId>& runs, std::span<const CommandPayload> payloads);
    /// Continues from an earlier time: recordings are cut after t and the runs restart from their state there, with the
    /// settings that as names for them (branchesAsThen in Past.h), else with those of now. A run that failed before t stays as
    /// it is.
    Result<void> branchAt(double t, const std::map<RunId, Branch>& as = {});
    Checkpoint checkpoint() const;
    /// Back to where it stood: what the log got since is taken off, and the runs that this concerns are computed anew up to
    /// there, as if it had never been done. t [s] is displayed then. Refused, and nothing changes, where that takes longer than
    /// the patience, or where runs have come, gone or begun anew since.
    Result<void> rewind(const Checkpoint& to, double t);
    /// Everything back to t = 0 with the present settings.
    Result<void> restartAll();
    /// The same from other start values.
    Result<void> setStart(const SetStart& start);

    void play();
    void pause();
    void setSpeed(double simulatedSecondsPerSecond);
    /// The runs with the smallest time go on to their next rows, each of which is one accepted step unless fewer are recorded;
    /// the clock moves to where the slowest of all is then.
    void stepOnce();
    /// Called by the display timer: advances the clock by wallSeconds * speed while playing, never beyond the slowest run.
    ClockStatus tick(double wallSeconds);
    /// Shows an earlier time without changing anything (pauses).
    void scrub(double t);
    /// A clock that stands goes on to t [s], where a run was changed ahead of it.
    void goOnTo(double t);
    ClockStatus clock() const;

    RecordingView recording(RunId id) const;
    RunStatus status(RunId id) const;
    std::vector<Event> events(RunId id) const;
    std::vector<Event> events(RunId id, EventKind kind, double from, double to) const; ///< with from < t <= to
    std::vector<formulation::DescribedRow> equations(RunId id, expr::Format format) const;
    DriftClass drift(RunId id) const;

    const std::vector<LogEntry>& log() const;
    /// Of all its entries: the same for logs that say the same.
    std::uint64_t logDigest() const;
    /// The whole session as JSON text: model text, start, log. replaySession repeats it.
    std::string sessionJson() const;

    /// Blocks until all runs have reached t or failed, at most for so many seconds of the wall's clock (tests, headless). False
    /// where time was up: the runs go on to the clock alone then.
    bool waitUntil(double t, double seconds = std::numeric_limits<double>::infinity());

private:
    Result<void> backToStart(const CommandPayload& payload);
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Brings every run to t (where it can) and applies the payload to all of them (one for all, or one for each), or, when any of
/// them refuses, to none. Returns the runs' commands in order. The runs must not be stepped meanwhile. patience [s]: of the
/// wall's clock; a run that is still far from t then is a reason to refuse, and late says which of them.
Result<std::vector<Command>> applyTogether(const std::vector<Run*>& runs, double t, std::span<const CommandPayload> payloads,
                                           double patience, std::optional<std::size_t>& late);

/// The result of repeating a session headlessly: the runs that were left at its end.
struct ReplayedSession {
    std::shared_ptr<const model::CompiledSystem> system;
    std::vector<RunId> ids;
    std::vector<std::unique_ptr<Run>> runs;
    double end = 0;
};
/// Bounded and checked: a session from a stranger may be broken or hostile. recordingBytes: of all its recordings together;
/// none has more than a run alone.
Result<ReplayedSession> replaySession(const std::string& json, const std::string& file, ReplayWatch* watch = nullptr,
                                      std::uint64_t recordingBytes = 2 * Recording::kDefaultBudgetBytes);

} // namespace driftless::run
