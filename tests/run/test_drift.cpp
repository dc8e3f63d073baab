// Drift classes of signals whose growth is known, of random ones against the definition computed a second way, and of runs of
// which theory says the degree.
#include <QtTest>

#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <random>

#include "core/run/Drift.h"
#include "tests/run/RunFixture.h"

using driftless::run::classifyDrift;

namespace {

/// rms misfit of the least-squares polynomial of a degree: the normal equations in powers of 2 s - 1, by elimination in long
/// double.
double misfit(const std::vector<double>& t, const std::vector<double>& x, int degree)
{
    using Real = long double;
    const auto weight = [&](std::size_t i) {
        const Real before = i > 0 ? t[i] - t[i - 1] : 0, after = i + 1 < t.size() ? t[i + 1] - t[i] : 0;
        return (before + after) / 2 / (t.back() - t.front());
    };
    std::array<std::array<Real, 4>, 3> a{};
    const auto power = [&](std::size_t i, int k) {
        return std::pow(static_cast<Real>(2 * (t[i] - t.front()) / (t.back() - t.front()) - 1), k);
    };
    const auto n = static_cast<std::size_t>(degree) + 1;
    for (std::size_t i = 0; i < t.size(); ++i)
        for (std::size_t j = 0; j < n; ++j) {
            for (std::size_t k = 0; k < n; ++k)
                a[j][k] += weight(i) * power(i, static_cast<int>(j + k));
            a[j][3] += weight(i) * power(i, static_cast<int>(j)) * x[i];
        }
    for (std::size_t p = 0; p < n; ++p)
        for (std::size_t j = 0; j < n; ++j)
            if (j != p) {
                const Real factor = a[j][p] / a[p][p];
                for (std::size_t k = 0; k < 4; ++k)
                    a[j][k] -= factor * a[p][k];
            }
    Real sum = 0;
    for (std::size_t i = 0; i < t.size(); ++i) {
        Real r = x[i];
        for (std::size_t j = 0; j < n; ++j)
            r -= a[j][3] / a[j][j] * power(i, static_cast<int>(j));
        sum += weight(i) * r * r;
    }
    return static_cast<double>(std::sqrt(sum));
}

} // namespace

