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
    path_ = isPath();
    placeEntries(places);
    placeUpdates();
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

bool ConstraintSchur::isPath() const
{
    const std::size_t m = at(m_);
    bool path = m > 1 && later_.size() == m - 1;
    for (std::size_t k = 0; path && k + 1 < m; ++k)
        path = starts_[k] == k && at(later_[k]) == std::min(k + 2, m - 1);
    return path;
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

void ConstraintSchur::placeEntries(std::span<const MatrixPlace> places)
{
    values_.assign(at(m_) + 2 * later_.size(), 0.0);
    inverse_.assign(at(m_), 0.0);
    x_ = inverse_;
    const auto sorted = [&](auto key, int count, std::vector<std::size_t>& starts) {
        std::vector<std::uint32_t> by(places.size());
        starts.assign(at(count) + 1, 0);
        for (std::size_t k = 0; k < places.size(); ++k) {
            by[k] = static_cast<std::uint32_t>(k);
            ++starts[at(key(places[k])) + 1];
        }
        std::ranges::stable_sort(by, {}, [&](std::uint32_t k) { return key(places[k]); });
        for (std::size_t i = 0; i < at(count); ++i)
            starts[i + 1] += starts[i];
        return by;
    };
    byRow_.clear();
    for (const std::uint32_t k : sorted([&](const MatrixPlace& p) { return step_[at(p.row)]; }, m_, rowStarts_))
        byRow_.push_back({k, static_cast<std::uint32_t>(places[k].column)});
    byColumn_ = sorted([](const MatrixPlace& p) { return p.column; }, n_, columnStarts_);
    rows_.clear();
    for (const std::uint32_t k : byColumn_)
        rows_.push_back(places[k].row);
    placeTerms();
    if (std::ranges::is_sorted(byColumn_))
        byColumn_.clear();
}

void ConstraintSchur::placeTerms()
{
    const std::size_t firstPlace = at(m_);
    std::vector<std::pair<std::uint32_t, Term>> terms;
    for (std::size_t c = 0; c < at(n_); ++c)
        for (std::size_t k = columnStarts_[c]; k < columnStarts_[c + 1]; ++k)
            for (std::size_t l = columnStarts_[c]; l < columnStarts_[c + 1]; ++l)
                if (const int first = step_[at(rows_[k])], second = step_[at(rows_[l])]; first < second)
                    terms.push_back({placeOf(second, first), {byColumn_[k], byColumn_[l], static_cast<std::uint32_t>(c)}});
    std::ranges::stable_sort(terms, {}, [](const auto& term) { return term.first; });
    termStarts_.assign(later_.size() + 1, 0);
    terms_.clear();
    for (const auto& [place, term] : terms) {
        ++termStarts_[place - firstPlace + 1];
        terms_.push_back(term);
    }
    for (std::size_t e = 0; e < later_.size(); ++e)
        termStarts_[e + 1] += termStarts_[e];
}

/// A path needs none: they follow from the step.
void ConstraintSchur::placeUpdates()
{
    updates_.clear();
    updateStarts_.assign(1, 0);
    const auto count = static_cast<std::uint32_t>(later_.size()), diagonal = static_cast<std::uint32_t>(m_);
    for (std::size_t k = 0; !path_ && k < at(m_); ++k) {
        for (std::size_t i = starts_[k]; i < starts_[k + 1]; ++i)
            for (std::size_t j = starts_[k]; j < starts_[k + 1]; ++j)
                updates_.push_back({placeOf(later_[i], later_[j]), diagonal + static_cast<std::uint32_t>(i),
                                    diagonal + count + static_cast<std::uint32_t>(j)});
        updateStarts_.push_back(updates_.size());
    }
}

/// S = B W A^T.
void ConstraintSchur::sumUp(const double* b, const double* w, const double* a)
{
    const std::size_t m = at(m_), half = later_.size();
    for (std::size_t k = 0; k < m; ++k) {
        double sum = 0;
        for (std::size_t e = rowStarts_[k]; e < rowStarts_[k + 1]; ++e)
            sum += b[byRow_[e].place] * (w[byRow_[e].column] * a[byRow_[e].place]);
        values_[k] = sum;
        x_[k] = std::abs(sum); // what the pivot comes from
    }
    double *const lower = values_.data() + m, *const upper = lower + half;
    for (std::size_t e = 0; e < half; ++e) {
        double below = 0, above = 0;
        for (std::size_t k = termStarts_[e]; k < termStarts_[e + 1]; ++k) {
            const Term& term = terms_[k];
            const double weight = w[term.column];
            below += b[term.later] * (weight * a[term.first]);
            above += b[term.first] * (weight * a[term.later]);
        }
        lower[e] = below;
        upper[e] = above;
    }
    b_ = b;
    a_ = a;
}

/// Not a number is no pivot either.
bool ConstraintSchur::takePivot(std::size_t step, double pivot)
{
    const double size = std::abs(pivot);
    least_ = std::min(least_, size);
    most_ = std::max(most_, size);
    inverse_[step] = 1 / pivot;
    return size > kLeastPivot * x_[step];
}

bool ConstraintSchur::factor(const double* b, const double* w, const double* a)
{
    sumUp(b, w, a);
    least_ = std::numeric_limits<double>::infinity();
    most_ = 0;
    return (path_ ? eliminatePath() : eliminate()) && std::isfinite(most_);
}

bool ConstraintSchur::eliminate()
{
    const std::size_t m = at(m_), half = later_.size();
    double* const v = values_.data();
    for (std::size_t k = 0; k < m; ++k) {
        if (!takePivot(k, v[k]))
            return false;
        for (std::size_t i = starts_[k]; i < starts_[k + 1]; ++i)
            v[m + i] *= inverse_[k];
        for (std::size_t u = updateStarts_[k]; u < updateStarts_[k + 1]; ++u)
            v[updates_[u].to] -= v[updates_[u].lower] * v[updates_[u].upper];
        for (std::size_t i = starts_[k]; i < starts_[k + 1]; ++i)
            v[m + half + i] *= inverse_[k];
    }
    return true;
}

/// Two recurrences side by side, one from each end, that meet in the last step.
bool ConstraintSchur::eliminatePath()
{
    const std::size_t m = at(m_);
    double *const lower = values_.data() + m, *const upper = lower + (m - 1);
    double pivot = values_[0], next = values_[1];
    bool good = true;
    const auto take = [&](std::size_t k, double from) {
        const double share = lower[k] * upper[k] / pivot;
        good &= takePivot(k, pivot);
        lower[k] *= inverse_[k];
        upper[k] *= inverse_[k];
        return from - share;
    };
    for (std::size_t k = 0; k + 2 < m; ++k) {
        const double later = take(k, values_[k + 2]);
        pivot = std::exchange(next, later);
    }
    next = take(m - 2, next);
    good &= takePivot(m - 1, next);
    return good;
}

void ConstraintSchur::multipliers(const double* y, const double* r, double* lambda)
{
    const auto solved = [&](auto&& rightSide) {
        if (path_)
            solvePath(rightSide, lambda);
        else
            solve(rightSide, lambda);
    };
    if (!y)
        return solved([&](std::size_t step) { return -r[order_[step]]; });
    solved([&](std::size_t step) {
        double sum = -r[order_[step]];
        for (std::size_t e = rowStarts_[step]; e < rowStarts_[step + 1]; ++e)
            sum += b_[byRow_[e].place] * y[byRow_[e].column];
        return sum;
    });
}

/// The two recurrences again, there and back.
template <class RightSide>
void ConstraintSchur::solvePath(RightSide&& rightSide, double* lambda)
{
    const std::size_t m = at(m_);
    const double *const lower = values_.data() + m, *const upper = lower + (m - 1);
    double x = rightSide(0), next = rightSide(1);
    for (std::size_t k = 0; k + 2 < m; ++k) {
        x_[k] = x;
        const double later = rightSide(k + 2) - lower[k] * x;
        x = std::exchange(next, later);
    }
    double after = (next - lower[m - 2] * x) * inverse_[m - 1];
    double before = x * inverse_[m - 2] - upper[m - 2] * after;
    lambda[order_[m - 1]] = after;
    lambda[order_[m - 2]] = before;
    for (std::size_t k = m - 2; k-- > 0;) {
        const double earlier = x_[k] * inverse_[k] - upper[k] * after;
        lambda[order_[k]] = earlier;
        after = std::exchange(before, earlier);
    }
}

template <class RightSide>
void ConstraintSchur::solve(RightSide&& rightSide, double* lambda)
{
    const std::size_t m = at(m_);
    const double *const lower = values_.data() + m, *const upper = lower + later_.size();
    for (std::size_t k = 0; k < m; ++k)
        x_[k] = rightSide(k);
    for (std::size_t k = 0; k < m; ++k)
        for (std::size_t e = starts_[k]; e < starts_[k + 1]; ++e)
            x_[at(later_[e])] -= lower[e] * x_[k];
    for (std::size_t k = m; k-- > 0;) {
        double sum = x_[k] * inverse_[k];
        for (std::size_t e = starts_[k]; e < starts_[k + 1]; ++e)
            sum -= upper[e] * x_[at(later_[e])];
        lambda[order_[k]] = x_[k] = sum;
    }
}

} // namespace driftless::solve
