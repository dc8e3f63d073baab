// SVG and PDF of what a painter draws, of a page as large as the drawing, the same bytes for the same drawing. Private to the
// room.
#pragma once

#include <QByteArray>
#include <QSizeF>
#include <QString>

#include <functional>
#include <vector>

#include "ui/figures/Figure.h"

class QPainter;

namespace driftless::figures {

using Paint = std::function<void(QPainter&)>;

/// size in hundredths of a millimetre. Text stays text, in the figure's font with fallbacks for machines that lack it.
QByteArray svgBytes(const QSizeF& size, const QString& title, Font font, const Paint& paint);
/// One page per entry. Fonts are embedded as subsets with their characters' names, so that text can be searched and copied.
QByteArray pdfBytes(const QSizeF& size, const QString& title, const Paint& paint);
QByteArray pdfPages(const QSizeF& size, const QString& title, const std::vector<Paint>& pages);

} // namespace driftless::figures
