// The frame of the scene view: runs, the pose that is edited, magnified deviations, the fit, and names over the picture.
#include <QPainter>

#include <algorithm>
#include <cmath>

#include "ui/views/PlotData.h"
#include "ui/views/SceneViewImpl.h"

namespace driftless::ui {

namespace {

constexpr double kSpaceYaw = 0.45, kSpacePitch = 0.25; // [rad] first look at a space model
constexpr double kFanYaw = 0.55, kFanPitch = 0.22;     // [rad] enough tilt to part the runs
constexpr double kArrowShare = 0.5;                    // the largest force seen is drawn with this share of the model's length
constexpr double kMostCovered = 0.5;                   // of the height; beyond, the mechanism would become too small
constexpr double kLargestOutgrowth = 4;                // runs that leave the view are followed up to this many model sizes
constexpr double kSeenDeviation = 0.5;                 // of the model's length: a magnified difference is at most as large
constexpr int kFrameMargin = 12;                       // [px] around overlay text

} // namespace

/// The selected run as it can be taken hold of.
SceneGrab::Display SceneView::Impl::display(const QWidget& widget) const
{
    SceneGrab::Display out;
    for (std::size_t i = 0; i < runs.size(); ++i)
        if (runs[i].selected && renderer && model && deviationExponent == 0 && !pose)
            out = {renderer.get(), &runs[i].recording, static_cast<int>(i), runs[i].colour, t, widget.devicePixelRatioF()};
    return out;
}

void SceneView::Impl::magnifyDeviation(scene::Frame& frame) const
{
    if (deviationExponent == 0 || frame.runs.empty())
        return;
    const auto reference =
        static_cast<std::size_t>(std::clamp<int>(deviationReference, 0, static_cast<int>(frame.runs.size()) - 1));
    const scene::RunFrame kept = frame.runs[reference];
    const double factor = std::pow(10.0, deviationExponent);
    for (std::size_t i = 0; i < frame.runs.size(); ++i)
        if (i != reference)
            scene::magnify(frame.runs[i], kept, factor);
}

int SceneView::suitedDeviation(int referenceRun) const
{
    constexpr int kUsual = 2, kMost = 12;
    if (!impl_->renderer || !impl_->model)
        return kUsual;
    std::vector<scene::RecordedRun> recorded;
    for (const SceneRun& run : impl_->runs)
        recorded.push_back({run.colour, run.selected, run.recording, run.parameters, run.earlier});
    const std::vector<scene::RunFrame> frames = impl_->model->at(impl_->t, recorded, false, false);
    if (referenceRun < 0 || referenceRun >= static_cast<int>(frames.size()))
        return kUsual;
    const scene::RunFrame& reference = frames[static_cast<std::size_t>(referenceRun)];
    double largest = 0;
    for (const scene::RunFrame& run : frames)
        for (int i = 0; i < impl_->renderer->model().pointCount; ++i)
            if (const double apart = scene::length(run.point(i) - reference.point(i)); std::isfinite(apart))
                largest = std::max(largest, apart);
    if (!(largest > 0))
        return kUsual;
    const double seen = kSeenDeviation * impl_->renderer->model().characteristicLength();
    return std::clamp(static_cast<int>(std::floor(std::log10(seen / largest))), 1, kMost);
}

// While the view is untouched it widens when a run outgrows it (a cart that rolls away), within reason.
void SceneView::Impl::follow(const scene::Frame& frame)
{
    if (grab.holds())
        return; // the scale must not change under the hand
    const scene::SceneModel& drawn = renderer->model();
    const double reach = kLargestOutgrowth * drawn.characteristicLength();
    const double body = 0.08 * drawn.characteristicLength();
    scene::Bounds limit = drawn.extent;
    limit.low = limit.low - scene::Vec3{reach, reach, reach};
    limit.high = limit.high + scene::Vec3{reach, reach, reach};
    bool grown = false;
    if (seen.empty())
        seen = drawn.extent;
    std::vector<const scene::RunFrame*> all;
    for (const scene::RunFrame& run : frame.runs)
        all.push_back(&run);
    if (frame.correction)
        all.insert(all.end(), {&frame.correction->before, &frame.correction->after});
    std::erase_if(all, [&drawn](const scene::RunFrame* run) {
        return run->points.size() < static_cast<std::size_t>(3 * drawn.pointCount);
    });
    for (const scene::RunFrame* run : all)
        for (int i = 0; i < drawn.pointCount; ++i) {
            const scene::Vec3 p = run->point(i);
            if (scene::finite(p) && !seen.contains(p) && limit.contains(p)) {
                seen.include(p, body);
                grown = true;
            }
        }
    if (grown && !moved)
        fitWanted = true;
}

void SceneView::Impl::updateFrame()
{
    if (!renderer || !model)
        return;
    scene::Frame frame;
    frame.trails = trails;
    frame.arrows = arrows;
    frame.triad = true;
    const double size = model->sceneModel().characteristicLength();
    frame.fanOut = fan * size;
    if (pose) {
        frame.runs.push_back(*pose);
    } else if (runs.empty()) {
        frame.runs.push_back(model->atStart());
    } else {
        std::vector<scene::RecordedRun> recorded;
        recorded.reserve(runs.size());
        for (const SceneRun& run : runs)
            recorded.push_back({run.colour, run.selected, run.recording, run.parameters, run.earlier});
        if (std::none_of(recorded.begin(), recorded.end(), [](const auto& run) { return run.selected; }))
            recorded.front().selected = true;
        frame.runs = model->at(t, recorded, trails, arrows);
    }
    if (arrows) {
        // What explodes at a singular point must not shrink all others to nothing for ever.
        const auto noteLargest = [](const std::vector<double>& all, double& largest) {
            for (std::size_t i = 0; i + 5 < all.size(); i += 6) {
                const double length = std::hypot(all[i + 3], all[i + 4], all[i + 5]);
                if (std::isfinite(length) && (largest == 0 || length < 10 * largest))
                    largest = std::max(largest, length);
            }
        };
        for (const scene::RunFrame& run : frame.runs) {
            noteLargest(run.arrows, largestForce);
            noteLargest(run.velocities, largestSpeed);
        }
        frame.metresPerNewton = largestForce > 0 ? kArrowShare * size / largestForce : 0;
        frame.secondsShown = largestSpeed > 0 ? kArrowShare * size / largestSpeed : 0;
    }
    magnifyDeviation(frame);
    if (correction) {
        frame.correction = correction;
        for (const scene::RunFrame& run : frame.runs)
            if (run.selected)
                frame.correction->after.colour = run.colour;
    }
    follow(frame);
    renderer->setFrame(std::move(frame));
}

void SceneView::Impl::applyAngles()
{
    if (!renderer || moved)
        return;
    if (fan != 0)
        renderer->camera().setAngles(kFanYaw, kFanPitch);
    else if (renderer->model().planar)
        renderer->camera().setAngles(0, 0);
    else
        renderer->camera().setAngles(kSpaceYaw, kSpacePitch);
    fitWanted = true;
}

/// share: of the height, at the bottom, that is covered.
void SceneView::Impl::fitNow(QSize pixels, double share)
{
    renderer->camera().setViewport(pixels.width(), pixels.height());
    scene::Bounds box = renderer->fitBounds();
    if (!seen.empty()) {
        box.include(seen.low);
        box.include(seen.high);
    }
    if (share < kMostCovered && fan == 0 && renderer->model().planar)
        box.low.y -= share / (1 - share) * (box.high.y - box.low.y); // room below, as high as what covers it
    renderer->fit(box);
    fitWanted = false;
}

/// Hands the frame to OpenGL and does not wait: the picture is drawn while the caller goes on with the rest of the window.
void SceneView::Impl::drawAhead(const QWidget& widget)
{
    if (!renderer || !model)
        return;
    updateFrame();
    const QSize pixels = pixelSize(widget);
    if (fitWanted)
        fitNow(pixels, static_cast<double>(covered) / std::max(1, widget.height()));
    renderer->draw(pixels.width(), pixels.height(), fine ? 2 : 1);
    ahead = true;
}

void SceneView::Impl::render(const QWidget& widget)
{
    if (!renderer || !model)
        return;
    if (!ahead)
        drawAhead(widget);
    const scene::Pixels& drawn = renderer->picture();
    ahead = false;
    // The renderer keeps the words until its next picture, and this image lives no longer than that.
    picture = QImage(reinterpret_cast<const uchar*>(drawn.argb.data()), drawn.width, drawn.height, drawn.width * 4,
                     QImage::Format_RGB32);
    picture.setDevicePixelRatio(widget.devicePixelRatioF());
    stale = false;
}

// Names appear where positions alone do not tell the runs apart: in the fan and under magnification.
void SceneView::Impl::paintNames(QPainter& painter, int above) const
{
    QFont font = uiFont(kTickPixels);
    painter.setFont(font);
    const QFontMetrics metrics(font);
    int y = above + kFrameMargin + metrics.ascent();
    if (deviationExponent != 0 && !runs.empty()) {
        const auto reference =
            static_cast<std::size_t>(std::clamp<int>(deviationReference, 0, static_cast<int>(runs.size()) - 1));
        painter.setPen(theme->secondary);
        painter.drawText(kFrameMargin, y,
                         QObject::tr("Deviation × %1 from %2").arg(decadeText(deviationExponent), runs[reference].name));
        y += metrics.height() + 4;
    }
    if (fan == 0 || runs.size() < 2)
        return;
    for (const SceneRun& run : runs) {
        const QRectF mark(kFrameMargin, y - metrics.ascent() + (metrics.ascent() - 9) / 2.0 + 1, 9, 9);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme->run(run.colour), 2));
        painter.setBrush(run.selected ? QBrush(theme->run(run.colour)) : QBrush(Qt::NoBrush));
        painter.drawEllipse(mark);
        painter.setPen(run.selected ? theme->text : theme->secondary);
        painter.drawText(kFrameMargin + 16, y, run.name);
        y += metrics.height() + 2;
    }
}

} // namespace driftless::ui
