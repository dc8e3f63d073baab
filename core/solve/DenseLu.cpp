// P D A = L U by partial pivoting on memory allocated once; D scales each row by a power of two.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <vector>

#include "core/solve/LinearSolver.h"

namespace driftless::solve {
namespace {

class DenseLu final : public LinearSolver {
public:
    explicit DenseLu(int n) : n_(n), matrix_(size(n) * size(n)), scale_(size(n)), work_(size(n)), rowOf_(size(n))
    {
        // Room for a full matrix, so that a change of pattern allocates nothing either.
        pattern_.columnStarts.reserve(size(n) + 1);
        pattern_.rowIndices.reserve(size(n) * size(n));
    }

    void analyse(const SparsePattern& pattern) override
    {
        assert(pattern.rows == n_ && pattern.columns == n_);
        pattern_ = pattern;
    }

    Factorization factor(const double* values) override
    {
        if (!load(values))
            return {};
        return eliminate();
    }

    void solve(double* b) override
    {
        for (int i = 0; i < n_; ++i)
            work_[size(i)] = b[rowOf_[size(i)]] * scale_[size(rowOf_[size(i)])];
        for (int k = 0; k < n_; ++k)
            for (int i = k + 1; i < n_; ++i)
                work_[size(i)] -= at(i, k) * work_[size(k)];
        for (int k = n_ - 1; k >= 0; --k) {
            work_[size(k)] /= at(k, k);
            for (int i = 0; i < k; ++i)
                work_[size(i)] -= at(i, k) * work_[size(k)];
        }
        std::copy(work_.begin(), work_.end(), b);
    }

private:
    static std::size_t size(int i) { return static_cast<std::size_t>(i); }
    double& at(int i, int j) { return matrix_[size(j) * size(n_) + size(i)]; }

    bool load(const double* values)
    {
        std::fill(matrix_.begin(), matrix_.end(), 0.0);
        std::fill(scale_.begin(), scale_.end(), 0.0);
        for (int j = 0; j < n_; ++j)
            for (int k = pattern_.columnStarts[size(j)]; k < pattern_.columnStarts[size(j) + 1]; ++k) {
                const int i = pattern_.rowIndices[size(k)];
                at(i, j) = values[k];
                scale_[size(i)] = std::max(scale_[size(i)], std::abs(values[k]));
                if (!std::isfinite(values[k]))
                    return false;
            }
        for (double& s : scale_)
            s = s > 0 ? std::exp2(-std::ilogb(s)) : 1.0;
        for (int j = 0; j < n_; ++j)
            for (int i = 0; i < n_; ++i)
                at(i, j) *= scale_[size(i)];
        for (int i = 0; i < n_; ++i)
            rowOf_[size(i)] = i;
        return true;
    }

    Factorization eliminate()
    {
        double smallest = n_ > 0 ? HUGE_VAL : 1.0, largest = n_ > 0 ? 0.0 : 1.0;
        for (int k = 0; k < n_; ++k) {
            int best = k;
            for (int i = k + 1; i < n_; ++i)
                if (std::abs(at(i, k)) > std::abs(at(best, k)))
                    best = i;
            const double pivot = std::abs(at(best, k));
            if (!(pivot > 0) || !std::isfinite(pivot))
                return {false, 0.0, rowOf_[size(k)], k};
            if (best != k) {
                std::swap(rowOf_[size(k)], rowOf_[size(best)]);
                for (int j = 0; j < n_; ++j)
                    std::swap(at(k, j), at(best, j));
            }
            smallest = std::min(smallest, pivot);
            largest = std::max(largest, pivot);
            for (int i = k + 1; i < n_; ++i)
                at(i, k) /= at(k, k);
            for (int j = k + 1; j < n_; ++j)
                if (const double u = at(k, j); u != 0)
                    for (int i = k + 1; i < n_; ++i)
                        at(i, j) -= at(i, k) * u;
        }
        return {true, smallest / largest, -1, -1};
    }

    int n_;
    SparsePattern pattern_;
    std::vector<double> matrix_; ///< columns one after another; L below the diagonal, U on and above
    std::vector<double> scale_;  ///< D, by original row
    std::vector<double> work_;
    std::vector<int> rowOf_;     ///< original row at each place of P D A
};

} // namespace

std::unique_ptr<LinearSolver> makeDenseSolver(int n)
{
    return std::make_unique<DenseLu>(n);
}

std::unique_ptr<LinearSolver> makeLinearSolver(int n)
{
    return n <= kDenseLimit ? makeDenseSolver(n) : makeSparseSolver();
}

} // namespace driftless::solve
