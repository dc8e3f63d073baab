// The six workspaces of the window: which of its parts stands in the middle, which beside it, and which are out of sight.
#include <QBoxLayout>
#include <QStatusBar>

#include "ui/document/Preferences.h"
#include "ui/panels/Drawer.h"
#include "ui/panels/Laboratories.h"
#include "ui/panels/MainWindow.h"
#include "ui/panels/MessageCard.h"
#include "ui/panels/MethodWindow.h"
#include "ui/panels/PencilWindow.h"
#include "ui/panels/StudyPage.h"
#include "ui/views/SceneView.h"

namespace driftless::ui {

void MainWindow::addWorkspaceActions()
{
    for (const Workspace workspace : kWorkspaces) {
        const WorkspaceInfo info = workspaceInfo(workspace);
        QAction* made = actions_->add({.id = workspaceAction(workspace),
                                       .words = info.words,
                                       .key = QKeySequence(Qt::ALT | (Qt::Key_1 + static_cast<int>(workspace))),
                                       .group = ActionGroup::View,
                                       .act =
                                           [this, workspace, id = QString::fromLatin1(info.id)] {
                                               setWorkspace(workspace);
                                               preferWorkspace(id);
                                           },
                                       .checkable = true,
                                       .apart = workspace == Workspace::Watch,
                                       .tip = info.tip});
        made->setIconText(info.label); // on the rail
    }
}

void MainWindow::setWorkspace(Workspace wanted)
{
    setStaged(false);
    if ((wanted == Workspace::Build) != isEditing())
        setEditing(wanted == Workspace::Build); // which also leaves Build for Watch
    const QString page = drawer_->currentWidget()->property("page").toString();
    if (wanted == Workspace::Equations && page != QLatin1String("equations") && page != QLatin1String("structure"))
        (void)drawer_->showPage(QStringLiteral("equations")); // what the workspace is called by
    enterWorkspace(wanted);
}

void MainWindow::enterWorkspace(Workspace wanted)
{
    const double before = drawerScale();
    workspace_ = wanted;
    if (drawerScale() != before)
        drawer_->setTheme(dark_ ? Theme::darkTheme() : Theme::light(), drawerScale());
    for (const Workspace workspace : kWorkspaces)
        actions_->show(workspaceAction(workspace), workspace == wanted);
    layOut();
    placeCard();
    if (wanted == Workspace::Study)
        studies_->showOpened();
    drawer_->refreshEquations();
    centre_->setFocus(); // keys act there, and no field asks for the first letter
    stale_ = true;
}

void MainWindow::restoreWorkspace() { setWorkspace(workspaceOf(preferredWorkspace())); }

/// What the middle of a workspace belongs to.
QWidget* MainWindow::centreOf(Workspace workspace)
{
    switch (workspace) {
    case Workspace::Equations:
        return drawer_;
    case Workspace::Methods:
        return &laboratories_->methods();
    case Workspace::Linear:
        return &laboratories_->pencil();
    case Workspace::Study:
        return studies_;
    case Workspace::Watch:
    case Workspace::Build:
        break;
    }
    return host_;
}

/// Moves the parts to their places; does nothing where they are there already.
void MainWindow::arrange(const Arrangement& wanted)
{
    if (wanted == arranged_ && centre_)
        return;
    arranged_ = wanted;
    QWidget* centre = centreOf(wanted.workspace);
    if (centre_ && centre_ != centre) {
        middle_->removeWidget(centre_);
        centre_->hide();
    }
    centre_ = centre;
    const bool whole = centre == host_;
    host_->setMinimumSize(0, 0);
    host_->setMaximumSize(QWIDGETSIZE_MAX, QWIDGETSIZE_MAX);
    for (QBoxLayout* layout : {right_, upper_, middle_})
        layout->removeWidget(drawer_);
    if (wanted.drawer == DrawerPlace::Below)
        right_->insertWidget(right_->indexOf(statusLine_), drawer_);
    else if (wanted.drawer == DrawerPlace::Beside)
        upper_->addWidget(drawer_);
    if (!whole && wanted.side)
        side_->insertWidget(0, host_);
    else if (!whole)
        side_->removeWidget(host_);
    middle_->insertWidget(0, centre, 1);
    host_->setVisible(whole || wanted.side);
    centre->show();
    drawer_->setMinimumSize(0, 0);
    drawer_->setMaximumSize(QWIDGETSIZE_MAX, QWIDGETSIZE_MAX);
}

/// A page that fills the window is read from farther away.
double MainWindow::drawerScale() const
{
    constexpr double kLarger = 1.25;
    return workspace_ == Workspace::Equations ? kLarger * scale_ : scale_;
}

/// Messages lie over what is looked at.
void MainWindow::placeCard()
{
    const bool scene = isStaged() || workspace_ == Workspace::Watch || workspace_ == Workspace::Build;
    card_->moveOver(scene ? host_ : centre_);
}

} // namespace driftless::ui
