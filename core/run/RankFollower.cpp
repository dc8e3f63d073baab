#include "core/run/RankFollower.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace driftless::run {

namespace {

constexpr int kPeaks = 32;           // constraints up to which a peak of kappa is looked at; beyond, only a turned minor
constexpr double kPeak = 2;          // times the least kappa of the run
constexpr double kWellAway = 10;     // times the least kappa of the run, at most
constexpr double kIndependent = 1e3; // kappa of rows that were independent somewhere: they do not depend on each other anyway

/// The rows of the recording from a time on, and the present state behind them.
class RecordedWay final : public RankWatch::Way {
public:
    /// Where rows are known to be independent; no q: nowhere.
    struct Independent {
        double t = 0; ///< [s]
        const std::vector<double>& q;
    };
    RecordedWay(const RankFollower::Past& past, double from, Independent independent, bool plainRates,
                const model::ModelState& now, const std::vector<double>& rate)
        : past_(past.recorder.written()), rates_(plainRates ? past_.n() : 2 * past_.n() + past_.m()), inside_(past.inside),
          since_(past.since), independent_(independent), now_(now), rate_(rate)
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
        readRow(row, into);
    }
    bool independent(RankWatch::Point& into) const override
    {
        if (independent_.q.empty())
            return false;
        into.t = independent_.t;
        into.q = independent_.q;
        return true;
    }
    bool between(double t, double* q, double* room) const override
    {
        return inside_ && t >= since_ && t <= now_.t && inside_->motion(t, q, room);
    }

private:
    void readRow(std::uint64_t row, RankWatch::Point& into) const
    {
        into.t = past_.time(row);
        for (int i = 0; i < past_.n(); ++i) {
            const auto c = static_cast<std::size_t>(i);
            into.q[c] = past_.value(row, i);
            into.v[c] = past_.value(row, past_.n() + i);
            into.rate[c] = past_.value(row, rates_ + i);
        }
    }

    RecordingView past_;
    int rates_; ///< first column of q'
    DenseValues* inside_;
    double since_; ///< [s] from where they know the motion
    std::uint64_t first_ = 0;
    Independent independent_;
    const model::ModelState& now_;
    const std::vector<double>& rate_;
};

} // namespace

RankFollower::RankFollower(ConstraintMatrices& matrices)
    : matrices_(matrices), watch_(matrices.metrics().evaluator(), matrices.velocities()),
      rate_(static_cast<std::size_t>(matrices.system().n()))
{
}

void RankFollower::restart(double t)
{
    judged_ = {};
    judged_.passed = t;
}

std::optional<RankLost> RankFollower::follow(const model::ModelState& state, const std::vector<int>& selection, double kappa,
                                             double leastKappa, const Past& past, bool loaded)
{
    const int m = matrices_.system().m();
    if (m == 0 || matrices_.system().n() <= m || static_cast<int>(selection.size()) != m)
        return std::nullopt;
    if (!loaded && !matrices_.loadMeasured(state, false, false))
        return std::nullopt;
    formulation::PivotChooser& W = matrices_.velocities();
    const int orientation = W.orientation(selection);
    if (orientation == 0)
        return std::nullopt; // the next state is compared with the one before
    Judged& j = judged_;
    const int carried = j.known == 0 || j.selection == selection ? orientation : W.orientation(j.selection);
    const bool turned = j.known > 0 && carried * j.orientation < 0;
    const bool peak =
        j.known > 1 && m <= kPeaks && j.kappa > kPeak * leastKappa && j.kappa >= j.kappaBefore && j.kappa >= kappa;
    std::optional<RankLost> out;
    if (turned || peak)
        out = look(state, peak ? j.before : j.t, past, turned || (leastKappa < kIndependent && cameFromAfar()));
    j.known = std::min(2, j.known + 1);
    j.before = std::exchange(j.t, state.t);
    j.kappaBefore = std::exchange(j.kappa, kappa);
    if (j.selection != selection)
        j.selection = selection;
    j.orientation = orientation;
    if (kappa <= kWellAway * leastKappa) {
        j.independent = state.t;
        j.independentAt = state.q;
    }
    return out;
}

/// Whether the rows were well away from any loss of rank since one was told: what rests at such a place is told once.
bool RankFollower::cameFromAfar() const { return judged_.independent && *judged_.independent >= judged_.passed; }

/// Where the rank was lost since a time. certain: even where the way begins or ends as near to such a place as that, for a run
/// that creeps past it takes many steps there.
std::optional<RankLost> RankFollower::look(const model::ModelState& state, double from, const Past& past, bool certain)
{
    const model::CompiledSystem& system = matrices_.system();
    if (!matrices_.metrics().evaluator().coordinateRates(state.t, state.q.data(), state.v.data(), rate_.data()))
        return std::nullopt;
    const RecordedWay way(past, from, {judged_.independent.value_or(0), judged_.independentAt}, system.plainRates(), state,
                          rate_);
    std::size_t first = 0, last = way.size() - 1;
    if (system.m() > kPeaks) // a singular value takes as long as a step there: halves tell where the kernel turned
        while (last - first > 1) {
            const std::size_t middle = first + (last - first + 1) / 2;
            (watch_.turns(way, first, middle) ? last : first) = middle;
        }
    const RankWatch::Nearest nearest = watch_.nearest(way, first, last);
    if ((nearest.rests && !certain) || !(nearest.sigma <= nearest.limit) || !(nearest.t > judged_.passed))
        return std::nullopt;
    judged_.passed = state.t; // what is left of the peak lies in these rows, too
    return RankLost{nearest.t, constraintNames(system.system(), watch_.rows())};
}

} // namespace driftless::run
