// Samples of trails, made finer where one of them turns or leaps.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace driftless::scene {

class TrailCurve {
public:
    /// numbers: of a sample, three for each trace [m]. bend [rad]: between neighbouring chords. leap [m].
    TrailCurve(std::size_t numbers, double bend, double leap) : numbers_(numbers), bend_(std::cos(bend)), leap_(leap) {}

    /// at(t, out) writes a sample, or answers false; then there is a gap.
    template <class At>
    void add(double t, At&& at)
    {
        coarse_.push_back({t, sample(t, at)});
    }
    void end(double t, std::vector<double> values) { coarse_.push_back({t, std::move(values)}); }

    /// All samples one behind the other, with those that were added between; times() are theirs.
    template <class At>
    std::vector<double> refined(At&& at)
    {
        std::vector<Sample> out;
        for (std::size_t i = 0; i < coarse_.size(); ++i) {
            out.push_back(coarse_[i]);
            if (i + 1 < coarse_.size() && (turns(i) || turns(i + 1) || leaps(i)))
                halve(coarse_[i], coarse_[i + 1], kDeepest, at, out);
        }
        std::vector<double> values;
        values.reserve(out.size() * numbers_);
        times_.clear();
        for (const Sample& s : out) {
            times_.push_back(s.t);
            values.insert(values.end(), s.values.begin(), s.values.end());
        }
        return values;
    }
    const std::vector<double>& times() const { return times_; }

private:
    static constexpr int kDeepest = 3;             ///< a cell becomes eight
    static constexpr double kStays = 0.7;          ///< half of a cell that has this share of its chord: the trace leaps
    static constexpr double kLongerThanBefore = 4; ///< a chord that much longer than its neighbour is looked into

    struct Sample {
        double t = 0;
        std::vector<double> values;
    };

    template <class At>
    std::vector<double> sample(double t, At& at) const
    {
        std::vector<double> values(numbers_);
        if (!at(t, values.data()))
            values.assign(numbers_, std::numeric_limits<double>::quiet_NaN());
        return values;
    }

    double chord(const Sample& a, const Sample& b, std::size_t trace) const
    {
        return std::hypot(b.values[trace] - a.values[trace], b.values[trace + 1] - a.values[trace + 1],
                          b.values[trace + 2] - a.values[trace + 2]);
    }

    /// Whether a trace bends at sample i.
    bool turns(std::size_t i) const
    {
        if (i == 0 || i + 1 >= coarse_.size())
            return false;
        const Sample &a = coarse_[i - 1], &b = coarse_[i], &c = coarse_[i + 1];
        for (std::size_t k = 0; k < numbers_; k += 3) {
            double along = 0;
            for (std::size_t x = k; x < k + 3; ++x)
                along += (b.values[x] - a.values[x]) * (c.values[x] - b.values[x]);
            const double size = chord(a, b, k) * chord(b, c, k);
            if (size > 1e-6 * leap_ * leap_ && along < bend_ * size)
                return true;
        }
        return false;
    }

    /// Whether a trace moves much farther in cell i than in the one before.
    bool leaps(std::size_t i) const
    {
        for (std::size_t k = 0; k < numbers_; k += 3) {
            const double here = chord(coarse_[i], coarse_[i + 1], k);
            if (here > leap_ && (i == 0 || here > kLongerThanBefore * chord(coarse_[i - 1], coarse_[i], k)))
                return true;
        }
        return false;
    }

    template <class At>
    void halve(const Sample& a, const Sample& b, int depth, At& at, std::vector<Sample>& out) const
    {
        if (depth == 0)
            return;
        const double t = a.t + (b.t - a.t) / 2;
        Sample middle{t, sample(t, at)};
        halve(a, middle, depth - 1, at, out);
        if (depth == 1)
            breakAtLeaps(a, middle, b);
        out.push_back(middle);
        halve(middle, b, depth - 1, at, out);
    }

    /// What is as long in one half as in the whole did not move there: it was set.
    void breakAtLeaps(const Sample& a, Sample& middle, const Sample& b) const
    {
        for (std::size_t k = 0; k < numbers_; k += 3) {
            const double whole = chord(a, b, k), half = std::max(chord(a, middle, k), chord(middle, b, k));
            const double other = std::min(chord(a, middle, k), chord(middle, b, k));
            if (whole > leap_ && half > kStays * whole && other < (1 - kStays) * whole)
                for (std::size_t x = k; x < k + 3; ++x)
                    middle.values[x] = std::numeric_limits<double>::quiet_NaN();
        }
    }

    std::size_t numbers_;
    double bend_, leap_;
    std::vector<Sample> coarse_;
    std::vector<double> times_;
};

} // namespace driftless::scene
