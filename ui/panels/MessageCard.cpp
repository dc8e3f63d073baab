#include "ui/panels/MessageCard.h"

#include <QDir>
#include <QEnterEvent>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace driftless::ui {

namespace {
constexpr int kMargin = 16;
constexpr int kWidest = 460;

/// The parts of a diagnostic are written to be joined by punctuation; alone each becomes a sentence. A name ("bob.x",
/// "rk4") keeps its spelling.
QString sentence(QString text, const QString& lead = {})
{
    text = text.trimmed();
    if (text.isEmpty())
        return {};
    const QString first = text.section(' ', 0, 0);
    const bool plain = std::all_of(first.begin(), first.end(), [](QChar c) { return c.isLower(); });
    if (!lead.isEmpty() && !text.front().isUpper())
        text.prepend(lead);
    else if (plain)
        text.front() = text.front().toUpper();
    return QStringLiteral(".!?").contains(text.back()) ? text : text + '.';
}

/// Of a file that is written or read its path.
QString fileOf(const Diagnostic& diagnostic)
{
    const QString where = QString::fromStdString(diagnostic.where);
    const bool told = QString::fromStdString(diagnostic.what + diagnostic.why).contains(where);
    return QDir::isAbsolutePath(where) && !told ? where : QString();
}

} // namespace

QString explained(const Diagnostic& diagnostic)
{
    const QString place = QString::fromStdString(diagnostic.position.text()), file = fileOf(diagnostic);
    QStringList lines{place, file == QString::fromStdString(diagnostic.position.file) ? QString() : file,
                      sentence(QString::fromStdString(diagnostic.why)),
                      sentence(QString::fromStdString(diagnostic.remedy), QObject::tr("Try: "))};
    lines.removeAll(QString());
    return lines.join('\n');
}

MessageCard::MessageCard(QWidget* over) : QFrame(over)
{
    setObjectName("messageCard");
    setProperty("role", "card");
    all_ = new QBoxLayout(QBoxLayout::TopToBottom, this);
    all_->setContentsMargins(16, 12, 16, 12);
    all_->setSpacing(8);
    auto* words = new QVBoxLayout;
    words->setSpacing(6);
    title_ = new QLabel;
    title_->setObjectName("messageTitle");
    title_->setProperty("role", "heading");
    title_->setWordWrap(true);
    text_ = new QLabel;
    text_->setObjectName("messageText");
    text_->setProperty("role", "secondary");
    text_->setWordWrap(true);
    act_ = new QPushButton;
    act_->setObjectName("messageAction");
    act_->setProperty("role", "primary");
    dismiss_ = new QPushButton(tr("Dismiss"));
    dismiss_->setObjectName("messageDismiss");
    buttons_ = new QBoxLayout(QBoxLayout::LeftToRight);
    buttons_->setSpacing(8);
    buttons_->addWidget(act_);
    buttons_->addWidget(dismiss_);
    buttons_->addStretch(1);
    words->addWidget(title_);
    words->addWidget(text_);
    all_->addLayout(words, 1);
    all_->addLayout(buttons_);
    hide();
    leaving_.setSingleShot(true);
    connect(&leaving_, &QTimer::timeout, this, &MessageCard::leave);
    over->installEventFilter(this);
    connect(dismiss_, &QPushButton::clicked, this, [this] {
        hide();
        if (const auto dismissed = dismissed_)
            dismissed();
    });
    connect(act_, &QPushButton::clicked, this, [this] {
        hide();
        if (const auto action = action_)
            action();
    });
}

void MessageCard::say(const QString& title, const QString& text, const QString& action, std::function<void()> act,
                      std::function<void()> dismissed)
{
    title_->setText(title);
    text_->setText(text);
    text_->setVisible(!text.isEmpty());
    act_->setText(action);
    act_->setVisible(!action.isEmpty());
    action_ = std::move(act);
    dismissed_ = std::move(dismissed);
    show();
    place();
    raise();
    waitToLeave();
}

