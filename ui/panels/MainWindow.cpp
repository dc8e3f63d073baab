#include "ui/panels/MainWindow.h"

#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QResizeEvent>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/formulation/Formulation.h"
#include "ui/document/ModelPace.h"
#include "ui/document/RecentFiles.h"
#include "ui/document/TakenBack.h"
#include "ui/panels/AccessibleRoles.h"
#include "ui/panels/Controls.h"
#include "ui/panels/Drawer.h"
#include "ui/panels/EditPanel.h"
#include "ui/panels/EditStrip.h"
#include "ui/panels/Exports.h"
#include "ui/panels/FileDialogs.h"
#include "ui/panels/FormulationList.h"
#include "ui/panels/Help.h"
#include "ui/panels/KeyRules.h"
#include "ui/panels/Laboratories.h"
#include "ui/panels/LessonPanel.h"
#include "ui/panels/MessageCard.h"
#include "ui/panels/ModelPage.h"
#include "ui/panels/ParameterPanel.h"
#include "ui/panels/PivotPanel.h"
#include "ui/panels/PlotColumn.h"
#include "ui/panels/RunBoard.h"
#include "ui/panels/StageWindow.h"
#include "ui/panels/StartPage.h"
#include "ui/panels/StructurePage.h"
#include "ui/panels/StudyPage.h"
#include "ui/panels/StudyShare.h"
#include "ui/views/PlotData.h"
#include "ui/views/SceneEditor.h"
#include "ui/views/SceneHighlight.h"
#include "ui/views/SceneView.h"
#include "ui/views/StyleSheet.h"
#include "ui/views/TextGuard.h"
#include "ui/views/TimeLine.h"

// The sheet of its parts lies in a static library, which has to be asked for it, outside of any namespace.
static void loadParts() { Q_INIT_RESOURCE(parts); }

