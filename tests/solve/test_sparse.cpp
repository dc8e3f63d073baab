// Sparse factorisations against dense ones: solutions, norms of inverses, ranks, signs of determinants.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "core/solve/DenseDecompositions.h"
#include "core/solve/SparseElimination.h"

using namespace driftless::solve;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

struct Sparse {
    std::vector<MatrixPlace> entries;
    std::vector<double> values;

    MatrixXd dense(int rows, int columns) const
    {
        MatrixXd out = MatrixXd::Zero(rows, columns);
        for (std::size_t k = 0; k < entries.size(); ++k)
            out(entries[k].row, entries[k].column) += values[k];
        return out;
    }
};

/// Each column has its diagonal place and a few others.
Sparse random(int rows, int columns, unsigned seed)
{
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> value(-1, 1);
    std::uniform_int_distribution<int> place(0, rows - 1);
    Sparse out;
    for (int c = 0; c < columns; ++c) {
        out.entries.push_back({c % rows, c});
        out.values.push_back(value(generator) + 1.5);
        for (int k = 0; k < 3; ++k) {
            const MatrixPlace e{place(generator), c};
            if (std::none_of(out.entries.begin(), out.entries.end(), [&e](const MatrixPlace& o) { return o == e; })) {
                out.entries.push_back(e);
                out.values.push_back(value(generator));
            }
        }
    }
    return out;
}

} // namespace

class TestSparse : public QObject {
    Q_OBJECT
private slots:
    void solvesAsTheDenseFactorisationDoes();
    void entriesAtOnePlaceAddUp();
    void aSingularMatrixIsToldSo();
    void theNormOfTheInverseIsEstimatedFromBelow();
    void signsAreThoseOfDeterminants();
    void dependentColumnsAreFound();
    void chosenRowsMakeARegularBlock();
};

void TestSparse::solvesAsTheDenseFactorisationDoes()
{
    for (unsigned seed = 1; seed <= 20; ++seed) {
        const Sparse a = random(40, 40, seed);
        const MatrixXd A = a.dense(40, 40);
        const VectorXd b = VectorXd::LinSpaced(40, -1, 2);
        const VectorXd x = A.partialPivLu().solve(b);
        SparseFactor factor;
        factor.analyse(40, a.entries);
        for (int again = 0; again < 2; ++again) { // the second reuses the pivots of the first
            QVERIFY(factor.factor(a.values) > 0);
            VectorXd y = b;
            factor.solve(y.data());
            const double condition = A.norm() * A.inverse().norm();
            QVERIFY((y - x).norm() <= 40 * kEps * condition * x.norm());
        }
    }
}

void TestSparse::entriesAtOnePlaceAddUp()
{
    SparseFactor factor;
    const std::vector<MatrixPlace> entries{{0, 0}, {1, 1}, {0, 0}};
    factor.analyse(2, entries);
    QVERIFY(factor.factor(std::vector<double>{1, 4, 2}) > 0);
    double b[] = {6, 8};
    factor.solve(b);
    QCOMPARE(b[0], 2.0);
    QCOMPARE(b[1], 2.0);
}

void TestSparse::aSingularMatrixIsToldSo()
{
    SparseFactor factor;
    const std::vector<MatrixPlace> entries{{0, 0}, {0, 1}, {1, 0}, {1, 1}};
    factor.analyse(2, entries);
    QVERIFY(!(factor.factor(std::vector<double>{1, 2, 2, 4}) > 4 * kEps));
    QCOMPARE(factor.factor(std::vector<double>{1, std::nan(""), 2, 4}), 0.0);
    QVERIFY(factor.factor(std::vector<double>{1, 2, 2, 5}) > 0.01);
}

void TestSparse::theNormOfTheInverseIsEstimatedFromBelow()
{
    for (unsigned seed = 1; seed <= 20; ++seed) {
        const Sparse a = random(40, 40, seed);
        const double norm = a.dense(40, 40).inverse().cwiseAbs().colwise().sum().maxCoeff();
        SparseFactor factor;
        factor.analyse(40, a.entries);
        QVERIFY(factor.factor(a.values) > 0);
        // The estimator finds a column of the inverse, or a little less: never more than the norm, hardly ever below a third
        // (Higham 1988).
        QVERIFY(factor.inverseNorm() <= norm * (1 + 1e-8));
        QVERIFY(factor.inverseNorm() >= norm / 3);
    }
}

void TestSparse::signsAreThoseOfDeterminants()
{
    int negative = 0;
    for (unsigned seed = 1; seed <= 30; ++seed) {
        Sparse a = random(15, 15, seed);
        for (MatrixPlace& e : a.entries) // exchanged in every second one
            e.row = seed % 2 && e.row < 2 ? 1 - e.row : e.row;
        SparseElimination elimination;
        elimination.eliminate(15, 15, a.entries, a.values, 1e-12);
        const double determinant = a.dense(15, 15).determinant();
        QCOMPARE(elimination.sign(), determinant > 0 ? 1 : -1);
        negative += determinant < 0;
    }
    QVERIFY(negative > 0 && negative < 30);
}

void TestSparse::dependentColumnsAreFound()
{
    Sparse a = random(60, 30, 3);
    // Column 30 is the sum of two others, column 31 is empty.
    for (std::size_t k = 0, size = a.entries.size(); k < size; ++k)
        if (a.entries[k].column == 4 || a.entries[k].column == 9) {
            a.entries.push_back({a.entries[k].row, 30});
            a.values.push_back(a.values[k]);
        }
    SparseElimination elimination;
    elimination.eliminate(60, 32, a.entries, a.values, 1e-12);
    const std::vector<int> dependent = elimination.dependentColumns();
    QCOMPARE(dependent.size(), std::size_t{2});
    QVERIFY(std::find(dependent.begin(), dependent.end(), 31) != dependent.end());
    QCOMPARE(elimination.pivotRatio(), 0.0);
    // Of the three that depend on each other any one may be named, and without it the rest has full rank.
    MatrixXd rest = a.dense(60, 32);
    for (const int c : dependent)
        rest.col(c).setZero();
    QCOMPARE(static_cast<int>(rest.fullPivLu().rank()), 30);
}

void TestSparse::chosenRowsMakeARegularBlock()
{
    const Sparse a = random(80, 30, 7);
    SparseElimination elimination;
    elimination.eliminate(80, 30, a.entries, a.values, 1e-12);
    const MatrixXd A = a.dense(80, 30);
    MatrixXd block(30, 30);
    for (int c = 0; c < 30; ++c) {
        const int row = elimination.pivotRows()[static_cast<std::size_t>(c)];
        QVERIFY(row >= 0);
        block.row(c) = A.row(row);
    }
    const Eigen::JacobiSVD<MatrixXd> ofAll(A), ofBlock(block);
    const double largest = ofAll.singularValues()(0), least = ofBlock.singularValues()(29);
    // Partial pivoting: the block's inverse is larger than the best by a small factor in practice; far from singular is what is
    // asked.
    QVERIFY(least > 1e-3 * largest);
}

QTEST_APPLESS_MAIN(TestSparse)
#include "test_sparse.moc"
