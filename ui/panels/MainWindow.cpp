#include "ui/panels/MainWindow.h"

#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QResizeEvent>
#include <QScrollArea>
#include <QScrollBar>
#include <QStatusBar>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/formulation/Formulation.h"
#include "ui/document/ModelPace.h"
#include "ui/document/RecentFiles.h"
#include "ui/document/TakenBack.h"
#include "ui/panels/Drawer.h"
#include "ui/panels/EditPanel.h"
#include "ui/panels/EditStrip.h"
#include "ui/panels/Exports.h"
#include "ui/panels/FileDialogs.h"
#include "ui/panels/Help.h"
#include "ui/panels/KeyRules.h"
#include "ui/panels/Laboratories.h"
#include "ui/panels/LessonPanel.h"
#include "ui/panels/MessageCard.h"
#include "ui/panels/ParameterPanel.h"
#include "ui/panels/PivotPanel.h"
#include "ui/panels/PlotColumn.h"
#include "ui/panels/RunCard.h"
#include "ui/panels/StructurePage.h"
#include "ui/views/PlotData.h"
#include "ui/views/SceneEditor.h"
#include "ui/views/SceneHighlight.h"
#include "ui/views/SceneView.h"
#include "ui/views/StyleSheet.h"
#include "ui/views/TextGuard.h"
#include "ui/views/TimeLine.h"

