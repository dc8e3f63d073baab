// Fills the band of a curve in a picture, column by column of pixels. A plot of three runs has nine bands over each other, and
// as polygons they take a third of what it costs to draw it.
#pragma once

#include <QColor>
#include <QImage>

#include <span>

namespace driftless::ui {

/// One place of a band [pixels]: its upper and its lower edge there.
struct BandEdge {
    double x = 0, top = 0, bottom = 0;
};

/// Paints over the picture (Format_ARGB32_Premultiplied) every pixel whose middle lies in the band; between two places, which
/// come in order of x, its edges are straight. What leaves the picture is cut.
void fillBand(QImage& picture, const QColor& colour, std::span<const BandEdge> band);

} // namespace driftless::ui
