// Radau IIA of order five with a step of its own, on F(t, y, y') = 0 of index up to three ([DN] (1.48); Hairer and Wanner, Solving
// ODEs II, 2nd edition, section IV.8).
//
// Unknowns: the stage increments Z_i = Y_i - y_n. Simplified Newton with J = dF/dy, E = dF/dy' of one point: the matrix
// I x J + (1/h) D x E, D the inverse of the tableau's matrix, falls apart by D = T Lambda T^-1 into a real system J + (gamma/h) E and
// the pair of J + ((alpha +- i beta)/h) E, which is solved as one real system of twice the size.
//
// Error: (J + (gamma/h) E) err = E (y'_n + (e1 Z_1 + e2 Z_2 + e3 Z_3) / h), of order h^4; the same once more around y_n + err where a step
// would be rejected ((8.19), (8.20) there). Unknowns of index order k count with h^(k - 1): the errors of velocities and multipliers of
// higher-index forms are as much larger.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>

#include "core/integrate/Leaves.h"
#include "core/integrate/OneStep.h"
#include "core/integrate/RadauPolynomial.h"
#include "core/integrate/Tableau.h"
#include "core/solve/Norm.h"

namespace driftless::integrate {
namespace {

constexpr std::size_t kStages = 3;
constexpr int kMostIterations = 10;
constexpr int kJudgedFrom = 3;       ///< iterations
constexpr double kHopeless = 10;     ///< contraction of the second correction
/// Corrections of the stages may be this part of what is tolerated: their error is then none beside that of the step.
constexpr double kNewtonTolerance = 0.01;
/// A contraction below this leaves the matrix as it is for the next step.
constexpr double kGoodContraction = 1e-3;
/// A step is left alone when it would change by less: the matrices stay.
constexpr double kWorthGrowing = 1.2;
constexpr double kRoundoff = 10 * std::numeric_limits<double>::epsilon();

/// D = T Lambda T^-1 with Lambda = diag(gamma, [alpha beta; -beta alpha]).
struct Transformation {
    double gamma, alpha, beta;
    std::array<std::array<double, kStages>, kStages> T, inverse;
};

/// From the eigenvalues of the tableau's matrix in closed form (section IV.8) and null vectors of D - lambda.
Transformation makeTransformation()
{
    const double a = std::cbrt(81.0), b = std::cbrt(9.0);
    Transformation out{};
    out.gamma = 30 / (6 + a - b);
    const std::complex<double> inner((12 - a + b) / 60, (a + b) * std::sqrt(3.0) / 60); // eigenvalue of the tableau's matrix
    const std::complex<double> lambda = 1.0 / inner;
    out.alpha = lambda.real();
    out.beta = lambda.imag();
    const auto nullVector = [](std::complex<double> eigenvalue) {
        std::array<std::array<std::complex<double>, 3>, 2> rows;
        for (std::size_t i = 0; i < 2; ++i)
            for (std::size_t j = 0; j < kStages; ++j)
                rows[i][j] = radau::kInverse[i][j] - (i == j ? eigenvalue : 0.0);
        std::array<std::complex<double>, 3> v; // orthogonal to both rows
        for (std::size_t k = 0; k < kStages; ++k)
            v[k] = rows[0][(k + 1) % 3] * rows[1][(k + 2) % 3] - rows[0][(k + 2) % 3] * rows[1][(k + 1) % 3];
        for (std::size_t k = 0; k < kStages; ++k)
            v[k] = k + 1 < kStages ? v[k] / v[2] : v[k];
        v[2] = 1;
        return v;
    };
    const auto real = nullVector(out.gamma), pair = nullVector(lambda);
    for (std::size_t k = 0; k < kStages; ++k)
        out.T[k] = {real[k].real(), pair[k].real(), pair[k].imag()};
    const auto& t = out.T;
    const auto minor = [&t](std::size_t i, std::size_t j) {
        return t[(i + 1) % 3][(j + 1) % 3] * t[(i + 2) % 3][(j + 2) % 3] - t[(i + 1) % 3][(j + 2) % 3] * t[(i + 2) % 3][(j + 1) % 3];
    };
    const double determinant = t[0][0] * minor(0, 0) + t[0][1] * minor(0, 1) + t[0][2] * minor(0, 2);
    for (std::size_t i = 0; i < kStages; ++i)
        for (std::size_t j = 0; j < kStages; ++j)
            out.inverse[j][i] = minor(i, j) / determinant;
    return out;
}

const Transformation& transformation()
{
    static const Transformation made = makeTransformation();
    return made;
}

class Radau final : public OneStepIntegrator {
public:
    explicit Radau(const IntegratorInfo& info) : OneStepIntegrator(info) {}

private:
    int errorOrder() const override { return 4; }
    double steadied(double factor) const override { return factor >= 1 && factor <= kWorthGrowing ? 1 : factor; }

