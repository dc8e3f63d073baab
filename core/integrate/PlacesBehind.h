// Accelerations from the last places of a motion: second derivatives of the polynomial through them. On a form of index 3 the
// places meet the constraints to round-off, whatever the steps were, while v' of a method may carry what its changes of step
// left behind.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace driftless::integrate {

class PlacesBehind {
public:
    static constexpr std::size_t kMost = 5, kFewest = 4; ///< places; with four the accelerations miss O(h^2)
    using Weights = std::array<double, kMost>;

    /// Room for so many coordinates: nothing is allocated later.
    void allocate(std::size_t coordinates)
    {
        for (auto& places : places_)
            places.assign(coordinates, 0.0);
        clear();
    }
    void clear() { count_ = 0; }
    bool enough() const { return count_ >= kFewest; }
    /// Whether a place at t is at least so far from the last one [s]: nearer ones would bring round-off over the square of
    /// that.
    bool apart(double t, double distance) const { return count_ == 0 || t - times_[0] >= distance; }

    /// A place at t, later than all others, to be filled; the oldest gives way.
    std::span<double> add(double t)
    {
        std::rotate(places_.begin(), places_.end() - 1, places_.end());
        std::rotate(times_.begin(), times_.end() - 1, times_.end());
        times_[0] = t;
        count_ = std::min(count_ + 1, kMost);
        return places_[0];
    }

    /// weights[i] of the i-th place, the latest first, in the second derivative at t [1/s^2] of the polynomial through `points`
    /// places (all that there are, if fewer): the sum over a, b of 1 / ((t_i - t_a) (t_i - t_b)) times the product over the
    /// others of (t - t_c) / (t_i - t_c).
    Weights weights(double t, std::size_t points = kMost) const
    {
        const std::size_t n = std::min(points, count_);
        Weights out{};
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t a = 0; a < n; ++a)
                for (std::size_t b = 0; b < n; ++b) {
                    if (a == i || b == i || a == b)
                        continue;
                    double term = 1 / ((times_[i] - times_[a]) * (times_[i] - times_[b]));
                    for (std::size_t c = 0; c < n; ++c)
                        if (c != i && c != a && c != b)
                            term *= (t - times_[c]) / (times_[i] - times_[c]);
                    out[i] += term;
                }
        return out;
    }
    double acceleration(std::size_t coordinate, const Weights& weights) const
    {
        double sum = 0;
        for (std::size_t i = 0; i < count_; ++i)
            sum += weights[i] * places_[i][coordinate];
        return sum;
    }

private:
    std::array<std::vector<double>, kMost> places_; ///< the latest first
    std::array<double, kMost> times_{};
    std::size_t count_ = 0;
};

} // namespace driftless::integrate
