// What a person can do with the window, menu by menu, and the files that come in.
#include "ui/panels/MainWindow.h"

#include <QCloseEvent>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QInputDialog>
#include <QMimeData>
#include <QProgressDialog>
#include <QStandardPaths>

#include <algorithm>

#include "core/system/StableName.h"
#include "core/text/PathText.h"
#include "ui/document/Preferences.h"
#include "ui/document/RecentFiles.h"
#include "ui/document/SessionReplay.h"
#include "ui/panels/CommandPalette.h"
#include "ui/panels/Drawer.h"
#include "ui/panels/Exports.h"
#include "ui/panels/FileDialogs.h"
#include "ui/panels/Help.h"
#include "ui/panels/Home.h"
#include "ui/panels/Laboratories.h"
#include "ui/panels/LessonPanel.h"
#include "ui/panels/MessageCard.h"
#include "ui/panels/ModelPage.h"
#include "ui/panels/StudyPage.h"
#include "ui/views/SceneView.h"

namespace driftless::ui {

namespace {

constexpr double kFan = 0.25; ///< of the model's size between neighbouring runs

/// From where a space model is seen. The scene is made after the actions.
void addLooks(Actions& actions, SceneView* const& scene)
{
    const struct {
        const char* id;
        QString words;
        QKeySequence key;
        SceneView::Look look;
    } looks[] = {
        {"lookHome", MainWindow::tr("First look at the mechanism"), Qt::CTRL | Qt::ALT | Qt::Key_0, SceneView::Look::Home},
        {"lookFront", MainWindow::tr("Seen from the front"), Qt::CTRL | Qt::ALT | Qt::Key_1, SceneView::Look::Front},
        {"lookSide", MainWindow::tr("Seen from the side"), Qt::CTRL | Qt::ALT | Qt::Key_2, SceneView::Look::Side},
        {"lookTop", MainWindow::tr("Seen from above"), Qt::CTRL | Qt::ALT | Qt::Key_3, SceneView::Look::Top}};
    for (const auto& entry : looks)
        actions.add({.id = QString::fromLatin1(entry.id),
                     .words = entry.words,
                     .key = entry.key,
                     .group = ActionGroup::View,
                     .act = [&scene, look = entry.look] { scene->lookFrom(look); },
                     .whyNot =
                         [&scene] {
                             return scene->isSpace() ? QString()
                                                     : MainWindow::tr("A mechanism in the plane is seen from the front.");
                         }});
}

/// A name that stays, where no file is called so.
std::optional<model::StableName> namedBy(const QString& path)
{
    return QFileInfo::exists(path) ? std::nullopt : model::readStableName(path.toStdString());
}

Result<void> goToStep(LessonPanel& lessons, int step)
{
    const int steps = static_cast<int>(lessons.current()->steps.size());
    if (step > steps)
        return Diagnostic{.what = "The lesson has no step " + std::to_string(step),
                          .where = lessons.current()->id,
                          .why = "it has " + std::to_string(steps)};
    lessons.goTo(step - 1);
    return {};
}

} // namespace

// --- when it is possible ---

std::function<QString()> MainWindow::needsModel()
{
    return [this] { return document_.hasModel() ? QString() : tr("No model is open."); };
}

std::function<QString()> MainWindow::needsRun()
{
    return [this] { return document_.runs().empty() ? tr("There is no run: add one first.") : QString(); };
}

std::function<QString()> MainWindow::whileWatching(std::function<QString()> also)
{
    return [this, also = std::move(also)] {
        return isEditing() ? tr("A mechanism is being edited: press E to go back to watching.") : also();
    };
}

// --- the entries, menu by menu ---

void MainWindow::makeActions()
{
    actions_ = new Actions(*this);
    connect(actions_, &Actions::refused, this, [this](const QString& words, const QString& why) { card_->say(words, why); });
    addFileActions();
    addExportActions();
    addEditActions();
    addRunActions();
    addViewActions();
    addWorkspaceActions();
    addLaboratoryActions();
    addHelpActions();
}

void MainWindow::addFileActions()
{
    const ActionGroup group = ActionGroup::File;
    actions_->add({.id = "newMechanism", .words = tr("New mechanism"), .key = QKeySequence::New, .group = group, .act = [this] {
                       newMechanism();
                   }});
    actions_->add(
        {.id = "open", .words = tr("Open…"), .key = QKeySequence::Open, .group = group, .act = [this] { dialogs_->open(); }});
    actions_->add(
        {.id = "gallery", .words = tr("Home…"), .key = Qt::CTRL | Qt::Key_G, .group = group, .act = [this] { openGallery(); }});
    actions_->add({.id = "save",
                   .words = tr("Save"),
                   .key = QKeySequence::Save,
                   .group = group,
                   .act = [this] { dialogs_->save(false); },
                   .whyNot = needsModel(),
                   .apart = true});
    actions_->add({.id = "saveAs",
                   .words = tr("Save as…"),
                   .key = Qt::CTRL | Qt::SHIFT | Qt::Key_S,
                   .group = group,
                   .act = [this] { dialogs_->save(true); },
                   .whyNot = needsModel()});
    actions_->add({.id = "saveModel",
                   .words = tr("Save the model…"),
                   .key = Qt::CTRL | Qt::ALT | Qt::Key_S,
                   .group = group,
                   .act = [this] { dialogs_->saveModel(); },
                   .whyNot = needsModel()});
}

void MainWindow::addRunActions()
{
    const ActionGroup group = ActionGroup::Run;
    actions_->add({.id = "play",
                   .words = tr("Play"),
                   .key = Qt::Key_Space,
                   .group = group,
                   .act =
                       [this] {
                           if (document_.laboratory().clock().playing)
                               document_.playback().pause();
                           else
                               document_.playback().play();
                       },
                   .whyNot = needsModel()});
    actions_->add({.id = "step",
                   .words = tr("One step"),
                   .key = Qt::Key_Period,
                   .group = group,
                   .act =
                       [this] {
                           document_.playback().stepOnce();
                           stale_ = true;
                       },
                   .whyNot = needsRun()});
    actions_->add({.id = "reset",
                   .words = tr("Back to the start"),
                   .key = Qt::Key_Home,
                   .group = group,
                   .act = [this] { document_.edits().reset(); },
                   .whyNot = needsModel()});
    actions_->add(
        {.id = "now",
         .words = tr("Back to now"),
         .key = Qt::Key_End,
         .group = group,
         .act =
             [this] {
                 document_.playback().backToNow();
                 stale_ = true;
             },
         .whyNot =
             [this] { return document_.lookBack().looksBack() ? QString() : tr("This is now: no earlier time is looked at."); },
         .tip = tr("An earlier time is looked at, with what was integrated then. A change made now goes on from there "
                   "and cuts what follows")});
    const struct {
        const char* id;
        QString words;
        Qt::Key key;
        int by;
        QString end;
    } speeds[] = {{"slower", tr("Play slower"), Qt::Key_Minus, -1, tr("This is the slowest speed.")},
                  {"faster", tr("Play faster"), Qt::Key_Plus, 1, tr("This is the fastest speed.")}};
    for (const auto& entry : speeds)
        actions_->add({.id = QString::fromLatin1(entry.id),
                       .words = entry.words,
                       .key = entry.key,
                       .group = group,
                       .act =
                           [this, by = entry.by] {
                               topBar_->turnSpeed(by);
                               showStageTime(document_.laboratory().clock().t);
                           },
                       .whyNot =
                           [this, by = entry.by, end = entry.end, model = needsModel()] {
                               const QString none = model();
                               return !none.isEmpty() || topBar_->canTurnSpeed(by) ? none : end;
                           }});
    actions_->add({.id = "addRun",
                   .words = tr("Add run"),
                   .key = Qt::CTRL | Qt::Key_R,
                   .group = group,
                   .act = [this] { addDefaultRun(); },
                   .whyNot = needsModel(),
                   .apart = true,
                   .tip = tr("Another run from the same start, with the settings of the selected one")});
    actions_->add({.id = "removeRun",
                   .words = tr("Remove the selected run"),
                   .group = group,
                   .act = [this] { document_.control().removeRun(document_.bench().selected()); },
                   .whyNot = needsRun()});
    actions_->add({.id = "everyStep",
                   .words = tr("Record every step"),
                   .group = group,
                   .act = [this] { recordEveryStep(actions_->isChecked("everyStep")); },
                   .checkable = true,
                   .apart = true,
                   .tip = tr("Otherwise steps that no curve needs are neither measured nor recorded, which takes less time and "
                             "memory")});
    showRows();
    actions_->add({.id = "memory", .words = tr("Memory of a recording…"), .group = group, .act = [this] { askForMemory(); }});
}

void MainWindow::addViewActions()
{
    const ActionGroup group = ActionGroup::View;
    actions_->add(
        {.id = "fit", .words = tr("Show everything"), .key = Qt::Key_F, .group = group, .act = [this] { scene_->fit(); }});
    addLooks(*actions_, scene_);
    actions_->add({.id = "fan",
                   .words = tr("Fan the runs out"),
                   .key = Qt::CTRL | Qt::Key_F,
                   .group = group,
                   .act = [this] { setFan(actions_->isChecked("fan")); },
                   .checkable = true});
    actions_->add({.id = "deviation",
                   .words = tr("Differences magnified"),
                   .key = Qt::CTRL | Qt::Key_D,
                   .group = group,
                   .act = [this] { setDeviation(actions_->isChecked("deviation")); },
                   .whyNot = whileWatching([] { return QString(); }),
                   .checkable = true,
                   .tip = tr("Differences from the reference run, times the power of ten that suits them now"),
                   .during = tr("while watching")});
    actions_->add({.id = "arrows",
                   .words = tr("Forces and velocities"),
                   .key = Qt::CTRL | Qt::SHIFT | Qt::Key_F,
                   .group = group,
                   .act =
                       [this] {
                           scene_->setArrowsVisible(actions_->isChecked("arrows"));
                           stale_ = true;
                       },
                   .checkable = true,
                   .tip = tr("Arrows of the constraint forces, and of the velocities that outputs name")});
    actions_->add({.id = "drawer",
                   .words = tr("Equations, model, messages"),
                   .key = Qt::Key_F4,
                   .group = group,
                   .act = [this] { showDrawer(actions_->isChecked("drawer")); },
                   .whyNot =
                       [this] {
                           const bool there = workspace_ == Workspace::Watch || workspace_ == Workspace::Build;
                           return there ? QString() : tr("These pages have a workspace of their own: Equations (Alt+3).");
                       },
                   .checkable = true,
                   .apart = true});
    const struct {
        const char* page;
        QString words;
    } pages[] = {{"equations", tr("Equations that are integrated")},
                 {"structure", tr("Structure of the equations")},
                 {"model", tr("Text of the model")},
                 {"messages", tr("Messages")},
                 {"start", tr("Start values")}};
    for (const auto& [page, words] : pages)
        actions_->add({.id = QStringLiteral("page_") + page,
                       .words = words,
                       .group = group,
                       .act = [this, id = QString::fromLatin1(page)] { openPage(id); }});
    actions_->add({.id = "theme",
                   .words = tr("Light or dark"),
                   .key = Qt::CTRL | Qt::Key_T,
                   .group = group,
                   .act = [this] { setDark(!dark_); },
                   .apart = true});
    actions_->add({.id = "presentation",
                   .words = tr("Large type"),
                   .key = Qt::SHIFT | Qt::Key_F5,
                   .group = group,
                   .act = [this] { setPresenting(actions_->isChecked("presentation")); },
                   .checkable = true});
    actions_->add(
        {.id = "stage",
         .words = tr("Stage mode"),
         .key = Qt::Key_F5,
         .group = group,
         .act = [this] { setStaged(actions_->isChecked("stage")); },
         .whyNot = needsModel(),
         .checkable = true,
         .tip = tr("The full screen for the scene and one plot, with the step of a lesson as a caption. Page Down and "
                   "Page Up turn its steps, 1 to 9 switch the formulation, a full stop blanks, Escape leaves")});
}

void MainWindow::addLaboratoryActions()
{
    const ActionGroup group = ActionGroup::Laboratory;
    actions_->add({.id = "lessons",
                   .words = tr("Lessons"),
                   .key = Qt::Key_F1,
                   .group = group,
                   .act = [this] { showLessons(actions_->isChecked("lessons")); },
                   .checkable = true});
    actions_->add({.id = "pencil",
                   .words = tr("Linear DAE laboratory"),
                   .key = Qt::CTRL | Qt::Key_L,
                   .group = group,
                   .act = [this] { setWorkspace(Workspace::Linear); },
                   .apart = true});
    actions_->add({.id = "lineariseHere",
                   .words = tr("Linearise the selected run here"),
                   .key = Qt::CTRL | Qt::SHIFT | Qt::Key_L,
                   .group = group,
                   .act = [this] { laboratories_->lineariseHere(); },
                   .whyNot = needsRun()});
    actions_->add(
        {.id = "methods", .words = tr("Method laboratory"), .key = Qt::CTRL | Qt::Key_M, .group = group, .act = [this] {
             setWorkspace(Workspace::Methods);
         }});
    actions_->add(
        {.id = "precision", .words = tr("Work and precision…"), .key = Qt::CTRL | Qt::Key_P, .group = group, .act = [this] {
             laboratories_->openPrecision();
         }});
}

void MainWindow::addHelpActions()
{
    const ActionGroup group = ActionGroup::Help;
    actions_->add({.id = "palette",
                   .words = tr("Find anything by name…"),
                   .key = Qt::CTRL | Qt::Key_K,
                   .group = group,
                   .act = [this] { openPalette(); },
                   .tip = tr("Actions, models, lessons, studies, formulations, integrators")});
    const struct {
        const char* id;
        QString words;
        QKeySequence key;
        HelpPage page;
    } pages[] = {{"shortcuts", tr("Shortcuts"), Qt::CTRL | Qt::Key_F1, HelpPage::Shortcuts},
                 {"notation", tr("Notation"), Qt::SHIFT | Qt::Key_F1, HelpPage::Notation},
                 {"glossary", tr("Glossary"), {}, HelpPage::Glossary},
                 {"about", tr("About Driftless"), {}, HelpPage::About}};
    for (const auto& entry : pages)
        actions_->add({.id = QString::fromLatin1(entry.id),
                       .words = entry.words,
                       .key = entry.key,
                       .group = group,
                       .act = [this, page = entry.page] { help_->show(page); },
                       .apart = entry.page == HelpPage::Shortcuts || entry.page == HelpPage::About});
}

// --- what they do ---

void MainWindow::openGallery()
{
    auto* home = new Home(homeEntries(*actions_), dark_ ? Theme::darkTheme() : Theme::light(), this);
    home->setAttribute(Qt::WA_DeleteOnClose);
    connect(
        home, &Home::fileChosen, this, [this](const QString& path) { openChosen(path); }, Qt::QueuedConnection);
    connect(
        home, &Home::lessonChosen, this, [this](const QString& id) { (void)openLesson(id); }, Qt::QueuedConnection);
    connect(
        home, &Home::actionChosen, this, [this](const QString& id) { actions_->at(id).trigger(); }, Qt::QueuedConnection);
    home->open();
}

void MainWindow::openPalette()
{
    auto* palette = new CommandPalette(paletteEntries(*actions_, document_,
                                                      {.openPath = [this](const QString& path) { (void)openByHand(path); },
                                                       .openLesson = [this](const QString& id) { (void)openLesson(id); }}),
                                       isStaged() ? static_cast<QWidget*>(stage_) : this);
    connect(palette, &CommandPalette::refused, this,
            [this](const QString& words, const QString& why) { card_->say(words, why); });
    palette->open();
}

void MainWindow::recordEveryStep(bool on)
{
    const run::Rows rows = on ? run::Rows::EveryStep : run::Rows::AsCurvesNeed;
    preferRows(rows);
    if (document_.hasModel())
        (void)document_.laboratory().recordRows(rows); // which nothing refuses
    stale_ = true;
}

void MainWindow::askForMemory()
{
    auto* dialog = new QInputDialog(this);
    dialog->setObjectName("memoryDialog");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Memory of a recording"));
    dialog->setLabelText(tr("Of each run that is added or started again from a file [MiB].\nBeyond it, every second of the "
                            "older rows goes; curves keep their minima and maxima."));
    dialog->setInputMode(QInputDialog::IntInput);
    dialog->setIntRange(kLeastMemory, kMostMemory);
    dialog->setIntValue(preferredMemory());
    connect(dialog, &QInputDialog::intValueSelected, this, [this](int mebibytes) {
        preferMemory(mebibytes);
        if (document_.hasModel())
            document_.laboratory().setRecordingBudget(static_cast<std::uint64_t>(mebibytes) << 20);
    });
    dialog->open();
}

void MainWindow::setFan(bool on)
{
    scene_->setFanOut(on ? kFan : 0);
    stale_ = true;
}

void MainWindow::setDeviation(bool on)
{
    int place = 0, reference = 0;
    for (const RunEntry& run : document_.runs()) {
        if (!run.visible)
            continue;
        if (run.key == document_.bench().reference())
            reference = place;
        ++place;
    }
    scene_->setDeviation(on ? scene_->suitedDeviation(reference) : 0, reference);
    stale_ = true;
}

void MainWindow::showRows()
{
    const auto& runs = document_.runs();
    const auto recordsEvery = [this](const RunEntry& run) {
        return document_.status(run.key).settings.rows == run::Rows::EveryStep;
    };
    actions_->show(QStringLiteral("everyStep"),
                   runs.empty() ? preferredRows() == run::Rows::EveryStep : std::ranges::all_of(runs, recordsEvery));
}

void MainWindow::addDefaultRun()
{
    const std::size_t before = document_.runs().size();
    if (document_.find(document_.bench().selected()))
        document_.control().duplicateRun(document_.bench().selected());
    else if (document_.hasModel())
        document_.control().addRun(document_.bench().defaultSettings());
    if (document_.runs().size() > before)
        document_.bench().select(document_.runs().back().key); // what is chosen next is chosen for the new one
}

// --- files ---

Result<void> MainWindow::openPath(const QString& path)
{
    const bool busy = document_.files().isReplaying();
    if (!busy) {
        firstStart_ = false;
        card_->leave(); // what is said from here on is about this file
        replayCancelled_ = false;
    }
    if (path.endsWith(QStringLiteral(".csv"), Qt::CaseInsensitive)) { // beside what is open, not in its place
        auto shown = document_.files().showMeasured(path);
        if (shown)
            plots_->showQuantityOf(document_.bench().measured().back());
        else
            card_->say(shown.error());
        return shown;
    }
    const auto named = namedBy(path);
    const bool lesson =
        named ? named->kind == model::StableName::Kind::Lesson : lesson::isLesson(textToPath(path.toStdU16String()));
    const QString what = named ? QString::fromStdString(named->id) : path;
    auto opened = lesson ? openLesson(what) : document_.files().open(what);
    if (opened && named && named->step > 0)
        opened = goToStep(*lessons_, named->step);
    if (!opened) {
        if (busy) // nothing is wrong with the file
            card_->say(opened.error());
        else if (replayCancelled_)
            card_->say({.what = "The session was not opened",
                        .where = path.toStdString(),
                        .why = "it was cancelled; what was open before is still here"});
        else
            showBroken(path, opened.error());
        return opened;
    }
    drawer_->model().showModel();
    scene_->fit(); // an edit keeps the view, another file does not
    if (QFileInfo(path).isFile())
        rememberFile(path);
    topBar_->showRecent(recentFiles());
    return opened;
}

/// A session is repeated as long as it took: what is open stays in sight meanwhile, and the wait can be ended.
void MainWindow::connectReplay()
{
    constexpr int kParts = 1000, kPatience = 400; // [ms] before anything is shown
    connect(&document_, &Document::replaying, this, [this](SessionReplay* replay) {
        auto* wait = new QProgressDialog(tr("The session is repeated step by step."), tr("Cancel"), 0, kParts, this);
        wait->setObjectName("replayDialog");
        wait->setWindowModality(Qt::WindowModal);
        wait->setAutoReset(false);
        wait->setMinimumDuration(kPatience);
        wait->setValue(0);
        connect(wait, &QProgressDialog::canceled, replay, &SessionReplay::stop);
        connect(wait, &QProgressDialog::canceled, this, [this] { replayCancelled_ = true; });
        connect(replay, &SessionReplay::progressed, wait,
                [wait](double share) { wait->setValue(std::clamp(static_cast<int>(kParts * share), 0, kParts - 1)); });
        connect(replay, &QObject::destroyed, wait, &QObject::deleteLater);
    });
}

/// The mistake may be in another file than the one that was opened: in the model of a study or lesson.
bool MainWindow::showBroken(const QString& path, const Diagnostic& problem)
{
    card_->say(problem);
    const QString named = QString::fromStdString(problem.position.file);
    for (const QString& file : {named, QFileInfo(path).dir().filePath(named), path})
        if (!file.isEmpty() && drawer_->model().showBroken(file, problem))
            return openPage(QStringLiteral("model"));
    if (QFileInfo(path).isFile())
        drawer_->model().showModel(); // a file without text: what is said of another one would be taken for its own
    return false;
}

bool MainWindow::showsBroken() const { return drawer_->model().showsBroken(); }

void MainWindow::closeEvent(QCloseEvent* event)
{
    // A person who only watched loses nothing; edits are asked about.
    event->setAccepted(dialogs_->askAboutEdits(FileDialogs::Leaving::Window, [this] { close(); }));
    if (event->isAccepted())
        setStaged(false); // a stage that stays open would keep the program running
}

/// A file that a person chose. A session takes the place of all that is open, and undo does not bring that back.
void MainWindow::openChosen(const QString& path)
{
    if (document_.files().isReplaying() || !path.endsWith(QStringLiteral(".driftless"))
        || dialogs_->askAboutEdits(FileDialogs::Leaving::Session, [this, path] { (void)openByHand(path); }))
        (void)openByHand(path);
}

Result<void> MainWindow::openByHand(const QString& path)
{
    auto opened = openPath(path);
    const auto named = namedBy(path);
    const bool study = !named || named->kind == model::StableName::Kind::Study; // a lesson may be called as a study is
    if (opened && study && studies_->open(named ? QString::fromStdString(named->id) : path))
        setWorkspace(Workspace::Study);
    return opened;
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls() && event->mimeData()->urls().size() == 1
        && event->mimeData()->urls().front().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) { openChosen(event->mimeData()->urls().front().toLocalFile()); }

} // namespace driftless::ui
