#include "ui/document/LessonBench.h"

#include "core/lesson/Judge.h"
#include "core/system/ParameterValues.h"

namespace driftless::ui {

namespace {

const RunEntry* runNumber(const Document& document, int number)
{
    const auto& runs = document.runs();
    return number >= 1 && static_cast<std::size_t>(number) <= runs.size() ? &runs[static_cast<std::size_t>(number - 1)]
                                                                          : nullptr;
}

Measured problem(const QString& why) { return {{}, {}, why}; }

QString said(const Diagnostic& why) { return QString::fromStdString(why.why.empty() ? why.what : why.text()); }

Verdict verdictOf(const lesson::Judgement& judgement)
{
    return {.right = judgement.right, .problem = QString::fromStdString(judgement.problem), .early = judgement.early};
}

Verdict noModel() { return {.right = false, .problem = QObject::tr("No model is open."), .early = false}; }

/// The runs as the document counts them.
measure::LiveBench liveBench(const Document& document)
{
    measure::LiveBench bench{
        .laboratory = document.laboratory(), .runs = {}, .parameters = document.bench().parameters(), .reference = {}};
    for (const RunEntry& run : document.runs()) {
        if (run.key == document.bench().reference())
            bench.reference = bench.runs.size();
        bench.runs.push_back({.id = run.id, .title = run.name.toStdString()});
    }
    return bench;
}

/// Full names in place of those that a lesson may shorten.
std::string fullName(const Document& document, const std::string& name)
{
    const auto target = model::resolveName(document.system(), name);
    return target ? target->fullName : name;
}

/// The parameters that an action sets, in the order in which all of them hold in the end. What is none stays last, and is
/// refused.
std::vector<std::pair<std::string, double>> inOrder(const Document& document, const std::map<std::string, double>& parameters)
{
    const model::ConstrainedSystem& system = document.system();
    std::vector<model::ParameterSetting> known;
    std::vector<std::pair<std::string, double>> out, unknown;
    for (const auto& [name, value] : parameters) {
        const auto target = model::resolveName(system, name);
        if (target && target->kind == model::TargetKind::Parameter)
            known.emplace_back(static_cast<std::size_t>(target->index), value);
        else
            unknown.emplace_back(name, value);
    }
    const auto allowed = [&document](std::span<const double> values) {
        return !model::checkParameters(document.bench().compiled().model(), values);
    };
    for (const auto& [i, value] : model::inOrderToSet(system, document.bench().parameters(), known, allowed))
        out.emplace_back(system.parameters[i].quantity.name, value);
    out.insert(out.end(), unknown.begin(), unknown.end());
    return out;
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
    if (!document.hasModel())
        return problem(QObject::tr("No model is open."));
    const auto value = lesson::measured(liveBench(document), what, t);
    if (!value)
        return problem(said(value.error()));
    if (const double* number = std::get_if<double>(&*value))
        return {*number, {}, {}};
    return {{}, QString::fromStdString(std::get<std::string>(*value)), {}};
}

Measured rightAnswer(const Document& document, const lesson::Question& question, double t)
{
    if (!document.hasModel())
        return problem(QObject::tr("No model is open."));
    const auto value = lesson::rightAnswer(liveBench(document), question, t);
    return value ? Measured{*value, {}, {}} : problem(said(value.error()));
}

Verdict judgeNumber(const Document& document, const lesson::Question& question, double answer, double t)
{
    return document.hasModel() ? verdictOf(lesson::judgeNumber(liveBench(document), question, answer, t)) : noModel();
}

Verdict judgeAction(const Document& document, const lesson::Question& question, double t)
{
    return document.hasModel() ? verdictOf(lesson::judgeAction(liveBench(document), question, t)) : noModel();
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
    for (const auto& [name, value] : inOrder(document, action.parameters))
        done = document.control().setParameter(QString::fromStdString(name), value) && done;
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
        auto options = document.shown(key).settings.options;
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
