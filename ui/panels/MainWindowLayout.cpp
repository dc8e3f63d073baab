// The layout of the window: the rail, the column of runs, parameters and pivots, the scene over its plots, the drawer, the
// guide.
#include <QBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QScrollArea>
#include <QStatusBar>

#include <algorithm>
#include <cmath>

#include "ui/panels/Controls.h"
#include "ui/panels/Drawer.h"
#include "ui/panels/EditPanel.h"
#include "ui/panels/EditStrip.h"
#include "ui/panels/LessonPanel.h"
#include "ui/panels/MainWindow.h"
#include "ui/panels/MessageCard.h"
#include "ui/panels/ParameterPanel.h"
#include "ui/panels/PivotPanel.h"
#include "ui/panels/PlotColumn.h"
#include "ui/panels/RunBoard.h"
#include "ui/panels/StudyPage.h"
#include "ui/views/SceneHighlight.h"
#include "ui/views/SceneView.h"
#include "ui/views/TimeLine.h"

namespace driftless::ui {

namespace {

// Lengths in pixels before scaling.
constexpr int kStatusHeight = 24, kDrawerHeight = 260;
constexpr int kColumnWidth = 360, kGuideWidth = 320, kEditWidth = 280;
constexpr int kPivotsHeight = 164, kTallPivotsHeight = 240, kLeastParameters = 100;

// Sizes of the window from which on there is room for more.
constexpr int kWide = 1600;           ///< plots beside the scene
constexpr int kColumnAndGuide = 1700; ///< the column beside a lesson, and in large type
constexpr int kTall = 900;            ///< details of a run in the column
constexpr int kThreePlots = 860, kDrawerOpen = 1000;

/// Of what column and guide leave of the width, the part of plots that stand beside the scene.
constexpr double kPlotsShare = 0.44;
constexpr int kNarrowPlots = 320, kWidePlots = 680;
constexpr double kSmallScene = 0.62; ///< height of the small scene over the column, of its width
/// The text of a model beside the scene: from which room on, its part of it, and between which widths.
constexpr int kTextBeside = 1300, kNarrowText = 480, kWideText = 720;
constexpr double kTextShare = 0.38;
constexpr double kColumnGrowth = 0.85; ///< of the column with the scale: its words grow, its sliders do not
/// Plots below the scene: at a height of 720, and how they grow with it; two where there is room for two.
constexpr int kUsualHeight = 720, kPlotsHeight = 220, kLessonPlotsHeight = 200, kLeastPlots = 150, kTwoPlots = 400;
constexpr double kPlotsGrowth = 0.4;

} // namespace

QWidget* MainWindow::makeLeft()
{
    auto* content = new QWidget;
    content->setObjectName("leftContent");
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    pivots_ = new PivotPanel(document_);
    parameters_ = new ParameterPanel(document_);
    layout->addWidget(board_->column());
    layout->addWidget(parameters_, 1);
    layout->addWidget(pivots_);
    left_ = new QScrollArea;
    left_->setObjectName("leftColumn");
    left_->setWidgetResizable(true);
    left_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    left_->setFocusPolicy(Qt::NoFocus);
    left_->setWidget(content);
    return left_;
}

/// The scene, or a phase portrait where nothing is drawn.
QWidget* MainWindow::makeHost()
{
    host_ = new QWidget;
    host_->setObjectName("stage");
    auto* places = new QVBoxLayout(host_);
    places->setContentsMargins(0, 0, 0, 0);
    scene_ = new SceneView;
    scene_->setObjectName("scene");
    places->addWidget(scene_, 1);
    portrait_ = new PlotColumn(document_, QStringLiteral("portrait"));
    portrait_->setCount(1);
    PlotSpec phase;
    phase.kind = PlotKind::Phase;
    portrait_->choose(0, phase);
    portrait_->hide();
    places->addWidget(portrait_, 1);
    highlight_ = new SceneHighlight(scene_);
    host_->setFocusProxy(scene_);
    return host_;
}

void MainWindow::makeLayout()
{
    auto* central = new QWidget;
    const auto box = [](QBoxLayout* layout) {
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(0);
        return layout;
    };
    auto* rows = box(new QVBoxLayout(central));
    topBar_ = new TopBar(*actions_);
    rows->addWidget(topBar_);
    columns_ = box(new QHBoxLayout);
    rows->addLayout(columns_, 1);
    QWidget* host = makeHost();
    board_ = new RunBoard(document_, actions_->at("addRun"), host);
    connect(board_, &RunBoard::chipClicked, this, [this](bool again) {
        if (isStaged())
            return; // there the chip only selects
        columnOpen_ = !again || !columnOpen_;
        layOut();
    });
    rail_ = new WorkspaceRail(*actions_);
    columns_->addWidget(rail_);
    side_ = box(new QVBoxLayout);
    columns_->addLayout(side_);
    side_->addWidget(makeLeft(), 1);
    makeEditor();
    columns_->addWidget(editPanel_);

    right_ = box(new QVBoxLayout);
    columns_->addLayout(right_, 1);
    right_->addWidget(board_->chips());
    upper_ = box(new QBoxLayout(QBoxLayout::TopToBottom));
    right_->addLayout(upper_, 1);
    middle_ = box(new QVBoxLayout);
    upper_->addLayout(middle_, 1);
    timeLine_ = new TimeLine;
    timeLine_->setObjectName("timeLine");
    middle_->addWidget(host, 1);
    middle_->addWidget(timeLine_);
    plots_ = new PlotColumn(document_);
    upper_->addWidget(plots_);
    drawer_ = new Drawer(document_);
    drawer_->hide();
    right_->addWidget(drawer_);
    right_->addWidget(makeStatus());
    studies_ = new StudyPage(central);
    studies_->hide();
    lessons_ = new LessonPanel(document_);
    lessons_->hide();
    columns_->addWidget(lessons_);
    card_ = new MessageCard(host_);
    card_->keepClear(host_->findChild<QWidget*>(QStringLiteral("runSheet")));
    connect(card_, &MessageCard::covers, this, [this](int pixels) {
        cardCovers_ = pixels;
        coverScene();
    });
    connect(card_, &MessageCard::covers, editLine_, &EditStatusLine::setCovered);
    setCentralWidget(central);
}

QWidget* MainWindow::makeStatus()
{
    status_ = new QLabel;
    status_->setObjectName("statusLabel");
    keeps_ = new ElidedLabel;
    keeps_->setObjectName("keepsLabel");
    for (QLabel* label : {status_, static_cast<QLabel*>(keeps_)})
        label->setProperty("role", "secondary");
    statusLine_ = new QStatusBar;
    statusLine_->setSizeGripEnabled(false);
    statusLine_->setContentsMargins(8, 0, 8, 0);
    statusLine_->addWidget(keeps_, 1);
    statusLine_->addPermanentWidget(status_);
    return statusLine_;
}

/// Lengths that follow the scale.
void MainWindow::fitHeights()
{
    statusLine_->setFixedHeight(qRound(kStatusHeight * scale_));
    lessons_->setFixedWidth(qRound(kGuideWidth * scale_));
}

void MainWindow::layOut()
{
    if (isStaged())
        return; // once it is over
    const int w = width(), h = height();
    const bool guide = !lessons_->isHidden(), tall = h >= kTall * scale_;
    const bool watching = workspace_ == Workspace::Watch, building = isEditing();
    const bool small = workspace_ == Workspace::Equations || workspace_ == Workspace::Methods || workspace_ == Workspace::Study;
    const bool crowded = guide || scale_ > 1, chips = crowded && (watching || small) && w < kColumnAndGuide;
    const int left = qRound(kColumnWidth * std::max(1.0, kColumnGrowth * scale_));
    const int room = w - rail_->maximumWidth() - (guide ? lessons_->maximumWidth() : 0);
    const bool beside = building && room - qRound(kEditWidth * scale_) >= kTextBeside;
    const bool opened = drawerOpened(beside);
    DrawerPlace place = beside ? DrawerPlace::Beside : DrawerPlace::Below;
    if (workspace_ == Workspace::Equations)
        place = DrawerPlace::Centre;
    arrange({.workspace = workspace_, .side = small && !chips, .drawer = place});
    drawer_->setVisible(opened);
    actions_->show("drawer", opened);
    drawer_->refreshEquations();
    if (place == DrawerPlace::Below)
        drawer_->setFixedHeight(kDrawerHeight);
    else if (place == DrawerPlace::Beside)
        drawer_->setFixedWidth(std::clamp(qRound(kTextShare * room), kNarrowText, kWideText));
    left_->setFixedWidth(left);
    editPanel_->setFixedWidth(qRound(kEditWidth * scale_));
    editPanel_->setVisible(building);
    board_->setTall(tall || arranged_.side); // a small scene has no room for the details of a run
    board_->chips()->setVisible(chips);
    placeColumn(chips, left);
    placeSide(left);
    parameters_->setMinimumHeight(qRound(kLeastParameters * scale_));
    pivots_->setFixedHeight(qRound((tall ? kTallPivotsHeight : kPivotsHeight) * scale_));
    plots_->setVisible(watching);
    if (watching)
        placePlots(room - (chips ? 0 : left));
    else
        upper_->setDirection(QBoxLayout::LeftToRight);
}

/// Whether the drawer is in sight. Where nobody said, it is where there is room for it.
bool MainWindow::drawerOpened(bool beside) const
{
    if (workspace_ == Workspace::Equations)
        return true; // it is what the workspace is for
    if (workspace_ != Workspace::Watch && workspace_ != Workspace::Build)
        return false;
    const auto chosen = drawerChosen_.find(workspace_);
    if (chosen != drawerChosen_.end())
        return chosen->second;
    return isEditing() ? beside : height() >= kDrawerOpen;
}

/// Escape puts away the column that a chip brought.
void MainWindow::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Escape || !floating_ || !columnOpen_)
        return QMainWindow::keyPressEvent(event);
    columnOpen_ = false;
    layOut();
    scene_->setFocus();
}

