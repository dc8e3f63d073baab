// The elimination of a small matrix laid out in advance: which entries there are, and each operation on them, for a sequence of
// pivots that a factorisation has found.
//
// The plan never decides anything. Every pivot must be the one that partial pivoting takes, the first of the largest of its
// column, and where it is not, the plan says so and the general elimination begins again. The operations are those of the
// general one in the same order, without those on entries that are zero by structure: so the bits are the same, whatever plan
// is at hand.
//
// A_core: n x n, rows as they were given; p_k: the row that gives pivot k.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "core/solve/DenseArithmetic.h"

namespace driftless::solve {

template <class Number>
class EliminationPlan {
public:
    static constexpr int kMost = 24; ///< rows: beyond, loops over columns do as well

    /// Allocates room for any plan of up to n rows.
    void reserve(int n)
    {
        const std::size_t m = at(n < kMost ? n : kMost), square = m * m;
        entries_.reserve(square + 1);
        for (auto* list : {&places_, &fills_})
            list->reserve(square);
        pivots_.reserve(m);
        for (auto* list : {&lower_, &lowerRow_, &upper_, &above_, &aboveRow_})
            list->reserve(square);
        wins_.reserve(square);
        aboveStarts_.reserve(m + 1);
        targets_.reserve(square * m);
        rows_.reserve(m);
        rowOf_.reserve(m);
    }

    void clear() { ready_ = false; }
    /// Whether it is laid out for these pivots.
    bool isOf(std::span<const int> rowOf) const
    {
        return ready_ && std::equal(rowOf.begin(), rowOf.end(), rowOf_.begin(), rowOf_.end());
    }

    /// structure: n x n by columns, not zero where there is an entry. rowOf[k]: p_k. Does not allocate.
    void build(int n, const std::vector<char>& structure, std::span<const int> rowOf)
    {
        n_ = n;
        rowOf_.assign(rowOf.begin(), rowOf.end());
        fillIn(structure, rowOf);
        for (auto* list : {&lower_, &lowerRow_, &upper_, &above_, &aboveRow_, &targets_})
            list->clear();
        wins_.clear();
        pivots_.clear();
        rows_.resize(at(n));
        for (int i = 0; i < n; ++i)
            rows_[at(i)] = i;
        for (int k = 0; k < n; ++k)
            layOut(k, rowOf);
        aboveStarts_.assign(1, 0);
        for (int k = 0; k < n; ++k) {
            for (int i = 0; i < k; ++i)
                if (const int entry = place(rowOf[at(i)], k); entry >= 0) {
                    above_.push_back(index(entry));
                    aboveRow_.push_back(index(i));
                }
            aboveStarts_.push_back(above_.size());
        }
        ready_ = true;
    }

    /// What factor() takes: each entry of the structure at its place, and anything at the place of other ones.
    Number* entries() { return entries_.data(); }
    /// The place of a row as given and a column; of those outside (negative ones), where nothing is read.
    int place(int row, int column) const
    {
        return row < 0 || column < 0 ? static_cast<int>(entries_.size()) - 1 : places_[at(column) * at(n_) + at(row)];
    }

    /// False where partial pivoting takes other pivots, or none. Smallest and largest pivot are carried on.
    bool factor(double& smallest, double& largest)
    {
        Number* const w = entries_.data();
        const std::uint16_t *lower = lower_.data(), *upper = upper_.data(), *target = targets_.data();
        const char* wins = wins_.data();
        for (const int fill : fills_)
            w[fill] = Number(0);
        for (const Pivot& p : pivots_) {
            const double pivot = magnitude(w[p.entry]);
            if (!(pivot > 0 && pivot < HUGE_VAL))
                return false;
            for (int l = 0; l < p.lower; ++l) {
                const double other = magnitude(w[lower[l]]);
                if (!(wins[l] ? other <= pivot : other < pivot))
                    return false;
            }
            smallest = pivot < smallest ? pivot : smallest;
            largest = pivot > largest ? pivot : largest;
            const typename Arithmetic<Number>::Divisor divided(w[p.entry]);
            for (int l = 0; l < p.lower; ++l)
                w[lower[l]] = divided(w[lower[l]]);
            for (int u = 0; u < p.upper; ++u) {
                const Number value = w[upper[u]];
                for (int l = 0; l < p.lower; ++l)
                    w[target[l]] -= product(w[lower[l]], value);
                target += p.lower;
            }
            lower += p.lower;
            wins += p.lower;
            upper += p.upper;
        }
        return true;
    }

