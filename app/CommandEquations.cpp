// driftless equations: the rows being integrated, in words a person or a document can read.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>

#include "app/Commands.h"
#include "app/Output.h"
#include "app/RunOptions.h"
#include "core/consistency/Consistency.h"
#include "core/formulation/Describe.h"
#include "core/formulation/Formulation.h"
#include "core/formulation/Pivot.h"
#include "core/run/RunJson.h"

namespace driftless::app {

namespace {

using nlohmann::ordered_json;

struct EquationsOptions {
    RunOptions run;
    std::string format = "text";
};

std::vector<double> parametersOf(const PreparedRun& run)
{
    std::vector<double> values = run.system->defaultParameters();
    const auto& parameters = run.system->system().parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i)
        if (const auto set = run.start.parameters.find(parameters[i].quantity.name); set != run.start.parameters.end())
            values[i] = set->second;
    return values;
}

/// The dummies that a run from this start begins with: pinned, or chosen at the initial position.
Result<std::vector<int>> dummiesAtStart(const PreparedRun& run)
{
    const auto& system = run.system->system();
    std::vector<int> dummies;
    if (!run.settings.pivot.automatic) {
        for (const auto& name : run.settings.pivot.dummies)
            for (int i = 0; i < system.n(); ++i)
                if (system.coordinates[static_cast<std::size_t>(i)].name == name)
                    dummies.push_back(i);
        if (static_cast<int>(dummies.size()) != system.m())
            return Diagnostic{"--pivot names " + std::to_string(dummies.size()) + " variables", "",
                              "the model has " + std::to_string(system.m()) + " constraints, and each makes one dummy", "", {}};
        return dummies;
    }
    model::SystemEvaluator evaluator(run.system);
    evaluator.setParameters(parametersOf(run));
    std::vector<double> q(static_cast<std::size_t>(system.n())), v(q);
    std::vector<double> jacobian(run.system->jacobianPlaces().size());
    if (!evaluator.starts(q.data(), v.data()))
        return Diagnostic{"the initial values cannot be evaluated", "", evaluator.message(), "", {}};
    for (int i = 0; i < system.n(); ++i)
        if (const auto set = run.start.values.find(system.coordinates[static_cast<std::size_t>(i)].name); set != run.start.values.end())
            q[static_cast<std::size_t>(i)] = set->second;
    consistency::ConsistencySolver solver(run.system);
    solver.setParameters(parametersOf(run));
    double change = 0;
    solver.projectPosition(0, q.data(), consistency::Metric::Identity, change); // best effort: only the selection depends on it
    if (!evaluator.jacobian(0, q.data(), jacobian.data()))
        return Diagnostic{"the constraints cannot be evaluated at the start", "", evaluator.message(), "", {}};
    formulation::PivotChooser chooser(system.n(), system.m());
    chooser.load(run.system->jacobianPlaces(), jacobian);
    return chooser.choose();
}

ordered_json rowsJson(const formulation::Dae& dae, std::span<const int> dummies, expr::Format format)
{
    ordered_json rows = ordered_json::array();
    for (const auto& row : formulation::describeRows(dae, dummies, format))
        rows.push_back({{"equation", row.equation}, {"provenance", formulation::provenanceName(row.provenance)},
                        {"name", row.name}, {"origin", row.origin}, {"note", row.note}});
    return rows;
}

int showEquations(const EquationsOptions& options)
{
    const auto run = prepareRun(options.run);
    if (!run)
        return complain(run.error());
    const model::Model& model = run->system->model();
    const auto formulation = formulation::requireFormulation(run->settings.formulation);
    if (!formulation)
        return complain(formulation.error());
    ordered_json out{{"model", model.name}, {"formulation", run->settings.formulation}, {"format", options.format}};
    const auto dae = (*formulation)->build(model);
    if (!dae) {
        out["status"] = "refused";
        out["diagnostic"] = ordered_json::parse(run::diagnosticJson(dae.error()));
        printJson(out);
        return complain(dae.error());
    }
    std::vector<int> dummies;
    if (dae->pivot && model.system.m() > 0) {
        const auto chosen = dummiesAtStart(*run);
        if (!chosen)
            return complain(chosen.error());
        dummies = *chosen;
    }
    const auto format = options.format == "latex" ? expr::Format::Latex
        : options.format == "html"                ? expr::Format::Html
                                                  : expr::Format::Text;
    out["index"] = dae->index;
    ordered_json unknowns = ordered_json::array();
    for (const auto& unknown : dae->unknowns)
        unknowns.push_back({{"name", unknown.name}, {"unit", unknown.unit}, {"symbol", expr::print(unknown.symbol, format)}});
    out["unknowns"] = std::move(unknowns);
    ordered_json names = ordered_json::array();
    for (const int i : dummies)
        names.push_back(model.system.coordinates[static_cast<std::size_t>(i)].name);
    out["dummies"] = std::move(names);
    out["rows"] = rowsJson(*dae, dummies, format);
    return printJson(out) ? kExitDone : kExitBadInput;
}

} // namespace

void addEquationsCommand(CLI::App& root, int& exitCode)
{
    auto options = std::make_shared<EquationsOptions>();
    auto* command = root.add_subcommand("equations", "The rows that a formulation integrates");
    addModelArgument(*command, options->run.model);
    command->add_option("--formulation", options->run.formulation, "How the equations are written (driftless list formulations)");
    command->add_option("--format", options->format, "text, latex or html")->check(CLI::IsMember({"text", "latex", "html"}));
    command->add_option("--pivot", options->run.pivot, "auto, or the variables whose derivatives become dummies: VAR,VAR...");
    command->add_option("--set", options->run.set, "NAME=VALUE: a parameter or an initial value")->allow_extra_args(false);
    command->callback([options, &exitCode] { exitCode = showEquations(*options); });
}

} // namespace driftless::app
