// Large systems: the sparse side of starts, projections, pivots and monitors against the dense one, and the chains against what
// is known of them: a chain of equal links keeps its energy, and the four-bar windows move as one pendulum.
#include <QtTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <thread>

#include "core/consistency/Consistency.h"
#include "core/formulation/Pivot.h"
#include "core/mechanism/ReadModel.h"
#include "tests/run/RunFixture.h"

using namespace driftless;
using namespace driftless::test;

namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

std::shared_ptr<const model::CompiledSystem> sized(const char* name, int n)
{
    const auto model = model::withStructure(*model::openModel(name), {{"N", n}});
    if (!model)
        qFatal("%s", model.error().text().c_str());
    auto system = model::CompiledSystem::compile(*model);
    if (!system)
        qFatal("%s", system.error().text().c_str());
    return *system;
}

std::unique_ptr<run::Run> running(std::shared_ptr<const model::CompiledSystem> system, const run::RunSettings& s)
{
    auto made = run::Run::create(std::move(system), {}, s);
    if (!made)
        qFatal("%s", made.error().text().c_str());
    return std::move(*made);
}

double value(const run::Run& run, const std::string& name)
{
    for (const auto& [key, number] : run.namedState())
        if (key == name)
            return number;
    qFatal("no value %s", name.c_str());
    return 0;
}

} // namespace

class TestSize : public QObject {
    Q_OBJECT
private slots:
    void aLongChainStartsConsistentlyFromAPoorGuess();
    void multipliersOfALongChainMatchTheClosedForm();
    void redundantRowsOfALargeSystemAreNamed();
    void selectionsOfALargeSystemAreRegular();
    void aLongChainKeepsItsEnergy();
    void aLargeRunRepeatsBitForBit();
    void whatARunDoesNotAskForIsCompiledOnDemand();
    void fourBarWindowsMoveAsOnePendulum_data();
    void fourBarWindowsMoveAsOnePendulum();
};

/// 120 links make 360 rows and columns, beyond the dense limit.
void TestSize::aLongChainStartsConsistentlyFromAPoorGuess()
{
    const auto system = sized("pendulum-chain", 120);
    consistency::ConsistencySolver solver(system);
    consistency::Request request;
    const auto n = static_cast<std::size_t>(system->n());
    request.q.resize(n);
    request.v.assign(n, 0.0);
    request.qFixed.assign(n, false);
    request.vFixed.assign(n, false);
    for (std::size_t i = 0; i < n / 2; ++i) {
        request.q[2 * i] = static_cast<double>(i + 1) + 0.01 * std::sin(1.0 + static_cast<double>(i));
        request.q[2 * i + 1] = 0.01 * std::cos(2.0 * static_cast<double>(i));
        request.v[2 * i + 1] = 0.3 * static_cast<double>(i % 3);
    }
    const auto solution = solver.solve(request);
    QVERIFY2(solution.ok(), solution ? "" : solution.error().text().c_str());
    // Down to the round-off of the rows' own terms: squares of distances of up to 120 m, ten thousand round-offs allowed by the
    // solver.
    QVERIFY(solution->report.positionAfter < 1e4 * kEps * 4 * 120 * 120);
    QVERIFY(solution->report.velocityAfter < 1e4 * kEps * 4 * 120);
    QVERIFY(solution->report.accelerationAfter < 1e4 * kEps * 4 * 120 * 9.81);
    QVERIFY(solution->report.dependentConstraints.empty());
}

/// Released horizontally at rest only the first link is held: a_y = -g everywhere, but the rods are horizontal and can pull
/// only sideways, so that all multipliers vanish. Hung straight down, link i carries the N - i + 1 bobs below: 2 lambda L = m g
/// (N - i + 1).
void TestSize::multipliersOfALongChainMatchTheClosedForm()
{
    constexpr int N = 100;
    const auto system = sized("pendulum-chain", N);
    consistency::ConsistencySolver solver(system);
    std::vector<double> q(2 * N), v(2 * N, 0.0), a(2 * N), lambda(N);
    for (int i = 0; i < N; ++i) {
        q[static_cast<std::size_t>(2 * i)] = 0;
        q[static_cast<std::size_t>(2 * i + 1)] = -(i + 1);
    }
    QVERIFY(solver.accelerations(0, q.data(), v.data(), a.data(), lambda.data()));
    for (int i = 0; i < N; ++i) {
        // Elimination along the chain: round-offs of the largest force, times the links it passes.
        QVERIFY(std::abs(2 * lambda[static_cast<std::size_t>(i)] - 9.81 * (N - i)) < 100 * N * kEps * 9.81 * N);
        QVERIFY(std::abs(a[static_cast<std::size_t>(2 * i + 1)]) < 100 * N * kEps * 9.81 * N);
    }
    // And back: the accelerations of these multipliers.
    std::vector<double> again(2 * N);
    QVERIFY(solver.accelerationsFor(0, q.data(), v.data(), lambda.data(), again.data()));
    for (double x : again)
        QVERIFY(std::abs(x) < 100 * N * kEps * 9.81 * N);
}

