#include "ui/panels/TopBar.h"

#include <QAction>
#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>

#include <cmath>
#include <utility>

#include "ui/document/NumberText.h"
#include "ui/panels/Controls.h"
#include "ui/panels/MenuBar.h"

namespace driftless::ui {

namespace {
constexpr double kSpeeds[] = {0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 50};
} // namespace

TopBar::TopBar(Actions& actions, QWidget* parent) : QFrame(parent), actions_(actions)
{
    setObjectName("topBar");
    setProperty("role", "bar");
    setFixedHeight(kHeight);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 0, 8, 0);
    layout->setSpacing(2);
    menu_ = new MenuBar(actions_);
    connect(menu_, &MenuBar::recentChosen, this, &TopBar::recentChosen);
    layout->addWidget(menu_, 0, Qt::AlignVCenter);
    const auto put = [&](const char* id, Glyph glyph, const char* name) {
        auto* button = add(actions_.at(id), glyph, name);
        layout->addWidget(button);
        return button;
    };
    put("play", Glyph::Play, "playButton");
    put("step", Glyph::Step, "stepButton");
    put("reset", Glyph::Reset, "resetButton");
    layout->addSpacing(6);
    speed_ = new QComboBox;
    speed_->setObjectName("speedCombo");
    speed_->setToolTip(tr("Playing speed: simulated seconds per second"));
    speed_->setAccessibleName(tr("Playing speed"));
    for (const double speed : kSpeeds)
        speed_->addItem(QStringLiteral("%1×").arg(speed), speed);
    layout->addWidget(speed_);
    layout->addSpacing(4);
    put("undo", Glyph::Undo, "undoButton");
    put("redo", Glyph::Redo, "redoButton");
    layout->addSpacing(8);
    time_ = new QLabel;
    time_->setObjectName("timeLabel");
    time_->setProperty("role", "time");
    time_->setAccessibleName(tr("Displayed time"));
    layout->addWidget(time_);
    then_ = new QToolButton;
    then_->setObjectName("thenButton");
    then_->setProperty("role", "badge");
    then_->setText(tr("then"));
    then_->setToolTip(actions_.at("now").toolTip());
    then_->setAccessibleName(tr("Back to now"));
    then_->setFocusPolicy(Qt::TabFocus);
    then_->hide(); // what comes and goes here takes room from the title alone: no button moves
    connect(then_, &QToolButton::clicked, &actions_.at("now"), &QAction::trigger);
    layout->addWidget(then_);
    behind_ = new QLabel;
    behind_->setObjectName("behindLabel");
    behind_->setProperty("role", "secondary");
    behind_->setToolTip(tr("Computing takes longer than playing at this speed allows: the clock waits for the slowest run"));
    behind_->hide();
    layout->addWidget(behind_);
    title_ = new ElidedLabel;
    title_->setObjectName("titleLabel");
    title_->setProperty("role", "secondary");
    title_->setAlignment(Qt::AlignCenter);
    title_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // what the menus and buttons leave
    layout->addWidget(title_, 1);
    open_ = put("open", Glyph::Open, "openButton");
    put("gallery", Glyph::Gallery, "galleryButton");
    save_ = put("save", Glyph::Save, "saveButton");
    export_ = put("exportFigure", Glyph::Export, "exportButton");
    view_ = put("fit", Glyph::Fit, "fitButton");
    layout->addWidget(separator());
    put("edit", Glyph::Edit, "editButton");
    put("lessons", Glyph::Lessons, "lessonsButton");
    put("drawer", Glyph::Drawer, "drawerButton");
    put("theme", Glyph::Theme, "themeButton");
    put("stage", Glyph::Present, "stageButton");

    const auto menu = [this](QToolButton* button, std::initializer_list<const char*> entries) {
        auto* list = new QMenu(button);
        for (const char* id : entries)
            list->addAction(&actions_.at(id));
        button->setMenu(list);
        button->setPopupMode(QToolButton::MenuButtonPopup);
    };
    menu(open_, {});
    showRecent({});
    menu(save_, {"save", "saveAs", "saveModel"});
    menu(export_, {"exportFigure", "arrangeFigure", "exportNow", "copyFigure", "exportCsv", "exportScene", "sharePage",
                   "shareLesson", "shareStudy"});
    menu(view_, {"fit", "fan", "deviation", "arrows"});
    connect(speed_, &QComboBox::currentIndexChanged, this, [this] { emit speedChosen(speed_->currentData().toDouble()); });
    setSpeed(1);
    setTime(0);
}

QToolButton* TopBar::add(QAction& action, Glyph glyph, const QString& name)
{
    auto* button = new QToolButton;
    button->setObjectName(name);
    button->setDefaultAction(&action);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setAccessibleName(action.text());
    button->setIconSize({20, 20});
    button->setMinimumSize(32, 32);
    buttons_.push_back({&action, glyph});
    return button;
}

