#include "ui/panels/HomeStructure.h"

#include <QPainter>

#include <algorithm>
#include <vector>

#include "ui/views/SignatureMatrix.h"

namespace driftless::ui {

namespace {

constexpr double kHomeLargestCell = 18, kHomeRoom = 0.88; ///< of the picture's sides
constexpr double kHomePlain = 0.45;                       ///< opacity of an unknown that occurs without derivative

/// Place of each equation or unknown in the order of the blocks; where there are none, its own.
std::vector<int> placesOf(const std::vector<structure::Block>& blocks, std::vector<int> structure::Block::*part,
                          std::size_t count)
{
    std::vector<int> places(count, -1);
    int next = 0;
    for (const structure::Block& block : blocks)
        for (const int one : block.*part)
            places[static_cast<std::size_t>(one)] = next++;
    for (int& place : places)
        if (place < 0)
            place = next++;
    return places;
}

} // namespace

QImage structurePicture(const reduction::EquationAnalysis& analysis, QSize size, const Theme& theme)
{
    QImage picture(size, QImage::Format_ARGB32_Premultiplied);
    picture.fill(theme.window);
    const auto& signature = analysis.signature;
    const int rows = signature.size(), columns = signature.columns;
    if (rows == 0 || columns == 0)
        return picture;
    const auto& blocks = analysis.structure.blocks;
    const auto down = placesOf(blocks, &structure::Block::equations, static_cast<std::size_t>(rows));
    const auto across = placesOf(blocks, &structure::Block::unknowns, static_cast<std::size_t>(columns));
    const double cell = std::min(
        {kHomeLargestCell * size.height() / 102.0, kHomeRoom * size.width() / columns, kHomeRoom * size.height() / rows});
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate((size.width() - cell * columns) / 2, (size.height() - cell * rows) / 2);
    painter.setPen(Qt::NoPen);
    int tint = 0, top = 0, left = 0;
    for (const structure::Block& block : blocks) {
        const int high = static_cast<int>(block.equations.size()), wide = static_cast<int>(block.unknowns.size());
        painter.setBrush(blockTint(theme, tint++));
        painter.drawRect(QRectF(left * cell, top * cell, wide * cell, high * cell));
        top += high;
        left += wide;
    }
    for (int row = 0; row < rows; ++row)
        for (const structure::SignatureEntry& entry : signature.rows[static_cast<std::size_t>(row)]) {
            painter.setBrush(theme.text);
            painter.setOpacity(entry.order > 0 ? 1 : kHomePlain);
            const QPointF at((across[static_cast<std::size_t>(entry.column)] + 0.5) * cell,
                             (down[static_cast<std::size_t>(row)] + 0.5) * cell);
            painter.drawEllipse(at, 0.28 * cell, 0.28 * cell);
        }
    return picture;
}

} // namespace driftless::ui
