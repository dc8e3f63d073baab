#include "core/run/RunRequest.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "core/expr/Parse.h"
#include "core/formulation/Formulation.h"
#include "core/integrate/Integrator.h"
#include "core/model/Model.h"
#include "core/reduction/Reduced.h"
#include "core/run/Times.h"

namespace driftless::run {

Result<double> parseNumber(std::string_view text)
{
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc::result_out_of_range)
        return Diagnostic{"'" + std::string(text.substr(0, 40)) + "' is out of the range of numbers",
                          "",
                          "",
                          "a number between 1e-300 and 1e300",
                          {}};
    if (error != std::errc() || end != text.data() + text.size()) {
        const auto expression = expr::parse(text, [](std::string_view, int) { return std::nullopt; });
        if (!expression || !expression->constantValue())
            return Diagnostic{
                "'" + std::string(text.substr(0, 40)) + "' is no number", "", "", "a number such as 0.5, 1e-6 or pi/2", {}};
        value = *expression->constantValue();
    }
    if (!std::isfinite(value))
        return Diagnostic{"'" + std::string(text.substr(0, 40)) + "' is not a finite number",
                          "",
                          "",
                          "a number such as 0.5, 1e-6 or pi/2",
                          {}};
    return value;
}

std::map<std::string, double> numbersOf(const std::vector<std::string>& set)
{
    std::map<std::string, double> out;
    for (const std::string& text : set) {
        const auto equals = std::min(text.find('='), text.size());
        if (const auto value = parseNumber(std::string_view(text).substr(std::min(equals + 1, text.size()))))
            out[text.substr(0, equals)] = *value;
    }
    return out;
}

Result<PivotChoice> parsePivot(const std::string& text, const model::Model& model)
{
    PivotChoice choice;
    if (text == "auto")
        return choice;
    choice.automatic = false;
    std::size_t begin = 0;
    while (begin <= text.size()) {
        const auto comma = std::min(text.find(',', begin), text.size());
        const auto target = model::resolveName(model.system, std::string_view(text).substr(begin, comma - begin));
        if (!target)
            return target.error();
        if (target->kind != model::TargetKind::Position && target->kind != model::TargetKind::Velocity
            && target->kind != model::TargetKind::Value)
            return Diagnostic{target->fullName + " is no coordinate",
                              "--pivot " + text.substr(0, 80),
                              "the dummies are derivatives of coordinates",
                              "auto, or names of coordinates",
                              {}};
        choice.dummies.push_back(target->fullName);
        begin = comma + 1;
    }
    return choice;
}

