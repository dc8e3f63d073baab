// The arrows of the scene in words, forces and velocities of outputs: a legend with the scales, and magnitudes beside the
// longest of them.
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

/// Arrows of one kind.
struct ArrowKind {
    std::vector<double> scene::RunFrame::*all;
    double scale; ///< [m] for each unit
    scene::Rgb ink;
    QString name, unit;

    QString number(double value) const { return QStringLiteral("%1 %2").arg(QString::number(value, 'g', 3), unit); }
};

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
    double length, value; ///< [px], in the unit of its kind
};

/// Of the selected run, the largest first.
std::vector<Tip> tipsOf(const scene::SceneRenderer& renderer, const ArrowKind& kind, double pixels)
{
    const scene::OrbitCamera& camera = renderer.camera();
    std::vector<Tip> tips;
    for (const scene::RunFrame& run : renderer.frame().runs) {
        const std::vector<double>& all = run.*kind.all;
        for (std::size_t i = 0; run.selected && i + 5 < all.size(); i += 6) {
            const scene::Vec3 tail{all[i], all[i + 1], all[i + 2]}, way{all[i + 3], all[i + 4], all[i + 5]};
            if (!scene::finite(tail) || !scene::finite(way))
                continue;
            const auto from = camera.project(tail), to = camera.project(tail + kind.scale * way);
            const QPointF a(from.x / pixels, from.y / pixels), b(to.x / pixels, to.y / pixels);
            tips.push_back({.at = b, .length = std::hypot(b.x() - a.x(), b.y() - a.y()), .value = scene::length(way)});
        }
    }
    std::ranges::sort(tips, [](const Tip& a, const Tip& b) { return a.value > b.value; });
    return tips;
}

} // namespace

void SceneView::Impl::paintForces(QPainter& painter, QSizeF room, double pixels) const
{
    if (!arrows || !renderer)
        return;
    const scene::Frame& frame = renderer->frame();
    const scene::Colours colours = coloursOf(*theme);
    const ArrowKind kinds[] = {
        {&scene::RunFrame::arrows, frame.metresPerNewton, colours.force, QObject::tr("force"), QStringLiteral("N")},
        {&scene::RunFrame::velocities, frame.secondsShown, colours.velocity, QObject::tr("velocity"), QStringLiteral("m/s")}};
    const double metres = renderer->camera().pixelSize(renderer->camera().target()) * pixels; // of a pixel of the painter
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(uiFont(kTickPixels));
    const QFontMetricsF metrics(painter.font());
    std::vector<QRectF> taken;
    if (painter.device()->devType() == QInternal::Widget && looks && looks->isVisible())
        taken.push_back(looks->geometry());
    double y = room.height() - kForceMargin;
    for (const ArrowKind& kind : kinds) {
        if (!(kind.scale > 0))
            continue;
        // The legend, in the corner that names leave free; numbers keep out of it, and in a scene so small that the buttons
        // reach there it gives way.
        const double sample = roundBelow(kSampleLength * metres / kind.scale), length = sample * kind.scale / metres;
        const QString words = QStringLiteral("%1, %2").arg(kind.name, kind.number(sample));
        const double right = room.width() - kForceMargin;
        const double left = right - metrics.horizontalAdvance(words) - 8 - length;
        const QRectF legend(left, y - metrics.ascent(), right - left, metrics.height());
        const bool hasLegend = isFree(legend, taken);
        if (hasLegend)
            taken.push_back(legend);
        const std::vector<Tip> tips = tipsOf(*renderer, kind, pixels);
        for (std::size_t i = 0; i < std::min(tips.size(), kMostNumbers); ++i)
            if (tips[i].length >= kNamedLength)
                if (const auto at = freePlace(tips[i].at, kind.number(tips[i].value), metrics, taken))
                    haloText(painter, *at, kind.number(tips[i].value), theme->text, theme->window);
        if (!hasLegend)
            continue;
        const QColor ink =
            QColor::fromRgbF(static_cast<float>(kind.ink.r), static_cast<float>(kind.ink.g), static_cast<float>(kind.ink.b));
        painter.setPen(QPen(ink, 3));
        painter.drawLine(QPointF(left, y - 4), QPointF(left + length - 6, y - 4));
        painter.setPen(Qt::NoPen);
        painter.setBrush(ink);
        painter.drawPolygon(QPolygonF({{left + length, y - 4}, {left + length - 9, y - 9}, {left + length - 9, y + 1}}));
        haloText(painter, {left + length + 8, y}, words, theme->text, theme->window);
        y -= 1.4 * metrics.height();
    }
}

} // namespace driftless::ui