    /// x: right-hand side by the order of the pivots, then the solution.
    void solve(Number* x) const
    {
        const Number* const w = entries_.data();
        const std::uint16_t *lower = lower_.data(), *row = lowerRow_.data();
        for (int k = 0; k < n_; ++k) {
            const int count = pivots_[at(k)].lower;
            const Number value = x[k];
            for (int l = 0; l < count; ++l)
                x[row[l]] -= product(w[lower[l]], value);
            lower += count;
            row += count;
        }
        for (int k = n_ - 1; k >= 0; --k) {
            x[k] /= w[pivots_[at(k)].entry];
            const Number value = x[k];
            for (std::size_t i = aboveStarts_[at(k)]; i < aboveStarts_[at(k) + 1]; ++i)
                x[aboveRow_[i]] -= product(w[above_[i]], value);
        }
    }

private:
    struct Pivot {
        int entry, lower, upper; ///< its place, and how many entries stand below it and to the right of it
    };

    static std::size_t at(int i) { return static_cast<std::size_t>(i); }
    static std::uint16_t index(int i) { return static_cast<std::uint16_t>(i); }

    /// places_: the entries that elimination in this order meets, numbered.
    void fillIn(const std::vector<char>& structure, std::span<const int> rowOf)
    {
        const std::size_t n = at(n_);
        places_.assign(n * n, -1);
        for (std::size_t e = 0; e < n * n; ++e)
            if (structure[e])
                places_[e] = 0;
        for (std::size_t k = 0; k < n; ++k)
            for (std::size_t i = k + 1; i < n; ++i)
                if (places_[k * n + at(rowOf[i])] >= 0)
                    for (std::size_t j = k + 1; j < n; ++j)
                        if (places_[j * n + at(rowOf[k])] >= 0)
                            places_[j * n + at(rowOf[i])] = 0;
        int count = 0;
        fills_.clear();
        for (std::size_t e = 0; e < n * n; ++e)
            if (places_[e] >= 0) {
                if (!structure[e])
                    fills_.push_back(count);
                places_[e] = count++;
            }
        entries_.resize(at(count) + 1);
    }

    /// rows_: the order of the rows before this pivot, as exchanges leave it: of equal candidates the first is taken.
    void layOut(int k, std::span<const int> rowOf)
    {
        std::size_t best = at(k);
        while (rows_[best] != rowOf[at(k)])
            ++best;
        Pivot pivot{place(rowOf[at(k)], k), 0, 0};
        for (int i = k + 1; i < n_; ++i)
            if (const int row = rowOf[at(i)]; place(row, k) >= 0) {
                std::size_t where = at(k);
                while (rows_[where] != row)
                    ++where;
                lower_.push_back(index(place(row, k)));
                lowerRow_.push_back(index(i));
                wins_.push_back(best < where);
                ++pivot.lower;
            }
        for (int j = k + 1; j < n_; ++j)
            if (const int entry = place(rowOf[at(k)], j); entry >= 0) {
                upper_.push_back(index(entry));
                ++pivot.upper;
                for (int i = k + 1; i < n_; ++i)
                    if (place(rowOf[at(i)], k) >= 0)
                        targets_.push_back(index(place(rowOf[at(i)], j)));
            }
        pivots_.push_back(pivot);
        std::swap(rows_[at(k)], rows_[best]);
    }

    int n_ = 0;
    bool ready_ = false;
    std::vector<Number> entries_; ///< and one that nobody reads
    std::vector<int> places_;     ///< of entries, n x n by columns; -1 none
    std::vector<int> fills_;      ///< entries that are zero before the elimination
    std::vector<Pivot> pivots_;
    std::vector<std::uint16_t> lower_, lowerRow_; ///< entries below the pivots, with their places in the order of the pivots
    std::vector<char> wins_;                      ///< whether the pivot is taken where that entry is as large
    std::vector<std::uint16_t> upper_, targets_;  ///< entries to the right; what is updated, by columns
    std::vector<std::uint16_t> above_, aboveRow_; ///< entries above each pivot
    std::vector<std::size_t> aboveStarts_;
    std::vector<int> rows_, rowOf_;
};

} // namespace driftless::solve
