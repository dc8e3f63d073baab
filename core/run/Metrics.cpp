#include "core/run/Metrics.h"

#include <cmath>

namespace driftless::run {

namespace {

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

} // namespace

Metrics::Metrics(std::shared_ptr<const model::CompiledSystem> system)
    : system_(std::move(system)), evaluator_(system_), solver_(system_), aside_(system_->system()),
      conservative_(system_->system().power.isZero())
{
    rows_.resize(static_cast<std::size_t>(system_->m()));
    q_.resize(static_cast<std::size_t>(system_->n()));
    v_ = a_ = fromRate_ = toRate_ = q_;
    lambda_.resize(static_cast<std::size_t>(system_->w()));
    if (const auto& reduced = system_->model().reduced) {
        general_ = std::make_unique<reduction::ReducedEvaluator>(reduced);
        rows_.resize(static_cast<std::size_t>(reduced->rowCount()));
        energy_.kinetic = energy_.potential = std::numeric_limits<double>::quiet_NaN();
    }
}

void Metrics::setParameters(std::span<const double> values)
{
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
    norms_.position = maxNorm(now.constraints);
    norms_.velocity = maxNorm(now.rates);
    const model::NominalScales& usual = scales();
    relativePosition_ = relativeVelocity_ = 0;
    for (std::size_t k = 0; k < now.rates.size(); ++k) {
        const double rate = usual.rows[k] / usual.time;
        relativeVelocity_ = std::max(relativeVelocity_, std::abs(now.rates[k]) / rate);
        if (k < now.constraints.size())
            relativePosition_ = std::max(relativePosition_, std::abs(now.constraints[k]) / usual.rows[k]);
    }
    std::copy(now.gamma.begin(), now.gamma.end(), rows_.begin());
    const auto places = system_->jacobianPlaces();
    for (std::size_t k = 0; k < places.size(); ++k)
        rows_[static_cast<std::size_t>(places[k].row)] += now.jacobian[k] * s.a[static_cast<std::size_t>(places[k].column)];
    norms_.acceleration = maxNorm(rows_);
    energy_ = now.energy;
    if (aside_.empty())
        return true;
    if (!aside_.evaluate(s.t, s.q, evaluator_.parameters())) {
        message_ = "a constraint that was set aside is not a finite number";
        return false;
    }
    norms_.setAside = maxNorm(aside_.values());
    return true;
}

bool Metrics::power(double t, const double* q, const double* v, const double* lambda, double& out)
{
    if (evaluator_.power(t, q, v, lambda, out))
        return true;
    message_ = evaluator_.message();
    return false;
}

bool Metrics::innerPower(const model::ModelState& from, const model::ModelState& to, double s, double& out)
{
    const double h = to.t - from.t, t = from.t + s * h;
    if (!system_->powerNeedsForces() && system_->plainRates()) {
        for (std::size_t i = 0; i < q_.size(); ++i)
            quintic(s, h, {from.q[i], from.v[i], from.a[i]}, {to.q[i], to.v[i], to.a[i]}, q_[i], v_[i]);
    } else {
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
    }
    for (std::size_t i = 0; i < lambda_.size(); ++i)
        lambda_[i] = from.lambda[i] + s * (to.lambda[i] - from.lambda[i]);
    if (system_->powerNeedsForces() && !solver_.accelerations(t, q_.data(), v_.data(), a_.data(), lambda_.data())) {
        message_ = solver_.message();
        return false;
    }
    return power(t, q_.data(), v_.data(), lambda_.data(), out);
}

bool Metrics::accumulate(const model::ModelState& from, const model::ModelState& to)
{
    const double h = to.t - from.t;
    if (conservative_ || !(h > 0))
        return true;
    const double inner = 1 / std::sqrt(5.0);
    const double places[] = {0.5 * (1 - inner), 0.5 * (1 + inner)};
    double p0 = 0, p1 = 0, sum = 0;
    if (!power(from.t, from.q.data(), from.v.data(), from.lambda.data(), p0)
        || !power(to.t, to.q.data(), to.v.data(), to.lambda.data(), p1))
        return false;
    for (const double s : places) {
        double p = 0;
        if (!innerPower(from, to, s, p))
            return false;
        sum += p;
    }
    work_ += h * (p0 + p1 + 5 * sum) / 12;
    return true;
}

void Metrics::restartBalance(double offset)
{
    reference_ = energy();
    work_ = 0;
    offset_ = offset;
}

void Metrics::resumeBalance(double reference, double error)
{
    reference_ = reference;
    offset_ = 0;
    work_ = energy() - reference - error;
}

} // namespace driftless::run
