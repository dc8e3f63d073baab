// A calm card over the scene: one sentence, why, and at most one thing to click. It never blocks the window.
#pragma once

#include <QFrame>
#include <QPointer>
#include <QString>
#include <QTimer>

#include <functional>

#include "core/base/Diagnostic.h"

class QBoxLayout;
class QLabel;
class QPushButton;

namespace driftless::ui {

class MessageCard : public QFrame {
    Q_OBJECT
public:
    explicit MessageCard(QWidget* over);

    /// action empty: only a way to dismiss it. dismissed: what follows from that, unless another message came before.
    void say(const QString& title, const QString& text, const QString& action = {}, std::function<void()> act = {},
             std::function<void()> dismissed = {});
    void say(const Diagnostic& diagnostic);
    /// The same of what was asked for and is not done; it is over with the next thing that is.
    void refuse(const driftless::Diagnostic& diagnostic);
    /// Something was done. What was refused with it, or since, stays.
    void endRefusal();
    /// Goes, unless it asks something that has to be answered: what it speaks of is over.
    void leave();
    /// Its first line; empty while it is out of sight.
    QString title() const;
    /// Whether it will go by itself.
    bool leaves() const { return leaving_.isActive(); }
    /// Scale of lengths, as of the fonts.
    void setScale(double scale);
    /// At the bottom of the widget it lies over.
    void place();
    /// Leaves this widget in sight, which lies over the left of the same one, where there is room beside it.
    void keepClear(QWidget* of);
    /// Over another widget from now on.
    void moveOver(QWidget* over);

signals:
    /// Pixels at the bottom that the card takes, 0 when it is gone.
    void covers(int pixels);

protected:
    void hideEvent(QHideEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    bool event(QEvent* event) override;

private:
    void waitToLeave();
    void arrange(const QRect& area);
    QRect room() const;

    QTimer leaving_;
    QBoxLayout *all_, *buttons_;
    QLabel *title_, *text_;
    QPushButton *act_, *dismiss_;
    QString refused_; ///< title of what was refused before the present event; else empty
    double scale_ = 1;
    QPointer<QWidget> clear_;
    std::function<void()> action_, dismissed_;
};

/// Place, reason and remedy of a diagnostic as lines of whole sentences.
QString explained(const Diagnostic& diagnostic);

} // namespace driftless::ui