    void allocate() override
    {
        const std::size_t n = size();
        const auto& pattern = system().pattern();
        if (!real_ || weights_.size() != n) {
            real_ = solve::makeLinearSolver(static_cast<int>(n));
            pair_ = solve::makeLinearSolver(static_cast<int>(2 * n));
        }
        for (auto* v : {&z_, &lastZ_, &residual_, &w_})
            v->resize(kStages * n);
        for (auto* v : {&weights_, &slope_, &work_, &shifted_})
            v->resize(n);
        both_.resize(2 * n);
        if (n <= solve::kDenseLimit) { // room for a full pattern, so that a swap of roles allocates nothing
            for (auto* v : {&dFdy_, &dFdyp_, &realValues_})
                v->reserve(n * n);
            pairValues_.reserve(4 * n * n);
            pairPattern_.rowIndices.reserve(4 * n * n);
            pairPattern_.columnStarts.reserve(2 * n + 1);
        }
        const std::size_t entries = pattern.rowIndices.size();
        dFdy_.assign(entries, 0.0);
        dFdyp_.assign(entries, 0.0);
        realValues_.assign(entries, 0.0);
        pairValues_.assign(4 * entries, 0.0);
        // Column (half, unknown) holds the entries of both halves.
        pairPattern_.rows = pairPattern_.columns = static_cast<int>(2 * n);
        pairPattern_.columnStarts.assign(1, 0);
        pairPattern_.rowIndices.clear();
        for (int half = 0; half < 2; ++half)
            for (std::size_t c = 0; c < n; ++c) {
                for (int block = 0; block < 2; ++block)
                    for (int k = pattern.columnStarts[c]; k < pattern.columnStarts[c + 1]; ++k)
                        pairPattern_.rowIndices.push_back(block * static_cast<int>(n) + pattern.rowIndices[static_cast<std::size_t>(k)]);
                pairPattern_.columnStarts.push_back(static_cast<int>(pairPattern_.rowIndices.size()));
            }
        real_->analyse(pattern);
        pair_->analyse(pairPattern_);
    }

    void forget() override
    {
        haveJacobian_ = factored_ = false;
        lastH_ = 0;
        first_ = true;
    }

    bool evaluateJacobian()
    {
        ++statistics_.jacobianEvaluations;
        if (!system().jacobian(t(), y_.data(), yp_.data(), dFdy_.data(), dFdyp_.data()))
            return false;
        haveJacobian_ = fresh_ = true;
        factored_ = false;
        return true;
    }

    solve::Factorization factor(double h)
    {
        const auto& tr = transformation();
        const auto& pattern = system().pattern();
        ++statistics_.factorizations;
        const double gamma = tr.gamma / h, alpha = tr.alpha / h, beta = tr.beta / h;
        for (std::size_t k = 0; k < realValues_.size(); ++k)
            realValues_[k] = dFdy_[k] + gamma * dFdyp_[k];
        auto result = real_->factor(realValues_.data());
        if (!result.ok)
            return result;
        // [J + alpha E, beta E; -beta E, J + alpha E], column by column.
        std::size_t place = 0;
        for (int half = 0; half < 2; ++half)
            for (std::size_t c = 0; c < size(); ++c)
                for (int block = 0; block < 2; ++block)
                    for (int k = pattern.columnStarts[c]; k < pattern.columnStarts[c + 1]; ++k) {
                        const auto entry = static_cast<std::size_t>(k);
                        pairValues_[place++] = half == block ? dFdy_[entry] + alpha * dFdyp_[entry] : (block == 0 ? beta : -beta) * dFdyp_[entry];
                    }
        result = pair_->factor(pairValues_.data());
        if (result.column >= 0)
            result.column %= static_cast<int>(size());
        factored_ = result.ok;
        factoredH_ = h;
        return result;
    }

    /// Values and rates of stage s into yNew_, ypNew_.
    void stage(std::size_t s, double h)
    {
        const std::size_t n = size();
        const auto& d = radau::kInverse[s];
        for (std::size_t i = 0; i < n; ++i) {
            yNew_[i] = y_[i] + z_[s * n + i];
            ypNew_[i] = (d[0] * z_[i] + d[1] * z_[n + i] + d[2] * z_[2 * n + i]) / h;
        }
    }

