// Values between two rows that have no rate of their own: the cubic through these rows and the two before them, as far as those
// are of the same smooth piece of the motion. In the first step behind a jump it is the line between the two. Rows that come
// later count nothing: a change made at a time goes on with what is shown there.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace driftless::run {

/// Row: what gives the values of one row by their columns, the time by -1.
template <typename Row>
class NeighbourRows {
public:
    /// Data: a recording; between its rows r and r + 1.
    template <typename Data>
    NeighbourRows(const Data& data, std::uint64_t r, const Row& from, const Row& to) : rows_{from, to}
    {
        times_[0] = from(-1);
        times_[1] = to(-1);
        while (r > 0 && count_ < kMost && take(data.row(r - 1)))
            --r;
    }

    /// By divided differences: what stands still does so to the last bit.
    double at(double t, int column) const
    {
        const double h = times_[1] - times_[0];
        std::array<double, kMost> c{};
        for (std::size_t i = 0; i < count_; ++i)
            c[i] = rows_[i](column);
        const double line = c[0] + (t - times_[0]) / h * (c[1] - c[0]);
        for (std::size_t order = 1; order < count_; ++order)
            for (std::size_t i = count_ - 1; i >= order; --i)
                c[i] = (c[i] - c[i - 1]) / (times_[i] - times_[i - order]);
        double bend = 0;
        for (std::size_t i = count_ - 1; i >= 2; --i)
            bend = bend * (t - times_[i]) + c[i];
        const double value = line + bend * (t - times_[0]) * (t - times_[1]);
        return std::isfinite(value) ? value : line;
    }

private:
    static constexpr std::size_t kMost = 4;
    /// Of the step: a neighbour that is nearer belongs to another piece (two rows stand at one time where something jumps), or
    /// its round-off would count more than what it says.
    static constexpr double kNearest = 0.1;

    bool take(const Row& earlier)
    {
        const double t = earlier(-1), next = times_[count_ == 2 ? 0 : count_ - 1];
        if (!(next - t >= kNearest * (times_[1] - times_[0])))
            return false;
        rows_[count_] = earlier;
        times_[count_++] = t;
        return true;
    }

    std::size_t count_ = 2;
    std::array<Row, kMost> rows_;
    std::array<double, kMost> times_{}; ///< [s]
};

} // namespace driftless::run
