// driftless export: a model and one of its formulations in another language.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <iostream>
#include <memory>

#include "app/Commands.h"
#include "app/LatexSheet.h"
#include "app/Output.h"
#include "app/StartedRun.h"
#include "core/text/Escapes.h"
#include "core/text/WholeFile.h"

namespace driftless::app {

namespace {

using nlohmann::ordered_json;

struct ExportOptions {
    RunOptions run;
    std::string as = "latex";
    std::string out;
    bool fragment = false;
};

/// Where the points of the scene are at the start of the run; none where nothing is drawn.
std::vector<double> pointsAtStart(const PreparedRun& prepared, const run::Run& run)
{
    const model::CompiledSystem& system = *prepared.system;
    std::vector<double> xyz(static_cast<std::size_t>(3 * system.scenePointCount()));
    model::ModelState state;
    state.resize(system.n(), system.w());
    model::SystemEvaluator evaluator(prepared.system);
    evaluator.setParameters(run.status().parameters);
    if (!run.recording().stateAt(run.t(), state.q.data(), state.v.data(), state.lambda.data())
        || !evaluator.scene(run.t(), state.q.data(), xyz.data(), state.lambda.data()))
        return {};
    return xyz;
}

/// The command that makes the same document again: all that was asked for, and the formulation also where nobody named it.
std::string commandOf(const ExportOptions& options, const std::string& formulation)
{
    const std::string& model = options.run.model;
    std::string out = "driftless export " + text::shellWord((model.starts_with('-') ? "./" : "") + model);
    const auto add = [&out](const char* option, const std::string& value) {
        out += std::string(" ") + option + " " + text::shellWord(value);
    };
    add("--formulation", formulation);
    for (const std::string& choice : options.run.choices)
        add("--option", choice);
    if (options.run.pivot)
        add("--pivot", *options.run.pivot);
    for (const std::string& value : options.run.set)
        add("--set", value);
    add("--as", options.as);
    return out + (options.fragment ? " --fragment" : "");
}

int showExport(const ExportOptions& options)
{
    auto first = prepareRun(options.run);
    if (!first)
        return complain(first.error());
    const auto started = startedRun(options.run, *first);
    if (!started)
        return complain(started.error());
    const auto& [prepared, run] = *started;
    const auto form = formulation::requireFormulation(prepared.settings.formulation);
    if (!form)
        return complain(form.error());
    const run::RunStatus status = run->status();
    const auto rows = run->equations(expr::Format::Latex);
    const auto inForce = run->equationsInForce();
    const auto state = run->namedState();
    const std::string text = latexDocument({.model = prepared.system->model(),
                                            .form = (*form)->info(),
                                            .status = status,
                                            .dae = inForce.dae->dae(),
                                            .rows = rows,
                                            .start = prepared.start,
                                            .values = {state.begin(), state.end()},
                                            .points = pointsAtStart(prepared, *run),
                                            .command = commandOf(options, prepared.settings.formulation),
                                            .fragment = options.fragment});
    if (options.out.empty()) {
        std::cout << text << std::flush;
        return std::cout ? kExitDone : complain({.what = "The document was not written", .where = "standard output"});
    }
    if (auto allowed = checkOutput(options.out, {options.run.model}); !allowed)
        return complain(allowed.error());
    if (auto written = writeWholeFile(options.out, text); !written)
        return complain(written.error());
    const ordered_json report{{"model", prepared.system->model().name},
                              {"formulation", prepared.settings.formulation},
                              {"as", options.as},
                              {"file", options.out},
                              {"bytes", text.size()},
                              {"rows", rows.size()}};
    return printJson(report) ? kExitDone : kExitBadInput;
}

} // namespace

void addExportCommand(CLI::App& root, int& exitCode)
{
    auto options = std::make_shared<ExportOptions>();
    auto* command =
        root.add_subcommand("export", "A model and a formulation as a LaTeX document: scene, notation, derivation, rows");
    addModelArgument(*command, options->run.model);
    command->add_option("--formulation", options->run.formulation,
                        "How the equations are written (driftless list formulations)");
    command->add_option("--option", options->run.choices, "NAME=CHOICE: an option of the formulation")->allow_extra_args(false);
    command->add_option("--pivot", options->run.pivot, "auto, or the variables whose derivatives become dummies: VAR,VAR...");
    command->add_option("--set", options->run.set, "NAME=VALUE: a parameter or an initial value")->allow_extra_args(false);
    command->add_option("--as", options->as, "latex")->check(CLI::IsMember({"latex"}));
    command->add_option("--out", options->out, "File to write; standard output without it");
    command->add_flag("--fragment", options->fragment,
                      "Without a preamble, to be read into a document of one's own by \\input");
    command->callback([options, &exitCode] { exitCode = showExport(*options); });
}

} // namespace driftless::app
