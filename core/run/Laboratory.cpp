#include "core/run/Laboratory.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/base/Thread.h"
#include "core/run/LaboratoryImpl.h"

namespace driftless::run {

namespace {

constexpr double kLookahead = 0.1;          // [s] of playing time that runs are ahead of the clock
constexpr std::uint64_t kStepsPerTurn = 64; // accepted steps before a worker looks for a slower run

} // namespace

std::shared_ptr<Slot> Laboratory::Impl::nextForWorker() const
{
    std::shared_ptr<Slot> best;
    for (const auto& s : slots) {
        if (s->busy || s->held || s->run->failed() || !(s->run->t() < goal))
            continue;
        if (!best || s->run->t() < best->run->t())
            best = s;
    }
    return best;
}

void Laboratory::Impl::workerLoop()
{
    lowerThreadPriority();
    std::unique_lock lock(mutex);
    while (!stopping) {
        const std::shared_ptr<Slot> slot = nextForWorker();
        if (!slot) {
            work.wait(lock);
            continue;
        }
        slot->busy = true;
        const double target = goal;
        lock.unlock();
        for (std::uint64_t k = 0; k < kStepsPerTurn && !slot->held && slot->run->t() < target; ++k)
            if (!slot->run->step(std::numeric_limits<double>::infinity()))
                break;
        const bool rests = slot->held || !(slot->run->t() < target) || slot->run->failed();
        if (rests || slot->run->takeWatched())
            slot->run->judgeExchanges();
        lock.lock();
        slot->busy = false;
        idle.notify_all();
    }
}

/// Takes runs out of the workers' hands, between steps. A step under way is waited for, however long it takes: one that is
/// broken off leaves a restart behind, and whether it came to that would depend on the load of the machine.
std::vector<std::shared_ptr<Slot>> Laboratory::Impl::hold(const std::vector<RunId>& ids)
{
    std::vector<std::shared_ptr<Slot>> out;
    std::unique_lock lock(mutex);
    for (const RunId id : ids)
        if (auto slot = find(id); slot && std::find(out.begin(), out.end(), slot) == out.end()) {
            slot->held = true;
            out.push_back(std::move(slot));
        }
    idle.wait(lock, [&out] { return std::none_of(out.begin(), out.end(), [](const auto& s) { return s->busy; }); });
    return out;
}

void Laboratory::Impl::release(const std::vector<std::shared_ptr<Slot>>& held)
{
    {
        const std::lock_guard lock(mutex);
        for (const auto& s : held)
            s->held = false;
    }
    work.notify_all();
}

void Laboratory::Impl::logRestarts(const Slot& slot)
{
    for (Command& c : slot.run->takeRestarts()) {
        LogEntry entry;
        entry.runs = {slot.id};
        entry.t = c.t;
        entry.commands = {std::move(c)};
        log.push_back(std::move(entry));
    }
}

std::vector<RunId> Laboratory::Impl::allIds() const
{
    std::vector<RunId> out;
    for (const auto& s : slots)
        out.push_back(s->id);
    return out;
}

ClockStatus Laboratory::Impl::measuredClock() const
{
    ClockStatus out = clock;
    out.reached = std::numeric_limits<double>::infinity();
    out.waitingFor.reset();
    double furthest = 0;
    std::optional<RunId> slowest;
    for (const auto& s : slots) {
        const double t = s->run->t();
        furthest = std::max(furthest, t);
        if (!s->run->failed() && t < out.reached) {
            out.reached = t;
            slowest = s->id;
        }
    }
    if (!slowest) {
        out.reached = furthest;
        // The run that was at the clock may be gone: none of those that are left comes there any more.
        if (!slots.empty())
            out.t = std::min(out.t, furthest);
    } else if (out.playing && out.reached <= clock.t) {
        out.waitingFor = slowest;
    }
    return out;
}

void Laboratory::Impl::setGoal()
{
    const double wanted = clock.playing ? clock.t + kLookahead * clock.speed : clock.t;
    {
        const std::lock_guard lock(mutex);
        goal = std::max(wanted, waitGoal);
    }
    work.notify_all();
}

Laboratory::Laboratory(std::shared_ptr<const model::CompiledSystem> system, StartSettings start, int workers)
    : impl_(std::make_unique<Impl>())
{
    impl_->system = std::move(system);
    impl_->start = std::move(start);
    impl_->present = impl_->start;
    if (workers <= 0)
        workers = std::max(1, static_cast<int>(std::thread::hardware_concurrency()) - 1);
    for (int i = 0; i < workers; ++i)
        impl_->threads.emplace_back([this] { impl_->workerLoop(); });
}

Laboratory::~Laboratory()
{
    {
        const std::lock_guard lock(impl_->mutex);
        impl_->stopping = true;
        for (const auto& s : impl_->slots) {
            s->held = true;
            s->run->interrupt();
        }
    }
    impl_->work.notify_all();
    for (std::thread& t : impl_->threads)
        t.join();
}

const model::CompiledSystem& Laboratory::system() const { return *impl_->system; }
std::shared_ptr<const model::CompiledSystem> Laboratory::systemHandle() const { return impl_->system; }
const StartSettings& Laboratory::start() const { return impl_->present; }
const std::vector<LogEntry>& Laboratory::log() const { return impl_->log; }
std::vector<RunId> Laboratory::runs() const { return impl_->allIds(); }

Result<void> Laboratory::recordRows(Rows rows)
{
    impl_->rows = rows;
    std::vector<RunId> others;
    for (const RunId id : runs())
        if (status(id).settings.rows != rows)
            others.push_back(id);
    if (others.empty())
        return {};
    const auto done = command(others, SetRows{rows});
    return done ? Result<void>() : Result<void>(done.error());
}

void Laboratory::setRecordingBudget(std::uint64_t bytes) { impl_->recordingBytes = bytes; }
void Laboratory::setPatience(double seconds) { impl_->patience = seconds; }

Result<RunId> Laboratory::addRun(const RunSettings& asked)
{
    RunSettings settings = asked;
    settings.rows = impl_->rows.value_or(asked.rows);
    auto run = Run::create(impl_->system, impl_->present, settings, impl_->recordingBytes);
    if (!run)
        return run.error();
    (*run)->recordFirst(kFirstRecorded);
    auto slot = std::make_shared<Slot>();
    slot->id = {impl_->nextId++};
    slot->run = std::move(*run);
    LogEntry entry;
    entry.kind = LogEntry::Kind::AddRun;
    entry.runs = {slot->id};
    entry.t = impl_->clock.t;
    entry.settings = settings;
    impl_->log.push_back(std::move(entry));
    const RunId id = slot->id;
    {
        const std::lock_guard lock(impl_->mutex);
        impl_->slots.push_back(std::move(slot));
    }
    impl_->setGoal();
    return id;
}

void Laboratory::removeRun(RunId id)
{
    {
        // Nobody looks at the run any more: its step need not be waited for.
        const std::lock_guard lock(impl_->mutex);
        if (const auto slot = impl_->find(id))
            slot->run->interrupt();
    }
    const auto held = impl_->hold({id});
    if (held.empty())
        return;
    LogEntry entry;
    entry.kind = LogEntry::Kind::RemoveRun;
    entry.runs = {id};
    entry.t = impl_->clock.t;
    impl_->log.push_back(std::move(entry));
    const std::lock_guard lock(impl_->mutex);
    std::erase(impl_->slots, held.front());
}

/// Applies to every run or to none: what any run refuses beforehand stops all before a step is taken for it.
std::vector<Command> Laboratory::Impl::applyAll(const std::vector<std::shared_ptr<Slot>>& held, double t,
                                                std::span<const CommandPayload> payloads, std::optional<Diagnostic>& refusal)
{
    std::vector<Run*> runs;
    for (std::size_t k = 0; k < held.size(); ++k) {
        const auto& s = held[k];
        runs.push_back(s->run.get());
        if (s->late && actsAtOneTime(payloads[payloads.size() == 1 ? 0 : k]) && s->run->reached() < std::min(s->lateUntil, t)
            && !s->run->failed()) {
            refusal = s->late;
            return {};
        }
        s->late.reset();
    }
    std::optional<std::size_t> late;
    auto applied = applyTogether(runs, t, payloads, patience, late);
    for (const auto& s : held)
        logRestarts(*s);
    if (!applied) {
        refusal = applied.error();
        if (late) {
            held[*late]->late = refusal;
            held[*late]->lateUntil = t;
        }
        return {};
    }
    return std::move(*applied);
}

Result<double> Laboratory::command(const std::vector<RunId>& ids, const CommandPayload& payload)
{
    return command(ids, std::span(&payload, 1));
}

Result<double> Laboratory::command(const std::vector<RunId>& ids, std::span<const CommandPayload> given)
{
    const auto held = impl_->hold(ids);
    if (held.empty())
        return Diagnostic{"There is no such run", {}, {}, {}, {}};
    std::vector<CommandPayload> payloads; // of the runs that there are
    for (const auto& s : held)
        payloads.push_back(
            given[given.size() == 1 ? 0 : static_cast<std::size_t>(std::find(ids.begin(), ids.end(), s->id) - ids.begin())]);
    double t = 0;
    for (const auto& s : held)
        if (!s->run->failed() || held.size() == 1)
            t = std::max(t, s->run->reached());
    if (std::any_of(payloads.begin(), payloads.end(), [](const CommandPayload& p) {
            return std::holds_alternative<Branch>(p) || std::holds_alternative<Restart>(p);
        })) {
        impl_->release(held);
        return Diagnostic{"This change cannot be commanded directly", {}, {}, "branchAt for going on from an earlier time", {}};
    }
    std::optional<Diagnostic> refusal;
    std::vector<Command> commands = impl_->applyAll(held, t, payloads, refusal);
    if (!refusal) {
        LogEntry entry;
        for (const auto& s : held)
            entry.runs.push_back(s->id);
        entry.t = t;
        entry.commands = std::move(commands);
        impl_->log.push_back(std::move(entry));
    }
    impl_->release(held);
    if (refusal)
        return *refusal;
    return t;
}

Result<void> Laboratory::branchAt(double t, const std::map<RunId, Branch>& as)
{
    const auto held = impl_->hold(impl_->allIds());
    auto cut = held;
    std::erase_if(cut, [t](const auto& s) { return s->run->failed() && s->run->t() < t; });
    if (cut.empty()) {
        impl_->release(held);
        return {};
    }
    std::optional<Diagnostic> refusal;
    LogEntry entry;
    entry.kind = LogEntry::Kind::Branch;
    entry.t = t;
    std::vector<CommandPayload> payloads;
    for (const auto& s : cut) {
        const auto found = as.find(s->id);
        Branch branch = found == as.end() ? Branch{} : found->second;
        branch.to = t;
        payloads.emplace_back(std::move(branch));
    }
    entry.commands = impl_->applyAll(cut, t, payloads, refusal);
    for (const auto& s : cut)
        entry.runs.push_back(s->id);
    if (!refusal) {
        impl_->log.push_back(std::move(entry));
        impl_->clock.t = t;
        impl_->waitGoal = 0;
        impl_->setGoal();
    }
    impl_->release(held);
    if (refusal)
        return *refusal;
    return {};
}

void Laboratory::goOnTo(double t)
{
    if (!impl_->clock.playing)
        impl_->clock.t = std::max(impl_->clock.t, t);
    impl_->setGoal();
}

Result<void> Laboratory::restartAll() { return impl_->slots.empty() ? Result<void>() : backToStart(Reset{}); }

Result<void> Laboratory::setStart(const SetStart& start)
{
    if (impl_->slots.empty())
        return Diagnostic{"There is no run to start", {}, {}, "add a run first", {}};
    auto done = backToStart(start);
    if (done)
        impl_->present = startAfter(impl_->present, start);
    return done;
}

Result<void> Laboratory::backToStart(const CommandPayload& payload)
{
    {
        // At 0 nothing is reached first: the goal comes down before the runs do.
        const std::lock_guard lock(impl_->mutex);
        impl_->goal = 0;
    }
    auto done = command(impl_->allIds(), payload);
    if (done) {
        impl_->clock.t = 0;
        impl_->waitGoal = 0;
    }
    impl_->setGoal();
    if (!done)
        return done.error();
    return {};
}

void Laboratory::play()
{
    impl_->clock.playing = true;
    impl_->setGoal();
}

void Laboratory::pause()
{
    impl_->clock.playing = false;
    impl_->setGoal();
}

void Laboratory::setSpeed(double speed)
{
    impl_->clock.speed = std::max(0.0, speed);
    impl_->setGoal();
}

void Laboratory::stepOnce()
{
    pause();
    constexpr int kMost = 32; // not every step is a row
    const double before = impl_->measuredClock().reached;
    for (std::size_t k = 0; k < impl_->slots.size(); ++k) { // at most each of them, until the clock can move
        std::shared_ptr<Slot> slowest;
        for (const auto& s : impl_->slots)
            if (!s->run->failed() && (!slowest || s->run->t() < slowest->run->t()))
                slowest = s;
        if (!slowest)
            break;
        const auto held = impl_->hold({slowest->id});
        Run& run = *slowest->run;
        const double from = run.t();
        for (int step = 0; step < kMost && run.t() == from && !run.failed(); ++step)
            run.step(std::numeric_limits<double>::infinity());
        run.judgeExchanges();
        impl_->logRestarts(*slowest);
        impl_->release(held);
        if (impl_->measuredClock().reached > before)
            break;
    }
    impl_->clock.t = std::max(impl_->clock.t, impl_->measuredClock().reached);
    impl_->setGoal();
}

ClockStatus Laboratory::tick(double wallSeconds)
{
    Impl& d = *impl_;
    ClockStatus now = d.measuredClock();
    if (d.clock.playing) {
        const double wanted = d.clock.t + wallSeconds * d.clock.speed;
        d.clock.t = std::max(d.clock.t, std::min(wanted, now.reached));
        const bool allFailed =
            !d.slots.empty() && std::all_of(d.slots.begin(), d.slots.end(), [](const auto& s) { return s->run->failed(); });
        if (allFailed && d.clock.t >= now.reached)
            d.clock.playing = false;
        d.setGoal();
        now = d.measuredClock();
        if (wanted > d.clock.t && !allFailed) {
            for (const auto& s : d.slots)
                if (!s->run->failed() && s->run->t() <= d.clock.t)
                    now.waitingFor = s->id;
        } else {
            now.waitingFor.reset();
        }
    }
    return now;
}

void Laboratory::scrub(double t)
{
    const ClockStatus now = impl_->measuredClock();
    impl_->clock.playing = false;
    impl_->clock.t = std::clamp(t, 0.0, std::max(0.0, now.reached));
    impl_->setGoal();
}

ClockStatus Laboratory::clock() const { return impl_->measuredClock(); }

RecordingView Laboratory::recording(RunId id) const
{
    const auto slot = impl_->find(id);
    return slot ? slot->run->recording() : RecordingView();
}

RunStatus Laboratory::status(RunId id) const
{
    const auto slot = impl_->find(id);
    return slot ? slot->run->status() : RunStatus();
}

std::vector<Event> Laboratory::events(RunId id) const
{
    const auto slot = impl_->find(id);
    return slot ? slot->run->events() : std::vector<Event>();
}

std::vector<Event> Laboratory::events(RunId id, EventKind kind, double from, double to) const
{
    const auto slot = impl_->find(id);
    return slot ? slot->run->events(kind, from, to) : std::vector<Event>();
}

std::vector<formulation::DescribedRow> Laboratory::equations(RunId id, expr::Format format) const
{
    const auto slot = impl_->find(id);
    return slot ? slot->run->equations(format) : std::vector<formulation::DescribedRow>();
}

DriftClass Laboratory::drift(RunId id) const
{
    const auto slot = impl_->find(id);
    return slot ? slot->run->drift() : DriftClass();
}

bool Laboratory::waitUntil(double t, double seconds)
{
    Impl& d = *impl_;
    d.waitGoal = t;
    d.setGoal();
    const auto there = [&d, t] {
        return std::all_of(d.slots.begin(), d.slots.end(),
                           [t](const auto& s) { return !s->busy && (s->run->failed() || s->run->t() >= t); });
    };
    bool reached = true;
    {
        std::unique_lock lock(d.mutex);
        if (std::isfinite(seconds))
            reached = d.idle.wait_for(lock, std::chrono::duration<double>(seconds), there);
        else
            d.idle.wait(lock, there);
    }
    d.waitGoal = 0;
    d.clock.t = std::max(d.clock.t, std::min(t, d.measuredClock().reached));
    d.setGoal();
    return reached;
}

} // namespace driftless::run
