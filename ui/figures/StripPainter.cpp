#include "ui/figures/StripPainter.h"

#include <QPainter>

#include <algorithm>
#include <array>

#include "ui/figures/PanelPlan.h"

namespace driftless::figures {

namespace {

// Neighbours alternate between dark and light.
constexpr std::array<const char*, 8> kLightStrips{"#2F5FD0", "#F4B183", "#3E4650", "#A9DCC4",
                                                  "#7457A8", "#EBC7DB", "#8A5A1E", "#C6DFFB"};
constexpr std::array<const char*, 8> kDarkStrips{"#9DB3FF", "#8A4B00", "#F2F2E4", "#0E6E50",
                                                 "#B9A5FF", "#6E3A5A", "#F7C23A", "#2B5C6B"};
constexpr std::array<const char*, 8> kGreyStrips{"#303030", "#C8C8C8", "#6A6A6A", "#F0F0F0",
                                                 "#484848", "#ADADAD", "#858585", "#DCDCDC"};

QColor categoryColour(int category, Theme theme)
{
    const auto& coloured = theme == Theme::Light ? kLightStrips : kDarkStrips;
    const auto& table = theme == Theme::Grey ? kGreyStrips : coloured;
    return QColor(QLatin1String(table[static_cast<std::size_t>(std::max(category, 0)) % table.size()]));
}

} // namespace

void paintCategory(QPainter& painter, const Sheet& sheet, int category, const QRectF& rect)
{
    painter.setPen(QPen(sheet.inks.frame, sheet.grid()));
    painter.setBrush(categoryColour(category, sheet.theme));
    painter.drawRect(rect);
    painter.setBrush(Qt::NoBrush);
}

void paintStrips(QPainter& painter, const Sheet& sheet, const PanelPlan& plan)
{
    const Panel& panel = *plan.panel;
    const Map map = plan.map();
    const double pitch = plan.box.height() / static_cast<double>(std::max<std::size_t>(1, panel.strips.size()));
    const double height = std::min(0.72 * pitch, 1.6 * sheet.em);
    for (std::size_t row = 0; row < panel.strips.size(); ++row) {
        const Strip& strip = panel.strips[row];
        const double middle = plan.box.top() + pitch * (static_cast<double>(row) + 0.5);
        const MathText name = sheet.text(strip.name, sheet.tickSize());
        if (plan.yLabels)
            name.draw(painter, {plan.box.left() - 0.45 * sheet.em - name.width(), middle + 0.32 * sheet.em}, sheet.inks.text);
        for (const StripSpan& span : strip.spans) {
            const double from = std::max(plan.box.left(), map.xOf(span.from)),
                         to = std::min(plan.box.right(), map.xOf(span.to));
            if (!(to > from))
                continue;
            const QRectF rect(from, middle - height / 2, to - from, height);
            paintCategory(painter, sheet, span.category, rect);
            if (span.category < 0 || span.category >= panel.categories.size())
                continue;
            // Named inside where there is room; the key above the panel names the others.
            const MathText text = sheet.text(panel.categories[span.category], sheet.noteSize());
            const QColor fill = categoryColour(span.category, sheet.theme);
            if (text.width() + 0.8 * sheet.em < rect.width())
                text.draw(painter, {rect.center().x() - text.width() / 2, middle + 0.3 * sheet.em},
                          qGray(fill.rgb()) > 140 ? QColor(Qt::black) : QColor(Qt::white));
        }
    }
}

} // namespace driftless::figures
