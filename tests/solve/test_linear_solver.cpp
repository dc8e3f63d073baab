// Both linear solvers against matrices whose solution is known exactly.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numeric>
#include <random>

#include "core/solve/LinearSolver.h"
#include "core/solve/Newton.h"
#include "core/solve/Norm.h"

using namespace driftless::solve;

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

struct Problem {
    SparsePattern pattern;
    std::vector<double> values;

    std::vector<double> times(const std::vector<double>& x) const
    {
        std::vector<double> b(x.size(), 0.0);
        for (std::size_t j = 0; j < x.size(); ++j)
            for (auto k = static_cast<std::size_t>(pattern.columnStarts[j]);
                 k < static_cast<std::size_t>(pattern.columnStarts[j + 1]); ++k)
                b[static_cast<std::size_t>(pattern.rowIndices[k])] += values[k] * x[j];
        return b;
    }
};

/// Tridiagonal with a zero diagonal at every third place (so pivoting is needed) and rows of very different scale.
Problem tridiagonal(int n, unsigned seed)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> number(1, 2);
    Problem p;
    p.pattern = {n, n, {0}, {}};
    for (int j = 0; j < n; ++j) {
        for (int i = std::max(0, j - 1); i <= std::min(n - 1, j + 1); ++i) {
            p.pattern.rowIndices.push_back(i);
            const double scale = std::exp2(i % 5 * 10);
            if (i == j && i % 3 == 1)
                p.values.push_back(0);
            else
                p.values.push_back((i == j ? 4.0 : number(random)) * scale);
        }
        p.pattern.columnStarts.push_back(static_cast<int>(p.pattern.rowIndices.size()));
    }
    return p;
}

Problem dense(int n, const std::vector<double>& byColumns)
{
    Problem p;
    p.pattern = {n, n, {0}, {}};
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i)
            p.pattern.rowIndices.push_back(i);
        p.pattern.columnStarts.push_back((j + 1) * n);
    }
    p.values = byColumns;
    return p;
}

} // namespace

class LinearSolverTest : public QObject {
    Q_OBJECT

