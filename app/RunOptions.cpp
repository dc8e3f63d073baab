#include "app/RunOptions.h"

#include <map>

#include <CLI/CLI.hpp>

#include "core/run/SettingKeys.h"
#include "core/run/TableauFile.h"

namespace driftless::app {

Result<std::string> methodOf(const std::string& text)
{
    if (!text.ends_with(".toml"))
        return text;
    return run::addTableauFile(text);
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

} // namespace

void addRunOptions(CLI::App& command, RunOptions& options)
{
    for (const run::SettingKey& key : run::settingKeys())
        if (!key.option.empty())
            addSetting(command, key, options);
    command
        .add_option("--rows", options.rows,
                    "every-step: all accepted steps are recorded; as-curves-need: those that a curve through them needs")
        ->transform(CLI::CheckedTransformer(std::map<std::string, run::Rows>{{"every-step", run::Rows::EveryStep},
                                                                             {"as-curves-need", run::Rows::AsCurvesNeed}}));
}

} // namespace driftless::app
