// Saddle points eliminated by their structure against a general solver: trees and loops of rods whose rows stand in any order,
// stiffness beside the masses, and numbers that do not suit: masses that are none, rods that repeat others, rods in one line.
//
// DRIFTLESS_SEED and DRIFTLESS_COUNT draw others, or more.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <numeric>

#include "core/base/Index.h"
#include "core/integrate/StepMatrix.h"
#include "tests/support/Draw.h"

using namespace driftless;
using namespace driftless::solve;
using test::Draw;

namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

/// What may be wrong with the numbers.
enum class Fault { None, Stiff, NoMass, RepeatedRod, RodsInLine };

/// The saddle point of rods between points of the plane, by (column, row).
struct Saddle {
    int points = 0, rods = 0;
    std::map<std::pair<int, int>, double> entries;

    int size() const { return 2 * points + rods; }
    void add(int row, int column, double value) { entries[{column, row}] += value; }
    SparsePattern pattern() const
    {
        SparsePattern out{size(), size(), std::vector<int>(at(size()) + 1, 0), {}};
        for (const auto& [place, value] : entries) {
            ++out.columnStarts[at(place.first) + 1];
            out.rowIndices.push_back(place.second);
        }
        std::partial_sum(out.columnStarts.begin(), out.columnStarts.end(), out.columnStarts.begin());
        return out;
    }
    std::vector<double> values() const
    {
        std::vector<double> out;
        for (const auto& [place, value] : entries)
            out.push_back(value);
        return out;
    }
    std::vector<double> times(const std::vector<double>& x) const
    {
        std::vector<double> out(x.size(), 0.0);
        for (const auto& [place, value] : entries)
            out[at(place.second)] += value * x[at(place.first)];
        return out;
    }
};

/// Each point hangs by a rod on an earlier one, or on the ground; some rods close loops. The rods are in any order.
Saddle drawn(Draw& draw, Fault fault)
{
    Saddle s{.points = draw.upTo(30, 60), .rods = 0, .entries = {}};
    std::vector<std::pair<double, double>> place;
    std::vector<std::pair<int, int>> rods;
    const bool chain = draw.chance(0.5);
    for (int p = 0; p < s.points; ++p) {
        place.emplace_back(p + draw.between(-0.3, 0.3), fault == Fault::RodsInLine ? 0.0 : draw.between(-1, 1));
        rods.emplace_back(p, p == 0 ? -1 : chain ? p - 1 : draw.upTo(std::max(0, p - 4), p - 1));
    }
    for (int k = draw.upTo(0, 2); k > 0; --k)
        rods.emplace_back(s.points - k, draw.upTo(0, s.points / 2));
    if (fault == Fault::RepeatedRod)
        rods.push_back(rods[at(draw.upTo(0, s.points - 1))]);
    if (fault == Fault::RodsInLine) // both ends are held: that is one condition too many for rods in a line
        rods.emplace_back(s.points - 1, -1);
    for (std::size_t k = rods.size(); k > 1; --k)
        std::swap(rods[k - 1], rods[at(draw.upTo(0, static_cast<int>(k) - 1))]);
    s.rods = static_cast<int>(rods.size());
    const int n = 2 * s.points;
    for (int c = 0; c < n; ++c)
        s.add(c, c, draw.between(0.5, 2));
    const double stiffness = fault == Fault::Stiff ? 3 : draw.chance(0.5) ? 1e-3 : 0;
    for (int j = 0; j < s.rods; ++j) {
        const auto [to, from] = rods[at(j)];
        const auto [x, y] = from < 0 ? std::pair{-1.0, 0.0} : place[at(from)];
        const double r[] = {place[at(to)].first - x, place[at(to)].second - y};
        for (int k = 0; k < 2; ++k)
            for (const auto& [point, sign] : {std::pair{to, 1.0}, std::pair{from, -1.0}}) {
                if (point < 0)
                    continue;
                s.add(n + j, 2 * point + k, sign * r[k]);                           // B
                s.add(2 * point + k, n + j, sign * (r[k] + draw.between(0, 1e-3))); // A at a point near by
                for (const auto& [other, otherSign] : {std::pair{to, 1.0}, std::pair{from, -1.0}})
                    if (other >= 0)
                        s.add(2 * point + k, 2 * other + k, stiffness * sign * otherSign);
            }
    }
    if (fault == Fault::NoMass)
        s.entries.at({4, 4}) = 0;
    return s;
}

double largest(const std::vector<double>& v)
{
    double out = 0;
    for (const double x : v)
        out = std::max(out, std::abs(x));
    return out;
}

} // namespace

class TestSaddleElimination : public QObject {
    Q_OBJECT

