// In which metric a correction is smallest: two bobs of unlike masses on a rod share it by their masses, or evenly. And how
// exactly a multiplier has to be given.
#include <QtTest>

#include <cmath>
#include <limits>

#include "core/consistency/Consistency.h"
#include "core/mechanism/ReadModel.h"
#include "tests/consistency/RequestFixture.h"

using namespace driftless;
using consistency::Metric;
using test::requestOf;

namespace {

/// 1 kg and 3 kg, free in the plane but for a rod of 1 m between them.
std::shared_ptr<const model::CompiledSystem> dumbbell()
{
    const auto model =
        model::readModel("format = 1\n"
                         "[[body]]\nname = \"light\"\nkind = \"point\"\nmass = 1\n"
                         "[[body]]\nname = \"heavy\"\nkind = \"point\"\nmass = 3\nx = { start = 1 }\n"
                         "[[joint]]\nname = \"rod\"\nkind = \"rod\"\nfrom = \"light\"\nto = \"heavy\"\nlength = 1\n",
                         "dumbbell.toml");
    if (!model)
        qFatal("%s", model.error().text().c_str());
    const auto system = model::CompiledSystem::compile(*model);
    if (!system)
        qFatal("%s", system.error().text().c_str());
    return *system;
}

/// The solver's own criterion, 1e4 round-offs of terms of size four.
constexpr double kMet = 4e4 * std::numeric_limits<double>::epsilon();

} // namespace

#define NEAR(found, expected)                                                                                                  \
    QVERIFY2(std::abs((found) - (expected)) <= kMet,                                                                           \
             qPrintable(QString("%1 is not %2").arg(found, 0, 'g', 15).arg(expected, 0, 'g', 15)))

class TestMetrics : public QObject {
    Q_OBJECT
private slots:
    void positions_areSharedByMasses_orEvenly()
    {
        const auto system = dumbbell();
        consistency::ConsistencySolver solver(system);
        for (const auto& [metric, share] : {std::pair(Metric::Mass, 0.75), std::pair(Metric::Identity, 0.5)}) {
            std::vector<double> q{0, 0, 2, 0}; // a metre too long
            double change = 0;
            QVERIFY(solver.projectPosition(0, q.data(), metric, change));
            NEAR(q[0], share);
            NEAR(q[2], 1 + share);
            NEAR(q[1], 0.0);
            NEAR(q[3], 0.0);
            QVERIFY(change > 0.3); // the largest of the steps to there
            consistency::Request request = requestOf(system);
            request.q = {0, 0, 2, 0};
            request.metric = metric;
            const auto solution = solver.solve(request);
            QVERIFY(solution.ok());
            NEAR(solution->state.q[0], share);
            NEAR(solution->report.positionChange, std::max(share, 1 - share));
        }
    }

    void velocities_areSharedByMasses_orEvenly()
    {
        const auto system = dumbbell();
        consistency::ConsistencySolver solver(system);
        const std::vector<double> q{0, 0, 1, 0};
        // Towards each other with 1 m/s each: momentum is kept, or the mean.
        for (const auto& [metric, common] : {std::pair(Metric::Mass, -0.5), std::pair(Metric::Identity, 0.0)}) {
            std::vector<double> v{1, 0.3, -1, 0.2};
            double change = 0;
            QVERIFY(solver.projectVelocity(0, q.data(), v.data(), metric, change));
            NEAR(v[0], common);
            NEAR(v[2], common);
            NEAR(v[1], 0.3);
            NEAR(v[3], 0.2);
            NEAR(change, 1 - common);
            consistency::Request request = requestOf(system);
            request.q = q;
            request.v = {1, 0.3, -1, 0.2};
            request.metric = metric;
            const auto solution = solver.solve(request);
            QVERIFY(solution.ok());
            NEAR(solution->state.v[0], common);
            NEAR(solution->report.velocityChange, 1 - common);
        }
    }

    void aMultiplierIsTaken_whereItHasNineDigits()
    {
        const auto system = dumbbell();
        consistency::ConsistencySolver solver(system);
        consistency::Request request = requestOf(system);
        request.v = {0, -3e5, 0, 1e5}; // a spin: the rod pulls with m v^2 / r, far above its usual force
        const auto free = solver.solve(request);
        QVERIFY(free.ok());
        const double lambda = free->state.lambda[0];
        // m r w^2 of the light one, 0.75 m from the centre of mass at 4e5 rad/s.
        const double pull = 0.75 * 4e5 * 4e5;
        QVERIFY2(std::abs(std::hypot(free->state.a[0], free->state.a[1]) - pull) < 1e-9 * pull,
                 qPrintable(QString::number(free->state.a[0])));
        request.lambdaGiven = true;
        for (const auto& [off, taken] : {std::pair(0.0, true), std::pair(5e-10, true), std::pair(-5e-10, true),
                                         std::pair(1e-7, false), std::pair(-1e-7, false)}) {
            request.lambda[0] = lambda * (1 + off);
            QCOMPARE(solver.solve(request).ok(), taken);
        }
        request.lambda[0] = std::nan(""); // not given after all
        QVERIFY(solver.solve(request).ok());
        request.lambda[0] = 2 * lambda;
        const auto refused = solver.solve(request);
        QVERIFY(!refused.ok() && refused.error().what.find(" cannot be ") != std::string::npos);
        request.allowInconsistent = true;
        const auto stands = solver.solve(request);
        QVERIFY(stands.ok());
        QCOMPARE(stands->state.lambda[0], 2 * lambda);
        QVERIFY(std::abs(std::hypot(stands->state.a[0], stands->state.a[1]) - 2 * pull) < 1e-9 * pull); // M a = f - G^T lambda
    }

    void aConflict_isSaidWhole()
    {
        const auto system = dumbbell();
        consistency::ConsistencySolver solver(system);
        consistency::Request request = requestOf(system);
        request.q = {0, 0, 2, 0};
        request.qFixed = {true, false, true, true};
        const auto moved = solver.solve(request); // y of the light one cannot make up for it
        QVERIFY(!moved.ok());
        QCOMPARE(moved.error().what,
                 std::string("The initial positions cannot meet the constraint rod (between light and heavy)"));
        QCOMPARE(moved.error().why, std::string("these values are fixed: light.x, heavy.x, heavy.y"));
        request.q = {0, 0, 1, 0};
        request.v = {1, 0, -1, 0};
        request.qFixed.assign(4, false);
        request.vFixed = {true, false, true, false};
        const auto pulled = solver.solve(request);
        QVERIFY(!pulled.ok());
        QCOMPARE(pulled.error().what,
                 std::string("The initial velocities cannot meet the constraint rod (between light and heavy)"));
        QCOMPARE(pulled.error().why, std::string("these values are fixed: light.x', heavy.x'"));
    }
};

#undef NEAR

QTEST_GUILESS_MAIN(TestMetrics)
#include "test_metrics.moc"
