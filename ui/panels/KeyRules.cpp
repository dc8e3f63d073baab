#include "ui/panels/KeyRules.h"

#include <QAbstractButton>
#include <QAbstractItemView>
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

/// Where it goes, and what it looks for: a letter begins a search, and more of a title follows in time.
bool KeyRules::isForList(const QWidget& widget, const QKeyEvent& key)
{
    const auto* list = qobject_cast<const QAbstractItemView*>(&widget);
    if (!list || key.modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier))
        return false;
    switch (key.key()) {
    case Qt::Key_Home:
    case Qt::Key_End:
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
        return true;
    default:
        break;
    }
    const QString text = key.text();
    if (text.isEmpty() || !text.front().isPrint())
        return false;
    const bool goesOn = searched_.isValid() && searched_.elapsed() < QApplication::keyboardInputInterval();
    if (!goesOn && !text.front().isLetter())
        return false;
    searched_.start();
    return true;
}

bool KeyRules::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::ShortcutOverride && event->type() != QEvent::KeyPress)
        return false;
    auto* widget = qobject_cast<QWidget*>(watched);
    const auto* key = static_cast<QKeyEvent*>(event);
    if (!widget || widget->window() != &window_ || QApplication::activePopupWidget())
        return false;
    if (event->type() == QEvent::ShortcutOverride && isForList(*widget, *key)) {
        event->accept();
        return true;
    }
    if (key->modifiers() & ~Qt::KeypadModifier)
        return false;
    const auto* number = qobject_cast<const NumberField*>(widget);
    const bool plays = key->key() == Qt::Key_Space && !takesText(*widget),
               starts = key->key() == Qt::Key_Home && number && number->isDone() && !number->isBeingTyped();
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
