// The nearest consistent state against points that geometry gives: on a circle, at the end of a stretched double pendulum, on a
// tangent.
#include <QtTest>

#include <cmath>
#include <limits>

#include "core/consistency/Nearest.h"
#include "core/mechanism/ReadModel.h"
#include "tests/consistency/RequestFixture.h"

using namespace driftless;
using test::requestOf;

namespace {

std::shared_ptr<const model::CompiledSystem> compiledText(const std::string& text)
{
    const auto model = model::readModel(text, "test.toml");
    if (!model)
        qFatal("%s", model.error().text().c_str());
    const auto system = model::CompiledSystem::compile(*model);
    if (!system)
        qFatal("%s", system.error().text().c_str());
    return *system;
}

/// Bobs of 2 kg on rods of a length each, hanging from the ground.
std::shared_ptr<const model::CompiledSystem> hanging(int links, const std::string& length)
{
    return compiledText(
        "format = 1\n[structure]\nN = " + std::to_string(links)
        + "\n[[body]]\ncount = \"N\"\nname = \"bob[i]\"\nkind = \"point\"\nmass = 2\ny = { start = \"-" + length
        + "*i\" }\n"
          "[[joint]]\ncount = \"N\"\nname = \"rod[i]\"\nkind = \"rod\"\nfrom = \"bob[i-1]\"\nto = \"bob[i]\"\nlength = "
        + length + "\nfirst = { from = \"ground\" }\n");
}

/// Of positions: the solver goes down to 1e-10 of their size.
constexpr double kSettled = 1e-8;

struct Bench {
    explicit Bench(std::shared_ptr<const model::CompiledSystem> s) : system(s), evaluator(s), solver(s)
    {
        request.from.resize(s->n(), s->w());
        request.q.resize(static_cast<std::size_t>(s->n()));
        request.v.assign(request.q.size(), 0.0);
        request.qAsked.assign(request.q.size(), false);
        request.vAsked = request.qAsked;
    }
    void from(std::vector<double> q) { request.from.q = request.q = std::move(q); }
    void ask(std::size_t i, double value)
    {
        request.q[i] = value;
        request.qAsked[i] = true;
    }
    void askVelocity(std::size_t i, double value)
    {
        request.v[i] = value;
        request.vAsked[i] = true;
    }
    consistency::NearestSolution found()
    {
        auto solution = consistency::nearestConsistent(solver, evaluator, request);
        if (!solution)
            qFatal("%s", solution.error().text().c_str());
        return std::move(*solution);
    }

    std::shared_ptr<const model::CompiledSystem> system;
    model::SystemEvaluator evaluator;
    consistency::ConsistencySolver solver;
    consistency::NearestRequest request;
};

} // namespace

#define NEAR(found, expected, allowed)                                                                                         \
    QVERIFY2(std::abs((found) - (expected)) <= (allowed),                                                                      \
             qPrintable(QString("%1 is not %2").arg(found, 0, 'g', 12).arg(expected, 0, 'g', 12)))

class TestNearest : public QObject {
    Q_OBJECT
private slots:
    void aPlaceBesideTheCircle_becomesItsNearestPoint_data()
    {
        QTest::addColumn<double>("length");
        QTest::addColumn<double>("x");
        QTest::addColumn<double>("y");
        // Outside, inside, on the far side, and in the units of a watch.
        for (const double length : {1.0, 0.004}) {
            QTest::addRow("outside, %g m", length) << length << 2.0 << 1.5;
            QTest::addRow("inside, %g m", length) << length << 0.3 << -0.1;
            QTest::addRow("far side, %g m", length) << length << -3.0 << 4.0;
            QTest::addRow("near, %g m", length) << length << 0.61 << -0.82;
        }
    }
    void aPlaceBesideTheCircle_becomesItsNearestPoint()
    {
        QFETCH(double, length);
        QFETCH(double, x);
        QFETCH(double, y);
        Bench bench(hanging(1, QByteArray::number(length).toStdString()));
        bench.from({0.6 * length, -0.8 * length});
        bench.ask(0, x * length);
        bench.ask(1, y * length);
        const auto found = bench.found();
        QVERIFY(!found.held);
        NEAR(found.state.q[0] / length, x / std::hypot(x, y), kSettled);
        NEAR(found.state.q[1] / length, y / std::hypot(x, y), kSettled);
        NEAR(std::hypot(found.state.q[0], found.state.q[1]) / length, 1.0, 1e-11); // the constraint itself, to round-off
    }

