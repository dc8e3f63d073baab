// Stability functions against their textbook forms, and the stability of every tableau of the catalogue as its row states it.
#include <QtTest>

#include <cmath>
#include <complex>
#include <limits>

#include "core/integrate/Stability.h"

using namespace driftless::integrate;
using Complex = std::complex<double>;

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

StabilityFunction functionOf(const char* id) { return stabilityFunction(inDoubles(*findExactTableau(id))); }

bool near(const std::vector<double>& a, const std::vector<double>& b)
{
    if (a.size() != b.size())
        return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (std::abs(a[i] - b[i]) > 64 * kEpsilon)
            return false;
    return true;
}

/// R by one step on y' = z y with h = 1: stages solved by elimination.
Complex byStages(const RungeKuttaTableau& m, Complex z)
{
    const std::size_t n = m.stages;
    std::vector<Complex> a(n * n), k(n, z);
    for (std::size_t i = 0; i < n * n; ++i)
        a[i] = (i % (n + 1) == 0 ? 1.0 : 0.0) - z * m.a[i];
    for (std::size_t p = 0; p < n; ++p) {
        std::size_t pivot = p;
        for (std::size_t i = p; i < n; ++i)
            if (std::abs(a[i * n + p]) > std::abs(a[pivot * n + p]))
                pivot = i;
        for (std::size_t j = 0; j < n; ++j)
            std::swap(a[p * n + j], a[pivot * n + j]);
        std::swap(k[p], k[pivot]);
        for (std::size_t i = 0; i < n; ++i) {
            if (i == p)
                continue;
            const Complex factor = a[i * n + p] / a[p * n + p];
            for (std::size_t j = 0; j < n; ++j)
                a[i * n + j] -= factor * a[p * n + j];
            k[i] -= factor * k[p];
        }
    }
    Complex r = 1;
    for (std::size_t i = 0; i < n; ++i)
        r += m.b[i] * k[i] / a[i * n + i];
    return r;
}

} // namespace

class StabilityTest : public QObject {
    Q_OBJECT
private slots:
    void textbookForms()
    {
        QVERIFY(near(functionOf("rk4").numerator, {1, 1, 1.0 / 2, 1.0 / 6, 1.0 / 24})
                && near(functionOf("rk4").denominator, {1}));
        QVERIFY(near(functionOf("implicit-euler").numerator, {1}) && near(functionOf("implicit-euler").denominator, {1, -1}));
        // Pade approximations of the exponential: (2, 2), (3, 3), (2, 3), (2, 4) for Gauss, Radau, Lobatto IIIC.
        QVERIFY(near(functionOf("gauss-4").numerator, {1, 1.0 / 2, 1.0 / 12})
                && near(functionOf("gauss-4").denominator, {1, -1.0 / 2, 1.0 / 12}));
        QVERIFY(near(functionOf("lobatto-iiib-4").numerator, {1, 1.0 / 2, 1.0 / 12}));
        QVERIFY(near(functionOf("gauss-6").numerator, {1, 1.0 / 2, 1.0 / 10, 1.0 / 120}));
        QVERIFY(near(functionOf("radau-iia-5").numerator, {1, 2.0 / 5, 1.0 / 20}));
        QVERIFY(near(functionOf("radau-ia-5").denominator, {1, -3.0 / 5, 3.0 / 20, -1.0 / 60}));
        QVERIFY(near(functionOf("lobatto-iiic-4").numerator, {1, 1.0 / 4}));
    }

    void function_isWhatAStepDoes()
    {
        for (const auto& t : exactTableaus()) {
            const auto m = inDoubles(t);
            const auto r = stabilityFunction(m);
            for (Complex z : {Complex(-0.3, 0.4), Complex(0.2, -1.1), Complex(-3, 2), Complex(-40, 7), Complex(0, 300)}) {
                if (t.stability == Stability::Bounded && std::abs(z) > 5)
                    continue; // far outside of its region, where the stages cancel
                const Complex step = byStages(m, z);
                // Differences of powers of z: the terms of the polynomials against their sum.
                double terms = 0, power = 1;
                for (double c : r.numerator)
                    terms += std::abs(c) * power, power *= std::abs(z);
                double below = 0;
                power = 1;
                for (double c : r.denominator)
                    below += c != 0 ? std::abs(c) * power : 0, power *= std::abs(z);
                const double tolerance = 1e3 * kEpsilon * std::max(terms / below, std::abs(step)) * std::max(1.0, std::abs(z));
                QVERIFY2(std::abs(r(z) - step) < tolerance,
                         qPrintable(QString("%1: %2").arg(t.id.data()).arg(std::abs(r(z) - step))));
            }
        }
    }

