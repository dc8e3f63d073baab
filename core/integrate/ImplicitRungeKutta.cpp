// Implicit Runge-Kutta methods on F(t, y, y') = 0.
//
// Unknowns of stage i: K_i, the rate, of a differential unknown; Z_i, the value, of an algebraic one. Equations:
//   F(t_n + c_i h, Y_i, K_i) = 0 with Y_i = y_n + h sum_j a_ij K_j in the differential unknowns and Y_i = Z_i in the others,
// which needs no inverse of A. Stages that depend on each other form a block and are solved together: s n unknowns in a fully
// implicit method, n after n in a diagonally implicit one, where stages with equal a_ii share one matrix. Block (i, j) of a
// matrix: delta_ij dF/dy' + h a_ij dF/dy in the columns of differential unknowns, delta_ij dF/dy in the others.
//
// A first stage that is the state at t_n takes y'_n and the multipliers as the last step left them where that step ended in its
// last stage (Lobatto IIIA, ESDIRK); other stages with a_ii = 0 are solved from F, which index 0 and 1 allow. The end of the
// step: the last stage where the method ends in it; else y_n + h sum_i b_i K_i in the differential unknowns, and rates and
// algebraic unknowns from F up to index 1, above by endRule() from the stages (Hairer, Lubich, Roche, The Numerical Solution of
// Differential-Algebraic Systems by Runge-Kutta Methods, 1989).
#include <algorithm>
#include <cmath>

#include "core/integrate/OneStep.h"
#include "core/integrate/RungeKutta.h"
#include "core/solve/Norm.h"

namespace driftless::integrate {
namespace {

class ImplicitRungeKutta final : public OneStepIntegrator {
public:
    explicit ImplicitRungeKutta(std::shared_ptr<const RungeKuttaMethod> method)
        : OneStepIntegrator(method->info), method_(std::move(method)), m_(method_->tableau), end_(endRule(m_)),
          endsInLastStage_(m_.endsInLastStage()), startsInFirstStage_(m_.startsInFirstStage())
    {
        findBlocks();
        if (method_->info.adaptive)
            for (std::size_t i = 0; i < m_.stages; ++i)
                errorWeights_.push_back(m_.b[i] - m_.embedded[i]);
    }

private:
    /// The estimate is that of the weaker of the two rules.
    int errorOrder() const override { return std::min(m_.order, m_.embeddedOrder) + 1; }
    /// A step is left alone when it would grow by less than a fifth: the matrices stay.
    double steadied(double factor) const override { return factor >= 1 && factor <= 1.2 ? 1 : factor; }

    /// Stages that are solved together.
    struct Block {
        std::size_t first = 0, count = 1;
        std::size_t matrix = 0; ///< which of matrices_
        bool fromRates = false; ///< one stage that does not depend on itself
    };
    struct Matrix {
        std::size_t count = 1; ///< stages
        double diagonal = 0;   ///< a_ii of a single stage
        std::unique_ptr<solve::LinearSolver> linear{};
        solve::SparsePattern pattern{};
        std::vector<double> values{}, residual{}, weights{};
        bool factored = false;
    };

    /// Newton's problem of one block.
    struct Problem {
        ImplicitRungeKutta& o;
        const Block& block;
        Matrix& matrix;

        bool cancelled() const { return o.cancelled(); }
        void reset()
        {
            const auto n = o.size();
            std::copy_n(o.start_.begin() + static_cast<std::ptrdiff_t>(block.first * n), block.count * n,
                        o.w_.begin() + static_cast<std::ptrdiff_t>(block.first * n));
        }
        bool residual()
        {
            for (std::size_t s = 0; s < block.count; ++s) {
                o.stage(block.first + s);
                ++o.statistics_.residualEvaluations;
                if (!o.system().residual(o.stageTime(block.first + s), o.yNew_.data(), o.ypNew_.data(),
                                         &matrix.residual[s * o.size()]))
                    return false;
            }
            return true;
        }
        bool assemble() { return o.assemble(block, matrix); }
        solve::Factorization factor()
        {
            ++o.statistics_.factorizations;
            auto result = matrix.linear->factor(matrix.values.data());
            if (result.column >= 0)
                result.column %= static_cast<int>(o.size());
            return result;
        }
        /// Corrections are weighed as changes of the values.
        double correct()
        {
            ++o.statistics_.newtonIterations;
            matrix.linear->solve(matrix.residual.data());
            const auto roles = o.system().roles();
            const auto n = o.size();
            for (std::size_t s = 0; s < block.count; ++s)
                for (std::size_t i = 0; i < n; ++i) {
                    double& correction = matrix.residual[s * n + i];
                    o.w_[(block.first + s) * n + i] -= correction;
                    if (roles[i].differential)
                        correction *= o.h_;
                }
            return solve::weightedMax(matrix.residual, matrix.weights);
        }
    };

