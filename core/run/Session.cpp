// Repeating a recorded session headlessly. The text may come from a stranger: size, counts and every value are checked.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <new>
#include <stdexcept>

#include "core/reduction/Reduced.h"
#include "core/run/Repeat.h"
#include "core/run/SessionCodec.h"
#include "core/run/Times.h"
#include "core/text/Budget.h"

namespace driftless::run {

namespace {

Diagnostic bad(const std::string& file, std::string why)
{
    return {"This session cannot be replayed", file, std::move(why), "a session file saved by this program", {file, 0, 0}};
}

/// Brackets nested deeper than any session's would let a parser's own bookkeeping grow with the input.
bool tooDeep(const std::string& text)
{
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                quoted = false;
        } else if (c == '"') {
            quoted = true;
        } else if (c == '[' || c == '{') {
            if (++depth > budget::kSessionDepth)
                return true;
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return false;
}

/// The largest number of runs that the log has at one time.
std::size_t mostRuns(const std::vector<LogEntry>& log)
{
    std::size_t now = 0, most = 1;
    for (const LogEntry& e : log) {
        if (e.kind == LogEntry::Kind::AddRun)
            most = std::max(most, ++now);
        else if (e.kind == LogEntry::Kind::RemoveRun)
            now -= std::min(now, e.runs.size());
    }
    return std::min(most, budget::kSessionRuns);
}

/// Steps are counted against those that the session's end names, for whoever waits.
struct Progress {
    using Clock = std::chrono::steady_clock;
    ReplayWatch* watch = nullptr;
    std::uint64_t all = 0, done = 0;
    Clock::time_point until = Clock::time_point::max(); ///< then it is given up

    bool operator()()
    {
        constexpr std::uint64_t kLooked = 16; // steps between two looks at the clock
        ++done;
        if (until != Clock::time_point::max() && done % kLooked == 0 && Clock::now() > until)
            return false;
        if (!watch)
            return true;
        watch->share.store(all > 0 ? std::min(1.0, static_cast<double>(done) / static_cast<double>(all)) : 0.0,
                           std::memory_order_relaxed);
        return !watch->stop.load(std::memory_order_relaxed);
    }
};

struct Replayer {
    std::shared_ptr<const model::CompiledSystem> system;
    StartSettings start;
    std::uint64_t recordingBytes; ///< [bytes] of each run
    Progress progress;
    std::map<RunId, std::uint64_t> last; ///< steps that each run can have made
    bool all = true;                     ///< else those alone of which it is known
    std::map<RunId, std::unique_ptr<Run>> runs{};