    void kinds_areAsTheCatalogueStates()
    {
        for (const auto& t : exactTableaus()) {
            const auto report = stabilityOf(stabilityFunction(inDoubles(t)));
            QVERIFY2(report.kind == t.stability,
                     qPrintable(
                         QString("%1: %2").arg(t.id.data(), QString::fromStdString(std::string(stabilityName(report.kind))))));
            if (t.stability != Stability::Bounded)
                QVERIFY2(std::isinf(report.realLimit) && std::isinf(report.imaginaryLimit), t.id.data());
        }
        // A method that is stable on the axis but has a pole in the left half plane, and one with the reverse fault.
        RungeKuttaTableau pole{"", "", 1, {-0.5}, {-1}, {-0.5}, {}, 0, 0};
        QVERIFY(stabilityOf(stabilityFunction(pole)).kind == Stability::Bounded);
        RungeKuttaTableau theta{"", "", 2, {0, 1}, {0.6, 0.4}, {0, 0, 0.6, 0.4}, {}, 0, 0};
        QVERIFY(stabilityOf(stabilityFunction(theta)).kind == Stability::Bounded);
        theta = {"", "", 2, {0, 1}, {0.4, 0.6}, {0, 0, 0.4, 0.6}, {}, 0, 0};
        QVERIFY(stabilityOf(stabilityFunction(theta)).kind == Stability::AStable);
    }

    void limits_areThoseOfTheLiterature()
    {
        // Hairer and Wanner, section IV.2: -2, -2, -2.51, -2.785 on the real axis; 0, 0, sqrt(3), 2 sqrt(2) on the imaginary
        // one.
        const struct {
            const char* id;
            double real, imaginary;
        } rows[]{{"euler", 2, 0}, {"heun2", 2, 0}, {"kutta3", 2.5127, std::sqrt(3.0)}, {"rk4", 2.7853, 2 * std::sqrt(2.0)}};
        for (const auto& row : rows) {
            const auto report = stabilityOf(functionOf(row.id));
            QVERIFY2(std::abs(report.realLimit - row.real) < 1e-4, row.id);
            // R of order two leaves the unit circle like y^4 / 8, at once; elsewhere it is known to round-off.
            QVERIFY2(row.imaginary == 0 ? report.imaginaryLimit == 0 : std::abs(report.imaginaryLimit - row.imaginary) < 1e-13,
                     row.id);
        }
        QVERIFY(std::abs(stabilityOf(functionOf("euler")).realLimit - 2) < 1e-13);
    }

    /// A stage that nothing uses is no factor of R.
    void aStageThatDoesNotCountIsLeftOut()
    {
        const RungeKuttaTableau one{"", "", 1, {0.25}, {1}, {0.25}, {}, 0, 0};
        const RungeKuttaTableau two{"", "", 2, {0.25, 1.5}, {1, 0}, {0.25, 0, 0.75, 0.75}, {}, 0, 0};
        const StabilityFunction expected = stabilityFunction(one), found = stabilityFunction(two);
        QCOMPARE(found.numerator, expected.numerator); // 1 + 3/4 z
        QCOMPARE(found.denominator, expected.denominator);
        QVERIFY(std::abs(stabilityOf(found).realLimit - 4) < 1e-12);
    }

    void grid_hasTheRegion()
    {
        const auto r = functionOf("euler");
        const auto cells = stabilityGrid(r, {-3, 1, -2, 2}, 40, 40);
        QCOMPARE(cells.size(), std::size_t{1600});
        int inside = 0;
        for (double v : cells)
            inside += v <= 1;
        // The unit disc about -1: pi over the 16 of the window; cells of 0.1 on a circle of length 2 pi.
        QVERIFY(std::abs(inside * 0.01 - std::acos(-1.0)) < 0.1);
    }

    void bdf_isStableOutsideItsRootLocus()
    {
        for (int k = 1; k <= 6; ++k) {
            const auto curve = bdfRootLocus(k, 64);
            double rightmost = 0, leftmost = 0;
            for (const Complex z : curve) {
                rightmost = std::max(rightmost, z.real());
                leftmost = std::min(leftmost, z.real());
                // At z = 0 the root one of all orders is simple; roots of modulus one lie on the curve, another may be larger.
                QVERIFY(bdfAmplification(k, z) > 1 - 1e-9);
            }
            QVERIFY(bdfAmplification(k, {-50, 0}) < 1 && bdfAmplification(k, {rightmost + 0.5, 0}) < 1);
            // Orders one and two are A-stable, the others reach into the left half plane.
            QCOMPARE(leftmost<-1e-9, k> 2);
        }
    }
};

QTEST_APPLESS_MAIN(StabilityTest)
#include "test_stability.moc"
