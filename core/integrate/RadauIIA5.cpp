// Radau IIA of order five on F(t, y, y') = 0 of index up to three ([DN] (1.48)).
//
// Unknowns: the stage increments Z_i = Y_i - y_n, i = 1..3. Stage rates Y'_i = (1/h) sum_j D_ij Z_j with D the inverse of
// the tableau's matrix. Equations: F(t_n + c_i h, y_n + Z_i, Y'_i) = 0. Block (i, j) of the Newton matrix is
// delta_ij dF/dy(i) + (D_ij / h) dF/dy'(i). Stiffly accurate: y_{n+1} = Y_3, so every constraint in F holds at t_{n+1}.
#include <algorithm>
#include <cmath>

#include "core/integrate/Makers.h"
#include "core/integrate/OneStep.h"
#include "core/integrate/RadauMethod.h"
#include "core/integrate/Tableau.h"
#include "core/solve/Norm.h"

namespace driftless::integrate {
namespace {

constexpr std::size_t kStages = 3;

class RadauIIA5 final : public OneStepIntegrator {
public:
    explicit RadauIIA5(const IntegratorInfo& info) : OneStepIntegrator(info) {}

    bool cancelled() const { return Integrator::cancelled(); }
    void reset() { std::copy(start_.begin(), start_.end(), z_.begin()); }

    bool residual()
    {
        for (std::size_t s = 0; s < kStages; ++s) {
            stage(s);
            ++statistics_.residualEvaluations;
            if (!system().residual(stageTime(s), yNew_.data(), ypNew_.data(), residual_.data() + s * size()))
                return false;
        }
        return true;
    }

    bool assemble()
    {
        const auto& pattern = system().pattern();
        const std::size_t entries = pattern.rowIndices.size();
        for (std::size_t s = 0; s < kStages; ++s) {
            stage(s);
            ++statistics_.jacobianEvaluations;
            if (!system().jacobian(stageTime(s), yNew_.data(), ypNew_.data(), dFdy_.data() + s * entries,
                                   dFdyp_.data() + s * entries))
                return false;
        }
        // Column (block j, unknown c) holds for each stage s the entries of column c, in the order of the big pattern.
        std::size_t place = 0;
        for (std::size_t j = 0; j < kStages; ++j)
            for (std::size_t c = 0; c < size(); ++c)
                for (std::size_t s = 0; s < kStages; ++s)
                    for (auto k = static_cast<std::size_t>(pattern.columnStarts[c]);
                         k < static_cast<std::size_t>(pattern.columnStarts[c + 1]); ++k)
                        values_[place++] =
                            (s == j ? dFdy_[s * entries + k] : 0.0) + radau::kInverse[s][j] / h_ * dFdyp_[s * entries + k];
        return true;
    }

    solve::Factorization factor()
    {
        ++statistics_.factorizations;
        auto result = linear_->factor(values_.data());
        if (result.column >= 0)
            result.column %= static_cast<int>(size());
        return result;
    }

    double correct()
    {
        ++statistics_.newtonIterations;
        linear_->solve(residual_.data());
        for (std::size_t i = 0; i < z_.size(); ++i)
            z_[i] -= residual_[i];
        return solve::weightedMax(residual_, weights_);
    }

private:
    double stageTime(std::size_t s) const { return s == 2 ? tEnd_ : t() + radau::kNodes[s] * h_; }

    /// Values and rates of stage s into yNew_, ypNew_.
    void stage(std::size_t s)
    {
        const std::size_t n = size();
        for (std::size_t i = 0; i < n; ++i) {
            yNew_[i] = y_[i] + z_[s * n + i];
            ypNew_[i] = sumOfBlocks(radau::kInverse[s], z_.data(), n, i) / h_;
        }
    }

