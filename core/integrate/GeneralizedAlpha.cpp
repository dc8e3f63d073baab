// The generalized-alpha method on F(t, y, y') = 0 of index up to three (Chung and Hulbert, J. Appl. Mech. 60 (1993) 371-375; on
// DAEs of index 3: Arnold and Bruels, Multibody Syst. Dyn. 18 (2007) 185-202; first-order equations: Jansen, Whiting, Hulbert,
// Comput. Methods Appl. Mech. Eng. 190 (2000) 305-319).
//
//   (1 - am) a_{n+1} + am a_n = (1 - af) v'_{n+1} + af v'_n
//   v_{n+1} = v_n + h ((1 - gamma) a_n + gamma a_{n+1})
//   q_{n+1} = q_n + h v_n + h^2 ((1/2 - beta) a_n + beta a_{n+1}) + h d
//   F(t_{n+1}, y_{n+1}, y'_{n+1}) = 0 with q' = v + d
//
// q: unknowns for which a row q' - v + ... = 0 states a differential unknown v as their rate (solve::UnknownRole::rate). Where
// that row holds nothing else, d = 0 solves it and it leaves the system. Where it holds more (q' = v - G^T nu, an index-2 form
// with both levels) d is an unknown of the step: the stabilised index-2 relative of the method. All other differential unknowns
// follow the rule of v, which for first-order equations is of order 2, too, and damps by rho at infinity. Unknowns of Newton's
// iteration: v'_{n+1}, d, the algebraic ones. With accelerations in place of positions the rows of g come with h^2 beta G, and
// equilibrated rows make the matrix [M G^T; G 0] + O(h) whatever the step is (Bottasso, Bauchau, Cardona 2007).
//
// rho is the method's parameter, 0.8 unless set: the part of a step's fastest content that is left after it. On index 3 the
// error that every change of step leaves in the multipliers decays by this factor, so it must stay below 1; a motion resolved
// with 50 steps a period loses 2e-5 of its amplitude in each.
//
// a_n stands for v' at t_n + shift h, shift = am - af; a start from v'_n itself costs an order in the first multipliers. On
// index 3 there is more: q_{n+1} has the local error C h^3 v'', which the constraint hands on to a_{n+1} as O(h), unless v_n
// carries the part of C h^2 v'' that is normal to the constraints, as it does once the method has settled (Arnold, Bruels,
// Cardona, Arch. Mech. Eng. 85 (2015) 1127-1145). So a start makes trial steps, which yield v'' and that part of it
// (startTrials), and starts the step from v_n with it added; a change of step adds the difference (changeStep). What v' is then
// comes from its last four values, without the part among them that alternates and decays by rho, which a start or a change
// before has left. Where steps change again and again nothing settles, and what is left would grow from change to change; so on
// index 3, from the fourth place on, v' of unknowns that have a position comes from the last places, which the constraints
// hold.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/Index.h"
#include "core/integrate/Makers.h"
#include "core/integrate/OneStep.h"
#include "core/integrate/PartialsByPlace.h"
#include "core/integrate/PlacesBehind.h"
#include "core/integrate/StepMatrix.h"
#include "core/solve/Norm.h"

namespace driftless::integrate {
namespace {

struct Coefficients {
    double rho, am, af, gamma, beta;
    double shift; ///< a_n stands for v' at t_n + shift h
    double gain;  ///< da_{n+1} / dv'_{n+1}
    double local; ///< C: local error of q is C h^3 v''
    /// On a constraint g(q) = 0, a step from a_n = v'_n ends with v'_{n+1} = v'_n + unshifted h v'' in the normal direction,
    /// and another a_n changes it by response of the change.
    double unshifted, response;
    double past; ///< -1 / (factor of the alternating part of v' from step to step)
};
constexpr Coefficients coefficientsFor(double rho)
{
    Coefficients c{};
    c.rho = rho;
    c.am = (2 * rho - 1) / (rho + 1);
    c.af = rho / (rho + 1);
    c.shift = c.am - c.af;
    c.gamma = 0.5 - c.shift;
    c.beta = (1 - c.shift) * (1 - c.shift) / 4;
    c.gain = (1 - c.af) / (1 - c.am);
    c.local = 1.0 / 6 - c.shift / 2 - c.beta;
    c.unshifted = 1 / (6 * c.beta * c.gain);
    c.response = (c.am - (1 - c.am) * (0.5 - c.beta) / c.beta) / (1 - c.af);
    c.past = 1 / rho;
    return c;
}
/// After a step much shorter than the given one, on index 3 v' is round-off over h^2: the rates before it go on in its place.
constexpr double kShort = 0.25;
/// Steps that differ by less of their length are one step for the normal part of v_n: what is left out is O(h) / 1000 in the
/// multipliers.
constexpr double kAlike = 1e-3;

class GeneralizedAlpha final : public OneStepIntegrator {
public:
    explicit GeneralizedAlpha(const IntegratorInfo& info) : OneStepIntegrator(info) {}

