// driftless screenshot: the real window, grabbed without being shown.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <memory>

#include "app/Commands.h"
#include "app/HandOver.h"
#include "app/Output.h"
#include "app/PictureOptions.h"
#include "app/RunOptions.h"
#include "core/run/Times.h"
#include "core/text/WholeFile.h"
#include "ui/panels/WindowMain.h"

namespace driftless::app {

namespace {

struct ScreenshotOptions {
    std::string model, png, size = "1280x720", theme = "light", page;
    std::optional<double> time;
};

int grab(const ScreenshotOptions& options)
{
    const auto size = parseSize(options.size);
    if (!size)
        return complain(size.error());
    if (const auto allowed = checkOutput(options.png, {options.model}); !allowed)
        return complain(allowed.error());
    const double time = options.time.value_or(10);
    if (const auto possible = run::checkTime(time, "--time"); !possible)
        return complain(possible.error());
    // No display is needed; one that is asked for by name is respected.
    ::setenv("QT_QPA_PLATFORM", "offscreen", 0);
    if (const auto grabbed = ui::screenshotWindow(options.model, QSize(size->width, size->height), options.theme == "dark",
                                                  time, options.png, options.page);
        !grabbed)
        return complain(grabbed.error());
    const bool printed = printJson({{"model", options.model},
                                    {"t", time},
                                    {"png", options.png},
                                    {"width", size->width},
                                    {"height", size->height},
                                    {"theme", options.theme}});
    return printed ? kExitDone : kExitBadInput;
}

} // namespace

void addScreenshotCommand(CLI::App& root, int& exitCode)
{
    auto options = std::make_shared<ScreenshotOptions>();
    auto* command = root.add_subcommand(kScreenshot.name, kScreenshot.does);
    addModelArgument(*command, options->model, false);
    command->add_option("--png", options->png, "File to write")->required()->type_name("FILE");
    addNumberOption(*command, "--time", options->time, "Time that is shown [s]");
    command->add_option("--size", options->size, "Pixels, WxH");
    command->add_option("--theme", options->theme, "light or dark")->check(CLI::IsMember({"light", "dark"}));
    command
        ->add_option("--page", options->page,
                     "Page of the drawer: equations, structure, model, messages, start; lessons; or a workspace: "
                     "workspace_build, workspace_equations, "
                     "workspace_methods, workspace_linear, workspace_study")
        ->check(CLI::IsMember({"equations", "structure", "model", "messages", "start", "lessons", "workspace_build",
                               "workspace_equations", "workspace_methods", "workspace_linear", "workspace_study"}));
    command->callback([options, &exitCode] { exitCode = grab(*options); });
}

} // namespace driftless::app
