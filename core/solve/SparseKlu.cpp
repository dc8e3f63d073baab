// Sparse LU by KLU: the pattern is ordered once, later factorisations reuse the pivots of the first while they are good.
//
// KLU is called through its own interface, because Eigen's wrapper factorises from scratch every time.
#include <cassert>
#include <cmath>
#include <vector>

#include <klu.h>

#include "core/solve/LinearSolver.h"

namespace driftless::solve {
namespace {

/// Below this reciprocal pivot growth the old pivots have lost too many digits and new ones are chosen.
constexpr double kLeastGrowth = 1e-6;
constexpr int kGrowthEvery = 16;     // factorisations
constexpr double kTrustedDrop = 0.1; // of the reciprocal condition since then

class SparseKlu final : public LinearSolver {
public:
    SparseKlu() { klu_defaults(&common_); }
    ~SparseKlu() override { release(); }
    SparseKlu(const SparseKlu&) = delete;
    SparseKlu& operator=(const SparseKlu&) = delete;

    void analyse(const SparsePattern& pattern) override
    {
        assert(pattern.rows == pattern.columns);
        if (numeric_) // pivots of other values must not decide about what comes
            klu_free_numeric(&numeric_, &common_);
        // The order follows from the pattern alone, and to find it takes longer than many factorisations: that of a chain's
        // matching, which comes first, grows with the square of its links.
        if (symbolic_ && pattern_.columnStarts == pattern.columnStarts && pattern_.rowIndices == pattern.rowIndices)
            return;
        release();
        pattern_ = pattern;
        values_.resize(pattern.rowIndices.size());
        symbolic_ = klu_analyze(pattern_.columns, pattern_.columnStarts.data(), pattern_.rowIndices.data(), &common_);
    }

    Factorization factor(const double* values) override
    {
        if (!symbolic_)
            return {.ok = false, .column = singularColumn()};
        for (std::size_t i = 0; i < values_.size(); ++i) {
            if (!std::isfinite(values[i]))
                return {};
            values_[i] = values[i];
        }
        if (!(numeric_ && reuse()) && !fromScratch())
            return {.ok = false, .column = singularColumn()};
        if (common_.rcond > 0)
            return {.ok = true, .pivotRatio = common_.rcond};
        return {.ok = false, .column = singularColumn()};
    }

    void solve(double* b) override { klu_solve(symbolic_, numeric_, pattern_.columns, 1, b, &common_); }

private:
    /// KLU counts to the number of columns where it found none.
    int singularColumn() const { return common_.singular_col < pattern_.columns ? common_.singular_col : -1; }

    bool reuse()
    {
        if (!klu_refactor(starts(), rows(), values_.data(), symbolic_, numeric_, &common_) || common_.status != KLU_OK)
            return false;
        // What the growth of the pivots takes to compute is a tenth of a step of a long chain: between two looks the diagonal
        // of U tells.
        klu_rcond(symbolic_, numeric_, &common_);
        if (++sinceGrowth_ < kGrowthEvery && common_.rcond > kTrustedDrop * rcondAtGrowth_)
            return true;
        klu_rgrowth(starts(), rows(), values_.data(), symbolic_, numeric_, &common_);
        return looked(common_.rgrowth > kLeastGrowth);
    }

    bool looked(bool good)
    {
        sinceGrowth_ = 0;
        rcondAtGrowth_ = common_.rcond;
        return good;
    }

    bool fromScratch()
    {
        if (numeric_)
            klu_free_numeric(&numeric_, &common_);
        numeric_ = klu_factor(starts(), rows(), values_.data(), symbolic_, &common_);
        if (numeric_ && common_.status == KLU_OK) {
            klu_rcond(symbolic_, numeric_, &common_);
            return looked(true);
        }
        if (numeric_)
            klu_free_numeric(&numeric_, &common_);
        return false;
    }

    void release()
    {
        if (numeric_)
            klu_free_numeric(&numeric_, &common_);
        if (symbolic_)
            klu_free_symbolic(&symbolic_, &common_);
    }

    int* starts() { return pattern_.columnStarts.data(); }
    int* rows() { return pattern_.rowIndices.data(); }

    SparsePattern pattern_;
    std::vector<double> values_;
    klu_common common_{};
    klu_symbolic* symbolic_ = nullptr;
    klu_numeric* numeric_ = nullptr;
    int sinceGrowth_ = 0;
    double rcondAtGrowth_ = 0;
};

} // namespace

std::unique_ptr<LinearSolver> makeSparseSolver() { return std::make_unique<SparseKlu>(); }

} // namespace driftless::solve