namespace driftless::ui {

namespace {

constexpr int kFrameMilliseconds = 16;
constexpr std::uint64_t kPlotEvery = 3; ///< frames between two plots: they refresh in turn, twenty a second
constexpr std::uint64_t kPanelsEvery = 6;
constexpr double kLongestFrame = 0.25; ///< [s] of wall time that one frame may make up for
constexpr int kStatusHeight = 24, kTimeLineHeight = 56, kDrawerHeight = 260, kLessonHeight = 300;
constexpr double kDrawerShare = 0.46;                            ///< of the window at most: scene and plots stay in sight
constexpr int kThreePlotsHeight = 860, kDrawerOpenHeight = 1000; ///< of the window
constexpr double kPresentationScale = 1.4;

/// Styles of this window's own parts, beside the shared sheet.
QString ownSheet(const Theme& theme, double scale)
{
    const auto px = [scale](int n) { return QString::number(std::lround(n * scale)) + "px"; };
    return QStringLiteral("#leftColumn, #leftContent { background: %1; border: none; }"
                          "#leftColumn { border-right: 1px solid %2; }"
                          "#plots { background: %2; border-left: 1px solid %2; }"
                          "#drawer { background: %3; border-top: 1px solid %2; }"
                          "#drawer QTabBar { background: %3; }"
                          "#editPanel { background: %1; border-right: 1px solid %2; }"
                          "#properties, #propertyScroll { background: transparent; }"
                          "#properties QLineEdit { padding: 2px 4px; }"
                          "#messages, #modelPage, #startPage, #startFindings { background: %3; }"
                          "#lessonListPage, #lessonSummarySide, #lessonStepPage, #lessonQuestionBox { background: %3; }"
                          "#lessonQuestionScroll { border-left: 1px solid %2; }"
                          "#lessonFeedback { padding: 6px 8px; border-left: 3px solid %2; }"
                          "#lessonFeedback[tone=\"right\"] { border-left-color: %9; }"
                          "#lessonFeedback[tone=\"wrong\"] { border-left-color: %10; }"
                          "QCheckBox[part=\"cell\"] { margin-left: 6px; }"
                          "#startValues QHeaderView::section { padding: 4px 6px; }"
                          "#pivotPanel, #parameterPanel { background: transparent; }"
                          "QFrame[role=\"separator\"] { background: transparent; border: none; border-left: 1px solid %2; "
                          "margin-left: 6px; }"
                          "QPushButton[role=\"choice\"] { text-align: left; padding: %4 %5; min-height: %11; }"
                          "QLabel[role=\"figure\"] { font-size: %6; }"
                          "QLabel[part=\"step\"] { min-width: %7; }"
                          "QToolButton[part=\"link\"] { border: none; background: transparent; padding: 0; min-width: %7; "
                          "text-decoration: underline; }"
                          "QLineEdit[part=\"step\"] { min-width: %8; max-width: %8; padding-left: %13; padding-right: %13; }"
                          "QLineEdit[part=\"value\"] { min-width: %12; max-width: %12; padding-left: %13; padding-right: %13; }"
                          "#topBar QToolButton { padding: 2px 5px; }"
                          "#topBar QToolButton[popupMode=\"1\"] { padding-right: 16px; }"
                          "QToolButton::menu-button { border: none; width: 14px; }"
                          "QToolButton::menu-arrow { width: 7px; height: 7px; }"
                          "RunCardButton { padding: 0; }")
        .arg(theme.window.name(), theme.line.name(), theme.surface.name(), px(3), px(8), px(13), px(20), px(48))
        .arg(theme.run(3).name(), theme.error.name(), px(17), px(77),
             px(4)); // a row of choices keeps its line of text, however little room there is
}

} // namespace

MainWindow::MainWindow(Document& document, bool dark, QWidget* parent) : QMainWindow(parent), document_(document), dark_(dark)
{
    setObjectName("mainWindow");
    new TextGuard(this);
    setAcceptDrops(true);
    setMinimumSize(1000, 600);
    resize(1280, 720);
    makeActions();
    makeLayout();
    makeHelpers();
    connectDocument();
    applyLook();
    rebuildAll();
    frameTimer_.setTimerType(Qt::PreciseTimer);
    frameTimer_.setInterval(kFrameMilliseconds);
    connect(&frameTimer_, &QTimer::timeout, this, &MainWindow::frame);
    new KeyRules(*this);
    scene_->setFocus(); // no button looks chosen before anybody chose it
}

MainWindow::~MainWindow() = default;

// --- layout ---

QWidget* MainWindow::makeLeft()
{
    auto* content = new QWidget;
    content->setObjectName("leftContent");
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(8);
    cardLayout_ = new QVBoxLayout;
    cardLayout_->setSpacing(8);
    layout->addLayout(cardLayout_);
    auto* add = new QPushButton(tr("Add run"));
    add->setObjectName("addRunButton");
    add->setToolTip(tr("Another run from the same start, with the settings of the selected one (Ctrl+R)"));
    connect(add, &QPushButton::clicked, &actions_->at("addRun"), &QAction::trigger);
    layout->addWidget(add);
    const auto framed = [layout](QWidget* panel) {
        auto* frame = new QFrame;
        frame->setProperty("role", "card");
        auto* box = new QVBoxLayout(frame);
        box->setContentsMargins(0, 0, 0, 0);
        box->addWidget(panel);
        layout->addWidget(frame);
    };
    pivots_ = new PivotPanel(document_);
    parameters_ = new ParameterPanel(document_);
    framed(pivots_);
    framed(parameters_);
    layout->addStretch(1);
    left_ = new QScrollArea;
    left_->setObjectName("leftColumn");
    left_->setWidgetResizable(true);
    left_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    left_->setWidget(content);
    return left_;
}

void MainWindow::makeLayout()
{
    auto* central = new QWidget;
    auto* rows = new QVBoxLayout(central);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    topBar_ = new TopBar(*actions_);
    rows->addWidget(topBar_);
    scene_ = new SceneView;
    scene_->setObjectName("scene");
    auto* columns = new QHBoxLayout;
    columns->setSpacing(0);
    rows->addLayout(columns, 1);
    columns->addWidget(makeLeft());
    makeEditor();
    columns->addWidget(editPanel_);

    auto* right = new QVBoxLayout;
    right->setSpacing(0);
    columns->addLayout(right, 1);
    auto* upper = new QHBoxLayout;
    upper->setSpacing(0);
    right->addLayout(upper, 1);
    auto* middle = new QVBoxLayout;
    middle->setSpacing(0);
    upper->addLayout(middle, 1);
    highlight_ = new SceneHighlight(scene_);
    timeLine_ = new TimeLine;
    timeLine_->setObjectName("timeLine");
    middle->addWidget(scene_, 1);
    middle->addWidget(timeLine_);
    plots_ = new PlotColumn(document_);
    upper->addWidget(plots_);
    portrait_ = new PlotColumn(document_, QStringLiteral("portrait"));
    portrait_->setCount(1);
    PlotSpec phase;
    phase.kind = PlotKind::Phase;
    portrait_->choose(0, phase);
    portrait_->hide();
    middle->insertWidget(1, portrait_, 1);
    drawer_ = new Drawer(document_);
    drawer_->hide();
    right->addWidget(drawer_);
    card_ = new MessageCard(scene_);
    connect(card_, &MessageCard::covers, scene_, &SceneView::setCovered);
    connect(card_, &MessageCard::covers, editLine_, &EditStatusLine::setCovered);
    setCentralWidget(central);

    status_ = new QLabel;
    status_->setObjectName("statusLabel");
    keeps_ = new QLabel;
    keeps_->setObjectName("keepsLabel");
    for (QLabel* label : {status_, keeps_})
        label->setProperty("role", "secondary");
    statusBar()->setSizeGripEnabled(false);
    statusBar()->setContentsMargins(8, 0, 8, 0);
    statusBar()->addWidget(keeps_, 1);
    statusBar()->addPermanentWidget(status_);
}

/// What works beside the layout: dialogs, exports, laboratories, help.
void MainWindow::makeHelpers()
{
    const auto say = [this](const Diagnostic& why) { card_->say(why); };
    dialogs_ = new FileDialogs(document_, *this);
    connect(dialogs_, &FileDialogs::opened, this, &MainWindow::openChosen);
    connect(dialogs_, &FileDialogs::saved, this, [this] { topBar_->showRecent(recentFiles()); });
    connect(dialogs_, &FileDialogs::refused, this, say);
    exports_ = new Exports({.document = document_, .plots = *plots_, .scene = *scene_}, *this);
    connect(exports_, &Exports::written, this,
            [this](const QString& files) { card_->say(tr("The figure is written."), files); });
    laboratories_ = new Laboratories(document_, *this);
    connect(laboratories_, &Laboratories::refused, this, say);
    help_ = new Help(*actions_, *this);
}

void MainWindow::layOut()
{
    const int w = width(), h = height();
    // 272 / 448 at 1280 and 320 / 680 at 1920, in between in proportion.
    const double share = std::clamp((w - 1280) / 640.0, 0.0, 1.0);
    const int narrow = w < 1280 ? std::max(360, 448 - (1280 - w) / 2) : 448;
    left_->setFixedWidth(static_cast<int>(std::lround((272 + 48 * share) * std::max(1.0, 0.9 * scale_))));
    editPanel_->setFixedWidth(left_->maximumWidth());
    plots_->setFixedWidth(static_cast<int>(std::lround(narrow + (680 - 448) * share)));
    plots_->setCount(h < kThreePlotsHeight ? 2 : 3);
    const double drawn = drawer_->showsLessons() ? kLessonHeight * scale_ : kDrawerHeight;
    drawer_->setFixedHeight(static_cast<int>(std::lround(std::min(drawn, std::max(kDrawerHeight + 0.0, kDrawerShare * h)))));
    if (!drawerChosen_) {
        drawer_->setVisible(h >= kDrawerOpenHeight);
        actions_->show("drawer", drawer_->isVisibleTo(this));
        drawer_->refreshEquations();
    }
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
    applyTheme(*qApp, theme, scale_);
    setStyleSheet(ownSheet(theme, scale_));
    topBar_->setTheme(theme, scale_);
    scene_->setDark(dark_);
    highlight_->setTheme(theme);
    sceneEditor_->setTheme(theme);
    strip_->setTheme(theme);
    timeLine_->setDark(dark_);
    timeLine_->setScale(scale_);
    timeLine_->setFixedHeight(static_cast<int>(std::lround(kTimeLineHeight * scale_)));
    statusBar()->setFixedHeight(static_cast<int>(std::lround(kStatusHeight * scale_)));
    plots_->setLook(dark_, scale_);
    portrait_->setLook(dark_, scale_);
    drawer_->setTheme(theme, scale_);
    for (RunCard* card : cards_)
        card->setTheme(theme);
    card_->setScale(scale_);
    laboratories_->setTheme(theme);
    help_->setTheme(theme, scale_);
    exports_->setDark(dark_);
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
        for (RunCard* card : cards_)
            if (card->key() == key)
                card->showSettings();
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
        const QString from = tr("The runs go on from t = %1 s").arg(t, 0, 'f', timeDecimals(timeLine_->span()));
        card_->say(taken.isEmpty() ? from : tr("%1 with %2, as shown").arg(from, listed(taken)),
                   tr("The change was made while looking back: what had been computed beyond that time is cut. Undo takes the "
                      "change back, not the cut."));
    });
    connect(&document_, &Document::refused, this, [this](const Diagnostic& diagnostic) { card_->say(diagnostic); });
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
    connect(drawer_, &QTabWidget::currentChanged, drawer_, &Drawer::refreshEquations);
    connectLessons();
    connect(drawer_, &Drawer::correctionChanged, this, &MainWindow::showCorrection);
    connect(&drawer_->structure(), &StructurePage::ownersSelected, highlight_, &SceneHighlight::setOwners);
    connectGrabbing();
    connectEditor();
}