/// A question waits for its answer; what only tells something goes when it was read.
void MessageCard::waitToLeave()
{
    constexpr int kLeast = 6000, kPerLetter = 60; ///< [ms] slow readers read about seventeen letters a second
    leaving_.stop();
    if (!action_ && !underMouse())
        leaving_.start(kLeast + kPerLetter * static_cast<int>(title_->text().size() + text_->text().size()));
}

QString MessageCard::title() const { return isHidden() ? QString() : title_->text(); }

void MessageCard::leave()
{
    if (!dismissed_)
        hide();
}

void MessageCard::enterEvent(QEnterEvent* event)
{
    leaving_.stop();
    QFrame::enterEvent(event);
}

void MessageCard::leaveEvent(QEvent* event)
{
    QFrame::leaveEvent(event);
    if (isVisible())
        waitToLeave();
}

void MessageCard::say(const Diagnostic& diagnostic) { say(QString::fromStdString(diagnostic.what), explained(diagnostic)); }

void MessageCard::refuse(const Diagnostic& diagnostic)
{
    say(diagnostic);
    QTimer::singleShot(0, this, [this] { refused_ = title(); });
}

void MessageCard::endRefusal()
{
    if (!refused_.isEmpty() && title() == refused_)
        leave();
    refused_.clear();
}

void MessageCard::setScale(double scale)
{
    scale_ = scale;
    if (isVisible())
        place();
}

void MessageCard::keepClear(QWidget* of)
{
    clear_ = of;
    of->installEventFilter(this);
}

/// What it may lie over.
QRect MessageCard::room() const
{
    constexpr int kNarrowest = 200;
    QRect area = parentWidget()->rect();
    if (!clear_ || clear_->parentWidget() != parentWidget() || clear_->isHidden())
        return area;
    if (const int left = clear_->geometry().right() + 1; area.right() - left >= qRound(kNarrowest * scale_) + 2 * kMargin)
        area.setLeft(left);
    return area;
}

/// Over a low scene the buttons stand beside the words: a line of buttons would hide what moves.
void MessageCard::arrange(const QRect& area)
{
    constexpr int kLow = 360, kWideEnough = 420; // [px]
    const bool beside = area.height() < qRound(kLow * scale_) && area.width() >= qRound(kWideEnough * scale_);
    const auto direction = beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom;
    if (all_->direction() == direction)
        return;
    all_->setDirection(direction);
    all_->setSpacing(beside ? 16 : 8);
    buttons_->setDirection(beside ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    const int edge = beside ? 8 : 12;
    all_->setContentsMargins(16, edge, 16, edge);
}

void MessageCard::place()
{
    const QRect area = room();
    arrange(area);
    const int width = std::min(qRound(kWidest * scale_), area.width() - 2 * kMargin);
    setFixedWidth(width);
    const int height = std::max(layout()->hasHeightForWidth() ? layout()->heightForWidth(width) : 0, sizeHint().height());
    setGeometry(area.left() + (area.width() - width) / 2, area.height() - height - kMargin, width, height);
    emit covers(height + kMargin);
}

void MessageCard::moveOver(QWidget* over)
{
    if (over == parentWidget())
        return;
    const bool shown = !isHidden();
    parentWidget()->removeEventFilter(this);
    emit covers(0); // of what it leaves
    {
        const QSignalBlocker quiet(this); // it is hidden on the way, and what it says stays
        setParent(over);
    }
    over->installEventFilter(this);
    setVisible(shown);
    if (!shown)
        return;
    place();
    raise();
    waitToLeave();
}

void MessageCard::hideEvent(QHideEvent*)
{
    leaving_.stop();
    emit covers(0);
}

bool MessageCard::eventFilter(QObject* watched, QEvent* event)
{
    const bool moves =
        watched == clear_ && (event->type() == QEvent::Show || event->type() == QEvent::Hide || event->type() == QEvent::Move);
    if ((event->type() == QEvent::Resize || moves) && !isHidden()) // also while the window around it comes into sight
        place();
    return QFrame::eventFilter(watched, event);
}

/// Its words have another size, as on the stage and after it: so has the card.
bool MessageCard::event(QEvent* event)
{
    const bool handled = QFrame::event(event);
    if (event->type() == QEvent::LayoutRequest && !isHidden())
        place();
    return handled;
}

} // namespace driftless::ui
