#include "app/RenderFilm.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <functional>

#include "app/Progress.h"
#include "ui/scene/PngFile.h"
#include "ui/scene/Stage.h"
#include "ui/scene/Strobe.h"
#include "ui/scene/VideoFile.h"

namespace driftless::app {

namespace {

volatile std::sig_atomic_t filmStopAsked = 0;

/// While it lives, an interrupt asks to stop after the picture under way; a second one ends the program at once.
class Interruptible {
public:
    Interruptible()
    {
        filmStopAsked = 0;
        std::signal(SIGINT, ask);
        std::signal(SIGTERM, ask);
    }
    ~Interruptible()
    {
        std::signal(SIGINT, SIG_DFL);
        std::signal(SIGTERM, SIG_DFL);
    }
    Interruptible(const Interruptible&) = delete;
    Interruptible& operator=(const Interruptible&) = delete;

private:
    static void ask(int signal)
    {
        filmStopAsked = 1;
        std::signal(signal, SIG_DFL);
    }
};

Result<model::ModelState> stateOf(const run::Run& run, double t)
{
    const model::CompiledSystem& system = run.system();
    model::ModelState state;
    state.resize(system.n(), system.w());
    const run::RecordingView recording = run.recording();
    if (recording.empty() || !recording.stateAt(t, state.q.data(), state.v.data(), state.lambda.data()))
        return Diagnostic{.what = "The run has no state to draw", .where = "t = " + std::to_string(t)};
    state.t = std::clamp(t, recording.firstTime(), recording.lastTime());
    return state;
}

/// Draws frame after frame and hands each on; the camera sees all of them.
Result<void> drawFrames(const run::Run& run, const FilmOptions& options,
                        const std::function<Result<void>(int, const scene::Pixels&)>& keep)
{
    const auto count = frameCount(options);
    if (!count)
        return count.error();
    auto stage = scene::Stage::create(run.system(), options.size.width, options.size.height, options.dark);
    if (!stage)
        return stage.error();
    const std::vector<double> parameters = run.status().parameters;
    std::vector<scene::RunFrame> frames;
    frames.reserve(static_cast<std::size_t>(*count));
    for (int i = 0; i < *count; ++i) {
        const double t = std::min(options.to, options.from + i * options.speed / options.framesPerSecond);
        const auto state = stateOf(run, t);
        if (!state)
            return state.error();
        auto frame = stage.value()->frameAt(*state, parameters);
        if (!frame)
            return frame.error();
        frames.push_back(std::move(frame.value()));
    }
    stage.value()->fit(frames);
    Progress progress("drawing");
    for (int i = 0; i < *count; ++i) {
        if (filmStopAsked)
            return Diagnostic{.what = "Interrupted",
                              .where = std::to_string(i) + " of " + std::to_string(*count) + " pictures were drawn"};
        if (auto kept = keep(i, stage.value()->picture(frames[static_cast<std::size_t>(i)])); !kept)
            return kept;
        progress.show(options.from + (options.to - options.from) * (i + 1) / *count, options.to);
    }
    return {};
}

} // namespace

Result<int> frameCount(const FilmOptions& options)
{
    const double frames = std::floor((options.to - options.from) / options.speed * options.framesPerSecond + 1e-9) + 1;
    if (frames >= 1 && frames <= kMostFrames)
        return static_cast<int>(frames);
    return Diagnostic{.what = "The film would have too many pictures",
                      .where = "--from, --to, --fps, --speed",
                      .why = "100000 is the limit",
                      .remedy = "a shorter time, or a higher speed"};
}

Result<void> writeFilm(const run::Run& run, const FilmOptions& options, const std::string& path)
{
    const Interruptible interruptible; // before the first file exists
    auto film = scene::VideoFile::create(path, options.size.width, options.size.height,
                                         static_cast<int>(std::lround(options.framesPerSecond)));
    if (!film)
        return film.error();
    const auto drawn = drawFrames(run, options, [&](int, const scene::Pixels& pixels) { return film.value()->add(pixels); });
    return drawn ? film.value()->finish() : drawn;
}

namespace {

std::string frameName(int number)
{
    char name[32];
    std::snprintf(name, sizeof name, "frame-%05d.png", number);
    return name;
}

} // namespace

Result<void> checkFrames(const FilmOptions& options, const std::string& folder)
{
    const auto count = frameCount(options);
    if (!count)
        return count.error();
    const std::filesystem::path next = std::filesystem::path(folder) / frameName(*count + 1);
    if (std::error_code none; !std::filesystem::exists(next, none))
        return {};
    return Diagnostic{.what = "The folder holds pictures of a longer film, which would follow the " + std::to_string(*count)
                              + " of this one",
                      .where = next.string(),
                      .remedy = "another folder, or remove them"};
}

Result<void> writeFrames(const run::Run& run, const FilmOptions& options, const std::string& folder)
{
    const Interruptible interruptible;
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error || !std::filesystem::is_directory(folder, error))
        return Diagnostic{.what = "The folder for the pictures could not be made",
                          .where = folder,
                          .why = error.message(),
                          .remedy = "another place"};
    return drawFrames(run, options, [&](int i, const scene::Pixels& pixels) {
        return scene::writePng(pixels, (std::filesystem::path(folder) / frameName(i + 1)).string());
    });
}

Result<void> writeStrobe(const run::Run& run, const FilmOptions& options, int count, const std::string& path)
{
    std::vector<model::ModelState> states;
    for (const double t : scene::flashTimes(options.from, options.to, count)) {
        auto state = stateOf(run, t);
        if (!state)
            return state.error();
        states.push_back(std::move(state.value()));
    }
    const auto picture = scene::strobePicture(run.system(), run.status().parameters, states, options.size.width,
                                              options.size.height, options.dark);
    return picture ? scene::writePng(*picture, path) : picture.error();
}

} // namespace driftless::app
