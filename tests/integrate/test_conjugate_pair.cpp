// Pairs of conjugate systems, in complex numbers and as sparse real ones, against the real system that they stand for.
#include <QtTest>

#include <cmath>
#include <limits>
#include <random>

#include "core/integrate/ConjugatePair.h"

using namespace driftless;
using integrate::ConjugatePair;

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

/// J dominates by its diagonal, so that no pivot is small; E has every other entry of the pattern.
struct Problem {
    solve::SparsePattern pattern;
    std::vector<double> J, E;

    /// A band of two on both sides, rows of very different scale, and (alone) a last row with its diagonal only.
    Problem(int n, bool alone)
    {
        std::mt19937 random(static_cast<unsigned>(n));
        std::uniform_real_distribution<double> number(-1, 1);
        pattern = {n, n, {0}, {}};
        for (int j = 0; j < n; ++j) {
            for (int i = std::max(0, j - 2); i <= std::min(n - 1, j + 2); ++i) {
                if (alone && i == n - 1 && j != i)
                    continue;
                pattern.rowIndices.push_back(i);
                const double scale = std::exp2(i % 4 * 12);
                J.push_back((i == j ? 16 : 1) * (1.5 + 0.5 * number(random)) * scale);
                E.push_back((i + j) % 2 ? 0 : number(random) * scale);
            }
            pattern.columnStarts.push_back(static_cast<int>(pattern.rowIndices.size()));
        }
    }
    /// y += factor A x
    void add(const std::vector<double>& A, double factor, const double* x, double* y) const
    {
        for (int j = 0; j < pattern.columns; ++j)
            for (int k = pattern.columnStarts[static_cast<std::size_t>(j)];
                 k < pattern.columnStarts[static_cast<std::size_t>(j) + 1]; ++k)
                y[pattern.rowIndices[static_cast<std::size_t>(k)]] += factor * A[static_cast<std::size_t>(k)] * x[j];
    }
};

} // namespace

class TestConjugatePair : public QObject {
    Q_OBJECT
private slots:
    void solvesTheRealSystem()
    {
        const std::complex<double> lambda(1.25, 2.5);
        ConjugatePair pair; // one for all: sizes and patterns change
        for (const bool alone : {false, true})
            for (const int n : {1, 2, 7, solve::kDenseLimit / 2, solve::kDenseLimit / 2 + 1, 90, 5}) {
                const Problem p(n, alone);
                pair.analyse(p.pattern);
                QVERIFY(pair.factor(p.pattern, p.J, p.E, lambda).ok);
                const auto size = static_cast<std::size_t>(n);
                std::vector<double> x(2 * size), b(2 * size, 0.0);
                for (std::size_t i = 0; i < x.size(); ++i)
                    x[i] = 1 + std::sin(static_cast<double>(i));
                for (const auto& [row, column, j, e] : {std::tuple{0u, 0u, 1.0, lambda.real()},
                                                        {0u, 1u, 0.0, lambda.imag()},
                                                        {1u, 0u, 0.0, -lambda.imag()},
                                                        {1u, 1u, 1.0, lambda.real()}}) {
                    p.add(p.J, j, x.data() + column * size, b.data() + row * size);
                    p.add(p.E, e, x.data() + column * size, b.data() + row * size);
                }
                pair.solve(b);
                for (std::size_t i = 0; i < x.size();
                     ++i) // products of a condition below ten, after scaling, and some tens of operations
                    QVERIFY2(std::abs(b[i] - x[i]) < 1000 * kEpsilon,
                             qPrintable(QString("%1 unknowns: %2").arg(n).arg(b[i] - x[i])));
            }
    }

    void aSingularPair_namesItsUnknown()
    {
        for (const int n : {6, 40}) {
            Problem p(n, false);
            for (int k = p.pattern.columnStarts[3]; k < p.pattern.columnStarts[4]; ++k)
                p.J[static_cast<std::size_t>(k)] = p.E[static_cast<std::size_t>(k)] = 0;
            ConjugatePair pair;
            pair.analyse(p.pattern);
            const auto result = pair.factor(p.pattern, p.J, p.E, {1, 2});
            QVERIFY(!result.ok);
            QVERIFY2(result.column == 3 || (n == 40 && result.column < 0), qPrintable(QString::number(result.column)));
        }
    }
};

QTEST_APPLESS_MAIN(TestConjugatePair)
#include "test_conjugate_pair.moc"