namespace {

Result<void> setGain(const std::string& name, double value, const model::Model& model, RunSettings& settings)
{
    const auto formulation = formulation::requireFormulation(settings.formulation);
    if (!formulation)
        return formulation.error();
    const auto dae = (*formulation)->build(model, settings.choices);
    if (dae)
        for (const auto& gain : dae->gains)
            if (gain.quantity.name == name) {
                settings.gains[name] = value;
                return {};
            }
    return Diagnostic{"no such gain", name, "", "", {}};
}

/// NAME=VALUE of --atol-for.
Result<void> setTolerance(const std::string& text, const model::Model& model, RunSettings& settings)
{
    const auto located = [&text](Diagnostic diagnostic) {
        diagnostic.where = "tolerance " + text.substr(0, 80);
        return diagnostic;
    };
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
        return located({"A tolerance of a quantity needs NAME=VALUE", "", "", "--atol-for x=1e-9", {}});
    const auto value = parseNumber(std::string_view(text).substr(equals + 1));
    if (!value)
        return located(value.error());
    const auto single = checkTolerances(model.system, {{text.substr(0, equals), *value}});
    if (!single)
        return located(single.error());
    for (const auto& [name, tolerance] : *single)
        settings.options.tolerances[name] = tolerance;
    return {};
}

Result<void> applySetting(const std::string& text, const model::Model& model, PreparedRun& run)
{
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
        return Diagnostic{"--set needs NAME=VALUE", text.substr(0, 80), "", "--set L=2", {}};
    const std::string name = text.substr(0, equals);
    const auto value = parseNumber(std::string_view(text).substr(equals + 1));
    if (!value) {
        Diagnostic diagnostic = value.error();
        diagnostic.where = "--set " + text.substr(0, 80);
        return diagnostic;
    }
    const auto target = model::resolveName(model.system, name);
    if (!target) {
        // A gain of the formulation is a parameter of the run, too.
        if (setGain(name, *value, model, run.settings))
            return {};
        Diagnostic diagnostic = target.error();
        diagnostic.where = "--set " + text.substr(0, 80);
        return diagnostic;
    }
    (target->kind == model::TargetKind::Parameter ? run.start.parameters : run.start.values)[target->fullName] = *value;
    return {};
}

/// The file's values with those that are set in their places.
std::vector<double> parametersOf(const model::Model& model, const StartSettings& start)
{
    std::vector<double> values;
    for (const model::Parameter& p : model.system.parameters) {
        const auto set = start.parameters.find(p.quantity.name);
        values.push_back(set == start.parameters.end() ? p.quantity.value : set->second);
    }
    return values;
}

Result<void> chooseMethods(const RunRequest& options, const model::RunDefaults& defaults, PreparedRun& run)
{
    run.settings.formulation = options.formulation.value_or(defaults.formulation);
    run.settings.integrator = options.integrator.value_or(defaults.integrator);
    if (const auto known = formulation::requireFormulation(run.settings.formulation); !known)
        return known.error();
    const auto* method = integrate::findIntegrator(run.settings.integrator);
    if (!method)
        return Diagnostic{
            "there is no integrator '" + run.settings.integrator.substr(0, 80) + "'", "", "", "driftless list integrators", {}};

    auto& numbers = run.settings.options;
    if (options.step)
        numbers.step = *options.step;
    else if (method->adaptive)
        numbers.step = defaults.firstStep.value_or(0);
    else if (defaults.step)
        numbers.step = *defaults.step;
    numbers.relativeTolerance = options.relativeTolerance.value_or(defaults.relativeTolerance.value_or(1e-6));
    // 0: by the nominal values, also where the file states another; the window's runs and sessions say it so.
    numbers.absoluteTolerance = options.absoluteTolerance.value_or(defaults.absoluteTolerance.value_or(0));
    numbers.multiplierTolerance = options.multiplierTolerance.value_or(defaults.multiplierTolerance.value_or(0));
    numbers.maxStep = options.maxStep.value_or(0);
    numbers.minStep = options.minStep.value_or(0);
    numbers.minNewtonIterations = options.minNewtonIterations.value_or(0);
    numbers.parameter = options.methodParameter.value_or(0);
    run.end = options.end.value_or(defaults.end);
    if (!method->adaptive && !(numbers.step > 0))
        return Diagnostic{"the step must be above zero", "--step", method->id + " takes fixed steps", "--step 0.01", {}};
    if (auto possible = checkTime(run.end, "--end"); !possible)
        return possible;
    if (auto possible = checkSteps(*method, numbers, run.end, "--step"); !possible)
        return possible;
    return numbers.check();
}

} // namespace

Result<std::shared_ptr<const model::CompiledSystem>> openSystem(const std::string& model)
{
    auto opened = reduction::openModel(model);
    if (!opened)
        return opened.error();
    return model::CompiledSystem::compile(*opened);
}

namespace {

/// Numbers of the model's table [structure] among what is set, taken out of it. Nothing else is judged here.
std::map<std::string, double> takeStructure(const model::Model& model, std::vector<std::string>& set)
{
    std::map<std::string, double> out;
    std::erase_if(set, [&](const std::string& text) {
        const auto equals = std::min(text.find('='), text.size());
        const auto known =
            std::find_if(model.structure.begin(), model.structure.end(),
                         [name = text.substr(0, equals)](const model::StructureNumber& s) { return s.name == name; });
        const auto value = parseNumber(std::string_view(text).substr(std::min(equals + 1, text.size())));
        if (known == model.structure.end() || !value)
            return false;
        out[known->name] = *value;
        return true;
    });
    return out;
}

Result<PreparedRun> prepare(std::shared_ptr<const model::CompiledSystem> system, const RunRequest& options);

} // namespace

