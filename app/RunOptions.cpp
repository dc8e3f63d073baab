#include "app/RunOptions.h"

#include <map>

#include <CLI/CLI.hpp>

#include "core/run/SettingKeys.h"
#include "core/run/TableauFile.h"
#include "core/text/Names.h"

namespace driftless::app {

Result<std::string> methodOf(const std::string& text)
{
    if (!text.ends_with(".toml"))
        return text;
    return run::addTableauFile(text);
}

Result<RunOptions> parseRunSpec(const std::string& spec, const RunOptions& shared)
{
    std::vector<std::string> parts(1);
    for (const char c : spec) {
        if (c == ':')
            parts.emplace_back();
        else
            parts.back() += c;
    }
    if (parts.size() < 2 || parts[0].empty() || parts[1].empty())
        return Diagnostic{.what = "'" + spec.substr(0, 80) + "' is no run",
                          .where = "--run",
                          .remedy = "FORMULATION:INTEGRATOR, for example index-1:rk4:step=0.2"};
    RunOptions options = shared;
    options.formulation = parts[0];
    const auto method = methodOf(parts[1]);
    if (!method)
        return method.error();
    options.integrator = *method;
    options.relativeTolerance.reset();
    options.absoluteTolerance.reset();
    for (std::size_t i = 2; i < parts.size(); ++i) {
        const auto equals = std::min(parts[i].find('='), parts[i].size());
        const std::string text = equals < parts[i].size() ? parts[i].substr(equals + 1) : std::string();
        if (auto applied = run::setFromText(parts[i].substr(0, equals), text, options); !applied) {
            Diagnostic refusal = applied.error();
            refusal.where = "--run " + spec.substr(0, 80) + (refusal.where.empty() ? "" : ", " + refusal.where);
            return refusal;
        }
    }
    if (options.relativeTolerance && !options.absoluteTolerance)
        options.absoluteTolerance = 0; // by nominal values, whatever the model states
    return options;
}

void addNumberOption(CLI::App& command, const std::string& name, std::optional<double>& target, const std::string& description)
{
    command
        .add_option_function<std::string>(
            name,
            [&target, name](const std::string& text) {
                const auto value = parseNumber(text);
                if (!value)
                    throw CLI::ValidationError(name, value.error().text());
                target = *value;
            },
            description)
        ->type_name("NUMBER");
}

void addModelArgument(CLI::App& command, std::string& model, bool required)
{
    command.add_option("MODEL", model, "Path of a model file, or the name of a shipped model")->required(required);
}

namespace {

void addIntegratorOption(CLI::App& command, const std::string& name, std::optional<std::string>& target,
                         const std::string& description)
{
    command
        .add_option_function<std::string>(
            name,
            [&target, name](const std::string& text) {
                const auto id = methodOf(text);
                if (!id)
                    throw CLI::ValidationError(name, id.error().text());
                target = *id;
            },
            description)
        ->type_name("TEXT");
}

void addSetting(CLI::App& command, const run::SettingKey& key, RunOptions& options)
{
    const std::string name(key.option), description(key.meaning);
    switch (key.kind) {
    case run::SettingKind::Integrator:
        addIntegratorOption(command, name, options.*(key.text), description);
        break;
    case run::SettingKind::Number:
    case run::SettingKind::NominalNumber:
        addNumberOption(command, name, options.*(key.number), description);
        break;
    case run::SettingKind::NamedNumbers:
    case run::SettingKind::NamedWords:
        command.add_option(name, options.*(key.list), description)
            ->allow_extra_args(false)
            ->type_name(key.kind == run::SettingKind::NamedNumbers ? "NAME=VALUE" : "NAME=CHOICE");
        break;
    case run::SettingKind::Flag:
        command.add_flag(name, options.*(key.flag), description);
        break;
    default:
        command.add_option(name, options.*(key.text), description);
        break;
    }
}

run::Rows rowsOf(const std::string& text)
{
    const std::string known[] = {"every-step", "as-curves-need"};
    if (text == known[0])
        return run::Rows::EveryStep;
    if (text == known[1])
        return run::Rows::AsCurvesNeed;
    const std::string meant = text::nearestName(text, known);
    throw CLI::ValidationError("--rows",
                               "'" + text.substr(0, 80) + "' is no choice of rows; "
                                   + (meant.empty() ? "they are every-step or as-curves-need" : "did you mean " + meant + "?"));
}

} // namespace

void addRunOptions(CLI::App& command, RunOptions& options)
{
    for (const run::SettingKey& key : run::settingKeys())
        if (!key.option.empty())
            addSetting(command, key, options);
    command
        .add_option_function<std::string>(
            "--rows", [&options](const std::string& text) { options.rows = rowsOf(text); },
            "every-step: all accepted steps are recorded; as-curves-need: those that a curve through them needs")
        ->type_name("TEXT");
}

std::vector<double> parametersOf(const PreparedRun& prepared)
{
    std::vector<double> values = prepared.system->defaultParameters();
    const auto& known = prepared.system->system().parameters;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (const auto set = prepared.start.parameters.find(known[i].quantity.name); set != prepared.start.parameters.end())
            values[i] = set->second;
    return values;
}

} // namespace driftless::app
