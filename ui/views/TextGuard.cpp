#include "ui/views/TextGuard.h"

#include <QApplication>
#include <QEvent>
#include <QLabel>
#include <QRegularExpression>
#include <QTextDocument>

namespace driftless::ui {

TextGuard::TextGuard(QObject* parent) : QObject(parent) { qApp->installEventFilter(this); }

bool TextGuard::eventFilter(QObject* object, QEvent* event)
{
    if (event->type() == QEvent::Polish) {
        // Before the first layout, which is what loads. The label of a tip is Qt's own; its text is looked at below.
        auto* label = qobject_cast<QLabel*>(object);
        if (label && label->textFormat() == Qt::AutoText && !label->inherits("QTipLabel"))
            label->setTextFormat(Qt::PlainText);
    } else if (event->type() == QEvent::ToolTipChange && object->isWidgetType()) {
        auto* widget = static_cast<QWidget*>(object);
        if (loadsSomething(widget->toolTip()))
            widget->setToolTip(widget->toolTip().toHtmlEscaped());
    }
    return QObject::eventFilter(object, event);
}

bool loadsSomething(const QString& html)
{
    static const QRegularExpression loading(
        QStringLiteral("<\\s*(img|image|link|style|object|body)\\b|url\\s*\\(|@import|background"),
        QRegularExpression::CaseInsensitiveOption);
    // Without a tag it only names what would: Qt takes an escaped text for rich text, too.
    return html.contains(QLatin1Char('<')) && Qt::mightBeRichText(html) && html.contains(loading);
}

} // namespace driftless::ui
