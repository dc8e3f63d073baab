#include "ui/panels/StageWindow.h"

#include <QAction>
#include <QCloseEvent>
#include <QFrame>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScreen>
#include <QShortcut>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

#include "ui/panels/Actions.h"
#include "ui/panels/Controls.h"
#include "ui/panels/KeyRules.h"
#include "ui/panels/LessonPanel.h"
#include "ui/panels/PlotColumn.h"
#include "ui/panels/StageCaption.h"
#include "ui/panels/StageKeys.h"
#include "ui/panels/StageReadout.h"

namespace driftless::ui {

namespace {

/// Everything is written larger, in proportion to the height: 1.35 at 720 pixels, 2 at 1080.
constexpr double kScaleAtHall = 1.35, kHallHeight = 720, kLeastScale = 1.2, kLargestScale = 3;
constexpr int kScenePart = 2, kPlotPart = 1;                ///< of the width
constexpr int kKeysAtFirst = 6000, kKeysAfterChoice = 3000; ///< [ms] that the list of keys stays

bool isAtLastStep(const LessonPanel& lessons)
{
    return lessons.current() && lessons.step() + 1 >= static_cast<int>(lessons.current()->steps.size());
}

double scaleOf(int height) { return std::clamp(kScaleAtHall * height / kHallHeight, kLeastScale, kLargestScale); }

/// Actions of the window whose keys act on the stage, too.
constexpr const char* kStageActions[] = {"play",      "reset",  "now",  "slower", "faster", "fit",     "fan",
                                         "deviation", "arrows", "undo", "redo",   "theme",  "palette", "stage"};

/// A widget that keeps the place of another one, in its layout where it has one.
QWidget* standIn(QWidget& lent)
{
    QWidget* parent = lent.parentWidget();
    auto* place = new QWidget(parent);
    place->setSizePolicy(lent.sizePolicy());
    place->setMinimumSize(lent.minimumSize());
    place->setMaximumSize(lent.maximumSize());
    const bool hidden = lent.isHidden();
    delete parent->layout()->replaceWidget(&lent, place);
    place->setVisible(!hidden);
    return place;
}

void giveBack(QWidget& lent, QWidget* place)
{
    QWidget* parent = place->parentWidget();
    lent.setMinimumSize(place->minimumSize());
    lent.setMaximumSize(place->maximumSize());
    if (QLayoutItem* item = parent->layout()->replaceWidget(place, &lent))
        delete item;
    else
        lent.setParent(parent); // it had no place in a layout
    lent.setVisible(!place->isHidden());
    delete place;
}

} // namespace

const std::vector<QString>& stageFormulations()
{
    static const std::vector<QString> all{
        QStringLiteral("index-1"),           QStringLiteral("index-2"),     QStringLiteral("index-3"), // as they are called
        QStringLiteral("baumgarte"),         QStringLiteral("projection"),  QStringLiteral("ggl"),
        QStringLiteral("dummy-derivatives"), QStringLiteral("state-space"), QStringLiteral("penalty")};
    return all;
}

StageWindow::StageWindow(Document& document, Actions& actions, LessonPanel& lessons, QWidget* window)
    : QWidget(window, Qt::Window), document_(document), actions_(actions), lessons_(lessons)
{
    setObjectName("stageWindow");
    setProperty("role", "window");
    setAttribute(Qt::WA_StyledBackground);
    setWindowTitle(tr("Stage"));
    auto* rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    makeBar();
    rows->addWidget(bar_);
    body_ = new QHBoxLayout;
    body_->setSpacing(0);
    rows->addLayout(body_, 1);
    blank_ = new QWidget(this);
    blank_->setObjectName("stageBlank");
    blank_->setStyleSheet(QStringLiteral("background: black;"));
    blank_->hide();
    for (const char* id : kStageActions)
        addAction(&actions_.at(id));
    makeKeys();
    new KeyRules(*this);
    connect(&lessons_, &LessonPanel::stepShown, this, &StageWindow::showStep);
}

void StageWindow::makeBar()
{
    bar_ = new QFrame;
    bar_->setObjectName("stageBar");
    bar_->setProperty("role", "bar");
    barRow_ = new QHBoxLayout(bar_);
    barRow_->setContentsMargins(0, 0, 6, 0);
    barRow_->setSpacing(6);
    step_ = new ElidedLabel;
    step_->setObjectName("stageStep");
    step_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    step_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    barRow_->addWidget(step_, 1);
    window_ = new QPushButton(tr("Window (F5)"));
    window_->setObjectName("stageToWindow");
    window_->setToolTip(tr("Back to the window, which has the lines of the runs, parameters and pages (F5)"));
    window_->setProperty("part", "stage");
    connect(window_, &QPushButton::clicked, this, &StageWindow::left);
    barRow_->addWidget(window_);
    const struct {
        QPushButton*& button;
        QString words, tip;
        const char* name;
        void (LessonPanel::*act)();
    } buttons[] = {{back_, tr("Back"), tr("The step before (Page Up)"), "stageBack", &LessonPanel::back},
                   {show_, tr("Show me"), tr("Do it for me, or give the answer"), "stageShow", &LessonPanel::showMe},
                   {next_, tr("Next"), tr("The next step (Page Down)"), "stageNext", &LessonPanel::next}};
    for (const auto& entry : buttons) {
        entry.button = new QPushButton(entry.words);
        entry.button->setObjectName(entry.name);
        entry.button->setToolTip(entry.tip);
        entry.button->setProperty("part", "stage");
        connect(entry.button, &QPushButton::clicked, &lessons_, entry.act);
        barRow_->addWidget(entry.button);
    }
}

void StageWindow::makeKeys()
{
    const auto key = [this](int code, auto act) {
        connect(new QShortcut(QKeySequence(code), this), &QShortcut::activated, this, act);
    };
    for (const int code : {Qt::Key_PageDown, Qt::Key_Right})
        key(code, [this] {
            if (!isAtLastStep(lessons_)) // one key too many in a hall closes no lesson: Finish does
                lessons_.next();
        });
    for (const int code : {Qt::Key_PageUp, Qt::Key_Left})
        key(code, [this] { lessons_.back(); });
    for (int number = 1; number <= static_cast<int>(stageFormulations().size()); ++number)
        key(Qt::Key_0 + number, [this, number] { chooseFormulation(number); });
    key(Qt::Key_Period, [this] { blank(!isBlank()); });
    key(Qt::Key_Escape, [this] {
        if (isBlank())
            blank(false);
        else
            emit left();
    });
}

QScreen* StageWindow::screenFor(const QWidget& window)
{
    for (QScreen* screen : QGuiApplication::screens())
        if (screen != window.screen())
            return screen;
    return window.screen();
}

void StageWindow::open(const Borrowed& borrowed, QScreen* screen)
{
    setScreen(screen);
    setGeometry(screen->geometry());
    applySheet(); // before there is anything in it: what comes is dressed once
    borrowed_ = borrowed;
    QWidget* all[] = {borrowed.chips, borrowed.scene, borrowed.plots};
    for (QWidget* lent : all)
        places_.push_back(standIn(*lent));
    for (QWidget* lent : {borrowed.scene, static_cast<QWidget*>(borrowed.plots)}) {
        lent->setMinimumSize(0, 0);
        lent->setMaximumSize(QWIDGETSIZE_MAX, QWIDGETSIZE_MAX);
    }
    barRow_->insertWidget(0, borrowed.chips);
    body_->addWidget(borrowed.scene, kScenePart);
    body_->addWidget(borrowed.plots, kPlotPart);
    makeOverlays();
    for (QWidget* lent : all)
        lent->show();
    applyScale();
    borrowed.plots->setCount(1, true);
    showStep();
    showFullScreen();
    raise();
    activateWindow();
    keys_->tell(kKeysAtFirst);
}

void StageWindow::leave()
{
    if (!isOpen())
        return;
    blank(false);
    delete caption_;
    delete readout_;
    delete keys_;
    emit covers(0);
    emit coversTop(0);
    QWidget* all[] = {borrowed_.chips, borrowed_.scene, borrowed_.plots};
    for (std::size_t i = 0; i < places_.size(); ++i)
        giveBack(*all[i], places_[i]);
    places_.clear();
    borrowed_ = {};
    hide();
}

/// What lies over the scene as long as it is here.
void StageWindow::makeOverlays()
{
    caption_ = new StageCaption(lessons_, borrowed_.scene);
    connect(caption_, &StageCaption::covers, this, &StageWindow::covers);
    readout_ = new StageReadout(document_, borrowed_.scene);
    readout_->show();
    keys_ = new StageKeys(document_, borrowed_.scene);
}

void StageWindow::setTheme(const Theme& theme)
{
    theme_ = theme;
    if (isOpen())
        applyScale();
}

/// Scaled, not restyled: one size for all words here, no other style.
void StageWindow::applySheet()
{
    scale_ = scaleOf(height());
    const auto px = [this](int length) { return qRound(length * scale_); };
    const QString sheet = QStringLiteral("#stageWindow QWidget { font-size: %1px; }"
                                         "#stageWindow QPushButton[part=\"stage\"] { padding: 1px %2px; }"
                                         "#stageWindow #runChips { border: none; background: transparent; }"
                                         "#stageWindow QComboBox { min-height: %3px; }")
                              .arg(px(kTextPixels))
                              .arg(px(8))
                              .arg(px(18));
    if (sheet != styleSheet())
        setStyleSheet(sheet);
}

void StageWindow::applyScale()
{
    applySheet();
    borrowed_.plots->setLook(theme_.dark, scale_);
    readout_->setTheme(theme_, scale_);
    emit coversTop(readout_->geometry().bottom() + 1);
    emit scaled(scale_);
    caption_->setScale(scale_);
    keys_->setTheme(theme_, scale_);
}

void StageWindow::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    blank_->setGeometry(rect());
    if (isOpen() && scale_ != scaleOf(height()))
        applyScale();
}