namespace driftless::ui {

namespace {

constexpr int kFrameMilliseconds = 16;
constexpr std::uint64_t kPlotEvery = 3; ///< frames between two plots: they refresh in turn, twenty a second
constexpr std::uint64_t kPanelsEvery = 6;
constexpr std::uint64_t kPanelsFrame = 1; ///< of those: neither the one that polls nor one that draws a plot
constexpr double kLongestFrame = 0.25;    ///< [s] of wall time that one frame may make up for
constexpr double kPresentationScale = 1.4;
constexpr QSize kLeastSize{1000, 530}; ///< with its title and a bar of the desktop on a screen of 1024 x 600

void dressApplication(const Theme& theme, double scale)
{
    loadParts();
    applyTheme(*qApp, theme, scale, sheetText(QStringLiteral("parts")));
}

/// A session knows what the plots show, and what stands in the place of the scene where a model draws nothing.
void keepPlots(Document& document, PlotColumn& plots, PlotColumn& portrait, MessageCard& card)
{
    const auto note = [&document, &plots, &portrait] {
        std::vector<ShownPlot> all = plots.chosenPlots();
        if (auto inScene = portrait.chosenPlots(); !inScene.empty() && portrait.isVisibleTo(portrait.parentWidget())) {
            inScene.front().inScene = true;
            all.push_back(inScene.front());
        }
        document.files().notePlots(std::move(all));
    };
    for (const PlotColumn* column : {&plots, &portrait})
        QObject::connect(column, &PlotColumn::chosen, &document, note);
    QObject::connect(
        &document.files(), &DocumentFiles::plotsOpened, &plots,
        [&plots, &portrait, &card](std::vector<ShownPlot> asked, const QStringList& unknown) {
            const auto inScene = std::ranges::stable_partition(asked, [](const ShownPlot& plot) { return !plot.inScene; });
            const std::vector<ShownPlot> there(inScene.begin(), inScene.end());
            asked.erase(inScene.begin(), asked.end());
            const QStringList left = unknown + plots.choosePlots(asked) + portrait.choosePlots(there);
            if (!left.isEmpty())
                card.say(QObject::tr("The session asks for plots that there are not: %1").arg(left.join(QStringLiteral(", "))),
                         QObject::tr("Those plots show what they showed before."));
        });
    note();
}

} // namespace

MainWindow::MainWindow(Document& document, bool dark, QWidget* parent) : QMainWindow(parent), document_(document), dark_(dark)
{
    setObjectName("mainWindow");
    new TextGuard(this);
    installAccessibleRoles();
    setAcceptDrops(true);
    dressApplication(dark ? Theme::darkTheme() : Theme::light(),
                     scale_); // before there is anything that would be dressed again
    setMinimumSize(kLeastSize);
    resize(1280, 720);
    makeActions();
    makeLayout();
    makeHelpers();
    connectDocument();
    enterWorkspace(Workspace::Watch);
    applyLook();
    rebuildAll();
    frameTimer_.setTimerType(Qt::PreciseTimer);
    frameTimer_.setInterval(kFrameMilliseconds);
    connect(&frameTimer_, &QTimer::timeout, this, &MainWindow::frame);
    new KeyRules(*this);
    scene_->setFocus(); // no button looks chosen before anybody chose it
}

MainWindow::~MainWindow() = default;

/// What works beside the layout: dialogs, exports, laboratories, help.
void MainWindow::makeHelpers()
{
    // What was refused is over with the next thing that works: a gesture, a change of a run, undo or redo, another run. What is
    // said of that itself stays.
    connect(&document_.undoStack(), &QUndoStack::indexChanged, card_, &MessageCard::endRefusal);
    connect(&document_, &Document::runsChanged, card_, &MessageCard::endRefusal);
    connect(&document_, &Document::benchChanged, card_, &MessageCard::endRefusal);
    const auto say = [this](const Diagnostic& why) { card_->say(why); };
    dialogs_ = new FileDialogs(document_, *this);
    dialogs_->setTyped([this](FileDialogs::Leaving what) {
        const QStringList start = drawer_->start().edited() ? QStringList(tr("start values on the page Start")) : QStringList();
        return what == FileDialogs::Leaving::Session ? start : start + laboratories_->typed() + drawer_->model().editedFiles();
    });
    connect(dialogs_, &FileDialogs::opened, this, &MainWindow::openChosen);
    connect(dialogs_, &FileDialogs::saved, this, [this](const QString& path) {
        topBar_->showRecent(recentFiles());
        const bool said = !card_->isHidden() && card_->title().startsWith(tr("The file is written")); // with more to it
        if (!said && (card_->isHidden() || card_->leaves()))                                          // else it asks something
            card_->say(tr("The file is written."), path);
    });
    connect(dialogs_, &FileDialogs::refused, this, say);
    exports_ = new Exports({.document = document_, .plots = *plots_, .scene = *scene_}, *this);
    connect(exports_, &Exports::written, this,
            [this](const QString& files) { card_->say(tr("The figure is written."), files); });
    connect(exports_, &Exports::copied, this, [this] { card_->say(tr("The picture is on the clipboard."), {}); });
    laboratories_ = new Laboratories(document_, *this);
    connect(laboratories_, &Laboratories::refused, this, say);
    connect(laboratories_, &Laboratories::pencilAsked, this, [this] { setWorkspace(Workspace::Linear); });
    connect(studies_, &StudyPage::refused, this, say);
    connect(studies_, &StudyPage::shareAsked, &actions_->at("shareStudy"), &QAction::trigger);
    connect(&studies_->sharing(), &StudyShare::written, this,
            [this](const QString& path) { card_->say(tr("The page is written."), path); });
    connect(studies_, &StudyPage::runsAsked, this, &MainWindow::openPath);
    help_ = new Help(*actions_, *this);
}

void MainWindow::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    layOut();
    stale_ = true;
}

void MainWindow::applyLook()
{
    const Theme& theme = dark_ ? Theme::darkTheme() : Theme::light();
    dressApplication(theme, scale_);
    fitHeights();
    topBar_->setTheme(theme, scale_);
    rail_->setTheme(theme, scale_);
    studies_->setTheme(theme, scale_);
    scene_->setDark(dark_);
    highlight_->setTheme(theme);
    sceneEditor_->setTheme(theme);
    strip_->setTheme(theme);
    timeLine_->setDark(dark_);
    timeLine_->setScale(scale_);
    plots_->setLook(dark_, scale_);
    portrait_->setLook(dark_, scale_);
    drawer_->setTheme(theme, drawerScale());
    lessons_->setTheme(theme, scale_);
    board_->setTheme(theme, scale_);
    parameters_->setTheme(theme, scale_);
    card_->setScale(scale_);
    laboratories_->setTheme(theme);
    help_->setTheme(theme, scale_);
    exports_->setDark(dark_);
    if (stage_)
        stage_->setTheme(theme);
    layOut();
    plots_->refreshAll();
    portrait_->refreshAll();
    stale_ = true;
}

