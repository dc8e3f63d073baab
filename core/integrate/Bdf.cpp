// Backward differentiation formulas of orders 1 to 6 on F(t, y, y') = 0 of index up to three ([PP92] (3.7); Gear, IEEE Trans.
// Circuit Theory 18 (1971) 89-95; Brenan, Campbell, Petzold, Numerical Solution of Initial-Value Problems in DAEs (1989),
// chapter 3).
//
//   F(t_n, y_n, rho y_n) = 0, rho y_n = c_0 y_n + ... + c_k y_{n-k} [1/s], the derivative at t_n of the polynomial through
//   y_n, ..., y_{n-k}. rho replaces every rate; an unknown whose rate does not occur is simply taken at t_n. Newton matrix:
//   dF/dy + c_0 dF/dy'. At equal distances h, c_i = alpha_i / h with the rational alpha_i of kBdf.
//
// Past times. Where a stop time or a new step has made them unequal, c_i comes from the times themselves. A value much closer
// to its younger neighbour than a step is passed over: differences over a fraction d of a step carry round-off and, on index 3,
// the jump of the error of the velocities, divided by d. That jump remains where distances change: the multipliers of index 3
// lose one order for k steps (with bdf1 all of it; Gear, Leimkuhler, Gupta, J. Comput. Appl. Math. 12 (1985) 77-90), positions
// and velocities none. All unknowns are remembered, the algebraic ones too: each past value solved F at its own time, whatever
// was differential then, so a change of roles needs no restart.
//
// Start. While there are fewer than k usable past values, Radau IIA of order five makes the steps (and may halve them within).
// Its local error is O(h^6) and a start has k - 1 <= 5 such steps, so it enters the solution once, not once per step: as
// O(h^6), which is enough for every k here (though bdf6 does not reproduce a polynomial of degree 6 from such a start). On
// index 3 the velocities of Radau IIA are good to O(s^3) only, s its step: normal to the constraints (Hairer, Lubich, Roche
// 1989, section 6). In rho v of the next k - 1 steps the normals have turned by O(h), which leaves O(h s^3) in the motion:
// harmless up to bdf4. For bdf5 and bdf6 the starting steps are therefore parted in kStartingParts on index 3; below h = 1/64
// of the motion's time scale order 4 may still show.
#include "core/integrate/Bdf.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/integrate/Makers.h"
#include "core/integrate/Messages.h"
#include "core/integrate/OneStep.h"
#include "core/integrate/ShortestStep.h"
#include "core/solve/Norm.h"
#include "core/text/Numbers.h"

namespace driftless::integrate {

void differentiationWeights(std::span<const double> times, std::span<double> weights)
{
    // Lagrange: l_i'(t_0) = prod_{j != 0, i} (t_0 - t_j) / prod_{j != i} (t_i - t_j), l_0'(t_0) = sum_{j > 0} 1 / (t_0 - t_j).
    weights[0] = 0;
    for (std::size_t i = 1; i < times.size(); ++i) {
        weights[0] += 1 / (times[0] - times[i]);
        double product = 1 / (times[i] - times[0]);
        for (std::size_t j = 1; j < times.size(); ++j)
            if (j != i)
                product *= (times[0] - times[j]) / (times[i] - times[j]);
        weights[i] = product;
    }
}

void extrapolationWeights(double t, std::span<const double> times, std::span<double> weights)
{
    for (std::size_t i = 0; i < times.size(); ++i) {
        weights[i] = 1;
        for (std::size_t j = 0; j < times.size(); ++j)
            if (j != i)
                weights[i] *= (t - times[j]) / (times[i] - times[j]);
    }
}

namespace {

constexpr double kClosest = 0.25;      ///< past values closer than this part of a step are passed over
constexpr double kStartingParts = 8;   ///< of a starting step on index 3: makes h s^3 smaller by 512
constexpr std::size_t kRemembered = 4; ///< values kept per order: enough when every step is cut to a quarter

class Bdf final : public OneStepIntegrator, public HistoryStart {
public:
    explicit Bdf(const IntegratorInfo& info) : OneStepIntegrator(info), order_(static_cast<std::size_t>(info.order)) {}

