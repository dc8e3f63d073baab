#include "ui/document/ModelOpener.h"

#include "core/mechanism/ReadModel.h"
#include "core/reduction/Reduced.h"
#include "core/study/DataRun.h"
#include "core/study/Study.h"
#include "core/text/PathText.h"
#include "ui/document/ModelPace.h"

namespace driftless::ui {

namespace {

const char* const kNewMechanism = R"(format = 1
name = "mechanism"
title = "New mechanism"

[[force]]
name = "gravity"
kind = "gravity"
acceleration = 9.81

[view]
length_unit = 0.5
center = [0, 0]
extent = 1.5

[run]
formulation = "dummy-derivatives"
integrator = "ida"
rtol = 1e-8
atol = 1e-8
end = 10
)";

bool sameStart(const run::StartSettings& a, const run::StartSettings& b)
{
    return a.parameters == b.parameters && a.values == b.values && a.allowInconsistent == b.allowInconsistent
           && a.massMetric == b.massMetric && a.fixed == b.fixed;
}

/// What stands in the model's file is told as it is; what the lesson asked for wrongly, at the lesson's place.
Diagnostic placedAt(Diagnostic diagnostic, const SourcePosition& position)
{
    diagnostic.position = position;
    return diagnostic;
}

/// The start that a step's table gives, with full names.
Result<run::StartSettings> startOf(const lesson::Setup& setup, const model::ConstrainedSystem& system)
{
    run::StartSettings start;
    start.allowInconsistent = setup.start.allowInconsistent;
    for (const auto& [name, value] : setup.start.values) {
        const auto target = model::resolveName(system, name);
        if (!target)
            return placedAt(target.error(), setup.position);
        (target->kind == model::TargetKind::Parameter ? start.parameters : start.values)[target->fullName] = value;
    }
    return start;
}

/// What of a study is not on the table.
struct LeftOut {
    QStringList elsewhere{}, beyond{}; ///< labels of runs
    std::size_t refused = 0, events = 0, unread = 0;

    /// As many as are read at a glance.
    static QString named(const QStringList& labels)
    {
        constexpr qsizetype kMostNamed = 12;
        const QString some = labels.mid(0, kMostNamed).join(QStringLiteral("; "));
        const auto more = static_cast<int>(labels.size() - kMostNamed);
        return more > 0 ? QCoreApplication::translate("ModelOpener", "%1 and %n more", nullptr, more).arg(some) : some;
    }

    QString words() const
    {
        const auto tr = [](const char* text, std::size_t count) {
            return QCoreApplication::translate("ModelOpener", text, nullptr, static_cast<int>(count));
        };
        QStringList out;
        if (!beyond.isEmpty())
            out << tr("%n run(s) beyond the first %1 (%2)", static_cast<std::size_t>(beyond.size()))
                       .arg(RunList::kMost)
                       .arg(named(beyond));
        if (!elsewhere.isEmpty())
            out << tr("%n run(s) from other starts or models (%1)", static_cast<std::size_t>(elsewhere.size()))
                       .arg(named(elsewhere));
        if (refused)
            out << tr("%n run(s) that are refused", refused);
        if (unread)
            out << tr("%n file(s) of measured data", unread);
        if (events)
            out << tr("%n live event(s)", events);
        return out.join(QStringLiteral(", "));
    }
};

/// Beside the runs; false where it has no place or cannot be read.
bool addMeasured(Bench& bench, const study::Study& study, const study::PlannedRun& planned)
{
    std::string text;
    auto all = bench.runs().measured();
    if (all.size() >= MeasuredCurves::kMost || !study::openMeasuredData(study, planned, bench.compiled(), &text))
        return false;
    auto data = MeasuredCurves::read(keptRunName(QString::fromStdString(planned.label)), text, planned.data, bench.system());
    if (!data)
        return false;
    all.push_back(std::move(*data));
    bench.runs().setMeasured(std::move(all));
    return true;
}

} // namespace

ModelOpener::ModelOpener(OpenBench& open, History& history, Playback& playback)
    : open_(open), history_(history), playback_(playback)
{
}

RunEntry ModelOpener::freshEntry(int colour)
{
    RunEntry entry;
    entry.key = open_.freshKey();
    entry.colour = colour;
    entry.name = tr("Run %1").arg(colour + 1);
    return entry;
}

Result<void> ModelOpener::openModel(const QString& pathOrName)
{
    return openBench(reduction::openModel(textToPath(pathOrName.toStdU16String())), pathOrName);
}

Result<void> ModelOpener::openText(const QString& text, const QString& path)
{
    const std::string file = textToPath(path.toStdU16String());
    auto model = reduction::readModel(text.toStdString(), file);
    if (!model)
        return model.error();
    auto placed = std::make_shared<model::Model>(**model);
    placed->path = file;
    auto opened = openBench(std::shared_ptr<const model::Model>(std::move(placed)), path);
    if (opened) // the file does not have it
        history_.noteNowhere(open_.bench().document());
    return opened;
}

Result<void> ModelOpener::openBench(Result<std::shared_ptr<const model::Model>> model, const QString& name)
{
    auto bench = Bench::compile(std::move(model), {});
    if (!bench)
        return bench.error();
    const auto settings = settingsAsFile((*bench)->compiled().model());
    const RunEntry entry = freshEntry(0);
    if ((*bench)->isEmpty())
        (*bench)->addOrWait({{entry, settings}}); // waits for the first body
    else if (auto added = (*bench)->add(entry, settings, 0); !added)
        return added;
    (*bench)->laboratory().setSpeed(firstSpeed((*bench)->compiled().model()));
    return open_.adopt(std::move(bench).value(), tr("open %1").arg(name), Opens::NewDocument);
}

