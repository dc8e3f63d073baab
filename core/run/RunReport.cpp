#include "core/run/RunReport.h"

#include <algorithm>

#include "core/run/EventWords.h"

namespace driftless::run {

namespace {

/// Conditions that hold and those that do not, as before and behind the event: "0 < h", "not 0 < h".
RunReport::Happened::Data dataOf(const Switched& done)
{
    RunReport::Happened::Data out{.index = done.index};
    const auto add = [](std::string& to, const Switched::Change& change, double value) {
        to += to.empty() ? "" : ", ";
        to += (value > 0.5 ? "" : "not ") + change.name;
    };
    for (const Switched::Change& change : done.switched) {
        add(out.from, change, change.before);
        add(out.to, change, change.after);
    }
    for (const Switched::Change& change : done.set)
        out.set.emplace_back(change.name, change.after);
    for (const Switched::Change& change : done.reinit)
        out.reinit.emplace_back(change.name, change.after);
    return out;
}

bool endedItself(const std::vector<Event>& events) { return !events.empty() && events.back().kind() == EventKind::Finished; }

std::optional<RunReport::Happened::Data> dataOf(const Event& event)
{
    if (const auto* impact = event.as<ImpactEvent>())
        return RunReport::Happened::Data{.bodies = impact->bodies,
                                         .contacts = impact->contacts,
                                         .impulse = impact->impulse,
                                         .energy = impact->energy,
                                         .angular = impact->angularImpulse,
                                         .law = impact->law,
                                         .gain = impact->gained};
    if (const auto* change = event.as<ModeChange>())
        return RunReport::Happened::Data{.from = change->from, .to = change->to, .index = change->index};
    if (const auto* done = event.as<Switched>())
        return dataOf(*done);
    if (const auto* crossing = event.as<Crossing>())
        return RunReport::Happened::Data{.contacts = crossing->names};
    return {};
}

} // namespace

RunReport::Reason reasonOf(const Diagnostic& d)
{
    std::string where = d.position.text();
    if (!where.empty() && !d.where.empty())
        where += ": ";
    return {.what = d.what, .where = where + d.where, .why = d.why, .remedy = d.remedy};
}

RunReport reportOf(const Run& run)
{
    const RunStatus s = run.status();
    RunReport out;
    out.model = run.system().model().name;
    out.formulation = s.settings.formulation;
    out.integrator = s.settings.integrator;
    out.status = s.state == RunState::Failed && !endedItself(run.events()) ? "failed" : "completed";
    out.began = true;
    out.t = s.t;
    out.state = run.namedState();
    const RecordingView rows = run.recording();
    for (const model::Output& output : run.system().system().outputs)
        if (const int column = rows.findColumn(output.name); column >= 0 && !rows.empty())
            out.outputs.emplace_back(output.name, rows.value(rows.rowCount() - 1, column));
    for (const model::Dependent& d : run.system().system().dependent)
        out.setAside.push_back(d.constraint.name);
    out.residual = s.residual;
    out.maxResidual = s.maxResidual;
    out.energy = s.energy;
    out.energyError = s.energyError;
    out.drift = run.drift();
    out.statistics = s.statistics;
    out.pivots = s.pivots;
    out.wallSeconds = s.wallSeconds;
    if (s.errorTest.any)
        out.errorTest = RunReport::Tested{.dependent = s.errorTest.dependent,
                                          .multipliers = s.errorTest.multipliers,
                                          .multiplierTolerance = s.errorTest.multiplierTolerance,
                                          .text = integrate::inWords(s.errorTest)};
    for (const Event& e : run.events())
        out.events.push_back({.t = e.t, .kind = eventKindName(e.kind()), .text = words(e), .data = dataOf(e)});
    if (s.diagnostic)
        out.diagnostic = reasonOf(*s.diagnostic);
    return out;
}

RunReport refusalOf(const std::string& model, const RunSettings& settings, const Diagnostic& diagnostic)
{
    RunReport out;
    out.model = model;
    out.formulation = settings.formulation;
    out.integrator = settings.integrator;
    out.status = "refused";
    out.diagnostic = reasonOf(diagnostic);
    return out;
}

double askedTolerance(const RunSettings& settings)
{
    const integrate::IntegratorInfo* method = integrate::findIntegrator(settings.integrator);
    const auto& asked = settings.options;
    return method && method->adaptive ? std::max(asked.relativeTolerance, asked.absoluteTolerance) : 0.0;
}

} // namespace driftless::run