    // Newton's problem.
    bool cancelled() const { return Integrator::cancelled(); }
    void reset() { predict(); }
    bool residual()
    {
        ++statistics_.residualEvaluations;
        if (!system().residual(tEnd_, yNew_.data(), ypNew_.data(), full_.data()))
            return false;
        for (std::size_t k = 0; k < kept_.size(); ++k)
            residual_[k] = full_[kept_[k]];
        return true;
    }
    bool assemble()
    {
        ++statistics_.jacobianEvaluations;
        if (!system().partials(tEnd_, yNew_.data(), ypNew_.data(), partials_.data()))
            return false;
        std::fill(values_.begin(), values_.end(), 0.0);
        const std::array<double, kFactors> factor{0, 1, h_, h_ * c_.gamma * c_.gain, h_ * h_ * c_.beta * c_.gain};
        for (const Term& term : terms_)
            values_[term.to] += factor[term.factor] * partials_[term.from];
        return true;
    }
    solve::Factorization factor()
    {
        ++statistics_.factorizations;
        auto result = matrix_.factor(values_.data());
        if (result.column >= 0)
            result.column = static_cast<int>(columns_[static_cast<std::size_t>(result.column)]);
        return result;
    }
    double correct();

private:
    enum Factor : unsigned char { Zero, One, Step, Velocity, Position, kFactors };
    /// A partial derivative of F and where it goes in the matrix of the step.
    struct Term {
        std::uint32_t from, to;
        Factor factor;
        bool ofRate;
    };
    /// A differential unknown that follows the rule of v, and the one whose rate it is.
    struct Follower {
        std::size_t unknown;
        int position;  ///< -1 none
        int deviation; ///< column of d of that position, -1 where d = 0
    };

    void allocate() override;
    void structureChanged() override;
    void classify();
    void addColumn(std::size_t unknown, Factor ofValue, Factor ofRate);
    void restarted() override { forget(); }
    void forget() override
    {
        started_ = factored_ = brief_ = false;
        briefly_ = 0;
        steps_ = 0;
        behind_.clear();
        matrix_.forget();
    }
    solve::NewtonResult attempt(double tEnd, double h) override;
    void accepted(double h) override;

    solve::NewtonResult startTrials();
    solve::NewtonResult changeStep();
    void keepPlace();
    bool factorHere();
    void takeNormalPart(std::vector<double>& w);
    void expectFromPlaces();
    solve::NewtonResult solveStep();
    solve::NewtonResult iterate();
    void setBases();
    void predict();
    double extrapolatedRate(std::size_t k) const;
    void setRate(std::size_t k, double rate);
    /// Of follower k: v' at t_n + x h_{n-1}, less v'_n, by the past that changeStep saw.
    double ahead(std::size_t k, double x) const { return x * (slope_[k] + (x + 1) / 2 * bend_[k]); }

    Coefficients c_ = coefficientsFor(info().parameter.usual);
    StepMatrix matrix_;
    std::vector<Follower> followers_;
    std::vector<std::size_t> algebraic_, columns_; ///< columns_: the unknown of each column
    std::vector<std::size_t> kept_;                ///< rows of F in the system of the step
    std::vector<int> rowOf_, mark_, entriesOf_;    ///< row of F in the system of the step, -1 dropped; scratch of the pattern
    solve::SparsePattern pattern_;
    std::vector<Term> terms_;
    PartialsByPlace byPlace_;
    std::vector<double> full_, residual_, partials_, values_, weights_;

