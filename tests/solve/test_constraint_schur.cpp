// What is left of a saddle point once masses are eliminated, against dense matrices: chains, trees and loops, gradients at two
// points; and where it says that it is not to be relied on.
#include <QtTest>

#include <cmath>
#include <limits>
#include <random>

#include "core/solve/ConstraintSchur.h"
#include "core/solve/DenseDecompositions.h"

using namespace driftless::solve;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

/// Constraint i ties two points of the plane, the second less than none: one end stands still.
struct Ties {
    std::vector<std::pair<int, int>> ends;
    int points = 0;

    std::vector<MatrixPlace> places() const
    {
        std::vector<MatrixPlace> out;
        for (int i = 0; i < static_cast<int>(ends.size()); ++i)
            for (const int point : {ends[static_cast<std::size_t>(i)].first, ends[static_cast<std::size_t>(i)].second})
                for (int k = 0; point >= 0 && k < 2; ++k)
                    out.push_back({i, 2 * point + k});
        return out;
    }
    int rows() const { return static_cast<int>(ends.size()); }
    int columns() const { return 2 * points; }
};

Ties chain(int n)
{
    Ties out{.ends = {}, .points = n};
    for (int i = 0; i < n; ++i)
        out.ends.emplace_back(i, i - 1);
    return out;
}
Ties tree(int n, std::mt19937& random)
{
    Ties out = chain(n);
    for (int i = 1; i < n; ++i)
        out.ends[static_cast<std::size_t>(i)].second = std::uniform_int_distribution<int>(0, i - 1)(random);
    return out;
}
/// A tree with further ties, no two of them between the same points.
Ties looped(int n, int loops, std::mt19937& random)
{
    Ties out = tree(n, random);
    for (int k = 0; k < loops; ++k)
        out.ends.emplace_back(n - 1 - k, k);
    return out;
}

std::vector<double> drawn(std::size_t count, double from, double to, std::mt19937& random)
{
    std::uniform_real_distribution<double> value(from, to);
    std::vector<double> out(count);
    for (double& x : out)
        x = value(random);
    return out;
}

MatrixXd dense(const Ties& ties, const std::vector<double>& values)
{
    MatrixXd out = MatrixXd::Zero(ties.rows(), ties.columns());
    const auto places = ties.places();
    for (std::size_t k = 0; k < places.size(); ++k)
        out(places[k].row, places[k].column) = values[k];
    return out;
}

void compareWithDense(const Ties& ties, std::mt19937& random)
{
    const auto places = ties.places();
    ConstraintSchur schur;
    QVERIFY(schur.analyse(ties.columns(), ties.rows(), places));
    const auto a = drawn(places.size(), -1, 1, random), w = drawn(static_cast<std::size_t>(ties.columns()), 0.5, 2, random);
    auto b = a; // at a point near by
    for (double& value : b)
        value += 0.01 * drawn(1, -1, 1, random)[0];
    QVERIFY(schur.factor(b.data(), w.data(), a.data()));
    const auto y = drawn(w.size(), -1, 1, random), r = drawn(ties.ends.size(), -1, 1, random);
    std::vector<double> lambda(r.size()), force(w.size());
    schur.multipliers(y.data(), r.data(), lambda.data());
    schur.force(lambda.data(), force.data());

    const MatrixXd A = dense(ties, a), B = dense(ties, b);
    const auto vector = [](const std::vector<double>& v) {
        return Eigen::Map<const VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
    };
    const MatrixXd S = B * vector(w).asDiagonal() * A.transpose();
    const VectorXd right = B * vector(y) - vector(r);
    // Backward stable where S is as good as symmetric and positive: some round-offs of what a row sums up, for each row.
    const double scale =
        S.cwiseAbs().rowwise().sum().maxCoeff() * vector(lambda).cwiseAbs().maxCoeff() + right.cwiseAbs().maxCoeff();
    QVERIFY2((S * vector(lambda) - right).cwiseAbs().maxCoeff() <= 100 * ties.rows() * kEps * scale, "residual of S lambda");
    QVERIFY((A.transpose() * vector(lambda) - vector(force)).cwiseAbs().maxCoeff() <= 10 * kEps * scale);
}

} // namespace

class TestConstraintSchur : public QObject {
    Q_OBJECT
private slots:
    void multipliers_areThoseOfADenseSolution()
    {
        std::mt19937 random(20261124);
        for (const int n : {1, 2, 3, 10, 60}) {
            compareWithDense(chain(n), random);
            compareWithDense(tree(n, random), random);
        }
        for (int k = 0; k < 20; ++k)
            compareWithDense(looped(30, 3, random), random);
    }

    void rowsThatRepeatOthers_areRefused()
    {
        Ties ties = chain(40);
        ties.ends.push_back(ties.ends[17]);
        ConstraintSchur schur;
        QVERIFY(schur.analyse(ties.columns(), ties.rows(), ties.places()));
        std::mt19937 random(3);
        auto a = drawn(ties.places().size(), 0.5, 1, random);
        std::copy_n(a.begin() + 2 + 4 * 16, 4, a.end() - 4); // row 0 has two entries, the others four
        const std::vector<double> w(static_cast<std::size_t>(ties.columns()), 1.0);
        QVERIFY(!schur.factor(a.data(), w.data(), a.data()));
        a.back() *= 2; // and no others
        QVERIFY(schur.factor(a.data(), w.data(), a.data()));
    }

    void numbersThatAreNone_areRefused()
    {
        const Ties ties = chain(5);
        ConstraintSchur schur;
        QVERIFY(schur.analyse(ties.columns(), ties.rows(), ties.places()));
        std::vector<double> a(ties.places().size(), 1.0), w(10, 1.0);
        QVERIFY(schur.factor(a.data(), w.data(), a.data()));
        a[3] = std::numeric_limits<double>::quiet_NaN();
        QVERIFY(!schur.factor(a.data(), w.data(), a.data()));
    }

    void rowsThatAllMeet_areLeftToAGeneralSolver()
    {
        Ties star{.ends = {}, .points = 201};
        for (int i = 0; i < 200; ++i)
            star.ends.emplace_back(200, i);
        ConstraintSchur schur;
        QVERIFY(!schur.analyse(star.columns(), star.rows(), star.places()));
    }
};

QTEST_APPLESS_MAIN(TestConstraintSchur)
#include "test_constraint_schur.moc"
