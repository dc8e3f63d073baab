// A model in front of a camera, without a window system: pictures of states, all seen from the same place.
#pragma once

#include <memory>
#include <span>

#include "core/base/Result.h"
#include "core/system/CompiledSystem.h"
#include "core/system/State.h"
#include "ui/scene/ModelScene.h"
#include "ui/scene/SceneRenderer.h"

namespace driftless::scene {

class Stage {
public:
    /// The system is borrowed for the stage's life. Fails when no OpenGL can be had, or when a side has not 16 to 8192 pixels.
    static Result<std::unique_ptr<Stage>> create(const model::CompiledSystem& system, int width, int height, bool dark);

    /// A run at a state (t, q; lambda is not needed). Fails where the state leaves the domain of a scene expression.
    Result<RunFrame> frameAt(const model::ModelState& state, std::span<const double> parameters, int colour = 0);

    /// Moves the camera so that the model's extent and all points of these frames are seen.
    void fit(std::span<const RunFrame> frames);

    /// The picture of one frame, supersampled twice. Valid until the next one.
    const Pixels& picture(const RunFrame& frame);
    /// The same `supersample` times as large; nullptr: only what does not move.
    const Pixels& finePicture(const RunFrame* frame, int supersample);

private:
    Stage(int width, int height) : width_(width), height_(height) {}

    int width_, height_;
    std::unique_ptr<ModelScene> scene_;
    std::unique_ptr<SceneRenderer> renderer_;
};

} // namespace driftless::scene
