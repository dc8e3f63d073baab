#include "core/run/RankWatch.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/Index.h"
#include "core/run/CubicWeights.h"

namespace driftless::run {

namespace {

constexpr int kSweeps = 10;           // of the scaling: each halves the logarithms of what is left (Ruiz 2001)
constexpr int kNarrowings = 40;       // of the search for the least sigma: each keeps 0.62 of the stretch
constexpr double kLeastSigma = 1e-6;  // sigma comes from roots of eigenvalues that are good to round-off
constexpr double kSafety = 4;         // times sqrt(2 K rho): K is a mean over the stretch, rho that of one point
constexpr double kRoomToSpare = 0.05; // a sigma above is no loss of rank, whatever rho is,
constexpr double kOfChains = 0.3; // nor one above this by the number of constraints: a straight chain of m links has 1.1 / m

} // namespace

RankWatch::RankWatch(model::SystemEvaluator& evaluator, formulation::PivotChooser& chooser)
    : evaluator_(evaluator), chooser_(chooser)
{
    const model::CompiledSystem& system = evaluator.compiled();
    q_.resize(at(system.n()));
    foundAt_ = room_ = q_;
    from_ = to_ = {0, q_, q_, q_};
    values_.resize(system.jacobianPlaces().size());
    first_ = last_ = values_;
    residual_.resize(at(system.holonomic()));
    rowScale_.resize(at(system.m()));
    columnScale_.resize(at(system.n()));
    rowSum_ = rowScale_;
    columnSum_ = columnScale_;
}

bool RankWatch::turns(const Way& way, std::size_t from, std::size_t to)
{
    way.read(from, from_);
    way.read(to, to_);
    const auto load = [this](const Point& p) {
        const bool known = evaluator_.jacobian(p.t, p.q.data(), values_.data());
        if (known)
            chooser_.load(evaluator_.compiled().jacobianPlaces(), values_);
        return known;
    };
    if (!load(from_))
        return false;
    chooser_.keepKernel();
    const int before = chooser_.orientationAgainstKernel();
    return load(to_) && chooser_.orientationAgainstKernel() * before < 0;
}

/// R and C from both points together, and from the one where the rows are known to be independent. from_ is lost.
bool RankWatch::takeScales(const Way& way)
{
    if (!evaluator_.jacobian(from_.t, from_.q.data(), first_.data()) || !evaluator_.jacobian(to_.t, to_.q.data(), last_.data()))
        return false;
    const auto places = evaluator_.compiled().jacobianPlaces();
    double points = 2;
    if (way.independent(from_) && evaluator_.jacobian(from_.t, from_.q.data(), values_.data())) {
        for (std::size_t k = 0; k < places.size(); ++k)
            first_[k] = std::hypot(first_[k], values_[k]);
        points = 3;
    }
    std::fill(rowScale_.begin(), rowScale_.end(), 1.0);
    std::fill(columnScale_.begin(), columnScale_.end(), 1.0);
    const auto sum = [&] {
        std::fill(rowSum_.begin(), rowSum_.end(), 0.0);
        std::fill(columnSum_.begin(), columnSum_.end(), 0.0);
        for (std::size_t k = 0; k < places.size(); ++k) {
            const double entry =
                std::hypot(first_[k], last_[k]) * rowScale_[at(places[k].row)] * columnScale_[at(places[k].column)];
            rowSum_[at(places[k].row)] += entry * entry;
            columnSum_[at(places[k].column)] += entry * entry;
        }
    };
    const auto scale = [](std::vector<double>& scales, const std::vector<double>& squares, double power) {
        for (std::size_t i = 0; i < scales.size(); ++i)
            if (squares[i] > 0)
                scales[i] *= std::pow(squares[i], -power);
    };
    for (int k = 0; k < kSweeps; ++k) {
        sum();
        scale(rowScale_, rowSum_, 0.25);
        scale(columnScale_, columnSum_, 0.25);
    }
    sum();
    scale(rowScale_, rowSum_, 0.5);
    for (double& r : rowScale_)
        r *= std::sqrt(points); // whose sum it was
    return true;
}

/// K between two points.
double RankWatch::bend()
{
    if (!evaluator_.jacobian(from_.t, from_.q.data(), first_.data()) || !evaluator_.jacobian(to_.t, to_.q.data(), last_.data()))
        return 0;
    double change = 0, way = 0;
    const auto places = evaluator_.compiled().jacobianPlaces();
    for (std::size_t k = 0; k < places.size(); ++k)
        change += std::pow((last_[k] - first_[k]) * rowScale_[at(places[k].row)] * columnScale_[at(places[k].column)], 2);
    for (std::size_t i = 0; i < q_.size(); ++i)
        way += std::pow(0.5 * (to_.t - from_.t) * (std::abs(from_.v[i]) + std::abs(to_.v[i])) / columnScale_[i], 2);
    return way > 0 ? std::sqrt(change / way) : 0;
}

bool RankWatch::loadScaled(double t, const double* q)
{
    if (!evaluator_.jacobian(t, q, values_.data()))
        return false;
    const auto places = evaluator_.compiled().jacobianPlaces();
    for (std::size_t k = 0; k < places.size(); ++k)
        values_[k] *= rowScale_[at(places[k].row)] * columnScale_[at(places[k].column)];
    chooser_.setUnits({}, {}); // these scales are those of the limits; loadTracks() sets those of the others again
    chooser_.load(places, values_);
    return true;
}

/// Infinity where G cannot be computed.
double RankWatch::sigmaAt(double t, const double* q)
{
    return loadScaled(t, q) ? chooser_.leastSingularValue() : std::numeric_limits<double>::infinity();
}

std::vector<int> RankWatch::rows()
{
    double ratio = 0;
    return loadScaled(found_, foundAt_.data()) ? chooser_.weakestRows(ratio) : std::vector<int>();
}

/// A sigma above is no loss of rank at any point.
double RankWatch::mostSigma() const { return std::min(kRoomToSpare, kOfChains / evaluator_.compiled().m()); }

double RankWatch::limitAt(double t, const double* q, double bent)
{
    const double most = mostSigma();
    if (!evaluator_.constraints(t, q, residual_.data()))
        return most;
    double squares = 0;
    for (std::size_t i = 0; i < residual_.size(); ++i)
        squares += std::pow(residual_[i] * rowScale_[i], 2);
    return std::min(most, kLeastSigma + kSafety * std::sqrt(2 * bent * std::sqrt(squares)));
}

/// q_ := the motion at the share s of the stretch, or the cubic; returns its time.
double RankWatch::placed(const Way& way, double s)
{
    const double h = to_.t - from_.t;
    if (way.between(from_.t + s * h, q_.data(), room_.data()))
        return from_.t + s * h;
    const auto [h00, h10, h01, h11] = CubicWeights(s, h);
    for (std::size_t i = 0; i < q_.size(); ++i)
        q_[i] = h00 * from_.q[i] + h10 * from_.rate[i] + h01 * to_.q[i] + h11 * to_.rate[i];
    return from_.t + s * h;
}

/// Golden-section search in the stretch, where sigma has one minimum at most that matters. Where rank is lost sigma falls like
/// a straight line. So the search is over as soon as a line twice as steep as any that was seen does not reach a sigma that
/// matters.
void RankWatch::narrow(const Way& way, Nearest& least)
{
    constexpr double kGolden = 0.6180339887498949;
    const double most = mostSigma();
    double steepest = 0;
    const auto sigmaOf = [&](double s) {
        const double t = placed(way, s);
        return sigmaAt(t, q_.data());
    };
    double a = 0, b = 1, left = 1 - kGolden, right = kGolden, atLeft = sigmaOf(left), atRight = sigmaOf(right);
    for (int k = 0; k < kNarrowings; ++k) {
        steepest = std::max(steepest, std::abs(atRight - atLeft) / (right - left));
        if (k > 2 && std::min(atLeft, atRight) - 2 * steepest * (b - a) > most)
            return;
        if (atLeft <= atRight) {
            b = right;
            right = left;
            atRight = atLeft;
            left = b - kGolden * (b - a);
            atLeft = sigmaOf(left);
        } else {
            a = left;
            left = right;
            atLeft = atRight;
            right = a + kGolden * (b - a);
            atRight = sigmaOf(right);
        }
    }
    const double t = placed(way, 0.5 * (a + b));
    const double sigma = sigmaAt(t, q_.data());
    if (!(sigma < least.sigma))
        return;
    found_ = t;
    foundAt_ = q_;
    least = {.t = t, .sigma = sigma, .limit = limitAt(t, q_.data(), bend())};
}

RankWatch::Nearest RankWatch::nearest(const Way& way, std::size_t first, std::size_t last)
{
    Nearest out;
    if (first >= last)
        return out;
    way.read(first, from_);
    way.read(last, to_);
    if (!takeScales(way))
        return out;
    std::size_t low = first;
    double lowest = std::numeric_limits<double>::infinity(), ends = lowest;
    for (std::size_t k = first; k <= last; ++k) {
        way.read(k, from_);
        const double sigma = sigmaAt(from_.t, from_.q.data());
        if (k == first || k == last)
            ends = std::min(ends, sigma);
        if (sigma < lowest) {
            lowest = sigma;
            low = k;
        }
    }
    if (!(ends > kLeastSigma)) { // rows that depend on each other anyway lose nothing on the way
        way.read(low, from_);
        found_ = from_.t;
        foundAt_ = from_.q;
        return {.t = found_, .sigma = lowest, .limit = kLeastSigma, .rests = true};
    }
    const auto between = [&](std::size_t a, std::size_t b) {
        way.read(a, from_);
        way.read(b, to_);
        narrow(way, out);
    };
    if (low > first)
        between(low - 1, low);
    if (low < last)
        between(low, low + 1);
    return out;
}

} // namespace driftless::run