class TestDrift : public QObject {
    Q_OBJECT
private slots:
    void classes_data()
    {
        using Signal = std::function<double(double)>;
        QTest::addColumn<Signal>("signal");
        QTest::addColumn<double>("tolerance");
        QTest::addColumn<QString>("expected");
        // Amplitudes beside the trend are oscillations of a swing of period 8.6 over 1000 time units.
        const auto swing = [](double t) { return std::sin(2 * M_PI * t / 8.63); };
        QTest::newRow("zero") << Signal([](double) { return 0.0; }) << 1e-9 << "none";
        QTest::newRow("constant") << Signal([](double) { return 1.0; }) << 1e-9 << "none";
        QTest::newRow("small line") << Signal([](double t) { return 1e-12 * t; }) << 1e-9 << "none";
        QTest::newRow("swing") << Signal([swing](double t) { return 1e-3 * swing(t); }) << 1e-9 << "none";
        QTest::newRow("growing swing") << Signal([swing](double t) { return 1e-6 * t * swing(t); }) << 1e-9 << "none";
        QTest::newRow("line") << Signal([](double t) { return 1e-3 - 1e-5 * t; }) << 1e-9 << "linear";
        // The line has an rms of 0.289 times its rise, the swing one of 0.707 times its amplitude: the line counts up to a
        // swing of 0.289 / 0.707 / sqrt(24) = 0.083 of its rise, since it must take 24 of 25 parts of the squares away.
        QTest::newRow("line and swing") << Signal([swing](double t) { return 1e-5 * t + 8e-4 * swing(t); }) << 1e-9 << "linear";
        QTest::newRow("line under a swing")
            << Signal([swing](double t) { return 1e-5 * t + 9e-4 * swing(t); }) << 1e-9 << "none";
        QTest::newRow("parabola") << Signal([](double t) { return 1e-9 * t * t; }) << 1e-9 << "quadratic";
        QTest::newRow("parabola with line") << Signal([](double t) { return 1e-9 * t * t + 1e-6 * t; }) << 1e-9 << "quadratic";
        // A parabola has an rms of 4 / sqrt(180) = 0.3 of its height, and counts over swings of an rms of a fifth of that.
        QTest::newRow("parabola and swing")
            << Signal([swing](double t) { return -1e-9 * t * t + 6e-5 * swing(t) + 2e-8 * t * swing(t); }) << 1e-9
            << "quadratic";
        QTest::newRow("parabola under a swing")
            << Signal([swing](double t) { return -1e-9 * t * t + 2e-4 * swing(t); }) << 1e-9 << "none";
        // Degrees beyond have no class: what is printed is the highest that there is and that counts.
        QTest::newRow("cubic") << Signal([](double t) { return 1e-10 * t * t * t; }) << 1e-9 << "quadratic";
        QTest::newRow("one slow period") << Signal([](double t) { return std::sin(2 * M_PI * t / 1000); }) << 1e-9 << "none";
        // A swing that beats: averages over its period have trends of degree four, the samples have none beyond the parabola.
        QTest::newRow("parabola and beat") << Signal([swing](double t) {
            return 1e-7 * t * t + 5e-4 * (1 + std::sin(t / 300)) * swing(t);
        }) << 1e-9 << "quadratic";
    }
    void classes()
    {
        QFETCH(std::function<double(double)>, signal);
        QFETCH(double, tolerance);
        QFETCH(QString, expected);
        std::vector<double> t, x;
        for (double s = 0; s <= 1000; s += 0.25 + 0.2 * std::cos(s)) { // uneven, as adaptive steps are
            t.push_back(s);
            x.push_back(signal(s));
        }
        QCOMPARE(QString::fromStdString(classifyDrift(t, x, tolerance)), expected);
    }
    void randomSignals_haveTheClassOfTheDefinition()
    {
        const unsigned seed = 20261122;
        qInfo("seed %u", seed);
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> unit(-1, 1);
        std::normal_distribution<double> normal;
        std::map<std::string, int> found;
        for (int k = 0; k < 300; ++k) {
            const int degree = k % 3;
            const double length = std::pow(10, 3 * unit(random)), size = std::pow(10, 6 * unit(random) - 3);
            const double swing = size * std::pow(10, 2 * unit(random) - 1), noise = size * std::pow(10, 2 * unit(random) - 2);
            const double c0 = unit(random), c1 = degree > 0 ? unit(random) : 0, c2 = degree > 1 ? unit(random) : 0;
            const double turns = 3 + 60 * std::abs(unit(random)), phase = 3 * unit(random), uneven = std::abs(unit(random));
            std::vector<double> t{0}, x;
            while (t.back() < length)
                t.push_back(t.back() + length / 500 * (1 + 0.9 * uneven * unit(random)));
            for (const double at : t) {
                const double s = 2 * at / length - 1;
                x.push_back(size * (c0 + c1 * s + c2 * (1.5 * s * s - 0.5))
                            + swing * std::sin(2 * M_PI * turns * at / length + phase) + noise * normal(random));
            }
            const double m0 = misfit(t, x, 0), m1 = misfit(t, x, 1), m2 = misfit(t, x, 2);
            if (std::abs(m0 / m1 - 5) < 1e-6 || std::abs(m1 / m2 - 5) < 1e-6 || std::abs(m0 / m2 - 5) < 1e-6)
                continue; // on the edge round-off decides
            const bool line = m0 >= 5 * m1;
            std::string expected = line ? "linear" : "none";
            if ((line ? m1 : m0) >= 5 * m2)
                expected = "quadratic";
            ++found[expected];
            const std::string is =
                classifyDrift(t, x, 1e-3 * std::min(m0, m1)); // ten of these tolerances lie below all misfits but the last
            QVERIFY2(is == expected, qPrintable(QString("signal %1: %2 instead of %3; misfits %4 %5 %6")
                                                    .arg(k)
                                                    .arg(is.c_str(), expected.c_str())
                                                    .arg(m0)
                                                    .arg(m1)
                                                    .arg(m2)));
            QCOMPARE(classifyDrift(t, x, m0 + std::abs(c0 * size) + std::abs(size)),
                     std::string("none")); // less than the tolerance
        }
        for (const char* name : {"none", "linear", "quadratic"})
            QVERIFY2(found[name] >= 25, name); // the generator draws them all
    }

    /// What a step adds to g'' is integrated twice on index 1. The misfits of degrees 0 to 4 are 2e-2, 5e-3, 4e-5, 5e-6, 5e-7
    /// here: beyond the parabola it is the drifting length that changes the swing.
    void aSwingOnIndex1_driftsQuadratically()
    {
        using namespace driftless::test;
        const auto run = started("pendulum", {{}, {{"phi", 1.5}, {"phi'", -1}}, false}, settings("index-1", "rk4", 0.05));
        QVERIFY(run->advanceTo(300));
        QCOMPARE(run->drift().position, std::string("quadratic"));
    }
    /// Once on index 2, and evenly where the pendulum turns evenly.
    void anEvenTurnOnIndex2_driftsLinearly()
    {
        using namespace driftless::test;
        const auto run = started("pendulum", {{{"g", 0}}, {{"phi", 0}, {"phi'", 1}}, false}, settings("index-2", "bdf3", 0.05));
        QVERIFY(run->advanceTo(60));
        QCOMPARE(run->drift().position, std::string("linear"));
        QVERIFY(run->status().residual.position > 1e-3);
    }

    void emptyAndShortRunsHaveNoDrift()
    {
        QCOMPARE(classifyDrift({}, {}, 0), std::string("none"));
        const std::vector<double> two{0, 1};
        QCOMPARE(classifyDrift(two, two, 0), std::string("none"));
    }
};

QTEST_APPLESS_MAIN(TestDrift)
#include "test_drift.moc"
