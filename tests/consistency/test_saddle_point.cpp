// [D A^T; A 0] against what its solutions have to fulfil, drawn at random, in the dense and the sparse size: equations met,
// changes smallest in their metric, repeated rows found, and right sides that no solution has refused.
#include <QtTest>

#include <cmath>

#include "core/consistency/SaddlePoint.h"
#include "core/solve/DenseDecompositions.h"
#include "tests/support/Draw.h"

using namespace driftless;
using consistency::SaddlePoint;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// M tridiagonal and definite, A with four entries a row; `twins` of the last rows repeat the first ones.
struct Drawn {
    int n, rows;
    std::vector<solve::MatrixPlace> massPlaces, rowPlaces;
    std::vector<double> mass, row;
    MatrixXd M, A;

    Drawn(test::Draw& draw, int size, int count, int twins = 0)
        : n(size), rows(count), M(MatrixXd::Zero(size, size)), A(MatrixXd::Zero(count, size))
    {
        for (int i = 0; i < n; ++i) {
            const double beside = i > 0 ? draw.between(-0.5, 0.5) : 0;
            if (i > 0)
                M(i, i - 1) = M(i - 1, i) = beside;
            M(i, i) = draw.between(1.5, 3);
        }
        for (int i = 0; i < n; ++i)
            for (int j = std::max(0, i - 1); j <= std::min(n - 1, i + 1); ++j) {
                massPlaces.push_back({i, j});
                mass.push_back(M(i, j));
            }
        for (int r = 0; r < rows; ++r) {
            if (r >= rows - twins) {
                A.row(r) = A.row(r - (rows - twins));
            } else {
                A(r, r) = draw.between(1, 2); // the first columns keep the rows apart
                for (int k = 0; k < 3; ++k)
                    A(r, draw.upTo(rows, n - 1)) = draw.between(-1, 1);
            }
            for (int j = 0; j < n; ++j)
                if (A(r, j) != 0) {
                    rowPlaces.push_back({r, j});
                    row.push_back(A(r, j));
                }
        }
    }
    SaddlePoint solver() const { return {n, rows, massPlaces, rowPlaces}; }
    MatrixXd K(const MatrixXd& D) const
    {
        MatrixXd out = MatrixXd::Zero(n + rows, n + rows);
        out.topLeftCorner(n, n) = D;
        out.bottomLeftCorner(rows, n) = A;
        out.topRightCorner(n, rows) = A.transpose();
        return out;
    }
};

VectorXd drawnVector(test::Draw& draw, int n)
{
    VectorXd v(n);
    for (int i = 0; i < n; ++i)
        v(i) = draw.between(-1, 1);
    return v;
}

/// Some hundred operations on numbers of size one, conditions of some hundred.
constexpr double kRoundoff = 1e-10;

} // namespace

#define SMALL(x, allowed) QVERIFY2((x) <= (allowed), qPrintable(QString("%1: %2").arg(#x).arg(x)))

class TestSaddlePoint : public QObject {
    Q_OBJECT

    test::Draw draw_{test::seedOr(77)};

    void sizes()
    {
        QTest::addColumn<int>("n");
        QTest::addColumn<int>("rows");
        QTest::newRow("small") << 8 << 4;
        QTest::newRow("as many rows as columns but one") << 9 << 8;
        QTest::newRow("dense") << 60 << 25;
        QTest::newRow("sparse") << 150 << 60;
    }

private slots:
    void initTestCase() { qInfo("DRIFTLESS_SEED=%llu", static_cast<unsigned long long>(test::seedOr(77))); }

    void solutions_meetTheEquations_data() { sizes(); }
    void solutions_meetTheEquations()
    {
        QFETCH(int, n);
        QFETCH(int, rows);
        const Drawn p(draw_, n, rows);
        SaddlePoint solver = p.solver();
        std::vector<double> units;
        for (int i = 0; i < n; ++i)
            units.push_back(std::ldexp(1, draw_.upTo(-3, 3)));
        for (const bool inUnits : {false, true}) {
            if (inUnits)
                solver.setUnits(units);
            for (const bool byMass : {true, false}) {
                QVERIFY(solver.factor(p.row, byMass ? &p.mass : nullptr));
                // In units the metric of the identity is that of dx / u.
                MatrixXd D = p.M;
                if (!byMass) {
                    D = MatrixXd::Identity(n, n);
                    for (int i = 0; i < n && inUnits; ++i)
                        D(i, i) = 1 / (units[static_cast<std::size_t>(i)] * units[static_cast<std::size_t>(i)]);
                }
                VectorXd b = drawnVector(draw_, n + rows);
                if (!byMass)
                    b.head(n).setZero(); // forces belong to masses
                VectorXd x = b;
                solver.solve(x.data());
                const VectorXd left = byMass ? VectorXd(p.K(D) * x - b) : VectorXd(p.A * x.head(n) - b.tail(rows));
                SMALL(left.norm(), kRoundoff * (1 + 64 * x.norm()));
                if (byMass)
                    continue;
                // D x is a combination of the rows.
                const VectorXd weighed = D * x.head(n), combination = p.A.transpose().colPivHouseholderQr().solve(weighed);
                SMALL((p.A.transpose() * combination - weighed).norm(), kRoundoff * 64 * weighed.norm());
            }
        }
    }

