// Monitors that neither cry wolf nor stay silent: each speaks on motions that have what it looks for, and keeps silent on random ones that
// have not. The default runs of all models and two hundred systems are in test_monitors_long.
#include <QtTest>

#include <cmath>
#include <map>

#include "core/reduction/Reduced.h"
#include "tests/run/RandomMechanisms.h"
#include "tests/run/RunFixture.h"

using namespace driftless;
using namespace driftless::run;
using namespace driftless::test;

namespace {

int count(const Run& run, const char* words)
{
    int out = 0;
    for (const Event& e : run.events())
        out += e.kind == EventKind::Warning && e.text.find(words) != std::string::npos;
    return out;
}
std::string said(const Run& run)
{
    std::string out;
    for (const Event& e : run.events())
        out += std::to_string(e.t) + " " + eventKindName(e.kind) + ": " + e.text + "\n";
    return out;
}

constexpr const char* kPassed = "singular configuration was passed";
constexpr const char* kEnergy = "the energy error is";
constexpr const char* kDrift = "have drifted";

} // namespace

class TestMonitors : public QObject {
    Q_OBJECT
private slots:
    void parallelograms_thatGoFlat_areToldOfIt_data();
    void parallelograms_thatGoFlat_areToldOfIt();
    void regularSystems_areNotSpokenOf();
    void energyLost_isToldOnce_data();
    void energyLost_isToldOnce();
    void dampingOfAFixedStep_isNoLoss();
    void driftedPositions_areToldOnce_asDrift();
    void warnings_comeAgainAfterANewStart();
};

void TestMonitors::parallelograms_thatGoFlat_areToldOfIt_data()
{
    QTest::addColumn<QString>("form");
    QTest::addColumn<QString>("method");
    QTest::addColumn<double>("step");
    QTest::newRow("index-1, rk4") << "index-1" << "rk4" << 0.01;
    QTest::newRow("ggl, radau") << "ggl" << "radau-iia-5" << 0.01;
    QTest::newRow("projection, dormand-prince") << "projection" << "dormand-prince" << 0.0;
    QTest::newRow("index-2, ida") << "index-2" << "ida" << 0.0;
}

/// Where sin(phi) = 1 all bars lie in one line; phi(t) from minimal coordinates, which pass.
void TestMonitors::parallelograms_thatGoFlat_areToldOfIt()
{
    QFETCH(QString, form);
    QFETCH(QString, method);
    QFETCH(double, step);
    const unsigned seed = 16;
    qInfo("seed %u", seed);
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(0, 1);
    for (int k = 0; k < 6; ++k) {
        const double L = 0.2 + 1.8 * unit(random), a = 0.2 + 1.8 * unit(random), phi = -1.2 + 2 * unit(random);
        const double rate = std::sqrt(2 * 9.81 / L) * (1.3 + unit(random)); // more than it takes to turn over from the lowest point up
        const StartSettings start{{{"L", L}, {"a", a}}, {{"phi", phi}, {"phi'", rate}}, false};
        const auto minimal = started("flat-fourbar", start, settings("state-space", "dormand-prince", 0, 1e-10));
        double flat = 0;
        while (flat == 0 && minimal->step(2)) {
            const RecordingView past = minimal->recording();
            const auto angle = [&](std::uint64_t r) { return std::atan2(past.value(r, 0), -past.value(r, 1)) - M_PI / 2; };
            const std::uint64_t r = past.rowCount() - 1;
            if (r > 0 && angle(r - 1) < 0 && angle(r) >= 0 && angle(r) < 1)
                flat = past.time(r - 1) + (past.time(r) - past.time(r - 1)) * angle(r - 1) / (angle(r - 1) - angle(r));
        }
        QVERIFY(flat > 0);
        const auto run = started("flat-fourbar", start, settings(form.toStdString(), method.toStdString(), step, 1e-7));
        const bool reached = run->advanceTo(flat + 0.1);
        if (!reached && run->status().diagnostic->text().find("singular") != std::string::npos)
            continue; // it stopped there, with the reason
        QVERIFY2(count(*run, kPassed) == 1, said(*run).c_str());
        for (const Event& e : run->events())
            if (e.text.find(kPassed) != std::string::npos) { // at its time, as far as a step and its errors leave it known
                const auto at = e.text.find("t = ");
                QVERIFY2(std::abs(std::stod(e.text.substr(at + 4)) - flat) < 0.01, said(*run).c_str());
                QVERIFY(e.text.find("left, right") != std::string::npos);
            }
    }
}

