// The laboratories beside the window: linear DAEs, methods, work and precision; and the selected run linearised into them.
#pragma once

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

    PencilWindow& openPencil();
    void openMethods();
    void openPrecision();
    /// The selected run at the displayed time, in the laboratory of linear DAEs.
    void lineariseHere();

signals:
    void refused(const driftless::Diagnostic& why);

private:
    void makeMethods();
    void showEigenvalues();

    Document& document_;
    QWidget& window_;
    Theme theme_ = Theme::light();
    QPointer<PencilWindow> pencil_;
    QPointer<MethodWindow> methods_;
    QPointer<WorkPrecisionWindow> precision_;
};

} // namespace driftless::ui
