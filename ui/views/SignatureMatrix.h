// The signature matrix drawn: orders as entries, the transversal ringed, blocks tinted, offsets c at the right and d below.
#pragma once

#include <QWidget>

#include <memory>
#include <vector>

#include "ui/document/StructureModel.h"
#include "ui/views/Theme.h"

namespace driftless::ui {

/// Tint of block `index` on the theme's surface.
QColor blockTint(const Theme& theme, int index);

class SignatureMatrix : public QWidget {
    Q_OBJECT
public:
    explicit SignatureMatrix(QWidget* parent = nullptr);

    void setModel(std::shared_ptr<const StructureModel> model);
    void setLook(const Theme& theme, double scale);
    /// Rows and columns in the order of the blocks, else as the model states them.
    void setSorted(bool sorted);
    /// What a step is about.
    void setHighlight(const std::vector<int>& equations, const std::vector<int>& unknowns, bool wrong);
    void setSelected(int equation, int unknown);
    /// The room that the matrix should fit into.
    void setRoom(const QSize& room);

    /// Of equation i and unknown j, as drawn.
    QRectF cellRect(int equation, int unknown) const;
    QSize sizeHint() const override { return minimumSize(); }

signals:
    void equationClicked(int equation);
    void unknownClicked(int unknown);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    void layOut();
    void order();
    QString rowName(int equation) const;
    QString columnName(int unknown) const;
    /// Equation and unknown under a point, -1 beside.
    std::pair<int, int> under(const QPointF& point) const;
    QString tipAt(int equation, int unknown) const;
    void paintLabels(QPainter& painter) const;
    void paintGround(QPainter& painter) const; ///< blocks, and the rows and columns that are lit
    void paintGrid(QPainter& painter) const;
    void paintCells(QPainter& painter) const;
    void paintOffsets(QPainter& painter) const;

    std::shared_ptr<const StructureModel> model_;
    const Theme* theme_ = &Theme::light();
    double scale_ = 1;
    bool sorted_ = true, wrong_ = false;
    std::vector<int> rows_, columns_;         ///< place to equation, unknown
    std::vector<int> rowPlace_, columnPlace_; ///< and back
    std::vector<bool> litRows_, litColumns_;
    int selected_ = -1, selectedUnknown_ = -1;
    QSize room_;
    double cell_ = 20, left_ = 80, top_ = 20, offsets_ = 20;
};

} // namespace driftless::ui
