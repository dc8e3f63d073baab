#include "ui/document/LookBack.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "core/formulation/Formulation.h"
#include "core/integrate/ErrorTest.h"
#include "core/run/Exchanges.h"
#include "core/system/CompiledSystem.h"
#include "core/system/NominalScales.h"
#include "ui/document/BenchReadings.h"

namespace driftless::ui {

namespace {

formulation::Dummies dummiesNow(const run::RunStatus& status)
{
    return {status.positionDummies, status.dummies, status.valueDummies};
}

/// Of models with more, a run of then takes too long for a strip that is drawn beside the motion: events alone tell there.
constexpr std::size_t kMostChosenAgain = 300;

/// What a run chooses by, as a key.
std::string chooserOf(const run::RunSettings& settings)
{
    std::string out = settings.formulation + '/' + settings.integrator;
    for (const auto& [name, value] : settings.choices)
        out += '/' + name + '=' + value;
    for (const std::string& name : settings.pivot.dummies)
        out += '/' + name;
    return out + (settings.pivot.automatic ? "/automatic" : "/pinned");
}

/// Whether what a run had been before is another motion now.
bool beginsAnew(const run::LogEntry& entry)
{
    return entry.kind == run::LogEntry::Kind::AddRun || std::ranges::any_of(entry.commands, [](const run::Command& command) {
               return std::holds_alternative<run::Branch>(command.payload)
                      || std::holds_alternative<run::Reset>(command.payload)
                      || std::holds_alternative<run::SetStart>(command.payload);
           });
}

} // namespace

void LookBack::forget()
{
    logged_ = 0;
    regimes_.clear();
    chosen_.clear();
    forms_.clear();
}

const std::vector<run::Regime>& LookBack::regimes(run::RunId id) const
{
    const auto& log = open_.laboratory().log();
    if (const std::size_t before = std::exchange(logged_, log.size()); before != log.size()) {
        regimes_.clear();
        if (before > log.size() || std::any_of(log.begin() + static_cast<std::ptrdiff_t>(before), log.end(), beginsAnew))
            chosen_.clear();
    }
    const auto [place, isNew] = regimes_.try_emplace(id.value);
    if (isNew)
        place->second = run::regimesOf(open_.laboratory(), id);
    return place->second;
}

const formulation::Dummies& LookBack::chosenAtBegin(run::RunId id, const run::Regime& regime) const
{
    const auto [place, isNew] = chosen_.try_emplace({id.value, regime.from, chooserOf(regime.settings)});
    if (isNew)
        place->second = run::dummiesChosen(open_.laboratory(), id, regime);
    return place->second;
}

std::vector<PivotStretch> LookBack::pivots(int key) const
{
    std::vector<PivotStretch> out;
    const RunEntry* run = open_.find(key);
    if (!run)
        return out;
    const auto& all = regimes(run->id);
    for (auto begin = all.begin(); begin != all.end();) {
        const auto end = std::find_if(begin, all.end(),
                                      [&](const run::Regime& r) { return !run::choosesAlike(r.settings, begin->settings); });
        const auto* form = formulation::findFormulation(begin->settings.formulation);
        const bool lasts = end == all.end() || end->from > begin->from;
        PivotStretch stretch{.from = begin->from, .chooses = form && form->info().pivots && lasts};
        if (stretch.chooses) {
            const auto told = run::dummiesAt(open_.laboratory(), run->id, all, begin->from);
            const auto& system = open_.compiled().system();
            if (told || system.coordinates.size() + system.values.size() <= kMostChosenAgain)
                stretch.dummies = dummyNames(told ? *told : chosenAtBegin(run->id, *begin), system);
        }
        out.push_back(std::move(stretch));
        begin = end;
    }
    return out;
}

const LookBack::Form& LookBack::formOf(const run::RunSettings& settings, const model::Mode& mode) const
{
    std::string key = settings.formulation;
    for (const auto& [name, value] : settings.choices)
        key += "/" + name + "=" + value;
    const auto [place, isNew] = forms_.try_emplace({key, mode});
    if (!isNew)
        return place->second;
    place->second.model = model::modelInMode(open_.compiled().modelHandle(), mode);
    if (const auto* form = formulation::findFormulation(settings.formulation))
        if (auto built = form->build(*place->second.model, settings.choices); built)
            place->second.dae = std::make_shared<const formulation::Dae>(std::move(*built));
    return place->second;
}

bool LookBack::changesMode() const { return open_.hasModel() && !open_.compiled().system().oneSided.empty(); }

bool LookBack::standsAhead(int key) const
{
    const RunEntry* run = open_.find(key);
    if (!run || open_.laboratory().clock().playing)
        return false;
    const auto recording = open_.laboratory().recording(run->id);
    return !recording.empty() && recording.lastTime() > open_.laboratory().clock().t;
}

LookBack::Then LookBack::then(int key) const
{
    const bool ahead = !looksBack() && standsAhead(key);
    const RunEntry* run = looksBack() || ahead || changesMode() ? open_.find(key) : nullptr;
    if (!run)
        return {};
    const run::Laboratory& laboratory = open_.laboratory();
    const double t = laboratory.clock().t;
    const model::ConstrainedSystem& system = open_.compiled().system();
    const run::RunStatus status = laboratory.status(run->id);
    Then out;
    if (changesMode())
        out.mode = run::modeAt(system, laboratory.events(run->id), t);
    const bool otherMode = changesMode() && model::modeName(system, out.mode) != status.mode;
    if (!looksBack() && !ahead && !otherMode)
        return {};
    const auto& all = regimes(run->id);
    if (all.empty())
        return {};
    out.regime = &run::regimeAt(all, t);
    if (ahead && !out.regime->present)
        return {}; // what is changed next is compared with what holds now
    const auto form = out.regime->present ? nullptr : formOf(out.regime->settings, out.mode).dae;
    const formulation::Dummies now = dummiesNow(status);
    if (auto told = run::dummiesAt(laboratory, run->id, all, t); told) {
        out.dummies = *told;
    } else if (form && (form->pivot || form->links)) {
        out.dummies = chosenAtBegin(run->id, *out.regime);
    }
    out.differs = !out.regime->present || !(out.dummies == now) || otherMode;
    return out;
}

bool LookBack::differs(int key) const { return looksBack() && then(key).differs; }

run::RunStatus LookBack::status(int key) const
{
    run::RunStatus out = open_.status(key);
    const Then shown = then(key);
    const double t = open_.hasModel() ? open_.laboratory().clock().t : 0;
    if (!shown.differs) {
        if (t < out.t)
            judgeAsShown(key, out);
        return out;
    }
    out.settings = shown.regime->settings;
    out.parameters = shown.regime->parameters;
    out.positionDummies = shown.dummies.positions;
    out.dummies = shown.dummies.velocities;
    out.valueDummies = shown.dummies.values;
    if (!out.mode.empty()) {
        out.mode = model::modeName(open_.compiled().system(), shown.mode);
        out.rowsInForce = shown.mode;
    }
    out.stages.clear();
    out.exchanges.clear();
    out.kappa = metricAt(open_, key, "kappa", t);
    const formulation::PivotCandidate itself{.kappa = out.kappa};
    const Form& form = formOf(out.settings, shown.mode);
    const auto& dae = form.dae;
    if (dae && dae->links && !shown.dummies.values.empty()) // as if one stage had chosen them, among nothing else
        out.stages = {{.candidates = shown.dummies.values, .selected = shown.dummies.values, .kappa = out.kappa}};
    const bool pivots = dae && dae->pivot;
    const bool apart = pivots && shown.dummies.positions != shown.dummies.velocities;
    out.candidates.assign(pivots ? 1 : 0, itself);
    out.positionCandidates.assign(apart ? 1 : 0, itself);
    if (pivots)
        offerAsShown(key, *dae, out);
    if (!dae)
        return out;
    out.form = formulation::sizeOf(*dae, form.model->system);
    if (const auto* method = integrate::findIntegrator(out.settings.integrator))
        out.errorTest = integrate::errorTestOf(*method, out.settings.options, dae->index);
    model::SystemEvaluator evaluator(open_.compiledHandle());
    evaluator.setParameters(out.parameters);
    const auto usual = formulation::usualGains(*dae, model::nominalScales(evaluator));
    out.gains.clear();
    out.gainQuantities.clear();
    for (std::size_t i = 0; i < dae->gains.size(); ++i) {
        const auto& quantity = dae->gains[i].quantity;
        const auto set = out.settings.gains.find(quantity.name);
        out.gainQuantities.push_back(quantity);
        out.gains[quantity.name] = set == out.settings.gains.end() ? usual[i] : set->second;
    }
    return out;
}

/// What a selection that has not changed since was worth at the displayed time. While runs play that is where they are in a
/// moment, and panels need not be that exact.
void LookBack::judgeAsShown(int key, run::RunStatus& out) const
{
    const double t = open_.laboratory().clock().t;
    if (const double kappa = metricAt(open_, key, "kappa", t); std::isfinite(kappa))
        out.kappa = kappa;
    if (out.stages.size() == 1)
        out.stages.front().kappa = out.kappa;
    const model::CompiledSystem& compiled = open_.compiled();
    if (out.candidates.empty() || open_.laboratory().clock().playing || changesMode())
        return;
    if (!run::triesExchanges(compiled.n(), compiled.system().m())) {
        out.candidates.front().kappa = out.kappa;
        return;
    }
    if (const auto& dae = formOf(out.settings, {}).dae; dae && dae->pivot)
        offerAsShown(key, *dae, out);
}

/// What may be chosen in place of a selection at the displayed time.
void LookBack::offerAsShown(int key, const formulation::Dae& form, run::RunStatus& out) const
{
    const model::CompiledSystem& compiled = open_.compiled();
    const double t = open_.laboratory().clock().t;
    const RunEntry* run = open_.find(key);
    std::vector<double> q(static_cast<std::size_t>(compiled.n())), v = q, lambda(static_cast<std::size_t>(compiled.w()));
    if (changesMode() || !run || !run::triesExchanges(compiled.n(), compiled.system().m())
        || !open_.laboratory().recording(run->id).stateAt(t, q.data(), v.data(), lambda.data()))
        return;
    const formulation::Dummies now{.positions = out.positionDummies, .velocities = out.dummies};
    auto offered =
        run::exchangesAt(open_.compiledHandle(), drawnWith(key), form, now, {.t = t, .q = q.data(), .kappa = out.kappa});
    if (offered.candidates.empty())
        return;
    out.candidates = std::move(offered.candidates);
    out.positionCandidates = std::move(offered.ofPositions);
}

std::vector<formulation::DescribedRow> LookBack::equations(int key, expr::Format format) const
{
    const RunEntry* run = open_.find(key);
    if (!run)
        return {};
    const Then shown = then(key);
    const auto dae = shown.differs ? formOf(shown.regime->settings, shown.mode).dae : nullptr;
    return dae ? formulation::describeRows(*dae, shown.dummies, format) : open_.laboratory().equations(run->id, format);
}

std::vector<double> LookBack::parameters() const { return parameters(open_.selected()); }

std::vector<double> LookBack::parameters(int key) const
{
    const RunEntry* run = looksBack() ? open_.find(key) : nullptr;
    if (!run || regimes(run->id).empty())
        return open_.parameters();
    return run::regimeAt(regimes(run->id), open_.laboratory().clock().t).parameters;
}

std::vector<run::ParametersUntil> LookBack::drawnBefore(int key) const
{
    const RunEntry* run = open_.find(key);
    constexpr double kOfTrails = 10; // [s] longer than any trail of the scene
    const double t = open_.laboratory().clock().t;
    return run ? run::parametersBefore(regimes(run->id), t - kOfTrails, t) : std::vector<run::ParametersUntil>{};
}

std::vector<double> LookBack::drawnWith(int key) const
{
    const RunEntry* run = open_.find(key);
    if (!run || regimes(run->id).empty())
        return open_.parameters();
    return run::regimeAt(regimes(run->id), open_.laboratory().clock().t).parameters;
}

} // namespace driftless::ui
