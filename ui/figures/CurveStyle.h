// How curves are told apart, by every eye and in grey: eight colours, dashes and marks, whose combinations are different for
// 64 curves; the window's plots use them as well.
#pragma once

#include <QColor>
#include <QPainterPath>
#include <QPen>
#include <QVector>

#include "ui/figures/Figure.h"

namespace driftless::figures {

constexpr int kStyles = 8; ///< colours, and as many dashes and marks

/// Colour of curve style index; far apart for red- and green-blind eyes too. Grey: black and a middle grey in turn.
QColor curveColour(int index, Theme theme);
/// Dash pattern of curve style index, in pen widths; empty is solid.
QVector<qreal> curveDashes(int index);
/// What tells the levels of one run apart (g, ġ, g̈; components): its dash says which run it is, and nothing else.
struct LevelLook {
    double width = 1;    ///< of a curve's
    double strength = 1; ///< how much of its colour stays beside the paper's
};
LevelLook levelLook(int level);
/// Closed shape of curve style index, centred at the origin with the given radius.
QPainterPath markShape(int index, double radius);
/// Flat ends and bevelled joints; dashes in pen widths, empty for a solid line.
QPen linePen(const QColor& colour, double width, const QVector<qreal>& dashes = {});

/// What is not a curve.
struct Inks {
    QColor paper, text, secondary, grid, frame;
};
const Inks& inksOf(Theme theme);

} // namespace driftless::figures
