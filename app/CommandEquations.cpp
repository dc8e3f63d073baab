// driftless equations: the rows being integrated, in words a person or a document can read.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <iostream>
#include <memory>

#include "app/BaseMode.h"
#include "app/Commands.h"
#include "app/Output.h"
#include "app/StartedRun.h"
#include "core/base/DiagnosticJson.h"
#include "core/consistency/Consistency.h"
#include "core/equations/EquationModel.h"
#include "core/formulation/Describe.h"
#include "core/formulation/Formulation.h"
#include "core/formulation/Pivot.h"
#include "core/mechanism/Lagrangian.h"
#include "core/run/RunJson.h"

namespace driftless::app {

namespace {

using nlohmann::ordered_json;

struct EquationsOptions {
    RunOptions run;
    std::string format = "text";
    bool derivation = false;
};

/// The dummies that a run from this start begins with: pinned, or chosen at the initial position.
Result<formulation::Dummies> dummiesAtStart(const PreparedRun& run, const formulation::Dae& dae)
{
    const auto& system = run.system->system();
    model::SystemEvaluator evaluator(run.system);
    evaluator.setParameters(parametersOf(run));
    model::ModelState at;
    at.resize(system.n(), system.w());
    if (!evaluator.starts(at.q.data(), at.v.data(), at.lambda.data() + system.m()))
        return Diagnostic{.what = "The initial values cannot be evaluated", .why = evaluator.message()};
    for (int i = 0; i < system.n(); ++i)
        if (const auto set = run.start.values.find(system.coordinates[static_cast<std::size_t>(i)].name);
            set != run.start.values.end())
            at.q[static_cast<std::size_t>(i)] = set->second;
    consistency::ConsistencySolver solver(run.system);
    solver.setParameters(parametersOf(run));
    double change = 0;
    solver.projectPosition(0, at.q.data(), consistency::Metric::Identity,
                           change); // best effort: only the selection depends on it
    std::vector<double> W(run.system->jacobianPlaces().size()), G(run.system->positionJacobianPlaces().size()),
        M(run.system->massPlaces().size());
    if (!evaluator.jacobian(0, at.q.data(), W.data()) || !evaluator.positionJacobian(0, at.q.data(), G.data())
        || !evaluator.mass(0, at.q.data(), M.data()))
        return Diagnostic{.what = "The constraints cannot be evaluated at the start", .why = evaluator.message()};
    formulation::PivotChooser velocities(system.n(), system.m()), positions(system.n(), system.holonomic());
    velocities.load(run.system->jacobianPlaces(), W);
    if (dae.pivot->throughMass)
        velocities.throughMass(run.system->massPlaces(), M);
    positions.load(run.system->positionJacobianPlaces(), G);
    formulation::Dummies dummies{positions.choose(), velocities.choose()};
    if (run.settings.pivot.automatic)
        return dummies;
    dummies = {};
    for (const auto& name : run.settings.pivot.dummies) {
        const auto target = model::resolveName(system, name);
        if (!target)
            return target.error();
        (target->kind == model::TargetKind::Velocity ? dummies.velocities : dummies.positions).push_back(target->index);
    }
    if (dummies.velocities.empty())
        dummies.velocities = dummies.positions;
    if (static_cast<int>(dummies.velocities.size()) != system.m()
        || static_cast<int>(dummies.positions.size()) != system.holonomic())
        return Diagnostic{.what = "--pivot names " + std::to_string(run.settings.pivot.dummies.size()) + " variables",
                          .why = "the model has " + std::to_string(system.m()) + " constraints, and each makes one dummy"};
    return dummies;
}

ordered_json rowsJson(const formulation::Dae& dae, const formulation::Dummies& dummies, expr::Format format)
{
    ordered_json rows = ordered_json::array();
    for (const auto& row : formulation::describeRows(dae, dummies, format))
        rows.push_back({{"equation", row.equation},
                        {"provenance", formulation::provenanceName(row.provenance)},
                        {"name", row.name},
                        {"origin", row.origin},
                        {"note", row.note}});
    return rows;
}

expr::Format formatOf(const std::string& name)
{
    if (name == "latex")
        return expr::Format::Latex;
    return name == "html" ? expr::Format::Html : expr::Format::Text;
}

/// How the equations of motion follow from the energies.
int showDerivation(const EquationsOptions& options)
{
    if (model::namesEquationModel(options.run.model))
        return complain({.what = "A text of equations has no energies to derive from",
                         .where = options.run.model,
                         .why = "--derivation is for mechanisms",
                         .remedy = "equations without --derivation"});
    std::vector<std::string> rest = options.run.set;
    const auto model = run::openWith(options.run.model, rest);
    if (!model)
        return complain(model.error());
    if (const auto known = run::startWith(**model, rest); !known)
        return complain(known.error());
    const model::ConstrainedSystem& system = (*model)->system;
    const auto derived = model::deriveLagrangian(system);
    if (!derived)
        return complain(derived.error());
    const model::SkewCheck skew = model::checkSkewSymmetry(*derived, system.parameters);
    ordered_json sections = ordered_json::array();
    for (const auto& section : model::describeDerivation(system, *derived, skew, formatOf(options.format))) {
        ordered_json lines = ordered_json::array();
        for (const auto& line : section.lines)
            lines.push_back({{"left", line.left}, {"right", line.right}});
        sections.push_back(
            {{"title", section.title}, {"source", section.source}, {"lines", std::move(lines)}, {"note", section.note}});
    }
    ordered_json out{{"model", (*model)->name},
                     {"format", options.format},
                     {"coordinates", derived->names},
                     {"stated", system.lagrangian.has_value()},
                     {"skew_symmetric", {{"symbolic", skew.symbolic}, {"points", skew.points}, {"largest", skew.largest}}},
                     {"sections", std::move(sections)}};
    addBaseMode(system, out);
    return printJson(out) ? kExitDone : kExitBadInput;
}

/// What is told of a model whose run does not begin: no mode is known then.
Result<run::EquationsInForce> equationsOfBase(const PreparedRun& run, const formulation::Formulation& formulation)
{
    auto dae = formulation.build(run.system->model(), run.settings.choices);
    if (!dae)
        return dae.error();
    formulation::Dummies dummies;
    if (dae->pivot && run.system->m() > 0) {
        const auto chosen = dummiesAtStart(run, *dae);
        if (!chosen)
            return chosen.error();
        dummies = *chosen;
    }
    if (dae->links)
        dummies.values = dae->links->dummies;
    const auto compiled = formulation::CompiledDae::compile(std::move(*dae), run.system);
    if (!compiled)
        return compiled.error();
    return run::EquationsInForce{.dae = *compiled, .dummies = dummies};
}

ordered_json unknownsJson(const formulation::Dae& dae, expr::Format format)
{
    ordered_json out = ordered_json::array();
    for (const auto& unknown : dae.unknowns)
        out.push_back({{"name", unknown.name}, {"unit", unknown.unit}, {"symbol", expr::print(unknown.symbol, format)}});
    return out;
}

ordered_json dummyNames(const model::ConstrainedSystem& system, const formulation::Dummies& dummies)
{
    ordered_json names = ordered_json::array();
    for (const int i : dummies.positions)
        names.push_back(system.coordinates[static_cast<std::size_t>(i)].name);
    for (const int i : dummies.velocities)
        if (dummies.positions != dummies.velocities)
            names.push_back(system.coordinates[static_cast<std::size_t>(i)].velocity.name);
    for (const int i : dummies.values)
        names.push_back(system.values[static_cast<std::size_t>(i)].name);
    return names;
}

int showEquations(const EquationsOptions& options)
{
    if (options.derivation)
        return showDerivation(options);
    const auto prepared = prepareRun(options.run);
    if (!prepared)
        return complain(prepared.error());
    const model::Model& model = prepared->system->model();
    const auto formulation = formulation::requireFormulation(prepared->settings.formulation);
    if (!formulation)
        return complain(formulation.error());
    ordered_json out{{"model", model.name}, {"formulation", prepared->settings.formulation}, {"format", options.format}};
    if (auto checked = formulation::checkOptions((*formulation)->info(), prepared->settings.choices); !checked)
        return complain(checked.error());
    if (const auto dae = (*formulation)->build(model, prepared->settings.choices); !dae) {
        out["status"] = "refused";
        out["diagnostic"] = ordered_json::parse(diagnosticJson(dae.error()));
        printJson(out);
        return complain(dae.error());
    }
    const auto started = startedRun(options.run, *prepared);
    const bool modes = !model.system.oneSided.empty();
    if (!started && modes)
        std::cerr
            << "driftless: note: the run does not begin, so that no mode is known; these are the rows where no contact is "
               "closed, nothing rubs and no link is broken: "
            << printable(started.error().text()) << '\n';
    const auto shown = started ? Result(started->run->equationsInForce()) : equationsOfBase(*prepared, **formulation);
    if (!shown)
        return complain(shown.error());
    const formulation::Dae& dae = shown->dae->dae();
    const auto format = formatOf(options.format);
    out["mode"] = started && modes ? ordered_json(started->run->status().mode) : ordered_json();
    out["index"] = dae.differentiationIndex;
    out["unknowns"] = unknownsJson(dae, format);
    out["dummies"] = dummyNames(model.system, shown->dummies);
    out["rows"] = rowsJson(dae, shown->dummies, format);
    return printJson(out) ? kExitDone : kExitBadInput;
}

} // namespace

void addEquationsCommand(CLI::App& root, int& exitCode)
{
    auto options = std::make_shared<EquationsOptions>();
    auto* command = root.add_subcommand("equations", "The rows that a formulation integrates");
    addModelArgument(*command, options->run.model);
    command->add_option("--formulation", options->run.formulation,
                        "How the equations are written (driftless list formulations)");
    command->add_option("--format", options->format, "text, latex or html")->check(CLI::IsMember({"text", "latex", "html"}));
    command->add_flag("--derivation", options->derivation,
                      "How the equations of motion follow from T and U, instead of a formulation's rows");
    command->add_option("--option", options->run.choices, "NAME=CHOICE: an option of the formulation")->allow_extra_args(false);
    command->add_option("--pivot", options->run.pivot, "auto, or the variables whose derivatives become dummies: VAR,VAR...");
    command->add_option("--set", options->run.set, "NAME=VALUE: a parameter or an initial value")->allow_extra_args(false);
    command->callback([options, &exitCode] { exitCode = showEquations(*options); });
}

} // namespace driftless::app
