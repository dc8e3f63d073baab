// The method laboratory: a Runge-Kutta tableau as text, its order conditions and its region of stability, decided anew while
// one types; BDF by its root locus. The eigenvalues of the selected run, times its step, stand in the region.
#pragma once

#include <QWidget>

#include <complex>
#include <optional>
#include <vector>

#include "core/base/Diagnostic.h"
#include "core/integrate/Tableau.h"
#include "ui/views/Theme.h"

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QTextBrowser;

namespace driftless::ui {

class CalmCombo;
class NumberField;
class StabilityView;

class MethodWindow : public QWidget {
    Q_OBJECT
public:
    explicit MethodWindow(const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    /// A method of the catalogue or of one's own by its id; others leave what is shown. parameter: of a family, 0 = the usual
    /// one.
    void showMethod(const QString& id, double parameter = 0);
    /// A tableau in the format of `driftless tableau FILE`.
    void setText(const QString& text);
    /// As if a person had typed it in the place of all that is there.
    void typeText(const QString& text);
    QString text() const;
    /// Whether a person has typed what is there.
    bool isEdited() const;
    /// Eigenvalues of a motion [1/s] and the step [s] that it is integrated with.
    void setEigenvalues(const std::vector<std::complex<double>>& eigenvalues, double step, const QString& whose);

    /// What is on display; empty for BDF and while the text is wrong.
    const std::optional<integrate::RungeKuttaTableau>& tableau() const { return tableau_; }

signals:
    /// The selected run shall be integrated with this method of the catalogue or of one's own. parameter: of a family, else 0.
    void wanted(const QString& id, double parameter);

private:
    QWidget* makeLeft();
    void want();
    QWidget* makeRight();
    void chosen();
    void read();
    void complain(const QString& problem); ///< empty: nothing is wrong
    void complain(const Diagnostic* problem);
    void showNothing();
    void describe();
    void showBdf(int order);

    Theme theme_;
    std::optional<integrate::RungeKuttaTableau> tableau_;
    bool filling_ = false; ///< the text changes because a method was chosen
    CalmCombo* methods_;
    QLabel *parameterName_, *problem_, *verdict_;
    NumberField* parameter_;
    QPlainTextEdit* text_;
    QPushButton* use_;
    QTextBrowser* page_;
    StabilityView* view_;
};

} // namespace driftless::ui
