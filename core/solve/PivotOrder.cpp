#include "core/solve/PivotOrder.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "core/base/Index.h"

namespace driftless::solve {
namespace {

constexpr double kSafeShare = 0.05; ///< of the largest entry of the column

/// depth: length of the longest chain of eliminations that the row depends on. Of two candidates that are safe and cause as
/// much work the one with the smaller depth comes first: a chain is then eliminated from both of its ends, and the processor
/// works at both.
struct Candidate {
    MatrixPlace place{-1, -1};
    double share = 0, usualShare = 0;
    std::size_t work = 0;
    int depth = 0;

    int safety() const { return share >= kSafeShare ? 2 : usualShare >= kSafeShare; }
    /// What is safe comes first; of two that are, the cheaper one; else the larger one.
    bool isBetterThan(const Candidate& other) const
    {
        if (safety() != other.safety())
            return safety() > other.safety();
        if (safety() > 0 && work != other.work)
            return work < other.work;
        if (safety() > 0 && depth != other.depth)
            return depth < other.depth;
        constexpr double kAlike = 1e-6; // in other units the same numbers are so far apart
        return share > other.share * (1 + kAlike);
    }
};

/// Calls with the place and the size of each number that is more than the round-off of its row and its column: one that would
/// be zero with exact numbers says nothing of their sizes.
template <class Visit>
void visitSizes(std::size_t n, std::span<const MatrixPlace> places, const std::vector<double>& values, const Visit& visit)
{
    constexpr double kRoundoff = 1e-13;
    std::vector<double> ofRow(n, 0.0), ofColumn(n, 0.0);
    for (std::size_t k = 0; k < places.size(); ++k)
        for (double* const largest : {&ofRow[at(places[k].row)], &ofColumn[at(places[k].column)]})
            *largest = std::max(*largest, std::abs(values[k]));
    for (std::size_t k = 0; k < places.size(); ++k)
        if (const double size = std::abs(values[k]);
            size > kRoundoff * std::min(ofRow[at(places[k].row)], ofColumn[at(places[k].column)]))
            visit(k, size);
}

/// What the rows of all samples are multiplied with, so that with factors of the columns the geometric mean of each row and
/// column is one (Curtis and Reid 1972): the same rows in whatever units rows and columns are, as near as the sweeps come.
/// Those of a long chain come no nearer than digits that do not count.
std::vector<double> rowScales(std::size_t n, std::span<const MatrixPlace> places, std::span<const std::vector<double>> samples)
{
    constexpr int kSweeps = 400;
    constexpr double kStill = 1e-9;
    std::vector<double> rows(n, 0.0), columns(n, 0.0), sum(n), logarithms(places.size(), 0.0); // binary ones
    std::vector<int> count(n), nonzeros(places.size(), 0);
    for (const std::vector<double>& values : samples)
        visitSizes(n, places, values, [&](std::size_t k, double size) {
            logarithms[k] += std::log2(size);
            ++nonzeros[k];
        });
    for (std::size_t k = 0; k < places.size(); ++k)
        logarithms[k] /= std::max(nonzeros[k], 1);
    const auto balance = [&](std::vector<double>& scales, bool ofRows) {
        std::ranges::fill(sum, 0.0);
        std::ranges::fill(count, 0);
        for (std::size_t k = 0; k < places.size(); ++k) {
            if (nonzeros[k] == 0)
                continue;
            const std::size_t row = at(places[k].row), column = at(places[k].column);
            sum[ofRows ? row : column] += logarithms[k] + (ofRows ? columns[column] : rows[row]);
            ++count[ofRows ? row : column];
        }
        double change = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const double before = std::exchange(scales[i], count[i] > 0 ? -sum[i] / count[i] : 0);
            change = std::max(change, std::abs(scales[i] - before));
        }
        return change;
    };
    balance(columns, false);
    for (int sweep = 0; sweep < kSweeps && balance(rows, true) > kStill; ++sweep)
        balance(columns, false);
    for (double& row : rows)
        row = std::exp2(row);
    return rows;
}

/// The samples while they are eliminated together: of each column the rows that are not eliminated yet, with the numbers of all
/// samples.
class SampledMatrices {
public:
    SampledMatrices(int n, std::span<const MatrixPlace> places, std::span<const std::vector<double>> samples, std::size_t usual)
        : samples_(samples.size()), usual_(usual), columns_(at(n)), rows_(at(n)), depth_(at(n), 0), best_(at(n)),
          isStale_(at(n), 1)
    {
        for (const MatrixPlace& p : places) {
            columns_[at(p.column)].push_back({p.row, values_.size()});
            rows_[at(p.row)].push_back(p.column);
            values_.resize(values_.size() + samples_, 0.0);
        }
        for (auto& column : columns_)
            std::ranges::sort(column, {}, &Entry::row);
        const std::vector<double> scales = rowScales(at(n), places, samples);
        for (std::size_t k = 0; k < places.size(); ++k)
            for (std::size_t s = 0; s < samples_; ++s)
                values_[k * samples_ + s] = samples[s][k] * scales[at(places[k].row)];
    }

