// Draws a long line in pieces. Qt makes one outline of a line that is wider than a pixel, and fills it in a time that grows
// with the square of its ups and downs: a restless curve of a plot took 10 ms, and takes one.
#pragma once

#include <QPointF>

#include <span>

class QPainter;

namespace driftless::ui {

/// With the painter's pen, as drawPolyline; a point that is no number breaks the line. Pieces overlap by a segment, so that
/// their joins are drawn, and dashes run on. The pen is opaque: what lies in two pieces is drawn twice.
void strokeInPieces(QPainter& painter, std::span<const QPointF> points);

} // namespace driftless::ui
