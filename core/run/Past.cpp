#include "core/run/Past.h"

#include <algorithm>
#include <tuple>

#include "core/formulation/Formulation.h"
#include "core/run/CoreMaker.h"
#include "core/run/RunThen.h"
#include "core/system/Model.h"
#include "core/system/ParameterValues.h"

namespace driftless::run {

namespace {

/// The settings and parameters after a command: what Intent.cpp works out for the run itself.
struct Following {
    const model::CompiledSystem& system;
    Regime& next;

    void operator()(const SetFormulation& c)
    {
        next.settings.formulation = c.id;
        next.settings.gains.clear();
        next.settings.choices.clear();
    }
    void operator()(const SetChoice& c) { next.settings.choices[c.name] = c.value; }
    void operator()(const SetIntegrator& c) { takeIntegrator(next.settings, c.id, system.model().run); }
    void operator()(const SetOptions& c) { next.settings.options = c.options; }
    void operator()(const SetPivot& c) { next.settings.pivot = c.pivot; }
    void operator()(const SetGain& c) { next.settings.gains[c.name] = c.value; }
    void operator()(const SetRows& c) { next.settings.rows = c.rows; }
    void operator()(const SetParameter& c)
    {
        const auto target = model::resolveName(system.system(), c.name);
        if (target && target->kind == model::TargetKind::Parameter)
            model::setParameter(system.system(), next.parameters, static_cast<std::size_t>(target->index), c.value);
    }
    void operator()(const Branch& c)
    {
        if (c.settings) {
            const Rows rows = next.settings.rows;
            next.settings = *c.settings;
            next.settings.rows = rows;
        }
        for (const auto& [name, value] : c.parameters) // all that are others
            if (const auto target = model::resolveName(system.system(), name);
                target && target->kind == model::TargetKind::Parameter)
                next.parameters[static_cast<std::size_t>(target->index)] = value;
    }
    void operator()(const auto&) {}
};

/// Where a run went on after it had been cut at `to`: at that time, or at the row before.
double beganAfterBranch(const std::vector<Event>& events, double to)
{
    for (auto event = events.rbegin(); event != events.rend(); ++event)
        if (const auto* done = event->as<CommandDone>())
            if (const auto* branch = std::get_if<Branch>(&done->payload); branch && branch->to == to)
                return event->t;
    return to;
}

Regime firstRegime(const Laboratory& laboratory, const RunSettings& settings)
{
    Regime first{.settings = settings};
    first.parameters = model::parameterValues(laboratory.system().system(), laboratory.start().parameters);
    return first;
}

/// The command of this run in an entry; null: there is none.
const Command* commandOf(const LogEntry& entry, RunId id)
{
    const auto place = std::ranges::find(entry.runs, id) - entry.runs.begin();
    return static_cast<std::size_t>(place) < std::min(entry.runs.size(), entry.commands.size())
               ? &entry.commands[static_cast<std::size_t>(place)]
               : nullptr;
}

void follow(const Laboratory& laboratory, const std::vector<Event>& events, const Command& command, std::vector<Regime>& out)
{
    Regime next = out.back();
    std::visit(Following{laboratory.system(), next}, command.payload);
    next.from = command.t;
    if (const auto* branch = std::get_if<Branch>(&command.payload)) {
        next.from = beganAfterBranch(events, branch->to);
        std::erase_if(out, [&](const Regime& r) { return r.from > next.from; });
    } else if (std::holds_alternative<Reset>(command.payload) || std::holds_alternative<SetStart>(command.payload)) {
        out.clear();
        next.from = 0;
    }
    out.push_back(std::move(next));
}

std::optional<int> placeOf(const auto& named, const std::string& name, const auto& nameOf)
{
    for (std::size_t i = 0; i < named.size(); ++i)
        if (nameOf(named[i]) == name)
            return static_cast<int>(i);
    return std::nullopt;
}

/// The places of dummies that an event names: as a run writes them.
formulation::Dummies placesOf(const model::ConstrainedSystem& system, const std::vector<std::string>& names)
{
    formulation::Dummies out;
    for (const std::string& name : names) {
        if (const auto value = placeOf(system.values, name, [](const auto& v) { return v.name; }))
            out.values.push_back(*value);
        else if (const auto q = placeOf(system.coordinates, name, [](const auto& c) { return c.name; }))
            out.positions.push_back(*q);
        else if (const auto v = placeOf(system.coordinates, name, [](const auto& c) { return c.velocity.name; }))
            out.velocities.push_back(*v);
    }
    if (out.velocities.empty())
        out.velocities = out.positions;
    return out;
}

/// Names of dummies before and after an event that exchanges them.
struct Exchange {
    const std::vector<std::string>*from, *to;
};
std::optional<Exchange> exchangeOf(const Event& event)
{
    if (const auto* pivot = event.as<PivotChange>())
        return Exchange{&pivot->from, &pivot->to};
    if (const auto* mode = event.as<ModeChange>())
        return Exchange{&mode->dummiesBefore, &mode->dummies};
    return std::nullopt;
}

/// Whether dummies are chosen by another form, method or person from an event on.
bool choosesOtherwise(const Event& event)
{
    const auto* done = event.as<CommandDone>();
    if (!done)
        return false;
    const CommandPayload& payload = done->payload;
    const auto* branch = std::get_if<Branch>(&payload);
    return (branch && branch->settings) || std::holds_alternative<SetFormulation>(payload)
           || std::holds_alternative<SetIntegrator>(payload) || std::holds_alternative<SetChoice>(payload)
           || std::holds_alternative<SetPivot>(payload);
}

/// Names of the dummies at a time.
struct Told {
    const std::vector<std::string>* names = nullptr; ///< null: no event tells them
    bool now = false;                                ///< then: those in force are those of that time
};

/// By the last exchange up to t, or by the first one behind it.
Told toldAt(const std::vector<Event>& events, double t)
{
    const std::vector<std::string>* before = nullptr;
    for (const Event& event : events) {
        const auto change = exchangeOf(event);
        if (event.t <= t) {
            if (change)
                before = change->to;
            else if (choosesOtherwise(event))
                before = nullptr;
        } else if (before) {
            break;
        } else if (change) {
            return {.names = change->from};
        } else if (choosesOtherwise(event)) {
            return {};
        }
    }
    return {.names = before, .now = true};
}

auto tied(const integrate::IntegratorOptions& o)
{
    return std::tie(o.step, o.relativeTolerance, o.absoluteTolerance, o.multiplierTolerance, o.maxStep, o.minStep,
                    o.minNewtonIterations, o.parameter, o.tolerances);
}

/// Whether both integrate the same way; which steps are recorded does not count.
bool integratesAlike(const RunSettings& a, const RunSettings& b)
{
    return a.formulation == b.formulation && a.choices == b.choices && a.integrator == b.integrator && a.gains == b.gains
           && a.pivot.automatic == b.pivot.automatic && a.pivot.dummies == b.pivot.dummies
           && tied(a.options) == tied(b.options);
}

} // namespace

bool choosesAlike(const RunSettings& a, const RunSettings& b)
{
    return a.formulation == b.formulation && a.choices == b.choices && a.integrator == b.integrator
           && a.pivot.automatic == b.pivot.automatic && a.pivot.dummies == b.pivot.dummies;
}

std::vector<std::string> dummiesTold(const std::vector<Event>& events, double t, const std::vector<std::string>& now)
{
    const Told told = toldAt(events, t);
    if (told.names)
        return *told.names;
    return told.now ? now : std::vector<std::string>();
}

std::vector<Regime> regimesOf(const Laboratory& laboratory, RunId id)
{
    std::vector<Regime> out;
    const std::vector<Event> events = laboratory.events(id);
    for (const LogEntry& entry : laboratory.log()) {
        if (entry.kind == LogEntry::Kind::AddRun && entry.settings && std::ranges::find(entry.runs, id) != entry.runs.end())
            out = {firstRegime(laboratory, *entry.settings)};
        else if (const Command* command = commandOf(entry, id); command && !out.empty())
            follow(laboratory, events, *command, out);
    }
    if (!out.empty())
        out.back().present = true;
    return out;
}

const Regime& regimeAt(const std::vector<Regime>& regimes, double t)
{
    const auto after = std::ranges::upper_bound(regimes, t, {}, &Regime::from);
    return after == regimes.begin() ? regimes.front() : *std::prev(after);
}

std::vector<ParametersUntil> parametersBefore(const std::vector<Regime>& regimes, double from, double t)
{
    std::vector<ParametersUntil> out;
    for (std::size_t i = 0; i + 1 < regimes.size() && regimes[i + 1].from <= t; ++i)
        if (regimes[i + 1].from > from && regimes[i].parameters != regimes[i + 1].parameters)
            out.push_back({.until = regimes[i + 1].from, .values = regimes[i].parameters});
    return out;
}

std::map<RunId, Branch> branchesAsThen(const Laboratory& laboratory, double t, RunId parametersOf)
{
    const auto given = regimesOf(laboratory, parametersOf);
    const auto& parameters = laboratory.system().system().parameters;
    std::map<RunId, Branch> out;
    for (const RunId id : laboratory.runs()) {
        const auto regimes = regimesOf(laboratory, id);
        if (regimes.empty())
            continue;
        Branch branch{.to = t};
        const Regime &then = regimeAt(regimes, t), &now = regimes.back();
        if (!integratesAlike(then.settings, now.settings))
            branch.settings = then.settings;
        const std::vector<double>& values = (given.empty() ? then : regimeAt(given, t)).parameters;
        for (std::size_t i = 0; i < parameters.size(); ++i)
            if (values[i] != now.parameters[i])
                branch.parameters[parameters[i].quantity.name] = values[i];
        out.emplace(id, std::move(branch));
    }
    return out;
}

model::Mode modeAt(const model::ConstrainedSystem& base, const std::vector<Event>& events, double t)
{
    model::Mode out = model::baseMode(base);
    for (const Event& event : events)
        if (const auto* change = event.as<ModeChange>(); change && event.t <= t)
            out = change->toMode;
    return out;
}

std::optional<formulation::Dummies> dummiesAt(const Laboratory& laboratory, RunId id, const std::vector<Regime>& regimes,
                                              double t)
{
    const model::ConstrainedSystem& system = laboratory.system().system();
    const std::vector<Event> events = laboratory.events(id);
    const Told told = toldAt(events, t);
    if (told.names)
        return placesOf(system, *told.names);
    if (!told.now) {
        const PivotChoice& pivot = regimeAt(regimes, t).settings.pivot;
        return pivot.automatic ? std::nullopt : std::optional(placesOf(system, pivot.dummies));
    }
    const RunStatus now = laboratory.status(id);
    return formulation::Dummies{now.positionDummies, now.dummies, now.valueDummies};
}

std::unique_ptr<Run> runAsThen(const Laboratory& laboratory, RunId id, const Regime& regime, double t)
{
    const RecordingView recording = laboratory.recording(id);
    const model::CompiledSystem& system = laboratory.system();
    if (recording.empty())
        return nullptr;
    model::ModelState at;
    at.resize(system.n(), system.w());
    t = std::clamp(t, recording.firstTime(), recording.lastTime());
    if (!recording.stateAt(t, at.q.data(), at.v.data(), at.lambda.data()))
        return nullptr;
    StartSettings start;
    start.allowInconsistent = true;
    const auto& parameters = system.system().parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i)
        start.parameters[parameters[i].quantity.name] = regime.parameters[i];
    const auto& coordinates = system.system().coordinates;
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
        start.values[coordinates[i].name] = at.q[i];
        start.values[coordinates[i].velocity.name] = at.v[i];
    }
    auto run = Run::create(laboratory.systemHandle(), start, regime.settings);
    return run ? std::move(*run) : nullptr;
}

formulation::Dummies dummiesChosen(const Laboratory& laboratory, RunId id, const Regime& regime)
{
    const auto again = runAsThen(laboratory, id, regime, regime.from); // a run that begins there chooses as this one did
    if (!again)
        return {};
    const RunStatus chosen = again->status();
    return {chosen.positionDummies, chosen.dummies, chosen.valueDummies};
}

} // namespace driftless::run
