#include "ui/panels/KeyRules.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTextEdit>

#include "ui/panels/Controls.h"

namespace driftless::ui {

namespace {

bool takesText(const QWidget& widget)
{
    if (const auto* number = qobject_cast<const NumberField*>(&widget))
        return number->isBeingTyped(); // a number that was entered waits for nothing
    if (const auto* line = qobject_cast<const QLineEdit*>(&widget))
        return !line->isReadOnly();
    if (const auto* text = qobject_cast<const QPlainTextEdit*>(&widget))
        return !text->isReadOnly();
    if (const auto* text = qobject_cast<const QTextEdit*>(&widget))
        return !text->isReadOnly();
    const auto* combo = qobject_cast<const QComboBox*>(&widget);
    return qobject_cast<const QAbstractSpinBox*>(&widget) || (combo && combo->isEditable());
}

} // namespace

KeyRules::KeyRules(QWidget& window) : QObject(&window), window_(window) { qApp->installEventFilter(this); }

bool KeyRules::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::ShortcutOverride && event->type() != QEvent::KeyPress)
        return false;
    auto* widget = qobject_cast<QWidget*>(watched);
    const auto* key = static_cast<QKeyEvent*>(event);
    if (!widget || widget->window() != &window_ || QApplication::activePopupWidget() || key->modifiers() & ~Qt::KeypadModifier)
        return false;
    const auto* number = qobject_cast<const NumberField*>(widget);
    const bool plays = key->key() == Qt::Key_Space && !takesText(*widget),
               starts = key->key() == Qt::Key_Home && number && number->isDone();
    if (event->type() == QEvent::ShortcutOverride && (plays || starts)) {
        event->ignore(); // buttons, lists and boxes would take Space for themselves, fields Home: they are not asked
        return true;
    }
    auto* button = qobject_cast<QAbstractButton*>(widget);
    const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
    if (event->type() == QEvent::KeyPress && enter && button && button->isEnabled()) {
        if (!key->isAutoRepeat())
            button->click();
        return true;
    }
    return false;
}

} // namespace driftless::ui
