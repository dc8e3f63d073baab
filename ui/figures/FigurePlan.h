// Where everything lies on the page: grid of panels, legend, title, notes. Private to the room.
#pragma once

#include <QSizeF>

#include <memory>
#include <vector>

#include "core/base/Result.h"
#include "ui/figures/PanelPlan.h"

namespace driftless::figures {

struct LegendPlace {
    int entry = 0; ///< index into Figure::legend
    double x = 0;  ///< of its sample
    double y = 0;  ///< base line of its first line
    std::vector<MathText> lines;
    double nameWidth = 0; ///< of the bold name before the first line
};

struct FigurePlan {
    explicit FigurePlan(const Figure& figure) : sheet(figure.style) {}

    Sheet sheet;
    QSizeF size;                  ///< [units]
    std::vector<Panel> multiples; ///< owned by the plan: one per panel and run
    std::vector<PanelPlan> panels;
    MathText title;
    QPointF titlePlace;
    std::vector<LegendPlace> legend;
    std::vector<MathText> notes;
    double notesTop = 0;
};

/// Fails when the panels do not fit into the height that the style demands, or when the figure is none (see checkFigure).
/// The plan refers to the figure's panels.
Result<std::unique_ptr<FigurePlan>> planFigure(const Figure& figure);

void paintPlan(QPainter& painter, const Figure& figure, const FigurePlan& plan);

} // namespace driftless::figures
