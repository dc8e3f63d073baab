#include "ui/document/Document.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/formulation/Formulation.h"
#include "ui/document/Commands.h"

namespace driftless::ui {

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr const char* kBasisOption = "basis"; ///< of the forms with numeric bases
constexpr int kUndoLimit = 200;               ///< entries; old laboratories are the only large ones

QString number(double value) { return QString::number(value, 'g', 6); }

} // namespace

Document::Document(QObject* parent) : QObject(parent)
{
    undo_.setUndoLimit(kUndoLimit);
    connect(&undo_, &QUndoStack::indexChanged, this, &Document::titleChanged);
}

Document::~Document()
{
    undo_.disconnect(this);
    undo_.clear();
}

bool hasBasis(const formulation::FormulationInfo& info)
{
    return std::ranges::any_of(info.options, [](const auto& option) { return option.name == kBasisOption; });
}

// --- what is there ---

run::Laboratory& Document::laboratory() { return *bench_->laboratory; }

const run::Laboratory& Document::laboratory() const { return *bench_->laboratory; }

std::shared_ptr<const model::CompiledSystem> Document::systemHandle() const { return bench_ ? bench_->system : nullptr; }

const std::vector<RunEntry>& Document::runs() const
{
    static const std::vector<RunEntry> none;
    return bench_ ? bench_->runs : none;
}

const RunEntry* Document::find(int key) const
{
    const auto& all = runs();
    const auto found = std::ranges::find(all, key, &RunEntry::key);
    return found == all.end() ? nullptr : &*found;
}

run::RunStatus Document::status(int key) const
{
    const RunEntry* entry = find(key);
    return entry ? laboratory().status(entry->id) : run::RunStatus{};
}

int Document::selected() const { return bench_ ? bench_->selected : -1; }

int Document::reference() const { return bench_ ? bench_->reference : -1; }

std::vector<double> Document::parameters() const { return bench_ ? bench_->parameters : std::vector<double>{}; }

double Document::deviation(int key, double t) const
{
    const RunEntry* run = find(key);
    const RunEntry* other = find(reference());
    if (!run || !other || run->key == other->key)
        return kNaN;
    const auto a = laboratory().recording(run->id), b = laboratory().recording(other->id);
    const auto n = static_cast<std::size_t>(system().n()), m = static_cast<std::size_t>(system().w());
    // A run that ended early has no state at t; comparing its last one would be a number without meaning.
    if (a.empty() || b.empty() || a.lastTime() < t || b.lastTime() < t)
        return kNaN;
    std::vector<double> qa(n), qb(n), v(n), la(m), lb(m);
    if (!a.stateAt(t, qa.data(), v.data(), la.data()) || !b.stateAt(t, qb.data(), v.data(), lb.data()))
        return kNaN;
    double worst = 0;
    const auto& values = system().system().values;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i].symbol.order == 0)
            worst = std::max(worst, std::abs(la[i] - lb[i]));
    for (std::size_t i = 0; i < n; ++i)
        worst = std::max(worst, std::abs(qa[i] - qb[i]));
    return worst;
}

double Document::metricAt(int key, const char* column, double t) const
{
    const RunEntry* run = find(key);
    if (!run)
        return kNaN;
    const auto recording = laboratory().recording(run->id);
    const int place = recording.findColumn(column);
    return recording.empty() || place < 0 ? kNaN : recording.value(recording.rowAt(t), place);
}

bool Document::scrubbedBack() const { return bench_ && laboratory().clock().t < bench_->furthest; }

// --- commands ---

Result<void> Document::branchIfScrubbed() { return scrubbedBack() ? branchHere() : Result<void>(); }

Result<void> Document::branchHere()
{
    const double t = laboratory().clock().t;
    if (auto cut = laboratory().branchAt(t); !cut)
        return cut;
    bench_->furthest = t;
    bench_->failed.clear();
    return {};
}

Result<double> Document::issue(const std::vector<int>& keys, const run::CommandPayload& payload)
{
    if (auto branched = branchIfScrubbed(); !branched)
        return branched.error();
    std::vector<run::RunId> ids;
    for (const int key : keys)
        if (const RunEntry* entry = find(key))
            ids.push_back(entry->id);
    if (ids.empty())
        return Diagnostic{"This needs a run.", "", "There is no run that it could act on.", "Add a run first.", {}};
    auto t = laboratory().command(ids, payload);
    if (!t)
        return t;
    for (const int key : keys)
        bench_->failed.erase(key); // a command may have revived it; a second failure is to be reported again
    if (const auto* set = std::get_if<run::SetParameter>(&payload)) {
        const auto& all = system().system().parameters;
        for (std::size_t i = 0; i < all.size(); ++i)
            if (all[i].quantity.name == set->name)
                bench_->parameters[i] = set->value;
        emit parametersChanged();
    }
    for (const int key : keys)
        emit settingsChanged(key);
    return t;
}

