// driftless render: the scene of a model at one time, as a PNG.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>

#include "app/Commands.h"
#include "app/Output.h"
#include "app/PictureOptions.h"
#include "app/Progress.h"
#include "app/RunOptions.h"
#include "core/run/Run.h"
#include "ui/scene/RenderPng.h"

namespace driftless::app {

namespace {

struct RenderOptions {
    RunOptions run;
    std::optional<double> time;
    std::string png, size = "1280x720", theme = "light";
};

int render(const RenderOptions& options)
{
    const auto size = parseSize(options.size);
    if (!size)
        return complain(size.error());
    if (const auto allowed = checkDestination(options.png); !allowed)
        return complain(allowed.error());
    const double time = options.time.value_or(0);
    if (!(time >= 0))
        return complain({"--time must not lie before the start", "", "", "", {}});
    const auto prepared = prepareRun(options.run);
    if (!prepared)
        return complain(prepared.error());
    auto run = run::Run::create(prepared->system, prepared->start, prepared->settings);
    if (!run)
        return complain(run.error());
    {
        Progress progress(prepared->system->model().name);
        while ((*run)->t() < time && (*run)->step(time))
            progress.show((*run)->t(), time);
    }
    const run::RunStatus status = (*run)->status();
    if ((*run)->failed()) {
        if (status.diagnostic)
            complain(*status.diagnostic);
        return kExitNumericalFailure;
    }
    model::ModelState state;
    state.resize(prepared->system->n(), prepared->system->w());
    state.t = (*run)->t();
    if (!(*run)->recording().stateAt(state.t, state.q.data(), state.v.data(), state.lambda.data()))
        return complain({"the run has no state to draw", "", "", "", {}});
    if (const auto drawn = scene::renderScenePng(*prepared->system, status.parameters, state, size->width, size->height,
                                                 options.theme == "dark", options.png);
        !drawn)
        return complain(drawn.error());
    const bool printed = printJson({{"model", prepared->system->model().name}, {"t", state.t}, {"png", options.png},
                                    {"width", size->width}, {"height", size->height}});
    return printed ? kExitDone : kExitBadInput;
}

} // namespace

void addRenderCommand(CLI::App& root, int& exitCode)
{
    auto options = std::make_shared<RenderOptions>();
    auto* command = root.add_subcommand("render", "The scene of a model at one time, as a PNG");
    addModelArgument(*command, options->run.model);
    command->add_option("--png", options->png, "File to write")->required()->type_name("FILE");
    addNumberOption(*command, "--time", options->time, "Time that is drawn [s]");
    command->add_option("--size", options->size, "Pixels, WxH");
    command->add_option("--theme", options->theme, "light or dark")->check(CLI::IsMember({"light", "dark"}));
    addRunOptions(*command, options->run);
    command->callback([options, &exitCode] { exitCode = render(*options); });
}

} // namespace driftless::app