    /// The polynomial through 0 and the last stage increments, continued; at a start the tangent.
    void extrapolate(double h)
    {
        const std::size_t n = size();
        const auto& c = radau::kNodes;
        const auto roles = system().roles();
        for (std::size_t s = 0; s < kStages; ++s) {
            if (lastH_ == 0) {
                for (std::size_t i = 0; i < n; ++i)
                    z_[s * n + i] = roles[i].differential ? c[s] * h * yp_[i] : 0.0;
                continue;
            }
            const double x = 1 + c[s] * h / lastH_;
            const auto l = radauWeights(x);
            for (std::size_t i = 0; i < n; ++i)
                z_[s * n + i] = l[0] * lastZ_[i] + l[1] * lastZ_[n + i] + (l[2] - 1) * lastZ_[2 * n + i];
        }
    }

    void weigh(double h)
    {
        const auto roles = system().roles();
        for (std::size_t i = 0; i < size(); ++i) {
            const double power = std::max(0, roles[i].indexOrder - 1);
            const double multiplier = roles[i].multiplier && options().multiplierTolerance > 0 ? options().multiplierTolerance : options().absoluteTolerance;
            weights_[i] = std::pow(std::min(1.0, h), power) / (multiplier + options().relativeTolerance * std::abs(y_[i]));
        }
    }

    /// One correction of the simplified iteration; its weighted norm. False outside the domain.
    bool correct(double tEnd, double h, double& norm)
    {
        const std::size_t n = size();
        const auto& tr = transformation();
        for (std::size_t s = 0; s < kStages; ++s) {
            stage(s, h);
            ++statistics_.residualEvaluations;
            if (!system().residual(s + 1 == kStages ? tEnd : t() + radau::kNodes[s] * h, yNew_.data(), ypNew_.data(), residual_.data() + s * n))
                return false;
        }
        const auto mix = [n](const auto& matrix, const std::vector<double>& from, std::vector<double>& to) {
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t s = 0; s < kStages; ++s)
                    to[s * n + i] = matrix[s][0] * from[i] + matrix[s][1] * from[n + i] + matrix[s][2] * from[2 * n + i];
        };
        mix(tr.inverse, residual_, w_);
        ++statistics_.newtonIterations;
        real_->solve(w_.data());
        std::copy(w_.begin() + static_cast<std::ptrdiff_t>(n), w_.end(), both_.begin());
        pair_->solve(both_.data());
        std::copy(both_.begin(), both_.end(), w_.begin() + static_cast<std::ptrdiff_t>(n));
        mix(tr.T, w_, residual_); // the corrections of the stages
        norm = 0;
        for (std::size_t s = 0; s < kStages; ++s)
            norm = std::max(norm, solve::weightedMax({residual_.data() + s * n, n}, weights_));
        for (std::size_t i = 0; i < z_.size(); ++i)
            z_[i] -= residual_[i];
        return true;
    }

    solve::NewtonResult iterate(double tEnd, double h)
    {
        solve::NewtonResult result;
        // What round-off leaves of a correction, in the units of the weights, is no reason to go on.
        double largest = 0;
        for (std::size_t i = 0; i < size(); ++i)
            largest = std::max(largest, (std::abs(y_[i]) + 1e-300) * weights_[i]);
        result.limit = std::max(kNewtonTolerance, kRoundoff * largest);
        double last = 0;
        contraction_ = 0;
        for (result.iterations = 0; result.iterations < kMostIterations;) {
            if (cancelled())
                return result.status = solve::NewtonStatus::Cancelled, result;
            if (!correct(tEnd, h, result.norm))
                return result.status = solve::NewtonStatus::OutsideDomain, result;
            ++result.iterations;
            if (!std::isfinite(result.norm))
                break;
            if (last > 0) {
                const double theta = contraction_ = result.norm / last;
                if (theta < 1 && result.norm * theta / (1 - theta) <= result.limit)
                    return result;
                // The second correction may be as large as a first one from a good prediction: what the old matrix gets wrong moves from
                // the differential to the algebraic unknowns before it shrinks.
                const bool early = result.iterations < kJudgedFrom;
                if (theta >= (early ? kHopeless : 1) && result.norm > result.limit)
                    break;
                if (!early && result.norm * std::pow(theta, kMostIterations - result.iterations) > result.limit)
                    break; // it would not get there
            }
            if (result.norm <= result.limit * (last > 0 ? 1 : 0.01))
                return result;
            last = result.norm;
        }
        result.status = solve::NewtonStatus::Diverged;
        return result;
    }