    /// The shortest runs of stages without dependence on later ones.
    void findBlocks()
    {
        const std::size_t s = m_.stages;
        for (std::size_t first = 0, last; first < s; first = last) {
            last = first + 1;
            for (std::size_t i = first; i < last; ++i)
                for (std::size_t j = last; j < s; ++j)
                    if (m_.at(i, j) != 0)
                        last = j + 1;
            Block block{first, last - first, 0, false};
            const double diagonal = block.count == 1 ? m_.at(first, first) : 0;
            block.fromRates = block.count == 1 && diagonal == 0;
            if (!block.fromRates) {
                while (
                    block.matrix < matrices_.size()
                    && (block.count > 1 || matrices_[block.matrix].count > 1 || matrices_[block.matrix].diagonal != diagonal))
                    ++block.matrix;
                if (block.matrix == matrices_.size())
                    matrices_.push_back({block.count, diagonal});
            }
            blocks_.push_back(block);
        }
        fullyImplicit_ = blocks_.size() == 1 && s > 1;
        for (std::size_t i = 0; i < s; ++i)
            for (std::size_t j = 0; j < i; ++j)
                if (std::abs(m_.c[i] - m_.c[j]) < 1e-6)
                    fullyImplicit_ = false;
    }

    double stageTime(std::size_t i) const { return m_.c[i] == 1 ? tEnd_ : t() + m_.c[i] * h_; }

    /// Values and rates of stage i into yNew_, ypNew_.
    void stage(std::size_t i)
    {
        const auto roles = system().roles();
        const std::size_t n = size(), s = m_.stages;
        for (std::size_t u = 0; u < n; ++u) {
            if (!roles[u].differential) {
                yNew_[u] = w_[i * n + u];
                ypNew_[u] = yp_[u];
                continue;
            }
            double sum = 0;
            for (std::size_t j = 0; j < s; ++j)
                sum += m_.at(i, j) * w_[j * n + u];
            yNew_[u] = y_[u] + h_ * sum;
            ypNew_[u] = w_[i * n + u];
        }
    }

    /// Rates and algebraic values of yNew_, ypNew_ become those of stage i.
    void keep(std::size_t i)
    {
        const auto roles = system().roles();
        for (std::size_t u = 0; u < size(); ++u)
            w_[i * size() + u] = roles[u].differential ? ypNew_[u] : yNew_[u];
    }

    bool assemble(const Block& block, Matrix& matrix)
    {
        const auto& pattern = system().pattern();
        const auto roles = system().roles();
        const std::size_t entries = pattern.rowIndices.size();
        for (std::size_t s = 0; s < block.count; ++s) {
            stage(block.first + s);
            ++statistics_.jacobianEvaluations;
            if (!system().jacobian(stageTime(block.first + s), yNew_.data(), ypNew_.data(), &dFdy_[s * entries],
                                   &dFdyp_[s * entries]))
                return false;
        }
        // Column (stage j, unknown u) holds for each stage s the entries of column u, in the order of the block's pattern.
        std::size_t place = 0;
        for (std::size_t j = 0; j < block.count; ++j)
            for (std::size_t u = 0; u < size(); ++u)
                for (std::size_t s = 0; s < block.count; ++s) {
                    const double ha = h_ * m_.at(block.first + s, block.first + j);
                    const bool own = s == j, differential = roles[u].differential;
                    for (auto k = static_cast<std::size_t>(pattern.columnStarts[u]);
                         k < static_cast<std::size_t>(pattern.columnStarts[u + 1]); ++k) {
                        const double value = dFdy_[s * entries + k];
                        if (differential)
                            matrix.values[place++] = (own ? dFdyp_[s * entries + k] : 0.0) + ha * value;
                        else
                            matrix.values[place++] = own ? value : 0.0;
                    }
                }
        return true;
    }

