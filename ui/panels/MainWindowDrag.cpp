// Moving a body by hand: the scene says where the pointer wants it, once a frame the document moves the runs there as far as
// the constraints allow, and the scene shows what was asked for beside what came of it.
#include <algorithm>
#include <cmath>

#include "ui/panels/Drawer.h"
#include "ui/panels/MainWindow.h"
#include "ui/views/SceneView.h"

namespace driftless::ui {

namespace {

constexpr double kShownMiss =
    2e-3; ///< of the size of the positions: below, what was asked for and what came of it look the same

} // namespace

void MainWindow::connectGrabbing()
{
    scene_->setGrabbing(true);
    connect(scene_, &SceneView::bodyGrabbed, this, [this](const QString& body) {
        drag_ = Drag{body, QStringLiteral("drag %1").arg(++gestures_), {}, false, document_.laboratory().clock().playing};
        if (drag_->playing)
            document_.playback().pause();
    });
    connect(scene_, &SceneView::bodyDragged, this, [this](const QString&, const std::map<std::string, double>& values) {
        if (!drag_)
            return;
        drag_->wanted = values;
        drag_->pending = true;
        if (!frameTimer_.isActive())
            applyDrag();
    });
    connect(scene_, &SceneView::bodyReleased, this, &MainWindow::releaseBody);
}

void MainWindow::applyDrag()
{
    drag_->pending = false;
    const auto wanted = drag_->wanted;
    const bool done = document_.control().setState(wanted, tr("move %1").arg(drag_->body), drag_->gesture);
    stale_ = true;
    const RunEntry* run = document_.find(document_.bench().selected());
    if (!done || !run || !drag_)
        return;
    const auto& coordinates = document_.system().coordinates;
    model::ModelState now;
    now.resize(document_.compiled().n(), document_.compiled().w());
    now.t = document_.laboratory().clock().t;
    if (!document_.laboratory().recording(run->id).stateAt(now.t, now.q.data(), now.v.data(), now.lambda.data()))
        return;
    model::ModelState asked = now;
    double miss = 0, size = 0;
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
        size = std::max(size, std::abs(now.q[i]));
        if (const auto value = wanted.find(coordinates[i].name); value != wanted.end()) {
            asked.q[i] = value->second;
            miss = std::max(miss, std::abs(now.q[i] - value->second));
        }
    }
    if (miss > kShownMiss * size)
        scene_->setCorrection(asked, &now, document_.bench().parameters());
    else
        scene_->clearCorrection();
}

void MainWindow::releaseBody()
{
    if (!drag_)
        return;
    if (drag_->pending)
        applyDrag();
    const bool playing = drag_ && drag_->playing;
    drag_.reset();
    showCorrection();
    if (playing)
        document_.playback().play();
}

/// What the start page corrects, while it is in sight.
void MainWindow::showCorrection()
{
    if (const auto* found = drawer_->correction())
        scene_->setCorrection(found->before, found->conflict ? nullptr : &found->after, document_.bench().parameters());
    else
        scene_->clearCorrection();
    stale_ = true;
}

} // namespace driftless::ui