    solve::NewtonResult attempt(double tEnd, double h) override
    {
        weigh(h);
        solve::NewtonResult result;
        for (;;) {
            if (!haveJacobian_ && !evaluateJacobian())
                return result.status = solve::NewtonStatus::OutsideDomain, result;
            if (!factored_ || std::abs(h - factoredH_) > 1e-9 * h) {
                result.matrix = factor(h);
                if (!result.matrix.ok)
                    return result.status = solve::NewtonStatus::Singular, result;
            }
            extrapolate(h);
            const auto matrix = result.matrix;
            result = iterate(tEnd, h);
            result.matrix = matrix;
            if (result.status == solve::NewtonStatus::Converged || result.status == solve::NewtonStatus::Cancelled)
                break;
            if (fresh_ || !haveJacobian_) {
                lastH_ = 0; // the polynomial of the last step did not help
                return result;
            }
            haveJacobian_ = false;
        }
        if (result.status != solve::NewtonStatus::Converged)
            return result;
        if (!estimateError(h))
            return result.status = solve::NewtonStatus::OutsideDomain, result;
        stage(2, h);
        return result;
    }

    /// Into error_, weighed by index so that the step control may compare it with the tolerances.
    bool estimateError(double h)
    {
        constexpr double kRoot = radau::kRootOf6;
        constexpr double e1 = (-13 - 7 * kRoot) / 3, e2 = (-13 + 7 * kRoot) / 3, e3 = -1.0 / 3;
        const std::size_t n = size();
        const auto& pattern = system().pattern();
        for (std::size_t i = 0; i < n; ++i)
            slope_[i] = yp_[i] + (e1 * z_[i] + e2 * z_[n + i] + e3 * z_[2 * n + i]) / h;
        std::fill(work_.begin(), work_.end(), 0.0);
        for (std::size_t c = 0; c < n; ++c)
            for (int k = pattern.columnStarts[c]; k < pattern.columnStarts[c + 1]; ++k)
                work_[static_cast<std::size_t>(pattern.rowIndices[static_cast<std::size_t>(k)])] += dFdyp_[static_cast<std::size_t>(k)] * slope_[c];
        std::copy(work_.begin(), work_.end(), error_.begin());
        real_->solve(error_.data());
        if (first_ || rejected_) {
            double size = 0;
            for (std::size_t i = 0; i < n; ++i)
                size = std::max(size, std::abs(error_[i]) * weights_[i]);
            if (size >= 1) {
                for (std::size_t i = 0; i < n; ++i)
                    shifted_[i] = y_[i] + error_[i];
                ++statistics_.residualEvaluations;
                if (system().residual(t(), shifted_.data(), yp_.data(), residual_.data())) {
                    for (std::size_t i = 0; i < n; ++i)
                        error_[i] = work_[i] - residual_[i];
                    real_->solve(error_.data());
                }
            }
        }
        const auto roles = system().roles();
        for (std::size_t i = 0; i < n; ++i)
            error_[i] *= std::pow(std::min(1.0, h), std::max(0, roles[i].indexOrder - 1));
        rejected_ = true; // until accepted() says otherwise
        return true;
    }

    /// The collocation polynomial, through the value before the step and those at its stages.
    void interpolate(double time, std::span<double> y) const override
    {
        if (lastH_ == 0 || system().hasProjection())
            OneStepIntegrator::interpolate(time, y);
        else
            radauInterpolate((time - stepStart()) / lastH_, yNew_, lastZ_, y);
    }

    void accepted(double h) override
    {
        lastZ_.swap(z_);
        lastH_ = h;
        first_ = rejected_ = false;
        fresh_ = false;
        if (contraction_ > kGoodContraction)
            haveJacobian_ = false;
    }

    std::unique_ptr<solve::LinearSolver> real_, pair_;
    solve::SparsePattern pairPattern_;
    std::vector<double> z_, lastZ_, residual_, w_; ///< three blocks of n each
    std::vector<double> weights_, slope_, work_, shifted_, both_;
    std::vector<double> dFdy_, dFdyp_, realValues_, pairValues_;
    bool haveJacobian_ = false, fresh_ = false, factored_ = false, first_ = true, rejected_ = false;
    double factoredH_ = 0, lastH_ = 0, contraction_ = 0;
};

} // namespace

std::unique_ptr<Integrator> makeRadau(const IntegratorInfo& info)
{
    return std::make_unique<Radau>(info);
}

} // namespace driftless::integrate