    Result<void> restartWithHistory(std::span<const double> times, std::span<const std::vector<double>> values) override;

    // Newton's problem in y_n.
    bool cancelled() const { return Integrator::cancelled(); }
    void reset()
    {
        std::copy(start_.begin(), start_.end(), yNew_.begin());
        setRates();
    }
    bool residual()
    {
        ++statistics_.residualEvaluations;
        return system().residual(tEnd_, yNew_.data(), ypNew_.data(), residual_.data());
    }
    bool assemble()
    {
        ++statistics_.jacobianEvaluations;
        if (!system().jacobian(tEnd_, yNew_.data(), ypNew_.data(), dFdy_.data(), dFdyp_.data()))
            return false;
        const auto& pattern = system().pattern();
        const auto roles = system().roles();
        for (std::size_t j = 0; j < size(); ++j)
            if (roles[j].differential)
                for (auto k = static_cast<std::size_t>(pattern.columnStarts[j]);
                     k < static_cast<std::size_t>(pattern.columnStarts[j + 1]); ++k)
                    dFdy_[k] += leading_ * dFdyp_[k];
        return true;
    }
    solve::Factorization factor()
    {
        ++statistics_.factorizations;
        return linear_->factor(dFdy_.data());
    }
    double correct()
    {
        ++statistics_.newtonIterations;
        linear_->solve(residual_.data());
        for (std::size_t i = 0; i < size(); ++i)
            yNew_[i] -= residual_[i];
        setRates();
        return solve::weightedMax(residual_, weights_);
    }

private:
    void allocate() override;
    void structureChanged() override;
    void restarted() override
    {
        stored_ = 0;
        starterFollows_ = false;
        remember(t(), y_);
    }
    void forget() override { factored_ = false; }
    bool mayHalve() const override { return false; } ///< a lone shorter step would be another formula
    solve::NewtonResult attempt(double tEnd, double h) override;
    void accepted(double) override
    {
        remember(t(), y_);
        starterFollows_ = startStep_;
    }
    StepOutcome failure(const solve::NewtonResult& result, double h) const override
    {
        return startStep_ ? startOutcome_ : OneStepIntegrator::failure(result, h);
    }

    std::size_t capacity() const { return kRemembered * order_; }
    /// Slot of the value `age` accepted steps ago.
    std::size_t slot(std::size_t age) const { return (newest_ + capacity() - age) % capacity(); }
    const double* past(std::size_t i) const { return history_.data() + chosen_[i] * size(); }
    void remember(double t, std::span<const double> y);
    bool choosePast();
    bool equidistant() const;
    void setFormula();
    void setRates();
    solve::NewtonResult startingStep();
    IntegratorOptions startingOptions() const;

    std::size_t order_;
    std::unique_ptr<solve::LinearSolver> linear_;
    std::vector<double> residual_, weights_, dFdy_, dFdyp_;
    std::vector<double> start_; ///< predictor
    std::vector<double> base_;  ///< rho y_n = c_0 (y_n - base)
    bool factored_ = false;
    double tEnd_ = 0;
    double leading_ = 0; ///< c_0 [1/s]

    std::vector<double> history_; ///< a ring of capacity() values of all unknowns
    std::array<double, kRemembered * kBdfHighestOrder> historyTimes_{};
    std::size_t stored_ = 0, newest_ = 0;
    std::array<std::size_t, kBdfHighestOrder + 1> chosen_{}; ///< slots of y_{n-i}, from i = 1
    BdfWeights times_{};                                     ///< t_{n-i}, from i = 0