Result<void> ModelOpener::openFirstStart()
{
    // [MS91] case 2: the pendulum is horizontal and swings over the top for ever.
    auto bench = Bench::compile(model::openModel("pendulum"), {});
    if (!bench)
        return bench.error();
    run::RunSettings holds;
    holds.formulation = "dummy-derivatives";
    holds.integrator = "ida";
    holds.options.step = 0;
    holds.options.relativeTolerance = 1e-8;
    run::RunSettings drifts;
    drifts.formulation = "index-1";
    drifts.integrator = "rk4";
    drifts.options.step = 0.2;
    holds.options.absoluteTolerance = drifts.options.absoluteTolerance = 0; // by the nominal sizes
    int colour = 0;
    for (const auto* settings : {&holds, &drifts})
        if (auto added = (*bench)->add(freshEntry(colour++), *settings, RunList::kMost); !added)
            return added;
    return open_.adopt(std::move(bench).value(), tr("open the first start"), Opens::NewDocument);
}

Result<void> ModelOpener::newMechanism()
{
    auto bench = Bench::compile(reduction::readModel(kNewMechanism, "mechanism.toml"), {});
    if (!bench)
        return bench.error();
    (*bench)->addOrWait({{freshEntry(0), settingsAsFile((*bench)->compiled().model())}});
    playback_.pause();
    return open_.adopt(std::move(bench).value(), tr("new mechanism"), Opens::NewDocument);
}

Result<void> ModelOpener::setUp(const lesson::Setup& setup, const QString& text)
{
    auto model = reduction::openModel(setup.model, setup.start.values);
    if (!model) // outside the model file: the lesson names it wrongly
        return model.error().position.line == 0 ? placedAt(model.error(), setup.position) : model.error();
    const auto start = startOf(setup, (*model)->system);
    if (!start)
        return start.error();
    auto bench = Bench::compile(*model, *start);
    if (!bench)
        return bench.error();
    int colour = 0;
    for (run::RunSettings settings : setup.runs) {
        for (auto& name : settings.pivot.dummies) {
            const auto target = model::resolveName((*model)->system, name);
            if (!target)
                return placedAt(target.error(), setup.position);
            name = target->fullName;
        }
        if (auto added = (*bench)->add(freshEntry(colour++), settings, RunList::kMost); !added)
            return placedAt(added.error(), setup.position);
    }
    playback_.pause();
    if (auto adopted = open_.adopt(std::move(bench).value(), text, Opens::NewDocument); !adopted)
        return adopted;
    history_.noteExercise(open_.bench().document());
    playback_.setSpeed(setup.speed);
    return {};
}

Result<void> ModelOpener::openStudy(const QString& pathOrName, QString* left)
{
    const auto study = study::openStudy(textToPath(pathOrName.toStdU16String()));
    if (!study)
        return study.error();
    const auto integrated = std::ranges::find_if(study->runs, [](const auto& run) { return run.data.empty(); });
    if (integrated == study->runs.end())
        return Diagnostic{
            .what = "No run of this study can be shown", .where = study->path, .why = "all of them are measured data"};
    const std::string& modelName = integrated->request.model;
    auto model = study::modelOf(*study, integrated->request);
    if (!model)
        return model.error();
    auto compiled = model::CompiledSystem::compile(*model);
    if (!compiled)
        return compiled.error();
    const auto first = run::prepareRun(*compiled, integrated->request);
    if (!first)
        return first.error();
    auto bench = std::make_unique<Bench>(*compiled, first->start);
    const auto& shown = bench->runs().entries();
    LeftOut leftOut;
    for (const study::PlannedRun& planned : study->runs) {
        if (!planned.data.empty()) { // nothing is integrated
            leftOut.unread += planned.request.model == modelName && addMeasured(*bench, *study, planned) ? 0u : 1u;
            continue;
        }
        const auto prepared = planned.request.model == modelName ? run::prepareRun(*compiled, planned.request)
                                                                 : Result<run::PreparedRun>(Diagnostic{});
        const QString label = QString::fromStdString(planned.label);
        if (!prepared || !sameStart(prepared->start, first->start)) {
            leftOut.elsewhere << label;
            continue;
        }
        if (shown.size() >= std::size_t{RunList::kMost}) {
            leftOut.beyond << label;
            continue;
        }
        RunEntry entry = freshEntry(static_cast<int>(shown.size()));
        entry.name = keptRunName(label);
        if (bench->add(entry, prepared->settings, shown.size()))
            leftOut.events += planned.events.size();
        else
            ++leftOut.refused;
    }
    if (shown.empty())
        return Diagnostic{.what = "No run of this study can be shown",
                          .where = study->path,
                          .why = "all of them are refused",
                          .remedy = "driftless study tells why"};
    if (left)
        *left = leftOut.words();
    const QString title = QString::fromStdString(study->title);
    auto opened = open_.adopt(std::move(bench), tr("open the study %1").arg(title), Opens::NewDocument);
    if (opened)
        open_.entitle(title);
    return opened;
}

} // namespace driftless::ui