Result<std::shared_ptr<const model::Model>> openWith(const std::string& model, std::vector<std::string>& set)
{
    auto opened = reduction::openModel(model, numbersOf(set));
    if (!opened)
        return opened.error();
    return model::withStructure(*opened, takeStructure(**opened, set));
}

Result<StartSettings> startWith(const model::Model& model, const std::vector<std::string>& set)
{
    PreparedRun run;
    run.settings.formulation.clear(); // which has no gains
    for (const std::string& text : set)
        if (auto done = applySetting(text, model, run); !done)
            return done.error();
    if (auto bad = model::checkParameters(model, parametersOf(model, run.start)))
        return *std::move(bad);
    return std::move(run.start);
}

Result<PreparedRun> prepareRun(const RunRequest& request)
{
    RunRequest options = request;
    auto wanted = openWith(request.model, options.set);
    if (!wanted)
        return wanted.error();
    auto system = model::CompiledSystem::compile(*wanted);
    if (!system)
        return system.error();
    return prepare(*system, options);
}

Result<PreparedRun> prepareRun(std::shared_ptr<const model::CompiledSystem> system, const RunRequest& request)
{
    RunRequest options = request;
    const auto numbers = takeStructure(system->model(), options.set);
    if (numbers.empty())
        return prepare(std::move(system), options);
    auto wanted = model::withStructure(system->modelHandle(), numbers);
    if (!wanted)
        return wanted.error();
    auto compiled = model::CompiledSystem::compile(*wanted);
    if (!compiled)
        return compiled.error();
    return prepare(*compiled, options);
}

namespace {

Result<PreparedRun> prepare(std::shared_ptr<const model::CompiledSystem> system, const RunRequest& options)
{
    PreparedRun run;
    run.system = std::move(system);
    const model::Model& model = run.system->model();
    if (auto chosen = chooseMethods(options, model.run, run); !chosen)
        return chosen.error();
    run.start.allowInconsistent = options.allowInconsistent;
    for (const std::string& text : options.choices) {
        const auto equals = text.find('=');
        if (equals == std::string::npos || equals == 0)
            return Diagnostic{"--option needs NAME=CHOICE", text.substr(0, 80), "", "--option basis=frozen", {}};
        run.settings.choices[text.substr(0, equals)] = text.substr(equals + 1);
    }
    for (const std::string& text : options.set)
        if (auto set = applySetting(text, model, run); !set)
            return set.error();
    if (auto bad = model::checkParameters(model, parametersOf(model, run.start)))
        return *std::move(bad);
    for (const std::string& text : options.gains) {
        const auto equals = text.find('=');
        const auto value =
            equals == std::string::npos ? parseNumber(text) : parseNumber(std::string_view(text).substr(equals + 1));
        if (!value)
            return value.error();
        if (auto set = setGain(text.substr(0, equals), *value, model, run.settings); !set)
            return Diagnostic{"there is no gain '" + text.substr(0, std::min<std::size_t>(equals, 60)) + "'",
                              "formulation " + run.settings.formulation,
                              "",
                              "driftless equations shows the gains of a formulation",
                              {}};
    }
    for (const std::string& text : options.tolerances)
        if (auto set = setTolerance(text, model, run.settings); !set)
            return set.error();
    run.start.massMetric = options.massMetric;
    run.settings.rows = options.rows;
    run.start.fixed = options.fixed;
    if (options.pivot) {
        auto pivot = parsePivot(*options.pivot, model);
        if (!pivot)
            return pivot.error();
        run.settings.pivot = *pivot;
    }
    return run;
}

} // namespace

} // namespace driftless::run
