#include "tests/bench/race/Reference.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "tests/bench/Drive.h"

namespace driftless::bench {
namespace {

constexpr double kSmallestTolerance = 1e-14;

} // namespace

Reference::Reference(const Problem& problem, std::shared_ptr<const model::CompiledSystem> system)
    : n_(static_cast<std::size_t>(system->n()))
{
    integrate::IntegratorOptions options;
    options.step = 0;
    options.relativeTolerance = options.absoluteTolerance = kSmallestTolerance;
    Driven driven(std::move(system), "index-1", "dop853", options, problem.changed);
    const integrate::Integrator& method = *driven.integrator;
    positionExtents_.assign(n_, 0.0);
    velocityExtents_.assign(n_, 0.0);
    keep(0, driven.y.data(), driven.yp.data());
    for (int k = 1; k <= kCells; ++k) {
        const double until = k == kCells ? problem.end : k * problem.end / kCells;
        while (method.t() < until) {
            if (driven.integrator->step(until).status != integrate::StepStatus::Accepted) {
                std::fprintf(stderr, "no reference for %s\n", problem.title);
                std::abort();
            }
            keep(method.t(), method.y().data(), method.yp().data());
        }
    }
    if (!problem.positions.empty())
        errorAtEnd_ = errorOf(method.y().data(), problem.positions);
}

/// The unknowns of index-1 begin with q and v.
void Reference::keep(double t, const double* y, const double* yp)
{
    times_.push_back(t);
    positions_.insert(positions_.end(), y, y + n_);
    velocities_.insert(velocities_.end(), y + n_, y + 2 * n_);
    accelerations_.insert(accelerations_.end(), yp + n_, yp + 2 * n_);
    for (std::size_t i = 0; i < n_; ++i) {
        positionExtents_[i] = std::max(positionExtents_[i], std::abs(y[i]));
        velocityExtents_[i] = std::max(velocityExtents_[i], std::abs(y[n_ + i]));
    }
}

void Reference::at(double t, double* q, double* v) const
{
    const auto after = std::upper_bound(times_.begin() + 1, times_.end() - 1, t);
    const auto k = static_cast<std::size_t>(after - times_.begin()) - 1;
    const double h = times_[k + 1] - times_[k], x = (t - times_[k]) / h;
    for (std::size_t i = 0; i < n_; ++i) {
        const std::size_t a = k * n_ + i, b = a + n_;
        // q = q_a + h v_a x + h^2 a_a x^2/2 + c3 x^3 + c4 x^4 + c5 x^5
        const double va = h * velocities_[a], vb = h * velocities_[b];
        const double aa = h * h * accelerations_[a], ab = h * h * accelerations_[b];
        const double rest = positions_[b] - positions_[a] - va - aa / 2, slope = vb - va - aa, bend = ab - aa;
        const double c3 = 10 * rest - 4 * slope + bend / 2;
        const double c4 = -15 * rest + 7 * slope - bend;
        const double c5 = 6 * rest - 3 * slope + bend / 2;
        q[i] = positions_[a] + x * (va + x * (aa / 2 + x * (c3 + x * (c4 + x * c5))));
        v[i] = (va + x * (aa + x * (3 * c3 + x * (4 * c4 + x * 5 * c5)))) / h;
    }
}

double errorOf(const double* q, const std::vector<double>& reference)
{
    double worst = 0;
    for (std::size_t i = 0; i < reference.size(); ++i)
        worst = std::max(worst, std::abs(q[i] - reference[i]) / (1 + std::abs(reference[i])));
    return worst;
}

Judge::Judge(const Problem& problem, const Reference& reference, std::shared_ptr<const model::CompiledSystem> system)
    : problem_(problem), reference_(reference), system_(std::move(system)), evaluator_(system_), q_(reference.n()),
      v_(reference.n()), g_(static_cast<std::size_t>(system_->holonomic())), rates_(static_cast<std::size_t>(system_->m()))
{
    evaluator_.setParameters(system_->defaultParameters());
}

void Judge::see(double t, const double* q, const double* v)
{
    const auto largest = [](double& to, double value) { to = std::isfinite(value) ? std::max(to, value) : HUGE_VAL; };
    reference_.at(t, q_.data(), v_.data());
    for (std::size_t i = 0; i < q_.size(); ++i) {
        largest(errors_.position, std::abs(q[i] - q_[i]) / (1 + reference_.positionExtents()[i]));
        largest(errors_.velocity, std::abs(v[i] - v_[i]) / (1 + reference_.velocityExtents()[i]));
    }
    if (t >= problem_.end)
        errors_.atEnd = errorOf(q, problem_.positions.empty() ? q_ : problem_.positions);
    if (evaluator_.constraints(t, q, g_.data()))
        for (const double g : g_)
            largest(errors_.drift, std::abs(g));
    if (evaluator_.constraintRates(t, q, v, rates_.data()))
        for (const double g : rates_)
            largest(errors_.velocityDrift, std::abs(g));
}

} // namespace driftless::bench
