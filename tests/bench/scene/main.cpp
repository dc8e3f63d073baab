// Frames a second of a large chain, offscreen at 1400x900, while a second thread solves it: driftless_scene_bench [N] [seconds]
// [png].
//
// One frame is what the window's display timer does: the state at the clock's time from the recording, scene points, trails,
// meshes, OpenGL, and the picture read back. Prints JSON; a measurement, never a test.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "core/mechanism/ReadModel.h"
#include "core/run/Run.h"
#include "ui/scene/ModelScene.h"
#include "ui/scene/PngFile.h"
#include "ui/scene/SceneRenderer.h"

using namespace driftless;

namespace {

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
    auto renderer = require(scene::SceneRenderer::create(require(scene::makeSurfacelessContext())));
    renderer->setModel(scene->sceneModel());
    renderer->fit();

    std::atomic<bool> stop{false};
    std::thread solver([&] {
        while (!stop && run->step(std::numeric_limits<double>::infinity())) {}
    });
    int frames = 0;
    double drawing = 0, placing = 0;
    const auto playing = Clock::now();
    while (since(playing) < seconds) {
        const auto from = Clock::now();
        scene::Frame frame;
        const run::RecordingView recording = run->recording();
        frame.runs = scene->at(recording.lastTime(), {{0, true, recording, {}}}, true, false);
        placing += since(from);
        renderer->setFrame(std::move(frame));
        (void)renderer->render(1400, 900);
        drawing += since(from);
        ++frames;
    }
    stop = true;
    const double played = since(playing);
    solver.join();
    const auto counts = renderer->counts();
    std::printf("{\"links\": %d, \"open_s\": %.3f, \"frames_per_s\": %.1f, \"ms_per_frame\": %.2f, "
                "\"ms_of_it_for_points_and_trails\": %.2f, "
                "\"vertices\": %d, \"solved_s_per_s\": %.3f}\n",
                links, opening, frames / played, 1e3 * drawing / frames, 1e3 * placing / frames, counts.vertices,
                run->t() / played);
    if (argc > 3)
        if (auto written = scene::writePng(renderer->render(1400, 900, 2), argv[3]); !written)
            std::fprintf(stderr, "%s\n", written.error().text().c_str());
    return 0;
}