void MainWindow::setDark(bool dark)
{
    dark_ = dark;
    applyLook();
}

void MainWindow::setPresenting(bool on)
{
    actions_->show("presentation", on);
    scale_ = on ? kPresentationScale : 1;
    applyLook();
}

// --- document to panels ---

void MainWindow::connectDocument()
{
    connect(&document_, &Document::benchChanged, this, &MainWindow::rebuildAll);
    connect(&document_, &Document::runsChanged, this, &MainWindow::rebuildCards);
    connect(&document_, &Document::settingsChanged, this, [this](int key) {
        board_->showSettings(key);
        showPanels(document_.hasModel() ? document_.laboratory().clock().t : 0);
        stale_ = true;
    });
    connect(&document_, &Document::parametersChanged, this, [this] {
        parameters_->refresh();
        drawer_->parametersChanged();
        stale_ = true;
    });
    connect(&document_, &Document::playingChanged, topBar_, &TopBar::setPlaying);
    connect(&document_, &Document::playingChanged, this, [this](bool playing) {
        if (playing && isEditing())
            setEditing(false); // what moves is watched, not built
        scene_->setFine(!playing);
        stale_ = true;
    });
    connect(&document_, &Document::branched, this, [this](double t, const QStringList& taken) {
        const bool playing = document_.laboratory().clock().playing;
        const QString words = playing ? tr("The runs go on from t = %1 s") : tr("The runs will go on from t = %1 s");
        const QString from = words.arg(t, 0, 'f', timeDecimals(timeLine_->span()));
        card_->say(taken.isEmpty() ? from : tr("%1 with %2, as shown").arg(from, listed(taken)),
                   tr("The change was made while looking back: what had been computed beyond that time is cut. Undo takes the "
                      "change back, not the cut."));
    });
    connect(&document_.bench(), &OpenBench::told, this,
            [this](const QString& what, const QString& more) { card_->say(what, more); });
    connect(&document_, &Document::refused, card_, &MessageCard::refuse);
    connectReplay();
    connect(&document_, &Document::messagesChanged, drawer_, &Drawer::showMessages);
    connect(&document_, &Document::titleChanged, this, [this] {
        setWindowTitle(document_.files().title());
        topBar_->setTitle(document_.files().title().section(QStringLiteral(" – "), 0, 0));
    });
    connect(&document_.undoStack(), &QUndoStack::canUndoChanged, &actions_->at("undo"), &QAction::setEnabled);
    connect(&document_.undoStack(), &QUndoStack::canRedoChanged, &actions_->at("redo"), &QAction::setEnabled);
    connect(&document_.undoStack(), &QUndoStack::undoTextChanged, this, [this](const QString& text) {
        actions_->at("undo").setToolTip(text.isEmpty() ? tr("Undo (Ctrl+Z)") : tr("Undo: %1 (Ctrl+Z)").arg(text));
    });
    connect(topBar_, &TopBar::speedChosen, this, [this](double speed) { document_.playback().setSpeed(speed); });
    connect(topBar_, &TopBar::recentChosen, this, &MainWindow::openChosen);
    connect(timeLine_, &TimeLine::scrubbed, this, [this](double t) {
        document_.playback().scrub(t);
        stale_ = true;
    });
    connect(plots_, &PlotColumn::timeRangeChanged, timeLine_, &TimeLine::setVisibleRange);
    keepPlots(document_, *plots_, *portrait_, *card_);
    connect(drawer_, &QTabWidget::currentChanged, drawer_, &Drawer::refreshEquations);
    connectLessons();
    connect(drawer_, &Drawer::correctionChanged, this, &MainWindow::showCorrection);
    connect(&drawer_->structure(), &StructurePage::ownersSelected, highlight_, &SceneHighlight::setOwners);
    connectGrabbing();
    connectEditor();
}

void MainWindow::rebuildCards()
{
    board_->showRuns();
    showRows();
    drawer_->refreshEquations();
    plots_->refreshAll();
    portrait_->refreshAll();
    showPanels(document_.hasModel() ? document_.laboratory().clock().t : 0);
    stale_ = true;
}