/// All rods of the windows upright and flat alike: flat, the constraints lose rank.
void TestSize::redundantRowsOfALargeSystemAreNamed()
{
    constexpr int N = 30; // 182 rows
    const auto system = sized("four-bar-chain", N);
    model::SystemEvaluator evaluator(system);
    const auto rank = [&](double angle) {
        std::vector<double> q(static_cast<std::size_t>(system->n())), values(system->jacobianPlaces().size());
        const double x = std::cos(angle), y = std::sin(angle);
        std::size_t k = 0;
        for (int i = 0; i <= N; ++i) {
            q[k++] = i + 0.5 * x;
            q[k++] = 0.5 * y;
            q[k++] = angle;
        }
        for (int i = 0; i < N; ++i) {
            q[k++] = i + x + 0.5;
            q[k++] = y;
            q[k++] = 0;
        }
        if (!evaluator.jacobian(0, q.data(), values.data()))
            qFatal("no jacobian");
        formulation::PivotChooser chooser(system->n(), system->m());
        chooser.load(system->jacobianPlaces(), values);
        return std::make_pair(static_cast<int>(chooser.dependentRows().size()), chooser.choose().size());
    };
    const auto upright = rank(1.0), flat = rank(0.0);
    QCOMPARE(upright.first, 0);
    QCOMPARE(static_cast<int>(upright.second), system->m());
    QVERIFY(flat.first > 0);
    QCOMPARE(flat.second, std::size_t{0});
}

void TestSize::selectionsOfALargeSystemAreRegular()
{
    constexpr int N = 150;
    const auto system = sized("pendulum-chain", N);
    model::SystemEvaluator evaluator(system);
    std::vector<double> q(2 * N), values(system->jacobianPlaces().size());
    for (int i = 0; i < N; ++i) { // a zigzag: links at 0.4 and -1.9 rad in turn
        const double angle = i % 2 ? 0.4 : -1.9;
        q[static_cast<std::size_t>(2 * i)] = (i ? q[static_cast<std::size_t>(2 * i - 2)] : 0) + std::cos(angle);
        q[static_cast<std::size_t>(2 * i + 1)] = (i ? q[static_cast<std::size_t>(2 * i - 1)] : 0) + std::sin(angle);
    }
    QVERIFY(evaluator.jacobian(0, q.data(), values.data()));
    formulation::PivotChooser chooser(system->n(), system->m());
    chooser.load(system->jacobianPlaces(), values);
    const std::vector<int> selection = chooser.choose();
    QCOMPARE(static_cast<int>(selection.size()), N);
    QVERIFY(std::isfinite(chooser.kappa(selection)));
    QVERIFY(chooser.orientation(selection) != 0);
    // One coordinate of each bob is as good as a chain allows; two of one bob and none of another are singular.
    std::vector<int> bad = selection;
    bad[0] = 0;
    bad[1] = 1;
    bad[2] = 2;
    QVERIFY(!(chooser.kappa(bad) < chooser.kappa(selection)));
    // The kernel turns little in a small move, and det G G0^T keeps its sign; a reflected row turns it.
    chooser.keepKernel();
    QCOMPARE(chooser.orientationAgainstKernel(), 1);
    for (std::size_t k = 0; k < values.size(); ++k)
        if (system->jacobianPlaces()[k].row == 7)
            values[k] = -values[k];
    chooser.load(system->jacobianPlaces(), values);
    QCOMPARE(chooser.orientationAgainstKernel(), -1);
}

void TestSize::aLongChainKeepsItsEnergy()
{
    const auto run = running(sized("pendulum-chain", 200), settings("index-3", "generalized-alpha", 1e-3));
    QVERIFY(run->advanceTo(0.1));
    const auto status = run->status();
    // A method of order two: the free end falls with g for 0.1 s, E = m g^2 t^2 / 2 each way for 200 bobs is 96 J; h^2 of it is
    // 1e-4.
    QVERIFY(std::abs(status.energyError) < 1e-3);
    QVERIFY(status.maxResidual.position < 1e-10); // Newton's tolerance on squares of 1 m
    QVERIFY(std::isfinite(status.kappa) && status.kappa > 100);
}

