#include "ui/panels/TopBar.h"

#include <QAction>
#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>

#include <cmath>

namespace driftless::ui {

namespace {
constexpr double kSpeeds[] = {0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 50};
} // namespace

TopBar::TopBar(const WindowActions& actions, QWidget* parent) : QFrame(parent), actions_(actions)
{
    setObjectName("topBar");
    setProperty("role", "bar");
    setFixedHeight(kHeight);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 0, 8, 0);
    layout->setSpacing(2);
    const auto put = [&](QAction* action, Glyph glyph, const char* name) {
        auto* button = add(action, glyph, name);
        layout->addWidget(button);
        return button;
    };
    put(actions.play, Glyph::Play, "playButton");
    put(actions.step, Glyph::Step, "stepButton");
    put(actions.reset, Glyph::Reset, "resetButton");
    layout->addSpacing(6);
    speed_ = new QComboBox;
    speed_->setObjectName("speedCombo");
    speed_->setToolTip(tr("Playing speed: simulated seconds per second"));
    speed_->setAccessibleName(tr("Playing speed"));
    for (const double speed : kSpeeds)
        speed_->addItem(QStringLiteral("%1×").arg(speed), speed);
    layout->addWidget(speed_);
    layout->addSpacing(10);
    time_ = new QLabel;
    time_->setObjectName("timeLabel");
    time_->setProperty("role", "time");
    time_->setAccessibleName(tr("Displayed time"));
    layout->addWidget(time_);
    layout->addWidget(separator());
    put(actions.undo, Glyph::Undo, "undoButton");
    put(actions.redo, Glyph::Redo, "redoButton");
    layout->addStretch(1);
    title_ = new QLabel;
    title_->setObjectName("titleLabel");
    title_->setProperty("role", "secondary");
    layout->addWidget(title_);
    layout->addStretch(1);
    open_ = put(actions.open, Glyph::Open, "openButton");
    put(actions.gallery, Glyph::Gallery, "galleryButton");
    save_ = put(actions.save, Glyph::Save, "saveButton");
    export_ = put(actions.exportFigure, Glyph::Export, "exportButton");
    view_ = put(actions.fit, Glyph::Fit, "fitButton");
    layout->addWidget(separator());
    put(actions.edit, Glyph::Edit, "editButton");
    put(actions.lessons, Glyph::Lessons, "lessonsButton");
    put(actions.drawer, Glyph::Drawer, "drawerButton");
    put(actions.theme, Glyph::Theme, "themeButton");
    put(actions.presentation, Glyph::Present, "presentationButton");

    const auto menu = [this](QToolButton* button, std::initializer_list<QAction*> entries) {
        auto* list = new QMenu(button);
        for (QAction* action : entries)
            list->addAction(action);
        button->setMenu(list);
        button->setPopupMode(QToolButton::MenuButtonPopup);
    };
    menu(open_, {});
    showRecent({});
    menu(save_, {actions.save, actions.saveAs, actions.saveModel});
    menu(export_, {actions.exportFigure, actions.arrangeFigure, actions.exportNow, actions.copyFigure, actions.exportCsv,
                   actions.exportScene});
    menu(view_, {actions.fit, actions.fan, actions.deviation, actions.arrows, actions.everyStep, actions.memory,
                 actions.lineariseHere, actions.pencil, actions.methods, actions.precision, actions.notation});
    connect(speed_, &QComboBox::currentIndexChanged, this, [this] { emit speedChosen(speed_->currentData().toDouble()); });
    setSpeed(1);
    setTime(0);
}

QToolButton* TopBar::add(QAction* action, Glyph glyph, const QString& name)
{
    auto* button = new QToolButton;
    button->setObjectName(name);
    button->setDefaultAction(action);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setAccessibleName(action->text());
    button->setIconSize({20, 20});
    button->setMinimumSize(32, 32);
    buttons_.push_back({action, glyph});
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
    time_->setMinimumWidth(QFontMetrics(font).horizontalAdvance(QStringLiteral("t = 00000.00 s")));
    setPlaying(playing_);
}

void TopBar::setPlaying(bool playing)
{
    playing_ = playing;
    actions_.play->setIcon(glyphIcon(playing ? Glyph::Pause : Glyph::Play, theme_.text, theme_.line));
    actions_.play->setText(playing ? tr("Pause") : tr("Play"));
    actions_.play->setToolTip(playing ? tr("Pause (Space)") : tr("Play (Space)"));
}

void TopBar::setTitle(const QString& title) { title_->setText(title); }

void TopBar::setTime(double t)
{
    const QString text = QStringLiteral("t = %1 s").arg(t, 0, 'f', 2);
    if (text != time_->text())
        time_->setText(text);
}

void TopBar::setSpeed(double speed)
{
    int best = 0;
    for (int i = 0; i < speed_->count(); ++i)
        if (std::abs(std::log(speed_->itemData(i).toDouble() / speed))
            < std::abs(std::log(speed_->itemData(best).toDouble() / speed)))
            best = i;
    const QSignalBlocker quiet(speed_);
    speed_->setCurrentIndex(best);
}

void TopBar::showRecent(const QStringList& files)
{
    QMenu* menu = open_->menu();
    menu->clear();
    menu->addAction(actions_.newMechanism);
    menu->addAction(actions_.open);
    menu->addAction(actions_.gallery);
    if (!files.isEmpty())
        menu->addSeparator();
    for (const QString& file : files)
        connect(menu->addAction(QFileInfo(file).fileName()), &QAction::triggered, this,
                [this, file] { emit recentChosen(file); });
}

} // namespace driftless::ui
