#include "app/RunOptions.h"

#include <iostream>
#include <map>
#include <set>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/Output.h"
#include "core/run/OutputsAtTimes.h"
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
    std::set<std::string> stated;
    for (std::size_t i = 2; i < parts.size(); ++i) {
        const auto equals = std::min(parts[i].find('='), parts[i].size());
        const std::string text = equals < parts[i].size() ? parts[i].substr(equals + 1) : std::string();
        if (!stated.insert(parts[i].substr(0, equals)).second)
            return Diagnostic{.what = '"' + parts[i].substr(0, std::min<std::size_t>(equals, 40)) + "\" is stated twice",
                              .where = "--run " + spec.substr(0, 80),
                              .remedy = "one of the two values"};
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
    case run::SettingKind::NumbersByName:
    case run::SettingKind::WordsByName:
        command.add_option(name, options.*(key.list), description)
            ->allow_extra_args(false)
            ->type_name(key.kind == run::SettingKind::NumbersByName ? "NAME=VALUE" : "NAME=CHOICE");
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

void noteUnused(const RunOptions& options, const PreparedRun& prepared)
{
    if (const auto* method = integrate::findIntegrator(prepared.settings.integrator))
        for (const run::UnusedSetting& unused : run::unusedSettings(options, *method))
            std::cerr << "driftless: note: " << printable(unused.sentence) << '\n';
    for (const std::vector<std::string>* list : {&options.set, &options.tolerances, &options.choices}) {
        std::map<std::string, int> times;
        for (const std::string& text : *list)
            if (++times[text.substr(0, text.find('='))] == 2)
                std::cerr << "driftless: note: " << printable(text.substr(0, text.find('=')))
                          << " is set twice; the last value counts\n";
    }
}

std::vector<double> parametersOf(const PreparedRun& prepared) { return run::parametersOf(*prepared.system, prepared.start); }

} // namespace driftless::app
