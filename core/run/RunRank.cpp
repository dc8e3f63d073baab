// Whether the motion passed a configuration in which the constraints lose their rank: said once for each such place.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/run/RunImpl.h"

namespace driftless::run {

namespace {

constexpr int kPeaks = 32;  // constraints up to which a peak of kappa is looked at; beyond, only a turned minor
constexpr double kPeak = 2; // times the least kappa of the run

/// The rows of the recording from a time on, and the present state behind them.
class RecordedWay final : public RankWatch::Way {
public:
    RecordedWay(RecordingView past, double from, bool plainRates, const model::ModelState& now, const std::vector<double>& rate)
        : past_(std::move(past)), rates_(plainRates ? past_.n() : 2 * past_.n() + past_.m()), now_(now), rate_(rate)
    {
        first_ = past_.empty() ? 0 : past_.rowAt(from);
        if (first_ < past_.rowCount() && past_.time(first_) < from)
            ++first_;
    }
    std::size_t size() const override { return static_cast<std::size_t>(past_.rowCount() - first_) + 1; }
    void read(std::size_t k, RankWatch::Point& into) const override
    {
        const std::uint64_t row = first_ + k;
        if (row == past_.rowCount()) {
            into.t = now_.t;
            into.q = now_.q;
            into.rate = rate_;
            into.v = now_.v;
            return;
        }
        into.t = past_.time(row);
        for (int i = 0; i < past_.n(); ++i) {
            const auto c = static_cast<std::size_t>(i);
            into.q[c] = past_.value(row, i);
            into.v[c] = past_.value(row, past_.n() + i);
            into.rate[c] = past_.value(row, rates_ + i);
        }
    }

private:
    RecordingView past_;
    int rates_; ///< first column of q'
    std::uint64_t first_ = 0;
    const model::ModelState& now_;
    const std::vector<double>& rate_;
};

} // namespace

/// Where the rank is lost every minor of G vanishes: the sign of that of the selection in force turns, and kappa of the best
/// one has a peak. Either asks for a close look at the rows since.
void Run::Impl::followRank()
{
    const int m = system->m();
    const bool lost =
        std::ranges::any_of(monitors, [](const auto& monitor) { return monitor->lost(); }); // not the model's motion any more
    if (hasFailed || lost || m == 0 || system->n() <= m)
        return;
    const std::vector<int>& selection = core->form().pivot ? core->instance->dummies().velocities : velocities.followed;
    if (static_cast<int>(selection.size()) != m)
        return;
    velocities.chooser.load(system->jacobianPlaces(), metrics.jacobian());
    const int orientation = velocities.chooser.orientation(selection);
    if (orientation == 0)
        return; // the next state is compared with the one before
    Judged& j = judged;
    const int carried = j.known == 0 || j.selection == selection ? orientation : velocities.chooser.orientation(j.selection);
    const bool turned = j.known > 0 && carried * j.orientation < 0;
    const bool peak =
        j.known > 1 && m <= kPeaks && j.kappa > kPeak * leastKappa && j.kappa >= j.kappaBefore && j.kappa >= velocities.kappa;
    if (turned || peak)
        lookForSingularity(peak ? j.before : j.t);
    j.known = std::min(2, j.known + 1);
    j.before = std::exchange(j.t, state.t);
    j.kappaBefore = std::exchange(j.kappa, velocities.kappa);
    j.selection = selection;
    j.orientation = orientation;
}

/// Says so where the rank was lost since a time.
void Run::Impl::lookForSingularity(double from)
{
    if (!metrics.evaluator().coordinateRates(state.t, state.q.data(), state.v.data(), coordinateRate.data()))
        return;
    const RecordedWay way(recording.written(), from, system->plainRates(), state, coordinateRate);
    std::size_t first = 0, last = way.size() - 1;
    if (system->m() > kPeaks) // a singular value takes as long as a step there: halves tell where the kernel turned
        while (last - first > 1) {
            const std::size_t middle = first + (last - first + 1) / 2;
            (rankWatch.turns(way, first, middle) ? last : first) = middle;
        }
    const RankWatch::Nearest nearest = rankWatch.nearest(way, first, last);
    if (!(nearest.sigma <= nearest.limit) || !(nearest.t > judged.passed))
        return;
    judged.passed = state.t; // what is left of the peak lies in these rows, too
    addEvent(RankLost{nearest.t, constraintNames(rankWatch.rows())});
}

std::vector<std::string> Run::Impl::constraintNames(const std::vector<int>& rows) const
{
    std::vector<std::string> out;
    for (const int constraint : rows)
        out.push_back(system->system().constraints[static_cast<std::size_t>(constraint)].name);
    return out;
}

} // namespace driftless::run
