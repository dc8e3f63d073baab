// The joint that holds a height: its row, and its rows against a configuration by hand.
#include <QtTest>

#include "core/mechanism/ReadModel.h"
#include "tests/mechanism/Evaluate.h"

using namespace driftless;
using namespace driftless::model;
using namespace driftless::model::testing;

class TestLevelJoint : public QObject {
    Q_OBJECT
private slots:
    /// The point (0.5, 0) of a bar that has turned by pi/2 about (1, 2) stands at the height 2.5.
    void rowIsTheHeightAboveTheGround()
    {
        Evaluated mechanism(readModel(R"(format = 1
[[body]]
name = "bar"
kind = "rigid"
mass = 1
inertia = 1
[[joint]]
name = "shelf"
kind = "level"
from = { body = "ground", at = [0, 2] }
to = { body = "bar", at = [0.5, 0] }
height = 0.4
)",
                                      "level.toml"));
        QCOMPARE(mechanism.m(), 1);
        Vector q(3);
        q << 1, 2, std::acos(-1.0) / 2;
        std::vector<double> g(1);
        QVERIFY(mechanism.evaluator().constraints(0, q.data(), g.data()));
        QVERIFY(std::abs(g[0] - 0.1) <= roundoff(10, 2.5));
        // dg/d(x, y, angle) = (0, 1, 0.5 cos(pi/2))
        const Matrix G = mechanism.jacobian(q);
        QVERIFY(std::abs(G(0, 0)) + std::abs(G(0, 1) - 1) + std::abs(G(0, 2)) <= roundoff(10, 1));
    }
};

QTEST_GUILESS_MAIN(TestLevelJoint)
#include "test_level_joint.moc"
