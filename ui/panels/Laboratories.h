// The laboratories: linear DAEs and methods, which have workspaces of the window; work and precision beside it; and the
// selected run linearised into them.
#pragma once

#include <QJsonObject>
#include <QObject>
#include <QPointer>

#include "core/base/Diagnostic.h"
#include "ui/document/Document.h"
#include "ui/views/Theme.h"

namespace driftless::ui {

class MethodWindow;
class PencilWindow;
class WorkPrecisionWindow;

class Laboratories : public QObject {
    Q_OBJECT
public:
    Laboratories(Document& document, QWidget& window);
    void setTheme(const Theme& theme);

    /// Made when they are asked for first, as parts of the window.
    PencilWindow& pencil();
    MethodWindow& methods();
    void openPrecision();
    /// Names of those with a text that a person has typed.
    QStringList typed() const;
    /// Their texts by names, and the same again.
    QJsonObject typedTexts() const;
    void typeTexts(const QJsonObject& texts);
    /// The selected run at the displayed time, in the laboratory of linear DAEs.
    void lineariseHere();

signals:
    /// The laboratory of linear DAEs has something to show.
    void pencilAsked();
    void refused(const driftless::Diagnostic& why);

private:
    void makeMethods();
    void showEigenvalues();

    Document& document_;
    QWidget& window_;
    Theme theme_ = Theme::light();
    PencilWindow* pencil_ = nullptr;
    MethodWindow* methods_ = nullptr;
    QPointer<WorkPrecisionWindow> precision_;
};

} // namespace driftless::ui
