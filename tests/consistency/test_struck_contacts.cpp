// Contacts that are hit at one time and oppose each other exactly: a stop and a ratchet on one joint.
#include <QtTest>

#include "core/consistency/StruckContacts.h"

using namespace driftless;
using consistency::Hit;
using consistency::ImpactOutcome;
using consistency::ImpactRule;
using Eigen::VectorXd;

namespace {

constexpr double kStill = 5e-9; ///< [m/s] of a run at 1e-9
constexpr double kMass = 2.5;

/// One body of one freedom between two rows, w and -w.
Hit opposed(double first, double second)
{
    Hit hit;
    hit.rows = {0, 1};
    hit.contacts = 2;
    hit.tangent = {-1, -1};
    hit.A = Eigen::MatrixXd{{1, -1}, {-1, 1}} / kMass;
    hit.response.assign(2, VectorXd::Zero(1));
    hit.speed = VectorXd{{first, second}};
    hit.restitution = VectorXd{{0.5, 0}};
    hit.rest = VectorXd::Constant(2, 5e-4);
    hit.friction = VectorXd::Zero(2);
    hit.scale = VectorXd::Ones(2);
    hit.impulse = VectorXd::Zero(2);
    hit.still = VectorXd::Constant(2, kStill);
    return hit;
}

} // namespace

class TestStruckContacts : public QObject {
    Q_OBJECT
private slots:
    void whatOpposesEachOtherComesToRest_data()
    {
        QTest::addColumn<double>("first");
        QTest::addColumn<double>("second");
        QTest::addColumn<bool>("solved");
        QTest::newRow("exact") << -1.0 << 1.0 << true;
        QTest::newRow("of a penalty, at rest") << 0.0 << -2 * kStill << true;
        QTest::newRow("of a penalty, fast") << -1.0 << 1 - 100 * kStill << true;
        QTest::newRow("both approach") << -1.0 << 0.5 << false; // no velocity of one freedom has these speeds
    }

    /// The speeds of w and -w sum to zero, but for what a form with penalties leaves of its velocities.
    void whatOpposesEachOtherComesToRest()
    {
        QFETCH(double, first);
        QFETCH(double, second);
        QFETCH(bool, solved);
        for (const bool simultaneous : {false, true}) {
            Hit hit = opposed(first, second);
            ImpactOutcome out;
            QCOMPARE(consistency::strike(hit, ImpactRule{.simultaneous = simultaneous}, 0.5 * kMass * first * first, out),
                     solved);
            if (!solved)
                continue;
            QVERIFY(hit.speed.minCoeff() >= -1000 * kStill);
            QVERIFY(std::abs(hit.speed(0)) <= 1000 * kStill);
            QVERIFY(hit.impulse.minCoeff() >= 0);
            QVERIFY(hit.work <= 1e-10);
        }
    }
};

QTEST_APPLESS_MAIN(TestStruckContacts)
#include "test_struck_contacts.moc"
