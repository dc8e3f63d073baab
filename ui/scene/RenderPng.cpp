#include "ui/scene/RenderPng.h"

#include "ui/scene/ModelScene.h"
#include "ui/scene/PngFile.h"
#include "ui/scene/SceneRenderer.h"

namespace driftless::scene {

Result<void> renderScenePng(const model::CompiledSystem& system, std::span<const double> parameters,
                            const model::ModelState& state, int width, int height, bool dark, const std::string& path)
{
    if (std::min(width, height) < SceneRenderer::kSmallestSide || std::max(width, height) > SceneRenderer::kLargestSide)
        return Diagnostic{"The size of the picture is out of range.", std::to_string(width) + " x " + std::to_string(height),
                          "Each side takes 16 to 8192 pixels.", "", {}};
    // Borrowed for this call only.
    const std::shared_ptr<const model::CompiledSystem> borrowed(std::shared_ptr<void>{}, &system);
    auto scene = ModelScene::create(borrowed);
    if (!scene)
        return scene.error();
    auto run = scene.value()->at(state, parameters);
    if (!run)
        return run.error();
    auto context = makeSurfacelessContext();
    if (!context)
        return context.error();
    auto renderer = SceneRenderer::create(std::move(context.value()));
    if (!renderer)
        return renderer.error();

    SceneRenderer& picture = *renderer.value();
    picture.setModel(scene.value()->sceneModel());
    picture.setColours(dark ? Colours::dark() : Colours::light());
    if (!picture.model().planar)
        picture.camera().setAngles(0.45, 0.25);
    picture.camera().setViewport(width, height);
    Bounds seen = picture.fitBounds();
    for (int i = 0; i < picture.model().pointCount; ++i)
        seen.include(run.value().point(i), 0.1 * picture.model().characteristicLength());
    picture.camera().fit(seen);
    Frame frame;
    frame.runs.push_back(std::move(run.value()));
    picture.setFrame(std::move(frame));
    return writePng(picture.render(width, height, 2), path);
}

} // namespace driftless::scene