/// What runs computed ahead of the displayed time is cut first: what is moved by hand is moved where it is seen.
Result<void> Document::issueHere(const std::map<int, run::CommandPayload>& payloads)
{
    const double t = laboratory().clock().t;
    const bool ahead = std::ranges::any_of(runs(), [&](const RunEntry& run) {
        const auto recording = laboratory().recording(run.id);
        return !recording.empty() && recording.lastTime() > t;
    });
    if (ahead || scrubbedBack())
        if (auto cut = branchHere(); !cut)
            return cut;
    std::vector<run::RunId> ids;
    std::vector<run::CommandPayload> each;
    for (const auto& [key, payload] : payloads)
        if (const RunEntry* entry = find(key)) {
            ids.push_back(entry->id);
            each.push_back(payload);
        }
    if (ids.empty())
        return Diagnostic{"This needs a run.", "", "There is no run that it could act on.", "Add a run first.", {}};
    if (auto done = laboratory().command(ids, each); !done)
        return done.error();
    for (const auto& [key, payload] : payloads) {
        bench_->failed.erase(key);
        emit settingsChanged(key);
    }
    return {};
}

/// What brings every run back to where it stands at the displayed time.
std::map<int, run::CommandPayload> Document::statesHere() const
{
    std::map<int, run::CommandPayload> out;
    const model::ConstrainedSystem& s = system().system();
    const std::size_t n = s.coordinates.size();
    std::vector<double> q(n), v(n), lambda(static_cast<std::size_t>(s.w()));
    for (const RunEntry& run : runs()) {
        if (!laboratory().recording(run.id).stateAt(laboratory().clock().t, q.data(), v.data(), lambda.data()))
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

bool Document::setState(const std::map<std::string, double>& values, const QString& text, const QString& gesture)
{
    if (!bench_)
        return false;
    auto before = statesHere();
    const run::SetState after{values, false};
    std::map<int, run::CommandPayload> payloads;
    for (const RunEntry& run : runs())
        payloads[run.key] = after;
    if (!say(issueHere(payloads)))
        return false;
    push(new StateCommand(*this, std::move(before), std::move(payloads), gesture, text));
    return true;
}

bool Document::change(int key, const run::CommandPayload& before, const run::CommandPayload& after, const QString& text,
                      const QString& gesture)
{
    std::vector<int> keys;
    if (key >= 0)
        keys.push_back(key);
    else
        for (const RunEntry& run : runs())
            keys.push_back(run.key);
    run::RunSettings left;
    if (key >= 0)
        left = status(key).settings;
    if (auto done = issue(keys, after); !done) {
        say(done.error());
        for (const int k : keys)
            emit settingsChanged(k); // controls show again what holds
        emit parametersChanged();
        return false;
    }
    auto* command = new ChangeCommand(*this, key, before, after, gesture, text);
    if (std::holds_alternative<run::SetFormulation>(after))
        command->keep(std::move(left));
    push(command);
    return true;
}

bool Document::setFormulation(int key, const QString& id)
{
    const auto now = status(key).settings.formulation;
    if (!find(key) || now == id.toStdString())
        return true;
    return change(key, run::SetFormulation{now}, run::SetFormulation{id.toStdString()},
                  tr("%1: formulation %2").arg(find(key)->name, id), {});
}

bool Document::setIntegrator(int key, const QString& id)
{
    const auto now = status(key).settings.integrator;
    if (!find(key) || now == id.toStdString())
        return true;
    return change(key, run::SetIntegrator{now}, run::SetIntegrator{id.toStdString()},
                  tr("%1: integrator %2").arg(find(key)->name, id), {});
}

bool Document::setOptions(int key, const integrate::IntegratorOptions& options, const QString& gesture)
{
    if (!find(key))
        return false;
    if (auto valid = options.check(); !valid) {
        say(valid.error());
        emit settingsChanged(key);
        return false;
    }
    const auto settings = status(key).settings;
    const auto* method = integrate::findIntegrator(settings.integrator);
    const QString text =
        options.parameter != settings.options.parameter && method
            ? tr("%1: %2 %3").arg(find(key)->name, QString::fromStdString(method->parameter.name), number(options.parameter))
        : method && method->adaptive ? tr("%1: tolerance %2").arg(find(key)->name, number(options.relativeTolerance))
                                     : tr("%1: step %2 s").arg(find(key)->name, number(options.step));
    return change(key, run::SetOptions{settings.options}, run::SetOptions{options}, text, gesture);
}

bool Document::setPivot(int key, const run::PivotChoice& pivot)
{
    if (!find(key))
        return false;
    QStringList names;
    for (const auto& name : pivot.dummies)
        names << QString::fromStdString(name);
    const QString text = pivot.automatic ? tr("%1: automatic pivoting").arg(find(key)->name)
                                         : tr("%1: pin %2").arg(find(key)->name, names.join(", "));
    return change(key, run::SetPivot{status(key).settings.pivot}, run::SetPivot{pivot}, text, {});
}

bool Document::setGain(int key, const QString& name, double value, const QString& gesture)
{
    if (!find(key))
        return false;
    const auto gains = status(key).gains;
    const auto now = gains.find(name.toStdString());
    if (now == gains.end())
        return false;
    return change(key, run::SetGain{now->first, now->second}, run::SetGain{now->first, value},
                  tr("%1: %2 = %3").arg(find(key)->name, name, number(value)), gesture);
}

bool Document::setChoice(int key, const QString& name, const QString& value)
{
    if (!find(key))
        return false;
    const auto settings = status(key).settings;
    const auto* form = formulation::findFormulation(settings.formulation);
    const auto has = [&](const formulation::FormulationOption& option) { return option.name == name.toStdString(); };
    if (!form || std::ranges::none_of(form->info().options, has))
        return false;
    const std::string& now = formulation::optionOf(form->info(), settings.choices, name.toStdString());
    if (now == value.toStdString())
        return true;
    return change(key, run::SetChoice{name.toStdString(), now}, run::SetChoice{name.toStdString(), value.toStdString()},
                  tr("%1: %2 %3").arg(find(key)->name, name, value), {});
}

bool Document::renewBasis(int key)
{
    const auto settings = status(key).settings;
    const auto* form = formulation::findFormulation(settings.formulation);
    if (!find(key) || !form || !hasBasis(form->info()))
        return false;
    // The same choice once more: the form starts again here, from bases taken here. No setting changes, so nothing is to undo.
    const run::SetChoice again{kBasisOption, formulation::optionOf(form->info(), settings.choices, kBasisOption)};
    if (auto done = issue({key}, again); !done) {
        say(done.error());
        emit settingsChanged(key);
        return false;
    }
    return true;
}

bool Document::setParameter(const QString& name, double value, const QString& gesture)
{
    if (!bench_)
        return false;
    const auto& all = system().system().parameters;
    const auto found = std::ranges::find_if(all, [&](const auto& p) { return p.quantity.name == name.toStdString(); });
    if (found == all.end())
        return false;
    const auto& quantity = found->quantity;
    if (!std::isfinite(value) || (quantity.positive && value <= 0)) {
        say(Diagnostic{quantity.name + " cannot be " + number(value).toStdString() + ".",
                       quantity.name,
                       quantity.positive ? "It has to stay above zero." : "It has to be a number.",
                       "Choose another value.",
                       {}});
        emit parametersChanged();
        return false;
    }
    const double now = bench_->parameters[static_cast<std::size_t>(found - all.begin())];
    if (now == value)
        return true;
    return change(-1, run::SetParameter{quantity.name, now}, run::SetParameter{quantity.name, value},
                  QStringLiteral("%1 = %2 %3").arg(name, number(value), QString::fromStdString(quantity.unit)), gesture);
}

// --- runs ---

RunEntry Document::freshEntry() const
{
    RunEntry entry;
    std::set<int> used;
    for (const RunEntry& run : runs())
        used.insert(run.colour);
    while (used.contains(entry.colour))
        ++entry.colour;
    entry.name = tr("Run %1").arg(entry.colour + 1);
    return entry;
}

Result<void> Document::addTo(Bench& bench, RunEntry& entry, const run::RunSettings& settings, std::size_t place) const
{
    auto id = bench.laboratory->addRun(settings);
    if (!id)
        return id.error();
    entry.id = *id;
    bench.runs.insert(bench.runs.begin() + static_cast<std::ptrdiff_t>(std::min(place, bench.runs.size())), entry);
    if (bench.selected < 0)
        bench.selected = entry.key;
    if (bench.reference < 0)
        bench.reference = entry.key;
    return {};
}

Result<void> Document::insertRun(RunEntry entry, const run::RunSettings& settings, std::size_t place)
{
    if (auto added = addTo(*bench_, entry, settings, place); !added)
        return added;
    // The shared start knows the parameters of t = 0 only; the new run takes over what was changed since.
    const auto& all = system().system().parameters;
    const auto& start = laboratory().start().parameters;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto& name = all[i].quantity.name;
        const auto given = start.find(name);
        const double before = given == start.end() ? all[i].quantity.value : given->second;
        if (before == bench_->parameters[i])
            continue;
        const run::RunId id = find(entry.key)->id;
        if (auto set = laboratory().command({id}, run::SetParameter{name, bench_->parameters[i]}); !set) {
            takeRun(entry.key, place);
            return set.error();
        }
    }
    emit runsChanged();
    return {};
}

run::RunSettings Document::takeRun(int key, std::size_t& place)
{
    const RunEntry* entry = find(key);
    if (!entry)
        return {};
    const auto settings = status(key).settings;
    place = static_cast<std::size_t>(entry - bench_->runs.data());
    laboratory().removeRun(entry->id);
    bench_->runs.erase(bench_->runs.begin() + static_cast<std::ptrdiff_t>(place));
    const int first = bench_->runs.empty() ? -1 : bench_->runs.front().key;
    if (bench_->selected == key)
        bench_->selected = first;
    if (bench_->reference == key)
        bench_->reference = first;
    bench_->failed.erase(key);
    emit runsChanged();
    return settings;
}

bool Document::addRun(const run::RunSettings& settings)
{
    if (!bench_)
        return false;
    if (runs().size() >= static_cast<std::size_t>(kMostRuns)) {
        say(Diagnostic{
            "There are already eight runs.", "", "More could not be told apart by their colours.", "Remove a run first.", {}});
        return false;
    }
    RunEntry entry = freshEntry();
    entry.key = nextKey_++;
    const std::size_t place = runs().size();
    if (!say(insertRun(entry, settings, place)))
        return false;
    push(new RunCommand(*this, *find(entry.key), settings, place, true, tr("add %1").arg(entry.name)));
    return true;
}

bool Document::duplicateRun(int key) { return find(key) && addRun(status(key).settings); }

bool Document::removeRun(int key)
{
    const RunEntry* entry = find(key);
    if (!entry)
        return false;
    const RunEntry copy = *entry;
    std::size_t place = 0;
    const auto settings = takeRun(key, place);
    push(new RunCommand(*this, copy, settings, place, false, tr("remove %1").arg(copy.name)));
    return true;
}

// --- presentation ---

void Document::select(int key)
{
    if (!find(key) || selected() == key)
        return;
    bench_->selected = key;
    emit runsChanged();
}

void Document::setReference(int key)
{
    if (!find(key) || reference() == key)
        return;
    bench_->reference = key;
    emit runsChanged();
}

void Document::setVisible(int key, bool visible)
{
    const auto found = bench_ ? std::ranges::find(bench_->runs, key, &RunEntry::key) : std::vector<RunEntry>::iterator{};
    if (!bench_ || found == bench_->runs.end() || found->visible == visible)
        return;
    found->visible = visible;
    emit runsChanged();
}

// --- time ---

run::ClockStatus Document::tick(double wallSeconds)
{
    if (!bench_)
        return {};
    const auto clock = laboratory().tick(wallSeconds);
    bench_->furthest = std::max(bench_->furthest, clock.t);
    return clock;
}

void Document::play()
{
    if (!bench_)
        return;
    laboratory().play();
    emit playingChanged(true);
}

void Document::pause()
{
    if (!bench_)
        return;
    laboratory().pause();
    emit playingChanged(false);
}

void Document::stepOnce()
{
    if (!bench_)
        return;
    laboratory().stepOnce();
    bench_->furthest = std::max(bench_->furthest, laboratory().clock().t);
    emit playingChanged(false);
}

void Document::scrub(double t)
{
    if (!bench_)
        return;
    laboratory().scrub(t);
    emit playingChanged(false);
}

void Document::setSpeed(double simulatedSecondsPerSecond)
{
    if (bench_)
        laboratory().setSpeed(simulatedSecondsPerSecond);
}

void Document::poll()
{
    for (const RunEntry& run : runs()) {
        const auto now = status(run.key);
        if (now.state != run::RunState::Failed || !now.diagnostic || bench_->failed.contains(run.key))
            continue;
        bench_->failed.insert(run.key);
        say(*now.diagnostic, run.key);
        emit runFailed(run.key);
    }
}

// --- messages ---

bool Document::say(const Result<void>& result)
{
    if (!result)
        say(result.error());
    return result.ok();
}

void Document::say(const Diagnostic& diagnostic, int key)
{
    constexpr std::size_t kMostMessages = 200;
    if (messages_.size() == kMostMessages)
        messages_.erase(messages_.begin());
    messages_.push_back({diagnostic, bench_ ? laboratory().clock().t : 0.0, key});
    emit messagesChanged();
    if (key < 0)
        emit refused(diagnostic);
}

} // namespace driftless::ui
