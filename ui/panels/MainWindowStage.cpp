// The stage: the window lends it scene, plots and chips, and has them back when it is over.
#include <QLayout>
#include <QTimer>

#include <algorithm>

#include "ui/document/ModelPace.h"
#include "ui/panels/MainWindow.h"
#include "ui/panels/MessageCard.h"
#include "ui/panels/PlotColumn.h"
#include "ui/panels/RunBoard.h"
#include "ui/panels/StageWindow.h"
#include "ui/views/SceneView.h"

namespace driftless::ui {

bool MainWindow::isStaged() const { return stage_ && stage_->isOpen(); }

void MainWindow::makeStageWindow()
{
    stage_ = new StageWindow(document_, *actions_, *lessons_, this);
    stage_->setTheme(dark_ ? Theme::darkTheme() : Theme::light());
    connect(stage_, &StageWindow::left, this, [this] { setStaged(false); });
    connect(stage_, &StageWindow::scaled, this, [this](double scale) {
        board_->setStaged(true, scale);
        portrait_->setLook(dark_, scale);
        card_->setScale(scale);
    });
    connect(stage_, &StageWindow::covers, this, [this](int pixels) {
        captionCovers_ = pixels;
        coverScene();
    });
    connect(stage_, &StageWindow::coversTop, this, [this](int pixels) {
        readoutCovers_ = pixels;
        coverScene();
    });
}

void MainWindow::setStaged(bool on)
{
    if (on && !isStaged() && isEditing())
        setEditing(false); // what is shown to a hall is watched
    actions_->show("stage", on);
    if (on == isStaged())
        return;
    if (!stage_)
        makeStageWindow();
    if (on) {
        constexpr int kFineAfter = 250; // [ms] the first frame is there at once, a calm one follows
        scene_->setFine(false);
        QTimer::singleShot(kFineAfter, this, [this] {
            scene_->setFine(!document_.hasModel() || !document_.laboratory().clock().playing);
            stale_ = true;
        });
        stage_->open({.chips = board_->chips(), .scene = host_, .plots = plots_}, StageWindow::screenFor(*this));
        placeCard();
        showStageTime(document_.hasModel() ? document_.laboratory().clock().t : 0);
    } else {
        stage_->leave();
        board_->setStaged(false);
        card_->setScale(scale_);
        plots_->setLook(dark_, scale_);
        portrait_->setLook(dark_, scale_);
        layOut();
        placeCard();
        plots_->refreshAll();
        activateWindow();
    }
    scene_->setFocus();
    stale_ = true;
}

void MainWindow::showStageTime(double t)
{
    if (isStaged() && document_.hasModel())
        stage_->setTime(t, timeDecimals(firstRange(document_.compiled().model())));
}

/// A mechanism is fitted above what lies over the bottom of the scene; a portrait in its place, which has words at all its
/// edges, stands between what lies there on the stage.
void MainWindow::coverScene()
{
    scene_->setCovered(std::max(cardCovers_, captionCovers_));
    scene_->setCoveredAbove(readoutCovers_);
    const bool portrait = !portrait_->isHidden();
    host_->layout()->setContentsMargins(0, portrait ? readoutCovers_ : 0, 0, portrait ? captionCovers_ : 0);
}

} // namespace driftless::ui
