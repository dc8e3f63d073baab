// The ladder of index reduction: every equation with its derivatives, rung by rung, typeset; dummies marked.
#pragma once

#include <QWidget>

#include <memory>
#include <vector>

#include "ui/document/StructureModel.h"
#include "ui/views/Theme.h"

class QTextDocument;

namespace driftless::ui {

class LadderView : public QWidget {
    Q_OBJECT
public:
    explicit LadderView(QWidget* parent = nullptr);
    ~LadderView() override;

    void setModel(std::shared_ptr<const StructureModel> model);
    void setLook(const Theme& theme, double scale);
    /// Marked in all rungs.
    void setDummies(const std::vector<structure::DerivativeRef>& dummies);
    void setHighlight(const std::vector<structure::EquationRef>& rungs);
    void setSelected(int equation);

    /// Where the rung is drawn; null when there is none.
    QRect rungRect(const structure::EquationRef& rung) const;
    QSize sizeHint() const override { return minimumSize(); }

signals:
    void equationClicked(int equation);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Line {
        std::size_t rung = 0;
        std::unique_ptr<QTextDocument> formula;
        int y = 0, height = 0;
        bool lit = false;
    };
    void write();
    QColor pillColour() const;
    const Line* lineAt(const QPointF& point) const;
    void paintRails(QPainter& painter, std::size_t k, const QRectF& row, double left, double right) const;

    std::shared_ptr<const StructureModel> model_;
    std::vector<structure::DerivativeRef> dummies_;
    std::vector<structure::EquationRef> lit_;
    std::vector<Line> lines_;
    const Theme* theme_ = &Theme::light();
    double scale_ = 1;
    int selected_ = -1;
    int names_ = 0, formulas_ = 0; ///< where the columns end and begin [pixels]
};

} // namespace driftless::ui
