// What keys mean anywhere in the window: Space plays and pauses unless text is written, Home leads back to the start from a
// field in which a number was just entered, Enter presses the button that has the focus.
#pragma once

#include <QObject>

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
    QWidget& window_;
};

} // namespace driftless::ui