    void changes_areSmallestInTheirMetric_data() { sizes(); }
    void changes_areSmallestInTheirMetric()
    {
        QFETCH(int, n);
        QFETCH(int, rows);
        const Drawn p(draw_, n, rows);
        SaddlePoint solver = p.solver();
        for (const bool byMass : {true, false})
            for (const bool holds : {false, true}) {
                std::vector<bool> fixed(static_cast<std::size_t>(n), false);
                for (int j = rows; j < n && holds; ++j)
                    fixed[static_cast<std::size_t>(j)] = draw_.chance(0.3);
                const VectorXd r = drawnVector(draw_, rows);
                const auto found =
                    solver.smallestChange(p.row, byMass ? &p.mass : nullptr, fixed, {r.data(), static_cast<std::size_t>(rows)});
                QCOMPARE(static_cast<int>(found.size()), n);
                const VectorXd dx = Eigen::Map<const VectorXd>(found.data(), n);
                SMALL((p.A * dx + r).norm(), kRoundoff * 64);
                std::vector<int> free;
                for (int j = 0; j < n; ++j) {
                    if (fixed[static_cast<std::size_t>(j)])
                        QVERIFY(dx(j) == 0);
                    else
                        free.push_back(j);
                }
                const MatrixXd D = byMass ? p.M : MatrixXd::Identity(n, n);
                const VectorXd slope = (D * dx)(free);
                const MatrixXd across = p.A(Eigen::all, free).transpose();
                const VectorXd combination = across.colPivHouseholderQr().solve(slope);
                SMALL((across * combination - slope).norm(), kRoundoff * 64 * (1 + slope.norm()));
            }
    }

    void everythingHeld_changesNothing()
    {
        const Drawn p(draw_, 7, 3);
        const VectorXd r = drawnVector(draw_, 3);
        for (const double change : p.solver().smallestChange(p.row, &p.mass, std::vector<bool>(7, true), {r.data(), 3}))
            QCOMPARE(change, 0.0);
    }

    void rowsThatRepeatOthers_data() { sizes(); }
    void rowsThatRepeatOthers()
    {
        QFETCH(int, n);
        QFETCH(int, rows);
        const Drawn alone(draw_, n, rows);
        QVERIFY(alone.solver().dependentRows(alone.row).empty());
        const Drawn p(draw_, n, rows, 2);
        SaddlePoint solver = p.solver();
        const auto repeated = solver.dependentRows(p.row);
        QCOMPARE(repeated.size(), std::size_t{2});
        for (const int r : repeated) // one of each pair
            QVERIFY(r < 2 || r >= rows - 2);
        QVERIFY(repeated[0] % (rows - 2) != repeated[1] % (rows - 2));
        QVERIFY(!solver.factor(p.row, &p.mass));
        // A right side in the range: met, and twins carry the same.
        const VectorXd b = p.K(p.M) * drawnVector(draw_, n + rows);
        VectorXd x = b;
        QVERIFY(solver.solveSingular(p.row, p.mass, x.data()));
        SMALL((p.K(p.M) * x - b).norm(), 1e-7 * b.norm());
        for (int k = 0; k < 2; ++k) // the sparse factors are those of a matrix beside it, refined a few times
            SMALL(std::abs(x(n + k) - x(n + rows - 2 + k)), 1e-6 * (1 + x.norm()));
        // Nothing is met by nothing.
        x.setZero();
        QVERIFY(solver.solveSingular(p.row, p.mass, x.data()));
        QVERIFY(x.norm() == 0);
        // Twins that are to be met with different values are not.
        x = b;
        x(n) += 1;
        QVERIFY(!solver.solveSingular(p.row, p.mass, x.data()));
        // The change is the smallest all the same where both ask for the same.
        VectorXd r = drawnVector(draw_, rows);
        r.tail(2) = r.head(2);
        const auto found = solver.smallestChange(p.row, &p.mass, std::vector<bool>(static_cast<std::size_t>(n), false),
                                                 {r.data(), static_cast<std::size_t>(rows)});
        SMALL((p.A * Eigen::Map<const VectorXd>(found.data(), n) + r).norm(), 1e-7);
    }