    void oneCoordinateInReach_holds_andTheBranchIsKept()
    {
        for (const double side : {-1.0, 1.0}) {
            Bench bench(hanging(1, "1.0"));
            bench.from({0.6, 0.8 * side});
            bench.ask(0, -0.8);
            const auto found = bench.found();
            QVERIFY(found.held);
            NEAR(found.state.q[0], -0.8, 1e-12);
            NEAR(found.state.q[1], 0.6 * side, 1e-11);
        }
    }

    void oneCoordinateOutOfReach_weighsTheOtherByAHundredth()
    {
        Bench bench(hanging(1, "1.0"));
        bench.from({0.6, -0.8});
        bench.ask(0, 2);
        const auto found = bench.found();
        QVERIFY(!found.held);
        // (cos a - 2)^2 + 1e-4 (sin a + 0.8)^2 is least where 2 sin a - cos a sin a + 1e-4 (sin a + 0.8) cos a = 0: by
        // bisection.
        double low = -0.1, high = 0.1;
        for (int k = 0; k < 80; ++k) {
            const double a = (low + high) / 2;
            (2 * std::sin(a) - std::cos(a) * std::sin(a) + 1e-4 * (std::sin(a) + 0.8) * std::cos(a) < 0 ? low : high) = a;
        }
        NEAR(found.state.q[1], std::sin(low), kSettled);
        NEAR(found.state.q[0], std::cos(low), kSettled);
    }

    void theEndOfADoublePendulum_isStretchedTowardsThePlace()
    {
        Bench bench(hanging(2, "0.5"));
        bench.from({0.3, -0.4, 0.3, -0.9});
        bench.ask(2, 3);
        bench.ask(3, 4);
        const auto found = bench.found();
        QVERIFY(!found.held);
        // Stretched but for what the bob in between, with a weight of a hundredth, pulls it aside.
        NEAR(found.state.q[0], 0.3, 1e-3);
        NEAR(found.state.q[1], 0.4, 1e-3);
        NEAR(found.state.q[2], 0.6, 1e-3);
        NEAR(found.state.q[3], 0.8, 1e-3);
        // In reach: held, rods as long as they are, on the side of the knee where it was.
        bench.ask(2, 0.5);
        bench.ask(3, -0.5);
        const auto reached = bench.found();
        QVERIFY(reached.held);
        NEAR(reached.state.q[2], 0.5, 1e-12);
        NEAR(reached.state.q[3], -0.5, 1e-12);
        NEAR(std::hypot(reached.state.q[0], reached.state.q[1]), 0.5, 1e-11);
        NEAR(std::hypot(reached.state.q[2] - reached.state.q[0], reached.state.q[3] - reached.state.q[1]), 0.5, 1e-11);
        QVERIFY(0.5 * reached.state.q[1] + 0.5 * reached.state.q[0] > 0); // end x knee, as before
    }

    void velocitiesThatCannotBe_areProjectedOntoTheTangent()
    {
        Bench bench(hanging(1, "1.0"));
        bench.from({0.6, -0.8});
        bench.askVelocity(0, 1);
        bench.askVelocity(1, 1);
        const auto found = bench.found();
        QVERIFY(!found.held);
        NEAR(found.state.v[0], 1.4 * 0.8, 1e-12); // the tangent is (0.8, 0.6)
        NEAR(found.state.v[1], 1.4 * 0.6, 1e-12);
        NEAR(found.state.q[0], 0.6, 1e-12);
        NEAR(found.state.q[1], -0.8, 1e-12);
        // Evenly around: a = -|v|^2 r, without gravity.
        NEAR(found.state.a[0], -1.4 * 1.4 * 0.6, 1e-12);
        NEAR(found.state.a[1], 1.4 * 1.4 * 0.8, 1e-12);
        bench.request.vAsked = {true, false};
        bench.request.v = {1, 0};
        const auto one = bench.found();
        QVERIFY(one.held);
        NEAR(one.state.v[0], 1.0, 1e-12);
        NEAR(one.state.v[1], 0.75, 1e-12);
    }

    void whatNobodyAskedFor_staysWhereItIs()
    {
        Bench bench(hanging(2, "0.5"));
        bench.from({0.3, -0.4, 0.3, -0.9});
        const auto found = bench.found();
        QVERIFY(found.held);
        for (std::size_t i = 0; i < 4; ++i)
            NEAR(found.state.q[i], bench.request.q[i], 1e-12);
    }
};

#undef NEAR

QTEST_GUILESS_MAIN(TestNearest)
#include "test_nearest.moc"
