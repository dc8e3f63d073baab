// Building a mechanism by hand: the tools over the scene, the tree beside it, the text in the drawer, all on one document.
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QScrollArea>

#include "ui/document/RecentFiles.h"
#include "ui/panels/Drawer.h"
#include "ui/panels/EditPanel.h"
#include "ui/panels/EditStrip.h"
#include "ui/panels/MainWindow.h"
#include "ui/panels/MessageCard.h"
#include "ui/panels/ModelPage.h"
#include "ui/views/SceneEditor.h"
#include "ui/views/SceneView.h"

namespace driftless::ui {

void MainWindow::makeEditActions()
{
    auto& a = actions_;
    a.edit = action(tr("Edit the mechanism"), Qt::Key_E, "edit", [this] { setEditing(actions_.edit->isChecked()); });
    a.edit->setCheckable(true);
    a.newMechanism = action(tr("New mechanism"), QKeySequence::New, "newMechanism", [this] { newMechanism(); });
    a.saveModel = action(tr("Save the model…"), Qt::CTRL | Qt::ALT | Qt::Key_S, "saveModel", [this] {
        askPath(tr("Save the model"), tr("Models (*.toml)"), "toml", "saveModelDialog",
                [this](const QString& path) { return document_.files().saveModel(path); });
    });
    const auto editing = [this](QAction* made) {
        made->setEnabled(false);
        editActions_.push_back(made);
    };
    editing(action(tr("Duplicate"), Qt::CTRL | Qt::Key_D, "duplicateBodies",
                   [this] { editor_->builder().duplicate(2 * sceneEditor_->gridStep()); }));
    editing(action(tr("Remove"), QKeySequence::Delete, "removeBodies",
                   [this] { editor_->builder().remove(std::vector(editor_->selection().ids())); }));
    editing(action(tr("Copy"), QKeySequence::Copy, "copyBodies", [this] { copySelection(); }));
    editing(action(tr("Paste"), QKeySequence::Paste, "pasteBodies",
                   [this] { editor_->builder().paste(QApplication::clipboard()->text(), 2 * sceneEditor_->gridStep()); }));
    editing(action(tr("Let go, or back to selecting"), Qt::Key_Escape, "cancelTool", [this] { sceneEditor_->cancel(); }));
}

void MainWindow::copySelection()
{
    if (const QString tables = editor_->builder().copied(); !tables.isEmpty())
        QApplication::clipboard()->setText(tables);
    else
        card_->say(tr("There is nothing to copy."), tr("Select one or more bodies first."));
}

void MainWindow::makeEditor()
{
    editor_ = new MechanismEditor(document_, this);
    sceneEditor_ = new SceneEditor(scene_, *editor_);
    strip_ = new EditStrip(*sceneEditor_, scene_);
    editLine_ = new EditStatusLine(*editor_, scene_);
    editPanel_ = new EditPanel(*editor_);
    editPanel_->hide();
    connect(editor_, &MechanismEditor::changed, this, &MainWindow::refreshEditor);
    connect(editor_, &MechanismEditor::said, this, [this](const Diagnostic& diagnostic) { card_->say(diagnostic); });
    connect(editor_, &MechanismEditor::told, editLine_, &EditStatusLine::tell);
    connect(editor_, &MechanismEditor::selectionChanged, this, &MainWindow::showSelectedText);
}

/// The text shows the table of what is selected.
void MainWindow::showSelectedText()
{
    if (!drawer_ || !isEditing() || !editor_->mechanism().text() || editor_->selection().ids().size() != 1)
        return;
    if (const auto* place = editor_->mechanism().placeOf(editor_->selection().ids().front())) {
        const auto span = editor_->mechanism().text()->span(place->kind, place->number);
        drawer_->model().showPart(span.begin, span.end);
    }
}

void MainWindow::connectEditor()
{
    connect(drawer_, &QTabWidget::currentChanged, this, &MainWindow::showSelectedText);
    connect(&drawer_->model(), &ModelPage::cursorPlaced, editor_, [this](std::size_t byte) {
        const auto* place = editor_->mechanism().text() && isEditing() ? editor_->mechanism().text()->placeAt(byte) : nullptr;
        if (place)
            editor_->selection().select({EditedMechanism::idOf(*place)});
    });
    connect(&drawer_->model(), &ModelPage::mended, this, [this](const QString& path) {
        scene_->fit();
        rememberFile(path);
        topBar_->showRecent(recentFiles());
    });
    connect(&drawer_->model(), &ModelPage::reopenAsked, this, &MainWindow::openPath);
    refreshEditor();
}

void MainWindow::refreshEditor()
{
    if (!drawer_)
        return; // still being built
    if (const RunEntry* run = document_.find(document_.bench().selected()))
        sceneEditor_->setColour(run->colour);
    if (!isEditing())
        return;
    strip_->refresh();
    editLine_->refresh();
    stale_ = true;
}

bool MainWindow::isEditing() const { return actions_.edit && actions_.edit->isChecked(); }

void MainWindow::setEditing(bool on)
{
    {
        const QSignalBlocker quiet(actions_.edit);
        actions_.edit->setChecked(on);
    }
    if (on && document_.hasModel())
        document_.playback().pause();
    for (QAction* act : editActions_)
        act->setEnabled(on);
    for (QAction* act : {actions_.copyFigure, actions_.deviation}) // their keys mean something else here
        act->setEnabled(!on);
    if (on && actions_.fan->isChecked())
        actions_.fan->trigger();
    left_->setVisible(!on);
    editPanel_->setVisible(on);
    scene_->setGrabbing(!on);
    scene_->setDeviation(0, 0);
    actions_.deviation->setChecked(false);
    scene_->fit();
    scene_->keepView(on);
    editor_->setActive(on);
    drawer_->model().setLive(on);
    sceneEditor_->setActive(on);
    strip_->setVisible(on);
    editLine_->setVisible(on);
    refreshEditor();
    stale_ = true;
}

void MainWindow::newMechanism()
{
    firstStart_ = false;
    if (auto made = document_.opener().newMechanism(); !made) {
        card_->say(made.error());
        return;
    }
    card_->leave();
    if (!isEditing())
        setEditing(true);
    scene_->fit();
}

} // namespace driftless::ui
