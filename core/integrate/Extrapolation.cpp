// Extrapolation of the explicit midpoint rule (Gragg, Bulirsch, Stoer) with order and step chosen together, on F(t, y, y') = 0
// of index 0 or 1: the rates and the algebraic unknowns are solved from F at every substep (Hairer, Norsett, Wanner, Solving
// ODEs I, section II.9; dense output: Hairer and Ostermann, BIT 30, 1990).
//
// Line j of the table, n_j = 2 j substeps of h_j = h / n_j:
//
//   y_1 = y_0 + h_j f_0,  y_{i+1} = y_{i-1} + 2 h_j f_i,  T_{j,1} = y_{n_j}
//   T_{j,l+1} = T_{j,l} + (T_{j,l} - T_{j-1,l}) / ((n_j / n_{j-l})^2 - 1)                                           order 2 (l
//   + 1)
//
// err_j = |T_{j,j} - T_{j,j-1}| in tolerances is that of order 2 j - 2; A_j counts the rates of lines 1 to j; H_j is the step
// that err_j asks for and W_j = A_j / H_j its work. A step aims at line k >= 4: it ends in line k - 1, k or k + 1, in none
// before the fourth, or is given up as soon as the next line cannot be expected to pass.
//
// Dense output: with an odd number of substeps on either side of the middle in all lines, m_j = 4 j - 2, values and central
// differences of the rates at the middle have expansions in h_j^2 and are extrapolated, too: h^m y^(m) at the middle for m = 0
// to 2 k - 3. These lines take about twice the rates of the others, and are made only when somebody looks into the step. The
// polynomial takes what they give, and values and rates at both ends:
//
//   P(u) = C(u) + (1/4 - u^2)^2 R(u),  u = (t - t_n) / h - 1/2,  C the cubic one of the ends
#include <algorithm>
#include <array>
#include <cmath>

#include "core/integrate/Makers.h"
#include "core/integrate/OneStep.h"
#include "core/integrate/StageSums.h"

namespace driftless::integrate {
namespace {

constexpr std::size_t kFewestLines = 4;                               ///< at which a step aims
constexpr std::size_t kMostLines = 9;                                 ///< order 18
constexpr std::size_t kMostMoments = 2 * kMostLines - 2;              ///< h^m y^(m), m = 0 to 2 k - 3
constexpr std::size_t kMiddleRates = 2 * kMostLines * kMostLines;     ///< sum of m_j: f_0, ..., f_{m_j - 1} of each line
constexpr std::size_t substeps(std::size_t line) { return 2 * line; } ///< n_j; line from 1
constexpr std::size_t middleSubsteps(std::size_t line) { return 4 * line - 2; } ///< m_j
/// Rates of the lines 1 to j with the two at the end of the step.
constexpr double workOfLines(std::size_t j) { return static_cast<double>(j * j + 2); }

constexpr double squared(double x) { return x * x; }

/// 1 / ((n_j / n_{j-l})^2 - 1), the weights of the extrapolation.
constexpr auto kShares = [] {
    std::array<std::array<double, kMostLines + 1>, kMostLines + 1> out{};
    for (std::size_t j = 2; j <= kMostLines; ++j)
        for (std::size_t l = 1; l < j; ++l)
            out[j][l] = 1 / (squared(static_cast<double>(substeps(j)) / static_cast<double>(substeps(j - l))) - 1);
    return out;
}();

/// |T_{j,j-1} - T_{j-1,j-1}| by err_j.
double lineRatio(std::size_t line)
{
    return squared(static_cast<double>(substeps(line)) / static_cast<double>(substeps(1))) - 1;
}

/// The difference from one line to the next is to fall to a quarter with every line, or to be none beside the tolerance. Where
/// the right-hand side jumps it does not fall, and err_j, a small share of it, says nothing. before: err_{j-1}, infinite where
/// it is not known.
bool converges(std::size_t line, double error, double before)
{
    constexpr double kFall = 0.25;
    return !std::isfinite(before) || error * lineRatio(line) <= std::max(1.0, kFall * before * lineRatio(line - 1));
}

/// What to multiply the step with, so that err_j comes to somewhat less than 0.65.
double stepFactorOfLine(std::size_t line, double error)
{
    const double exponent = 1 / static_cast<double>(2 * line - 1);
    const double least = std::pow(0.02, exponent);
    const double factor = 0.94 * std::pow(0.65 / std::max(error, 1e-30), exponent);
    return std::clamp(factor, least / 4, 1 / least); // not a number: no care, the step is rejected
}

class Extrapolation final : public OneStepIntegrator {
public:
    explicit Extrapolation(const IntegratorInfo& info) : OneStepIntegrator(info) {}

