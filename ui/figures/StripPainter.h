// Rows of categories over time: which variables were dummies, which order, which mode. Private to the room.
#pragma once

#include <QRectF>

class QPainter;

namespace driftless::figures {

struct PanelPlan;
struct Sheet;

/// A patch of a category's colour; colours differ in lightness, so that they differ in grey.
void paintCategory(QPainter& painter, const Sheet& sheet, int category, const QRectF& rect);
void paintStrips(QPainter& painter, const Sheet& sheet, const PanelPlan& plan);

} // namespace driftless::figures
