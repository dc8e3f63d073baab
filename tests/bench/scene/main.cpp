// Frames of a large chain, offscreen at 1400x900, while a second thread solves it: driftless_scene_bench [N] [seconds] [png].
//
// One frame is what the window's display timer does, sixty times a second at most: the state at the clock's time from the
// recording, scene points, trails, meshes, OpenGL, and the picture read back. The clock goes with the wall and waits for the
// run, which is a tenth of a second ahead, as in the window. Processor time of a frame is that of the drawing thread and that
// of the threads in which a software OpenGL rasterises. Prints JSON; a measurement, never a test.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <thread>

#include "core/base/Thread.h"
#include "core/mechanism/ReadModel.h"
#include "core/run/Run.h"
#include "tests/bench/frame/ThreadTime.h"
#include "ui/scene/ModelScene.h"
#include "ui/scene/PngFile.h"
#include "ui/scene/SceneRenderer.h"

using namespace driftless;

namespace {

constexpr double kLookahead = 0.1;    // [s]
constexpr double kFrame = 1.0 / 60.0; // [s]

template <class T>
T require(Result<T> result)
{
    if (result)
        return std::move(*result);
    std::fprintf(stderr, "%s\n", result.error().text().c_str());
    std::exit(1);
}

} // namespace

int main(int argc, char** argv)
{
    using Clock = std::chrono::steady_clock;
    const auto since = [](Clock::time_point from) { return std::chrono::duration<double>(Clock::now() - from).count(); };
    const int links = argc > 1 ? std::atoi(argv[1]) : 1000;
    const double seconds = argc > 2 ? std::atof(argv[2]) : 10;
    const auto begin = Clock::now();
    const auto model = require(model::withStructure(require(model::openModel("pendulum-chain")), {{"N", links}}));
    const auto system = require(model::CompiledSystem::compile(model));
    run::RunSettings settings;
    settings.formulation = "index-3";
    settings.integrator = "generalized-alpha";
    settings.options.step = 1e-3;
    settings.rows = run::Rows::AsCurvesNeed; // as in the window
    const auto run = require(run::Run::create(system, {}, settings));
    const double opening = since(begin);
    auto scene = require(scene::ModelScene::create(system));
    scene::boundRasterThreads();
    auto renderer = require(scene::SceneRenderer::create(require(scene::makeSurfacelessContext())));
    renderer->setModel(scene->sceneModel());
    renderer->fit();

    std::atomic<bool> stop{false};
    std::atomic<double> shown{0}; // [s] the clock
    double solving = 0;           // [s] of processor time
    std::thread solver([&] {
        lowerThreadPriority();
        while (!stop)
            if (run->t() > shown + kLookahead)
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            else
                run->step(std::numeric_limits<double>::infinity());
        solving = threadSeconds();
    });
    int frames = 0;
    double placing = 0, t = 0;
    const auto playing = Clock::now();
    const double drawnBefore = threadSeconds(), rasterBefore = bench::rasterSeconds();
    for (double now = 0, last = 0; now < seconds; last = now, now = since(playing)) {
        const double from = threadSeconds();
        scene::Frame frame;
        const run::RecordingView recording = run->recording();
        t = std::max(t, std::min(t + now - last, recording.lastTime()));
        shown = t;
        frame.runs = scene->at(t, {{0, true, recording, {}}}, true, false);
        placing += threadSeconds() - from;
        renderer->setFrame(std::move(frame));
        (void)renderer->render(1400, 900);
        ++frames;
        std::this_thread::sleep_until(playing
                                      + std::chrono::duration_cast<Clock::duration>(
                                          std::chrono::duration<double>(kFrame * (std::floor(since(playing) / kFrame) + 1))));
    }
    const double played = since(playing);
    const double drawn = threadSeconds() - drawnBefore, raster = bench::rasterSeconds() - rasterBefore;
    stop = true;
    solver.join();
    const auto counts = renderer->counts();
    std::printf("{\"links\": %d, \"open_s\": %.3f, \"frames_per_s\": %.1f, \"played_s_per_s\": %.3f, "
                "\"drawing_thread_ms\": %.2f, \"of_it_points_and_trails_ms\": %.2f, \"raster_threads_ms\": %.2f, "
                "\"solver_s_per_simulated_s\": %.3f, \"vertices\": %d}\n",
                links, opening, frames / played, t / played, 1e3 * drawn / frames, 1e3 * placing / frames,
                1e3 * raster / frames, solving / run->t(), counts.vertices);
    if (argc > 3)
        if (auto written = scene::writePng(renderer->render(1400, 900, 2), argv[3]); !written)
            std::fprintf(stderr, "%s\n", written.error().text().c_str());
    return 0;
}