void MainWindow::rebuildAll()
{
    board_->clear(); // a key stays the same over a reset, what is shown of the run does not
    drag_.reset();
    if (!document_.hasModel())
        return;
    shownTime_ = -1;
    scene_->setModel(document_.bench().compiledHandle());
    if (const int number = document_.bench().bench().document(); std::exchange(shownDocument_, number) != number) {
        card_->leave(); // it speaks of the document before
        if (isEditing())
            scene_->fit(); // an edit leaves the view alone, another document does not
    }
    const bool empty = document_.compiled().n() == 0 && !document_.compiled().model().equations; // to be built
    const bool drawn = empty || !document_.system().visuals.empty();
    scene_->setVisible(drawn);
    if (isEditing())
        sceneEditor_->showStart();
    portrait_->setVisible(!drawn); // where nothing is drawn a phase portrait fills the place
    coverScene();
    parameters_->rebuild();
    plots_->rebuild();
    portrait_->rebuild();
    rebuildCards();
    drawer_->rebuild();
    showSelectedText();
    drawer_->showMessages();
    highlight_->setModel(document_.bench().compiledHandle());
    const auto clock = document_.laboratory().clock();
    topBar_->setPlaying(clock.playing);
    topBar_->setSpeed(clock.speed);
    const double range = firstRange(document_.compiled().model());
    timeLine_->setShortest(range);
    topBar_->setDecimals(timeDecimals(range));
    topBar_->setTitle(document_.files().title().section(QStringLiteral(" – "), 0, 0));
    topBar_->showRecent(recentFiles());
    setWindowTitle(document_.files().title());
    stale_ = true;
}

// --- frames ---

void MainWindow::startFrames()
{
    wall_.start();
    lastFrame_ = 0;
    frameTimer_.start();
}

void MainWindow::frame()
{
    const qint64 now = wall_.nsecsElapsed();
    const double passed = std::min(kLongestFrame, 1e-9 * static_cast<double>(now - lastFrame_));
    lastFrame_ = now;
    if (!document_.hasModel())
        return;
    ++frames_;
    if (drag_ && drag_->pending)
        applyDrag();
    const auto clock = lessons_->clockMoved(document_.playback().tick(lessons_->allowed(passed)));
    topBar_->showPace(passed, clock);
    if (firstStart_ && clock.t >= kQuestionTime)
        askAboutTheRod();
    if (frames_ % kPanelsEvery == 0)
        document_.playback().poll();
    const bool moved = clock.t != shownTime_ || clock.reached != shownReached_;
    if (!moved && !stale_)
        return;
    const bool all = stale_;
    stale_ = false;
    shownReached_ = clock.reached;
    if (clock.t != shownTime_ || all) {
        shownTime_ = clock.t;
        showScene(clock.t);
        plots_->setTime(clock.t);
        portrait_->setTime(clock.t);
        timeLine_->setTime(clock.t);
    }
    if (all || !clock.playing || frames_ % kPlotEvery == 0) // hundredths that change faster cannot be read
        topBar_->setTime(clock.t, document_.lookBack().looksBack());
    showStageTime(clock.t);
    if (all && !clock.playing) {
        plots_->refreshAll();
        portrait_->refreshAll();
    } else if (frames_ % kPlotEvery == 0) {
        plots_->refreshNext();
        portrait_->refreshNext();
    }
    if (all || frames_ % kPanelsEvery == kPanelsFrame)
        showPanels(clock.t);
    if (!clock.playing)
        stale_ =
            stale_
            || moved; // the last frame after a pause shows everything: plots that are drawn in turn would keep older ranges
    emit frameShown();
}

void MainWindow::showAt(double t)
{
    document_.playback().scrub(t);
    document_.playback().tick(0);
    shownTime_ = t;
    showScene(t);
    topBar_->setTime(t, document_.lookBack().looksBack());
    plots_->setTime(t);
    portrait_->setTime(t);
    plots_->refreshAll();
    portrait_->refreshAll();
    document_.playback().poll();
    showPanels(t);
    drawer_->refreshEquations();
    if (firstStart_ && t >= kQuestionTime)
        askAboutTheRod();
}

