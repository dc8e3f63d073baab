// Nodes, tableau and modes of the Radau IIA methods against what defines them, and against the closed forms for three stages.
//
// An entry of a result is a sum of S products of entries below D, the largest of the inverse (34 for S = 7), or below T^-1, the
// largest of the inverse of the modes (299): that many units of round-off are allowed.
#include <QtTest>

#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "core/integrate/RadauMethod.h"
#include "core/integrate/Tableau.h"

using namespace driftless::integrate;

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

template <std::size_t S>
double largest(const typename RadauMethod<S>::Matrix& m)
{
    double out = 0;
    for (const auto& row : m)
        for (const double v : row)
            out = std::max(out, std::abs(v));
    return out;
}

/// Entry (i, k) of T Lambda.
template <std::size_t S>
double scaledMode(const RadauMethod<S>& m, std::size_t i, std::size_t k)
{
    if (k == 0)
        return m.fromModes[i][0] * m.gamma;
    const auto lambda = m.pairs[(k - 1) / 2];
    const std::size_t first = k % 2 ? k : k - 1;
    const std::complex<double> product = lambda * std::complex<double>(m.fromModes[i][first], m.fromModes[i][first + 1]);
    return k % 2 ? product.real() : product.imag();
}

/// sum_j a_ij c_j^(k-1) = c_i^k / k multiplied by the inverse: sum_j D_ij c_j^k = k c_i^(k-1).
template <std::size_t S>
void checkCollocation()
{
    const auto& m = radauMethod<S>();
    QCOMPARE(m.nodes[S - 1], 1.0);
    for (std::size_t i = 0; i < S; ++i)
        for (std::size_t k = 1; k <= S; ++k) {
            double sum = 0;
            for (std::size_t j = 0; j < S; ++j)
                sum += m.inverse[i][j] * std::pow(m.nodes[j], k);
            QVERIFY(std::abs(sum - static_cast<double>(k) * std::pow(m.nodes[i], k - 1))
                    <= S * largest<S>(m.inverse) * kEpsilon);
        }
}

/// A quadrature formula of order 2 S - 1, which with collocation is the order of the method: prod (x - c_i) is orthogonal to
/// all polynomials of degree up to S - 2, and not to those of degree S - 1.
template <std::size_t S>
void checkQuadrature()
{
    std::vector<double> product{1}; // by rising powers
    for (const double c : radauMethod<S>().nodes) {
        product.push_back(0);
        for (std::size_t j = product.size() - 1; j > 0; --j)
            product[j] = product[j - 1] - c * product[j];
        product[0] *= -c;
    }
    for (std::size_t k = 0; k < S; ++k) {
        double integral = 0, size = 0;
        for (std::size_t j = 0; j <= S; ++j) {
            integral += product[j] / static_cast<double>(j + k + 1);
            size += std::abs(product[j]) / static_cast<double>(j + k + 1);
        }
        const double roundoff = S * size * kEpsilon;
        QVERIFY(k + 1 < S ? std::abs(integral) <= roundoff : std::abs(integral) > 1e3 * roundoff);
    }
}

/// D = T Lambda T^-1 and T T^-1 = I.
template <std::size_t S>
void checkModes()
{
    const auto& m = radauMethod<S>();
    const double roundoff = S * largest<S>(m.toModes) * kEpsilon;
    for (std::size_t i = 0; i < S; ++i)
        for (std::size_t j = 0; j < S; ++j) {
            double product = 0, unit = 0;
            for (std::size_t k = 0; k < S; ++k) {
                product += scaledMode(m, i, k) * m.toModes[k][j];
                unit += m.fromModes[i][k] * m.toModes[k][j];
            }
            QVERIFY(std::abs(product - m.inverse[i][j]) <= roundoff * std::abs(m.pairs.back()));
            QVERIFY(std::abs(unit - (i == j ? 1 : 0)) <= roundoff);
        }
}

/// 2 + x^k, k = 1..S, has the increments c_i^k: its rate at the start, its values between the nodes and in a next step of half
/// the length.
template <std::size_t S>
void checkPolynomial()
{
    const auto& m = radauMethod<S>();
    for (std::size_t k = 1; k <= S; ++k) {
        std::array<double, S> increments, next;
        double rate = 0, size = 0;
        for (std::size_t i = 0; i < S; ++i) {
            increments[i] = std::pow(m.nodes[i], k);
            rate += m.startRate[i] * increments[i];
            size += std::abs(m.startRate[i] * increments[i]);
        }
        QVERIFY(std::abs(rate - (k == 1 ? 1 : 0)) <= S * size * kEpsilon);
        const double before[] = {2};
        double found[] = {0};
        for (const double x : {0.0, 0.3, 0.77, 1.0}) {
            radauInterpolate(m.nodes, x, before, increments, found);
            QVERIFY(std::abs(found[0] - 2 - std::pow(x, k)) <= S * largest<S>(m.inverse) * kEpsilon);
        }
        radauExtrapolate(m.nodes, 0.5, 1.0, increments, 1, next.data());
        for (std::size_t i = 0; i < S; ++i) {
            double weights = 0;
            for (const double w : radauWeights(m.nodes, 1 + m.nodes[i] / 2))
                weights += std::abs(w);
            QVERIFY(std::abs(next[i] - std::pow(1 + m.nodes[i] / 2, k) + 1) <= S * weights * kEpsilon);
        }
    }
}

template <std::size_t S>
void checkMethod()
{
    checkCollocation<S>();
    checkQuadrature<S>();
    checkModes<S>();
    checkPolynomial<S>();
}

} // namespace

class TestRadauMethod : public QObject {
    Q_OBJECT
private slots:
    void threeStages() { checkMethod<3>(); }
    void fiveStages() { checkMethod<5>(); }
    void sevenStages() { checkMethod<7>(); }

    void threeStages_haveTheClosedForms()
    {
        const auto& m = radauMethod<3>();
        const double a = std::cbrt(81.0), b = std::cbrt(9.0); // Hairer and Wanner, Solving ODEs II, section IV.8
        QVERIFY(std::abs(m.gamma - 30 / (6 + a - b)) <= 4 * m.gamma * kEpsilon);
        const std::complex<double> inner((12 - a + b) / 60, (a + b) * std::sqrt(3.0) / 60);
        QVERIFY(std::abs(m.pairs[0] - 1.0 / std::conj(inner)) <= 4 * std::abs(m.pairs[0]) * kEpsilon);
        for (std::size_t i = 0; i < 3; ++i) {
            QVERIFY(std::abs(m.nodes[i] - radau::kNodes[i]) <= kEpsilon);
            for (std::size_t j = 0; j < 3; ++j)
                QVERIFY(std::abs(m.inverse[i][j] - radau::kInverse[i][j]) <= 8 * kEpsilon);
        }
        // The weights of the error estimate, (8.19): (-13 - 7 sqrt 6, -13 + 7 sqrt 6, -1) / 3.
        const double e[] = {(-13 - 7 * radau::kRootOf6) / 3, (-13 + 7 * radau::kRootOf6) / 3, -1.0 / 3};
        for (std::size_t i = 0; i < 3; ++i)
            QVERIFY(std::abs(m.startRate[i] + e[i]) <= 16 * kEpsilon);
    }
};

QTEST_APPLESS_MAIN(TestRadauMethod)
#include "test_radau_method.moc"
