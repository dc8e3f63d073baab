// Building a mechanism by hand: the tools over the scene, the tree beside it, the text in the drawer, all on one document.
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QLayout>

#include <functional>

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

namespace {

/// What the card says is of what was done before.
void turn(MessageCard& card, QUndoStack& stack, void (QUndoStack::*act)())
{
    card.leave();
    (stack.*act)();
}

} // namespace

void MainWindow::addEditActions()
{
    const ActionGroup group = ActionGroup::Edit;
    actions_->add({.id = "undo",
                   .words = tr("Undo"),
                   .key = QKeySequence::Undo,
                   .group = group,
                   .act = [this] { turn(*card_, document_.undoStack(), &QUndoStack::undo); },
                   .whyNot = [this] { return document_.undoStack().canUndo() ? QString() : tr("There is nothing to undo."); }});
    actions_->add({.id = "redo",
                   .words = tr("Redo"),
                   .key = Qt::CTRL | Qt::SHIFT | Qt::Key_Z,
                   .group = group,
                   .act = [this] { turn(*card_, document_.undoStack(), &QUndoStack::redo); },
                   .whyNot = [this] { return document_.undoStack().canRedo() ? QString() : tr("There is nothing to redo."); }});
    actions_->at("redo").setShortcuts({Qt::CTRL | Qt::SHIFT | Qt::Key_Z, Qt::CTRL | Qt::Key_Y}); // as other programs have it
    for (const char* id : {"undo", "redo"})
        actions_->at(id).setEnabled(false);
    actions_->add({.id = "edit",
                   .words = tr("Edit the mechanism"),
                   .key = Qt::Key_E,
                   .group = group,
                   .act = [this] { setEditing(actions_->isChecked("edit")); },
                   .checkable = true,
                   .apart = true});
    const auto step = [this] { return 2 * sceneEditor_->gridStep(); };
    const struct {
        const char* id;
        QString words;
        QKeySequence key;
        std::function<void()> act;
    } tools[] = {
        {"duplicateBodies", tr("Duplicate"), Qt::CTRL | Qt::Key_D, [this, step] { editor_->builder().duplicate(step()); }},
        {"removeBodies", tr("Remove"), QKeySequence::Delete,
         [this] { editor_->builder().remove(std::vector(editor_->selection().ids())); }},
        {"copyBodies", tr("Copy"), QKeySequence::Copy, [this] { copySelection(); }},
        {"pasteBodies", tr("Paste"), QKeySequence::Paste,
         [this, step] { editor_->builder().paste(QApplication::clipboard()->text(), step()); }},
        {"cancelTool", tr("Let go, or back to selecting"), Qt::Key_Escape, [this] { sceneEditor_->cancel(); }}};
    for (const auto& tool : tools) {
        auto* made = actions_->add(
            {.id = QString::fromLatin1(tool.id),
             .words = tool.words,
             .key = tool.key,
             .group = group,
             .act = tool.act,
             .whyNot = [this] { return isEditing() ? QString() : tr("It edits a mechanism: press E to begin with that."); },
             .apart = tool.id == tools[0].id,
             .during = tr("while building")});
        made->setEnabled(false); // its key means something else while one watches
        editActions_.push_back(made);
    }
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
    connect(editor_, &MechanismEditor::said, this, [this](const Diagnostic& diagnostic) { card_->refuse(diagnostic); });
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

bool MainWindow::isEditing() const { return actions_->isChecked("edit"); }

void MainWindow::setEditing(bool on)
{
    const bool already = on == isEditing() && on == (workspace_ == Workspace::Build);
    actions_->show("edit", on);
    if (on && document_.hasModel())
        document_.playback().pause();
    for (QAction* act : editActions_)
        act->setEnabled(on);
    for (const char* id : {"copyFigure", "deviation"}) // their keys mean something else here
        actions_->at(id).setEnabled(!on);
    if (on && actions_->isChecked("fan"))
        actions_->at("fan").trigger();
    if (!already)
        enterWorkspace(on ? Workspace::Build : Workspace::Watch);
    if (on && arranged_.drawer == DrawerPlace::Beside)
        (void)drawer_->showPage(QStringLiteral("model"));
    layOut();
    centralWidget()->layout()->activate(); // the sheet is fitted to the room it has now
    scene_->setGrabbing(!on);
    scene_->setDeviation(0, 0);
    actions_->show("deviation", false);
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
