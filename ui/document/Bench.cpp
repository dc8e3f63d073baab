// Benches: the laboratory of a model with its runs, made anew when a model is opened or when everything starts again.
#include <algorithm>

#include "core/base/PathText.h"
#include "core/consistency/Doctor.h"
#include "core/reduction/Reduced.h"
#include "ui/document/Commands.h"
#include "ui/document/Document.h"
#include "ui/document/Preferences.h"

namespace driftless::ui {

run::RunSettings Document::settingsAsFile(const model::Model& model)
{
    const model::RunDefaults& defaults = model.run;
    run::RunSettings settings;
    settings.formulation = defaults.formulation;
    settings.integrator = defaults.integrator;
    // First guess of an adaptive method is its own; a fixed step written in a file would be a strange first step.
    const auto* method = integrate::findIntegrator(settings.integrator);
    settings.options.step =
        method && method->adaptive ? defaults.firstStep.value_or(0) : defaults.step.value_or(settings.options.step);
    settings.options.relativeTolerance = defaults.relativeTolerance.value_or(settings.options.relativeTolerance);
    settings.options.absoluteTolerance = defaults.absoluteTolerance.value_or(0); // by the nominal sizes
    settings.options.multiplierTolerance = defaults.multiplierTolerance.value_or(settings.options.multiplierTolerance);
    return settings;
}

Document::BenchHandle Document::makeBench(std::shared_ptr<const model::CompiledSystem> system, const run::StartSettings& start)
{
    auto bench = std::make_unique<Bench>();
    bench->parameters = system->defaultParameters();
    const auto& all = system->system().parameters;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (const auto set = start.parameters.find(all[i].quantity.name); set != start.parameters.end())
            bench->parameters[i] = set->second;
    bench->system = system;
    bench->laboratory = std::make_unique<run::Laboratory>(std::move(system), start);
    bench->laboratory->setRecordingBudget(static_cast<std::uint64_t>(preferredMemory()) << 20);
    (void)bench->laboratory->recordRows(preferredRows()); // there is no run yet that could refuse
    return bench;
}

Result<Document::BenchHandle> Document::compileBench(Result<std::shared_ptr<const model::Model>> model,
                                                     const run::StartSettings& start)
{
    if (!model)
        return model.error();
    auto compiled = model::CompiledSystem::compile(*model);
    if (!compiled)
        return compiled.error();
    return makeBench(*compiled, start);
}

Result<void> Document::repeatRuns(Bench& target) const
{
    for (const RunEntry& run : runs()) {
        RunEntry copy = run;
        if (auto added = addTo(target, copy, status(run.key).settings, target.runs.size()); !added)
            return added;
    }
    target.selected = selected();
    target.reference = reference();
    return {};
}

run::StartSettings Document::presentStart() const
{
    run::StartSettings start = laboratory().start();
    const auto& all = system().system().parameters;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (bench_->parameters[i] != all[i].quantity.value)
            start.parameters[all[i].quantity.name] = bench_->parameters[i];
        else
            start.parameters.erase(all[i].quantity.name);
    return start;
}

Result<Document::BenchHandle> Document::freshBench(const run::StartSettings& start) const
{
    auto bench = makeBench(bench_->system, start);
    if (auto repeated = repeatRuns(*bench); !repeated)
        return repeated.error();
    bench->waiting = bench_->waiting;
    bench->problem = bench_->problem;
    return bench;
}

Result<void> Document::adopt(BenchHandle bench, const QString& text, Opens opens)
{
    const bool first = !bench_;
    if (isReplaying()) // the session takes this place when it has been repeated, and would forget what is opened now
        return replayUnderWay();
    bench->document = first || opens == Opens::NewDocument ? ++documents_ : bench_->document;
    if (!first)
        origins_[bench_->document].name = name();
    origins_.try_emplace(bench->document);
    const bool playing = !first && laboratory().clock().playing;
    const double speed = first ? 1.0 : laboratory().clock().speed;
    bench->laboratory->setSpeed(speed);
    if (first) {
        bench_ = std::move(bench);
    } else {
        laboratory().pause();
        std::swap(bench_, bench);
        push(new BenchCommand(*this, std::move(bench), text), opens);
    }
    if (playing)
        laboratory().play();
    emit benchChanged();
    emit titleChanged();
    return {};
}

void Document::exchange(BenchHandle& other)
{
    const auto clock = laboratory().clock();
    laboratory().pause();
    origins_[bench_->document].name = name();
    std::swap(bench_, other);
    laboratory().setSpeed(clock.speed);
    if (clock.playing)
        laboratory().play();
    emit benchChanged();
    emit titleChanged();
}

Result<void> Document::openModel(const QString& pathOrName)
{
    return openBench(reduction::openModel(textToPath(pathOrName.toStdU16String())), pathOrName);
}

Result<void> Document::openText(const QString& text, const QString& path)
{
    const std::string file = textToPath(path.toStdU16String());
    auto model = reduction::readModel(text.toStdString(), file);
    if (!model)
        return model.error();
    auto placed = std::make_shared<model::Model>(**model);
    placed->path = file;
    return openBench(std::shared_ptr<const model::Model>(std::move(placed)), path);
}

Result<void> Document::openBench(Result<std::shared_ptr<const model::Model>> model, const QString& name)
{
    auto bench = compileBench(std::move(model), {});
    if (!bench)
        return bench.error();
    const auto settings = settingsAsFile((*bench)->laboratory->system().model());
    RunEntry entry;
    entry.key = nextKey_++;
    entry.name = tr("Run 1");
    if ((*bench)->system->n() == 0 && (*bench)->system->w() == 0)
        startRuns(**bench, {{entry, settings}}); // waits for the first body
    else if (auto added = addTo(**bench, entry, settings, 0); !added)
        return added;
    return adopt(std::move(bench).value(), tr("open %1").arg(name), Opens::NewDocument);
}

Result<void> Document::openFirstStart()
{
    // [MS91] case 2: the pendulum is horizontal and swings over the top for ever.
    auto bench = compileBench(model::openModel("pendulum"), {});
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
    for (const auto* settings : {&holds, &drifts}) {
        RunEntry entry;
        entry.key = nextKey_++;
        entry.colour = colour++;
        entry.name = tr("Run %1").arg(colour);
        if (auto added = addTo(**bench, entry, *settings, 8); !added)
            return added;
    }
    return adopt(std::move(bench).value(), tr("open the first start"), Opens::NewDocument);
}

Result<void> Document::applyText(const QString& text)
{
    if (bench_ && !bench_->waiting.empty())
        return editText(text, tr("edit the model"));
    auto bench = compileBench(reduction::readModel(text.toStdString(), modelPath().toStdString()), {});
    if (!bench)
        return bench.error();
    if (auto repeated = repeatRuns(**bench); !repeated)
        return repeated;
    return adopt(std::move(bench).value(), tr("edit the model"), Opens::SameDocument);
}

bool Document::setStructure(const QString& name, int value)
{
    if (!bench_)
        return false;
    auto wanted = model::withStructure(system().modelHandle(), {{name.toStdString(), value}});
    auto bench = compileBench(std::move(wanted), {});
    if (!bench) {
        say(bench.error());
        emit benchChanged();
        return false;
    }
    if (auto repeated = repeatRuns(**bench); !repeated) {
        say(repeated.error());
        emit benchChanged();
        return false;
    }
    return say(adopt(std::move(bench).value(), tr("%1 = %2").arg(name).arg(value), Opens::SameDocument));
}

bool Document::setInitialValue(const QString& name, double value)
{
    if (!bench_)
        return false;
    auto start = presentStart();
    if (const auto set = start.values.find(name.toStdString()); set != start.values.end() && set->second == value)
        return true;
    start.values[name.toStdString()] = value;
    auto bench = freshBench(start);
    if (!bench) {
        say(bench.error());
        emit benchChanged();
        return false;
    }
    return say(adopt(std::move(bench).value(), tr("start with %1 = %2").arg(name, QString::number(value, 'g', 6)),
                     Opens::SameDocument));
}

run::StartSettings Document::startSettings() const { return bench_ ? presentStart() : run::StartSettings{}; }

Result<consistency::Diagnosis> Document::diagnoseStart(const run::StartSettings& start) const
{
    if (!bench_)
        return Diagnostic{"There is nothing to diagnose.", "", "No model is open.", "Open a model first.", {}};
    model::SystemEvaluator evaluator(bench_->system);
    evaluator.setParameters(bench_->parameters);
    const auto request = run::startRequest(start, evaluator);
    if (!request)
        return request.error();
    return consistency::diagnose(bench_->system, bench_->parameters, *request);
}

bool Document::setStart(const run::SetStart& start)
{
    if (!bench_)
        return false;
    auto bench = freshBench(run::startAfter(presentStart(), start));
    if (!bench) {
        say(bench.error());
        return false;
    }
    return say(adopt(std::move(bench).value(), tr("other start values"), Opens::SameDocument));
}

bool Document::reset()
{
    if (!bench_)
        return false;
    auto bench = freshBench(presentStart());
    if (!bench) {
        say(bench.error());
        return false;
    }
    return say(adopt(std::move(bench).value(), tr("back to the start"), Opens::SameDocument));
}

} // namespace driftless::ui
