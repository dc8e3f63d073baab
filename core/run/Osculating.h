// The polynomial through values and rates at up to four times (Hermite), by divided differences; times in units of their span.
#pragma once

#include <array>
#include <cstddef>

namespace driftless::run {

class Osculating {
public:
    static constexpr std::size_t kMost = 4;

    /// Times [s] in rising order: how many there are, the last one that counts.
    Osculating(const std::array<double, kMost>& times, std::size_t count)
        : count_(count), origin_(times[0]), span_(times[count - 1] - times[0])
    {
        for (std::size_t i = 0; i < count; ++i)
            places_[2 * i] = places_[2 * i + 1] = (times[i] - origin_) / span_;
    }

    struct Point {
        double value, rate;
    };
    /// At t [s].
    Point at(double t, const std::array<Point, kMost>& through) const
    {
        std::array<double, 2 * kMost> c{};
        const std::size_t n = 2 * count_;
        for (std::size_t i = 0; i < count_; ++i)
            c[2 * i] = c[2 * i + 1] = through[i].value;
        for (std::size_t order = 1; order < n; ++order)
            for (std::size_t i = n - 1; i >= order; --i) {
                const bool doubled = order == 1 && i % 2 == 1;
                c[i] = doubled ? span_ * through[i / 2].rate : (c[i] - c[i - 1]) / (places_[i] - places_[i - order]);
            }
        const double s = (t - origin_) / span_;
        Point out{c[n - 1], 0};
        for (std::size_t i = n - 1; i-- > 0;) {
            out.rate = out.rate * (s - places_[i]) + out.value;
            out.value = out.value * (s - places_[i]) + c[i];
        }
        out.rate /= span_;
        return out;
    }

    /// Through the values alone.
    double through(double t, const std::array<double, kMost>& values) const
    {
        const double s = (t - origin_) / span_;
        double sum = 0;
        for (std::size_t i = 0; i < count_; ++i) {
            double weight = values[i];
            for (std::size_t j = 0; j < count_; ++j)
                if (j != i)
                    weight *= (s - places_[2 * j]) / (places_[2 * i] - places_[2 * j]);
            sum += weight;
        }
        return sum;
    }

private:
    std::size_t count_;
    double origin_, span_;                   ///< [s]
    std::array<double, 2 * kMost> places_{}; ///< each twice
};

} // namespace driftless::run
