// A work-precision diagram: error over work on logarithmic axes, one curve for each method, lines of the methods' orders, and
// what failed at the upper edge. A point under the mouse tells what it is; a click on it is handed on.
#pragma once

#include <QPointF>
#include <QRectF>
#include <QString>
#include <QWidget>

#include <vector>

#include "ui/figures/Figure.h"
#include "ui/views/Theme.h"

namespace driftless::ui {

struct WorkPrecisionMark {
    double work = 0, error = 0; ///< error is NaN where the run failed
    QString tip;                ///< rich text
    bool failed() const { return !(error >= 0); }
};

struct WorkPrecisionCurve {
    QString name;                         ///< "Run 1: ggl, radau"
    int style = 0;                        ///< colour, dash and mark
    int order = 0;                        ///< of the method, 0: none that a line could show
    std::vector<WorkPrecisionMark> marks; ///< from loose to tight
};

struct WorkPrecisionData {
    std::vector<WorkPrecisionCurve> curves;
    QString work, error;    ///< titles of the axes
    double uncertainty = 0; ///< of the reference; errors below say nothing
    QString empty;          ///< why there is nothing yet
};

/// C in error = C / work^order for a line beside the first curve of each order, as (work, error) of its middle; one for each
/// order.
struct OrderLine {
    int order = 0;
    QPointF middle;
};
std::vector<OrderLine> orderLines(const WorkPrecisionData& data);
/// The diagram as a figure for print.
figures::Figure workPrecisionFigure(const WorkPrecisionData& data, const QString& title, const QString& caption,
                                    figures::Theme theme);

class WorkPrecisionView : public QWidget {
    Q_OBJECT
public:
    explicit WorkPrecisionView(const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void setData(WorkPrecisionData data);
    const WorkPrecisionData& data() const { return data_; }
    /// Where a mark is drawn.
    QPointF placeOf(const WorkPrecisionMark& mark) const;
    /// Inside of the axes.
    QRectF plotArea() const { return area_; }

signals:
    void clicked(int curve, int mark);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    struct Place {
        int curve = -1, mark = -1;
    };
    void layOut();
    Place under(QPointF position) const;
    void drawLegend(QPainter& painter) const;
    void drawAxes(QPainter& painter) const;
    void drawOrders(QPainter& painter) const;
    void drawCurve(QPainter& painter, const WorkPrecisionCurve& curve) const;
    double across(double work) const; ///< pixels
    double down(double error) const;

    struct Legend {
        QRectF place;
        int curve;
    };

    Theme theme_;
    WorkPrecisionData data_;
    QRectF area_;
    std::vector<Legend> legend_;
    double x0_ = 0, x1_ = 1, y0_ = -8, y1_ = 0; ///< decades at the edges
};

} // namespace driftless::ui