    // Of each follower: at t_n ...
    std::vector<double> a_, rate_, before_, beforeThat_, oldest_; ///< a_n, v'_n, v'_{n-1}, v'_{n-2}, v'_{n-3}
    // ... and of the step under way.
    std::vector<double> aStart_, vStart_, aNew_,
        turn_;                         ///< a_n and v_n as the step takes them; a_{n+1}; v'_{n+1} - v'_n expected
    std::vector<double> slope_, bend_; ///< differences of the smooth part of v'
    std::vector<double> aBase_, vBase_, qBase_, trial_;
    std::vector<double> deviation_; ///< d by column of its own
    PlacesBehind behind_;           ///< on index 3: of each follower with a position
    std::vector<double> normal_;    ///< scratch
    std::vector<char> held_;        ///< rows of the step's system without rates
    bool started_ = false, factored_ = false, guessed_ = false, brief_ = false;
    int steps_ = 0, known_ = 0; ///< at a constant step since the start or a change; the same before the change under way
    double tEnd_ = 0, h_ = 0, last_ = 0, briefly_ = 0;
};

void GeneralizedAlpha::allocate()
{
    const std::size_t n = size();
    for (auto* v : {&full_, &residual_, &weights_, &a_,    &rate_,  &before_, &beforeThat_, &oldest_, &aStart_,    &vStart_,
                    &aNew_, &turn_,     &slope_,   &bend_, &aBase_, &vBase_,  &qBase_,      &trial_,  &deviation_, &normal_})
        v->assign(n, 0.0);
    behind_.allocate(n);
    followers_.reserve(n);
    algebraic_.reserve(n);
    columns_.reserve(n);
    rowOf_.reserve(n);
    mark_.reserve(n);
    entriesOf_.reserve(n);
    if (n <= solve::kDenseLimit) { // room for a full pattern, so that a swap of roles allocates nothing
        const std::size_t most = std::max(2 * n * n, system().partialCount());
        partials_.reserve(most);
        byPlace_.reserve(most, n * n);
        values_.reserve(n * n);
        terms_.reserve(2 * most);
        pattern_.rowIndices.reserve(n * n);
        pattern_.columnStarts.reserve(n + 1);
    }
    kept_.reserve(n);
    matrix_ = {};
    structureChanged();
}

/// Who follows which rule, and which rows stay.
void GeneralizedAlpha::classify()
{
    const auto roles = system().roles();
    const auto& rows = system().pattern().rowIndices;
    followers_.clear();
    algebraic_.clear();
    columns_.clear();
    rowOf_.assign(size(), 0);
    mark_.assign(size(), -1); // of each unknown: the position whose rate it is
    for (std::size_t i = 0; i < size(); ++i)
        if (roles[i].rate >= 0)
            mark_[static_cast<std::size_t>(roles[i].rate)] = static_cast<int>(i);
    for (std::size_t i = 0; i < size(); ++i) {
        if (!roles[i].differential)
            algebraic_.push_back(i);
        else if (roles[i].rate < 0) {
            followers_.push_back({i, mark_[i], -1});
            columns_.push_back(i);
        }
    }
    entriesOf_.assign(size(), 0);
    for (const int row : rows)
        ++entriesOf_[static_cast<std::size_t>(row)];
    for (Follower& f : followers_) {
        if (f.position < 0)
            continue;
        const int row = roles[static_cast<std::size_t>(f.position)].rateRow;
        if (row >= 0 && entriesOf_[static_cast<std::size_t>(row)] == 2) {
            rowOf_[static_cast<std::size_t>(row)] = -1;
        } else {
            f.deviation = static_cast<int>(columns_.size());
            columns_.push_back(static_cast<std::size_t>(f.position));
        }
    }
    for (const std::size_t i : algebraic_)
        columns_.push_back(i);
    kept_.clear();
    for (std::size_t r = 0; r < size(); ++r)
        if (rowOf_[r] >= 0) {
            rowOf_[r] = static_cast<int>(kept_.size());
            kept_.push_back(r);
        }
}

/// Partial derivatives with respect to one unknown in the column under way.
void GeneralizedAlpha::addColumn(std::size_t unknown, Factor ofValue, Factor ofRate)
{
    const auto& pattern = system().pattern();
    for (auto k = at(pattern.columnStarts[unknown]); k < at(pattern.columnStarts[unknown + 1]); ++k) {
        const int row = rowOf_[at(pattern.rowIndices[k])];
        if (row < 0)
            continue;
        for (const std::uint32_t p : byPlace_.of(k)) {
            const bool rate = system().partial(p).ofRate;
            terms_.push_back({.from = p,
                              .to = static_cast<std::uint32_t>(row), // for now, its place later
                              .factor = rate ? ofRate : ofValue,
                              .ofRate = rate});
        }
    }
}

void GeneralizedAlpha::structureChanged()
{
    classify();
    const std::size_t n = columns_.size();
    partials_.assign(system().partialCount(), 0.0);
    byPlace_.sort(system());
    terms_.clear();
    pattern_.rows = pattern_.columns = static_cast<int>(n);
    pattern_.columnStarts.assign(1, 0);
    pattern_.rowIndices.clear();
    mark_.assign(size(), -1);
    for (std::size_t c = 0; c < n; ++c) {
        const std::size_t first = terms_.size(), start = pattern_.rowIndices.size();
        if (c < followers_.size()) {
            addColumn(followers_[c].unknown, Velocity, One);
            if (followers_[c].position >= 0)
                addColumn(static_cast<std::size_t>(followers_[c].position), Position, Velocity);
        } else {
            const bool algebraic = !system().roles()[columns_[c]].differential;
            addColumn(columns_[c], algebraic ? One : Step, algebraic ? Zero : One);
        }
        for (std::size_t k = first; k < terms_.size(); ++k)
            if (int& place = mark_[terms_[k].to]; place < static_cast<int>(start)) {
                place = static_cast<int>(start);
                pattern_.rowIndices.push_back(static_cast<int>(terms_[k].to));
            }
        std::sort(pattern_.rowIndices.begin() + static_cast<std::ptrdiff_t>(start), pattern_.rowIndices.end());
        for (std::size_t k = start; k < pattern_.rowIndices.size(); ++k)
            mark_[static_cast<std::size_t>(pattern_.rowIndices[k])] = static_cast<int>(k);
        for (std::size_t k = first; k < terms_.size(); ++k)
            terms_[k].to = static_cast<std::uint32_t>(mark_[terms_[k].to]);
        pattern_.columnStarts.push_back(static_cast<int>(pattern_.rowIndices.size()));
    }
    values_.assign(pattern_.rowIndices.size(), 0.0);
    residual_.assign(n, 0.0);
    held_.assign(n, false);
    matrix_.analyse(pattern_, static_cast<int>(followers_.size()));
}

/// v'_{n+1} of follower k and what follows from it.
inline void GeneralizedAlpha::setRate(std::size_t k, double rate)
{
    const Follower& f = followers_[k];
    ypNew_[f.unknown] = rate;
    aNew_[k] = aBase_[k] + c_.gain * rate;
    yNew_[f.unknown] = vBase_[k] + h_ * c_.gamma * c_.gain * rate;
    if (f.position < 0)
        return;
    const auto q = static_cast<std::size_t>(f.position);
    const double d = f.deviation < 0 ? 0.0 : deviation_[static_cast<std::size_t>(f.deviation)];
    yNew_[q] = qBase_[k] + h_ * h_ * c_.beta * c_.gain * rate + h_ * d;
    ypNew_[q] = yNew_[f.unknown] + d;
}

double GeneralizedAlpha::correct()
{
    ++statistics_.newtonIterations;
    matrix_.solve(residual_.data());
    double largest = 0;
    const auto judge = [&largest](double change, double weight) {
        if (const double size = std::abs(change * weight); !(size <= largest))
            largest = size;
    };
    for (std::size_t k = 0; k < followers_.size(); ++k) {
        const Follower& f = followers_[k];
        const double x = residual_[k];
        judge(h_ * c_.gamma * c_.gain * x, weights_[f.unknown]);
        if (f.position >= 0) {
            const double d = f.deviation < 0 ? 0.0 : residual_[static_cast<std::size_t>(f.deviation)];
            if (f.deviation >= 0)
                deviation_[static_cast<std::size_t>(f.deviation)] -= d;
            judge(h_ * (h_ * c_.beta * c_.gain * x + d), weights_[static_cast<std::size_t>(f.position)]);
        }
        setRate(k, ypNew_[f.unknown] - x);
    }
    const std::size_t first = columns_.size() - algebraic_.size();
    for (std::size_t k = 0; k < algebraic_.size(); ++k) {
        yNew_[algebraic_[k]] -= residual_[first + k];
        judge(residual_[first + k], weights_[algebraic_[k]]);
    }
    return largest;
}

/// What of a_{n+1}, v_{n+1} and q_{n+1} does not depend on v'_{n+1}.
void GeneralizedAlpha::setBases()
{
    for (std::size_t k = 0; k < followers_.size(); ++k) {
        aBase_[k] = (c_.af * rate_[k] - c_.am * aStart_[k]) / (1 - c_.am);
        vBase_[k] = vStart_[k] + h_ * ((1 - c_.gamma) * aStart_[k] + c_.gamma * aBase_[k]);
        if (followers_[k].position >= 0)
            qBase_[k] = y_[static_cast<std::size_t>(followers_[k].position)]
                        + h_ * (vStart_[k] + h_ * ((0.5 - c_.beta) * aStart_[k] + c_.beta * aBase_[k]));
    }
}

/// Starting values: v' extrapolated from up to three steps, the algebraic unknowns from two.
void GeneralizedAlpha::predict()
{
    for (std::size_t i : algebraic_) {
        const double followed = steps_ >= 2 ? h_ * yp_[i] : 0.0;
        yNew_[i] = guessed_ ? trial_[i] : y_[i] + followed;
        ypNew_[i] = yp_[i];
    }
    std::fill(deviation_.begin(), deviation_.end(), 0.0);
    for (std::size_t k = 0; k < followers_.size(); ++k)
        setRate(k, guessed_ ? trial_[followers_[k].unknown] : extrapolatedRate(k));
}

/// From as many steps as there are, three at most.
double GeneralizedAlpha::extrapolatedRate(std::size_t k) const
{
    if (steps_ >= 3)
        return 3 * (rate_[k] - before_[k]) + beforeThat_[k];
    return steps_ >= 2 ? 2 * rate_[k] - before_[k] : rate_[k];
}

solve::NewtonResult GeneralizedAlpha::solveStep()
{
    setBases();
    roundoffWeights(h_, weights_.data());
    predict();
    // See Bdf.cpp: with an old matrix the corrections of different index orders shrink at different rates.
    if (system().index() >= 2)
        factored_ = false;
    auto result = iterate();
    if (result.status == solve::NewtonStatus::Converged || result.status == solve::NewtonStatus::Cancelled || steps_ < 2)
        return result;
    steps_ = 0; // the extrapolation may have led astray: once more from the last values
    factored_ = false;
    predict();
    return iterate();
}

solve::NewtonResult GeneralizedAlpha::iterate()
{
    solve::NewtonControl control = newtonControl();
    control.patience = matrix_.patience(control.patience);
    matrix_.begin();
    return solve::newton(*this, factored_, control);
}

/// The first step after a start, tried from a_n = v'_n, and on index 3 once more from a_n = v'_{n+1}: yields a_n and the
/// perturbed v_n.
solve::NewtonResult GeneralizedAlpha::startTrials()
{
    const std::size_t count = followers_.size();
    for (std::size_t k = 0; k < count; ++k) {
        rate_[k] = aStart_[k] = yp_[followers_[k].unknown];
        vStart_[k] = y_[followers_[k].unknown];
    }
    auto result = solveStep();
    if (result.status != solve::NewtonStatus::Converged)
        return result;
    for (std::size_t k = 0; k < count; ++k)
        turn_[k] = ypNew_[followers_[k].unknown] - rate_[k];
    if (system().index() >= 3) {
        for (std::size_t k = 0; k < count; ++k)
            aStart_[k] = rate_[k] + turn_[k];
        if (result = solveStep(); result.status != solve::NewtonStatus::Converged)
            return result;
        for (std::size_t k = 0; k < count; ++k) {
            if (followers_[k].position < 0)
                continue;
            const double normal =
                (ypNew_[followers_[k].unknown] - rate_[k] - turn_[k]) / (c_.response * c_.unshifted); // of h v''
            turn_[k] += normal * (1 - c_.unshifted);
            vStart_[k] += c_.local * h_ * normal;
        }
    }
    for (std::size_t k = 0; k < count; ++k)
        aStart_[k] = rate_[k] + c_.shift * turn_[k];
    return result;
}

/// The place at t_n, unless one is kept that is near.
void GeneralizedAlpha::keepPlace()
{
    if (!behind_.apart(t(), kShort * options().step))
        return;
    const std::span<double> place = behind_.add(t());
    for (std::size_t k = 0; k < followers_.size(); ++k)
        if (followers_[k].position >= 0)
            place[k] = y_[static_cast<std::size_t>(followers_[k].position)];
}

/// The matrix of the step at t_n, and which rows hold no rate of a follower: those of the constraints.
bool GeneralizedAlpha::factorHere()
{
    std::copy(y_.begin(), y_.end(), yNew_.begin());
    std::copy(yp_.begin(), yp_.end(), ypNew_.begin());
    if (!assemble())
        return false;
    std::fill(held_.begin(), held_.end(), true);
    for (const Term& term : terms_)
        if (term.ofRate && term.factor == One && partials_[term.from] != 0)
            held_[static_cast<std::size_t>(pattern_.rowIndices[term.to])] = false;
    matrix_.begin();
    return factor().ok;
}

/// w becomes the part of it that the constraints determine, as the equations of motion share it out: M x + G^T mu = O(h) w,
/// G x = G w.
void GeneralizedAlpha::takeNormalPart(std::vector<double>& w)
{
    std::fill(residual_.begin(), residual_.end(), 0.0);
    for (std::size_t k = 0; k < followers_.size(); ++k)
        for (auto place = static_cast<std::size_t>(pattern_.columnStarts[k]);
             place < static_cast<std::size_t>(pattern_.columnStarts[k + 1]); ++place)
            if (const auto row = static_cast<std::size_t>(pattern_.rowIndices[place]);
                held_[row] && followers_[k].position >= 0)
                residual_[row] += values_[place] * w[k];
    matrix_.solve(residual_.data());
    for (std::size_t k = 0; k < followers_.size(); ++k)
        w[k] = followers_[k].position >= 0 ? residual_[k] : 0.0;
}

/// v' at t_n, at t_{n+1} and where a_n stands for it get their normal parts from the last places.
void GeneralizedAlpha::expectFromPlaces()
{
    constexpr double kFar = 2; // of the step before: farther ahead a polynomial of degree four magnifies round-off
    const std::size_t points = h_ > kFar * last_ ? PlacesBehind::kFewest : PlacesBehind::kMost;
    const auto corrected = [&](double at, auto expected, auto&& correct) {
        const auto weights = behind_.weights(at, points);
        for (std::size_t k = 0; k < followers_.size(); ++k)
            normal_[k] = behind_.acceleration(k, weights) - expected(k);
        takeNormalPart(normal_);
        for (std::size_t k = 0; k < followers_.size(); ++k)
            correct(k, normal_[k]);
    };
    corrected(
        t() + h_, [this](std::size_t k) { return rate_[k] + turn_[k]; }, [this](std::size_t k, double x) { turn_[k] += x; });
    corrected(
        t() + c_.shift * h_, [this](std::size_t k) { return aStart_[k]; },
        [this](std::size_t k, double x) { aStart_[k] += x; });
    corrected(
        t(), [this](std::size_t k) { return rate_[k]; },
        [this](std::size_t k, double x) {
            rate_[k] += x;
            turn_[k] -= x; // to the same v'_{n+1}
        });
}

/// Another step than before: v'_n and a_n come from the smooth part of the past, and on index 3 a trial step shows by how much
/// the normal part of v_n must change.
solve::NewtonResult GeneralizedAlpha::changeStep()
{
    const double ratio = h_ / last_;
    for (std::size_t k = 0; k < followers_.size(); ++k) {
        double first = rate_[k] - before_[k], second = 0;
        if (steps_ >= 4) {
            const double third = rate_[k] - 3 * (before_[k] - beforeThat_[k]) - oldest_[k];
            const double fall = 1 + c_.past; // backward difference of (-rho)^k over (-rho)^0
            const double alternating = third / (fall * fall * fall);
            second = rate_[k] - 2 * before_[k] + beforeThat_[k] - fall * fall * alternating;
            first -= fall * alternating;
            rate_[k] -= alternating;
        }
        slope_[k] = first;
        bend_[k] = second;
        turn_[k] = ahead(k, ratio);
        aStart_[k] = rate_[k] + ahead(k, c_.shift * ratio);
        vStart_[k] = y_[followers_[k].unknown];
    }
    known_ = steps_;
    steps_ = std::min(steps_, 1);
    if (system().index() < 3)
        return {};
    if (behind_.enough() && factorHere())
        expectFromPlaces();
    const auto result = solveStep();
    if (result.status == solve::NewtonStatus::Converged)
        for (std::size_t k = 0; k < followers_.size(); ++k)
            if (followers_[k].position >= 0)
                vStart_[k] += h_ * c_.beta * c_.gain * (ypNew_[followers_[k].unknown] - rate_[k] - turn_[k]);
    return result;
}

solve::NewtonResult GeneralizedAlpha::attempt(double tEnd, double h)
{
    // Grid steps differ by the round-off of t; matrix and past may stay.
    const bool same = std::abs(h - h_) <= 1e-9 * h;
    const double rho = options().parameter == 0 ? info().parameter.usual : options().parameter;
    const bool another = rho != c_.rho;
    if (another)
        c_ = coefficientsFor(rho);
    factored_ = factored_ && same && !another;
    tEnd_ = tEnd;
    h_ = h;
    guessed_ = false;
    solve::NewtonResult result;
    if (!started_) {
        if (system().index() >= 3)
            keepPlace();
        result = startTrials();
        guessed_ = true;
    } else if (brief_ || another || std::abs(h - last_) > kAlike * h) {
        result = changeStep();
        guessed_ = system().index() >= 3;
    } else {
        const double ratio = std::abs(h - last_) > 1e-9 * h ? h / last_ : 1;
        for (std::size_t k = 0; k < followers_.size(); ++k) {
            aStart_[k] = ratio == 1 ? a_[k] : rate_[k] + ratio * (a_[k] - rate_[k]);
            vStart_[k] = y_[followers_[k].unknown];
        }
    }
    if (result.status != solve::NewtonStatus::Converged)
        return result;
    if (guessed_) { // the step proper begins where its trial ended
        for (const Follower& f : followers_)
            trial_[f.unknown] = ypNew_[f.unknown];
        for (const std::size_t i : algebraic_)
            trial_[i] = yNew_[i];
    }
    result = solveStep();
    if (result.status == solve::NewtonStatus::Converged)
        estimateAlgebraicRates(h);
    return result;
}

/// The base has swapped: yp_ holds the rates at the new time.
void GeneralizedAlpha::accepted(double h)
{
    briefly_ += h; // since the last step whose rates were taken over
    brief_ = started_ && system().index() >= 3 && briefly_ < kShort * options().step;
    if (brief_) { // the past moves along, at the distances it had
        steps_ = known_;
        for (std::size_t k = 0; k < followers_.size(); ++k) {
            const double now = rate_[k], x = h / last_;
            oldest_[k] = now + ahead(k, x - 3);
            beforeThat_[k] = now + ahead(k, x - 2);
            before_[k] = now + ahead(k, x - 1);
            rate_[k] = now + ahead(k, x);
        }
        return;
    }
    if (system().index() >= 3)
        keepPlace();
    beforeThat_.swap(oldest_);
    before_.swap(beforeThat_);
    std::copy(rate_.begin(), rate_.end(), before_.begin());
    for (std::size_t k = 0; k < followers_.size(); ++k) {
        rate_[k] = yp_[followers_[k].unknown];
        a_[k] = aNew_[k];
    }
    started_ = true;
    briefly_ = 0;
    last_ = h;
    ++steps_;
}

} // namespace

std::unique_ptr<Integrator> makeGeneralizedAlpha(const IntegratorInfo& info)
{
    return std::make_unique<GeneralizedAlpha>(info);
}

} // namespace driftless::integrate
