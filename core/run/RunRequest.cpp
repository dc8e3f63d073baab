#include "core/run/RunRequest.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "core/expr/Parse.h"
#include "core/formulation/Formulation.h"
#include "core/integrate/Integrator.h"
#include "core/mechanism/ReadModel.h"
#include "core/reduction/Reduced.h"
#include "core/run/Times.h"
#include "core/system/Model.h"
#include "core/system/ParameterValues.h"
#include "core/text/TomlValue.h"

namespace driftless::run {

namespace {

std::optional<bool> truthOf(std::string_view text)
{
    if (text == "true")
        return true;
    return text == "false" ? std::optional(false) : std::nullopt;
}

} // namespace

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

Result<double> parseValue(std::string_view text, const Result<model::Target>& target, const model::ConstrainedSystem& system)
{
    const auto truth = truthOf(text);
    const bool logical = target && target->kind == model::TargetKind::Parameter
                         && system.parameters[static_cast<std::size_t>(target->index)].logical;
    if (truth && logical)
        return *truth ? 1.0 : 0.0;
    return parseNumber(text);
}

std::map<std::string, double> numbersOf(const std::vector<std::string>& set)
{
    std::map<std::string, double> out;
    for (const std::string& text : set) {
        const auto equals = std::min(text.find('='), text.size());
        const std::string_view stated = std::string_view(text).substr(std::min(equals + 1, text.size()));
        if (const auto truth = truthOf(stated))
            out[text.substr(0, equals)] = *truth ? 1.0 : 0.0;
        else if (const auto value = parseNumber(stated))
            out[text.substr(0, equals)] = *value;
    }
    return out;
}

namespace {

std::string exampleOf(const std::string& key)
{
    if (key == "options")
        return "NAME=CHOICE, such as basis=frozen";
    if (key == "atol_for")
        return "NAME=VALUE, such as x=1e-9";
    return key == "gains" ? "NAME=VALUE, such as xi=10" : "NAME=VALUE, such as L=2";
}

} // namespace

Result<std::pair<std::string, std::string>> namedSetting(const std::string& text, const std::string& key)
{
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
        return Diagnostic{.what = '"' + key + "\" needs a name and a value",
                          .where = text.substr(0, 80),
                          .why = {},
                          .remedy = exampleOf(key),
                          .position = {}};
    return std::pair{text.substr(0, equals), text.substr(equals + 1)};
}

namespace {

template <class T>
void replaceBy(std::optional<T>& value, const std::optional<T>& by)
{
    if (by)
        value = by;
}

} // namespace

RunRequest overlaid(RunRequest request, const RunRequest& by)
{
    const auto append = [](std::vector<std::string>& to, const std::vector<std::string>& more) {
        to.insert(to.end(), more.begin(), more.end());
    };
    if (!by.model.empty() && by.model != request.model) {
        request.model = by.model;
        request.set.clear();
    }
    replaceBy(request.formulation, by.formulation);
    replaceBy(request.integrator, by.integrator);
    replaceBy(request.step, by.step);
    replaceBy(request.relativeTolerance, by.relativeTolerance);
    replaceBy(request.absoluteTolerance, by.absoluteTolerance);
    replaceBy(request.multiplierTolerance, by.multiplierTolerance);
    replaceBy(request.maxStep, by.maxStep);
    replaceBy(request.minStep, by.minStep);
    replaceBy(request.minNewtonIterations, by.minNewtonIterations);
    replaceBy(request.methodParameter, by.methodParameter);
    replaceBy(request.end, by.end);
    replaceBy(request.pivot, by.pivot);
    replaceBy(request.massMetric, by.massMetric);
    replaceBy(request.fixed, by.fixed);
    append(request.tolerances, by.tolerances);
    append(request.set, by.set);
    append(request.gains, by.gains);
    append(request.choices, by.choices);
    request.allowInconsistent = request.allowInconsistent || by.allowInconsistent;
    return request;
}

integrate::IntegratorOptions withNumbers(integrate::IntegratorOptions o, const RunRequest& r)
{
    o.step = r.step.value_or(o.step);
    o.relativeTolerance = r.relativeTolerance.value_or(o.relativeTolerance);
    o.absoluteTolerance = r.absoluteTolerance.value_or(o.absoluteTolerance);
    o.multiplierTolerance = r.multiplierTolerance.value_or(o.multiplierTolerance);
    o.maxStep = r.maxStep.value_or(o.maxStep);
    o.minStep = r.minStep.value_or(o.minStep);
    o.minNewtonIterations = r.minNewtonIterations.value_or(o.minNewtonIterations);
    o.parameter = r.methodParameter.value_or(o.parameter);
    for (const std::string& text : r.tolerances) // whoever reads them says what is no number
        if (const auto value = parseNumber(std::string_view(text).substr(text.find('=') + 1)))
            o.tolerances[text.substr(0, text.find('='))] = *value;
    return o;
}

bool hasNumbers(const RunRequest& r)
{
    return r.step || r.relativeTolerance || r.absoluteTolerance || r.multiplierTolerance || r.maxStep || r.minStep
           || r.minNewtonIterations || r.methodParameter || !r.tolerances.empty();
}

bool takesCommandPair(const model::RunDefaults& defaults, const RunRequest& r)
{
    if (!r.byCommand || !defaults.command)
        return false;
    const bool ofForm = r.formulation || r.pivot || !r.choices.empty() || !r.gains.empty() || r.allowInconsistent;
    const auto* const stated = integrate::findIntegrator(defaults.integrator);
    const bool ofMethod = r.integrator || r.methodParameter || r.minNewtonIterations || r.multiplierTolerance
                          || !r.tolerances.empty() || (r.step && stated && !stated->adaptive);
    return !ofForm && !ofMethod;
}

RunSettings settingsOf(const model::RunDefaults& defaults, const RunRequest& request)
{
    RunSettings out;
    const bool ofCommand = takesCommandPair(defaults, request);
    out.formulation = request.formulation.value_or(ofCommand ? defaults.command->formulation : defaults.formulation);
    out.integrator = request.integrator.value_or(ofCommand ? defaults.command->integrator : defaults.integrator);
    integrate::IntegratorOptions& numbers = out.options;
    // The first guess of an adaptive method is its own: a fixed step that a file states would be a strange first step.
    const auto* method = integrate::findIntegrator(out.integrator);
    numbers.step = method && method->adaptive ? defaults.firstStep.value_or(0) : defaults.step.value_or(numbers.step);
    numbers.relativeTolerance = defaults.relativeTolerance.value_or(numbers.relativeTolerance);
    // 0: by the nominal values, also where the file states another; the window's runs and sessions say it so.
    numbers.absoluteTolerance = defaults.absoluteTolerance.value_or(0);
    numbers.multiplierTolerance = defaults.multiplierTolerance.value_or(numbers.multiplierTolerance);
    numbers.maxStep = defaults.maxStep.value_or(numbers.maxStep);
    RunRequest plain = request;
    plain.tolerances.clear(); // their names are resolved against the model
    numbers = withNumbers(numbers, plain);
    return out;
}

Result<RunSettings> benchSettings(const RunRequest& request)
{
    RunSettings out = settingsOf({}, request);
    out.options = withNumbers(out.options, request);
    for (const std::string& text : request.gains) {
        const auto parts = namedSetting(text, "gains");
        const auto value = parts ? parseNumber(parts->second) : Result<double>{parts.error()};
        if (!value)
            return value.error();
        out.gains[parts->first] = *value;
    }
    for (const std::string& text : request.choices) {
        const auto parts = namedSetting(text, "options");
        if (!parts)
            return parts.error();
        out.choices[parts->first] = parts->second;
    }
    if (!request.pivot || *request.pivot == "auto")
        return out;
    out.pivot.automatic = false;
    std::size_t begin = 0;
    while (begin < request.pivot->size()) {
        const auto comma = std::min(request.pivot->find(',', begin), request.pivot->size());
        out.pivot.dummies.push_back(request.pivot->substr(begin, comma - begin));
        begin = comma + 1;
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
                              "pivot " + text.substr(0, 80),
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
    return Diagnostic{"No such gain", name, "", "", {}};
}

/// NAME=VALUE of one quantity.
Result<void> setTolerance(const std::string& text, const model::Model& model, RunSettings& settings)
{
    const auto located = [&text](Diagnostic diagnostic) {
        diagnostic.where = "tolerance " + text.substr(0, 80);
        return diagnostic;
    };
    const auto parts = namedSetting(text, "atol_for");
    if (!parts)
        return parts.error();
    const auto value = parseNumber(parts->second);
    if (!value)
        return located(value.error());
    const auto single = checkTolerances(model.system, {{parts->first, *value}});
    if (!single)
        return located(single.error());
    for (const auto& [name, tolerance] : *single)
        settings.options.tolerances[name] = tolerance;
    return {};
}

Result<void> applySetting(const std::string& text, const model::Model& model, PreparedRun& run)
{
    const auto parts = namedSetting(text, "set");
    if (!parts)
        return parts.error();
    const std::string& name = parts->first;
    const auto target = model::resolveName(model.system, name);
    const auto value = parseValue(parts->second, target, model.system);
    if (!value) {
        Diagnostic diagnostic = value.error();
        diagnostic.where = "set " + text.substr(0, 80);
        return diagnostic;
    }
    if (!target) {
        // A gain of the formulation is a parameter of the run, too.
        if (setGain(name, *value, model, run.settings))
            return {};
        Diagnostic diagnostic = target.error();
        diagnostic.where = "set " + text.substr(0, 80);
        return diagnostic;
    }
    (target->kind == model::TargetKind::Parameter ? run.start.parameters : run.start.values)[target->fullName] = *value;
    return {};
}

/// The file's values with those that are set in their places.
std::vector<double> parametersOf(const model::Model& model, const StartSettings& start)
{
    return model::parameterValues(model.system, start.parameters);
}

/// Where the file of a model states an id in its table [run], or in the pair for the command; unknown where it does not.
SourcePosition statedAt(const model::Model& model, const char* key, const std::string& id)
{
    const auto file = model::parseToml(model.text, model.path);
    const model::TomlEntry* const run = file ? file->find("run") : nullptr;
    const model::TomlEntry* const pair = run ? run->value.find("command") : nullptr;
    for (const model::TomlEntry* const table : {run, pair})
        if (const model::TomlEntry* const entry = table ? table->value.find(key) : nullptr; entry && entry->value.text == id)
            return entry->value.position;
    return {};
}

/// Whether there are a formulation and an integrator of these ids.
Result<void> checkMethods(const std::string& form, const std::string& method, const RunRequest& options,
                          const model::Model& model)
{
    if (!formulation::findFormulation(form)) {
        Diagnostic unknown = formulation::requireFormulation(form).error(); // with the nearest name
        if (!options.formulation)
            unknown.position = statedAt(model, "formulation", form);
        return unknown;
    }
    if (!integrate::findIntegrator(method)) {
        Diagnostic unknown = integrate::makeIntegrator(method).error();
        if (!options.integrator)
            unknown.position = statedAt(model, "integrator", method);
        return unknown;
    }
    return {};
}

Result<void> chooseMethods(const RunRequest& options, const model::Model& model, PreparedRun& run)
{
    const model::RunDefaults& defaults = model.run;
    run.settings = settingsOf(defaults, options);
    if (takesCommandPair(defaults, options)) // what it stands in for has to be there, too
        if (auto known = checkMethods(defaults.formulation, defaults.integrator, options, model); !known)
            return known;
    if (auto known = checkMethods(run.settings.formulation, run.settings.integrator, options, model); !known)
        return known;
    const auto* method = integrate::findIntegrator(run.settings.integrator);

    const integrate::IntegratorOptions& numbers = run.settings.options;
    run.end = options.end.value_or(defaults.end);
    if (!method->adaptive && !(numbers.step > 0))
        return Diagnostic{.what = "The step must be above zero",
                          .where = "step",
                          .why = method->id + " takes fixed steps",
                          .remedy = "a step such as 0.01",
                          .position = {}};
    if (auto possible = checkTime(run.end, "end"); !possible)
        return possible;
    if (auto possible = checkSteps(*method, numbers, run.end, "step"); !possible)
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

bool takesGain(const std::string& name, const model::Model& model, const RunSettings& settings)
{
    RunSettings tried = settings;
    return setGain(name, 0, model, tried).ok();
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
    RunRequest pair = options;
    pair.byCommand = options.byCommand && std::ranges::all_of(options.set, [&](const std::string& text) {
                         return model::resolveName(model.system, std::string_view(text).substr(0, text.find('=')))
                             .ok(); // else a gain of the form
                     });
    if (auto chosen = chooseMethods(pair, model, run); !chosen)
        return chosen.error();
    run.start.allowInconsistent = options.allowInconsistent;
    for (const std::string& text : options.choices) {
        const auto parts = namedSetting(text, "options");
        if (!parts)
            return parts.error();
        run.settings.choices[parts->first] = parts->second;
    }
    for (const std::string& text : options.set)
        if (auto set = applySetting(text, model, run); !set)
            return set.error();
    if (auto bad = model::checkParameters(model, parametersOf(model, run.start)))
        return *std::move(bad);
    for (const std::string& text : options.gains) {
        const auto parts = namedSetting(text, "gains");
        const auto value = parts ? parseNumber(parts->second) : Result<double>{parts.error()};
        if (!value)
            return value.error();
        if (auto set = setGain(parts->first, *value, model, run.settings); !set)
            return Diagnostic{"There is no gain '" + parts->first.substr(0, 60) + "'",
                              "formulation " + run.settings.formulation,
                              "",
                              "driftless equations shows the gains of a formulation",
                              {}};
    }
    for (const std::string& text : options.tolerances)
        if (auto set = setTolerance(text, model, run.settings); !set)
            return set.error();
    run.start.massMetric = options.massMetric.value_or(false);
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
