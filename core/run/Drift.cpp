#include "core/run/Drift.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace driftless::run {

namespace {

constexpr int kMaxDegree = 4;
constexpr double kCounts = 5.0;      // CLI.md: a degree counts when it lowers the rms misfit this often
constexpr double kFloor = 1e-12;     // CLI.md: below this there is no drift
constexpr int kCentres = 96;
constexpr double kHalfWidth = 1.0 / 16; // of the window, as a share of the run

double rms(std::span<const double> x)
{
    double sum = 0;
    for (const double value : x)
        sum += value * value;
    return std::sqrt(sum / static_cast<double>(x.size()));
}

/// Window averages at equally spaced centres in [0, 1]; both lists get one entry per centre that has samples.
void smooth(std::span<const double> s, std::span<const double> x, std::vector<double>& centres, std::vector<double>& means)
{
    for (int k = 0; k < kCentres; ++k) {
        const double c = kHalfWidth + (1 - 2 * kHalfWidth) * k / (kCentres - 1);
        const auto from = std::lower_bound(s.begin(), s.end(), c - kHalfWidth) - s.begin();
        const auto to = std::upper_bound(s.begin(), s.end(), c + kHalfWidth) - s.begin();
        // The trapezoidal rule in time: steps of an adaptive method are not equally dense.
        double weight = 0, sum = 0, place = 0;
        for (auto i = std::max<std::ptrdiff_t>(from, 1); i < to && i + 1 < static_cast<std::ptrdiff_t>(s.size()); ++i) {
            const auto j = static_cast<std::size_t>(i);
            const double hann = 1 + std::cos(std::numbers::pi * (s[j] - c) / kHalfWidth);
            const double w = hann * (s[j + 1] - s[j - 1]);
            weight += w;
            sum += w * x[j];
            place += w * s[j];
        }
        if (weight > 0) {
            centres.push_back(place / weight);
            means.push_back(sum / weight);
        }
    }
}

/// rms misfits of least-squares polynomials of degree 0 to kMaxDegree, by orthogonal polynomials on the points.
std::array<double, kMaxDegree + 1> misfits(std::span<const double> s, std::vector<double> x)
{
    std::array<double, kMaxDegree + 1> out{};
    std::vector<std::vector<double>> basis;
    for (int d = 0; d <= kMaxDegree; ++d) {
        std::vector<double> p(s.size(), 1.0);
        if (d > 0)
            for (std::size_t i = 0; i < s.size(); ++i)
                p[i] = basis.back()[i] * (2 * s[i] - 1);
        const auto remove = [&](std::vector<double>& from, const std::vector<double>& b) {
            double dot = 0;
            for (std::size_t i = 0; i < s.size(); ++i)
                dot += from[i] * b[i];
            for (std::size_t i = 0; i < s.size(); ++i)
                from[i] -= dot * b[i];
        };
        for (int twice = 0; twice < 2; ++twice)
            for (const auto& b : basis)
                remove(p, b);
        const double norm = rms(p) * std::sqrt(static_cast<double>(p.size()));
        if (norm > 0)
            for (double& value : p)
                value /= norm;
        remove(x, p);
        basis.push_back(std::move(p));
        out[static_cast<std::size_t>(d)] = rms(x);
    }
    return out;
}

} // namespace

std::string classifyDrift(std::span<const double> t, std::span<const double> x, double tolerance)
{
    const double threshold = std::max(10 * tolerance, kFloor);
    if (t.size() < 3 || !(t.back() > t.front()) || !(rms(x) >= threshold))
        return "none";
    std::vector<double> s(t.size());
    for (std::size_t i = 0; i < t.size(); ++i)
        s[i] = (t[i] - t.front()) / (t.back() - t.front());
    std::vector<double> centres, means;
    smooth(s, x, centres, means);
    if (centres.size() < kMaxDegree + 2) {
        centres = s;
        means.assign(x.begin(), x.end());
    }
    if (centres.size() < kMaxDegree + 2)
        return "none";
    const auto misfit = misfits(centres, means);
    int degree = 0;
    for (int d = 1; d <= kMaxDegree; ++d)
        if (misfit[static_cast<std::size_t>(d - 1)] >= threshold &&
            misfit[static_cast<std::size_t>(d - 1)] >= kCounts * misfit[static_cast<std::size_t>(d)])
            degree = d;
    static constexpr std::array kNames{"none", "linear", "quadratic", "cubic", "quartic"};
    return kNames[static_cast<std::size_t>(degree)];
}

} // namespace driftless::run
