// The elimination of a linear system written out as operations of a tape, along pivots that are given.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/expr/Tape.h"

namespace driftless::expr {

/// Writer: what emits operations (Tape::Compiler) on its values, which compare equal where they are the same.
template <class Writer, class Value>
class WrittenElimination {
public:
    /// values: the right-hand sides, then the entries of the matrix on system.places.
    WrittenElimination(Writer& writer, const Tape::LinearSystem& system, const std::vector<Value>& values)
        : writer_(writer), system_(system), sides_(values.begin(), values.begin() + system.size), rows_(sides_.size())
    {
        for (std::size_t k = 0; k < system.places.size(); ++k)
            rows_[index(system.places[k].first)].emplace(system.places[k].second, values[sides_.size() + k]);
        solve();
    }

    const std::vector<Value>& solution() const { return x_; }
    /// The value of each pivot when it is taken.
    const std::vector<Value>& pivots() const { return pivots_; }

    /// What the residuals exceed round-off by, of rows that are more than x_j = b_i.
    std::vector<Value> excess(double tolerated)
    {
        return excess(tolerated, [this](std::size_t i) { return residualOf(i); });
    }
    /// The same, but an unknown whose pivot is an entry as it stands, and none that is watched, has the round-off of all
    /// numbers of that row: the acceleration of a link in a long chain is a small difference of large forces, and the rows in
    /// which it stands can be no better. Last comes what the residuals of those other rows together exceed the share `widest`
    /// of their own numbers by. Together, because a single row may be zero by symmetry.
    template <class IsWatched>
    std::vector<Value> excessOfRows(IsWatched&& isWatched, double tolerated, double widest)
    {
        std::vector<Value> entering; // of the unknowns, their own sizes at first
        for (const Value value : x_)
            entering.push_back(writer_.magnitude(value));
        std::vector<char> isGiving(rows_.size(), 0); // rows that give an unknown as they stand
        for (std::size_t k = 0; k < pivots_.size(); ++k) {
            const auto [row, column] = system_.pivots[k];
            const Row& numbers = rows_[index(row)];
            const auto pivot = numbers.find(column);
            if (numbers.size() == 1 || pivot == numbers.end() || pivot->second != pivots_[k] || isWatched(pivots_[k]))
                continue;
            isGiving[index(row)] = 1;
            Value size = writer_.magnitude(sides_[index(row)]);
            for (const auto& [j, value] : numbers)
                if (j != column)
                    size = writer_.sum(size, writer_.magnitude(writer_.productOf(value, x_[index(j)])));
            entering[index(column)] = writer_.quotient(size, writer_.magnitude(pivots_[k]));
        }
        std::vector<Value> out = excess(tolerated, [&](std::size_t i) { return residualOf(i, entering); });
        Value rest = writer_.constantValue(0), size = rest;
        for (std::size_t i = 0; i < rows_.size(); ++i)
            if (isJudged(rows_[i]) && !isGiving[i]) {
                const Residual residual = residualOf(i);
                rest = writer_.sum(rest, residual.rest);
                size = writer_.sum(size, residual.size);
            }
        out.push_back(writer_.writtenDifference(rest, writer_.productOf(writer_.constantValue(widest), size)));
        return out;
    }

private:
    using Row = std::map<int, Value>; ///< by columns

    static std::size_t index(int i) { return static_cast<std::size_t>(i); }
    bool isJudged(const Row& row) const { return row.size() > 1 || !writer_.isConstant(row.begin()->second, 1); }

    /// |b - A x| of a row, and the sum of its numbers' magnitudes.
    struct Residual {
        Value rest, size;
    };
    template <class ResidualOf>
    std::vector<Value> excess(double tolerated, ResidualOf&& of)
    {
        std::vector<Value> out;
        for (std::size_t i = 0; i < rows_.size(); ++i)
            if (isJudged(rows_[i])) {
                const Residual residual = of(i);
                out.push_back(writer_.writtenDifference(residual.rest,
                                                        writer_.productOf(writer_.constantValue(tolerated), residual.size)));
            }
        return out;
    }
    Residual residualOf(std::size_t i)
    {
        return written(i, [this](int, Value, Value product) { return writer_.magnitude(product); });
    }
    /// sizes: of the unknowns, in place of their own.
    Residual residualOf(std::size_t i, const std::vector<Value>& sizes)
    {
        return written(i, [&](int column, Value entry, Value) {
            return writer_.productOf(writer_.magnitude(entry), sizes[index(column)]);
        });
    }
    template <class SizeOf>
    Residual written(std::size_t i, SizeOf&& sizeOf)
    {
        Value rest = sides_[i], size = writer_.magnitude(sides_[i]);
        for (const auto& [column, value] : rows_[i]) {
            const Value product = writer_.productOf(value, x_[index(column)]);
            rest = writer_.writtenDifference(rest, product);
            size = writer_.sum(size, sizeOf(column, value, product));
        }
        return {writer_.magnitude(rest), size};
    }

    void solve()
    {
        const std::size_t n = sides_.size();
        std::vector<Row> rows = rows_;
        std::vector<Value> sides = sides_, inverse(n);
        std::vector<std::set<int>> open(n); // of each column the rows that have had no pivot yet
        for (const auto& [row, column] : system_.places)
            open[index(column)].insert(row);
        for (const auto& [pivotRow, column] : system_.pivots) {
            const std::size_t p = index(pivotRow);
            for (const auto& [j, value] : rows[p])
                open[index(j)].erase(pivotRow);
            pivots_.push_back(rows[p].at(column));
            inverse[p] = writer_.quotient(writer_.constantValue(1), pivots_.back());
            for (const int i : open[index(column)]) {
                Row& row = rows[index(i)];
                const auto below = row.find(column);
                const Value factor = writer_.productOf(below->second, inverse[p]);
                row.erase(below);
                for (const auto& [j, value] : rows[p]) {
                    if (j == column)
                        continue;
                    const auto [to, isNew] = row.try_emplace(j, writer_.constantValue(0));
                    to->second = writer_.differenceOf(to->second, writer_.productOf(factor, value));
                    if (isNew)
                        open[index(j)].insert(i);
                }
                sides[index(i)] = writer_.differenceOf(sides[index(i)], writer_.productOf(factor, sides[p]));
            }
        }
        substituteBack(rows, sides, inverse);
    }

    /// The unknowns, the last pivot's first; each row takes them in that order.
    void substituteBack(const std::vector<Row>& rows, std::vector<Value>& sides, const std::vector<Value>& inverse)
    {
        const std::size_t n = sides.size();
        x_.resize(n);
        std::vector<std::size_t> turn(n); // of the columns
        for (std::size_t k = 0; k < n; ++k)
            turn[index(system_.pivots[k].second)] = k;
        for (std::size_t k = n; k-- > 0;) {
            const auto [pivotRow, column] = system_.pivots[k];
            const std::size_t p = index(pivotRow);
            std::vector<std::pair<std::size_t, Value>> known;
            for (const auto& [j, value] : rows[p])
                if (turn[index(j)] > k)
                    known.emplace_back(turn[index(j)], value);
            std::ranges::sort(known, std::greater<>());
            for (const auto& [later, value] : known)
                sides[p] = writer_.differenceOf(sides[p], writer_.productOf(value, x_[index(system_.pivots[later].second)]));
            x_[index(column)] = writer_.productOf(sides[p], inverse[p]);
        }
    }

    Writer& writer_;
    const Tape::LinearSystem& system_;
    std::vector<Value> sides_, x_, pivots_;
    std::vector<Row> rows_;
};

} // namespace driftless::expr
