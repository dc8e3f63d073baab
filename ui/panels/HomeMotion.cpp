#include "ui/panels/HomeMotion.h"

#include <QElapsedTimer>
#include <QWidget>

#include <algorithm>
#include <utility>
#include <vector>

#include "core/run/Run.h"
#include "core/run/RunRequest.h"
#include "ui/views/SceneView.h"

namespace driftless::ui {

namespace {

constexpr int kFrameMs = 40;
constexpr int kIntegratingMs = 12;          ///< of a frame: the list stays quick
constexpr double kShortest = 4;             ///< [s] that a motion takes on the card, however short it is
constexpr std::uint64_t kBudget = 8u << 20; ///< bytes of a recording that is thrown away

} // namespace

HomeMotion::HomeMotion(QWidget& parent) : QObject(&parent), parent_(parent)
{
    timer_.setInterval(kFrameMs);
    connect(&timer_, &QTimer::timeout, this, &HomeMotion::frame);
}

HomeMotion::~HomeMotion() = default;

void HomeMotion::play(const std::shared_ptr<const model::CompiledSystem>& system, QSize size, bool dark)
{
    stop();
    const auto prepared = run::prepareRun(system, run::RunRequest{});
    if (!prepared)
        return;
    auto created = run::Run::create(prepared->system, prepared->start, prepared->settings, kBudget);
    if (!created)
        return;
    run_ = std::move(*created);
    view_ = new SceneView(&parent_);
    view_->hide();
    view_->setDark(dark);
    view_->setModel(system);
    size_ = size;
    t_ = 0;
    end_ = prepared->end;
    rate_ = std::min(1.0, end_ / kShortest);
    timer_.start();
}

void HomeMotion::stop()
{
    timer_.stop();
    run_.reset();
    delete view_;
    view_ = nullptr;
}

void HomeMotion::frame()
{
    t_ = std::min(end_, t_ + 1e-3 * kFrameMs * rate_);
    QElapsedTimer spent;
    spent.start();
    while (run_->t() < t_ && spent.elapsed() < kIntegratingMs && run_->step(end_)) {}
    t_ = std::min(t_, run_->t()); // slower than asked where the integration is
    std::vector<SceneRun> runs(1);
    runs[0].selected = true;
    runs[0].recording = run_->recording();
    view_->setRuns(std::move(runs));
    view_->setTime(t_);
    emit drawn(view_->grabImage(size_, 2));
    if (run_->failed() || t_ >= end_)
        stop();
}

} // namespace driftless::ui
