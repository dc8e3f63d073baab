// Consistent starts and projections against closed forms and reference digits.
#include <QtTest>

#include <cmath>
#include <limits>

#include "core/consistency/Consistency.h"
#include "core/mechanism/ReadModel.h"

using namespace driftless;

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

std::shared_ptr<const model::CompiledSystem> compiled(const std::string& name)
{
    auto model = model::openModel(name);
    if (!model)
        qFatal("%s", model.error().text().c_str());
    auto system = model::CompiledSystem::compile(*model);
    if (!system)
        qFatal("%s", system.error().text().c_str());
    return *system;
}

consistency::Request startOf(const std::shared_ptr<const model::CompiledSystem>& system)
{
    model::SystemEvaluator evaluator(system);
    consistency::Request request;
    const auto n = static_cast<std::size_t>(system->n());
    request.q.resize(n);
    request.v.resize(n);
    request.lambda.resize(static_cast<std::size_t>(system->w()));
    request.qFixed.assign(n, false);
    request.vFixed.assign(n, false);
    if (!evaluator.starts(request.q.data(), request.v.data(), request.lambda.data() + system->m()))
        qFatal("%s", evaluator.message().c_str());
    return request;
}

} // namespace

class TestConsistency : public QObject {
    Q_OBJECT
private slots:
    void freeGuessMovesAlongTheRadius()
    {
        const auto system = compiled("pendulum");
        consistency::ConsistencySolver solver(system);
        consistency::Request request = startOf(system);
        request.q = {0.9, -1.2}; // |q| = 1.5: the nearest point of the unit circle is (0.6, -0.8)
        request.v = {1, 0};
        const auto solution = solver.solve(request);
        QVERIFY2(solution.ok(), solution.ok() ? "" : solution.error().text().c_str());
        const double tolerance = 1e4 * kEpsilon * 3; // the solver's own criterion on g = x^2 + y^2 - 1
        QVERIFY(std::abs(solution->state.q[0] - 0.6) < tolerance);
        QVERIFY(std::abs(solution->state.q[1] + 0.8) < tolerance);
        // v = (1, 0) without its radial part: v - (v.r) r = (0.64, 0.48)
        QVERIFY(std::abs(solution->state.v[0] - 0.64) < tolerance);
        QVERIFY(std::abs(solution->state.v[1] - 0.48) < tolerance);
        // lambda = (|v|^2 - g y) / 2 with L = m = g = 1: from 2(r.a + |v|^2) = 0 and a = -(0, 1) - 2 lambda r
        QVERIFY(std::abs(solution->state.lambda[0] - (0.64 + 0.8) / 2) < 10 * tolerance);
        QVERIFY(solution->report.positionBefore > 1);
        QVERIFY(solution->report.positionAfter < tolerance);
    }

    void fixedValueDeterminesTheOther()
    {
        const auto system = compiled("pendulum");
        consistency::ConsistencySolver solver(system);
        consistency::Request request = startOf(system);
        request.q = {0.6, -0.5};
        request.qFixed = {true, false};
        const auto solution = solver.solve(request);
        QVERIFY(solution.ok());
        QCOMPARE(solution->state.q[0], 0.6);
        QVERIFY(std::abs(solution->state.q[1] + 0.8) < 1e5 * kEpsilon);
    }

    void conflictNamesJointAndBodies()
    {
        const auto system = compiled("pendulum");
        consistency::ConsistencySolver solver(system);
        consistency::Request request = startOf(system);
        request.q = {0.5, 0.5};
        request.qFixed = {true, true};
        const auto refused = solver.solve(request);
        QVERIFY(!refused.ok());
        const std::string text = refused.error().text();
        for (const char* word : {"rod", "bob", "ground", "bob.x", "fixed"})
            QVERIFY2(text.find(word) != std::string::npos, text.c_str());
        request.allowInconsistent = true;
        const auto taken = solver.solve(request);
        QVERIFY(taken.ok());
        QCOMPARE(taken->state.q[0], 0.5);
        QVERIFY(std::abs(taken->report.positionAfter - 0.5) < 10 * kEpsilon);
    }

    void moreFixedValuesThanFreedomsAreFineWhenTheyAgree()
    {
        const auto system = compiled("pendulum");
        consistency::ConsistencySolver solver(system);
        consistency::Request request = startOf(system);
        request.q = {1, 0};
        request.v = {0, -1};
        request.qFixed = request.vFixed = {true, true};
        const auto solution = solver.solve(request);
        QVERIFY(solution.ok());
        QVERIFY(std::abs(solution->state.lambda[0] - 0.5) < 100 * kEpsilon); // (|v|^2 - y) / 2
    }

