// Impacts in the scene for a moment: an arrow of the impulse at the contact and a ring that widens, both fading.
#include <QPainter>

#include <algorithm>
#include <cmath>

#include "ui/views/SceneColours.h"
#include "ui/views/SceneViewImpl.h"

namespace driftless::ui {

namespace {

// [px] The largest impulse seen has the longest arrow; the others are shorter in proportion, but stay arrows.
constexpr double kLongestImpulse = 64, kShortestImpulse = 18, kImpulseHead = 8;
constexpr double kRingStart = 12, kRingGrowth = 16;

void paintImpulse(QPainter& painter, QPointF from, QPointF way, double length)
{
    const QPointF along = way / std::hypot(way.x(), way.y()), across(-along.y(), along.x());
    const QPointF tip = from + length * along, neck = tip - kImpulseHead * along;
    painter.drawLine(from, neck);
    painter.setBrush(painter.pen().color());
    painter.drawPolygon(QPolygonF{{tip, neck + 0.55 * kImpulseHead * across, neck - 0.55 * kImpulseHead * across}});
    painter.setBrush(Qt::NoBrush);
}

} // namespace

void SceneView::Impl::paintImpacts(QPainter& painter, double pixels)
{
    if (!renderer || !model || pose || deviationExponent != 0 || fan != 0)
        return;
    const scene::OrbitCamera& camera = renderer->camera();
    const auto onPicture = [&](const scene::Vec3& place) {
        const auto at = camera.project(place);
        return QPointF(at.x, at.y) / pixels;
    };
    const scene::Rgb c = coloursOf(*theme).force;
    QColor ink = QColor::fromRgbF(static_cast<float>(c.r), static_cast<float>(c.g), static_cast<float>(c.b));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    for (const SceneRun& run : runs) {
        const scene::RecordedRun recorded{run.colour, run.selected, run.recording, run.parameters, run.earlier};
        for (const run::Event& event : run.impacts) {
            const auto* impact = event.as<run::ImpactEvent>();
            const double age = (t - event.t) / kImpactSeconds;
            if (!impact || age < 0 || age >= 1)
                continue;
            ink.setAlphaF(static_cast<float>(1 - age));
            for (const scene::ImpulseMark& mark : model->impulses(event.t, *impact, recorded)) {
                const QPointF at = onPicture(mark.at);
                painter.setPen(QPen(ink, 1.5));
                const double radius = kRingStart + kRingGrowth * age;
                painter.drawEllipse(at, radius, radius);
                const double impulse = scene::length(mark.impulse);
                largestImpulse = std::max(largestImpulse, impulse);
                const QPointF way =
                    impulse > 0
                        ? onPicture(mark.at + (model->sceneModel().characteristicLength() / impulse) * mark.impulse) - at
                        : QPointF();
                if (std::hypot(way.x(), way.y()) < 1) // without a direction, or towards the eye
                    continue;
                painter.setPen(QPen(ink, 3));
                paintImpulse(painter, at, way, std::max(kShortestImpulse, kLongestImpulse * impulse / largestImpulse));
            }
        }
    }
}

} // namespace driftless::ui