    int currentOrder() const override { return static_cast<int>(2 * used_); }

    void interpolate(double t, std::span<double> y) const override
    {
        if (lastStep() == 0 || t == this->t())
            return OneStepIntegrator::interpolate(t, y);
        if (looked_ == Looked::No)
            looked_ = extend() ? Looked::Inside : Looked::Vain;
        if (looked_ == Looked::Vain)
            return OneStepIntegrator::interpolate(t, y);
        const double s = (t - stepStart()) / lastStep(), u = s - 0.5, bump = squared(0.25 - u * u);
        for (std::size_t i = 0; i < size(); ++i)
            y[i] = (1 - s) * yNew_[i] + s * y_[i]; // where F starts from
        for (std::size_t i = 0; i < integrated_.size(); ++i) {
            const double* const c = &polynomial_[i * kCoefficients];
            double rest = 0;
            for (std::size_t m = moments(); m-- > 0;)
                rest = rest * u + c[4 + m];
            y[integrated_[i]] = c[0] + u * (c[1] + u * (c[2] + u * c[3])) + bump * rest;
        }
        if (integrated_.size() == size())
            return;
        std::copy(yp_.begin(), yp_.end(), betweenRates_.begin());
        std::copy(y.begin(), y.end(), between_.begin());
        if (solveBetween(t, between_.data(), betweenRates_.data()))
            std::copy(between_.begin(), between_.end(), y.begin());
    }

    /// Four coefficients of C, and those of R with its factor.
    int insideDegree() const override { return looked_ == Looked::Vain ? kCubic : static_cast<int>(moments()) + 3; }

private:
    static constexpr std::size_t kCoefficients = 4 + kMostMoments;
    /// Whether the last step has its polynomial: not asked for yet, there, or none, because its rates could not be solved.
    enum class Looked : unsigned char { No, Inside, Vain };

    void allocate() override
    {
        const std::size_t n = size();
        integrated_.take(system().roles());
        stride_ = std::max(n, static_cast<std::size_t>(eliminatedRoom()));
        rates_.resize((substeps(kMostLines) + 1) * stride_);
        middleRates_.resize(kMiddleRates * n);
        middle_.resize(kMostLines * n);
        table_.resize(kMostLines * n);
        polynomial_.resize(kCoefficients * n);
        for (auto* v :
             {&start_, &early_, &late_, &value_, &change_, &weights_, &stage_, &stageRates_, &between_, &betweenRates_})
            v->resize(n);
        looked_ = Looked::No;
    }
    /// More digits, more lines.
    void restarted() override
    {
        const double digits = -std::log10(std::max(options().relativeTolerance, 1e-16));
        target_ =
            std::clamp<std::size_t>(static_cast<std::size_t>(std::max(0.0, 0.6 * digits + 1.5)), kFewestLines, kMostLines - 2);
        used_ = reached_ = target_;
        rejected_ = false;
    }

    bool takesEliminated() const override { return true; }
    int errorOrder() const override { return static_cast<int>(2 * reached_ - 1); }
    double errorNorm() const override { return errorOfStep_; }
    double steadied(double) const override { return growth_; }

    double* rate(std::size_t i) { return &rates_[i * stride_]; } ///< of the present line
    double* middleRate(std::size_t line, std::size_t i) const
    {
        return &middleRates_[(2 * (line - 1) * (line - 1) + i) * integrated_.size()];
    }
    double* entry(std::size_t column) { return &table_[(column - 1) * integrated_.size()]; }

    solve::NewtonResult attempt(double tEnd, double h) override
    {
        eliminating_ = eliminates() && !cancelled();
        unsuited_ = false;
        auto result = attemptLines(tEnd, h);
        if (unsuited_) { // the whole step is the general solver's
            eliminating_ = unsuited_ = false;
            stagesUnsuited();
            result = attemptLines(tEnd, h);
        }
        return result;
    }

    /// Rates at late_, inside of a line; those at the end of the step are judged.
    solve::NewtonResult lineRates(double time, double* rates)
    {
        if (eliminating_) {
            solve::NewtonResult result;
            unsuited_ = !system().eliminatedRates(time, late_.data(), rates, doubtsStages());
            countEliminated(statistics_, 1);
            return unsuited_ ? result.ended(solve::NewtonStatus::Diverged) : result;
        }
        integrated_.scatter(late_.data(), stage_.data());
        const auto result = solveRates(time, stage_.data(), stageRates_.data());
        integrated_.gather(stageRates_.data(), rates);
        return result;
    }

