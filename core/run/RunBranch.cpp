// Continuing from an earlier time of the recording.
#include "core/run/RunImpl.h"

namespace driftless::run {

/// Where the recording holds every step, any t between two of them; else the last row before, from which steps lead to t again.
double Run::Impl::branchesFrom(double t) const
{
    constexpr double kOneStep = 1.5;
    const RecordingView view = recording.view();
    const std::uint64_t r = view.rowAt(t);
    if (r + 1 >= view.rowCount())
        return t;
    const double h = view.value(r + 1, view.metrics() + static_cast<int>(Metric::StepSize));
    return view.time(r + 1) - view.time(r) > kOneStep * h ? view.time(r) : t;
}

void Run::Impl::commitBranch(double to, Plan&& plan)
{
    const RecordingView view = recording.view();
    const std::uint64_t r = view.rowAt(to);
    const int first = view.metrics();
    const auto at = [&](Metric metric) {
        const int c = first + static_cast<int>(metric);
        const double x0 = view.value(r, c);
        if (r + 1 >= view.rowCount() || to <= view.time(r))
            return x0;
        return x0 + (view.value(r + 1, c) - x0) * (to - view.time(r)) / (view.time(r + 1) - view.time(r));
    };
    const double error = at(Metric::EnergyError);
    const double begin = view.firstTime();
    maxNorms = {view.range(first, begin, to).maximum, view.range(first + 1, begin, to).maximum,
                view.range(first + 2, begin, to).maximum};
    double reference = metrics.reference();
    {
        const std::lock_guard lock(mutex);
        std::erase_if(shared.events, [to](const Event& e) { return e.t > to; });
        std::erase_if(shared.segments, [to](const Segment& s) { return s.t > to; });
        if (!shared.segments.empty())
            reference = shared.segments.back().reference;
    }
    const bool balanceGoesOn = !plan.restartsBalance;
    recording.truncateAfter(to);
    adopt(std::move(plan));
    if (balanceGoesOn)
        metrics.resumeBalance(reference, error);
}

} // namespace driftless::run
