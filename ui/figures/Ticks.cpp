#include "ui/figures/Ticks.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless::figures {

namespace {

constexpr int kMostTicks = 1000; // a bound on loops, far beyond what a page shows
constexpr double kHighestDecade = 300;
constexpr double kRoom = 0.04;       // of the range, beyond the data on both sides
constexpr double kDecadeRoom = 0.03; // the same where whole decades are shown

/// Distance of 1, 2 or 5 times a power of ten that gives at most about `most` steps.
double tickDistance(double span, int most)
{
    const double raw = span / std::max(most, 1);
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    for (const double step : {1.0, 2.0, 5.0})
        if (step * power >= raw * (1 - 1e-9))
            return step * power;
    return 10 * power;
}

std::vector<double> multiples(Range range, double distance)
{
    std::vector<double> out;
    const double slack = 1e-9 * distance;
    double k = std::ceil((range.low - slack) / distance);
    for (int n = 0; n < kMostTicks && k * distance <= range.high + slack; ++n, ++k)
        out.push_back(k == 0 ? 0.0 : k * distance);
    return out;
}

/// "-3" with a true minus sign inside mathematics.
QString decade(int exponent) { return QStringLiteral("$10^{%1}$").arg(exponent); }

QString powerTick(int factor, int exponent)
{
    if (exponent >= -2 && exponent <= 3)
        return QString::number(factor * std::pow(10.0, exponent), 'g', 4);
    return factor == 1 ? decade(exponent) : QStringLiteral("$%1\\cdot10^{%2}$").arg(factor).arg(exponent);
}

std::vector<double> usable(const std::vector<double>& values, bool logarithmic)
{
    std::vector<double> out;
    out.reserve(values.size());
    for (const double v : values)
        if (std::isfinite(v) && (!logarithmic || v > 0))
            out.push_back(v);
    return out;
}

} // namespace

QString tickLabel(double value, double distance, double largest)
{
    constexpr double kLargest = 1e5, kSmallest = 1e-4;
    if (value == 0)
        return QStringLiteral("0");
    const double size = std::abs(value);
    const QString sign = value < 0 ? QStringLiteral("−") : QString();
    if (largest >= kLargest || distance < kSmallest) {
        const int exponent = static_cast<int>(std::floor(std::log10(std::max(size, largest)) + 1e-12));
        const int digits = std::clamp(exponent - static_cast<int>(std::floor(std::log10(distance) + 1e-9)), 0, 15);
        return QStringLiteral("%1$%2\\cdot10^{%3}$")
            .arg(sign, QString::number(size / std::pow(10.0, exponent), 'f', digits))
            .arg(exponent);
    }
    const int digits = std::max(0, -static_cast<int>(std::floor(std::log10(distance) + 1e-9)));
    return sign + QString::number(size, 'f', digits);
}

Ticks linearTicks(Range range, int most)
{
    Ticks out;
    if (!(range.high > range.low) || !std::isfinite(range.high - range.low))
        return out;
    const double distance = tickDistance(range.high - range.low, most);
    const std::vector<double> values = multiples(range, distance);
    double largest = 0;
    for (const double value : values)
        largest = std::max(largest, std::abs(value));
    for (const double value : values)
        out.major.push_back({value, tickLabel(value, distance, largest)});
    // Halves of 1 would be 0.5: five steps between multiples of 1 and 5, four between those of 2.
    const double lead = distance / std::pow(10.0, std::floor(std::log10(distance) + 1e-9));
    const int parts = std::lround(lead) == 2 ? 4 : 5;
    for (const double value : multiples(range, distance / parts)) {
        const double nearest = std::round(value / distance) * distance;
        if (std::abs(value - nearest) > 0.25 * distance / parts)
            out.minor.push_back(value);
    }
    return out;
}

Ticks decadeTicks(Range range, int most)
{
    Ticks out;
    if (!(range.low > 0) || !(range.high > range.low))
        return out;
    const double from = std::log10(range.low), to = std::log10(range.high);
    const int first = static_cast<int>(std::ceil(from - 1e-9)), last = static_cast<int>(std::floor(to + 1e-9));
    const auto inside = [&](double v) { return std::log10(v) >= from - 1e-9 && std::log10(v) <= to + 1e-9; };
    const bool few = last - first < 1;
    int every = 1;
    while ((last - first) / every + 1 > std::max(most, 2))
        ++every;
    for (int d = first - 1; d <= last; ++d)
        for (int factor = 1; factor <= 9; ++factor) {
            const double value = factor * std::pow(10.0, d);
            if (!inside(value))
                continue;
            if (factor == 1 ? (d % every == 0 || few) : few && (factor == 2 || factor == 5))
                out.major.push_back({value, few ? powerTick(factor, d) : decade(d)});
            else if (every == 1 || factor == 1)
                out.minor.push_back(value);
        }
    return out;
}

Range niceRange(const std::vector<double>& values, bool logarithmic)
{
    const std::vector<double> seen = usable(values, logarithmic);
    if (seen.empty())
        return logarithmic ? Range{1e-8, 1} : Range{-1, 1};
    const auto [lowest, highest] = std::minmax_element(seen.begin(), seen.end());
    const double low = *lowest, high = *highest;
    if (logarithmic) {
        double from = std::log10(low), to = std::log10(high);
        if (to - from >= 2.5) {
            // Data that end just beyond a decade need no further one, but they stay inside with what a line is wide.
            const double room = kDecadeRoom * (to - from), lowest = from - room, highest = to + room;
            from = std::min(std::floor(from + 0.02), lowest);
            to = std::min(std::max(std::ceil(to - 0.02), highest), kHighestDecade);
        } else {
            const double room = std::max(0.15, 0.08 * (to - from));
            from -= room;
            to += room;
        }
        return {std::pow(10.0, from), std::pow(10.0, to)};
    }
    if (high - low <= 1e-12 * std::max(std::abs(low), std::abs(high))) {
        const double room = high == 0 ? 1 : 0.1 * std::abs(high);
        return {low - room, high + room};
    }
    const double half = tickDistance(high - low, 6) / 2, room = kRoom * (high - low);
    return {std::floor((low - room) / half) * half, std::ceil((high + room) / half) * half};
}

Range exactRange(const std::vector<double>& values, bool logarithmic)
{
    const std::vector<double> seen = usable(values, logarithmic);
    if (seen.empty())
        return logarithmic ? Range{1e-8, 1} : Range{0, 1};
    const auto [lowest, highest] = std::minmax_element(seen.begin(), seen.end());
    if (*highest > *lowest)
        return {*lowest, *highest};
    return niceRange(seen, logarithmic);
}

} // namespace driftless::figures