    solve::NewtonResult attemptLines(double tEnd, double h)
    {
        integrated_.gather(y_.data(), start_.data());
        std::copy(y_.begin(), y_.end(), yNew_.begin());
        std::copy(yp_.begin(), yp_.end(), ypNew_.begin());
        std::fill(error_.begin(), error_.end(), 0.0);
        std::size_t line = 1;
        bool passed = false;
        double before = HUGE_VAL;
        for (;; ++line) {
            auto result = makeLine(line, h);
            if (unsuited_)
                return result;
            if (result.status != solve::NewtonStatus::Converged) {
                rejected_ = true;
                return result;
            }
            if (line + 2 < target_ || line == 1) // the choice of the next line asks for none before k - 2
                continue;
            const double error = weightedNorm(error_);
            steps_[line] = h * stepFactorOfLine(line, error);
            reached_ = line;
            errorOfStep_ = converges(line, error, before) ? error : error * lineRatio(line);
            passed = errorOfStep_ <= 1;
            before = error;
            if (line + 1 < target_ || line < kFewestLines)
                continue;
            if (passed || line == target_ + 1 || line == kMostLines || !mayStillPass(line, error))
                break;
        }
        if (!passed)
            return rejected();
        // The rates at the end of the last line: without them no line would see what happens in its last substep.
        auto result = lineRates(tEnd, rate(substeps(reached_)));
        if (unsuited_)
            return result;
        rejected_ = rejected_ || result.status != solve::NewtonStatus::Converged;
        if (result.status == solve::NewtonStatus::Converged && jumps(reached_, h))
            return rejected();
        if (result.status == solve::NewtonStatus::Converged)
            result = solveRates(tEnd, yNew_.data(), ypNew_.data());
        estimateAlgebraicRates(h);
        return result;
    }

    solve::NewtonResult rejected()
    {
        target_ = std::clamp(std::min(target_, reached_), kFewestLines, kMostLines - 1);
        rejected_ = true;
        return {};
    }

    /// Whether the rates jump inside of the step, which lines may agree about: then fourth differences of every other rate of
    /// the last line are larger than third ones, in tolerances, and the error of the step is taken for theirs.
    bool jumps(std::size_t line, double h)
    {
        const std::size_t d = integrated_.size(), nodes = substeps(line) / 2 + 1;
        if (d == 0)
            return false;
        for (std::size_t k = 0; k < d; ++k)
            weights_[k] = 1 / tolerated(k, y_[integrated_[k]], yNew_[integrated_[k]]);
        double third = 0, fourth = 0; // of the squares
        for (std::size_t last = 3; last < nodes; ++last) {
            const double* const f[]{rate(2 * last), rate(2 * last - 2), rate(2 * last - 4), rate(2 * last - 6)};
            const double* const first = last > 3 ? rate(2 * last - 8) : nullptr;
            double sum = 0, next = 0;
            for (std::size_t k = 0; k < d; ++k) {
                sum += squared(weights_[k] * (f[0][k] - 3 * f[1][k] + 3 * f[2][k] - f[3][k]));
                if (first)
                    next += squared(weights_[k] * (f[0][k] - 4 * f[1][k] + 6 * f[2][k] - 4 * f[3][k] + first[k]));
            }
            third = std::max(third, sum);
            fourth = std::max(fourth, next);
        }
        const double scale = h / std::sqrt(static_cast<double>(d));
        third = scale * std::sqrt(third);
        fourth = scale * std::sqrt(fourth);
        constexpr double kSmooth = 0.75; // a jump behind the first rate or before the last has both alike
        if (fourth <= std::max(kSmooth * third, 1.0))
            return false;
        errorOfStep_ = fourth;
        return true;
    }

    /// What err_j still falls by in the lines to come (Hairer, Norsett, Wanner, (II.9.30) and the line behind it).
    bool mayStillPass(std::size_t line, double error) const
    {
        const auto n = [](std::size_t j) { return static_cast<double>(substeps(j)); };
        if (line < target_)
            return error <= squared(n(target_ + 1) * n(target_) / (n(1) * n(1)));
        return error <= squared(n(line + 1) / n(1));
    }

