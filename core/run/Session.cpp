// Repeating a recorded session headlessly. The text may come from a stranger: size, counts and every value are checked.
#include <algorithm>
#include <map>

#include "core/reduction/Reduced.h"
#include "core/run/SessionCodec.h"

namespace driftless::run {

namespace {

constexpr std::size_t kMaxSessionBytes = 64u << 20;
constexpr std::size_t kMaxLogEntries = 200'000;
constexpr std::size_t kMaxRuns = 64;
constexpr std::uint64_t kMaxSteps = 1'000'000'000;
constexpr int kMaxDepth = 32;

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
            if (++depth > kMaxDepth)
                return true;
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return false;
}

struct Replayer {
    std::shared_ptr<const model::CompiledSystem> system;
    StartSettings start;
    std::map<RunId, std::unique_ptr<Run>> runs;

    Result<void> repeat(const LogEntry& e)
    {
        switch (e.kind) {
        case LogEntry::Kind::AddRun: {
            if (e.runs.size() != 1 || !e.settings || runs.count(e.runs[0]) || runs.size() >= kMaxRuns)
                return Diagnostic{"The log adds a run wrongly", {}, {}, {}, {}};
            auto run = Run::create(system, start, *e.settings);
            if (!run)
                return run.error();
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
            return Diagnostic{"The log has not one command for each run", {}, {}, {}, {}};
        for (std::size_t k = 0; k < e.runs.size(); ++k) {
            const auto found = runs.find(e.runs[k]);
            if (found == runs.end())
                continue; // removed since: the log of a run that is gone changes nothing that is left
            if (e.commands[k].afterSteps > kMaxSteps)
                return Diagnostic{"The log asks for too many steps", {}, {}, {}, {}};
            if (auto done = found->second->replay(e.commands[k]); !done)
                return done.error();
        }
        for (const Command& c : e.commands)
            if (const auto* changed = std::get_if<SetStart>(&c.payload))
                start = startAfter(start, *changed);
        return {};
    }
};

Result<ReplayedSession> replayParsed(const codec::Json& j, const std::string& file)
{
    if (j.at("driftless_session").get<int>() != 1)
        return bad(file, "its version is not known to this program");
    const auto model = reduction::readModel(j.at("model").at("text").get<std::string>(), j.at("model").at("name").get<std::string>());
    if (!model)
        return model.error();
    auto system = model::CompiledSystem::compile(*model);
    if (!system)
        return system.error();
    Replayer replayer{*system, codec::startSettings(j.at("start")), {}};
    if (j.at("log").size() > kMaxLogEntries)
        return bad(file, "its log is too long");
    for (const codec::Json& entry : j.at("log"))
        if (auto done = replayer.repeat(codec::logEntry(entry)); !done)
            return done.error();
    ReplayedSession out;
    out.system = *system;
    out.end = j.at("end").at("t").get<double>();
    for (const codec::Json& left : j.at("end").at("runs")) {
        const RunId id{left.at("id").get<int>()};
        const auto steps = left.at("steps").get<std::uint64_t>();
        const auto found = replayer.runs.find(id);
        if (found == replayer.runs.end() || steps > kMaxSteps)
            return bad(file, "its end does not fit its log");
        Run& run = *found->second;
        while (run.acceptedSteps() < steps && run.step(std::numeric_limits<double>::infinity())) {
        }
        if (run.acceptedSteps() != steps)
            return bad(file, "a run ends after " + std::to_string(run.acceptedSteps()) + " steps instead of " + std::to_string(steps));
        out.ids.push_back(id);
        out.runs.push_back(std::move(found->second));
        replayer.runs.erase(found);
    }
    return out;
}

} // namespace

Result<ReplayedSession> replaySession(const std::string& json, const std::string& file)
{
    if (json.size() > kMaxSessionBytes)
        return bad(file, "it is larger than " + std::to_string(kMaxSessionBytes >> 20) + " MiB");
    if (tooDeep(json))
        return bad(file, "its brackets are nested too deeply");
    try {
        return replayParsed(codec::Json::parse(json), file);
    } catch (const std::exception& e) {
        return bad(file, e.what());
    }
}

} // namespace driftless::run
