#include "core/run/Metrics.h"

#include <algorithm>
#include <cmath>

namespace driftless::run {

namespace {

// Gauss-Lobatto rule of four points on [-1, 1], and Kronrod's extensions to seven and thirteen (Gander and Gautschi): places
// beside the ends and the centre, and weights of thirteen.
constexpr double kLobatto = 0.447213595499957939;
constexpr double kSeven = 0.816496580927726033;
constexpr double kThirteenEnds = 0.0158271919734802, kThirteenSeven = 0.155071987336585, kThirteenLobatto = 0.199773405226859,
                 kThirteenCentre = 0.242611071901408;
struct WeightedPair {
    double place, weight;
};
constexpr WeightedPair kThirteen[]{
    {0.942882415695480, 0.0942738402188500}, {0.641853342345781, 0.188821573960182}, {0.236383199662150, 0.224926465333340}};
constexpr double kOfTolerance = 0.01; // of the largest power: the rule's part in an error that is the method's
constexpr double kRoundoff = 1e-13;   // of the same: what thirteen products leave
constexpr int kHalvings = 3;          // of one step

double maxNorm(std::span<const double> x)
{
    double norm = 0;
    for (const double value : x)
        norm = std::max(norm, std::abs(value));
    return norm;
}

/// Quintic on [0, h] from value, first and second derivative at both ends: position and velocity at s h.
void quintic(double s, double h, const double (&x0)[3], const double (&x1)[3], double& position, double& velocity)
{
    const double c0 = x0[0], c1 = h * x0[1], c2 = 0.5 * h * h * x0[2];
    const double d0 = x1[0] - c0 - c1 - c2;
    const double d1 = h * x1[1] - c1 - 2 * c2;
    const double d2 = h * h * x1[2] - 2 * c2;
    const double c3 = 10 * d0 - 4 * d1 + 0.5 * d2;
    const double c4 = -15 * d0 + 7 * d1 - d2;
    const double c5 = 6 * d0 - 3 * d1 + 0.5 * d2;
    position = c0 + s * (c1 + s * (c2 + s * (c3 + s * (c4 + s * c5))));
    velocity = (c1 + s * (2 * c2 + s * (3 * c3 + s * (4 * c4 + s * 5 * c5)))) / h;
}

/// A part of an interval, with the power at its ends.
struct Stretch {
    double from, to;    ///< shares of the interval
    double early, late; ///< [W]
};

/// Gauss-Lobatto with four points on what the ends of an interval say: as exact as the interpolant. Twelve times the mean.
template <typename Inner>
bool sumOfEnds(const Inner& inner, const Stretch& all, double& out)
{
    double sum = 0;
    for (const double s : {0.5 * (1 - kLobatto), 0.5 * (1 + kLobatto)}) {
        double p = 0;
        if (!inner(s, p))
            return false;
        sum += p;
    }
    out = all.early + all.late + 5 * sum;
    return true;
}

/// The same rule and Kronrod's extensions of it on the method's own polynomial, each where the one before is not enough; adds
/// the stretch's part of the mean. allowed: of the largest power.
template <typename Inner>
bool meanOfMethod(const Inner& inner, const Stretch& stretch, double allowed, int halvings, double& out)
{
    const double half = 0.5 * (stretch.to - stretch.from), middle = stretch.from + half, ends = stretch.early + stretch.late;
    double largest = std::max(std::abs(stretch.early), std::abs(stretch.late)), centre = 0;
    const auto at = [&](double x, double& p) {
        const bool known = inner(middle + half * x, p);
        largest = std::max(largest, std::abs(p));
        return known;
    };
    const auto pair = [&](double x, double& sum) {
        double early = 0, late = 0;
        const bool known = at(-x, early) && at(x, late);
        sum = early + late;
        return known;
    };
    double lobatto = 0, seven = 0;
    if (!pair(kLobatto, lobatto) || !pair(kSeven, seven) || !at(0, centre))
        return false;
    const double of4 = (ends + 5 * lobatto) / 6, of7 = (77 * ends + 432 * seven + 625 * lobatto + 672 * centre) / 1470;
    if (std::abs(of7 - of4) <= allowed * largest) {
        out += half * of7;
        return true;
    }
    double of13 = kThirteenEnds * ends + kThirteenSeven * seven + kThirteenLobatto * lobatto + kThirteenCentre * centre;
    for (const auto& [x, weight] : kThirteen) {
        double sum = 0;
        if (!pair(x, sum))
            return false;
        of13 += weight * sum;
    }
    if (std::abs(of13 - of7) <= allowed * largest || halvings == 0) {
        out += half * of13;
        return true;
    }
    return meanOfMethod(inner, {stretch.from, middle, stretch.early, centre}, allowed, halvings - 1, out)
           && meanOfMethod(inner, {middle, stretch.to, centre, stretch.late}, allowed, halvings - 1, out);
}

} // namespace

Metrics::Metrics(std::shared_ptr<const model::CompiledSystem> system)
    : system_(std::move(system)), evaluator_(system_), solver_(system_), aside_(system_->system()),
      asideVelocities_(system_->system()), conservative_(system_->system().power.isZero())
{
    measured_.q.resize(static_cast<std::size_t>(system_->n()));
    measured_.jacobian.resize(system_->jacobianPlaces().size());
    rows_.resize(static_cast<std::size_t>(system_->m()));
    constraints_.reserve(rows_.size());
    q_.resize(static_cast<std::size_t>(system_->n()));
    v_ = a_ = fromRate_ = toRate_ = q_;
    lambda_.resize(static_cast<std::size_t>(system_->w()));
    inside_ = lambda_;
    if (const auto& reduced = system_->model().reduced) {
        general_ = std::make_unique<reduction::ReducedEvaluator>(reduced);
        rows_.resize(static_cast<std::size_t>(reduced->rowCount()));
        energy_.kinetic = energy_.potential = std::numeric_limits<double>::quiet_NaN();
    }
}

void Metrics::setParameters(std::span<const double> values)
{
    measured_.t = std::numeric_limits<double>::quiet_NaN();
    evaluator_.setParameters(values);
    solver_.setParameters(values);
    if (general_)
        general_->setParameters(values);
}

bool Metrics::measureGeneral(const model::ModelState& s)
{
    if (!general_->rows(s.t, s.lambda.data(), rows_.data())) {
        message_ = general_->message();
        return false;
    }
    norms_ = {};
    double* const levels[] = {&norms_.position, &norms_.velocity, &norms_.acceleration};
    const auto& of = general_->reduced().rowLevel;
    const auto& judged = general_->reduced().judged;
    for (std::size_t i = 0; i < rows_.size(); ++i)
        if (of[i] < 3 && judged[i])
            *levels[of[i]] = std::max(*levels[of[i]], std::abs(rows_[i]));
    return true;
}

bool Metrics::complete(model::ModelState& s, bool lambdaGiven)
{
    model::SystemEvaluator::Measures now;
    const double *q = s.q.data(), *v = s.v.data();
    double *a = s.a.data(), *lambda = s.lambda.data();
    return (lambdaGiven || solver_.solveEfforts(s.t, q, v, lambda)) && evaluator_.measures(s.t, q, v, lambda, now)
           && (lambdaGiven ? solver_.accelerationsFor(now, lambda, a) : solver_.accelerations(now, a, lambda));
}

bool Metrics::measure(model::ModelState& s, bool lambdaGiven)
{
    if (general_)
        return measureGeneral(s);
    const double* q = s.q.data();
    const double* v = s.v.data();
    if (!lambdaGiven && !solver_.solveEfforts(s.t, q, v, s.lambda.data())) {
        message_ = solver_.message();
        return false;
    }
    model::SystemEvaluator::Measures now;
    if (!evaluator_.measures(s.t, q, v, s.lambda.data(), now)) {
        message_ = evaluator_.message();
        return false;
    }
    if (!(lambdaGiven ? solver_.accelerationsFor(now, s.lambda.data(), s.a.data())
                      : solver_.accelerations(now, s.a.data(), s.lambda.data()))) {
        message_ = solver_.message();
        return false;
    }
    std::copy(now.jacobian.begin(), now.jacobian.end(), measured_.jacobian.begin());
    std::copy(s.q.begin(), s.q.end(), measured_.q.begin());
    measured_.t = s.t;
    constraints_.assign(now.constraints.begin(), now.constraints.end());
    norms_.position = maxNorm(now.constraints);
    norms_.velocity = maxNorm(now.rates);
    const model::NominalScales& usual = scales();
    relative_.position = relative_.velocity = 0;
    for (std::size_t k = 0; k < now.rates.size(); ++k) {
        const double rate = usual.rows[k] / usual.time;
        relative_.velocity = std::max(relative_.velocity, std::abs(now.rates[k]) / rate);
        if (k < now.constraints.size())
            relative_.position = std::max(relative_.position, std::abs(now.constraints[k]) / usual.rows[k]);
    }
    std::copy(now.gamma.begin(), now.gamma.end(), rows_.begin());
    const auto places = system_->jacobianPlaces();
    for (std::size_t k = 0; k < places.size(); ++k)
        rows_[static_cast<std::size_t>(places[k].row)] += now.jacobian[k] * s.a[static_cast<std::size_t>(places[k].column)];
    norms_.acceleration = maxNorm(rows_);
    energy_ = now.energy;
    if (aside_.empty() && asideVelocities_.empty())
        return true;
    const bool known =
        (aside_.empty() || aside_.evaluate(s.t, s.q, evaluator_.parameters()))
        && (asideVelocities_.empty() || asideVelocities_.evaluate(s.t, s.q, s.v, evaluator_.parameters(), usual.velocities));
    if (!known) {
        message_ = "a constraint that was set aside is not a finite number";
        return false;
    }
    norms_.setAside = std::max(maxNorm(aside_.values()), maxNorm(asideVelocities_.values()));
    return true;
}

bool Metrics::power(double t, const double* q, const double* v, const double* lambda, double& out)
{
    if (evaluator_.power(t, q, v, lambda, out))
        return true;
    message_ = evaluator_.message();
    return false;
}

/// Leaves positions and velocities at a share of the interval in q_ and v_.
bool Metrics::innerMotion(const Interval& interval, double s)
{
    const model::ModelState &from = interval.before, &to = interval.now;
    const double h = to.t - from.t;
    if (interval.followsMethod() && interval.values->motion(from.t + s * h, q_.data(), v_.data()))
        return true;
    if (system_->plainRates()) {
        for (std::size_t i = 0; i < q_.size(); ++i)
            quintic(s, h, {from.q[i], from.v[i], from.a[i]}, {to.q[i], to.v[i], to.a[i]}, q_[i], v_[i]);
        return true;
    }
    if (!evaluator_.coordinateRates(from.t, from.q.data(), from.v.data(), fromRate_.data())
        || !evaluator_.coordinateRates(to.t, to.q.data(), to.v.data(), toRate_.data())) {
        message_ = evaluator_.message();
        return false;
    }
    const double h00 = (1 + 2 * s) * (1 - s) * (1 - s), h10 = s * (1 - s) * (1 - s) * h;
    const double h01 = s * s * (3 - 2 * s), h11 = s * s * (s - 1) * h;
    for (std::size_t i = 0; i < q_.size(); ++i) {
        q_[i] = h00 * from.q[i] + h10 * fromRate_[i] + h01 * to.q[i] + h11 * toRate_[i];
        v_[i] = h00 * from.v[i] + h10 * from.a[i] + h01 * to.v[i] + h11 * to.a[i];
    }
    return true;
}

bool Metrics::innerPower(const Interval& interval, double s, double& out)
{
    const model::ModelState &from = interval.before, &to = interval.now;
    const double t = from.t + s * (to.t - from.t);
    if (!innerMotion(interval, s))
        return false;
    for (std::size_t i = 0; i < lambda_.size(); ++i)
        lambda_[i] = from.lambda[i] + s * (to.lambda[i] - from.lambda[i]);
    // Dynamic variables are integrated, and the method knows them as well as velocities; efforts follow from them.
    const auto first = static_cast<std::ptrdiff_t>(system_->m()), count = static_cast<std::ptrdiff_t>(system_->dynamics());
    if (count > 0 && interval.steps <= 1 && interval.values && interval.values->at(t, inside_.data()))
        std::copy_n(inside_.begin() + first, count, lambda_.begin() + first);
    if (system_->efforts() > 0 && !solver_.solveEfforts(t, q_.data(), v_.data(), lambda_.data())) {
        message_ = solver_.message();
        return false;
    }
    if (system_->powerNeedsForces() && !solver_.accelerations(t, q_.data(), v_.data(), a_.data(), lambda_.data())) {
        message_ = solver_.message();
        return false;
    }
    return power(t, q_.data(), v_.data(), lambda_.data(), out);
}

bool Metrics::accumulate(const Interval& interval)
{
    const model::ModelState &from = interval.before, &to = interval.now;
    const double h = to.t - from.t;
    balance_.before = balance_.work;
    if (conservative_ || !(h > 0))
        return true;
    Stretch all{.from = 0, .to = 1, .early = 0, .late = 0};
    if (!power(from.t, from.q.data(), from.v.data(), from.lambda.data(), all.early)
        || !power(to.t, to.q.data(), to.v.data(), to.lambda.data(), all.late))
        return false;
    const auto inner = [&](double s, double& out) { return innerPower(interval, s, out); };
    double found = 0;
    // Multipliers, dynamic variables and efforts move as fast as they like: no error test of the method bounds their power.
    if (!interval.followsMethod() && !system_->powerNeedsForces()) {
        if (!sumOfEnds(inner, all, found))
            return false;
        balance_.work += h * found / 12;
        return true;
    }
    const double allowed = std::max(kOfTolerance * interval.tolerance, kRoundoff);
    if (!meanOfMethod(inner, all, allowed, kHalvings, found))
        return false;
    balance_.work += h * found;
    return true;
}

void Metrics::restartBalance(double offset)
{
    balance_ = {.reference = energy(), .offset = offset, .energy = energy_, .begun = true};
}

void Metrics::resumeBalance(double reference, double error)
{
    const bool another = !balance_.begun || balance_.reference != reference; // that of a motion before, in this mode
    balance_.reference = reference;
    balance_.offset = 0;
    balance_.work = energy() - reference - error;
    if (another) {
        balance_.energy = energy_;
        balance_.begun = true;
    }
}

} // namespace driftless::run
