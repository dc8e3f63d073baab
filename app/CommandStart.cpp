// driftless start: the initial-condition doctor without a window.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cmath>
#include <memory>

#include "app/Commands.h"
#include "app/Output.h"
#include "app/RunOptions.h"
#include "core/base/DiagnosticJson.h"
#include "core/consistency/Doctor.h"
#include "core/run/Run.h"
#include "core/run/RunJson.h"
#include "core/run/ValueDoctor.h"
#include "core/system/DependentRows.h"

namespace driftless::app {

namespace {

using nlohmann::ordered_json;

struct StartOptions {
    RunOptions run;
    std::string metric = "identity";
    std::string independent;
};

ordered_json valuesJson(const std::vector<consistency::StartValue>& values)
{
    ordered_json out = ordered_json::array();
    for (const auto& v : values)
        out.push_back({{"name", v.name},
                       {"unit", v.unit},
                       {"fixed", v.fixed},
                       {"before", finiteJson(v.before)},
                       {"after", finiteJson(v.after)}});
    return out;
}

ordered_json levelJson(const consistency::LevelResidual& level)
{
    return {{"before", finiteJson(level.before)}, {"after", finiteJson(level.after)}};
}

std::vector<std::string> namesOf(const model::ConstrainedSystem& system, const std::vector<int>& coordinates)
{
    std::vector<std::string> out;
    for (const int i : coordinates) {
        out.push_back(system.coordinates[static_cast<std::size_t>(i)].name);
        out.push_back(system.coordinates[static_cast<std::size_t>(i)].velocity.name);
    }
    return out;
}

/// The names of --independent in full.
Result<std::vector<std::string>> fixedNames(const model::ConstrainedSystem& system, const std::string& list)
{
    std::vector<std::string> out;
    for (std::size_t begin = 0; begin <= list.size();) {
        const auto comma = std::min(list.find(',', begin), list.size());
        const auto target = model::resolveName(system, std::string_view(list).substr(begin, comma - begin));
        if (!target)
            return target.error();
        out.push_back(target->fullName);
        begin = comma + 1;
    }
    return out;
}

ordered_json redundantJson(const model::ConstrainedSystem& system, const consistency::Diagnosis& found)
{
    ordered_json out = ordered_json::array();
    for (const model::Dependent& d : system.dependent)
        out.push_back(
            {{"constraint", d.constraint.name}, {"depends_on", d.follows}, {"set_aside", true}, {"text", model::sentence(d)}});
    for (const auto& r : found.redundant) {
        ordered_json depends = ordered_json::array();
        for (const int i : r.dependsOn)
            depends.push_back(system.constraints[static_cast<std::size_t>(i)].name);
        out.push_back({{"constraint", system.constraints[static_cast<std::size_t>(r.constraint)].name},
                       {"depends_on", depends},
                       {"text", r.text}});
    }
    return out;
}

/// Of a text of equations: values in place of positions, velocities and forces.
int showValues(const StartOptions& options, const run::PreparedRun& prepared, const std::vector<double>& parameters)
{
    const model::ConstrainedSystem& system = prepared.system->system();
    run::StartSettings start = prepared.start;
    const auto namesOfValues = [&system](const std::vector<int>& places) {
        std::vector<std::string> out;
        for (const int i : places)
            out.push_back(system.values[static_cast<std::size_t>(i)].name);
        return out;
    };
    if (options.independent == "auto") {
        start.fixed = namesOfValues(run::diagnoseValues(prepared.system, parameters, start).independent);
    } else if (!options.independent.empty()) {
        auto names = fixedNames(system, options.independent);
        if (!names)
            return complain(names.error());
        start.fixed = std::move(*names);
    }
    const consistency::Diagnosis found = run::diagnoseValues(prepared.system, parameters, start);
    ordered_json out{{"model", prepared.system->model().name},
                     {"consistent", !found.conflict.has_value()},
                     {"freedom", {{"values", found.positionFreedom}}},
                     {"independent", namesOfValues(found.independent)},
                     {"kappa", finiteJson(found.kappa)},
                     {"residual", {{"equations", levelJson(found.position)}}},
                     {"values", valuesJson(found.positions)},
                     {"diagnostic", ordered_json()}};
    if (found.conflict)
        out["diagnostic"] = ordered_json::parse(diagnosticJson(*found.conflict));
    if (!printJson(out))
        return kExitBadInput;
    return found.conflict ? complain(*found.conflict) : kExitDone;
}

int showStart(const StartOptions& options)
{
    auto prepared = prepareRun(options.run);
    if (!prepared)
        return complain(prepared.error());
    if (prepared->system->model().reduced)
        return showValues(options, *prepared, parametersOf(*prepared));
    const model::ConstrainedSystem& system = prepared->system->system();
    model::SystemEvaluator evaluator(prepared->system);
    const std::vector<double> parameters = parametersOf(*prepared);
    evaluator.setParameters(parameters);
    run::StartSettings start = prepared->start;
    start.massMetric = options.metric == "mass";
    if (options.independent == "auto") {
        const auto guess = run::startRequest(start, evaluator);
        if (!guess)
            return complain(guess.error());
        start.fixed = namesOf(system, consistency::diagnose(prepared->system, parameters, *guess).independent);
    } else if (!options.independent.empty()) {
        auto names = fixedNames(system, options.independent);
        if (!names)
            return complain(names.error());
        start.fixed = std::move(*names);
    }
    const auto request = run::startRequest(start, evaluator);
    if (!request)
        return complain(request.error());
    const consistency::Diagnosis found = consistency::diagnose(prepared->system, parameters, *request);
    ordered_json independent = ordered_json::array();
    for (const int i : found.independent)
        independent.push_back(system.coordinates[static_cast<std::size_t>(i)].name);
    ordered_json out{{"model", prepared->system->model().name},
                     {"consistent", !found.conflict.has_value()},
                     {"freedom", {{"positions", found.positionFreedom}, {"velocities", found.velocityFreedom}}},
                     {"independent", independent},
                     {"kappa", finiteJson(found.kappa)},
                     {"residual",
                      {{"position", levelJson(found.position)},
                       {"velocity", levelJson(found.velocity)},
                       {"acceleration", levelJson(found.acceleration)}}},
                     {"positions", valuesJson(found.positions)},
                     {"velocities", valuesJson(found.velocities)},
                     {"forces", valuesJson(found.forces)},
                     {"redundant", redundantJson(system, found)},
                     {"diagnostic", ordered_json()}};
    if (found.conflict)
        out["diagnostic"] = ordered_json::parse(diagnosticJson(*found.conflict));
    if (!printJson(out))
        return kExitBadInput;
    return found.conflict ? complain(*found.conflict) : kExitDone;
}

} // namespace

void addStartCommand(CLI::App& root, int& exitCode)
{
    auto options = std::make_shared<StartOptions>();
    auto* command = root.add_subcommand(
        "start", "The initial-condition doctor: residuals, corrections, redundant and conflicting constraints");
    addModelArgument(*command, options->run.model);
    command->add_option("--set", options->run.set, "NAME=VALUE: a parameter or an initial value, which then counts as fixed")
        ->allow_extra_args(false);
    command->add_option("--independent", options->independent, "auto, or the values that count as fixed: VAR,VAR'...");
    command->add_option("--metric", options->metric, "in which the correction is smallest: identity or mass")
        ->check(CLI::IsMember({"identity", "mass"}));
    command->add_flag("--allow-inconsistent", options->run.allowInconsistent, "Take all initial values as they stand");
    command->callback([options, &exitCode] { exitCode = showStart(*options); });
}

} // namespace driftless::app