/// The small scene over the column.
void MainWindow::placeSide(int width)
{
    if (arranged_.side)
        host_->setFixedSize(width, qRound(kSmallScene * width));
}

/// Beside the scene; where chips stand for it, over the scene, and only while somebody wants it.
void MainWindow::placeColumn(bool chips, int width)
{
    if (chips != floating_) {
        floating_ = chips;
        columnOpen_ = false;
        if (chips)
            side_->removeWidget(left_);
        else
            side_->addWidget(left_, 1);
    }
    const bool wanted = workspace_ == Workspace::Watch || arranged_.side;
    left_->setVisible(chips ? columnOpen_ : wanted);
    const bool over = chips && columnOpen_;
    board_->setInset(over ? width : 0);
    if (!over)
        return;
    const int top = topBar_->height() + board_->chips()->height();
    left_->setGeometry(rail_->width(), top, width, height() - top);
    left_->raise();
}

/// Below the scene, or beside it: in a wide window, and where the drawer takes the height.
void MainWindow::placePlots(int room)
{
    const int h = height();
    const bool beside = width() >= kWide || (!drawer_->isHidden() && h < kDrawerOpen);
    upper_->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    if (beside) {
        plots_->setMinimumHeight(0);
        plots_->setMaximumHeight(QWIDGETSIZE_MAX);
        plots_->setFixedWidth(std::clamp(qRound(kPlotsShare * room), kNarrowPlots, kWidePlots));
        const bool low = !drawer_->isHidden() && h < kUsualHeight;
        const int some = h < kThreePlots ? 2 : 3;
        plots_->setCount(low ? 1 : some, low);
        return;
    }
    const int usual = lessons_->isHidden() ? kPlotsHeight : kLessonPlotsHeight;
    const int high = std::max(kLeastPlots, usual + qRound(kPlotsGrowth * (h - kUsualHeight)));
    plots_->setMinimumWidth(0);
    plots_->setMaximumWidth(QWIDGETSIZE_MAX);
    plots_->setFixedHeight(high);
    plots_->setCount(high < kTwoPlots ? 1 : 2, high < kTwoPlots);
}

} // namespace driftless::ui
