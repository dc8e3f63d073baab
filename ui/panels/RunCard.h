// The live choices of one run: a strip of two lines that stays below the list of runs, and the details beside it.
#pragma once

#include <QWidget>

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

/// The card itself is the page of details: options, cost, why the run stopped, what can be done with it. Object names end in
/// the number of the run's colour, from 1: formulation_1, integrator_1, tolerances_1, step_1, details_1; option_basis_1, ...
class RunCard : public QWidget {
    Q_OBJECT
public:
    RunCard(Document& document, int key, QWidget* parent = nullptr);

    int key() const { return key_; }
    /// Formulation, integrator, step: two lines, placed elsewhere and owned by whoever places it.
    QWidget* strip() { return strip_; }
    /// Why it stopped; empty: it goes on.
    const QString& failure() const { return failureText_; }
    /// Whether the details are in sight, as their button shows it; offered: whether it has something to open.
    void showOpen(bool open, bool offered);
    void setTheme(const Theme& theme);
    /// What it is called: from the document.
    void showEntry();
    /// Formulation, integrator, step: from the run.
    void showSettings();
    /// What it has cost so far.
    void showCost();

signals:
    void detailsAsked(bool open);

private:
    void buildStrip();
    void connectStrip();
    void buildTitle(QVBoxLayout* layout);
    void buildFailure(QVBoxLayout* layout);
    void rebuildOptions(const std::string& formulation, const integrate::IntegratorInfo* method);
    void showOptions(const run::RunSettings& settings);
    void showFailure(const run::RunStatus& status);
    void stepEntered(double value);

    Document& document_;
    const int key_;
    QWidget* strip_;
    ElidedLabel* title_;
    QToolButton *details_, *duplicate_, *remove_;
    CalmCombo *formulation_, *integrator_;
    QWidget* optionsBox_;
    QGridLayout* options_;
    std::string optionsOf_;            ///< formulation and family of methods whose options are shown
    NumberField* parameter_ = nullptr; ///< of a family of methods; null: the integrator is none
    std::map<std::string, CalmCombo*> optionCombos_;
    QLabel* stepLabel_;
    QToolButton* tolerances_; ///< in place of the label where the method chooses its steps
    NumberField* step_;
    QLabel* cost_;
    QWidget* failure_;
    QLabel *reason_, *why_;
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
