#include "ui/document/LiveActs.h"

#include <algorithm>
#include <optional>

#include "core/run/RunThen.h"

namespace driftless::ui {

namespace {

/// On a run that begins in the state of then, where it begins.
Result<void> tried(run::Run& run, const run::CommandPayload& payload)
{
    if (auto possible = run.check(payload); !possible)
        return possible;
    if (auto done = run.apply(run.t(), payload); !done)
        return done.error();
    return {};
}

Diagnostic needsRun()
{
    return {.what = "This needs a run", .why = "there is no run that it could act on", .remedy = "add a run first"};
}

} // namespace

bool Act::leftAs(const run::Checkpoint& now) const
{
    return after.digest == now.digest && std::ranges::all_of(runs, [&](run::RunId id) {
               const auto then = after.steps.find(id), here = now.steps.find(id);
               return then != after.steps.end() && here != now.steps.end() && then->second == here->second;
           });
}

std::vector<int> LiveActs::allKeys() const
{
    std::vector<int> keys;
    for (const RunEntry& run : open_.runs())
        keys.push_back(run.key);
    return keys;
}

void LiveActs::tellBranched(const QStringList& taken)
{
    emit open_.branched(open_.laboratory().clock().t, taken);
    emit open_.parametersChanged();
    for (const RunEntry& run : std::vector(open_.runs())) // who hears of it may change them
        emit open_.settingsChanged(run.key);
}

/// What is refused is refused before anything is cut for it: tried on a run made as it stood then, which is thrown away.
Result<void> LiveActs::checkAsShown(const std::vector<int>& keys, const run::CommandPayload& payload) const
{
    const run::Laboratory& laboratory = open_.laboratory();
    const double t = laboratory.clock().t;
    for (const int key : keys) {
        const RunEntry* entry = open_.find(key);
        const auto regimes = entry ? run::regimesOf(laboratory, entry->id) : std::vector<run::Regime>{};
        const auto then = regimes.empty() ? nullptr : run::runAsThen(laboratory, entry->id, run::regimeAt(regimes, t), t);
        if (auto possible = then ? tried(*then, payload) : Result<void>(); !possible)
            return possible;
    }
    return {};
}

/// Whether these runs stand so far ahead of what a pause shows that a change there would be seen to act elsewhere: behind an
/// event, or by long steps.
bool LiveActs::standsAhead(const std::vector<int>& keys) const
{
    constexpr double kSeen = 0.25;      // s of playing
    constexpr double kOfTheTime = 0.05; // of what a plot shows, but for the first moments
    constexpr double kLeast = 5;        // s
    const run::Laboratory& laboratory = open_.laboratory();
    const run::ClockStatus clock = laboratory.clock();
    if (clock.playing)
        return false;
    return std::ranges::any_of(keys, [&](int key) {
        const RunEntry* run = open_.find(key);
        const auto recording = run ? laboratory.recording(run->id) : run::RecordingView();
        if (recording.empty() || recording.lastTime() <= clock.t)
            return false;
        const double end = recording.lastTime();
        return end > clock.t + std::min(kSeen * clock.speed, kOfTheTime * std::max(clock.t, kLeast))
               || !laboratory.events(run->id, run::EventKind::Mode, clock.t, end).empty()
               || !laboratory.events(run->id, run::EventKind::Impact, clock.t, end).empty();
    });
}

Result<Act> LiveActs::issue(const std::vector<int>& keys, const run::CommandPayload& payload)
{
    Bench& bench = open_.bench();
    const bool back = bench.scrubbedBack();
    std::optional<run::Checkpoint> beforeCut;
    if (back || standsAhead(keys)) {
        if (auto possible = checkAsShown(keys, payload); !possible)
            return possible.error();
        if (!back)
            beforeCut = bench.laboratory().checkpoint();
        const auto cut = bench.branch();
        if (!cut)
            return cut.error();
        if (back)
            tellBranched(*cut);
    }
    std::vector<run::RunId> ids;
    for (const int key : keys)
        if (const RunEntry* entry = open_.find(key))
            ids.push_back(entry->id);
    if (ids.empty())
        return needsRun();
    Act act{.before = beforeCut ? *beforeCut : bench.laboratory().checkpoint(), .runs = ids};
    const auto t = bench.laboratory().command(ids, payload);
    if (!t)
        return t.error();
    act.t = *t;
    act.after = bench.laboratory().checkpoint();
    bench.laboratory().goOnTo(*t); // what is changed in a pause is what is seen
    bench.noteShown(bench.laboratory().clock().t);
    for (const int key : keys)
        bench.runs().forgetFailure(key); // a command may have revived it; a second failure is to be reported again
    if (const auto* set = std::get_if<run::SetParameter>(&payload)) {
        bench.noteParameter(set->name, set->value);
        emit open_.parametersChanged();
    }
    for (const int key : keys)
        emit open_.settingsChanged(key);
    return act;
}

Result<Act> LiveActs::issueHere(const std::map<int, run::CommandPayload>& payloads)
{
    Bench& bench = open_.bench();
    const double t = bench.laboratory().clock().t;
    const bool ahead = std::ranges::any_of(open_.runs(), [&](const RunEntry& run) {
        const auto recording = bench.laboratory().recording(run.id);
        return !recording.empty() && recording.lastTime() > t;
    });
    const bool back = bench.scrubbedBack();
    if (back)
        for (const auto& [key, payload] : payloads)
            if (auto possible = checkAsShown({key}, payload); !possible)
                return possible.error();
    Act act{.t = t, .before = bench.laboratory().checkpoint(), .runs = bench.laboratory().runs()};
    if (ahead || back) {
        const auto cut = bench.branch();
        if (!cut)
            return cut.error();
        if (back) {
            tellBranched(*cut);
            act.before = bench.laboratory().checkpoint();
        }
    }
    if (auto done = issueTo(payloads); !done)
        return done.error();
    act.after = bench.laboratory().checkpoint();
    return act;
}

Result<void> LiveActs::issueTo(const std::map<int, run::CommandPayload>& payloads)
{
    Bench& bench = open_.bench();
    std::vector<run::RunId> ids;
    std::vector<run::CommandPayload> each;
    for (const auto& [key, payload] : payloads)
        if (const RunEntry* entry = open_.find(key)) {
            ids.push_back(entry->id);
            each.push_back(payload);
        }
    if (ids.empty())
        return needsRun();
    if (auto done = bench.laboratory().command(ids, each); !done)
        return done.error();
    for (const auto& [key, payload] : payloads) {
        bench.runs().forgetFailure(key);
        emit open_.settingsChanged(key);
    }
    return {};
}

Result<void> LiveActs::takeBack(const Act& act, double t)
{
    if (auto back = open_.bench().rewind(act.before, t); !back)
        return back;
    emit open_.rewound(t);
    emit open_.parametersChanged();
    for (const RunEntry& run : std::vector(open_.runs())) // who hears of it may change them
        emit open_.settingsChanged(run.key);
    return {};
}

void LiveActs::showTime(double t)
{
    run::Laboratory& laboratory = open_.laboratory();
    const bool playing = laboratory.clock().playing;
    laboratory.scrub(t);
    if (playing)
        laboratory.play();
}

void LiveActs::goToNow()
{
    if (open_.scrubbedBack())
        showTime(open_.bench().furthest());
}

std::map<int, run::CommandPayload> LiveActs::statesHere() const
{
    std::map<int, run::CommandPayload> out;
    const run::Laboratory& laboratory = open_.laboratory();
    const model::ConstrainedSystem& s = open_.bench().system();
    const std::size_t n = s.coordinates.size();
    std::vector<double> q(n), v(n), lambda(static_cast<std::size_t>(s.w()));
    for (const RunEntry& run : open_.runs()) {
        if (!laboratory.recording(run.id).stateAt(laboratory.clock().t, q.data(), v.data(), lambda.data()))
            continue;
        run::SetState state;
        state.asRecorded = true;
        for (std::size_t i = 0; i < n; ++i) {
            state.values[s.coordinates[i].name] = q[i];
            state.values[s.coordinates[i].velocity.name] = v[i];
        }
        for (std::size_t i = 0; i < s.dynamics.size(); ++i)
            state.values[s.dynamics[i].name] = lambda[s.constraints.size() + i];
        out[run.key] = std::move(state);
    }
    return out;
}

Result<void> LiveActs::insert(const RunEntry& entry, const run::RunSettings& settings, std::size_t place)
{
    auto joined = open_.bench().join(entry, settings, place);
    if (joined)
        emit open_.runsChanged();
    return joined;
}

run::RunSettings LiveActs::take(int key, std::size_t& place)
{
    auto settings = open_.bench().take(key, place);
    emit open_.runsChanged();
    return settings;
}

} // namespace driftless::ui