    void vanishingGradientIsLeft()
    {
        const auto system = compiled("pendulum");
        consistency::ConsistencySolver solver(system);
        consistency::Request request = startOf(system);
        request.q = {0, 0};
        const auto solution = solver.solve(request);
        QVERIFY2(solution.ok(), solution.ok() ? "" : solution.error().text().c_str());
        QVERIFY(std::abs(std::hypot(solution->state.q[0], solution->state.q[1]) - 1) < 1e5 * kEpsilon);
    }

    void multipliersMeetReferenceDigits_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QVector<double>>("lambda");
        QTest::addColumn<double>("factor");
        // References to 26 digits from an independent computation in extended precision; those of the double pendulum
        // belong to halved constraints, so they are twice ours.
        QTest::newRow("double pendulum at (1, 0.5)")
            << "double-pendulum" << QVector<double>{8.6195399267342759643208661, 3.7821789656099107217442912} << 0.5;
    }
    void multipliersMeetReferenceDigits()
    {
        QFETCH(QString, model);
        QFETCH(QVector<double>, lambda);
        QFETCH(double, factor);
        const auto system = compiled(model.toStdString());
        consistency::ConsistencySolver solver(system);
        const auto solution = solver.solve(startOf(system));
        QVERIFY(solution.ok());
        for (int i = 0; i < lambda.size(); ++i)
            QVERIFY(std::abs(solution->state.lambda[static_cast<std::size_t>(i)] - factor * lambda[i])
                    < 1e5 * kEpsilon * std::abs(lambda[i]));
    }

    void projectionIsIdempotentAndOrthogonalInItsMetric()
    {
        const auto system = compiled("slider-crank");
        consistency::ConsistencySolver solver(system);
        const auto start = solver.solve(startOf(system));
        QVERIFY(start.ok());
        for (const auto metric : {consistency::Metric::Identity, consistency::Metric::Mass}) {
            std::vector<double> q = start->state.q, v = start->state.v;
            for (std::size_t i = 0; i < q.size(); ++i) {
                q[i] += 1e-3 * std::sin(1.0 + static_cast<double>(i));
                v[i] += 1e-2 * std::cos(2.0 + static_cast<double>(i));
            }
            double change = 0;
            QVERIFY(solver.projectPosition(0, q.data(), metric, change));
            QVERIFY(change > 1e-5);
            QVERIFY(solver.projectPosition(0, q.data(), metric, change));
            QVERIFY(change < 1e3 * kEpsilon);
            QVERIFY(solver.projectVelocity(0, q.data(), v.data(), metric, change));
            QVERIFY(change > 1e-4);
            QVERIFY(solver.projectVelocity(0, q.data(), v.data(), metric, change));
            QVERIFY(change < 1e4 * kEpsilon);
            model::SystemEvaluator evaluator(system);
            std::vector<double> g(static_cast<std::size_t>(system->m()));
            QVERIFY(evaluator.constraints(0, q.data(), g.data()));
            for (const double r : g)
                QVERIFY(std::abs(r) < 100 * kEpsilon);
        }
    }

    void givenMultiplierIsCheckedOrTaken()
    {
        const auto system = compiled("circle");
        consistency::ConsistencySolver solver(system);
        consistency::Request request = startOf(system);
        request.lambda = {0.25};
        request.lambdaGiven = true;
        QVERIFY(!solver.solve(request).ok());
        request.allowInconsistent = true;
        const auto taken = solver.solve(request);
        QVERIFY(taken.ok());
        QCOMPARE(taken->state.lambda[0], 0.25);
        // M a = f - G^T lambda at (0, 1), (1, 0): f = (0, -1), G^T lambda = (0, 0.5)
        QVERIFY(std::abs(taken->state.a[1] + 1.5) < 100 * kEpsilon);
    }

    /// [St02] (37): residuals 0.00020002, 0.0022 and g'' = -0.00219578 (the paper prints -0.0013956: a sign of lambda).
    void inconsistentStartOfSteinbrecherHasTheResidualsComputedByHand()
    {
        const auto system = compiled("circle");
        consistency::ConsistencySolver solver(system);
        consistency::Request request = startOf(system);
        request.q = {0.0001, 1.0001};
        request.v = {0.999, 0.001};
        request.lambda = {0.0001};
        request.lambdaGiven = request.allowInconsistent = true;
        const auto taken = solver.solve(request);
        QVERIFY(taken.ok());
        QVERIFY(std::abs(taken->report.positionAfter - 0.00020002) < 1e-14);
        QVERIFY(std::abs(taken->report.velocityAfter - 0.0022) < 1e-14);
        QVERIFY(std::abs(taken->report.accelerationAfter - 0.00219578) < 0.5e-8); // the digits given
    }
};

QTEST_APPLESS_MAIN(TestConsistency)
#include "test_consistency.moc"