    /// Corrections by the matrix of a step bring the equations to round-off, whichever solver it takes.
    static void checkCorrections(const Saddle& saddle, std::uint64_t seed)
    {
        Draw draw(seed + 1);
        const SparsePattern pattern = saddle.pattern();
        integrate::StepMatrix matrix;
        matrix.analyse(pattern, 2 * saddle.points);
        matrix.begin();
        const std::vector<double> values = saddle.values();
        const auto text = qPrintable(QStringLiteral("DRIFTLESS_COUNT=1 DRIFTLESS_SEED=%1").arg(seed));
        QVERIFY2(matrix.factor(values.data()).ok, text);
        std::vector<double> exact(at(saddle.size())), x(exact.size(), 0.0);
        for (double& value : exact)
            value = draw.between(-1, 1);
        const std::vector<double> right = saddle.times(exact);
        // Each correction gains a digit and a half or more; what round-off leaves is that of the sums along the rods.
        for (int k = 0; k < 12; ++k) {
            std::vector<double> rest = saddle.times(x);
            for (std::size_t i = 0; i < rest.size(); ++i)
                rest[i] = right[i] - rest[i];
            matrix.solve(rest.data());
            for (std::size_t i = 0; i < x.size(); ++i)
                x[i] += rest[i];
        }
        std::vector<double> rest = saddle.times(x);
        for (std::size_t i = 0; i < rest.size(); ++i)
            rest[i] -= right[i];
        QVERIFY2(largest(rest) <= 100 * kEps * saddle.size() * std::max(1.0, largest(x)), text);
    }

private slots:
    void corrections_reachTheSolution_inAnyOrderOfRods()
    {
        const std::uint64_t first = test::seedOr(20261124);
        std::printf("seed %llu\n", static_cast<unsigned long long>(first));
        for (int k = 0; k < test::countOr(60); ++k) {
            const std::uint64_t seed = first + 7919 * static_cast<std::uint64_t>(k);
            Draw draw(seed);
            checkCorrections(drawn(draw, Fault::None), seed);
        }
    }

    void stiffness_isLeftToAGeneralSolver()
    {
        const std::uint64_t first = test::seedOr(5);
        for (int k = 0; k < test::countOr(20); ++k) {
            Draw draw(first + static_cast<std::uint64_t>(k));
            const Saddle saddle = drawn(draw, Fault::Stiff);
            SaddleElimination elimination;
            QVERIFY(elimination.analyse(saddle.pattern(), 2 * saddle.points));
            QVERIFY(!elimination.factor(saddle.values().data()));
            checkCorrections(saddle, first + static_cast<std::uint64_t>(k));
        }
    }

    void numbersThatDoNotSuit_areRefused()
    {
        const std::uint64_t first = test::seedOr(11);
        for (const Fault fault : {Fault::NoMass, Fault::RepeatedRod, Fault::RodsInLine})
            for (int k = 0; k < test::countOr(20); ++k) {
                Draw draw(first + static_cast<std::uint64_t>(k));
                const Saddle saddle = drawn(draw, fault);
                SaddleElimination elimination;
                if (!elimination.analyse(saddle.pattern(), 2 * saddle.points))
                    continue; // a general order is the better choice
                // A at a point near by has rods that are not quite the same: pivots of that size are no better than none.
                Saddle same = saddle;
                for (auto& [place, value] : same.entries)
                    if (place.first >= 2 * same.points)
                        value = same.entries.at({place.second, place.first});
                QVERIFY2(!elimination.factor(same.values().data()), qPrintable(QString::number(static_cast<int>(fault))));
            }
    }

    void anotherMatrixInTheSameIteration_isTheGeneralSolvers()
    {
        Draw draw(3);
        const Saddle saddle = drawn(draw, Fault::None);
        const SparsePattern pattern = saddle.pattern();
        const std::vector<double> values = saddle.values();
        integrate::StepMatrix matrix;
        matrix.analyse(pattern, 2 * saddle.points);
        std::vector<double> exact(at(saddle.size()), 1.0);
        const auto errorOfOneCorrection = [&] {
            std::vector<double> x = saddle.times(exact);
            matrix.solve(x.data());
            for (std::size_t i = 0; i < x.size(); ++i)
                x[i] -= exact[i];
            return largest(x);
        };
        matrix.begin();
        QVERIFY(matrix.factor(values.data()).ok && matrix.factor(values.data()).ok);
        // Partial pivoting, by rows of some numbers of size one.
        QVERIFY2(errorOfOneCorrection() <= 1e4 * kEps * saddle.size(), qPrintable(QString::number(errorOfOneCorrection())));
    }

    void otherStructures_areRefused()
    {
        Draw draw(7);
        Saddle saddle = drawn(draw, Fault::None);
        const int n = 2 * saddle.points;
        SaddleElimination elimination;
        QVERIFY(elimination.analyse(saddle.pattern(), n));
        QVERIFY(!elimination.analyse(saddle.pattern(), n - 1));
        Saddle corner = saddle;
        corner.add(n, n, 1e-3);
        QVERIFY(!elimination.analyse(corner.pattern(), n));
        Saddle lacks = saddle;
        lacks.entries.erase({0, 0});
        QVERIFY(!elimination.analyse(lacks.pattern(), n));
    }
};

QTEST_APPLESS_MAIN(TestSaddleElimination)
#include "test_saddle_elimination.moc"
