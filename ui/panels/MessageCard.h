// A calm card over the scene: one sentence, why, and at most one thing to click. It never blocks the window.
#pragma once

#include <QFrame>

#include <functional>

#include "core/base/Diagnostic.h"

class QLabel;
class QPushButton;

namespace driftless::ui {

class MessageCard : public QFrame {
    Q_OBJECT
public:
    explicit MessageCard(QWidget* over);

    /// action empty: only a way to dismiss it.
    void say(const QString& title, const QString& text, const QString& action = {}, std::function<void()> act = {});
    void say(const Diagnostic& diagnostic);
    /// At the bottom of the widget it lies over.
    void place();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QLabel *title_, *text_;
    QPushButton *act_, *dismiss_;
    std::function<void()> action_;
};

} // namespace driftless::ui