    std::unique_ptr<Integrator> starter_;
    Statistics seen_; ///< the starter's, already counted
    StepOutcome startOutcome_;
    bool startStep_ = false;      ///< the step under way, or the last one, is the starter's
    bool starterFollows_ = false; ///< the starter stands where we stand
};

void Bdf::allocate()
{
    const std::size_t n = size();
    linear_ = solve::makeLinearSolver(static_cast<int>(n));
    for (auto* v : {&residual_, &weights_, &start_, &base_})
        v->assign(n, 0.0);
    history_.assign(capacity() * n, 0.0);
    stored_ = 0;
    if (n <= solve::kDenseLimit) { // room for a full pattern, so that a swap of roles allocates nothing
        dFdy_.reserve(n * n);
        dFdyp_.reserve(n * n);
    }
    starter_ = makeRadauIIA5(*findIntegrator("radau-iia-5"));
    seen_ = {};
    [[maybe_unused]] const auto carried = starter_->prepare(system(), startingOptions()); // it carries all that we carry
    assert(carried.ok());
    structureChanged();
}

void Bdf::structureChanged()
{
    linear_->analyse(system().pattern());
    dFdy_.assign(system().pattern().rowIndices.size(), 0.0);
    dFdyp_.assign(system().pattern().rowIndices.size(), 0.0);
}

void Bdf::remember(double t, std::span<const double> y)
{
    newest_ = (newest_ + 1) % capacity();
    stored_ = std::min(stored_ + 1, capacity());
    historyTimes_[newest_] = t;
    std::copy(y.begin(), y.end(), history_.begin() + static_cast<std::ptrdiff_t>(newest_ * size()));
}

/// The k youngest past values that keep their distance, from tEnd_ and from each other; false when there are fewer.
bool Bdf::choosePast()
{
    const double closest = kClosest * options().step;
    times_[0] = tEnd_;
    std::size_t found = 0;
    for (std::size_t age = 0; age < stored_ && found < order_; ++age)
        if (times_[found] - historyTimes_[slot(age)] >= closest) {
            chosen_[++found] = slot(age);
            times_[found] = historyTimes_[slot(age)];
        }
    return found == order_;
}

/// Whether the past lies on the grid of fixed steps, up to the round-off of t.
bool Bdf::equidistant() const
{
    const double h = options().step;
    for (std::size_t i = 1; i <= order_; ++i)
        if (std::abs(times_[0] - times_[i] - static_cast<double>(i) * h) > timeRoundoff(times_[0], h))
            return false;
    return true;
}

/// c_0, the predictor and the base of rho for the chosen past.
void Bdf::setFormula()
{
    BdfWeights c{}, e{};
    if (equidistant()) {
        c = kBdf[order_ - 1];
        for (double& value : c)
            value /= options().step;
    } else {
        differentiationWeights(std::span(times_).first(order_ + 1), c);
    }
    extrapolationWeights(tEnd_, std::span(times_).subspan(1, order_), e);
    // Grid steps differ by the round-off of t; the matrix may stay.
    factored_ = factored_ && std::abs(c[0] - leading_) <= 1e-9 * c[0];
    leading_ = c[0];
    // The weights of the past in base and predictor add up to one: summed as differences from y_{n-1}, which are small.
    const double* last = past(1);
    std::copy(last, last + size(), base_.begin());
    std::copy(last, last + size(), start_.begin());
    for (std::size_t j = 2; j <= order_; ++j) {
        const double* value = past(j);
        const double ofBase = -c[j] / c[0], ofStart = e[j - 1];
        for (std::size_t i = 0; i < size(); ++i) {
            base_[i] += ofBase * (value[i] - last[i]);
            start_[i] += ofStart * (value[i] - last[i]);
        }
    }
}

void Bdf::setRates()
{
    const auto roles = system().roles();
    for (std::size_t i = 0; i < size(); ++i)
        ypNew_[i] = roles[i].differential ? leading_ * (yNew_[i] - base_[i]) : yp_[i];
}

solve::NewtonResult Bdf::attempt(double tEnd, double h)
{
    tEnd_ = tEnd;
    startStep_ = !choosePast();
    if (startStep_)
        return startingStep();
    setFormula();
    roundoffWeights(h, weights_.data());
    reset();
    // With an old matrix, errors of different index orders shrink at different rates. Newton's forecast knows one rate and
    // would leave multipliers with a hundred times their round-off. A new one needs two or three iterations instead of five.
    if (system().index() >= 2)
        factored_ = false;
    auto result = solve::newton(*this, factored_, newtonControl());
    if (result.status != solve::NewtonStatus::Converged && result.status != solve::NewtonStatus::Cancelled) {
        std::copy(y_.begin(), y_.end(), start_.begin()); // the extrapolation may have led astray: once more from the last value
        factored_ = false;
        reset();
        result = solve::newton(*this, factored_, newtonControl());
    }
    if (result.status == solve::NewtonStatus::Converged)
        estimateAlgebraicRates(h);
    return result;
}

IntegratorOptions Bdf::startingOptions() const
{
    IntegratorOptions starting = options();
    if (order_ >= 5 && system().index() >= 3)
        starting.step /= kStartingParts;
    return starting;
}

/// A step to tEnd_ by Radau IIA.
solve::NewtonResult Bdf::startingStep()
{
    solve::NewtonResult result;
    starter_->setCancelFlag(cancelFlag());
    // Neither can be refused: the options were checked with ours, and the state is ours.
    [[maybe_unused]] bool follows = starter_->setOptions(startingOptions()).ok();
    if (!starterFollows_)
        follows = starter_->restart(t(), y_, yp_).ok() && follows;
    assert(follows);
    starterFollows_ = false;
    do
        startOutcome_ = starter_->step(tEnd_);
    while (startOutcome_.status == StepStatus::Accepted && starter_->t() < tEnd_);
    const Statistics& now = starter_->statistics();
    statistics_.rejected += now.rejected - seen_.rejected;
    statistics_.residualEvaluations += now.residualEvaluations - seen_.residualEvaluations;
    statistics_.jacobianEvaluations += now.jacobianEvaluations - seen_.jacobianEvaluations;
    statistics_.factorizations += now.factorizations - seen_.factorizations;
    statistics_.newtonIterations += now.newtonIterations - seen_.newtonIterations;
    seen_ = now;
    if (startOutcome_.status == StepStatus::Accepted) {
        std::copy(starter_->y().begin(), starter_->y().end(), yNew_.begin());
        std::copy(starter_->yp().begin(), starter_->yp().end(), ypNew_.begin());
    } else {
        result.status = startOutcome_.status == StepStatus::Cancelled
                            ? solve::NewtonStatus::Cancelled
                            : solve::NewtonStatus::Diverged; // failure() has the words
        startOutcome_.t = t();
    }
    return result;
}

Result<void> Bdf::restartWithHistory(std::span<const double> times, std::span<const std::vector<double>> values)
{
    if (times.size() != values.size() || times.size() < order_)
        return Diagnostic{.what = "The history has " + std::to_string(times.size()) + " times and "
                                  + std::to_string(values.size()) + " states",
                          .why = info().id + " goes on from " + std::to_string(order_) + " past states",
                          .remedy = "at least that many, one for each time"};
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (auto sound = checkStart(system(), times[i], values[i], values[i]); !sound)
            return sound;
        if (i > 0 && !(times[i] > times[i - 1]))
            return Diagnostic{.what = "The times of the history do not increase",
                              .where = "t = " + text::rounded(times[i]),
                              .remedy = "past states in their order"};
    }
    // Rates at the last time: the derivative of the polynomial through the k last states.
    const std::size_t first = times.size() - order_;
    BdfWeights backwards{}, weights{};
    std::reverse_copy(times.begin() + static_cast<std::ptrdiff_t>(first), times.end(), backwards.begin());
    differentiationWeights(std::span(backwards).first(order_), weights);
    std::vector<double> rates(size(), 0.0);
    for (std::size_t j = 0; j < order_; ++j)
        for (std::size_t i = 0; i < size(); ++i)
            rates[i] += weights[j] * (values[times.size() - 1 - j][i] - values.back()[i]);
    if (auto begun = restart(times.back(), values.back(), rates); !begun)
        return begun;
    stored_ = 0;
    for (std::size_t i = 0; i < times.size(); ++i)
        remember(times[i], values[i]);
    return {};
}

} // namespace

std::unique_ptr<Integrator> makeBdf(const IntegratorInfo& info) { return std::make_unique<Bdf>(info); }

} // namespace driftless::integrate
