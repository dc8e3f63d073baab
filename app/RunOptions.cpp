#include "app/RunOptions.h"

#include <map>

#include <CLI/CLI.hpp>

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

void addRunOptions(CLI::App& command, RunOptions& options)
{
    command.add_option("--formulation", options.formulation, "How the equations are written (driftless list formulations)");
    command
        .add_option_function<std::string>(
            "--integrator",
            [&options](const std::string& text) {
                const auto id = methodOf(text);
                if (!id)
                    throw CLI::ValidationError("--integrator", id.error().text());
                options.integrator = *id;
            },
            "How they are integrated (driftless list integrators), or the TOML file of a Runge-Kutta tableau of your own")
        ->type_name("TEXT");
    addNumberOption(command, "--step", options.step, "Step [s]; the first one for methods that choose their own");
    addNumberOption(command, "--rtol", options.relativeTolerance, "Relative tolerance");
    addNumberOption(command, "--atol", options.absoluteTolerance, "Absolute tolerance");
    command.add_option("--atol-for", options.tolerances, "NAME=VALUE: the absolute tolerance of one quantity, in its unit")
        ->allow_extra_args(false)
        ->type_name("NAME=VALUE");
    addNumberOption(command, "--atol-multipliers", options.multiplierTolerance, "Absolute tolerance of multipliers");
    addNumberOption(command, "--method-parameter", options.methodParameter,
                    "Parameter of a one-parameter family of methods (driftless list integrators --json)");
    addNumberOption(command, "--end", options.end, "End of the run [s]");
    command.add_option("--set", options.set, "NAME=VALUE: a parameter or an initial value, which then counts as fixed")
        ->allow_extra_args(false)
        ->type_name("NAME=VALUE");
    command
        .add_option("--option", options.choices,
                    "NAME=CHOICE: an option of the formulation (driftless list formulations --json)")
        ->allow_extra_args(false)
        ->type_name("NAME=CHOICE");
    command
        .add_option("--rows", options.rows,
                    "every-step: all accepted steps are recorded; as-curves-need: those that a curve through them needs")
        ->transform(CLI::CheckedTransformer(std::map<std::string, run::Rows>{{"every-step", run::Rows::EveryStep},
                                                                             {"as-curves-need", run::Rows::AsCurvesNeed}}));
    command.add_option("--pivot", options.pivot, "auto, or the variables whose derivatives become dummies: VAR,VAR...");
    command.add_flag("--allow-inconsistent", options.allowInconsistent, "Take all initial values as they stand");
}

} // namespace driftless::app
