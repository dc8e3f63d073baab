#include "ui/panels/MessageCard.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace driftless::ui {

namespace {
constexpr int kMargin = 16;
constexpr int kWidest = 460;
} // namespace

MessageCard::MessageCard(QWidget* over) : QFrame(over)
{
    setObjectName("messageCard");
    setProperty("role", "card");
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(6);
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
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(act_);
    row->addWidget(dismiss_);
    row->addStretch(1);
    layout->addWidget(title_);
    layout->addWidget(text_);
    layout->addSpacing(2);
    layout->addLayout(row);
    hide();
    over->installEventFilter(this);
    connect(dismiss_, &QPushButton::clicked, this, &QWidget::hide);
    connect(act_, &QPushButton::clicked, this, [this] {
        hide();
        if (const auto action = action_)
            action();
    });
}

void MessageCard::say(const QString& title, const QString& text, const QString& action, std::function<void()> act)
{
    title_->setText(title);
    text_->setText(text);
    text_->setVisible(!text.isEmpty());
    act_->setText(action);
    act_->setVisible(!action.isEmpty());
    action_ = std::move(act);
    show();
    place();
    raise();
}

void MessageCard::say(const Diagnostic& diagnostic)
{
    QStringList lines;
    for (const auto& part : {diagnostic.position.text(), diagnostic.why, diagnostic.remedy})
        if (!part.empty())
            lines << QString::fromStdString(part);
    say(QString::fromStdString(diagnostic.what), lines.join('\n'));
}

void MessageCard::place()
{
    const QRect area = parentWidget()->rect();
    const int width = std::min(kWidest, area.width() - 2 * kMargin);
    setFixedWidth(width);
    const int height = std::max(layout()->hasHeightForWidth() ? layout()->heightForWidth(width) : 0, sizeHint().height());
    setGeometry((area.width() - width) / 2, area.height() - height - kMargin, width, height);
}

bool MessageCard::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize && isVisible())
        place();
    return QFrame::eventFilter(watched, event);
}

} // namespace driftless::ui