    void allocate() override
    {
        const std::size_t n = size(), s = m_.stages;
        const auto& pattern = system().pattern();
        const bool fresh = w_.size() != s * n;
        for (auto* v : {&w_, &start_, &lastW_})
            v->resize(s * n);
        for (auto* v : {&beforeY_, &beforeYp_})
            v->resize(n);
        std::size_t most = 1;
        for (auto& matrix : matrices_) {
            const std::size_t k = matrix.count;
            most = std::max(most, k);
            if (!matrix.linear || fresh)
                matrix.linear = solve::makeLinearSolver(static_cast<int>(k * n));
            matrix.residual.resize(k * n);
            matrix.weights.resize(k * n);
            if (n <= solve::kDenseLimit) { // room for a full pattern, so that a swap of roles allocates nothing
                matrix.values.reserve(k * k * n * n);
                matrix.pattern.rowIndices.reserve(k * k * n * n);
                matrix.pattern.columnStarts.reserve(k * n + 1);
            }
            matrix.values.assign(k * k * pattern.rowIndices.size(), 0.0);
            blockPattern(pattern, matrix);
            matrix.linear->analyse(matrix.pattern);
            matrix.factored = false;
        }
        for (auto* v : {&dFdy_, &dFdyp_}) {
            if (n <= solve::kDenseLimit)
                v->reserve(most * n * n);
            v->assign(most * pattern.rowIndices.size(), 0.0);
        }
    }

    void blockPattern(const solve::SparsePattern& pattern, Matrix& matrix)
    {
        const int n = static_cast<int>(size());
        auto& big = matrix.pattern;
        big.rows = big.columns = static_cast<int>(matrix.count) * n;
        big.columnStarts.assign(1, 0);
        big.rowIndices.clear();
        for (std::size_t j = 0; j < matrix.count; ++j)
            for (std::size_t u = 0; u < size(); ++u) {
                for (int s = 0; s < static_cast<int>(matrix.count); ++s)
                    for (auto k = static_cast<std::size_t>(pattern.columnStarts[u]);
                         k < static_cast<std::size_t>(pattern.columnStarts[u + 1]); ++k)
                        big.rowIndices.push_back(s * n + pattern.rowIndices[k]);
                big.columnStarts.push_back(static_cast<int>(big.rowIndices.size()));
            }
    }

    void forget() override
    {
        for (auto& matrix : matrices_)
            matrix.factored = false;
        lastH_ = 0;
        firstStageStale_ = true;
    }

    /// Starting values of all stages: the polynomial through the last stages, continued, in a fully implicit method; else the
    /// straight line through the last two steps; at a start the rates and values there.
    void extrapolate()
    {
        const std::size_t n = size(), s = m_.stages;
        const auto roles = system().roles();
        for (std::size_t i = 0; i < s; ++i) {
            if (lastH_ > 0 && fullyImplicit_) {
                const double x = 1 + m_.c[i] * h_ / lastH_;
                std::fill_n(start_.begin() + static_cast<std::ptrdiff_t>(i * n), n, 0.0);
                for (std::size_t j = 0; j < s; ++j) {
                    double l = 1;
                    for (std::size_t k = 0; k < s; ++k)
                        if (k != j)
                            l *= (x - m_.c[k]) / (m_.c[j] - m_.c[k]);
                    for (std::size_t u = 0; u < n; ++u)
                        start_[i * n + u] += l * lastW_[j * n + u];
                }
                continue;
            }
            const double slope = lastH_ > 0 ? m_.c[i] * h_ / lastH_ : 0;
            for (std::size_t u = 0; u < n; ++u)
                start_[i * n + u] =
                    roles[u].differential ? yp_[u] + slope * (yp_[u] - beforeYp_[u]) : y_[u] + slope * (y_[u] - beforeY_[u]);
        }
        std::copy(start_.begin(), start_.end(), w_.begin());
    }

    void weigh()
    {
        for (auto& matrix : matrices_)
            for (std::size_t s = 0; s < matrix.count; ++s)
                roundoffWeights(h_, matrix.weights.data() + s * size());
    }

