// driftless analyze: what the structure of a model's equations says before anything is integrated.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <iostream>
#include <memory>

#include "app/Commands.h"
#include "app/Output.h"
#include "app/RunOptions.h"
#include "core/model/Model.h"
#include "core/reduction/EquationAnalysis.h"

namespace driftless::app {

namespace {

struct AnalyzeOptions {
    std::string model;
    bool report = false;
};

int analyze(const AnalyzeOptions& options)
{
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
        system = reduction::equationsOf((*model)->system);
        name = (*model)->name;
    }
    for (const Diagnostic& warning : model::unitWarnings(system))
        std::cerr << "driftless: note: " << warning.text() << '\n';
    const reduction::EquationAnalysis analysis = reduction::analyseEquations(system);
    if (options.report)
        std::cerr << structure::describe(analysis.signature, analysis.structure, analysis.names);
    return printJson(nlohmann::ordered_json::parse(reduction::analysisJson(analysis, name))) ? kExitDone : kExitBadInput;
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