/// What is judged only now and then is judged at the same steps again.
/// Scene, arrows, energy and the slopes of rates of a large system, asked for in the middle of everything and by several
/// threads at once: they are what the state says.
void TestSize::whatARunDoesNotAskForIsCompiledOnDemand()
{
    constexpr int N = 120;
    const auto system = sized("pendulum-chain", N);
    std::vector<double> q(2 * N), v(2 * N), lambda(N, 2.0);
    for (std::size_t i = 0; i < q.size(); ++i) {
        q[i] = std::sin(0.1 * static_cast<double>(i));
        v[i] = std::cos(0.2 * static_cast<double>(i));
    }
    double kinetic = 0;
    for (const double x : v)
        kinetic += 0.5 * x * x; // bobs of 1 kg
    std::vector<std::thread> threads;
    std::array<bool, 4> good{};
    for (bool& all : good)
        threads.emplace_back([&system, &q, &v, &lambda, &all, kinetic] {
            model::SystemEvaluator evaluator(system);
            model::SystemEvaluator::Energy energy;
            std::vector<double> xyz(static_cast<std::size_t>(3 * system->scenePointCount()));
            std::vector<double> slopes(system->rateSlopePlaces().size());
            all = evaluator.scene(0, q.data(), xyz.data()) && evaluator.rateSlope(0, q.data(), v.data(), slopes.data())
                  && evaluator.energy(0, q.data(), v.data(), lambda.data(), energy)
                  && std::abs(energy.kinetic - kinetic) <= 4 * N * kEps * kinetic && xyz.size() >= 3 * N;
            // d/dq of (r . r')': with respect to the end of the first rod it is the velocity there, twice for r^2.
            double first = 0;
            for (std::size_t k = 0; k < slopes.size(); ++k)
                if (system->rateSlopePlaces()[k] == solve::MatrixPlace{0, 1})
                    first = slopes[k];
            all = all && std::abs(std::abs(first) - 2 * std::abs(v[1])) <= 4 * kEps;
        });
    for (std::thread& thread : threads)
        thread.join();
    QVERIFY(std::ranges::all_of(good, [](bool all) { return all; }));
}

void TestSize::aLargeRunRepeatsBitForBit()
{
    const auto system = sized("pendulum-chain", 40);
    const auto first = running(system, settings("index-3", "generalized-alpha", 2e-3));
    const auto second = running(system, settings("index-3", "generalized-alpha", 2e-3));
    QVERIFY(first->advanceTo(0.2));
    while (second->t() < 0.2)
        QVERIFY(second->step(0.2));
    const auto a = first->recording(), b = second->recording();
    QCOMPARE(a.rowCount(), b.rowCount());
    for (std::uint64_t r = 0; r < a.rowCount(); ++r)
        for (int c = 0; c < a.columnCount(); ++c) {
            const double x = a.value(r, c), y = b.value(r, c);
            QVERIFY(x == y || (std::isnan(x) && std::isnan(y)));
        }
}

/// IFToMM benchmark A02: B0 = (sin psi, cos psi), psi'' = g (N + (N + 1) / 2) / (N + (N + 1) / 3) sin psi; digits from elliptic
/// functions.
void TestSize::fourBarWindowsMoveAsOnePendulum_data()
{
    QTest::addColumn<int>("windows");
    QTest::addColumn<double>("end");
    QTest::addColumn<double>("x");
    QTest::addColumn<double>("y");
    QTest::addColumn<double>("step");
    QTest::newRow("one window") << 1 << 4.0 << 0.1589555042571178 << 0.9872857477277616 << 0.002;
    QTest::newRow("two windows") << 2 << 4.0 << 0.1176161023768086 << 0.9930591384513251 << 0.002;
    QTest::newRow("forty windows") << 40 << 10.0 << 0.1805122266867284 << 0.9835727405823116 << 0.02;
}

void TestSize::fourBarWindowsMoveAsOnePendulum()
{
    QFETCH(int, windows);
    QFETCH(double, end);
    QFETCH(double, x);
    QFETCH(double, y);
    QFETCH(double, step);
    const auto run = running(sized("four-bar-chain", windows), settings("projection", "rk4", step));
    QVERIFY2(run->advanceTo(end), run->status().diagnostic ? run->status().diagnostic->text().c_str() : "");
    // The upper end of the first crank is twice as far from its foot as its centre. rk4 on psi'' = c sin psi, c = 14.7 / s^2,
    // errs by (c h^2)^2 / 120 of a step's phase c^(1/2) h in each step.
    const double c = 14.8, phase = std::pow(c * step * step, 2) / 120 * std::sqrt(c) * end;
    const double allowed = 10 * phase + 1e-12; // projected and started consistently to a few round-offs of a thousand steps
    QVERIFY2(std::abs(2 * value(*run, "crank1.x") - x) < allowed, QByteArray::number(2 * value(*run, "crank1.x") - x));
    QVERIFY2(std::abs(2 * value(*run, "crank1.y") - y) < allowed, QByteArray::number(2 * value(*run, "crank1.y") - y));
    // The constraints lose rank twice a turn, and the run says so, also where two windows lose it at once and the sign of the
    // kernel stays. That sign is all that is followed in large systems: forty windows turn it an even number of times.
    const auto events = run->events();
    QVERIFY(windows > 2
            || std::any_of(events.begin(), events.end(), [](const run::Event& e) { return e.as<run::RankLost>() != nullptr; }));
}

QTEST_APPLESS_MAIN(TestSize)
#include "test_size.moc"