    template <class Number, class Make, class Value>
    void drawPivots(const Make& make, const Value& valueOf)
    {
        constexpr unsigned kSeed = 20261123;
        std::mt19937 random(kSeed);
        const auto draw = [&random](int most) { return static_cast<int>(random() % static_cast<unsigned>(most)); };
        int singular = 0;
        for (int k = 0; k < 60; ++k) {
            const int n = 1 + draw(k % 10 == 0 ? 30 : 12); // larger ones have no plan
            Problem p;
            p.pattern = {n, n, {0}, {}};
            for (int j = 0; j < n; ++j) {
                for (int i = 0; i < n; ++i)
                    if (i == j || draw(3) == 0)
                        p.pattern.rowIndices.push_back(i);
                p.pattern.columnStarts.push_back(static_cast<int>(p.pattern.rowIndices.size()));
            }
            auto old = make(n);
            old->analyse(p.pattern);
            std::vector<Number> values(p.pattern.rowIndices.size(), valueOf(1.0));
            for (int step = 0; step < 40; ++step) {
                for (Number& value : values)
                    if (draw(4) == 0) {
                        static constexpr double kDrawn[]{-2, -1, -1, 0, 0.5, 1, 1, 3, 1e-9, 1e6};
                        value = valueOf(kDrawn[draw(std::size(kDrawn))] * (draw(2) ? 1 : 1 + 0.1 * draw(5)));
                    }
                auto fresh = make(n);
                fresh->analyse(p.pattern);
                const Factorization a = old->factor(values.data()), b = fresh->factor(values.data());
                QCOMPARE(a.ok, b.ok);
                QCOMPARE(a.row, b.row);
                QCOMPARE(a.column, b.column);
                QVERIFY(a.pivotRatio == b.pivotRatio);
                singular += !a.ok;
                if (!a.ok)
                    continue;
                std::vector<Number> x(static_cast<std::size_t>(n));
                for (std::size_t i = 0; i < x.size(); ++i)
                    x[i] = valueOf(1.0 + static_cast<double>(i));
                auto y = x;
                old->solve(x.data());
                fresh->solve(y.data());
                QVERIFY2(x == y, qPrintable(QString("seed %1, draw %2, step %3").arg(kSeed).arg(k).arg(step)));
            }
        }
        QVERIFY(singular > 0);
    }

private slots:
    /// Matrices that fall apart into singletons of rows, a core, and singletons of columns, in any order of rows and columns.
    void singletonsAreSubstituted()
    {
        std::mt19937 random(3);
        std::uniform_real_distribution<double> number(0.5, 2);
        for (int round = 0; round < 200; ++round) {
            const int n = 3 + round % 12, first = round % 3, last = n - 1 - round % 2;
            std::vector<int> rows(static_cast<std::size_t>(n)), columns(rows.size());
            std::iota(rows.begin(), rows.end(), 0);
            std::iota(columns.begin(), columns.end(), 0);
            std::shuffle(rows.begin(), rows.end(), random);
            std::shuffle(columns.begin(), columns.end(), random);
            // Row i of the ordered matrix: one of the first has entries up to the diagonal, one of the core also in the core
            // and after it, one of the last from its diagonal on as well.
            std::vector<std::vector<std::pair<int, double>>> byColumn(rows.size());
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < n; ++j) {
                    const bool core = i >= first && i < last && j >= first && j < last;
                    const bool allowed = i == j || core || (j < first && j < i) || (i >= last && j < i);
                    if (allowed && (i == j || core || random() % 2))
                        byColumn[static_cast<std::size_t>(columns[static_cast<std::size_t>(j)])].emplace_back(
                            rows[static_cast<std::size_t>(i)], (core && i == j ? 8 : 1) * number(random));
                }
            Problem p;
            p.pattern = {n, n, {0}, {}};
            for (auto& column : byColumn) {
                std::sort(column.begin(), column.end());
                for (const auto& [row, value] : column) {
                    p.pattern.rowIndices.push_back(row);
                    p.values.push_back(value * std::exp2(row % 4 * 8));
                }
                p.pattern.columnStarts.push_back(static_cast<int>(p.values.size()));
            }
            std::vector<double> x(rows.size());
            for (double& value : x)
                value = number(random);
            auto solver = makeDenseSolver(n);
            solver->analyse(p.pattern);
            QVERIFY(solver->factor(p.values.data()).ok);
            auto b = p.times(x);
            solver->solve(b.data());
            // Triangles of up to 15 rows with diagonals down to a quarter of the other entries amplify round-off.
            for (std::size_t i = 0; i < x.size(); ++i)
                QVERIFY2(std::abs(b[i] - x[i]) < 1e-9, qPrintable(QString("round %1: %2").arg(round).arg(b[i] - x[i])));
            // A diagonal that is zero outside the core leaves nothing to divide by, and is named.
            if (first > 0) {
                const int row = rows[0], column = columns[0];
                for (int k = p.pattern.columnStarts[static_cast<std::size_t>(column)];
                     k < p.pattern.columnStarts[static_cast<std::size_t>(column) + 1]; ++k)
                    if (p.pattern.rowIndices[static_cast<std::size_t>(k)] == row)
                        p.values[static_cast<std::size_t>(k)] = 0;
                const auto singular = solver->factor(p.values.data());
                QVERIFY(!singular.ok);
                QCOMPARE(singular.row, row);
                QCOMPARE(singular.column, column);
            }
        }
    }

    void knownSolution_isFound_data()
    {
        QTest::addColumn<bool>("sparse");
        QTest::addColumn<int>("n");
        for (int n : {1, 2, 7, 64, 200})
            for (bool sparse : {false, true})
                QTest::addRow("%s %d", sparse ? "sparse" : "dense", n) << sparse << n;
    }

    void knownSolution_isFound()
    {
        QFETCH(bool, sparse);
        QFETCH(int, n);
        auto solver = sparse ? makeSparseSolver() : makeDenseSolver(n);
        auto problem = tridiagonal(n, 1);
        solver->analyse(problem.pattern);
        // Several numeric factorisations on one pattern, the later ones reusing what they can.
        for (unsigned seed = 1; seed < 5; ++seed) {
            problem = tridiagonal(n, seed);
            const auto factored = solver->factor(problem.values.data());
            QVERIFY(factored.ok);
            QVERIFY(factored.pivotRatio > 0 && factored.pivotRatio <= 1);
            std::vector<double> x(static_cast<std::size_t>(n));
            for (std::size_t i = 0; i < x.size(); ++i)
                x[i] = 1 + std::sin(static_cast<double>(i));
            auto b = problem.times(x);
            solver->solve(b.data());
            // Backward stable: round-off times the growth of a band elimination times the condition, which for these
            // tridiagonal matrices stays below 1e3 n.
            for (std::size_t i = 0; i < x.size(); ++i)
                QVERIFY(std::abs(b[i] - x[i]) <= 1e3 * n * kEpsilon * 4);
        }
    }

    void singularMatrix_isReportedWithTheUndeterminedUnknown()
    {
        // The third column is zero: nothing determines unknown 2.
        const auto p = dense(3, {1, 2, 3, 4, 5, 7, 0, 0, 0});
        auto lu = makeDenseSolver(3);
        lu->analyse(p.pattern);
        const auto result = lu->factor(p.values.data());
        QVERIFY(!result.ok);
        QCOMPARE(result.column, 2);
        QCOMPARE(result.pivotRatio, 0.0);
        auto klu = makeSparseSolver();
        klu->analyse(p.pattern);
        QVERIFY(!klu->factor(p.values.data()).ok);
    }

    void singularMatrix_isFollowedByARegularOne()
    {
        auto p = dense(2, {1, 2, 2, 4});
        for (bool sparse : {false, true}) {
            auto solver = sparse ? makeSparseSolver() : makeDenseSolver(2);
            solver->analyse(p.pattern);
            p.values = {1, 2, 2, 4};
            QVERIFY(!solver->factor(p.values.data()).ok);
            p.values = {1, 2, 2, 5};
            QVERIFY(solver->factor(p.values.data()).ok);
            double b[] = {5, 12}; // x = (1, 2)
            solver->solve(b);
            QVERIFY(std::abs(b[0] - 1) < 64 * kEpsilon && std::abs(b[1] - 2) < 64 * kEpsilon);
        }
    }

    void notANumber_isNotFactored()
    {
        auto p = dense(2, {1, 0, std::numeric_limits<double>::quiet_NaN(), 1});
        for (bool sparse : {false, true}) {
            auto solver = sparse ? makeSparseSolver() : makeDenseSolver(2);
            solver->analyse(p.pattern);
            QVERIFY(!solver->factor(p.values.data()).ok);
        }
    }

    void patternChange_isAnalysedAgain()
    {
        auto solver = makeSparseSolver();
        for (int n : {5, 9, 5}) {
            const auto p = tridiagonal(n, 3);
            solver->analyse(p.pattern);
            QVERIFY(solver->factor(p.values.data()).ok);
            auto b = p.times(std::vector<double>(static_cast<std::size_t>(n), 1.0));
            solver->solve(b.data());
            for (double x : b)
                QVERIFY(std::abs(x - 1) < 1e3 * n * kEpsilon * 4);
        }
    }

    /// A solver that has a past lays its eliminations out by the pivots that it found before; one that has none eliminates
    /// freely. Values jump, tie, vanish and leave the matrix singular; the numbers have to be the same.
    void pastPivots_changeNoNumber()
    {
        drawPivots<double>(makeDenseSolver, [](double x) { return x; });
        drawPivots<std::complex<double>>(makeDenseComplexSolver, [](double x) { return std::complex<double>(x, x * x - 1); });
    }

    void norms_ofKnownVectors()
    {
        const double v[] = {3, 4}, w[] = {1, 1}, half[] = {0.5, 0.25};
        QCOMPARE(weightedRms(v, w), std::sqrt(12.5));
        QCOMPARE(weightedMax(v, half), 1.5);
        QCOMPARE(weightedRms({}, {}), 0.0);
        const double bad[] = {std::numeric_limits<double>::quiet_NaN(), 1};
        QVERIFY(std::isnan(weightedMax(bad, w)));
    }

    void newton_reachesRoundoff_andReportsDivergence()
    {
        struct Root { // x^2 = a
            double a, x, F = 0, J = 0, start;
            bool residual()
            {
                F = x * x - a;
                return true;
            }
            bool assemble()
            {
                J = 2 * x;
                return true;
            }
            Factorization factor() { return {J != 0, 1, -1, 0}; }
            double correct()
            {
                x -= F / J;
                return std::abs(F / J) / (1 + std::abs(x));
            }
            void reset() { x = start; }
            bool cancelled() const { return false; }
        };
        bool factored = false;
        Root two{2, 1.4, 0, 0, 1.4};
        QVERIFY(newton(two, factored).status == NewtonStatus::Converged);
        QVERIFY(std::abs(two.x - std::sqrt(2.0)) <= 2 * kEpsilon);
        factored = false;
        Root none{-1, 0.7, 0, 0, 0.7};
        QVERIFY(newton(none, factored).status == NewtonStatus::Diverged);
        factored = false;
        Root flat{1, 0, 0, 0, 0};
        QVERIFY(newton(flat, factored).status == NewtonStatus::Singular);
    }

    /// Corrections as they come, whatever the matrix: which of them are taken for round-off, and which ask for a new matrix.
    void newton_tellsRoundoffFromSlowConvergence()
    {
        struct Told {
            std::vector<double> norms;
            std::size_t next = 0;
            int matrices = 0;
            bool residual() { return true; }
            bool assemble()
            {
                ++matrices;
                return true;
            }
            Factorization factor() { return {true, 1, -1, 0}; }
            double correct() { return next < norms.size() ? norms[next++] : 0.0; }
            void reset() {}
            bool cancelled() const { return false; }
        };
        const struct {
            std::vector<double> norms;
            std::size_t taken;
            int matrices;
        } cases[]{
            {{1e-9, 5e-12, 2e-12}, 3, 1}, // a thousandfold, then hardly: no matrix of the same motion contracts like that
            {{1e-9, 5e-12, 6e-12}, 3, 1}, // it grows
            {{1e-3, 1e-8, 1e-10, 1e-15, 1e-20}, 4, 1}, // unknowns of another index order shrink slower: not round-off yet
            {{1e-5, 1e-8, 4e-9, 1e-17}, 4, 2},         // hardly, above the floor: a new matrix
        };
        for (const auto& c : cases) {
            Told told{c.norms};
            bool factored = false;
            QVERIFY(newton(told, factored).status == NewtonStatus::Converged);
            QCOMPARE(told.next, c.taken);
            QCOMPARE(told.matrices, c.matrices);
        }
    }
};

QTEST_APPLESS_MAIN(LinearSolverTest)
#include "test_linear_solver.moc"
