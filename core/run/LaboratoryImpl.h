// Inside of a laboratory: its runs, its workers and its log; shared by the files Laboratory*.cpp of this room.
#pragma once

#include <atomic>
#include <condition_variable>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "core/run/Laboratory.h"

namespace driftless::run {

struct Slot {
    RunId id;
    std::shared_ptr<Run> run;
    bool busy = false;             ///< a worker is stepping it
    std::atomic<bool> held{false}; ///< the window wants it: leave after this step
    // The window's thread only.
    std::optional<Diagnostic> late; ///< the refusal of a command for which this run was too far behind
    double lateUntil = 0;           ///< [s] where that command would have acted
};

struct Laboratory::Impl {
    std::shared_ptr<const model::CompiledSystem> system;
    StartSettings start;   ///< of the session, as it began
    StartSettings present; ///< that new runs take

    mutable std::mutex mutex; ///< guards everything below
    std::condition_variable work, idle;
    std::vector<std::shared_ptr<Slot>> slots;
    bool stopping = false;
    double goal = 0; ///< runs go on to this time

    // The window's thread only.
    std::vector<LogEntry> log;
    std::vector<std::uint64_t> digests; ///< of the log up to each entry, as far as it was asked for
    ClockStatus clock;
    double waitGoal = 0; ///< reached on request, playing or not
    int nextId = 0;
    std::optional<Rows> rows;                                      ///< of new runs
    std::uint64_t recordingBytes = Recording::kDefaultBudgetBytes; ///< [bytes] of new runs
    double patience = std::numeric_limits<double>::infinity();     ///< [s] of commands with runs that are behind
    std::vector<std::thread> threads;

    std::shared_ptr<Slot> find(RunId id) const
    {
        for (const auto& s : slots)
            if (s->id == id)
                return s;
        return nullptr;
    }
    std::shared_ptr<Slot> nextForWorker() const;
    void workerLoop();
    std::vector<std::shared_ptr<Slot>> hold(const std::vector<RunId>& ids);
    void release(const std::vector<std::shared_ptr<Slot>>& held);
    void logRestarts(const Slot& slot);
    void setGoal();
    ClockStatus measuredClock() const;
    std::vector<RunId> allIds() const;
    std::vector<Command> applyAll(const std::vector<std::shared_ptr<Slot>>& held, double t,
                                  std::span<const CommandPayload> payloads, std::optional<Diagnostic>& refusal);
};

} // namespace driftless::run
