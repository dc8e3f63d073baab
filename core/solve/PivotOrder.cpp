#include "core/solve/PivotOrder.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace driftless::solve {
namespace {

constexpr double kSafeShare = 0.05; ///< of the largest entry of the column

struct Candidate {
    MatrixPlace place{-1, -1};
    double share = 0, usualShare = 0;
    std::size_t work = 0;

    int safety() const { return share >= kSafeShare ? 2 : usualShare >= kSafeShare; }
    /// What is safe comes first; of two that are, the cheaper one; else the larger one.
    bool isBetterThan(const Candidate& other) const
    {
        if (safety() != other.safety())
            return safety() > other.safety();
        if (safety() > 0 && work != other.work)
            return work < other.work;
        constexpr double kAlike = 1e-6; // in other units the same numbers are so far apart
        return share > other.share * (1 + kAlike);
    }
};

/// The samples while they are eliminated together.
class SampledMatrices {
public:
    SampledMatrices(int n, std::span<const MatrixPlace> places, std::span<const std::vector<double>> samples, std::size_t usual)
        : n_(static_cast<std::size_t>(n)), usual_(usual), entry_(n_ * n_, 0), rowOpen_(n_, 1), columnOpen_(n_, 1)
    {
        for (const MatrixPlace& p : places)
            entry_[at(p)] = 1;
        for (const std::vector<double>& values : samples) {
            auto& m = matrices_.emplace_back(n_ * n_, 0.0);
            const std::vector<double> rows = rowScales(places, values);
            for (std::size_t k = 0; k < places.size(); ++k)
                m[at(places[k])] = values[k] * std::exp2(rows[static_cast<std::size_t>(places[k].row)]);
        }
    }

    /// The next pivot; outside of the matrix where there is none.
    MatrixPlace next() const
    {
        Candidate best;
        for (std::size_t j = 0; j < n_; ++j)
            for (std::size_t i = 0; i < n_; ++i) {
                if (!open(i, j))
                    continue;
                const Candidate here{{static_cast<int>(i), static_cast<int>(j)},
                                     shareOf(i, j, matrices_.size()),
                                     shareOf(i, j, usual_),
                                     workOf(i, j)};
                if (here.share > 0 && here.isBetterThan(best))
                    best = here;
            }
        return best.place;
    }

    void eliminate(const MatrixPlace& pivot)
    {
        const auto row = static_cast<std::size_t>(pivot.row), column = static_cast<std::size_t>(pivot.column);
        rowOpen_[row] = columnOpen_[column] = 0;
        for (std::size_t i = 0; i < n_; ++i) {
            if (!rowOpen_[i] || !entry_[i * n_ + column])
                continue;
            for (std::size_t j = 0; j < n_; ++j)
                if (columnOpen_[j] && entry_[row * n_ + j]) {
                    entry_[i * n_ + j] = 1;
                    for (auto& m : matrices_)
                        m[i * n_ + j] -= m[i * n_ + column] / m[row * n_ + column] * m[row * n_ + j];
                }
        }
    }

private:
    /// Binary logarithms of what rows are multiplied with, so that with factors of the columns the geometric mean of each row
    /// and column is one (Curtis and Reid 1972): the same rows in whatever units rows and columns are.
    std::vector<double> rowScales(std::span<const MatrixPlace> places, const std::vector<double>& values) const
    {
        constexpr int kSweeps = 400;
        constexpr double kStill = 1e-9;
        std::vector<double> rows(n_, 0.0), columns(n_, 0.0), logarithms;
        for (const double value : values)
            logarithms.push_back(value != 0 ? std::log2(std::abs(value)) : 0);
        const auto balance = [&](std::vector<double>& scales, bool ofRows) {
            std::vector<double> sum(n_, 0.0), count(n_, 0.0);
            for (std::size_t k = 0; k < places.size(); ++k) {
                if (values[k] == 0)
                    continue;
                const auto row = static_cast<std::size_t>(places[k].row), column = static_cast<std::size_t>(places[k].column);
                sum[ofRows ? row : column] += logarithms[k] + (ofRows ? columns[column] : rows[row]);
                count[ofRows ? row : column] += 1;
            }
            double change = 0;
            for (std::size_t i = 0; i < n_; ++i) {
                const double before = std::exchange(scales[i], count[i] > 0 ? -sum[i] / count[i] : 0);
                change = std::max(change, std::abs(scales[i] - before));
            }
            return change;
        };
        balance(columns, false);
        for (int sweep = 0; sweep < kSweeps && balance(rows, true) > kStill; ++sweep)
            balance(columns, false);
        return rows;
    }

    std::size_t at(const MatrixPlace& p) const
    {
        return static_cast<std::size_t>(p.row) * n_ + static_cast<std::size_t>(p.column);
    }
    bool open(std::size_t i, std::size_t j) const { return rowOpen_[i] && columnOpen_[j] && entry_[i * n_ + j]; }

    std::size_t workOf(std::size_t i, std::size_t j) const
    {
        std::size_t row = 0, column = 0;
        for (std::size_t k = 0; k < n_; ++k) {
            row += open(i, k);
            column += open(k, j);
        }
        return (row - 1) * (column - 1);
    }

    /// The least share of the entry in its column of the first samples; hardly any where its sign changes between them.
    double shareOf(std::size_t i, std::size_t j, std::size_t samples) const
    {
        double least = samples > 0 ? 1 : 0;
        bool positive = false, negative = false;
        for (std::size_t s = 0; s < samples; ++s) {
            const auto& m = matrices_[s];
            double largest = 0;
            for (std::size_t k = 0; k < n_; ++k)
                if (open(k, j))
                    largest = std::max(largest, std::abs(m[k * n_ + j]));
            const double value = m[i * n_ + j];
            if (!(largest > 0) || !std::isfinite(largest))
                return 0;
            least = std::min(least, std::abs(value) / largest);
            positive = positive || value > 0;
            negative = negative || value < 0;
        }
        return positive && negative ? least * kSafeShare : least;
    }

    std::size_t n_, usual_;
    std::vector<char> entry_;
    std::vector<char> rowOpen_, columnOpen_;
    std::vector<std::vector<double>> matrices_; ///< by rows
};

} // namespace

std::vector<MatrixPlace> pivotOrder(int n, std::span<const MatrixPlace> places, std::span<const std::vector<double>> samples,
                                    std::size_t usual)
{
    std::vector<MatrixPlace> order;
    if (samples.empty())
        return order;
    SampledMatrices matrices(n, places, samples, usual);
    for (int k = 0; k < n; ++k) {
        const MatrixPlace pivot = matrices.next();
        if (pivot.row < 0)
            return {};
        matrices.eliminate(pivot);
        order.push_back(pivot);
    }
    return order;
}

} // namespace driftless::solve
