#include "core/run/Recorder.h"

#include <algorithm>
#include <cmath>

#include "core/run/Columns.h"
#include "core/run/CubicWeights.h"

namespace driftless::run {

namespace {

constexpr double kVisible = 1e-4; ///< of a curve's height: less than a pixel
constexpr int kMostRows = 15;     ///< inside of one step
constexpr int kFirstRows = 7;     ///< where there is no step before to compare with
constexpr double kSmall = 0.1;  ///< a component smaller than that beside the largest of its kind is judged by this share of it
constexpr double kNoise = 1e-9; ///< the same where values of equations have scales of their own, and what is smaller is noise
constexpr int kMostPassedOver = 15; ///< steps in a row
constexpr int kMostUnderPower = 3;  ///< the same where the work of forces is integrated from row to row
constexpr double kOtherStep = 1.25; ///< a step longer or shorter by this factor than that of the last row is recorded

struct Part {
    const std::vector<double>*before, *after;
};

std::vector<char> followedValues(const model::ConstrainedSystem& s)
{
    std::vector<char> out(static_cast<std::size_t>(s.w()));
    for (std::size_t i = 0; i < s.values.size(); ++i)
        out[out.size() - s.held.size() - s.idle.size() - s.values.size() + i] = s.values[i].followed;
    return out;
}

} // namespace

Recorder::Recorder(std::shared_ptr<const model::CompiledSystem> system, model::SystemEvaluator& evaluator, std::uint64_t budget)
    : system_(std::move(system)), evaluator_(evaluator),
      recording_(system_->n(), system_->w(), recordedColumns(system_->system()), budget, !system_->plainRates(),
                 followedValues(system_->system())),
      outputColumns_(outputColumns(system_->system()))
{
    row_.resize(static_cast<std::size_t>(recording_.view().columnCount()));
    rate_.resize(static_cast<std::size_t>(system_->n()));
    outputs_.resize(system_->system().outputs.size());
    ordered_.resize(static_cast<std::size_t>(system_->w()));
}

/// Multipliers of a mode brought into the order in which they are recorded.
double* Recorder::ordered(double* lambda)
{
    if (!places_ || places_->empty())
        return lambda;
    for (std::size_t i = 0; i < ordered_.size(); ++i)
        ordered_[i] = lambda[(*places_)[i]];
    return std::copy(ordered_.begin(), ordered_.end(), lambda);
}

/// Takes the slopes of an interval; returns how far its chord is from the curve, as a share of the curve's height.
double Recorder::follow(const Interval& interval)
{
    const model::ModelState &before = interval.before, &now = interval.now;
    const double h = now.t - before.t;
    const bool general = now.q.empty();
    const Part parts[] = {general ? Part{&before.lambda, &now.lambda} : Part{&before.q, &now.q}, Part{&before.v, &now.v}};
    const std::size_t size = parts[0].after->size() + parts[1].after->size();
    Slopes& b = slopes_;
    if (b.slopes.size() != size) {
        b.slopes.assign(size, 0);
        b.extents.assign(size, 0);
    }
    const double each = 1 / h, bent = h * h / (4 * (h + b.h));
    double worst = 0;
    std::size_t i = 0;
    for (const Part& part : parts) {
        double largest = 0;
        for (std::size_t k = 0; k < part.after->size(); ++k) {
            b.extents[i + k] = std::max(b.extents[i + k], std::max(std::abs((*part.before)[k]), std::abs((*part.after)[k])));
            largest = std::max(largest, b.extents[i + k]);
        }
        for (std::size_t k = 0; k < part.after->size(); ++k, ++i) {
            const double slope = ((*part.after)[k] - (*part.before)[k]) * each;
            const double bend = std::abs(slope - b.slopes[i]) * bent;
            const double scale = std::max(b.extents[i], (general ? kNoise : kSmall) * largest);
            if (scale > 0 && bend > worst * scale)
                worst = bend / scale;
            b.slopes[i] = slope;
        }
    }
    b.end = now.t;
    b.h = h;
    b.step = interval.step;
    b.order = interval.order;
    return worst;
}

void Recorder::followMultipliers(const Interval& interval)
{
    const std::vector<double>&before = interval.before.lambda, &now = interval.now.lambda;
    const double each = 1 / (interval.now.t - interval.before.t);
    Slopes& b = slopes_;
    b.multiplierSlopes.resize(now.size());
    b.multiplierExtents.resize(now.size());
    for (std::size_t k = 0; k < now.size(); ++k) {
        b.multiplierSlopes[k] = (now[k] - before[k]) * each;
        b.multiplierExtents[k] = std::max(b.multiplierExtents[k], std::max(std::abs(before[k]), std::abs(now[k])));
    }
}

void Recorder::appendBetween(const Interval& interval)
{
    const model::ModelState &before = interval.before, &now = interval.now;
    const double h = now.t - before.t;
    if (!(h > 0))
        return;
    const bool compared = slopes_.end == before.t;
    const double worst = follow(interval);
    if (!interval.everyStep)
        followMultipliers(interval);
    const int rows = rowsInside(interval, compared, worst);
    const bool general = now.q.empty();
    if (rows <= 0)
        return;
    const bool polynomial = interval.steps <= 1 && interval.values && interval.values->known(); // that of the last step
    if (general && !polynomial)
        return;
    between_.resize((system_->plainRates() ? 2 : 3) * now.q.size() + now.lambda.size());
    for (int k = 1; k <= rows; ++k) {
        const double share = static_cast<double>(k) / (rows + 1), t = before.t + h * share;
        double* const q = between_.data();
        double* const v = q + now.q.size();
        double* const lambda = v + now.v.size();
        if (!general && !motionAt(interval, share, q, v))
            return;
        if (!polynomial)
            std::fill_n(lambda, now.lambda.size(), std::numeric_limits<double>::quiet_NaN());
        else if (!interval.values->at(t, lambda))
            return;
        if (!system_->plainRates() && !evaluator_.coordinateRates(t, q, v, lambda + now.lambda.size()))
            return;
        ordered(lambda);
        recording_.appendBetween(t, between_, interval.knowsInside());
    }
}

/// How many states inside of the interval are recorded. worst: how far its chord is from the curve, as a share of the height.
int Recorder::rowsInside(const Interval& interval, bool compared, double worst) const
{
    int rows = 0;
    if (!compared)
        rows = kFirstRows;
    else if (worst > kVisible)
        rows = static_cast<int>(std::min<double>(kMostRows, std::ceil(std::sqrt(worst / kVisible)) - 1));
    if (interval.knowsInside() && rows > 0)
        rows = std::max(rows, interval.values->degree());
    return rows;
}

bool Recorder::passesOver(const Interval& interval, bool conservative, bool multipliers) const
{
    const model::ModelState &before = interval.before, &now = interval.now;
    const Slopes& b = slopes_;
    if (rows_ < recordedFirst_)
        return false;
    if (interval.everyStep || b.end != before.t || interval.steps > (conservative ? kMostPassedOver : kMostUnderPower))
        return false;
    const double step = interval.step, H = now.t - before.t, next = H + step;
    if (interval.order != b.order || step > kOtherStep * b.step || b.step > kOtherStep * step)
        return false;
    // x'' H^2 / 8 with the next H in place of the present one.
    const double factor = next * next / (4 * H * (H + b.h));
    const auto straight = [&](const std::vector<double>& from, const std::vector<double>& to, const double* slopes,
                              const double* extents) {
        double largest = -1; // looked for where a component bends that is small itself
        for (std::size_t k = 0; k < to.size(); ++k) {
            const double bend = std::abs(to[k] - from[k] - H * slopes[k]) * factor;
            if (!(bend > kVisible * std::max(extents[k], std::abs(to[k]))))
                continue;
            if (largest < 0)
                for (std::size_t j = 0; j < to.size(); ++j)
                    largest = std::max(largest, std::max(extents[j], std::abs(to[j])));
            if (bend > kVisible * (kSmall * largest))
                return false;
        }
        return true;
    };
    const std::size_t n = now.q.size();
    return straight(before.q, now.q, b.slopes.data(), b.extents.data())
           && straight(before.v, now.v, b.slopes.data() + n, b.extents.data() + n)
           && (!multipliers || straight(before.lambda, now.lambda, b.multiplierSlopes.data(), b.multiplierExtents.data()));
}

/// By the method where it knows more than the ends; else the cubic through values and rates at both ends: q from q', v from the
/// accelerations that the metrics know for every form.
bool Recorder::motionAt(const Interval& interval, double s, double* q, double* v)
{
    const model::ModelState &before = interval.before, &now = interval.now;
    const double h = now.t - before.t;
    if (interval.knowsInside())
        return interval.values->motion(before.t + h * s, q, v);
    const auto [h00, h10, h01, h11] = CubicWeights(s, h);
    const std::vector<double>*from = &before.v, *to = &now.v;
    if (!system_->plainRates()) {
        early_.resize(now.q.size());
        late_.resize(now.q.size());
        if (!evaluator_.coordinateRates(before.t, before.q.data(), before.v.data(), early_.data())
            || !evaluator_.coordinateRates(now.t, now.q.data(), now.v.data(), late_.data()))
            return false;
        from = &early_;
        to = &late_;
    }
    bool finite = true;
    for (std::size_t i = 0; i < now.q.size(); ++i) {
        q[i] = h00 * before.q[i] + h10 * (*from)[i] + h01 * now.q[i] + h11 * (*to)[i];
        v[i] = h00 * before.v[i] + h10 * before.a[i] + h01 * now.v[i] + h11 * now.a[i];
        finite = finite && std::isfinite(q[i]) && std::isfinite(v[i]);
    }
    return finite;
}

void Recorder::append(const model::ModelState& state, const RowNumbers& numbers)
{
    double* out = row_.data();
    out = std::copy(state.q.begin(), state.q.end(), out);
    out = std::copy(state.v.begin(), state.v.end(), out);
    double* const lambda = out;
    out = std::copy(state.lambda.begin(), state.lambda.end(), out);
    ordered(lambda);
    if (!system_->plainRates()) {
        evaluator_.coordinateRates(state.t, state.q.data(), state.v.data(), rate_.data());
        out = std::copy(rate_.begin(), rate_.end(), out);
    }
    *out++ = numbers.residual.position;
    *out++ = numbers.residual.velocity;
    *out++ = numbers.residual.acceleration;
    *out++ = numbers.energy;
    *out++ = numbers.energyError;
    *out++ = numbers.work;
    *out++ = numbers.step;
    *out++ = numbers.order;
    *out++ = std::isfinite(numbers.kappa) ? numbers.kappa : std::numeric_limits<double>::quiet_NaN();
    *out++ = numbers.projected;
    if (numbers.setAside)
        *out++ = numbers.residual.setAside;
    if (system_->system().values.empty()) {
        *out++ = numbers.kinetic;
        *out++ = numbers.potential;
    }
    if (!outputs_.empty())
        evaluator_.outputs(state.t, state.q.data(), state.v.data(), state.a.data(), lambda, outputs_.data());
    for (const int i : outputColumns_)
        *out++ = outputs_[static_cast<std::size_t>(i)];
    recording_.append(state.t, row_, static_cast<std::uint64_t>(numbers.steps));
    ++rows_;
}

} // namespace driftless::run