    void withoutRows_onlyTheMassIsLeft()
    {
        const Drawn p(draw_, 5, 0);
        SaddlePoint solver = p.solver();
        QVERIFY(solver.dependentRows(p.row).empty());
        QVERIFY(solver.factor(p.row, &p.mass));
        VectorXd b = drawnVector(draw_, 5), x = b;
        solver.solve(x.data());
        SMALL((p.M * x - b).norm(), kRoundoff);
        SaddlePoint nothing(0, 0, {}, {});
        QVERIFY(nothing.factor({}, nullptr));
    }

    void lightBodiesBesideHeavyOnes_keepTheirDigits_data() { sizes(); }
    void lightBodiesBesideHeavyOnes_keepTheirDigits()
    {
        QFETCH(int, n);
        Drawn p(draw_, n, 0);
        // The second half is a millionth of a millionth as heavy.
        std::vector<double> scale(static_cast<std::size_t>(n), 1.0);
        for (int i = n / 2; i < n; ++i)
            scale[static_cast<std::size_t>(i)] = 1e-12;
        for (std::size_t k = 0; k < p.mass.size(); ++k)
            p.mass[k] *= std::sqrt(scale[static_cast<std::size_t>(p.massPlaces[k].row)]
                                   * scale[static_cast<std::size_t>(p.massPlaces[k].column)]);
        const VectorXd wanted = drawnVector(draw_, n);
        VectorXd x = VectorXd::Zero(n);
        for (std::size_t k = 0; k < p.mass.size(); ++k) // wanted counts in 1 / sqrt(scale)
            x(p.massPlaces[k].row) +=
                p.mass[k] * wanted(p.massPlaces[k].column) / std::sqrt(scale[static_cast<std::size_t>(p.massPlaces[k].column)]);
        VectorXd y = x;
        consistency::MassSolver mass(n, p.massPlaces);
        QVERIFY(mass.solve(p.mass, x.data()));
        SaddlePoint saddle = p.solver();
        QVERIFY(saddle.factor(p.row, &p.mass));
        saddle.solve(y.data());
        for (int i = 0; i < n; ++i) {
            const double own = std::sqrt(scale[static_cast<std::size_t>(i)]);
            SMALL(std::abs(x(i) * own - wanted(i)), kRoundoff);
            SMALL(std::abs(y(i) * own - wanted(i)), kRoundoff);
        }
        // One that weighs nothing.
        for (std::size_t k = 0; k < p.mass.size(); ++k)
            if (p.massPlaces[k].row == 1 || p.massPlaces[k].column == 1)
                p.mass[k] = 0;
        QVERIFY(!mass.solve(p.mass, x.data()));
    }

    void masses_onADiagonal()
    {
        std::vector<solve::MatrixPlace> places{{0, 0}, {1, 1}, {2, 2}};
        consistency::MassSolver solver(3, places);
        std::vector<double> mass{2, 4, 1e-9}, x{1, 2, 3};
        QVERIFY(solver.solve(mass, x.data()));
        QCOMPARE(x, (std::vector<double>{0.5, 0.5, 3e9}));
        for (const double none : {0.0, -1.0, HUGE_VAL, std::nan("")}) {
            mass[1] = none;
            QVERIFY(!solver.solve(mass, x.data()));
        }
        places.pop_back();
        QVERIFY(!consistency::MassSolver(3, places).solve(std::vector<double>{1, 1}, x.data()));
        QVERIFY(consistency::MassSolver(0, {}).solve({}, x.data()));
        // The same place twice: entries are written, not added; the matrix is not a diagonal one.
        consistency::MassSolver repeated(2, std::vector<solve::MatrixPlace>{{0, 0}, {0, 0}});
        QVERIFY(!repeated.solve(std::vector<double>{1, 1}, x.data()));
    }
};

QTEST_GUILESS_MAIN(TestSaddlePoint)
#include "test_saddle_point.moc"