    void allocate() override
    {
        const std::size_t n = size();
        const auto& pattern = system().pattern();
        if (!linear_ || z_.size() != kStages * n)
            linear_ = solve::makeLinearSolver(static_cast<int>(kStages * n));
        for (auto* v : {&z_, &start_, &residual_, &weights_, &lastZ_})
            v->resize(kStages * n);
        if (n <= solve::kDenseLimit) { // room for a full pattern, so that a swap of roles allocates nothing
            dFdy_.reserve(kStages * n * n);
            dFdyp_.reserve(kStages * n * n);
            values_.reserve(kStages * kStages * n * n);
            big_.rowIndices.reserve(kStages * kStages * n * n);
            big_.columnStarts.reserve(kStages * n + 1);
        }
        const std::size_t entries = pattern.rowIndices.size();
        dFdy_.assign(kStages * entries, 0.0);
        dFdyp_.assign(kStages * entries, 0.0);
        values_.assign(kStages * kStages * entries, 0.0);
        bigPattern(pattern);
        linear_->analyse(big_);
    }

    void bigPattern(const solve::SparsePattern& pattern)
    {
        const int n = static_cast<int>(size());
        big_.rows = big_.columns = static_cast<int>(kStages) * n;
        big_.columnStarts.assign(1, 0);
        big_.rowIndices.clear();
        for (std::size_t j = 0; j < kStages; ++j)
            for (std::size_t c = 0; c < size(); ++c) {
                for (int s = 0; s < static_cast<int>(kStages); ++s)
                    for (auto k = static_cast<std::size_t>(pattern.columnStarts[c]);
                         k < static_cast<std::size_t>(pattern.columnStarts[c + 1]); ++k)
                        big_.rowIndices.push_back(s * n + pattern.rowIndices[k]);
                big_.columnStarts.push_back(static_cast<int>(big_.rowIndices.size()));
            }
    }

    void forget() override
    {
        factored_ = false;
        lastH_ = 0;
    }

    /// The polynomial through 0 and the last stage increments, continued; at a start the tangent.
    void extrapolate()
    {
        if (lastH_ == 0)
            radauTangent(radau::kNodes, h_, yp_, system().roles(), start_.data());
        else
            radauExtrapolate(radau::kNodes, h_, lastH_, lastZ_, size(), start_.data());
    }

    solve::NewtonResult attempt(double tEnd, double h) override
    {
        // Grid steps differ by the round-off of t; the matrix may stay.
        factored_ = factored_ && std::abs(h - h_) <= 1e-9 * h;
        tEnd_ = tEnd;
        h_ = h;
        roundoffWeights(h, weights_.data());
        for (std::size_t s = 1; s < kStages; ++s)
            std::copy_n(weights_.data(), size(), weights_.data() + s * size());
        extrapolate();
        reset();
        const auto result = solve::newton(*this, factored_, newtonControl());
        if (result.status == solve::NewtonStatus::Converged)
            stage(2);
        return result;
    }

    /// The collocation polynomial, through the value before the step and those at its stages.
    void interpolate(double time, std::span<double> y) const override
    {
        if (lastH_ == 0)
            return OneStepIntegrator::interpolate(time, y);
        const double share = (time - stepStart()) / lastH_;
        radauInterpolate(radau::kNodes, share, yNew_, lastZ_, y);
        if (system().hasProjection())
            radauFollowProjection<kStages>(share, yNew_, lastZ_, this->y(), y);
    }
    bool followsAlgebraic() const override { return lastH_ != 0; }

    void accepted(double h) override
    {
        lastZ_.swap(z_);
        lastH_ = h;
    }

    std::unique_ptr<solve::LinearSolver> linear_;
    solve::SparsePattern big_;
    std::vector<double> z_, start_, residual_, weights_, lastZ_; ///< three blocks of n each
    std::vector<double> dFdy_, dFdyp_, values_;
    bool factored_ = false;
    double tEnd_ = 0, h_ = 0, lastH_ = 0;
};

} // namespace

std::unique_ptr<Integrator> makeRadauIIA5(const IntegratorInfo& info) { return std::make_unique<RadauIIA5>(info); }

} // namespace driftless::integrate