void TestMonitors::regularSystems_areNotSpokenOf()
{
    const unsigned seed = 1616;
    qInfo("seed %u", seed);
    MechanismSource source(seed);
    std::map<std::string, int> kinds;
    for (int found = 0, tried = 0; found < 30; ++tried) {
        QVERIFY2(tried < 120, "most of what the generator draws is regular");
        const RandomMechanism mechanism = source.next();
        const auto model = reduction::readModel(mechanism.text, "random");
        QVERIFY2(model.ok(), qPrintable(QString::fromStdString(model ? "" : model.error().text() + "\n" + mechanism.text)));
        const auto system = model::CompiledSystem::compile(*model);
        QVERIFY(system.ok());
        const auto run = Run::create(*system, {}, settings("projection", "rk4", mechanism.time / 600));
        if (!run || !(*run)->advanceTo(mechanism.time) || RankOracle(**run).least(8) < 0.1)
            continue;
        ++found;
        ++kinds[mechanism.kind];
        QVERIFY2(said(**run).find("warning") == std::string::npos, qPrintable(QString::fromStdString(said(**run) + mechanism.text)));
    }
    QVERIFY(kinds.size() >= 4);
}

void TestMonitors::energyLost_isToldOnce_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("form");
    QTest::addColumn<QString>("method");
    QTest::addColumn<double>("step");
    QTest::addColumn<double>("end");
    QTest::newRow("far too long a step") << "moving-support" << "index-1" << "ralston4" << 1.0 << 2.0; // 4e7 J in two steps
}

void TestMonitors::energyLost_isToldOnce()
{
    QFETCH(QString, model);
    QFETCH(QString, form);
    QFETCH(QString, method);
    QFETCH(double, step);
    QFETCH(double, end);
    const auto run = started(model.toStdString(), {}, settings(form.toStdString(), method.toStdString(), step, 1e-6));
    run->advanceTo(end);
    QVERIFY2(count(*run, kEnergy) == 1, said(*run).c_str());
}

/// Implicit Euler takes what there is and no more: that is what it does, not a loss that nobody expects.
void TestMonitors::dampingOfAFixedStep_isNoLoss()
{
    const auto run = started("pendulum", largeSwing(), settings("index-2", "implicit-euler", 0.05));
    QVERIFY(run->advanceTo(60));
    QVERIFY(run->status().energyError < -0.5); // most of it
    QVERIFY2(count(*run, kEnergy) == 0, said(*run).c_str());
}

void TestMonitors::driftedPositions_areToldOnce_asDrift()
{
    const auto run = started("double-pendulum", {}, settings("index-1", "rk4", 0.02));
    QVERIFY(run->advanceTo(190));
    QVERIFY2(count(*run, kDrift) == 1, said(*run).c_str());
    QVERIFY2(count(*run, kPassed) == 0, said(*run).c_str()); // the rods have grown, but they have not become dependent
    const auto held = started("double-pendulum", {}, settings("projection", "rk4", 0.02));
    QVERIFY(held->advanceTo(190));
    QVERIFY2(count(*held, kDrift) == 0, said(*held).c_str());
}

void TestMonitors::warnings_comeAgainAfterANewStart()
{
    const auto run = started("moving-support", {}, settings("index-1", "ralston4", 1));
    for (int k = 0; k < 2; ++k) {
        QVERIFY(run->advanceTo(2));
        QVERIFY2(count(*run, kEnergy) == 1, said(*run).c_str());
        QVERIFY(run->apply(run->t(), Reset{}).ok());
        QCOMPARE(count(*run, kEnergy), 0);
    }
}

QTEST_APPLESS_MAIN(TestMonitors)
#include "test_monitors.moc"
