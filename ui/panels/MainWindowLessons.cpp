// Lessons in the window, and the offer to restore a session.
#include "ui/panels/MainWindow.h"

#include <QAction>

#include "ui/panels/Drawer.h"
#include "ui/panels/LessonPanel.h"
#include "ui/panels/MessageCard.h"
#include "ui/panels/NotationWindow.h"
#include "ui/panels/PlotColumn.h"
#include "ui/panels/TopBar.h"
#include "ui/views/LessonHandout.h"

namespace driftless::ui {

void MainWindow::connectLessons()
{
    LessonPanel& lessons = drawer_->lessons();
    connect(&lessons, &LessonPanel::benchSet, this, [this](const lesson::Setup& setup) {
        firstStart_ = false;
        card_->leave();
        int place = 0;
        for (const auto& plot : setup.plots)
            plots_->choose(place++, plotSpec(plot));
        topBar_->setSpeed(setup.speed);
        stale_ = true;
    });
    connect(&lessons, &LessonPanel::refused, this, [this](const Diagnostic& diagnostic) { card_->say(diagnostic); });
    connect(&lessons, &LessonPanel::notationAsked, actions_.notation, &QAction::trigger);
    connect(drawer_, &Drawer::notationAsked, actions_.notation, &QAction::trigger);
    connect(&lessons, &LessonPanel::notOpened, this, &MainWindow::showBroken);
    connect(&lessons, &LessonPanel::figureAsked, actions_.exportFigure, &QAction::trigger);
    connect(drawer_, &QTabWidget::currentChanged, this, [this] {
        const QSignalBlocker quiet(actions_.lessons);
        actions_.lessons->setChecked(drawer_->isVisibleTo(this) && drawer_->showsLessons());
        layOut();
        stale_ = true;
    });
}

void MainWindow::showLessons(bool on)
{
    drawerChosen_ = true;
    if (on)
        drawer_->setCurrentWidget(&drawer_->lessons());
    if (on || drawer_->showsLessons())
        drawer_->setVisible(on);
    const QSignalBlocker one(actions_.drawer), other(actions_.lessons);
    actions_.drawer->setChecked(drawer_->isVisibleTo(this));
    actions_.lessons->setChecked(drawer_->isVisibleTo(this) && drawer_->showsLessons());
    layOut();
    stale_ = true;
}

void MainWindow::showNotation()
{
    if (!notation_) {
        notation_ = new NotationWindow(dark_ ? Theme::darkTheme() : Theme::light(), scale_, this);
        notation_->setAttribute(Qt::WA_DeleteOnClose);
    }
    notation_->show();
    notation_->raise();
    notation_->activateWindow();
}

bool MainWindow::openPage(const QString& id)
{
    if (!drawer_->showPage(id))
        return false;
    if (!actions_.drawer->isChecked())
        actions_.drawer->trigger();
    drawer_->refreshEquations();
    return true;
}

Result<void> MainWindow::openLesson(const QString& pathOrId)
{
    showLessons(true);
    return pathOrId.isEmpty() ? Result<void>() : drawer_->lessons().open(pathOrId);
}

void MainWindow::offerRestore(const QString& title, const QString& text, std::function<void(bool)> answer)
{
    card_->say(
        title, text, tr("Restore"), [answer] { answer(true); }, [answer] { answer(false); });
}

} // namespace driftless::ui
