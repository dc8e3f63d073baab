// What keys mean anywhere in the window: Space plays and pauses unless text is written, Home leads back to the start from a
// field in which a number was just entered, Enter presses the button that has the focus, and a list that has the focus is
// walked and searched by keys that else are the window's.
#pragma once

#include <QElapsedTimer>
#include <QObject>

class QKeyEvent;
class QWidget;

namespace driftless::ui {

class KeyRules : public QObject {
    Q_OBJECT
public:
    /// For all widgets of this window, as long as it lives.
    explicit KeyRules(QWidget& window);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool isForList(const QWidget& widget, const QKeyEvent& key);

    QWidget& window_;
    QElapsedTimer searched_; ///< since a letter was typed in a list
};

} // namespace driftless::ui
