#include "core/solve/SparseFactor.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <klu.h>

namespace driftless::solve {

namespace {

/// As the solver of the integrators: below, the old pivots have lost too many digits.
constexpr double kSmallestGrowth = 1e-6;

} // namespace

struct SparseFactor::Work {
    int size = 0;
    std::vector<int> starts, rows;
    std::vector<int> lastStarts, lastRows; ///< of the analysis before
    std::vector<std::size_t> places;       ///< of every entry among the values
    std::vector<double> values;
    klu_common common{};
    klu_symbolic* symbolic = nullptr;
    klu_numeric* numeric = nullptr;

    Work() { klu_defaults(&common); }
    ~Work() { release(); }
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;

    void release()
    {
        if (numeric)
            klu_free_numeric(&numeric, &common);
        if (symbolic)
            klu_free_symbolic(&symbolic, &common);
    }

    bool reuse()
    {
        if (!klu_refactor(starts.data(), rows.data(), values.data(), symbolic, numeric, &common) || common.status != KLU_OK)
            return false;
        klu_rgrowth(starts.data(), rows.data(), values.data(), symbolic, numeric, &common);
        return common.rgrowth > kSmallestGrowth;
    }

    bool fromScratch()
    {
        if (numeric)
            klu_free_numeric(&numeric, &common);
        numeric = klu_factor(starts.data(), rows.data(), values.data(), symbolic, &common);
        if (numeric && common.status == KLU_OK)
            return true;
        if (numeric)
            klu_free_numeric(&numeric, &common);
        return false;
    }
};

SparseFactor::SparseFactor() : work_(std::make_unique<Work>()) {}
SparseFactor::~SparseFactor() = default;
SparseFactor::SparseFactor(SparseFactor&&) noexcept = default;
SparseFactor& SparseFactor::operator=(SparseFactor&&) noexcept = default;

void SparseFactor::analyse(int size, std::span<const MatrixPlace> entries)
{
    Work& w = *work_;
    if (w.numeric) // pivots of other values must not decide about what comes
        klu_free_numeric(&w.numeric, &w.common);
    w.lastStarts.swap(w.starts);
    w.lastRows.swap(w.rows);
    w.size = size;
    std::vector<std::size_t> order(entries.size());
    for (std::size_t k = 0; k < order.size(); ++k)
        order[k] = k;
    const auto before = [entries](std::size_t a, std::size_t b) {
        return entries[a].column != entries[b].column ? entries[a].column < entries[b].column : entries[a].row < entries[b].row;
    };
    std::sort(order.begin(), order.end(), before);
    w.starts.assign(static_cast<std::size_t>(size) + 1, 0);
    w.rows.clear();
    w.places.assign(entries.size(), 0);
    for (std::size_t k = 0; k < order.size(); ++k) {
        const MatrixPlace& e = entries[order[k]];
        if (k == 0 || before(order[k - 1], order[k])) {
            w.rows.push_back(e.row);
            ++w.starts[static_cast<std::size_t>(e.column) + 1];
        }
        w.places[order[k]] = w.rows.size() - 1;
    }
    for (std::size_t c = 0; c < static_cast<std::size_t>(size); ++c)
        w.starts[c + 1] += w.starts[c];
    w.values.assign(w.rows.size(), 0.0);
    // The order follows from the pattern alone, and to find it takes longer than to factorise.
    if (w.symbolic && w.starts == w.lastStarts && w.rows == w.lastRows)
        return;
    w.release();
    w.symbolic = klu_analyze(size, w.starts.data(), w.rows.data(), &w.common);
}

bool SparseFactor::analysed() const { return work_->symbolic != nullptr; }

double SparseFactor::factor(std::span<const double> values)
{
    Work& w = *work_;
    if (!w.symbolic)
        return 0;
    std::fill(w.values.begin(), w.values.end(), 0.0);
    for (std::size_t k = 0; k < values.size(); ++k) {
        if (!std::isfinite(values[k]))
            return 0;
        w.values[w.places[k]] += values[k];
    }
    if (!(w.numeric && w.reuse()) && !w.fromScratch())
        return 0;
    klu_rcond(w.symbolic, w.numeric, &w.common);
    return w.common.rcond;
}

void SparseFactor::solve(double* b) const
{
    Work& w = *work_;
    klu_solve(w.symbolic, w.numeric, w.size, 1, b, &w.common);
}

double SparseFactor::inverseNorm()
{
    Work& w = *work_;
    if (!w.numeric || !klu_condest(w.starts.data(), w.values.data(), w.symbolic, w.numeric, &w.common)
        || !(w.common.condest > 0))
        return std::numeric_limits<double>::infinity();
    double norm = 0;
    for (int c = 0; c < w.size; ++c) {
        double sum = 0;
        for (int k = w.starts[static_cast<std::size_t>(c)]; k < w.starts[static_cast<std::size_t>(c) + 1]; ++k)
            sum += std::abs(w.values[static_cast<std::size_t>(k)]);
        norm = std::max(norm, sum);
    }
    return norm > 0 ? w.common.condest / norm : std::numeric_limits<double>::infinity();
}

} // namespace driftless::solve
