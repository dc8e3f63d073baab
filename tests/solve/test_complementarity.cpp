// The complementarity of contacts: against its own conditions, and where it is known.
#include <QtTest>

#include <cmath>
#include <random>

#include "core/solve/Complementarity.h"
#include "core/solve/DenseDecompositions.h"

using namespace driftless;

class TestComplementarity : public QObject {
    Q_OBJECT

private slots:
    /// Random A = B B^T, regular and singular: the conditions themselves are looked at.
    void complementarity_meetsItsConditions()
    {
        std::mt19937 draw(7);
        std::normal_distribution<double> normal;
        int active = 0, singular = 0;
        for (int k = 0; k < 300; ++k) {
            const int size = 1 + k % 8, inner = 1 + (k / 8) % 8;
            Eigen::MatrixXd B(size, inner);
            for (double& x : B.reshaped())
                x = normal(draw);
            const Eigen::MatrixXd A = B * B.transpose();
            // b in the range of A plus something positive: a solution exists for semidefinite A.
            Eigen::VectorXd x(inner);
            for (double& value : x)
                value = normal(draw);
            Eigen::VectorXd b = B * x;
            for (double& value : b)
                value += 0.1;
            const auto solved = solve::solveComplementarity(A, b, 1e-12);
            QVERIFY(solved.solved);
            // Round-off of a solution with condition up to 1/kDependent = 1e10 in the scaled matrix.
            const double roundoff = 1e-5 * (1 + b.cwiseAbs().maxCoeff());
            const Eigen::VectorXd w = A * solved.z + b;
            for (Eigen::Index i = 0; i < size; ++i) {
                QVERIFY(solved.z(i) >= 0 && w(i) >= -roundoff && std::abs(solved.z(i) * w(i)) <= roundoff * (1 + solved.z(i)));
                active += solved.z(i) > 0;
            }
            singular += inner < size;
        }
        QVERIFY(active > 100 && singular > 50); // both happened
    }

    void complementarity_ofOneContact_isTheScalarOne()
    {
        const Eigen::MatrixXd A = Eigen::MatrixXd::Constant(1, 1, 2.0);
        const auto pushes = solve::solveComplementarity(A, Eigen::VectorXd::Constant(1, -3), 0);
        QCOMPARE(pushes.z(0), 1.5);
        QCOMPARE(static_cast<int>(pushes.active[0]), 1);
        const auto parts = solve::solveComplementarity(A, Eigen::VectorXd::Constant(1, 3), 0);
        QCOMPARE(parts.z(0), 0.0);
        QCOMPARE(parts.w(0), 3.0);
    }
};

QTEST_GUILESS_MAIN(TestComplementarity)
#include "test_complementarity.moc"