    /// Gragg's midpoint rule, then the line's extrapolation: yNew_ gets T_jj, error_ its difference to T_{j,j-1}.
    solve::NewtonResult makeLine(std::size_t line, double h)
    {
        const std::size_t n = substeps(line), d = integrated_.size();
        const double hj = h / static_cast<double>(n);
        if (!eliminating_) { // where the solver starts from
            std::copy(y_.begin(), y_.end(), stage_.begin());
            std::copy(yp_.begin(), yp_.end(), stageRates_.begin());
        }
        integrated_.gather(yp_.data(), rate(0));
        std::copy_n(start_.begin(), d, early_.begin());
        for (std::size_t k = 0; k < d; ++k)
            late_[k] = start_[k] + hj * rate(0)[k];
        for (std::size_t i = 1; i < n; ++i) { // early_, late_: y_{i-1}, y_i
            double* const f = rate(i);
            if (const auto result = lineRates(t() + static_cast<double>(i) * hj, f);
                result.status != solve::NewtonStatus::Converged)
                return result;
            for (std::size_t k = 0; k < d; ++k) {
                const double next = early_[k] + 2 * hj * f[k];
                early_[k] = late_[k];
                late_[k] = next;
            }
        }
        extrapolate(line);
        return {};
    }

    /// The table keeps its last line, T_{j,1} first.
    void extrapolate(std::size_t line)
    {
        const std::size_t d = integrated_.size();
        std::copy_n(late_.begin(), d, value_.begin());
        for (std::size_t l = 1; l < line; ++l) {
            double* const before = entry(l);
            for (std::size_t k = 0; k < d; ++k) {
                const double change = (value_[k] - before[k]) * kShares[line][l];
                before[k] = value_[k];
                value_[k] += change;
                change_[k] = change;
            }
        }
        std::copy_n(value_.begin(), d, entry(line));
        integrated_.scatter(value_.data(), yNew_.data());
        integrated_.scatter(change_.data(), error_.data());
    }

    void accepted(double h) override
    {
        looked_ = Looked::No;
        used_ = reached_;
        const std::size_t k = reached_;
        const auto work = [this](std::size_t j) { return workOfLines(j) / steps_[j]; };
        constexpr double kWorth = 0.9;
        std::size_t next = k;
        if (k > kFewestLines && work(k - 1) < kWorth * work(k))
            next = k - 1;
        else if (k <= target_ && work(k) < kWorth * work(k - 1))
            next = k + 1;
        next = std::clamp(next, kFewestLines, kMostLines - 1);
        if (rejected_) {
            next = std::min(next, target_);
            growth_ = std::min(1.0, steps_[std::min(next, k)] / h);
        } else if (next <= k) {
            growth_ = steps_[next] / h;
        } else {
            growth_ = steps_[k] / h * workOfLines(k + 1) / workOfLines(k);
        }
        target_ = next;
        rejected_ = false;
    }

    // Dense output.

    std::size_t moments() const { return 2 * used_ - 2; }

    /// The midpoint rule with m_j substeps over the last step, as far as its middle needs it. False where the rates cannot be
    /// solved.
    bool makeMiddle(std::size_t line, double h) const
    {
        const std::size_t m = middleSubsteps(line), d = integrated_.size();
        const double hj = h / static_cast<double>(m);
        std::copy(yNew_.begin(), yNew_.end(), between_.begin());
        std::copy(ypNew_.begin(), ypNew_.end(), betweenRates_.begin());
        integrated_.gather(ypNew_.data(), middleRate(line, 0));
        integrated_.gather(yNew_.data(), early_.data());
        for (std::size_t k = 0; k < d; ++k)
            late_[k] = early_[k] + hj * middleRate(line, 0)[k];
        for (std::size_t i = 1; i < m; ++i) {
            if (i == m / 2)
                std::copy_n(late_.begin(), d, &middle_[(line - 1) * d]);
            integrated_.scatter(late_.data(), between_.data());
            if (!solveBetween(stepStart() + static_cast<double>(i) * hj, between_.data(), betweenRates_.data()))
                return false;
            double* const f = middleRate(line, i);
            integrated_.gather(betweenRates_.data(), f);
            for (std::size_t k = 0; k < d; ++k) {
                const double next = early_[k] + 2 * hj * f[k];
                early_[k] = late_[k];
                late_[k] = next;
            }
        }
        return true;
    }

