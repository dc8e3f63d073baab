// Inside of a step whose method's polynomial was recorded at some places (Recording::appendBetween): the rows at both ends and
// the states between them that are nearest to a time, and the state there by the polynomial through them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/run/Osculating.h"

namespace driftless::run {

/// Row: what gives the values of one row by their columns, the time by -1.
template <typename Row>
struct NearestStates {
    std::array<Row, Osculating::kMost> rows{}; ///< in order of time
    std::size_t count = 0;                     ///< none where no state was recorded in between, or one off the polynomial
    std::size_t left = 0;                      ///< the last one not behind the time

    /// Data: a recording with its rows in between.
    template <typename Data>
    static NearestStates around(const Data& data, double t, const Row& before, const Row& after)
    {
        NearestStates out;
        if (!data.between || data.between->rows == 0)
            return out;
        const Data& inner = *data.between;
        const int mark = static_cast<int>(inner.columns->size());
        const double t0 = before(-1), t1 = after(-1);
        const auto counts = [&](const Row& row) { return row(-1) > t0 && row(-1) < t1 && row(mark) > 0; };
        constexpr std::size_t kSide = Osculating::kMost - 1;
        std::array<Row, kSide> early, late;
        std::size_t lefts = 0, rights = 0;
        const std::uint64_t next = inner.countBefore(t, true);
        for (std::uint64_t r = next; lefts < kSide && r-- > 0 && counts(inner.row(r));)
            early[lefts++] = inner.row(r);
        for (std::uint64_t r = next; rights < kSide && r < inner.rows && counts(inner.row(r)); ++r)
            late[rights++] = inner.row(r);
        if (lefts + rights == 0)
            return out;
        if (lefts < kSide)
            early[lefts++] = before;
        if (rights < kSide)
            late[rights++] = after;
        constexpr std::size_t kMost = Osculating::kMost;
        const std::size_t right = std::min(rights, kMost - std::min<std::size_t>(lefts, kMost / 2));
        const std::size_t on = std::min(lefts, kMost - right);
        for (std::size_t i = on; i-- > 0;)
            out.rows[out.count++] = early[i];
        out.left = out.count - 1;
        for (std::size_t i = 0; i < right; ++i)
            out.rows[out.count++] = late[i];
        return out;
    }

    /// Positions by values and rates, velocities as their rates where they are, multipliers linearly.
    template <typename Data>
    void stateAt(double t, const Data& data, double* q, double* v, double* lambda) const
    {
        std::array<double, Osculating::kMost> times{}, values{};
        std::array<Osculating::Point, Osculating::kMost> points{};
        for (std::size_t k = 0; k < count; ++k)
            times[k] = rows[k](-1);
        const Osculating polynomial(times, count);
        const auto hermite = [&](int value, int rate) {
            for (std::size_t k = 0; k < count; ++k)
                points[k] = {rows[k](value), rows[k](rate)};
            return polynomial.at(t, points);
        };
        for (int i = 0; i < data.n; ++i) {
            const auto point = hermite(i, data.rateColumn(i));
            q[i] = point.value;
            v[i] = point.rate;
            for (std::size_t k = 0; data.ratesApart && k < count; ++k)
                values[k] = rows[k](data.n + i);
            if (data.ratesApart)
                v[i] = polynomial.through(t, values);
        }
        const double s = (t - times[left]) / (times[left + 1] - times[left]);
        for (int i = 0; i < data.m; ++i) {
            const int c = 2 * data.n + i;
            const double l0 = rows[left](c), l1 = rows[left + 1](c);
            lambda[i] = data.isFollowed(i) ? hermite(c, c + 1).value : l0 + s * (l1 - l0);
        }
    }
};

} // namespace driftless::run
