#include "ui/document/LessonBench.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/formulation/Formulation.h"

namespace driftless::ui {

namespace {

const RunEntry* runNumber(const Document& document, int number)
{
    const auto& runs = document.runs();
    return number >= 1 && static_cast<std::size_t>(number) <= runs.size() ? &runs[static_cast<std::size_t>(number - 1)]
                                                                          : nullptr;
}

Measured text(const std::string& value) { return {{}, QString::fromStdString(value), {}}; }

Measured problem(const QString& why) { return {{}, {}, why}; }

std::optional<Measured> ofSettings(const Document& document, const RunEntry& run, const std::string& name)
{
    const auto status = document.status(run.key);
    const auto& settings = status.settings;
    if (name == "formulation")
        return text(settings.formulation);
    if (name == "integrator")
        return text(settings.integrator);
    if (name == "step")
        return Measured{settings.options.step, {}, {}};
    if (name == "tolerance")
        return Measured{settings.options.relativeTolerance, {}, {}};
    if (name == "pivot") {
        QStringList names;
        for (const auto& dummy : settings.pivot.dummies)
            names << QString::fromStdString(dummy);
        return Measured{{}, settings.pivot.automatic ? QStringLiteral("auto") : names.join(QStringLiteral(", ")), {}};
    }
    if (name.starts_with("gain.")) {
        const auto found = status.gains.find(name.substr(5));
        return found == status.gains.end() ? problem(QObject::tr("%1 has no such gain.").arg(run.name))
                                           : Measured{found->second, {}, {}};
    }
    if (name.starts_with("option.")) {
        const auto* form = formulation::findFormulation(settings.formulation);
        const std::string option = name.substr(7);
        const bool has = form && std::ranges::any_of(form->info().options, [&](const auto& o) { return o.name == option; });
        return has ? text(formulation::optionOf(form->info(), settings.choices, option))
                   : problem(QObject::tr("%1 has no such option.").arg(run.name));
    }
    return {};
}

std::optional<Measured> ofRun(const Document& document, const RunEntry& run, const std::string& name, double t)
{
    const auto number = [](double value) { return Measured{value, {}, {}}; };
    const auto& laboratory = document.laboratory();
    if (name == "pivots") {
        const auto events = laboratory.events(run.id);
        return number(static_cast<double>(
            std::ranges::count_if(events, [t](const auto& e) { return e.kind() == run::EventKind::Pivot && e.t <= t; })));
    }
    if (name == "rows")
        return number(static_cast<double>(laboratory.equations(run.id, expr::Format::Text).size()));
    if (name == "failed")
        return number(document.status(run.key).state == run::RunState::Failed ? 1 : 0);
    if (name == "end")
        return number(document.status(run.key).t);
    if (name == "rejected")
        return number(static_cast<double>(document.status(run.key).statistics.rejected));
    if (name == "drift.position")
        return text(laboratory.drift(run.id).position);
    if (name == "drift.energy")
        return text(laboratory.drift(run.id).energy);
    return {};
}

/// The value of a column at t: states between two steps are interpolated, metrics are those of the last step.
Measured ofRecording(const Document& document, const RunEntry& run, std::string name, double t)
{
    const auto recording = document.laboratory().recording(run.id);
    const double last = recording.empty() ? -1 : recording.lastTime();
    if (last < t) {
        const bool failed = document.status(run.key).state == run::RunState::Failed;
        return problem((failed ? QObject::tr("%1 stopped at t = %2 s, so there is no value at %3 s.")
                               : QObject::tr("%1 has only reached t = %2 s; let it play to %3 s first."))
                           .arg(run.name)
                           .arg(std::max(0.0, last), 0, 'f', 2)
                           .arg(t, 0, 'g', 6));
    }
    if (name == "steps")
        return {static_cast<double>(recording.rowAt(t)), {}, {}};
    const bool most = name.starts_with("max.");
    if (most)
        name = name.substr(4);
    const int place = recording.findColumn(name);
    if (place < 0)
        return problem(QObject::tr("%1 records no %2.").arg(run.name, QString::fromStdString(name)));
    if (most) {
        const auto range = recording.range(place, 0, t);
        return {std::max(std::abs(range.minimum), std::abs(range.maximum)), {}, {}};
    }
    const int first = recording.findColumn(recording.columns().front().name);
    const int states = 2 * recording.n() + recording.m();
    if (place - first >= states)
        return {recording.value(recording.rowAt(t), place), {}, {}};
    std::vector<double> state(static_cast<std::size_t>(states));
    recording.stateAt(t, state.data(), state.data() + recording.n(), state.data() + 2 * recording.n());
    return {state[static_cast<std::size_t>(place - first)], {}, {}};
}

Measured quotient(const Document& document, const lesson::Measure& what, const std::optional<lesson::Measure>& over, double t)
{
    auto value = measure(document, what, t);
    if (!over || !value.problem.isEmpty())
        return value;
    const auto below = measure(document, *over, t);
    if (!below.problem.isEmpty())
        return below;
    if (!value.number || !below.number || *below.number == 0)
        return problem(QObject::tr("The quotient has no value."));
    return {*value.number / *below.number, {}, {}};
}

/// Full names in place of those that a lesson may shorten.
std::string fullName(const Document& document, const std::string& name)
{
    const auto target = model::resolveName(document.system(), name);
    return target ? target->fullName : name;
}

run::PivotChoice fullNames(const Document& document, run::PivotChoice pivot)
{
    for (auto& name : pivot.dummies)
        name = fullName(document, name);
    return pivot;
}

} // namespace

Measured measure(const Document& document, const lesson::Measure& what, double t)
{
    t = what.at.value_or(t);
    if (!document.hasModel())
        return problem(QObject::tr("No model is open."));
    if (what.name == "runs")
        return {static_cast<double>(document.runs().size()), {}, {}};
    if (what.name == "time")
        return {document.laboratory().clock().t, {}, {}};
    if (what.name.starts_with("parameter.")) {
        const auto target = model::resolveName(document.system(), what.name.substr(10));
        if (!target || target->kind != model::TargetKind::Parameter)
            return problem(QObject::tr("The model has no parameter %1.").arg(QString::fromStdString(what.name.substr(10))));
        return {document.bench().parameters()[static_cast<std::size_t>(target->index)], {}, {}};
    }
    const RunEntry* run = runNumber(document, what.run);
    if (!run)
        return problem(QObject::tr("There is no run %1.").arg(what.run));
    if (const auto setting = ofSettings(document, *run, what.name))
        return *setting;
    if (const auto count = ofRun(document, *run, what.name, t))
        return *count;
    if (what.name == "deviation") {
        const double distance = deviation(document.bench(), run->key, t);
        return std::isnan(distance)
                   ? problem(QObject::tr("%1 cannot be compared with the reference run at %2 s.").arg(run->name).arg(t))
                   : Measured{distance, {}, {}};
    }
    const bool plain = document.laboratory().recording(run->id).findColumn(what.name) >= 0;
    return ofRecording(document, *run, plain || what.name.starts_with("max.") ? what.name : fullName(document, what.name), t);
}

Measured rightAnswer(const Document& document, const lesson::Question& question, double t)
{
    return quotient(document, question.measure, question.over, t);
}

Verdict judgeNumber(const Document& document, const lesson::Question& question, double answer, double t)
{
    const auto right = rightAnswer(document, question, t);
    if (!right.number || !std::isfinite(*right.number))
        return {false, right.problem.isEmpty() ? QObject::tr("There is no value to compare with yet.") : right.problem};
    const double allowed = std::max(question.absolute, question.relative * std::abs(*right.number));
    return {std::isfinite(answer) && std::abs(answer - *right.number) <= allowed, {}};
}

Verdict judgeAction(const Document& document, const lesson::Question& question, double t)
{
    Verdict verdict{true, {}};
    for (const auto& check : question.checks) {
        const auto value = quotient(document, check.measure, check.over, t);
        bool holds = value.problem.isEmpty();
        if (check.is)
            holds = holds && value.text == QString::fromStdString(*check.is);
        else
            holds = holds && value.number && !std::isnan(*value.number) && (!check.below || *value.number < *check.below)
                    && (!check.above || *value.number > *check.above);
        verdict.right = verdict.right && holds;
        if (verdict.problem.isEmpty())
            verdict.problem = value.problem;
    }
    if (verdict.right)
        verdict.problem.clear();
    return verdict;
}

bool perform(Document& document, const lesson::Action& action)
{
    bool done = true;
    if (!action.start.empty()) {
        const auto now = document.bench().startSettings();
        run::SetStart start{now.values, now.allowInconsistent, now.massMetric, now.fixed};
        for (const auto& [name, value] : action.start)
            start.values[fullName(document, name)] = value;
        done = document.edits().setStart(start) && done;
    }
    if (action.reset)
        done = document.edits().reset() && done;
    if (action.add) {
        auto settings = *action.add;
        settings.pivot = fullNames(document, settings.pivot);
        done = document.control().addRun(settings) && done;
    }
    for (const auto& [name, value] : action.parameters)
        done = document.control().setParameter(QString::fromStdString(fullName(document, name)), value) && done;
    const RunEntry* run = runNumber(document, action.run);
    if (!run)
        return false;
    const int key = run->key;
    if (action.formulation)
        done = document.control().setFormulation(key, QString::fromStdString(*action.formulation)) && done;
    if (action.integrator)
        done = document.control().setIntegrator(key, QString::fromStdString(*action.integrator)) && done;
    for (const auto& [name, value] : action.choices)
        done = document.control().setChoice(key, QString::fromStdString(name), QString::fromStdString(value)) && done;
    for (const auto& [name, value] : action.gains)
        done = document.control().setGain(key, QString::fromStdString(name), value) && done;
    if (action.step || action.tolerance) {
        auto options = document.status(key).settings.options;
        options.step = action.step.value_or(options.step);
        options.relativeTolerance = action.tolerance.value_or(options.relativeTolerance);
        if (options.absoluteTolerance > 0) // else it follows from the nominal sizes
            options.absoluteTolerance = action.tolerance.value_or(options.absoluteTolerance);
        done = document.control().setOptions(key, options) && done;
    }
    if (action.pivot)
        done = document.control().setPivot(key, fullNames(document, *action.pivot)) && done;
    return done;
}

} // namespace driftless::ui
