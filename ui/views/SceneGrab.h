// Bodies of the selected run that can be taken with the pointer: which one lies under it, and where a drag wants it.
//
// A plane model's body stays in its plane, however the view is turned; a space model's body moves in the camera's plane through
// it. What is asked for are the coordinates of the body's centre; what becomes of them is the document's business.
#pragma once

#include <QPainter>
#include <QPointF>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/run/Recording.h"
#include "core/system/CompiledSystem.h"
#include "ui/scene/SceneRenderer.h"
#include "ui/views/Theme.h"

namespace driftless::ui {

class SceneGrab {
public:
    /// What is on display: the run whose bodies can be taken, as drawn.
    struct Display {
        const scene::SceneRenderer* renderer = nullptr; ///< null: nothing can be taken
        const run::RecordingView* recording = nullptr;
        int run = 0; ///< its place in the renderer's frame
        int colour = 0;
        double t = 0;
        double pixelRatio = 1;
    };

    void setModel(std::shared_ptr<const model::CompiledSystem> system);
    void setEnabled(bool on);

    /// Looks for a body under the pointer (widget coordinates); true when that changed.
    bool hover(const Display& display, QPointF pointer);
    bool hovers() const { return hovered_ >= 0; }
    bool leave();
    /// Takes the body under the pointer; false when there is none.
    bool press(const Display& display, QPointF pointer);
    bool holds() const { return held_ >= 0; }
    /// Full names and values of the held body's centre for this pointer.
    std::map<std::string, double> drag(const Display& display, QPointF pointer);
    void release() { held_ = -1; }
    std::string heldBody() const { return holds() ? bodies_[static_cast<std::size_t>(held_)].name : std::string(); }

    /// A ring round the body that can be taken or is held, and the way to the point that is asked for.
    void paint(QPainter& painter, const Display& display, const Theme& theme) const;

private:
    struct Body {
        std::string name;
        int axis[3]{-1, -1, -1}; ///< coordinates of its centre
        std::vector<int> parts;  ///< of the scene model
    };
    int find(const Display& display, QPointF pointer) const;
    bool centre(const Display& display, const Body& body, scene::Vec3& out) const;

    std::shared_ptr<const model::CompiledSystem> system_;
    std::vector<Body> bodies_;
    bool enabled_ = false;
    bool turned_ = false; ///< a mechanism in space: its z is the scene's up
    int hovered_ = -1, held_ = -1;
    QPointF pressed_, pointer_;
    scene::Vec3 heldCentre_;
};

} // namespace driftless::ui
