// One run in the left column: its entry in the legend, its live choices and its figures.
#pragma once

#include <QFrame>

#include <functional>
#include <map>
#include <string>

#include "core/integrate/Integrator.h"
#include "ui/document/Document.h"
#include "ui/views/Theme.h"

class QGridLayout;
class QLabel;
class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace driftless::ui {

class CalmCombo;
class ElidedLabel;
class NumberField;

/// Colour, dash and marker of a run, as the curves show them.
class RunSwatch final : public QWidget {
public:
    explicit RunSwatch(QWidget* parent = nullptr);
    void set(int colour, const Theme* theme);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int colour_ = 0;
    const Theme* theme_ = &Theme::light();
};

/// Object names end in the number of the run's colour, from 1: formulation_1, integrator_1, tolerances_1, step_1,
/// option_basis_1, ...
class RunCard : public QFrame {
    Q_OBJECT
public:
    RunCard(Document& document, int key, QWidget* parent = nullptr);

    int key() const { return key_; }
    void setTheme(const Theme& theme);
    /// Selected, reference, hidden: from the document.
    void showEntry();
    /// Formulation, integrator, step: from the run.
    void showSettings();
    /// The figures at the displayed time.
    void showFigures(double t);

protected:
    void mousePressEvent(QMouseEvent* event) override;

private:
    void buildTitle(QVBoxLayout* layout);
    void buildChoices(QVBoxLayout* layout);
    void buildFigures(QVBoxLayout* layout);
    void rebuildOptions(const std::string& formulation, const integrate::IntegratorInfo* method);
    void showOptions(const run::RunSettings& settings);
    void showFailure(const run::RunStatus& status);
    void stepEntered(double value);

    Document& document_;
    const int key_;
    RunSwatch* swatch_;
    ElidedLabel* name_;
    QToolButton *eye_, *reference_, *duplicate_, *remove_;
    CalmCombo *formulation_, *integrator_;
    QWidget* optionsBox_;
    QGridLayout* options_;
    std::string optionsOf_;            ///< formulation and family of methods whose options are shown
    NumberField* parameter_ = nullptr; ///< of a family of methods; null: the integrator is none
    std::map<std::string, CalmCombo*> optionCombos_;
    QLabel *stepLabel_, *then_;
    QToolButton* tolerances_; ///< in place of the label where the method chooses its steps
    NumberField* step_;
    QLabel *residual_, *energy_, *error_, *cost_;
    QWidget* failure_;
    QLabel* reason_;
    QPushButton* remedy_;
    QString failureText_;
};

/// What a click can do about a failed run; the button's text and the edit.
struct Remedy {
    QString text;
    std::function<void(Document&, int key)> act;
};
Remedy remedyFor(const run::RunStatus& status);

} // namespace driftless::ui
