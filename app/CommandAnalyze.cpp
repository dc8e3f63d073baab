// driftless analyze: what the structure of a model's equations says before anything is integrated.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <iostream>
#include <memory>

#include "app/Commands.h"
#include "app/Output.h"
#include "app/RunOptions.h"
#include "core/base/DiagnosticJson.h"
#include "core/consistency/Doctor.h"
#include "core/model/Model.h"
#include "core/reduction/EquationAnalysis.h"
#include "core/run/Run.h"

namespace driftless::app {

namespace {

struct AnalyzeOptions {
    std::string model;
    bool report = false;
};

/// What the structure cannot see: constraints of a mechanism that follow from others at its start. The structure counts each of them.
void addRedundancy(const std::shared_ptr<const model::Model>& mechanism, nlohmann::ordered_json& out)
{
    constexpr int kExplained = 400; // coordinates: the ranks are decided densely
    if (mechanism->system.n() > kExplained)
        return;
    const auto compiled = model::CompiledSystem::compile(mechanism);
    if (!compiled)
        return;
    model::SystemEvaluator evaluator(*compiled);
    const auto parameters = (*compiled)->defaultParameters();
    evaluator.setParameters(parameters);
    const auto request = run::startRequest({}, evaluator);
    if (!request)
        return;
    const consistency::Diagnosis found = consistency::diagnose(*compiled, parameters, *request);
    out["redundant"] = nlohmann::ordered_json::array();
    std::string text;
    for (const auto& r : found.redundant) {
        nlohmann::ordered_json depends = nlohmann::ordered_json::array();
        for (const int i : r.dependsOn)
            depends.push_back(mechanism->system.constraints[static_cast<std::size_t>(i)].name);
        out["redundant"].push_back(
            {{"constraint", mechanism->system.constraints[static_cast<std::size_t>(r.constraint)].name}, {"depends_on", depends}, {"text", r.text}});
        text += (text.empty() ? "" : "; ") + r.text;
    }
    if (found.redundant.empty() || !out["diagnostic"].is_null())
        return;
    const Diagnostic diagnostic{"Constraints are redundant", "start of " + mechanism->name,
                                text + ". The structure counts them all; in truth " + std::to_string(found.velocityFreedom)
                                    + " degrees of freedom remain, and the multipliers of the rows named are not determined one by one",
                                "augmented-lagrangian or penalty, which carry redundant constraints, or another joint", {}};
    out["diagnostic"] = nlohmann::ordered_json::parse(diagnosticJson(diagnostic));
}

int analyze(const AnalyzeOptions& options)
{
    std::shared_ptr<const model::Model> mechanism;
    model::EquationSystem system;
    std::string name;
    if (model::namesEquationModel(options.model)) {
        const auto model = model::openEquationModel(options.model);
        if (!model)
            return complain(model.error());
        system = (*model)->system;
        name = (*model)->name;
    } else {
        const auto model = model::openModel(options.model);
        if (!model)
            return complain(model.error());
        mechanism = *model;
        system = reduction::equationsOf((*model)->system);
        name = (*model)->name;
    }
    for (const Diagnostic& warning : model::unitWarnings(system))
        std::cerr << "driftless: note: " << warning.text() << '\n';
    const reduction::EquationAnalysis analysis = reduction::analyseEquations(system);
    if (options.report)
        std::cerr << structure::describe(analysis.signature, analysis.structure, analysis.names);
    auto out = nlohmann::ordered_json::parse(reduction::analysisJson(analysis, name));
    if (mechanism)
        addRedundancy(mechanism, out);
    return printJson(out) ? kExitDone : kExitBadInput;
}

} // namespace

void addAnalyzeCommand(CLI::App& root, int& exitCode)
{
    auto options = std::make_shared<AnalyzeOptions>();
    auto* command = root.add_subcommand("analyze", "Structural analysis: index, degrees of freedom, blocks, dummy derivatives");
    addModelArgument(*command, options->model);
    command->add_flag("--report", options->report, "Also print the stages in words on standard error");
    command->callback([options, &exitCode] { exitCode = analyze(*options); });
}

} // namespace driftless::app