QFrame* TopBar::separator()
{
    auto* line = new QFrame;
    line->setProperty("role", "separator");
    line->setFixedSize(13, 20);
    return line;
}

void TopBar::setTheme(const Theme& theme, double scale)
{
    theme_ = theme;
    for (const Button& button : buttons_)
        button.action->setIcon(glyphIcon(button.glyph, theme.text, theme.line));
    QFont font = uiFont(static_cast<int>(std::lround(kHeadingPixels * scale)), QFont::DemiBold);
    time_->setFont(font);
    const QString longest = scale > 1 ? QStringLiteral("t = 000.00 s") : QStringLiteral("t = 0000.00 s"); // the menus need room
    time_->setMinimumWidth(QFontMetrics(font).horizontalAdvance(longest));
    setPlaying(playing_);
}

void TopBar::setPlaying(bool playing)
{
    playing_ = playing;
    QAction& play = actions_.at("play");
    play.setIcon(glyphIcon(playing ? Glyph::Pause : Glyph::Play, theme_.text, theme_.line));
    play.setText(playing ? tr("Pause") : tr("Play"));
    play.setToolTip(playing ? tr("Pause (Space)") : tr("Play (Space)"));
}

/// In a narrow window the menus and the title come first: what these buttons do stands in the menus File and View.
void TopBar::resizeEvent(QResizeEvent* event)
{
    constexpr int kAllButtons = 1160; // [px]
    QFrame::resizeEvent(event);
    for (const char* name : {"openButton", "galleryButton", "saveButton", "exportButton", "fitButton", "themeButton"})
        if (auto* button = findChild<QToolButton*>(QLatin1String(name)))
            button->setVisible(width() >= kAllButtons);
}

void TopBar::setTitle(const QString& title) { title_->setText(title); }

void TopBar::setTime(double t, bool then)
{
    then_->setVisible(then);
    const QString text = QStringLiteral("t = %1 s").arg(t, 0, 'f', decimals_);
    if (text != time_->text())
        time_->setText(text);
}

void TopBar::setDecimals(int decimals) { decimals_ = decimals; }

void TopBar::showPace(double wallSeconds, const run::ClockStatus& clock)
{
    constexpr double kReadable = 0.25; // [s] figures that change faster cannot be read
    const auto kept = pace_.frame(wallSeconds, clock);
    if (kept && behind_->isVisible() && (sincePace_ += wallSeconds) < kReadable)
        return;
    sincePace_ = 0;
    QString text;
    if (kept) {
        const int digits = *kept < 0.1 * clock.speed ? 1 : 2;
        text = tr("%1× of %2×").arg(numberText(*kept, digits), numberText(clock.speed));
    }
    if (text == behind_->text())
        return;
    behind_->setText(text);
    behind_->setVisible(kept.has_value());
}

/// One that is not in the list is added to it, until the next one.
void TopBar::setSpeed(double speed)
{
    constexpr double kSame = 1e-6;
    const QSignalBlocker quiet(speed_);
    const auto placeOf = [&] {
        int i = 0;
        while (i < speed_->count() && speed_->itemData(i).toDouble() < speed * (1 - kSame))
            ++i;
        return i;
    };
    if (ownSpeed_ >= 0 && std::abs(speed_->itemData(ownSpeed_).toDouble() / speed - 1) > kSame)
        speed_->removeItem(std::exchange(ownSpeed_, -1));
    const int place = placeOf();
    if (place == speed_->count() || speed_->itemData(place).toDouble() > speed * (1 + kSame)) {
        speed_->insertItem(place, QStringLiteral("%1×").arg(numberText(speed, 3)), speed);
        ownSpeed_ = place;
    }
    speed_->setCurrentIndex(place);
}

bool TopBar::canTurnSpeed(int by) const
{
    const int wanted = speed_->currentIndex() + by;
    return wanted >= 0 && wanted < speed_->count();
}

void TopBar::turnSpeed(int by)
{
    if (canTurnSpeed(by))
        speed_->setCurrentIndex(speed_->currentIndex() + by);
}

void TopBar::showRecent(const QStringList& files)
{
    menu_->showRecent(files);
    QMenu* menu = open_->menu();
    menu->clear();
    for (const char* id : {"newMechanism", "open", "gallery"})
        menu->addAction(&actions_.at(id));
    if (!files.isEmpty())
        menu->addSeparator();
    for (const QString& file : files)
        connect(menu->addAction(QFileInfo(file).fileName()), &QAction::triggered, this,
                [this, file] { emit recentChosen(file); });
}

} // namespace driftless::ui
