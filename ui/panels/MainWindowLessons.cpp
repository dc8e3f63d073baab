// Lessons in the window, and the offer to restore a session.
#include "ui/panels/MainWindow.h"

#include "ui/panels/Drawer.h"
#include "ui/panels/LessonPanel.h"
#include "ui/panels/MessageCard.h"
#include "ui/panels/PlotColumn.h"
#include "ui/panels/TopBar.h"
#include "ui/views/LessonHandout.h"

namespace driftless::ui {

void MainWindow::connectLessons()
{
    LessonPanel& lessons = *lessons_;
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
    connect(&lessons, &LessonPanel::notationAsked, &actions_->at("notation"), &QAction::trigger);
    connect(drawer_, &Drawer::notationAsked, &actions_->at("notation"), &QAction::trigger);
    connect(&lessons, &LessonPanel::notOpened, this, &MainWindow::showBroken);
    connect(&lessons, &LessonPanel::figureAsked, &actions_->at("exportFigure"), &QAction::trigger);
}

void MainWindow::showLessons(bool on)
{
    lessons_->setVisible(on);
    actions_->show("lessons", on);
    layOut();
    stale_ = true;
}

void MainWindow::showDrawer(bool on)
{
    drawerChosen_[workspace_] = on;
    layOut();
    drawer_->refreshEquations();
    stale_ = true;
}

bool MainWindow::openPage(const QString& id)
{
    if (id == QLatin1String("lessons")) {
        showLessons(true);
        return true;
    }
    if (id.startsWith(QLatin1String("workspace_"))) {
        const Workspace wanted = workspaceOf(id.section('_', 1));
        if (workspaceAction(wanted) != id)
            return false;
        setWorkspace(wanted);
        return true;
    }
    if (!drawer_->showPage(id))
        return false;
    if (workspace_ != Workspace::Watch && workspace_ != Workspace::Build && workspace_ != Workspace::Equations)
        setWorkspace(Workspace::Equations);
    (void)drawer_->showPage(id);
    if (!actions_->isChecked("drawer"))
        actions_->at("drawer").trigger();
    drawer_->refreshEquations();
    return true;
}

Result<void> MainWindow::openLesson(const QString& pathOrId)
{
    showLessons(true);
    if (pathOrId.isEmpty())
        return {};
    auto opened = lessons_->open(pathOrId);
    if (opened && !isStaged() && !isEditing())
        setWorkspace(Workspace::Watch); // a lesson speaks of the scene and of the plots
    return opened;
}

/// Who dismisses it by habit loses nothing: to delete it is asked for by itself.
void MainWindow::offerRestore(const QString& title, const QString& text, std::function<void(Offer)> answer)
{
    card_->say(
        title, text, tr("Restore"), [answer] { answer(Offer::Restore); },
        [this, answer] {
            card_->say(
                tr("It is kept and offered again"), tr("The next window offers it, for 30 days."), tr("Delete it"),
                [answer] { answer(Offer::Delete); }, [answer] { answer(Offer::Later); });
        });
}

} // namespace driftless::ui