    solve::NewtonResult attempt(double tEnd, double h) override
    {
        for (auto& matrix : matrices_) // grid steps differ by the round-off of t; the matrix may stay
            matrix.factored = matrix.factored && std::abs(h - h_) <= 1e-9 * h;
        tEnd_ = tEnd;
        h_ = h;
        weigh();
        extrapolate();
        for (const Block& block : blocks_) {
            const auto result = block.fromRates ? explicitStage(block.first) : implicitStages(block);
            if (result.status != solve::NewtonStatus::Converged)
                return result;
        }
        firstStageStale_ = false;
        if (!errorWeights_.empty())
            estimateError();
        return endOfStep();
    }

    solve::NewtonResult implicitStages(const Block& block)
    {
        auto& matrix = matrices_[block.matrix];
        Problem problem{*this, block, matrix};
        return solve::newton(problem, matrix.factored, newtonControl());
    }

    solve::NewtonResult explicitStage(std::size_t i)
    {
        if (i == 0 && startsInFirstStage_ && (endsInLastStage_ || !firstStageStale_)) {
            std::copy(y_.begin(), y_.end(), yNew_.begin());
            std::copy(yp_.begin(), yp_.end(), ypNew_.begin());
            keep(0);
            return {};
        }
        stage(i);
        const auto result = solveRates(stageTime(i), yNew_.data(), ypNew_.data());
        if (result.status == solve::NewtonStatus::Converged)
            keep(i);
        return result;
    }

    void estimateError()
    {
        const auto roles = system().roles();
        const std::size_t n = size();
        for (std::size_t u = 0; u < n; ++u) {
            double sum = 0;
            for (std::size_t i = 0; i < m_.stages; ++i)
                sum += errorWeights_[i] * w_[i * n + u];
            error_[u] = roles[u].differential ? h_ * sum : 0;
        }
    }

    solve::NewtonResult endOfStep()
    {
        const std::size_t n = size(), s = m_.stages;
        if (endsInLastStage_) {
            stage(s - 1);
            estimateAlgebraicRates(h_);
            return {};
        }
        const auto roles = system().roles();
        for (std::size_t u = 0; u < n; ++u) {
            double sum = 0, ends = 0;
            for (std::size_t i = 0; i < s; ++i) {
                sum += m_.b[i] * w_[i * n + u];
                if (!end_.weights.empty())
                    ends += end_.weights[i] * w_[i * n + u];
                else
                    ends += i + 1 == s ? w_[i * n + u] : 0.0;
            }
            if (roles[u].differential) {
                yNew_[u] = y_[u] + h_ * sum;
                ypNew_[u] = end_.memory * yp_[u] + ends;
            } else {
                yNew_[u] = end_.memory * y_[u] + ends;
            }
        }
        if (system().index() <= 1) {
            const auto result = solveRates(tEnd_, yNew_.data(), ypNew_.data());
            if (result.status != solve::NewtonStatus::Converged)
                return result;
        }
        estimateAlgebraicRates(h_);
        return {};
    }

    /// The base has swapped: yNew_ and ypNew_ hold what was there before the step.
    void accepted(double h) override
    {
        std::copy(yNew_.begin(), yNew_.end(), beforeY_.begin());
        std::copy(ypNew_.begin(), ypNew_.end(), beforeYp_.begin());
        lastW_.swap(w_);
        lastH_ = h;
    }

    std::shared_ptr<const RungeKuttaMethod> method_;
    const RungeKuttaTableau& m_;
    EndRule end_;
    bool endsInLastStage_, startsInFirstStage_;
    bool fullyImplicit_ = false;  ///< one block of several stages at different times
    bool firstStageStale_ = true; ///< y'_n does not come from the last step
    std::vector<double> errorWeights_;
    std::vector<Block> blocks_;
    std::vector<Matrix> matrices_;
    std::vector<double> w_, start_, lastW_; ///< stage by stage: K of differential, Z of algebraic unknowns
    std::vector<double> beforeY_, beforeYp_, dFdy_, dFdyp_;
    double tEnd_ = 0, h_ = 0, lastH_ = 0;
};

} // namespace

std::unique_ptr<Integrator> makeImplicitRungeKutta(std::shared_ptr<const RungeKuttaMethod> method)
{
    return std::make_unique<ImplicitRungeKutta>(std::move(method));
}

} // namespace driftless::integrate
