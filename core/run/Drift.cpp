#include "core/run/Drift.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace driftless::run {

namespace {

constexpr int kMaxDegree = 2;    // what steps add up to where g'' = 0 is kept; no class lies beyond (docs/monitors.md)
constexpr double kCounts = 5.0;  // a degree counts when it lowers the rms misfit this often
constexpr double kFloor = 1e-12; // below this there is no drift

/// Shares of the run that the samples stand for, by the trapezoidal rule: steps of an adaptive method are not equally dense in
/// t.
std::vector<double> sharesOf(std::span<const double> t)
{
    std::vector<double> w(t.size(), 0.0);
    const double whole = t.back() - t.front();
    for (std::size_t i = 0; i + 1 < t.size(); ++i) {
        const double half = 0.5 * (t[i + 1] - t[i]) / whole;
        w[i] += half;
        w[i + 1] += half;
    }
    return w;
}

double inner(std::span<const double> a, std::span<const double> b, std::span<const double> w)
{
    double sum = 0;
    for (std::size_t i = 0; i < w.size(); ++i)
        sum += w[i] * a[i] * b[i];
    return sum;
}

/// rms misfits of least-squares polynomials of degree 0 to kMaxDegree, by polynomials that are orthonormal on the samples.
std::array<double, kMaxDegree + 1> misfits(std::span<const double> t, std::span<const double> w, std::vector<double> x)
{
    std::array<double, kMaxDegree + 1> out{};
    std::vector<std::vector<double>> basis;
    const double whole = t.back() - t.front();
    for (int d = 0; d <= kMaxDegree; ++d) {
        std::vector<double> p(t.size(), 1.0);
        for (std::size_t i = 0; d > 0 && i < t.size(); ++i)
            p[i] = basis.back()[i] * (2 * (t[i] - t.front()) / whole - 1);
        const auto remove = [&](std::vector<double>& from, const std::vector<double>& b) {
            const double part = inner(from, b, w);
            for (std::size_t i = 0; i < from.size(); ++i)
                from[i] -= part * b[i];
        };
        for (int twice = 0; twice < 2; ++twice)
            for (const auto& b : basis)
                remove(p, b);
        const double norm = std::sqrt(inner(p, p, w));
        for (double& value : p)
            value = norm > 0 ? value / norm : 0;
        remove(x, p);
        basis.push_back(std::move(p));
        out[static_cast<std::size_t>(d)] = std::sqrt(inner(x, x, w));
    }
    return out;
}

} // namespace

std::string classifyDrift(std::span<const double> t, std::span<const double> x, double tolerance)
{
    const double threshold = std::max(10 * tolerance, kFloor);
    constexpr std::size_t kFewest = kMaxDegree + 2; // a polynomial through all samples proves nothing
    if (t.size() < kFewest || !(t.back() > t.front()))
        return "none";
    const std::vector<double> w = sharesOf(t);
    if (!(std::sqrt(inner(x, x, w)) >= threshold))
        return "none";
    const auto misfit = misfits(t, w, {x.begin(), x.end()});
    std::size_t degree = 0;
    for (std::size_t d = 1; d < misfit.size(); ++d)
        if (misfit[degree] >= threshold && misfit[degree] >= kCounts * misfit[d])
            degree = d;
    static constexpr std::array kNames{"none", "linear", "quadratic"};
    return kNames[degree];
}

} // namespace driftless::run
