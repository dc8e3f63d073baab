// driftless analyze: what the structure of a model's equations says before anything is integrated.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <memory>

#include "app/BaseMode.h"
#include "app/Commands.h"
#include "app/Output.h"
#include "app/RunOptions.h"
#include "core/base/DiagnosticJson.h"
#include "core/consistency/Doctor.h"
#include "core/reduction/EquationAnalysis.h"
#include "core/run/Run.h"
#include "core/run/RunRequest.h"
#include "core/system/DependentRows.h"
#include "core/system/EquationSystem.h"
#include "core/system/Model.h"
#include "core/system/ParameterValues.h"

namespace driftless::app {

namespace {

struct AnalyzeOptions {
    std::string model;
    std::vector<std::string> set;
    bool report = false;
};

/// Rows set aside when the model was read, and what the structure cannot see: constraints that follow from others at the start.
void addRedundancy(const std::shared_ptr<const model::Model>& mechanism, const run::StartSettings& start,
                   nlohmann::ordered_json& out)
{
    const model::ConstrainedSystem& system = mechanism->system;
    out["redundant"] = nlohmann::ordered_json::array();
    for (const model::Dependent& d : system.dependent)
        out["redundant"].push_back(
            {{"constraint", d.constraint.name}, {"depends_on", d.follows}, {"set_aside", true}, {"text", model::sentence(d)}});
    constexpr int kExplained = 400; // coordinates: the ranks are decided densely
    if (system.n() > kExplained)
        return;
    const auto compiled = model::CompiledSystem::compile(mechanism);
    if (!compiled)
        return;
    model::SystemEvaluator evaluator(*compiled);
    const auto parameters = model::parameterValues((*compiled)->system(), start.parameters);
    evaluator.setParameters(parameters);
    const auto request = run::startRequest(start, evaluator);
    if (!request)
        return;
    const consistency::Diagnosis found = consistency::diagnose(*compiled, parameters, *request);
    out["degrees_of_freedom"] = found.velocityFreedom; // by rank, as `start` counts them
    std::string text;
    for (const auto& r : found.redundant) {
        nlohmann::ordered_json depends = nlohmann::ordered_json::array();
        for (const int i : r.dependsOn)
            depends.push_back(system.constraints[static_cast<std::size_t>(i)].name);
        out["redundant"].push_back({{"constraint", system.constraints[static_cast<std::size_t>(r.constraint)].name},
                                    {"depends_on", depends},
                                    {"set_aside", false},
                                    {"text", r.text}});
        text += (text.empty() ? "" : "; ") + r.text;
    }
    if (found.redundant.empty() || !out["diagnostic"].is_null())
        return;
    const Diagnostic diagnostic{
        .what = "Constraints are redundant",
        .where = "start of " + mechanism->name,
        .why = text + ". The structure counts them all; degrees of freedom that remain: "
               + std::to_string(found.velocityFreedom) + ". The multipliers of the rows named are not determined one by one",
        .remedy = "augmented-lagrangian or penalty, which carry redundant constraints, or another joint"};
    out["diagnostic"] = nlohmann::ordered_json::parse(diagnosticJson(diagnostic));
}

/// Every name must be one of the system's.
Result<void> checkNames(const reduction::Values& set, const model::EquationSystem& system)
{
    for (const auto& [name, value] : set) {
        const auto is = [&name = name](const auto& x) { return x.quantity.name == name; };
        if (std::none_of(system.parameters.begin(), system.parameters.end(), is)
            && std::none_of(system.unknowns.begin(), system.unknowns.end(), is))
            return Diagnostic{.what = "There is no parameter or unknown '" + name.substr(0, 80) + "'",
                              .where = "--set",
                              .remedy = "the name of a parameter or of an unknown"};
    }
    return {};
}

int analyze(const AnalyzeOptions& options)
{
    for (const std::string& text : options.set)
        if (const auto one = run::numbersOf({text});
            one.size() != 1 || one.begin()->first.empty() || text.find('=') == std::string::npos)
            return complain({.what = "--set needs NAME=VALUE", .where = text.substr(0, 80), .remedy = "--set L=2"});
    reduction::Values set = run::numbersOf(options.set);
    std::shared_ptr<const model::Model> mechanism;
    run::StartSettings start;
    model::EquationSystem system;
    std::string name;
    if (model::namesEquationModel(options.model)) {
        const auto model = model::openEquationModel(options.model);
        if (!model)
            return complain(model.error());
        system = (*model)->system;
        name = (*model)->name;
        if (const auto known = checkNames(set, system); !known)
            return complain(known.error());
    } else {
        std::vector<std::string> rest = options.set;
        const auto model = run::openWith(options.model, rest);
        if (!model)
            return complain(model.error());
        auto values = run::startWith(**model, rest);
        if (!values)
            return complain(values.error());
        start = *std::move(values);
        set = start.parameters;
        set.insert(start.values.begin(), start.values.end());
        mechanism = *model;
        system = reduction::equationsOf((*model)->system);
        name = (*model)->name;
    }
    const bool told = mechanism && !mechanism->unitWarnings.empty(); // in the words of the file
    for (const Diagnostic& warning : told ? mechanism->unitWarnings : model::unitWarnings(system))
        std::cerr << "driftless: note: " << warning.text() << '\n';
    const reduction::EquationAnalysis analysis = reduction::analyseEquations(system, set);
    if (options.report)
        std::cerr << structure::describe(analysis.signature, analysis.structure, analysis.names);
    auto out = nlohmann::ordered_json::parse(reduction::analysisJson(analysis, name));
    if (mechanism) {
        addRedundancy(mechanism, start, out);
        addBaseMode(mechanism->system, out);
    }
    return printJson(out) ? kExitDone : kExitBadInput;
}

} // namespace

void addAnalyzeCommand(CLI::App& root, int& exitCode)
{
    auto options = std::make_shared<AnalyzeOptions>();
    auto* command = root.add_subcommand("analyze", "Structural analysis: index, degrees of freedom, blocks, dummy derivatives");
    addModelArgument(*command, options->model);
    command
        ->add_option(
            "--set", options->set,
            "NAME=VALUE: a parameter or a start value near which ranks are judged, or a number of the table [structure]")
        ->allow_extra_args(false);
    command->add_flag("--report", options->report, "Also print the stages in words on standard error");
    command->callback([options, &exitCode] { exitCode = analyze(*options); });
}

} // namespace driftless::app
