// What of a motion is recorded for curves: states inside of long steps, and of short steps those that a curve needs.
//
// Inside of long steps, recorded beside the steps and for display alone: positions and velocities by the cubic through values
// and rates at both ends, multipliers and the values of a general DAE by the method's dense output where it has one for them.
//
// A step is long where the chord of a curve would be seen: |x''| h^2 / 8 against the largest |x| so far, x'' from the slopes of
// two neighbouring steps (rows, where not every step is one). k equal parts divide that distance by k^2. Residuals, energies,
// counts and monitors are those of steps: what an interpolant violates is its own affair, not the method's. Nothing here is
// read by the integration.
#include <algorithm>
#include <cmath>

#include "core/run/RunImpl.h"

namespace driftless::run {

namespace {

constexpr double kVisible = 1e-4; ///< of a curve's height: less than a pixel
constexpr int kMostRows = 15;     ///< inside of one step
constexpr int kFirstRows = 7;     ///< where there is no step before to compare with
constexpr double kSmall = 0.1;  ///< a component smaller than that beside the largest of its kind is judged by this share of it
constexpr double kNoise = 1e-9; ///< the same where values of equations have scales of their own, and what is smaller is noise
constexpr int kMostPassedOver = 15;  ///< steps in a row
constexpr int kMostUnderPower = 3;   ///< the same where the work of forces is integrated from row to row
constexpr double kOtherStep = 1.25;  ///< a step longer or shorter by this factor than that of the last row is recorded
constexpr double kDifference = 1e-4; ///< of a step: rates from differences of the polynomial

/// Whether the method's polynomial holds algebraic unknowns, too: those without know no rates of them and would draw stairs.
bool hasPolynomial(const Core& core, bool general)
{
    if (!core.lambdaGiven && !general) // multipliers are computed from the state, at steps
        return false;
    const auto rates = core.integrator->yp();
    const auto roles = core.instance->roles();
    bool algebraic = false;
    for (std::size_t i = 0; i < rates.size() && i < roles.size(); ++i) {
        algebraic = algebraic || !roles[i].differential;
        if (!roles[i].differential && rates[i] != 0)
            return true;
    }
    return !algebraic;
}

struct Part {
    const std::vector<double>*before, *after;
};

} // namespace

void Run::Impl::recordBetween()
{
    const double h = state.t - previous.t;
    if (!(h > 0))
        return;
    Between& b = between;
    const bool general = state.q.empty();
    const Part parts[] = {general ? Part{&previous.lambda, &state.lambda} : Part{&previous.q, &state.q},
                          Part{&previous.v, &state.v}};
    const std::size_t size = parts[0].after->size() + parts[1].after->size();
    if (b.slopes.size() != size) {
        b.slopes.assign(size, 0);
        b.extents.assign(size, 0);
    }
    const bool compared = b.end == previous.t;
    double worst = 0;
    std::size_t i = 0;
    for (const Part& part : parts) {
        double largest = 0;
        for (std::size_t k = 0; k < part.after->size(); ++k) {
            b.extents[i + k] = std::max({b.extents[i + k], std::abs((*part.before)[k]), std::abs((*part.after)[k])});
            largest = std::max(largest, b.extents[i + k]);
        }
        for (std::size_t k = 0; k < part.after->size(); ++k, ++i) {
            const double slope = ((*part.after)[k] - (*part.before)[k]) / h;
            const double bend = std::abs(slope - b.slopes[i]) * h * h / (4 * (h + b.h));
            const double scale = std::max(b.extents[i], (general ? kNoise : kSmall) * largest);
            if (scale > 0)
                worst = std::max(worst, bend / scale);
            b.slopes[i] = slope;
        }
    }
    b.end = state.t;
    b.h = h;
    b.step = core->integrator->lastStep();
    b.order = core->integrator->currentOrder();
    if (core->settings.rows != Rows::EveryStep) {
        b.multiplierSlopes.resize(state.lambda.size());
        b.multiplierExtents.resize(state.lambda.size());
        for (std::size_t k = 0; k < state.lambda.size(); ++k) {
            b.multiplierSlopes[k] = (state.lambda[k] - previous.lambda[k]) / h;
            b.multiplierExtents[k] =
                std::max({b.multiplierExtents[k], std::abs(previous.lambda[k]), std::abs(state.lambda[k])});
        }
    }
    const int rows = !compared ? kFirstRows
                     : worst > kVisible
                         ? static_cast<int>(std::min<double>(kMostRows, std::ceil(std::sqrt(worst / kVisible)) - 1))
                         : 0;
    if (rows <= 0)
        return;

    const bool polynomial = sinceRow <= 1 && hasPolynomial(*core, general); // the method's is that of its last step
    if (general && !polynomial)
        return;
    b.row.resize((system->plainRates() ? 2 : 3) * state.q.size() + state.lambda.size());
    for (int k = 1; k <= rows; ++k) {
        const double share = static_cast<double>(k) / (rows + 1), t = previous.t + h * share;
        double* const q = b.row.data();
        double* const v = q + state.q.size();
        double* const lambda = v + state.v.size();
        if (!general && !motionBetween(share, q, v))
            return;
        if (!polynomial)
            std::fill_n(lambda, state.lambda.size(), std::numeric_limits<double>::quiet_NaN());
        else if (!valuesBetween(t, lambda))
            return;
        if (!system->plainRates() && !metrics.evaluator().coordinateRates(t, q, v, lambda + state.lambda.size()))
            return;
        recording.appendBetween(t, b.row);
    }
}

/// Whether the step just accepted needs no row: not where the chord from the last row to the step that comes would be seen, or
/// step or order have changed. Multipliers are judged, too, where the form carries them. Forms that judge or renew selections
/// or bases in every step have every step recorded.
bool Run::Impl::passesOver()
{
    const formulation::Dae& form = core->form();
    const Between& b = between;
    if (core->settings.rows == Rows::EveryStep || chooser || core->pinned || form.pivot || form.needsRateRank
        || core->instance->hasBases() || b.end != previous.t
        || sinceRow > (metrics.conservative() ? kMostPassedOver : kMostUnderPower))
        return false;
    const integrate::Integrator& integrator = *core->integrator;
    const double step = integrator.lastStep(), H = state.t - previous.t, next = H + step;
    if (integrator.currentOrder() != b.order || step > kOtherStep * b.step || b.step > kOtherStep * step)
        return false;
    // x'' H^2 / 8 with the next H in place of the present one.
    const double factor = next * next / (4 * H * (H + b.h));
    const auto straight = [&](const std::vector<double>& before, const std::vector<double>& now, const double* slopes,
                              const double* extents) {
        double largest = 0;
        for (std::size_t k = 0; k < now.size(); ++k)
            largest = std::max({largest, extents[k], std::abs(now[k])});
        for (std::size_t k = 0; k < now.size(); ++k) {
            const double bend = std::abs(now[k] - before[k] - H * slopes[k]) * factor;
            if (bend > kVisible * std::max({extents[k], std::abs(now[k]), kSmall * largest}))
                return false;
        }
        return true;
    };
    const std::size_t n = state.q.size();
    return straight(previous.q, state.q, b.slopes.data(), b.extents.data())
           && straight(previous.v, state.v, b.slopes.data() + n, b.extents.data() + n)
           && (!core->lambdaGiven
               || straight(previous.lambda, state.lambda, b.multiplierSlopes.data(), b.multiplierExtents.data()));
}

/// Cubic through values and rates at both ends: q from q', v from the accelerations that the metrics know for every form.
bool Run::Impl::motionBetween(double s, double* q, double* v)
{
    const double h = state.t - previous.t;
    const double h00 = (1 + 2 * s) * (1 - s) * (1 - s), h10 = s * (1 - s) * (1 - s) * h, h01 = s * s * (3 - 2 * s),
                 h11 = s * s * (s - 1) * h;
    const std::vector<double>*from = &previous.v, *to = &state.v;
    if (!system->plainRates()) {
        Between& b = between;
        b.early.resize(state.q.size());
        b.late.resize(state.q.size());
        if (!metrics.evaluator().coordinateRates(previous.t, previous.q.data(), previous.v.data(), b.early.data())
            || !metrics.evaluator().coordinateRates(state.t, state.q.data(), state.v.data(), b.late.data()))
            return false;
        from = &b.early;
        to = &b.late;
    }
    bool finite = true;
    for (std::size_t i = 0; i < state.q.size(); ++i) {
        q[i] = h00 * previous.q[i] + h10 * (*from)[i] + h01 * state.q[i] + h11 * (*to)[i];
        v[i] = h00 * previous.v[i] + h10 * previous.a[i] + h01 * state.v[i] + h11 * state.a[i];
        finite = finite && std::isfinite(q[i]) && std::isfinite(v[i]);
    }
    return finite;
}

/// Multipliers and the like from the method's polynomial.
bool Run::Impl::valuesBetween(double t, double* lambda)
{
    Between& b = between;
    const integrate::Integrator& integrator = *core->integrator;
    const std::size_t unknowns = integrator.y().size();
    const double reach = kDifference * (state.t - previous.t);
    for (auto* values : {&b.y, &b.early, &b.late, &b.yp})
        values->resize(unknowns);
    integrator.interpolate(t, b.y);
    integrator.interpolate(t - reach, b.early); // unknowns that are rates of others are read from the rates
    integrator.interpolate(t + reach, b.late);
    for (std::size_t j = 0; j < unknowns; ++j)
        b.yp[j] = (b.late[j] - b.early[j]) / (2 * reach);
    if (b.state.q.size() != state.q.size() || b.state.lambda.size() != state.lambda.size())
        b.state = state;
    if (!core->instance->toState(t, b.y.data(), b.yp.data(), b.state))
        return false;
    std::copy(b.state.lambda.begin(), b.state.lambda.end(), lambda);
    return true;
}

} // namespace driftless::run
