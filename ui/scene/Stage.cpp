#include "ui/scene/Stage.h"

#include <algorithm>
#include <string>

namespace driftless::scene {

namespace {

constexpr int kSupersample = 2;
constexpr double kAround = 0.1;              // of the model's characteristic length, beyond its points
constexpr double kYaw = 0.45, kPitch = 0.25; // [rad] of the view of a space model

} // namespace

Result<std::unique_ptr<Stage>> Stage::create(const model::CompiledSystem& system, int width, int height, bool dark)
{
    if (std::min(width, height) < SceneRenderer::kSmallestSide || std::max(width, height) > SceneRenderer::kLargestSide)
        return Diagnostic{.what = "The size of the picture is out of range",
                          .where = std::to_string(width) + " x " + std::to_string(height),
                          .why = "each side takes 16 to 8192 pixels"};
    const std::shared_ptr<const model::CompiledSystem> borrowed(std::shared_ptr<void>{}, &system);
    auto scene = ModelScene::create(borrowed);
    if (!scene)
        return scene.error();
    auto context = makeSurfacelessContext();
    if (!context)
        return context.error();
    auto renderer = SceneRenderer::create(std::move(context.value()));
    if (!renderer)
        return renderer.error();
    std::unique_ptr<Stage> stage(new Stage(width, height));
    stage->scene_ = std::move(scene.value());
    stage->renderer_ = std::move(renderer.value());
    SceneRenderer& picture = *stage->renderer_;
    picture.setModel(stage->scene_->sceneModel());
    picture.setColours(dark ? Colours::dark() : Colours::light());
    if (!picture.model().planar)
        picture.camera().setAngles(kYaw, kPitch);
    picture.camera().setViewport(width, height);
    return stage;
}

Result<RunFrame> Stage::frameAt(const model::ModelState& state, std::span<const double> parameters, int colour)
{
    auto frame = scene_->at(state, parameters);
    if (frame)
        frame.value().colour = colour;
    return frame;
}

void Stage::fit(std::span<const RunFrame> frames)
{
    Bounds seen = renderer_->fitBounds();
    const double around = kAround * renderer_->model().characteristicLength();
    for (const RunFrame& frame : frames)
        for (int i = 0; i < renderer_->model().pointCount; ++i)
            seen.include(frame.point(i), around);
    renderer_->fit(seen);
}

const Pixels& Stage::picture(const RunFrame& frame)
{
    Frame shown;
    shown.runs.push_back(frame);
    renderer_->setFrame(std::move(shown));
    return renderer_->render(width_, height_, kSupersample);
}

const Pixels& Stage::finePicture(const RunFrame* frame, int supersample)
{
    Frame shown;
    if (frame)
        shown.runs.push_back(*frame);
    renderer_->setFrame(std::move(shown));
    renderer_->draw(width_, height_, supersample);
    return renderer_->finePicture();
}

} // namespace driftless::scene
