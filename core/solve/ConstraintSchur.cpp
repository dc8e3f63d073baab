#include "core/solve/ConstraintSchur.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <iterator>
#include <limits>
#include <utility>

#include "core/base/Index.h"

namespace driftless::solve {

namespace {

constexpr std::size_t kMostFill = 8;     ///< entries of the factors for each of S: beyond, a general order is looked for
constexpr std::size_t kMostUpdates = 64; ///< operations for each row
constexpr double kLeastPivot = 1e-8;     ///< of the entry it came from: half of its digits are left

} // namespace

bool ConstraintSchur::analyse(int n, int m, std::span<const MatrixPlace> places)
{
    n_ = n;
    m_ = m;
    std::vector<std::vector<int>> ofColumn(at(n)), neighbours(at(m));
    for (const MatrixPlace& p : places)
        ofColumn[at(p.column)].push_back(p.row);
    std::size_t entries = 0;
    for (const auto& rows : ofColumn) {
        entries += rows.size() * rows.size();
        if (entries > kMostUpdates * at(m))
            return false;
        for (const int i : rows)
            for (const int j : rows)
                if (i != j)
                    neighbours[at(i)].push_back(j);
    }
    for (auto& list : neighbours) {
        std::ranges::sort(list);
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
    if (!eliminateStructure(std::move(neighbours)))
        return false;
    placeTerms(places);
    return true;
}

/// Steps in the order of least degree; those of equal degree in the order in which they reached it. Leaves in later_ what each
/// step reaches. False where there is too much.
bool ConstraintSchur::eliminateStructure(std::vector<std::vector<int>> neighbours)
{
    const std::size_t m = at(m_);
    std::size_t most = m;
    for (const auto& list : neighbours)
        most += kMostFill * list.size();
    std::vector<std::deque<int>> waiting;
    const auto wait = [&](int row) {
        const std::size_t degree = neighbours[at(row)].size();
        if (waiting.size() <= degree)
            waiting.resize(degree + 1);
        waiting[degree].push_back(row);
    };
    order_.clear();
    step_.assign(m, -1);
    starts_.assign(1, 0);
    later_.clear();
    // Both ends of a chain wait first.
    for (int i = 0; i < m_; ++i)
        wait(i);
    std::size_t degree = 0, work = 0;
    while (order_.size() < m) {
        while (waiting[degree].empty())
            ++degree;
        const int row = waiting[degree].front();
        waiting[degree].pop_front();
        if (step_[at(row)] >= 0 || neighbours[at(row)].size() != degree)
            continue; // it waits elsewhere
        step_[at(row)] = static_cast<int>(order_.size());
        order_.push_back(row);
        const std::vector<int> reached = std::move(neighbours[at(row)]);
        later_.insert(later_.end(), reached.begin(), reached.end());
        starts_.push_back(later_.size());
        work += reached.size() * reached.size();
        if (later_.size() > most || work > kMostUpdates * m)
            return false;
        for (const int i : reached) {
            std::vector<int> joined;
            std::ranges::set_union(neighbours[at(i)], reached, std::back_inserter(joined));
            std::erase_if(joined, [&](int j) { return j == i || j == row; });
            neighbours[at(i)] = std::move(joined);
            degree = std::min(degree, neighbours[at(i)].size());
            wait(i);
        }
    }
    for (int& row : later_)
        row = step_[at(row)];
    for (std::size_t k = 0; k < m; ++k)
        std::sort(later_.begin() + static_cast<std::ptrdiff_t>(starts_[k]),
                  later_.begin() + static_cast<std::ptrdiff_t>(starts_[k + 1]));
    return true;
}

/// Of the entry in the row of one step and the column of another.
std::uint32_t ConstraintSchur::placeOf(int row, int column) const
{
    const std::size_t m = at(m_);
    if (row == column)
        return static_cast<std::uint32_t>(row);
    const int first = std::min(row, column), second = std::max(row, column);
    const auto from = later_.begin() + static_cast<std::ptrdiff_t>(starts_[at(first)]),
               to = later_.begin() + static_cast<std::ptrdiff_t>(starts_[at(first) + 1]);
    const auto e = static_cast<std::size_t>(std::lower_bound(from, to, second) - later_.begin());
    return static_cast<std::uint32_t>(m + e + (row > column ? 0 : later_.size()));
}

void ConstraintSchur::placeTerms(std::span<const MatrixPlace> places)
{
    const std::size_t m = at(m_), all = m + 2 * later_.size();
    values_.assign(all, 0.0);
    inverse_.assign(m, 0.0);
    x_.assign(m, 0.0);
    b_.assign(places.size(), 0.0);
    a_ = weighted_ = b_;
    const auto sorted = [&](auto key, int count, std::vector<std::uint32_t>& by, std::vector<std::size_t>& starts) {
        by.resize(places.size());
        starts.assign(at(count) + 1, 0);
        for (std::size_t k = 0; k < places.size(); ++k) {
            by[k] = static_cast<std::uint32_t>(k);
            ++starts[at(key(places[k])) + 1];
        }
        std::ranges::stable_sort(by, {}, [&](std::uint32_t k) { return key(places[k]); });
        for (std::size_t i = 0; i < at(count); ++i)
            starts[i + 1] += starts[i];
    };
    // Rows in the order in which they are eliminated.
    sorted([&](const MatrixPlace& p) { return step_[at(p.row)]; }, m_, byRow_, rowStarts_);
    sorted([](const MatrixPlace& p) { return p.column; }, n_, byColumn_, columnStarts_);
    columns_.clear();
    rows_.clear();
    std::vector<std::uint32_t> inRow(places.size());
    for (std::size_t k = 0; k < places.size(); ++k) {
        columns_.push_back(places[byRow_[k]].column);
        rows_.push_back(step_[at(places[byColumn_[k]].row)]);
        inRow[byRow_[k]] = static_cast<std::uint32_t>(k);
    }
    std::vector<std::pair<std::uint32_t, Term>> terms;
    for (std::size_t c = 0; c < at(n_); ++c)
        for (std::size_t k = columnStarts_[c]; k < columnStarts_[c + 1]; ++k)
            for (std::size_t l = columnStarts_[c]; l < columnStarts_[c + 1]; ++l)
                if (k != l)
                    terms.push_back({placeOf(rows_[k], rows_[l]), {inRow[byColumn_[k]], inRow[byColumn_[l]]}});
    std::ranges::stable_sort(terms, {}, [](const auto& term) { return term.first; });
    for (int& row : rows_)
        row = order_[at(row)];
    termStarts_.assign(all - m + 1, 0);
    terms_.clear();
    for (const auto& [place, term] : terms) {
        ++termStarts_[place - m + 1];
        terms_.push_back(term);
    }
    for (std::size_t e = 0; e < all - m; ++e)
        termStarts_[e + 1] += termStarts_[e];
    updates_.clear();
    updateStarts_.assign(1, 0);
    const auto count = static_cast<std::uint32_t>(later_.size()), diagonal = static_cast<std::uint32_t>(m);
    for (std::size_t k = 0; k < m; ++k) {
        for (std::size_t i = starts_[k]; i < starts_[k + 1]; ++i)
            for (std::size_t j = starts_[k]; j < starts_[k + 1]; ++j)
                updates_.push_back({placeOf(later_[i], later_[j]), diagonal + static_cast<std::uint32_t>(i),
                                    diagonal + count + static_cast<std::uint32_t>(j)});
        updateStarts_.push_back(updates_.size());
    }
}

bool ConstraintSchur::factor(const double* b, const double* w, const double* a)
{
    const std::size_t m = at(m_);
    for (std::size_t k = 0; k < byRow_.size(); ++k) {
        b_[k] = b[byRow_[k]];
        a_[k] = a[byColumn_[k]];
        weighted_[k] = w[columns_[k]] * a[byRow_[k]];
    }
    for (std::size_t k = 0; k < m; ++k) {
        double sum = 0;
        for (std::size_t e = rowStarts_[k]; e < rowStarts_[k + 1]; ++e)
            sum += b_[e] * weighted_[e];
        values_[k] = sum;
        x_[k] = std::abs(sum);
    }
    const std::size_t half = later_.size();
    const bool alike = a == b; // L and U start with the same numbers
    for (std::size_t e = 0; e < (alike ? half : 2 * half); ++e) {
        double sum = 0;
        for (std::size_t k = termStarts_[e]; k < termStarts_[e + 1]; ++k)
            sum += b_[terms_[k].b] * weighted_[terms_[k].a];
        values_[m + e] = sum;
    }
    if (alike)
        std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(m), half,
                    values_.begin() + static_cast<std::ptrdiff_t>(m + half));
    double* const v = values_.data();
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (std::size_t k = 0; k < m; ++k) {
        const double size = std::abs(v[k]);
        if (!(size > kLeastPivot * x_[k]) || !std::isfinite(size))
            return false;
        least = std::min(least, size);
        most = std::max(most, size);
        const double inverse = inverse_[k] = 1 / v[k];
        for (std::size_t i = starts_[k]; i < starts_[k + 1]; ++i)
            v[m + i] *= inverse;
        for (std::size_t u = updateStarts_[k]; u < updateStarts_[k + 1]; ++u)
            v[updates_[u].to] -= v[updates_[u].lower] * v[updates_[u].upper];
    }
    ratio_ = m == 0 ? 1 : least / most;
    return true;
}

void ConstraintSchur::multipliers(const double* y, const double* r, double* lambda)
{
    const std::size_t m = at(m_);
    for (std::size_t k = 0; k < m; ++k) {
        double sum = -r[order_[k]];
        for (std::size_t e = rowStarts_[k]; e < rowStarts_[k + 1]; ++e)
            sum += b_[e] * y[columns_[e]];
        x_[k] = sum;
    }
    const double *const lower = values_.data() + m, *const upper = lower + later_.size();
    for (std::size_t k = 0; k < m; ++k)
        for (std::size_t e = starts_[k]; e < starts_[k + 1]; ++e)
            x_[at(later_[e])] -= lower[e] * x_[k];
    for (std::size_t k = m; k-- > 0;) {
        double sum = x_[k];
        for (std::size_t e = starts_[k]; e < starts_[k + 1]; ++e)
            sum -= upper[e] * x_[at(later_[e])];
        lambda[order_[k]] = x_[k] = sum * inverse_[k];
    }
}

void ConstraintSchur::force(const double* lambda, double* out) const
{
    for (std::size_t c = 0; c < at(n_); ++c) {
        double sum = 0;
        for (std::size_t e = columnStarts_[c]; e < columnStarts_[c + 1]; ++e)
            sum += a_[e] * lambda[rows_[e]];
        out[c] = sum;
    }
}

} // namespace driftless::solve
