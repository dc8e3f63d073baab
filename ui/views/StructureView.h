// The structure of a model's equations: signature matrix, the index-reduction ladder with the candidates of each stage, and the
// steps of the analysis, one lighting up what it is about in the others.
#pragma once

#include <QWidget>

#include <memory>
#include <vector>

#include "ui/document/StructureModel.h"
#include "ui/views/Theme.h"

class QLabel;
class QListWidget;
class QPushButton;
class QScrollArea;
class QSplitter;
class QTextBrowser;
class QToolButton;

namespace driftless::ui {

class FlowLayout;
class LadderView;
class SignatureMatrix;

class StructureView : public QWidget {
    Q_OBJECT
public:
    explicit StructureView(QWidget* parent = nullptr);

    /// Null while there is none; then note says why.
    void setModel(std::shared_ptr<const StructureModel> model, const QString& note = {});
    const StructureModel* model() const { return model_.get(); }
    /// What the selected run has chosen; cheap when nothing changed.
    void setSelection(const PresentSelection& present);
    void setTheme(const Theme& theme, double scale);

    int step() const;
    void showStep(int step);
    int selectedEquation() const { return equation_; }
    void selectEquation(int equation);
    void selectUnknown(int unknown);
    SignatureMatrix& matrix() { return *matrix_; }
    LadderView& ladder() { return *ladder_; }

signals:
    /// A candidate of a stage that is no dummy yet was chosen.
    void candidateClicked(const driftless::structure::DerivativeRef& candidate);
    void automaticClicked();
    /// -1: none.
    void equationSelected(int equation);
    void unknownSelected(int unknown);

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* makeMatrix();
    QWidget* makeLadder();
    QWidget* makeSteps();
    void applyStep();
    void rebuildChips();
    void writeChips();
    void writeExplanation();
    QPushButton* chip(const structure::DerivativeRef& of, int stage, int place);
    void fitMatrix();

    std::shared_ptr<const StructureModel> model_;
    PresentSelection present_;
    std::vector<LadderStage> stages_;
    const Theme* theme_ = &Theme::light();
    double scale_ = 1;
    int equation_ = -1, unknown_ = -1;

    struct Chip {
        QPushButton* button;
        int stage, place;
    };
    std::vector<Chip> chips_;
    std::vector<std::vector<structure::DerivativeRef>> shown_; ///< z of the stages that have chips
    QLabel *summary_, *note_, *free_;
    QToolButton* sort_;
    QSplitter* parts_;
    QWidget* choices_;
    FlowLayout* flow_;
    QPushButton* automatic_ = nullptr;
    QLabel* choiceNote_ = nullptr;
    SignatureMatrix* matrix_;
    LadderView* ladder_;
    QScrollArea *matrixScroll_, *ladderScroll_;
    QListWidget* list_;
    QTextBrowser* text_;
};

} // namespace driftless::ui
