// The log of a laboratory: written as a session, opened again, and taken back.
#include <algorithm>
#include <cmath>

#include "core/reduction/Reduced.h"
#include "core/run/LaboratoryImpl.h"
#include "core/run/Repeat.h"
#include "core/run/SessionCodec.h"

namespace driftless::run {

namespace {

constexpr std::uint64_t kOfNothing = 0xcbf29ce484222325ull; // FNV's

/// Whether a run comes, goes or begins anew: what was before cannot be had by repeating the runs that there are.
bool endsRewinding(const LogEntry& entry)
{
    return entry.kind == LogEntry::Kind::AddRun || entry.kind == LogEntry::Kind::RemoveRun
           || std::ranges::any_of(entry.commands, [](const Command& command) {
                  return std::holds_alternative<Reset>(command.payload) || std::holds_alternative<SetStart>(command.payload);
              });
}

/// FNV-1a.
std::uint64_t digestAfter(std::uint64_t before, const std::string& text)
{
    std::uint64_t out = before;
    for (const char c : text)
        out = (out ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
    return out;
}

} // namespace

std::uint64_t Laboratory::logDigest() const
{
    Impl& d = *impl_;
    while (d.digests.size() < d.log.size())
        d.digests.push_back(
            digestAfter(d.digests.empty() ? kOfNothing : d.digests.back(), codec::toJson(d.log[d.digests.size()]).dump()));
    return d.digests.empty() ? kOfNothing : d.digests.back();
}

Checkpoint Laboratory::checkpoint() const
{
    Checkpoint out{.entries = impl_->log.size(), .digest = logDigest()};
    for (const auto& s : impl_->slots)
        out.steps[s->id] = s->run->acceptedSteps();
    return out;
}

Result<void> Laboratory::rewind(const Checkpoint& to, double t)
{
    Impl& d = *impl_;
    const auto refused = [](std::string why) {
        return Diagnostic{.what = "The runs cannot go back to where they stood", .why = std::move(why)};
    };
    if (to.entries > d.log.size())
        return refused("the log is shorter now");
    (void)logDigest(); // of every entry
    if (to.digest != (to.entries > 0 ? d.digests[to.entries - 1] : kOfNothing))
        return refused("other things have been done since then");
    const auto since = d.log.begin() + static_cast<std::ptrdiff_t>(to.entries);
    if (std::any_of(since, d.log.end(), endsRewinding))
        return refused("runs have come, gone or begun anew since");
    std::map<RunId, std::uint64_t> steps;
    for (auto entry = since; entry != d.log.end(); ++entry)
        for (const RunId id : entry->runs)
            if (const auto before = to.steps.find(id); before != to.steps.end() && d.find(id))
                steps.insert(*before);
    const auto held = d.hold(d.allIds());
    auto runs = repeatRuns(
        {.system = d.system, .start = d.start, .log = std::span(d.log).first(to.entries), .recordingBytes = d.recordingBytes},
        steps, d.patience);
    if (runs) {
        const std::lock_guard lock(d.mutex);
        for (const auto& s : held)
            if (const auto again = runs->find(s->id); again != runs->end()) {
                s->run = std::move(again->second);
                s->late.reset();
            }
        d.log.erase(since, d.log.end());
        d.digests.resize(std::min(d.digests.size(), d.log.size()));
        d.clock.t = t;
        d.waitGoal = 0;
    }
    if (runs)
        d.setGoal();
    d.release(held);
    if (!runs)
        return refused(runs.error().why.empty() ? runs.error().what : runs.error().why);
    return d.rows ? recordRows(*d.rows) : Result<void>(); // which rows are kept is no part of what was done
}

std::string Laboratory::sessionJson() const
{
    // Runs go on meanwhile: what changes the log comes from this thread alone, and of each run its last row is read.
    const model::Model& m = impl_->system->model();
    codec::Json out{{"driftless_session", 1},
                    {"model", {{"name", m.name}, {"text", m.text}}},
                    {"start", codec::toJson(impl_->start)},
                    {"log", codec::Json::array()},
                    {"end", {{"t", 0.0}, {"runs", codec::Json::array()}}}};
    if (m.reduced && !m.reduced->stated.empty())
        out["model"]["near"] = m.reduced->stated;
    for (const LogEntry& e : impl_->log)
        out["log"].push_back(codec::toJson(e));
    double furthest = 0;
    for (const auto& s : impl_->slots) {
        const Run::Mark now = s->run->mark();
        furthest = std::max(furthest, now.t);
        out["end"]["runs"].push_back({{"id", s->id.value}, {"steps", now.steps}, {"t", now.t}});
    }
    out["end"]["t"] = std::min(impl_->clock.t, furthest); // the run that was at the clock may be gone
    return out.dump(1, ' ', false, codec::Json::error_handler_t::replace);
}

Result<std::unique_ptr<Laboratory>> Laboratory::open(const std::string& json, const std::string& file, int workers,
                                                     ReplayWatch* watch)
{
    auto replayed = replaySession(json, file, watch);
    if (!replayed)
        return replayed.error();
    try {
        const codec::Json session = codec::Json::parse(json); // checked by the replay
        auto out = std::make_unique<Laboratory>(replayed->system, codec::startSettings(session.at("start")), workers);
        Impl& d = *out->impl_;
        for (const codec::Json& entry : session.at("log")) {
            d.log.push_back(codec::logEntry(entry));
            for (const RunId id : d.log.back().runs)
                d.nextId = std::max(d.nextId, id.value + 1);
            for (const Command& c : d.log.back().commands)
                if (const auto* changed = std::get_if<SetStart>(&c.payload))
                    d.present = startAfter(d.present, *changed);
        }
        for (std::size_t k = 0; k < replayed->runs.size(); ++k) {
            auto slot = std::make_shared<Slot>();
            slot->id = replayed->ids[k];
            slot->run = std::move(replayed->runs[k]);
            const std::lock_guard lock(d.mutex);
            d.slots.push_back(std::move(slot));
        }
        // A run behind the clock is still to catch up, or has failed there and will again.
        double furthest = 0;
        for (const auto& slot : d.slots)
            furthest = std::max(furthest, slot->run->t());
        d.clock.t = std::isfinite(replayed->end) ? std::clamp(replayed->end, 0.0, furthest) : 0.0;
        d.setGoal();
        return out;
    } catch (const std::exception& e) {
        return Diagnostic{
            "This session cannot be opened", file, e.what(), "a session file saved by this program", {file, 0, 0}};
    }
}

} // namespace driftless::run
