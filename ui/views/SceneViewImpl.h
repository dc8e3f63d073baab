// What the scene view keeps, for its own sources alone: SceneView.cpp (widget) and SceneFrame.cpp (what is drawn).
#pragma once

#include <QImage>
#include <QPointF>

#include <memory>
#include <optional>
#include <vector>

#include "ui/scene/ModelScene.h"
#include "ui/scene/SceneRenderer.h"
#include "ui/views/SceneGrab.h"
#include "ui/views/SceneView.h"
#include "ui/views/Theme.h"

namespace driftless::ui {

class SceneLooks;

struct SceneView::Impl {
    std::unique_ptr<scene::SceneRenderer> renderer;
    std::unique_ptr<scene::ModelScene> model;
    QString refused; // no OpenGL
    QString undrawn; // model without a picture
    std::vector<SceneRun> runs;
    std::optional<scene::Correction> correction;
    std::optional<scene::RunFrame> pose; // shown in place of the runs
    SceneGrab grab;
    double t = 0;
    const Theme* theme = &Theme::light();
    bool arrows = false, trails = true, fine = false;
    double fan = 0;
    int deviationExponent = 0, deviationReference = 0;
    int covered = 0;       // [px] at the bottom
    int coveredAbove = 0;  // [px] at the top left
    bool viewKept = false; // another model is looked at in the same way
    bool moved = false;    // the person chose the view; leave it alone
    bool fitWanted = true;
    bool framed = false; // the keys came here by Tab
    double largestForce = 0, largestSpeed = 0, largestImpulse = 0;
    scene::Bounds seen; // where runs have been since the last fit
    bool stale = true;  // the picture does not show the present frame
    bool ahead = false; // but it has been handed to OpenGL

    void touch()
    {
        stale = true;
        ahead = false;
    }
    void drawAhead(const QWidget& widget);
    QImage picture;
    QPointF lastMouse;
    SceneLooks* looks = nullptr; // of space models

    QSize pixelSize(const QWidget& widget) const { return (QSizeF(widget.size()) * widget.devicePixelRatioF()).toSize(); }
    void updateFrame();
    void magnifyDeviation(scene::Frame& frame) const;
    void follow(const scene::Frame& frame);
    void applyAngles();
    void fitNow(QSize pixels, double share = 0);
    void render(const QWidget& widget);
    void paintNames(QPainter& painter, int above) const;
    /// room: what the picture takes, in the painter's pixels; pixels: of the picture in one of those.
    void paintForces(QPainter& painter, QSizeF room, double pixels) const;
    /// pixels: of the picture in one of the painter's.
    void paintImpacts(QPainter& painter, double pixels);
    SceneGrab::Display display(const QWidget& widget) const;
};

} // namespace driftless::ui
