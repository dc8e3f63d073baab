// Names, titles and descriptions come from files of strangers. Qt takes a text that looks like HTML for HTML and loads the
// pictures that it names, from a device or a pipe if it says so.
#pragma once

#include <QObject>

namespace driftless::ui {

/// While it lives, in the whole application: a label that was not told what its text is shows it as it stands, and a tip that
/// would load anything does.
class TextGuard final : public QObject {
public:
    explicit TextGuard(QObject* parent);

protected:
    bool eventFilter(QObject* object, QEvent* event) override;
};

/// Whether rich text would load something from elsewhere.
bool loadsSomething(const QString& html);

} // namespace driftless::ui
