// Draws a scene off screen: two actors over a render window that borrows somebody else's OpenGL context.
//
// The pipeline is built once. A frame rewrites point and colour arrays; cell arrays are only touched when the number of
// triangles changes. Nothing is drawn to a screen: render() returns the picture.
#pragma once

#include <memory>

#include "core/base/Result.h"
#include "ui/scene/GlContext.h"
#include "ui/scene/OrbitCamera.h"
#include "ui/scene/SceneTypes.h"

namespace driftless::scene {

class SceneRenderer {
public:
    static constexpr int kSmallestSide = 16, kLargestSide = 8192; ///< [pixels], supersampling included

    /// Takes the context over. Fails when the context is not usable (its OpenGL is too old, say).
    static Result<std::unique_ptr<SceneRenderer>> create(std::unique_ptr<GlContext> context);
    ~SceneRenderer();
    SceneRenderer(const SceneRenderer&) = delete;
    SceneRenderer& operator=(const SceneRenderer&) = delete;

    /// The camera keeps its angles; call fit() to see all of a new model.
    void setModel(SceneModel model);
    const SceneModel& model() const;
    void setColours(const Colours& colours);
    void setFrame(Frame frame);
    const Frame& frame() const;

    OrbitCamera& camera();
    const OrbitCamera& camera() const;
    /// The extent of the model with its fan.
    Bounds fitBounds() const;
    void fit();
    /// The same for a box of one's own.
    void fit(const Bounds& box);

    /// Hands a picture of width x height pixels to OpenGL, supersample times larger, without waiting for it. Sizes are clamped
    /// to the limits above.
    void draw(int width, int height, int supersample = 1);
    /// What draw() drew, averaged back to its size, once OpenGL has finished it. Valid until the next draw().
    const Pixels& picture();
    /// The same as it was drawn, before averaging.
    const Pixels& finePicture();
    /// Draws and averages, one after the other.
    const Pixels& render(int width, int height, int supersample = 1);

    /// Where a point of a run was drawn (fan-out included), in pixels of the last render.
    OrbitCamera::Pixel pointInPicture(int run, int point) const;

    /// For tests: how many things the pipeline consists of.
    struct Counts {
        int actors = 0, lights = 0, vertices = 0;
        bool operator==(const Counts&) const = default;
    };
    Counts counts() const;

private:
    SceneRenderer();
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace driftless::scene
