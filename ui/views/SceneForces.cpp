// The force arrows of the scene in words: a legend with the scale, and magnitudes beside the longest of them.
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

#include "ui/views/PlotData.h"
#include "ui/views/SceneColours.h"
#include "ui/views/SceneLooks.h"
#include "ui/views/SceneViewImpl.h"
#include "ui/views/WordPlaces.h"

namespace driftless::ui {

namespace {

constexpr int kForceMargin = 12;     // [px] around overlay text
constexpr double kSampleLength = 60; // [px] the arrow of the legend is at most as long
constexpr double kNamedLength = 14;  // [px] a shorter arrow has no number
constexpr std::size_t kMostNumbers = 8;

/// The largest of 1, 2, 5 times a power of ten up to a value.
double roundBelow(double value)
{
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    for (const double step : {5.0, 2.0})
        if (step * power <= value)
            return step * power;
    return power;
}

QString newtons(double force) { return QStringLiteral("%1 N").arg(QString::number(force, 'g', 3)); }

/// Readable over whatever the scene has there.
void haloText(QPainter& painter, QPointF at, const QString& text, const QColor& ink, const QColor& halo)
{
    QPainterPath path;
    path.addText(at, painter.font(), text);
    painter.setPen(QPen(halo, 3));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
    painter.fillPath(path, ink);
}

struct Tip {
    QPointF at;
    double length, force; ///< [px], [N]
};

} // namespace

void SceneView::Impl::paintForces(QPainter& painter, QSizeF room, double pixels) const
{
    if (!arrows || !renderer || !(renderer->frame().metresPerNewton > 0))
        return;
    const scene::OrbitCamera& camera = renderer->camera();
    const double metres = camera.pixelSize(camera.target()) * pixels; // of a pixel of the painter
    const scene::Rgb c = coloursOf(*theme).force;
    const QColor ink = QColor::fromRgbF(static_cast<float>(c.r), static_cast<float>(c.g), static_cast<float>(c.b));
    std::vector<Tip> tips;
    for (const scene::RunFrame& run : renderer->frame().runs)
        for (std::size_t i = 0; run.selected && i + 5 < run.arrows.size(); i += 6) {
            const scene::Vec3 tail{run.arrows[i], run.arrows[i + 1], run.arrows[i + 2]},
                force{run.arrows[i + 3], run.arrows[i + 4], run.arrows[i + 5]};
            if (!scene::finite(tail) || !scene::finite(force))
                continue;
            const auto from = camera.project(tail), to = camera.project(tail + renderer->frame().metresPerNewton * force);
            const QPointF a(from.x / pixels, from.y / pixels), b(to.x / pixels, to.y / pixels);
            tips.push_back({.at = b, .length = std::hypot(b.x() - a.x(), b.y() - a.y()), .force = scene::length(force)});
        }
    std::ranges::sort(tips, [](const Tip& a, const Tip& b) { return a.force > b.force; });
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(uiFont(kTickPixels));
    // The legend, in the corner that names leave free; numbers keep out of it, and in a scene so small that the buttons reach
    // there it gives way.
    const QFontMetricsF metrics(painter.font());
    const double sample = roundBelow(kSampleLength * metres / renderer->frame().metresPerNewton);
    const double length = sample * renderer->frame().metresPerNewton / metres;
    const QString words = QObject::tr("force, %1").arg(newtons(sample));
    const double y = room.height() - kForceMargin, right = room.width() - kForceMargin;
    const double left = right - metrics.horizontalAdvance(words) - 8 - length;
    const QRectF legend(left, y - metrics.ascent(), right - left, metrics.height());
    std::vector<QRectF> taken;
    if (painter.device()->devType() == QInternal::Widget && looks && looks->isVisible())
        taken.push_back(looks->geometry());
    const bool hasLegend = isFree(legend, taken);
    if (hasLegend)
        taken.push_back(legend);
    for (std::size_t i = 0; i < std::min(tips.size(), kMostNumbers); ++i)
        if (tips[i].length >= kNamedLength)
            if (const auto at = freePlace(tips[i].at, newtons(tips[i].force), metrics, taken))
                haloText(painter, *at, newtons(tips[i].force), theme->text, theme->window);
    if (!hasLegend)
        return;
    painter.setPen(QPen(ink, 3));
    painter.drawLine(QPointF(left, y - 4), QPointF(left + length - 6, y - 4));
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink);
    painter.drawPolygon(QPolygonF({{left + length, y - 4}, {left + length - 9, y - 9}, {left + length - 9, y + 1}}));
    haloText(painter, {left + length + 8, y}, words, theme->text, theme->window);
}

} // namespace driftless::ui
