// What the linear DAE laboratory shows of an analysis: the verdict and the matrices as rich text, the rank decisions and the
// two solutions as pictures.
#pragma once

#include <QString>
#include <QWidget>

#include "core/pencil/Pencil.h"
#include "ui/views/Theme.h"

namespace driftless::ui {

/// "Regular, Kronecker index 2".
QString pencilVerdict(const pencil::Analysis& analysis);
/// Sizes, eigenvalues, blocks, consistent initial values.
QString pencilFacts(const pencil::Analysis& analysis, const Theme& theme);
/// The step of the reduction with its matrices; empty where the step is not recorded.
QString pencilStep(const pencil::Analysis& analysis, std::size_t step, const Theme& theme);
/// The Weierstrass form with its transformations.
QString pencilForm(const pencil::Analysis& analysis, const Theme& theme);

/// Rank decisions on a logarithmic axis: the smallest singular value that counts, the largest that does not, the tolerance.
class GapView : public QWidget {
    Q_OBJECT
public:
    explicit GapView(QWidget* parent = nullptr);
    void show(const std::vector<pencil::RankDecision>& decisions, const Theme& theme);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<pencil::RankDecision> decisions_;
    Theme theme_ = Theme::light();
};

/// Closed form (lines) of every unknown, and numerical solution (dots) where there is one.
class SolutionView : public QWidget {
    Q_OBJECT
public:
    explicit SolutionView(QWidget* parent = nullptr);
    void show(const std::optional<pencil::Solution>& solution, const Theme& theme);
    QSize sizeHint() const override { return {400, 180}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::optional<pencil::Solution> solution_;
    Theme theme_ = Theme::light();
};

} // namespace driftless::ui
