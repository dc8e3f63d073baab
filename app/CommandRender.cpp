// driftless render: the scene of a model at one time, at several times in one picture, or as a film.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <memory>

#include "app/Commands.h"
#include "app/HandOver.h"
#include "app/Output.h"
#include "app/PictureOptions.h"
#include "app/Progress.h"
#include "app/RenderFilm.h"
#include "app/RunOptions.h"
#include "app/RunReport.h"
#include "core/integrate/Integrator.h"
#include "core/run/Run.h"
#include "core/run/RunReport.h"
#include "core/run/Times.h"
#include "core/text/Numbers.h"
#include "core/text/WholeFile.h"
#include "ui/scene/RenderPng.h"
#include "ui/scene/Strobe.h"
#include "ui/scene/VideoFile.h"

namespace driftless::app {

namespace {

using nlohmann::ordered_json;

struct RenderOptions {
    RunOptions run;
    std::optional<double> time, from, to, speed;
    std::string png, video, frames, size = "1280x720", theme = "light";
    int strobe = 0, framesPerSecond = 30;

    bool many() const { return strobe > 0 || !video.empty() || !frames.empty(); }
};

/// Any name will do but one that says another kind of picture.
Result<void> checkPng(const std::string& path, const std::string& model)
{
    std::string ending = path.substr(std::min(path.rfind('.'), path.size()));
    std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    for (const char* other : {".jpg", ".jpeg", ".gif", ".webp", ".svg", ".pdf", ".bmp", ".tif", ".tiff", ".ogv"})
        if (ending == other)
            return Diagnostic{.what = "A picture of the scene is a PNG",
                              .where = path,
                              .remedy = std::string("a name that ends in .png") + (ending == ".ogv" ? ", or --video" : "")};
    return checkOutput(path, {model});
}

Result<void> checkTargets(const RenderOptions& options)
{
    const int targets = (options.png.empty() ? 0 : 1) + (options.video.empty() ? 0 : 1) + (options.frames.empty() ? 0 : 1);
    if (targets != 1)
        return Diagnostic{.what = "render writes one thing at a time",
                          .remedy = "--png FILE, --video FILE.ogv or --frames FOLDER"};
    if (options.strobe > 0 && options.png.empty())
        return Diagnostic{
            .what = "A strobe picture is a PNG", .where = "--strobe", .remedy = "--strobe N --from T --to T --png FILE"};
    if (options.many() && options.time)
        return Diagnostic{.what = "--time is for one picture at one time", .where = "--time", .remedy = "--from T --to T"};
    if (!options.many() && (options.from || options.to))
        return Diagnostic{.what = "--from and --to are for strobe pictures and films", .remedy = "--time T, or --strobe N"};
    if (!options.png.empty())
        return checkPng(options.png, options.run.model);
    if (options.video.empty())
        return {};
    if (options.video.size() < 5 || options.video.compare(options.video.size() - 4, 4, ".ogv") != 0)
        return Diagnostic{
            .what = "A film is written as Ogg Theora", .where = options.video, .remedy = "a name that ends in .ogv"};
    return checkOutput(options.video, {options.run.model});
}

/// Nearest multiple of a film's blocks, at least one.
int filmSide(int pixels) { return std::max(1, (pixels + scene::kFilmBlock / 2) / scene::kFilmBlock) * scene::kFilmBlock; }

Result<FilmOptions> filmOptions(const RenderOptions& options, PictureSize size, double end)
{
    FilmOptions film;
    film.from = options.from.value_or(0);
    film.to = options.to.value_or(end);
    film.framesPerSecond = options.framesPerSecond;
    film.speed = options.speed.value_or(1);
    film.size = size;
    film.dark = options.theme == "dark";
    if (!options.video.empty())
        film.size = {filmSide(size.width), filmSide(size.height)};
    if (const auto possible = run::checkTime(film.to, "--to"); !possible)
        return possible.error();
    if (film.from < 0)
        return Diagnostic{.what = "The first time lies before the start of the run",
                          .where = "--from " + text::exact(film.from),
                          .remedy = "--from 0, where a run begins, or later"};
    if (!(film.to > film.from))
        return Diagnostic{.what = "The range of time is empty",
                          .where = "--from, --to",
                          .remedy = "--from T --to T with a later second time"};
    if (!(film.speed > 0))
        return Diagnostic{.what = "The speed of a film must be positive", .where = "--speed", .remedy = "--speed 1"};
    if (options.strobe == 0)
        if (const auto count = frameCount(film); !count)
            return count.error();
    return film;
}

/// Runs to a time; a failure is said, and is the command's exit code.
int runTo(run::Run& run, double time)
{
    {
        Progress progress(run.system().model().name);
        while (run.t() < time && run.step(time))
            progress.show(run.t(), time);
    }
    return verdict(run);
}

/// What the picture is of, and how far it can be trusted.
void addRun(const run::Run& run, ordered_json& out)
{
    const run::RunReport report = run::reportOf(run);
    out["formulation"] = report.formulation;
    out["integrator"] = report.integrator;
    const auto add = [&out](const char* name, double value) {
        if (std::isfinite(value))
            out[name] = value;
    };
    add("largest_position_residual", report.maxResidual.position);
    add("energy_error", report.energyError);
}

Result<ordered_json> drawOne(const RenderOptions& options, PictureSize size, const run::Run& run)
{
    model::ModelState state;
    state.resize(run.system().n(), run.system().w());
    state.t = run.t();
    if (!run.recording().stateAt(state.t, state.q.data(), state.v.data(), state.lambda.data()))
        return Diagnostic{.what = "The run has no state to draw"};
    if (const auto drawn = scene::renderScenePng(run.system(), run.status().parameters, state, size.width, size.height,
                                                 options.theme == "dark", options.png);
        !drawn)
        return drawn.error();
    ordered_json out{{"model", run.system().model().name},
                     {"t", state.t},
                     {"png", options.png},
                     {"width", size.width},
                     {"height", size.height}};
    addRun(run, out);
    return out;
}

Result<ordered_json> drawMany(const RenderOptions& options, const FilmOptions& film, const run::Run& run)
{
    const auto draw = [&] {
        if (options.strobe > 0)
            return writeStrobe(run, film, options.strobe, options.png);
        return options.video.empty() ? writeFrames(run, film, options.frames) : writeFilm(run, film, options.video);
    };
    const auto drawn = draw();
    if (!drawn)
        return drawn.error();
    ordered_json out{{"model", run.system().model().name}, {"from", film.from}, {"to", film.to}};
    if (options.strobe > 0)
        out.update({{"png", options.png}, {"strobe", options.strobe}});
    else
        out.update({{options.video.empty() ? "frames" : "video", options.video.empty() ? options.frames : options.video},
                    {"pictures", *frameCount(film)},
                    {"fps", options.framesPerSecond},
                    {"speed", film.speed}});
    out.update({{"width", film.size.width}, {"height", film.size.height}});
    addRun(run, out);
    return out;
}

int render(const RenderOptions& options)
{
    const auto size = parseSize(options.size);
    if (!size)
        return complain(size.error());
    if (const auto allowed = checkTargets(options); !allowed)
        return complain(allowed.error());
    const double time = options.time.value_or(0);
    if (const auto possible = run::checkTime(time, "--time"); !possible)
        return complain(possible.error());
    const auto prepared = prepareRun(options.run);
    if (!prepared)
        return complain(prepared.error());
    if (prepared->system->scenePointCount() == 0)
        return complain({.what = "There is nothing to draw: the model has no bodies, joints or curves",
                         .where = prepared->system->model().name,
                         .remedy = "curves of it, by driftless figure with --panel curve=NAME or --panel phase=NAME,NAME"});
    FilmOptions film;
    if (options.many()) {
        const auto asked = filmOptions(options, *size, prepared->end);
        if (!asked)
            return complain(asked.error());
        film = *asked;
        if (const auto room = options.frames.empty() ? Result<void>{} : checkFrames(film, options.frames); !room)
            return complain(room.error());
    }
    const double last = options.many() ? film.to : time;
    if (const auto possible = run::checkSteps(*integrate::findIntegrator(prepared->settings.integrator),
                                              prepared->settings.options, last, "--step");
        !possible)
        return complain(possible.error());
    auto run = run::Run::create(prepared->system, prepared->start, prepared->settings);
    if (!run)
        return complain(run.error());
    if (const int code = runTo(**run, last); code != kExitDone)
        return code;
    const auto drawn = options.many() ? drawMany(options, film, **run) : drawOne(options, *size, **run);
    if (!drawn)
        return complain(drawn.error());
    return printJson(*drawn) ? kExitDone : kExitBadInput;
}

} // namespace

void addRenderCommand(CLI::App& root, int& exitCode)
{
    auto options = std::make_shared<RenderOptions>();
    auto* command = root.add_subcommand(kRender.name, kRender.does);
    addModelArgument(*command, options->run.model);
    command->add_option("--png", options->png, "Picture to write")->type_name("FILE");
    command->add_option("--video", options->video, "Film to write, Ogg Theora (.ogv)")->type_name("FILE");
    command->add_option("--frames", options->frames, "Folder for the film's pictures as PNG files")->type_name("FOLDER");
    command->add_option("--strobe", options->strobe, "So many positions at equal times in one picture")
        ->check(CLI::Range(2, scene::kMostFlashes));
    addNumberOption(*command, "--time", options->time, "Time that is drawn [s]");
    addNumberOption(*command, "--from", options->from, "First time of a strobe picture or film [s]");
    addNumberOption(*command, "--to", options->to, "Last time of it [s]; otherwise the end of the run");
    command->add_option("--fps", options->framesPerSecond, "Pictures per second of the film")->check(CLI::Range(1, 240));
    addNumberOption(*command, "--speed", options->speed, "Seconds of the model per second of the film");
    command->add_option("--size", options->size, "Pixels, WxH; of a film the nearest multiples of 16");
    command->add_option("--theme", options->theme, "light or dark")->check(CLI::IsMember({"light", "dark"}));
    addRunOptions(*command, options->run);
    command->callback([options, &exitCode] { exitCode = render(*options); });
}

} // namespace driftless::app
