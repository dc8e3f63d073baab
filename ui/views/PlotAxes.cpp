// Axes of plots: their ranges around the data, their ticks, and numbers as texts.
#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/document/NumberText.h"
#include "ui/figures/ColumnBand.h"
#include "ui/views/PlotData.h"

namespace driftless::ui {

namespace {

/// This share of a curve's lowest points may leave a logarithmic plot at its bottom: passing zeros, not a level.
constexpr double kDipShare = 0.02;
constexpr double kHighestDecade = 300;
constexpr PlotRange kUsualDecades{1e-8, 1}, kDecadesOfZero{1e-17, 1e-14};

/// What a curve reaches: the least of its points or of its band, but for dips, and the most. Zeros are none of it.
void reachOf(const PlotCurve& curve, bool logarithmic, std::vector<double>& sorted, double& low, double& high)
{
    sorted.clear();
    for (const QPointF& p : curve.points)
        if (std::isfinite(p.y()) && (!logarithmic || p.y() > 0))
            sorted.push_back(p.y());
    const std::size_t line = sorted.size();
    for (const PlotBand& band : curve.band) {
        high = std::max(high, band.high);
        sorted.push_back(band.low);
    }
    if (sorted.empty())
        return;
    for (std::size_t i = 0; i < line; ++i)
        high = std::max(high, sorted[i]);
    const auto dips = logarithmic ? static_cast<std::ptrdiff_t>(kDipShare * static_cast<double>(sorted.size())) + 1 : 0;
    const auto place = sorted.begin() + std::min<std::ptrdiff_t>(dips, static_cast<std::ptrdiff_t>(sorted.size()) - 1);
    std::nth_element(sorted.begin(), place, sorted.end());
    low = std::min(low, *place);
}

double widest(const std::vector<PlotTick>& ticks, const TextWidth& width)
{
    double most = 0;
    for (const PlotTick& tick : ticks)
        most = std::max(most, width(tick.text));
    return most;
}

QString withSign(double value, const QString& size) { return value < 0 ? QStringLiteral("−") + size : size; }

/// " + 0.1025", with the digits down to a power of ten.
QString offsetText(double offset, double power)
{
    if (offset == 0)
        return {};
    const double size = std::abs(offset);
    const int digits = std::clamp(static_cast<int>(std::lround(std::floor(std::log10(size)) - std::log10(power))) + 1, 1, 15);
    QString text = QString::number(size, 'g', digits);
    if (const qsizetype e = text.indexOf('e'); e >= 0)
        text = text.left(e) + QStringLiteral("·") + decadeText(text.mid(e + 1).toInt());
    return (offset < 0 ? QStringLiteral(" − ") : QStringLiteral(" + ")) + text;
}

/// The texts of the differences from an offset, in units of their power of ten.
FittedTicks relativeTicks(std::vector<PlotTick> ticks, double offset, double distance)
{
    constexpr int kLeastPlain = -1, kMostPlain = 2; // powers of ten that need not be named
    FittedTicks out;
    double largest = distance;
    for (const PlotTick& tick : ticks)
        largest = std::max(largest, std::abs(tick.value - offset));
    const double slack = 1e-9;
    int exponent = static_cast<int>(std::floor(std::log10(largest) + slack));
    if (exponent >= kLeastPlain && exponent <= kMostPlain)
        exponent = 0;
    const int digits = std::clamp(exponent - static_cast<int>(std::floor(std::log10(distance) + slack)), 0, 15);
    for (PlotTick& tick : ticks) {
        const double steps = std::round((tick.value - offset) / distance), size = std::abs(steps) * distance;
        tick.text = steps == 0 ? QStringLiteral("0") : withSign(steps, fixedText(size / std::pow(10.0, exponent), digits));
    }
    out.ticks = std::move(ticks);
    out.common = exponent == 0 ? QString() : QStringLiteral("×") + decadeText(exponent);
    return out;
}

} // namespace

PlotRange ordinateRange(const std::vector<PlotCurve>& curves, bool logarithmic)
{
    double low = std::numeric_limits<double>::infinity(), high = -low;
    std::vector<double> sorted;
    for (const PlotCurve& curve : curves)
        reachOf(curve, logarithmic, sorted, low, high);
    if (logarithmic && high > kRoundOff)
        low = std::max(low, figures::kLeastShown);
    if (!(low <= high) && logarithmic)
        return std::ranges::any_of(curves, [](const PlotCurve& c) { return !c.zeros.isEmpty(); }) ? kDecadesOfZero
                                                                                                  : kUsualDecades;
    if (!(low <= high))
        return {-1, 1};
    if (logarithmic) {
        double from = std::floor(std::log10(low) - 0.02), to = std::ceil(std::log10(high) + 0.02);
        to = std::min(to, kHighestDecade);
        if (to - from < 2)
            from = to - 2;
        return {std::pow(10.0, from), std::pow(10.0, to)};
    }
    if (high - low <= 1e-12 * std::max(std::abs(low), std::abs(high))) {
        const double room = high == 0 ? 1 : 0.1 * std::abs(high);
        return {low - room, high + room};
    }
    const auto ticks = niceTicks(low, high, 6);
    const double distance = ticks.size() > 1 ? (ticks[1] - ticks[0]) / 2 : (high - low) / 4;
    const double room = 0.04 * (high - low);
    return {std::floor((low - room) / distance) * distance, std::ceil((high + room) / distance) * distance};
}

PlotRange abscissaRange(const std::vector<PlotCurve>& curves)
{
    std::vector<PlotCurve> turned = curves;
    for (PlotCurve& curve : turned)
        for (QPointF& p : curve.points)
            p = p.transposed();
    return ordinateRange(turned, false);
}

double niceEnd(double reached, double shortest)
{
    const double atLeast = std::max(shortest, reached); // a run that has just started should not fill the axis
    const double power = std::pow(10.0, std::floor(std::log10(atLeast)));
    for (const double step : {1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0})
        if (step * power >= atLeast * (1 - 1e-12))
            return step * power;
    return 10 * power;
}

int timeDecimals(double span)
{
    constexpr int kUsual = 2, kMost = 9;
    return span > 0 ? std::clamp(kUsual - static_cast<int>(std::floor(std::log10(span))), kUsual, kMost) : kUsual;
}

std::vector<double> niceTicks(double low, double high, int count)
{
    std::vector<double> out;
    if (!(high > low) || !std::isfinite(low) || !std::isfinite(high))
        return out;
    const double raw = (high - low) / std::max(count, 1);
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    double distance = 10 * power;
    for (const double step : {1.0, 2.0, 5.0})
        if (step * power >= raw * (1 - 1e-9)) {
            distance = step * power;
            break;
        }
    const double slack = 1e-9 * distance;
    for (double k = std::ceil((low - slack) / distance); k * distance <= high + slack; ++k)
        out.push_back(k == 0 ? 0.0 : k * distance);
    return out;
}

QString tickText(double value, double distance)
{
    constexpr double kLargest = 1e5, kSmallest = 1e-4;
    if (value == 0)
        return QStringLiteral("0");
    const double size = std::abs(value);
    QString text;
    if (size >= kLargest || distance < kSmallest) {
        const int exponent = static_cast<int>(std::floor(std::log10(size)));
        const int digits = std::clamp(exponent - static_cast<int>(std::floor(std::log10(distance))), 0, 15);
        text = fixedText(size / std::pow(10.0, exponent), digits) + QStringLiteral("·") + decadeText(exponent);
    } else {
        const int digits = std::max(0, -static_cast<int>(std::floor(std::log10(distance) + 1e-9)));
        text = fixedText(size, digits);
    }
    return value < 0 ? QStringLiteral("−") + text : text;
}

QString decadeText(int exponent)
{
    static const QString kDigits = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
    if (exponent == 0)
        return QStringLiteral("1");
    QString text = QStringLiteral("10");
    if (exponent < 0)
        text += QStringLiteral("⁻");
    if (exponent != 1)
        for (const QChar c : QString::number(std::abs(exponent)))
            text += kDigits[c.digitValue()];
    return text;
}

std::vector<PlotTick> axisTicks(double low, double high, bool logarithmic, int most)
{
    std::vector<PlotTick> out;
    if (!logarithmic) {
        const auto values = niceTicks(low, high, most);
        for (const double value : values)
            out.push_back({value, tickText(value, values.size() > 1 ? values[1] - values[0] : high - low)});
        return out;
    }
    const int first = static_cast<int>(std::ceil(std::log10(low) - 1e-9)),
              last = static_cast<int>(std::floor(std::log10(high) + 1e-9));
    int every = 1;
    while ((last - first) / every > most)
        ++every;
    for (int decade = first; decade <= last; ++decade)
        if (decade % every == 0)
            out.push_back({std::pow(10.0, decade), decadeText(decade)});
    return out;
}

FittedTicks fittedTicks(double low, double high, int most, double room, const TextWidth& width)
{
    FittedTicks plain{.ticks = axisTicks(low, high, false, most), .common = {}};
    if (plain.ticks.empty() || widest(plain.ticks, width) <= room)
        return plain;
    const double distance = plain.ticks.size() > 1 ? plain.ticks[1].value - plain.ticks[0].value : high - low;
    FittedTicks scaled = relativeTicks(plain.ticks, 0, distance);
    if (widest(scaled.ticks, width) <= room)
        return scaled;
    // A round number in the middle: all that the ticks do not tell apart.
    const double power = std::pow(10.0, std::ceil(std::log10(high - low) - 1e-9));
    const double offset = std::round((low + high) / 2 / power) * power;
    FittedTicks shifted = relativeTicks(std::move(plain.ticks), offset, distance);
    shifted.common += offsetText(offset, power);
    return shifted;
}

std::vector<PlotTick> ticksApart(double low, double high, int most, double length, const TextWidth& width)
{
    for (;; --most) {
        std::vector<PlotTick> ticks = axisTicks(low, high, false, most);
        const double pitch = ticks.size() > 1 ? (ticks[1].value - ticks[0].value) / (high - low) * length : length;
        if (most <= 2 || widest(ticks, width) + width(QStringLiteral("0")) <= pitch)
            return ticks;
    }
}

QString readOut(double value)
{
    if (std::isnan(value))
        return QStringLiteral("–");
    const double size = std::abs(value);
    const char format = value != 0 && (size < 1e-3 || size >= 1e5) ? 'e' : 'f';
    const int digits = format == 'e' || size >= 100 ? 2 : 4;
    return QString::number(value, format, digits).replace('-', QStringLiteral("−"));
}

} // namespace driftless::ui
