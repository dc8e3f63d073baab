// Values between the rows of a record: drawn motions whose values are known everywhere, with jumps, corners, short steps.
#include <QtTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "core/measure/Record.h"
#include "tests/support/Draw.h"

using namespace driftless;
using measure::Record;

namespace {

/// Sums of sines, one for each stretch between the breaks. A jump leads to another motion; a corner keeps position and velocity
/// and changes the acceleration.
struct Motion {
    struct Wave {
        double size, rate, phase;
    };
    struct Stretch {
        double begin; ///< [s]
        std::vector<Wave> waves;
        double shift = 0, slope = 0; ///< added to the position: shift + slope (t - begin)
    };
    std::vector<Stretch> stretches;

    const Stretch& of(double t, bool before) const
    {
        std::size_t k = 0;
        while (k + 1 < stretches.size() && (before ? stretches[k + 1].begin < t : stretches[k + 1].begin <= t))
            ++k;
        return stretches[k];
    }
    double at(double t, int derivative, bool before = false) const
    {
        const Stretch& s = of(t, before);
        double out = derivative == 0 ? s.shift + s.slope * (t - s.begin) : derivative == 1 ? s.slope : 0;
        for (const Wave& w : s.waves)
            out += w.size * std::pow(w.rate, derivative) * std::sin(w.rate * t + w.phase + derivative * std::numbers::pi / 2);
        return out;
    }
};

constexpr double kEnd = 6, kFastest = 2; ///< [s], [rad/s]

Motion drawn(test::Draw& draw, int breaks, bool corners)
{
    Motion out;
    for (int k = 0; k <= breaks; ++k) {
        Motion::Stretch s{.begin = k == 0 ? 0 : kEnd * (k + draw.between(-0.2, 0.2)) / (breaks + 1), .waves = {}};
        for (int i = 0; i < 3; ++i)
            s.waves.push_back({draw.between(0.2, 1), draw.between(0.5, kFastest), draw.between(0, 6)});
        out.stretches.push_back(s);
        if (k > 0 && corners) {
            Motion::Stretch& now = out.stretches.back();
            now.shift = out.at(s.begin, 0, true) - out.at(s.begin, 0);
            now.slope = out.at(s.begin, 1, true) - out.at(s.begin, 1);
        }
    }
    return out;
}

/// Rows of x, x' and of x'' as a multiplier; both sides of a jump, one row at a corner.
Record recorded(const Motion& motion, const std::vector<double>& times, bool corners)
{
    Record out;
    out.columns = {{"x", "", run::ColumnKind::Position},
                   {"x'", "", run::ColumnKind::Velocity},
                   {"lambda", "", run::ColumnKind::Multiplier}};
    out.positions = 1;
    const auto row = [&](double t, bool before) {
        out.values.insert(out.values.end(), {t, motion.at(t, 0, before), motion.at(t, 1, before), motion.at(t, 2, before)});
    };
    std::size_t next = 1;
    for (const double t : times) {
        while (next < motion.stretches.size() && motion.stretches[next].begin <= t) {
            const double at = motion.stretches[next++].begin;
            row(at, true);
            if (!corners)
                row(at, false);
        }
        row(t, false);
    }
    return out;
}

std::vector<double> drawnTimes(test::Draw& draw, double step)
{
    std::vector<double> out{0};
    while (out.back() < kEnd) {
        out.push_back(out.back() + step * draw.between(0.5, 1.5));
        for (int k = draw.chance(0.1) ? 20 : 0; k > 0; --k) // steps that have become short, as at an event
            out.push_back(out.back() + step * 1e-6 * draw.between(0.5, 1.5));
    }
    return out;
}

/// The largest distance of x, x' and lambda from the motion, looked at between the rows of the record.
std::array<double, 3> distances(const Motion& motion, const Record& rows, test::Draw& draw, bool corners)
{
    std::vector<double> times;
    for (int k = 0; k < 200; ++k)
        times.push_back(draw.between(0, kEnd));
    std::ranges::sort(times);
    const Record fine = recorded(motion, times, corners);
    std::array<double, 3> out{};
    for (std::size_t c = 0; c < out.size(); ++c) {
        const auto there = measure::atTimesOf(fine, rows, fine.columns[c].name);
        for (std::size_t r = 0; r < fine.rowCount(); ++r)
            out[c] = std::max(out[c], std::abs((*there)[r] - fine.row(r)[c + 1]));
    }
    return out;
}

} // namespace

class TestBetween : public QObject {
    Q_OBJECT
private slots:
    /// Steps of 0.3/s for waves of up to 2/s: in the middle of all cases the terms left out are of 1e-6 and 1e-5. The worst
    /// ones have a jump or short steps on both sides of an interval, where a cubic is what there is: 12 (0.9 h)^4/384 is 4e-3.
    void smoothMotionsAreMet() { within(11, false, {{{1e-5, 5e-3}, {1e-4, 5e-2}, {0.1, 1}}}); }

    /// Across a corner the acceleration, which jumps by up to 24, is one of both sides: that is h^2/32 of it for a position.
    void cornersStayLocal() { within(12, true, {{{1e-4, 2e-2}, {1e-3, 0.2}, {8, 24}}}); }

    void aRecordDiffersFromItselfByNothing()
    {
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            test::Draw draw(seed);
            const Motion motion = drawn(draw, draw.upTo(1, 2), false);
            Record rows = recorded(motion, drawnTimes(draw, 0.3), false);
            if (draw.chance(0.5)) // three rows at one time: two events
                rows.values.insert(rows.values.begin(), {0, 1, 2, 3, 0, 4, 5, 6});
            for (const run::Column& column : rows.columns)
                QVERIFY(*measure::atTimesOf(rows, rows, column.name) == *measure::overRows(rows, column.name));
        }
    }

private:
    /// The median and the largest distance of x, x' and lambda over the cases.
    using Bounds = std::array<std::array<double, 2>, 3>;
    void within(std::uint64_t from, bool corners, const Bounds& bounds)
    {
        const std::uint64_t seed = test::seedOr(from);
        std::array<std::vector<double>, 3> all;
        for (int i = 0, count = test::countOr(200); i < count; ++i) {
            test::Draw draw(seed + static_cast<std::uint64_t>(i));
            const Motion motion = drawn(draw, draw.upTo(corners ? 1 : 0, 2), corners);
            const auto found = distances(motion, recorded(motion, drawnTimes(draw, 0.3), corners), draw, corners);
            for (std::size_t c = 0; c < all.size(); ++c) {
                all[c].push_back(found[c]);
                const std::string told = "seed " + std::to_string(seed + static_cast<std::uint64_t>(i)) + ", column "
                                         + std::to_string(c) + ": " + std::to_string(found[c]);
                QVERIFY2(found[c] <= bounds[c][1], told.c_str());
            }
        }
        for (std::size_t c = 0; c < all.size(); ++c) {
            std::ranges::sort(all[c]);
            const double median = all[c][all[c].size() / 2];
            QVERIFY2(median <= bounds[c][0], std::to_string(median).c_str());
        }
    }
};

QTEST_APPLESS_MAIN(TestBetween)
#include "test_between.moc"