void StageWindow::closeEvent(QCloseEvent* event)
{
    event->ignore();
    emit left();
}

void StageWindow::setTime(double t, int decimals)
{
    if (!readout_)
        return;
    readout_->say(t, decimals);
    emit coversTop(readout_->geometry().bottom() + 1);
}

void StageWindow::showStep()
{
    if (!isOpen())
        return;
    const bool lesson = !lessons_.isHidden() && lessons_.step() >= 0;
    for (QPushButton* button : {window_, back_, show_, next_}) // tasks may need what the stage has not
        button->setVisible(lesson);
    if (!lesson) {
        step_->setText({});
        return;
    }
    const auto& steps = lessons_.current()->steps;
    const auto& now = steps[static_cast<std::size_t>(lessons_.step())];
    step_->setText(tr("%1 · %2 of %3 ").arg(QString::fromStdString(now.title)).arg(lessons_.step() + 1).arg(steps.size()));
    back_->setEnabled(lessons_.step() > 0);
    show_->setEnabled(now.question || !now.show.empty());
    next_->setText(isAtLastStep(lessons_) ? tr("Finish") : tr("Next"));
}

void StageWindow::chooseFormulation(int number)
{
    const RunEntry* run = document_.find(document_.bench().selected());
    if (!run)
        return;
    const QString id = stageFormulations()[static_cast<std::size_t>(number - 1)];
    (void)document_.control().setFormulation(run->key, id);
    // Where it was refused, the card over the scene says why, and the list offers it no more.
    if (document_.shown(run->key).settings.formulation != id.toStdString())
        keys_->noteRefused(*run, id);
    keys_->tell(kKeysAfterChoice);
}

bool StageWindow::isBlank() const { return !blank_->isHidden(); }

void StageWindow::blank(bool on)
{
    blank_->setGeometry(rect());
    blank_->setVisible(on);
    blank_->raise();
}

} // namespace driftless::ui