void MainWindow::showScene(double t)
{
    std::vector<SceneRun> runs;
    int marked = -1;
    for (const RunEntry& run : document_.runs()) {
        if (!run.visible)
            continue;
        SceneRun shown;
        shown.colour = run.colour;
        shown.name = run.name;
        shown.selected = run.key == document_.bench().selected();
        if (shown.selected)
            marked = static_cast<int>(runs.size());
        shown.recording = document_.laboratory().recording(run.id);
        shown.parameters = document_.lookBack().drawnWith(run.key);
        shown.earlier = document_.lookBack().drawnBefore(run.key);
        if (!document_.system().oneSided.empty())
            shown.impacts = document_.laboratory().events(run.id, run::EventKind::Impact, t - SceneView::kImpactSeconds, t);
        runs.push_back(std::move(shown));
    }
    highlight_->setRun(marked);
    scene_->setRuns(std::move(runs));
    scene_->setTime(t);
}

void MainWindow::showTimeLine(double t)
{
    std::vector<TimeLineRun> runs;
    for (const RunEntry& run : document_.runs()) {
        const auto status = document_.status(run.key);
        TimeLineRun shown;
        shown.colour = run.colour;
        shown.name = run.name;
        shown.reached = status.t;
        shown.failed = status.state == run::RunState::Failed;
        shown.selected = run.key == document_.bench().selected();
        shown.events = document_.laboratory().events(run.id);
        if (shown.selected) // the strip is of that one
            shown.pivots = document_.lookBack().pivots(run.key);
        shown.mode = QString::fromStdString(status.mode);
        runs.push_back(std::move(shown));
    }
    timeLine_->setRuns(std::move(runs));
    timeLine_->setTime(t);
}

void MainWindow::showPanels(double t)
{
    if (!document_.hasModel())
        return;
    board_->refresh(t);
    pivots_->refresh();
    parameters_->refresh();
    drawer_->refreshEquations();
    showTimeLine(t);
    const auto clock = document_.laboratory().clock();
    const QString still = document_.bench().scrubbedBack() ? tr("Looking back: a change goes on from here") : tr("Paused");
    QString text = clock.playing ? tr("Playing") : still;
    if (clock.playing && clock.waitingFor)
        for (const RunEntry& run : document_.runs())
            if (run.id == *clock.waitingFor)
                text = tr("Waiting for %1").arg(run.name);
    status_->setText(status_->fontMetrics().elidedText(text, Qt::ElideRight, width() / 3)); // the name of a run may be long
    status_->setToolTip(text);
    if (topBar_->showsPlaying() != clock.playing)
        topBar_->setPlaying(clock.playing); // where every run has stopped it is over by itself
    if (const RunEntry* run = document_.find(document_.bench().selected())) {
        const auto* form = formulation::findFormulation(document_.shown(run->key).settings.formulation);
        const bool equations = document_.compiled().model().equations != nullptr;
        const QString keeps = form ? formulationKeeps(form->info(), equations) : QString();
        keeps_->setText(QStringLiteral("%1: %2").arg(run->name, keeps));
    } else {
        keeps_->clear();
    }
}

// --- first start ---

Result<void> MainWindow::openFirstStart()
{
    if (auto opened = document_.opener().openFirstStart(); !opened)
        return opened;
    document_.undoStack().clear();
    firstStart_ = true;
    return {};
}

void MainWindow::askAboutTheRod()
{
    firstStart_ = false;
    if (document_.runs().size() < 2)
        return;
    const RunEntry& run = document_.runs()[1];
    if (document_.status(run.key).settings.formulation != "index-1")
        return; // somebody found out already
    document_.playback().pause();
    const QString question = tr("Why did the rod shrink?");
    connect(&document_, &Document::settingsChanged, card_, [this, question, key = run.key] {
        const bool answered = !document_.find(key) || document_.shown(key).settings.formulation != "index-1";
        if (answered && card_->title() == question)
            card_->hide(); // in the list below the runs, as the tour says
    });
    card_->say(question,
               tr("%1 integrates only the twice differentiated constraint, so its rod may change its length little by little. "
                  "Switch it to projection and its length is restored after every step.")
                   .arg(run.name),
               tr("Switch %1 to projection").arg(run.name.toLower()), [this, key = run.key] {
                   if (document_.control().setFormulation(key, QStringLiteral("projection")))
                       document_.playback().play();
               });
}

} // namespace driftless::ui