    /// The next pivot; outside of the matrix where there is none.
    MatrixPlace next()
    {
        Candidate best;
        for (std::size_t j = 0; j < columns_.size(); ++j) {
            if (isStale_[j])
                best_[j] = bestOf(static_cast<int>(j));
            isStale_[j] = 0;
            if (best_[j].place.row >= 0 && best_[j].isBetterThan(best))
                best = best_[j];
        }
        return best.place;
    }

    /// Multiplications that a pivot causes (Markowitz 1957).
    std::size_t workOf(const MatrixPlace& pivot) const
    {
        return (rows_[at(pivot.row)].size() - 1) * (columns_[at(pivot.column)].size() - 1);
    }

    void eliminate(const MatrixPlace& pivot)
    {
        const std::vector<Entry> below = std::exchange(columns_[at(pivot.column)], {});
        const std::vector<int> across = std::exchange(rows_[at(pivot.row)], {});
        const std::size_t diagonal = std::ranges::find(below, pivot.row, &Entry::row)->values;
        isStale_[at(pivot.column)] = 1;
        for (const Entry& entry : below)
            if (entry.row != pivot.row) {
                std::erase(rows_[at(entry.row)], pivot.column);
                depth_[at(entry.row)] = std::max(depth_[at(entry.row)], depth_[at(pivot.row)] + 1);
            }
        for (const int j : across) {
            if (j == pivot.column)
                continue;
            auto& column = columns_[at(j)];
            const auto here = std::ranges::find(column, pivot.row, &Entry::row);
            const std::size_t right = here->values;
            column.erase(here);
            isStale_[at(j)] = 1;
            for (const Entry& entry : below)
                if (entry.row != pivot.row)
                    subtract(entryOf(entry.row, j), entry.values, diagonal, right);
        }
        for (const Entry& entry : below)
            for (const int j : rows_[at(entry.row)])
                isStale_[at(j)] = 1; // the row became longer or shorter
    }

private:
    struct Entry {
        int row;
        std::size_t values; ///< place of the first sample's
    };

    /// The place of its numbers; a new entry is zero.
    std::size_t entryOf(int row, int j)
    {
        auto& column = columns_[at(j)];
        const auto place = std::ranges::lower_bound(column, row, {}, &Entry::row);
        if (place != column.end() && place->row == row)
            return place->values;
        const std::size_t values = values_.size();
        values_.resize(values + samples_, 0.0);
        column.insert(place, {row, values});
        rows_[at(row)].push_back(j);
        return values;
    }
    void subtract(std::size_t from, std::size_t below, std::size_t diagonal, std::size_t right)
    {
        for (std::size_t s = 0; s < samples_; ++s)
            values_[from + s] -= values_[below + s] / values_[diagonal + s] * values_[right + s];
    }

    Candidate bestOf(int j) const
    {
        Candidate best;
        const auto& column = columns_[at(j)];
        std::vector<double> largest(samples_, 0.0);
        for (const Entry& entry : column)
            for (std::size_t s = 0; s < samples_; ++s)
                largest[s] = std::max(largest[s], std::abs(values_[entry.values + s]));
        for (const Entry& entry : column) {
            const Candidate here{.place = {entry.row, j},
                                 .share = shareOf(entry, largest, samples_),
                                 .usualShare = shareOf(entry, largest, usual_),
                                 .work = workOf({entry.row, j}),
                                 .depth = depth_[at(entry.row)]};
            if (here.share > 0 && here.isBetterThan(best))
                best = here;
        }
        return best;
    }

    /// The least share of the entry in its column of the first samples; hardly any where its sign changes between them.
    double shareOf(const Entry& entry, const std::vector<double>& largest, std::size_t samples) const
    {
        double least = samples > 0 ? 1 : 0;
        bool positive = false, negative = false;
        for (std::size_t s = 0; s < samples; ++s) {
            const double value = values_[entry.values + s];
            if (!(largest[s] > 0) || !std::isfinite(largest[s]))
                return 0;
            least = std::min(least, std::abs(value) / largest[s]);
            positive = positive || value > 0;
            negative = negative || value < 0;
        }
        return positive && negative ? least * kSafeShare : least;
    }

    std::size_t samples_, usual_;
    std::vector<double> values_;              ///< of each entry those of all samples
    std::vector<std::vector<Entry>> columns_; ///< by row
    std::vector<std::vector<int>> rows_;      ///< the columns of each
    std::vector<int> depth_;                  ///< of each row
    std::vector<Candidate> best_;             ///< of each column
    std::vector<char> isStale_;
};

} // namespace

std::vector<MatrixPlace> pivotOrder(int n, std::span<const MatrixPlace> places, std::span<const std::vector<double>> samples,
                                    std::size_t usual, std::size_t mostWork)
{
    std::vector<MatrixPlace> order;
    if (samples.empty())
        return order;
    std::size_t work = 0;
    SampledMatrices matrices(n, places, samples, usual);
    for (int k = 0; k < n; ++k) {
        const MatrixPlace pivot = matrices.next();
        if (pivot.row < 0)
            return {};
        work += matrices.workOf(pivot);
        if (work > mostWork)
            return {};
        matrices.eliminate(pivot);
        order.push_back(pivot);
    }
    return order;
}

} // namespace driftless::solve
