// A dock of the left column: what the selected run selects while it goes on, dummies or a basis.
#pragma once

#include <QFrame>

#include <vector>

#include "ui/document/Document.h"

class QCheckBox;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace driftless::ui {

class ElidedLabel;

/// One selection and its single exchanges with their kappa, a button each; the best few where there are many.
class SelectionList : public QWidget {
    Q_OBJECT
public:
    explicit SelectionList(QWidget* parent = nullptr);

    /// names: of all coordinates, or of all velocities. Empty candidates hide the list.
    void show(const QString& heading, const QStringList& names, const std::vector<int>& dummies,
              const std::vector<formulation::PivotCandidate>& candidates);

signals:
    void picked(const std::vector<int>& dummies);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Choice {
        std::vector<int> dummies; ///< sorted
        double kappa;
        bool current;
    };
    static std::vector<Choice> choices(const std::vector<int>& dummies,
                                       const std::vector<formulation::PivotCandidate>& candidates);
    QString named(const std::vector<int>& dummies) const;
    QString shortNames(const std::vector<int>& dummies) const;
    /// How names that do not fit are cut: at their end; where several rows would read the same, only what tells them apart, and
    /// of a long name its middle.
    enum class Cut { End, Common };
    QString rowText(const Choice& choice, const QPushButton& button, Cut cut) const;
    std::vector<int> common() const;
    void rebuild();
    void write();

    QLabel* heading_;
    QVBoxLayout* list_;
    QStringList names_;
    std::vector<Choice> all_;
    std::vector<QPushButton*> buttons_;
};

/// The present choice of dummy derivatives, positions and velocities apart where the form chooses them so, and the state of
/// a numeric basis. A click on a row pins it.
class PivotPanel : public QFrame {
    Q_OBJECT
public:
    explicit PivotPanel(Document& document, QWidget* parent = nullptr);
    void refresh();

private:
    void connectActs();
    void pin(std::vector<int> positions, std::vector<int> velocities);
    /// Of a general DAE: these dummies in its stage k that leaves a choice, the present ones in the others.
    void pinStage(std::size_t k, const std::vector<int>& places);
    void pinPresent();
    void refreshStages(const run::RunStatus& status);
    void showBasis(const formulation::FormulationInfo& info, const run::RunStatus& status);
    void showHistory(run::RunId run);
    void showNothing();

    Document& document_;
    ElidedLabel* title_;
    QLabel *hint_, *basis_, *history_;
    QCheckBox* automatic_;
    QPushButton* renew_;
    SelectionList *positions_, *velocities_;
};

} // namespace driftless::ui
