// Figures as files. Every file is written whole or not at all, and the same figure gives the same bytes on the same machine.
#pragma once

#include <QImage>
#include <QSizeF>
#include <QString>
#include <QStringList>

#include "core/base/Result.h"
#include "ui/figures/Figure.h"

class QPainter;

namespace driftless::figures {

constexpr double kPrintDpi = 300; ///< of a PNG, dots per inch

/// Width and height [mm]; the height follows from the panels where the style leaves it open.
QSizeF figureSize(const Figure& figure);

/// Draws into (0, 0) ... figureSize() * unitsPerMillimetre of the painter.
void paintFigure(QPainter& painter, const Figure& figure, double unitsPerMillimetre);

/// The figure as a picture; null when it does not fit into memory.
QImage figureImage(const Figure& figure, double dpi = kPrintDpi);

/// Writes path by its ending .png, .svg or .pdf; a path without an ending gets all three, one with the ending of
/// another format is refused. Answers what was written.
Result<QStringList> writeFigure(const Figure& figure, const QString& path);

/// The caption beside the file: .txt as text, .tex as a LaTeX figure environment that includes `graphic` (a file name).
Result<void> writeCaption(const Figure& figure, const QString& path, const QString& graphic = {});

/// Refuses what cannot be drawn: no panel, sizes out of range, x and y of different lengths.
Result<void> checkFigure(const Figure& figure);

} // namespace driftless::figures
