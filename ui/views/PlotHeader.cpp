#include "ui/views/PlotHeader.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

#include "ui/figures/BlendColours.h"
#include "ui/views/CurveMarkers.h"

namespace driftless::ui {

namespace {

/// Lengths in the key of the levels [px]: the line, its distance from the name, the distance of the next entry.
struct KeyLengths {
    double sample, gap, next;
};
constexpr KeyLengths kWideKey{26, 6, 12}, kNarrowKey{15, 4, 8};

double keyWidth(const KeyLengths& key, const QStringList& levels, const QFontMetricsF& metrics, double scale)
{
    double width = 0;
    for (const QString& name : levels)
        width += metrics.horizontalAdvance(name) + (key.sample + key.gap + key.next) * scale;
    return width;
}

/// What the title does not say already: of "x [m]" under the title "x" only the unit.
QString besidesTitle(const PlotHeader& header)
{
    const QString& axis = header.labels.yAxis;
    const bool repeated = header.title && axis.startsWith(header.labels.title + QStringLiteral(" ["));
    if (repeated)
        return axis.mid(header.labels.title.size() + 1);
    return axis == header.labels.title ? QString() : axis;
}

QFont headerFont(const PlotHeader& header, int pixels, int weight = QFont::Normal)
{
    return uiFont(qRound(pixels * header.scale), weight);
}

/// Where the title ends [px].
double titleEnd(const PlotHeader& header)
{
    if (!header.title)
        return header.left;
    const QFontMetricsF metrics(headerFont(header, kTextPixels + 1, QFont::DemiBold));
    return header.left + metrics.horizontalAdvance(header.labels.title) + 10 * header.scale;
}

/// All entries or none: half a key would mislead.
const KeyLengths* keyThatFits(const PlotHeader& header, const QFontMetricsF& metrics)
{
    const double room = header.right - titleEnd(header);
    for (const KeyLengths* key : {&kWideKey, &kNarrowKey})
        if (keyWidth(*key, header.labels.levels, metrics, header.scale) - (key == &kNarrowKey ? key->next * header.scale : 0)
            <= room)
            return key;
    return nullptr;
}

/// From right to left; says where it begins.
double paintKey(QPainter& painter, const PlotHeader& header, const KeyLengths& key, double right, double base)
{
    const auto px = [&header](double length) { return length * header.scale; };
    const QFontMetricsF metrics(painter.font());
    for (int level = static_cast<int>(header.labels.levels.size()) - 1; level >= 0; --level) {
        const QString& name = header.labels.levels[level];
        right -= metrics.horizontalAdvance(name);
        painter.setPen(header.theme.secondary);
        painter.drawText(QPointF(right, base), name);
        const figures::LevelLook look = figures::levelLook(level);
        painter.setPen(curvePen(figures::blended(header.theme.surface, header.theme.text, look.strength), px(2 * look.width)));
        const double y = base - px(4);
        right -= px(key.gap);
        painter.drawLine(QPointF(right - px(key.sample), y), QPointF(right, y));
        right -= px(key.sample + key.next);
    }
    return right;
}

} // namespace

void paintPlotHeader(QPainter& painter, const PlotHeader& header)
{
    painter.setRenderHint(QPainter::Antialiasing);
    const double base = header.height / 2 + 5 * header.scale, x = titleEnd(header);
    if (header.title) {
        painter.setFont(headerFont(header, kTextPixels + 1, QFont::DemiBold));
        painter.setPen(header.theme.text);
        painter.drawText(QPointF(header.left, base), header.labels.title);
    }
    painter.setFont(headerFont(header, kTickPixels));
    const QFontMetricsF metrics(painter.font());
    double right = header.right;
    if (const KeyLengths* key = keyThatFits(header, metrics))
        right = paintKey(painter, header, *key, right, base);
    painter.setPen(header.theme.secondary);
    if (const QString more = besidesTitle(header); metrics.horizontalAdvance(more) <= right - x)
        painter.drawText(QPointF(x, base), more);
}

QPixmap keyOutsideHeader(const PlotHeader& header, double pixelRatio)
{
    const QFont font = headerFont(header, kTickPixels);
    const QFontMetricsF metrics(font);
    if (header.labels.levels.isEmpty() || keyThatFits(header, metrics))
        return {};
    constexpr double kPadding = 4;
    constexpr int kOpacity = 225; // of 255, as what lies over the scene: a curve behind it is guessed
    const double padding = kPadding * header.scale, width = keyWidth(kNarrowKey, header.labels.levels, metrics, header.scale);
    const QSizeF size(width - kNarrowKey.next * header.scale + 2 * padding, metrics.height() + padding);
    QPixmap picture((size * pixelRatio).toSize());
    picture.setDevicePixelRatio(pixelRatio);
    QColor ground = header.theme.surface;
    ground.setAlpha(kOpacity);
    picture.fill(ground);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(font);
    paintKey(painter, header, kNarrowKey, size.width() - padding, padding / 2 + metrics.ascent());
    return picture;
}

QString plotReadOut(const PlotSpec& spec, const std::vector<PlotRun>& runs, const Theme& theme, double t)
{
    const QStringList levels = plotLabels(spec, runs).levels;
    const int count = std::max<int>(1, static_cast<int>(levels.size()));
    QString rows;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        QString cells;
        bool known = false;
        for (int level = 0; level < count; ++level) {
            const double value = plotValueAt(spec, runs, static_cast<int>(r), level, t);
            known = known || !std::isnan(value);
            const bool zero = value == 0 && isLogarithmic(spec.kind);
            cells += QStringLiteral("<td align='right'>&nbsp;%1%2</td>")
                         .arg(count > 1 ? levels[level] + QStringLiteral("&nbsp;") : QString(),
                              zero ? QStringLiteral("exactly 0") : readOut(value));
        }
        if (known)
            rows += QStringLiteral("<tr><td><span style='color:%1'>■</span>&nbsp;%2</td>%3</tr>")
                        .arg(theme.run(runs[r].colour).name(), runs[r].name.toHtmlEscaped(), cells);
    }
    if (rows.isEmpty())
        return {};
    return QStringLiteral("<table cellspacing='0' cellpadding='1'><tr><td colspan='%1'>t = %2 s</td></tr>%3</table>")
        .arg(count + 1)
        .arg(readOut(t), rows);
}

} // namespace driftless::ui