    /// (2 h_j)^(1 - m) times the central difference of order m - 1 of the rates around the middle of the line.
    double difference(std::size_t line, std::size_t m, std::size_t k) const
    {
        const std::size_t middle = middleSubsteps(line) / 2;
        double binomial = 1, sum = 0;
        for (std::size_t i = 0; i < m; ++i) { // the i-th from the right
            sum += (i % 2 ? -binomial : binomial) * middleRate(line, middle + (m - 1) - 2 * i)[k];
            binomial = binomial * static_cast<double>(m - 1 - i) / static_cast<double>(i + 1);
        }
        return sum * std::pow(static_cast<double>(middleSubsteps(line)) / 2, static_cast<double>(m) - 1);
    }

    /// h^m y^(m) in the middle of the step from all lines that have the differences.
    double moment(std::size_t m, std::size_t k, double h) const
    {
        std::array<double, kMostLines + 1> column{};
        const std::size_t first = m == 0 ? 1 : m / 2 + 1;
        for (std::size_t line = first; line <= used_; ++line) {
            double value = m == 0 ? middle_[(line - 1) * integrated_.size() + k] : h * difference(line, m, k);
            for (std::size_t l = 1; line >= first + l; ++l) {
                const double ratio = static_cast<double>(middleSubsteps(line)) / static_cast<double>(middleSubsteps(line - l));
                const double before = column[l];
                column[l] = value;
                value += (value - before) / (ratio * ratio - 1);
            }
            column[line - first + 1] = value;
        }
        return column[used_ - first + 1];
    }

    /// From yNew_, ypNew_ at the start to y_, yp_ at the end of the last step. False where there is no polynomial.
    bool extend() const
    {
        const double h = lastStep();
        for (std::size_t line = 1; line <= used_; ++line)
            if (!makeMiddle(line, h))
                return false;
        for (std::size_t k = 0; k < integrated_.size(); ++k) {
            const std::size_t i = integrated_[k];
            const double sum = y_[i] + yNew_[i], difference = y_[i] - yNew_[i];
            const double slopes = h * (yp_[i] + ypNew_[i]), bends = h * (yp_[i] - ypNew_[i]);
            double* const c = &polynomial_[k * kCoefficients];
            const double cubic[]{sum / 2 - bends / 8, 1.5 * difference - slopes / 4, bends / 2, slopes - 2 * difference};
            std::copy(std::begin(cubic), std::end(cubic), c);
            double* const r = c + 4;
            double factorial = 1;
            for (std::size_t m = 0; m < moments(); ++m) {
                if (m > 1)
                    factorial *= static_cast<double>(m);
                const double wanted = moment(m, k, h) / factorial - (m < 4 ? cubic[m] : 0);
                r[m] = 16 * (wanted + (m >= 2 ? r[m - 2] / 2 : 0) - (m >= 4 ? r[m - 4] : 0));
            }
        }
        return true;
    }

    IntegratedUnknowns integrated_;
    std::size_t target_ = 3;                      ///< line at which the next step aims
    std::size_t reached_ = 3;                     ///< last line of the last attempt
    std::size_t used_ = 3;                        ///< last line of the last step
    bool rejected_ = false;                       ///< the present step failed before
    bool eliminating_ = false, unsuited_ = false; ///< the system gives the rates of lines; it just did not
    double growth_ = 1;
    double errorOfStep_ = 0;                     ///< of the last attempt, in tolerances
    std::array<double, kMostLines + 1> steps_{}; ///< H_j [s]
    std::size_t stride_ = 0;                     ///< from the rates of one substep to the next
    std::vector<double> rates_;                  ///< f_0, ..., f_{n_j} of the present line, each with what comes with it
    std::vector<double> table_;                  ///< T_{j,1}, ..., T_{j,j}
    std::vector<double> value_, change_;         ///< T_{j,l} and its difference to T_{j,l-1}
    std::vector<double> weights_;                ///< one over what is tolerated
    std::vector<double> start_, stage_, stageRates_;
    mutable std::vector<double> early_, late_; ///< y_{i-1}, y_i of a line, of the step or of dense output
    // Of dense output:
    mutable std::vector<double> middleRates_; ///< f_i of its lines, one after another
    mutable std::vector<double> middle_;      ///< y in the middle of the step, by lines
    mutable std::vector<double> polynomial_, between_, betweenRates_;
    mutable Looked looked_ = Looked::No;
};

} // namespace

std::unique_ptr<Integrator> makeExtrapolation(const IntegratorInfo& info) { return std::make_unique<Extrapolation>(info); }

} // namespace driftless::integrate