void MainWindow::rebuildCards()
{
    std::vector<int> keys;
    for (const RunEntry& run : document_.runs())
        keys.push_back(run.key);
    const bool same = std::ranges::equal(keys, cards_, {}, {}, [](const RunCard* card) { return card->key(); });
    const Theme& theme = dark_ ? Theme::darkTheme() : Theme::light();
    if (!same) {
        for (RunCard* card : cards_)
            card->deleteLater();
        cards_.clear();
        for (const int key : keys) {
            cards_.push_back(new RunCard(document_, key));
            cardLayout_->addWidget(cards_.back());
        }
    }
    for (RunCard* card : cards_) {
        card->showEntry();
        card->setTheme(theme);
    }
    showRows();
    drawer_->refreshEquations();
    plots_->refreshAll();
    portrait_->refreshAll();
    showPanels(document_.hasModel() ? document_.laboratory().clock().t : 0);
    stale_ = true;
}

void MainWindow::rebuildAll()
{
    for (RunCard* card : cards_) { // a key stays the same over a reset, the card's contents do not
        card->hide();
        card->deleteLater();
    }
    cards_.clear();
    drag_.reset();
    if (!document_.hasModel())
        return;
    shownTime_ = -1;
    scene_->setModel(document_.bench().compiledHandle());
    if (const int number = document_.bench().bench().document(); std::exchange(shownDocument_, number) != number && isEditing())
        scene_->fit(); // an edit leaves the view alone, another document does not
    const bool empty = document_.compiled().n() == 0 && !document_.compiled().model().equations; // to be built
    const bool drawn = empty || !document_.system().visuals.empty();
    scene_->setVisible(drawn);
    if (isEditing())
        sceneEditor_->showStart();
    portrait_->setVisible(!drawn); // where nothing is drawn a phase portrait fills the place
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
    const double wall = 1e-9 * static_cast<double>(now - lastFrame_), passed = std::min(kLongestFrame, wall);
    lastFrame_ = now;
    if (!document_.hasModel())
        return;
    ++frames_;
    if (drag_ && drag_->pending)
        applyDrag();
    const auto clock = drawer_->lessons().clockMoved(document_.playback().tick(drawer_->lessons().allowed(passed)));
    topBar_->showPace(wall, clock);
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
    if (all && !clock.playing) {
        plots_->refreshAll();
        portrait_->refreshAll();
    } else if (frames_ % kPlotEvery == 0) {
        plots_->refreshNext();
        portrait_->refreshNext();
    }
    if (all || frames_ % kPanelsEvery == kPanelsEvery / 2) // not in the frame that polls
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
        shown.parameters = document_.lookBack().parameters(run.key);
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
        shown.dummies = dummyNames(status, document_.compiled());
        runs.push_back(std::move(shown));
    }
    timeLine_->setRuns(std::move(runs));
    timeLine_->setTime(t);
}

void MainWindow::showPanels(double t)
{
    if (!document_.hasModel())
        return;
    for (RunCard* card : cards_)
        if (document_.find(card->key())) {
            card->showSettings();
            card->showFigures(t);
        }
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
    status_->setText(text);
    if (const RunEntry* run = document_.find(document_.bench().selected())) {
        const auto* form = formulation::findFormulation(document_.shown(run->key).settings.formulation);
        const QString keeps = form ? QString::fromStdString(form->info().keeps) : QString();
        keeps_->setText(keeps_->fontMetrics().elidedText(QStringLiteral("%1: %2").arg(run->name, keeps), Qt::ElideRight,
                                                         std::max(100, width() - status_->sizeHint().width() - 60)));
        keeps_->setToolTip(keeps);
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
    card_->say(tr("Why did the rod shrink?"),
               tr("%1 integrates only the twice differentiated constraint, so its rod may change its length little by little. "
                  "Switch it to projection and its length is restored after every step.")
                   .arg(run.name),
               tr("Switch %1 to projection").arg(run.name.toLower()), [this, key = run.key] {
                   if (document_.control().setFormulation(key, QStringLiteral("projection")))
                       document_.playback().play();
               });
}

} // namespace driftless::ui