    Result<void> repeat(const LogEntry& e)
    {
        switch (e.kind) {
        case LogEntry::Kind::AddRun: {
            if (!all && e.runs.size() == 1 && !last.contains(e.runs[0]))
                return {};
            if (e.runs.size() != 1 || !e.settings || runs.count(e.runs[0]) || runs.size() >= budget::kSessionRuns)
                return Diagnostic{.what = "The log adds a run wrongly",
                                  .why = "an entry that adds a run has one new id and its settings",
                                  .remedy = "the session as the program saved it"};
            auto run = Run::create(system, start, *e.settings, recordingBytes);
            if (!run)
                return run.error();
            (*run)->recordFirst(kFirstRecorded);
            runs[e.runs[0]] = std::move(*run);
            return {};
        }
        case LogEntry::Kind::RemoveRun:
            for (const RunId id : e.runs)
                runs.erase(id);
            return {};
        default:
            break;
        }
        if (e.commands.size() != e.runs.size())
            return Diagnostic{.what = "The log has not one command for each run",
                              .why = std::to_string(e.runs.size()) + " runs and " + std::to_string(e.commands.size())
                                     + " commands",
                              .remedy = "the session as the program saved it"};
        for (std::size_t k = 0; k < e.runs.size(); ++k) {
            const auto found = runs.find(e.runs[k]);
            if (found == runs.end())
                continue; // removed since, or not asked for: it changes nothing of the others
            if (auto possible = checkTime(e.commands[k].t, "a command of the log"); !possible)
                return possible;
            const std::uint64_t most = last[e.runs[k]];
            bool beyond = false;
            const auto told = [&] {
                beyond = found->second->acceptedSteps() > most;
                return !beyond && progress();
            };
            if (auto done = found->second->replay(e.commands[k], told); !done)
                return beyond ? Diagnostic{"The log does not fit the session's end",
                                           {},
                                           "a run goes on beyond its last step",
                                           {},
                                           {}}
                              : done.error();
        }
        for (const Command& c : e.commands)
            if (const auto* changed = std::get_if<SetStart>(&c.payload))
                start = startAfter(start, *changed);
        return {};
    }
};

/// The log, each entry checked before anything is computed.
std::vector<LogEntry> readLog(const codec::Json& j)
{
    const codec::Json& entries = codec::list(j, "log");
    if (entries.size() > budget::kSessionEvents)
        throw std::invalid_argument("its log is too long");
    std::vector<LogEntry> log;
    for (const codec::Json& entry : entries) {
        try {
            log.push_back(codec::logEntry(entry));
        } catch (const std::exception& e) {
            throw std::invalid_argument("entry " + std::to_string(log.size() + 1) + " of its log: " + e.what());
        }
        for (const Command& c : log.back().commands)
            if (c.afterSteps > budget::kSteps)
                throw std::invalid_argument("entry " + std::to_string(log.size()) + " of its log asks for too many steps");
    }
    return log;
}

/// A run that was left at the end, and after how many steps.
struct Left {
    RunId id;
    std::uint64_t steps;
};

std::vector<Left> readEnd(const codec::Json& j)
{
    std::vector<Left> out;
    std::uint64_t all = 0;
    for (const codec::Json& left : codec::list(codec::table(j, "end"), "runs")) {
        out.push_back({{static_cast<int>(codec::count(left, "id", std::numeric_limits<int>::max()))},
                       codec::count(left, "steps", budget::kSteps)});
        all += out.back().steps;
        if (all > budget::kSteps)
            throw std::invalid_argument("its runs have more than " + std::to_string(budget::kSteps) + " steps together");
    }
    return out;
}

/// A run that is left at the end has made no more steps than stand there, wherever its commands say that it went; one that is
/// not has made its last command's, and then one to the time of that command, or a few where the steps are short.
std::map<RunId, std::uint64_t> mostSteps(const std::vector<LogEntry>& log, const std::vector<Left>& end)
{
    constexpr std::uint64_t kToTheCommand = 1000;
    std::map<RunId, std::uint64_t> out;
    for (const LogEntry& entry : log)
        for (std::size_t k = 0; k < std::min(entry.runs.size(), entry.commands.size()); ++k) {
            std::uint64_t& most = out[entry.runs[k]];
            most = std::max(most, entry.commands[k].afterSteps + kToTheCommand);
        }
    for (const Left& left : end)
        out[left.id] = left.steps;
    return out;
}

/// The values that the recorder's equations were reduced near, which need not be those that the session starts with. Sessions
/// without them were recorded near the text's own.
reduction::Values reducedNear(const codec::Json& model)
{
    reduction::Values out;
    if (model.contains("near"))
        for (const auto& [name, value] : codec::table(model, "near").items())
            out[name] = codec::number(model["near"], name.c_str());
    return out;
}

Result<ReplayedSession> replayParsed(const codec::Json& j, const std::string& file, ReplayWatch* watch, std::uint64_t all)
{
    if (codec::number(j, "driftless_session") != 1)
        return bad(file, "its version is not known to this program");
    const codec::Json& text = codec::table(j, "model");
    const StartSettings start = codec::startSettings(codec::table(j, "start"));
    const auto model = reduction::readModel(codec::text(text, "text"), codec::text(text, "name"), reducedNear(text));
    if (!model)
        return model.error();
    const std::vector<LogEntry> log = readLog(j);
    const std::vector<Left> end = readEnd(j);
    ReplayedSession out;
    out.end = codec::number(codec::table(j, "end"), "t");
    if (auto possible = checkTime(out.end, file + ", its end"); !possible)
        return possible.error();
    auto system = model::CompiledSystem::compile(*model);
    if (!system)
        return system.error();
    const std::uint64_t recordingBytes = std::min(Recording::kDefaultBudgetBytes, all / mostRuns(log));
    Replayer replayer{.system = *system,
                      .start = start,
                      .recordingBytes = recordingBytes,
                      .progress = {.watch = watch},
                      .last = mostSteps(log, end)};
    for (const Left& left : end)
        replayer.progress.all += left.steps;
    for (std::size_t k = 0; k < log.size(); ++k)
        if (auto done = replayer.repeat(log[k]); !done) {
            Diagnostic why = done.error();
            why.where = file + ", entry " + std::to_string(k + 1) + " of its log" + (why.where.empty() ? "" : ", " + why.where);
            return why;
        }
    out.system = *system;
    for (const Left& left : end) {
        const auto found = replayer.runs.find(left.id);
        if (found == replayer.runs.end())
            return bad(file, "its end does not fit its log");
        Run& run = *found->second;
        while (run.acceptedSteps() < left.steps && run.step(std::numeric_limits<double>::infinity()))
            if (!replayer.progress())
                return Diagnostic{"The replay was stopped", file, {}, {}, {}};
        run.settle(); // a step that failed later recorded this one out of turn; the replay does not take that step
        if (run.acceptedSteps() != left.steps)
            return bad(file, "a run ends after " + std::to_string(run.acceptedSteps()) + " steps instead of "
                                 + std::to_string(left.steps));
        run.judgeExchanges();
        out.ids.push_back(left.id);
        out.runs.push_back(std::move(found->second));
        replayer.runs.erase(found);
    }
    return out;
}

} // namespace

Result<std::map<RunId, std::unique_ptr<Run>>> repeatRuns(const Repeated& what, const std::map<RunId, std::uint64_t>& steps,
                                                         double patience)
{
    using Clock = Progress::Clock;
    Replayer replayer{.system = what.system,
                      .start = what.start,
                      .recordingBytes = what.recordingBytes,
                      .progress = {},
                      .last = steps,
                      .all = false};
    if (std::isfinite(patience))
        replayer.progress.until =
            Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(patience));
    for (const LogEntry& entry : what.log)
        if (auto done = replayer.repeat(entry); !done)
            return done.error();
    for (const auto& [id, most] : steps) {
        const auto found = replayer.runs.find(id);
        if (found == replayer.runs.end())
            return Diagnostic{.what = "The log does not make this run"};
        Run& run = *found->second;
        bool goesOn = true;
        while (goesOn && run.acceptedSteps() < most && run.step(std::numeric_limits<double>::infinity()))
            goesOn = replayer.progress();
        if (run.acceptedSteps() != most)
            return Diagnostic{.what = "The run was not repeated",
                              .why = goesOn ? "it ended earlier" : "computing it anew takes too long"};
        run.judgeExchanges();
    }
    return std::move(replayer.runs);
}

Result<ReplayedSession> replaySession(const std::string& json, const std::string& file, ReplayWatch* watch,
                                      std::uint64_t recordingBytes)
{
    if (json.size() > budget::kSessionBytes)
        return bad(file, "it is larger than " + std::to_string(budget::kSessionBytes >> 20) + " MiB");
    if (tooDeep(json))
        return bad(file, "its brackets are nested too deeply");
    try {
        return replayParsed(codec::parse(json), file, watch, recordingBytes);
    } catch (const std::bad_alloc&) {
        return bad(file, "there is not enough memory for it");
    } catch (const std::exception& e) {
        return bad(file, e.what());
    }
}

} // namespace driftless::run
