// The marker of every run and the pen of every curve, so that curves can be told apart in grey and by every eye.
#pragma once

#include <QPainterPath>
#include <QPen>
#include <QVector>

#include "ui/figures/CurveStyle.h"

namespace driftless::ui {

/// Closed shape of run colour index (eight of them), centred at the origin with the given radius.
inline QPainterPath markerShape(int index, double radius) { return figures::markShape(index, radius); }
/// Flat ends and bevelled joints; dashes in pen widths, empty for a solid line.
inline QPen curvePen(const QColor& colour, double width, const QVector<qreal>& dashes = {})
{
    return figures::linePen(colour, width, dashes);
}
/// The colour with this opacity, 0 to 1.
QColor translucent(QColor colour, float opacity);

} // namespace driftless::ui
