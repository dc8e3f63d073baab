// label: long
// No false alarm: the default run of every shipped model, and two hundred random systems of full rank on random motions.
#include <QtTest>

#include <map>

#include "core/reduction/Reduced.h"
#include "core/run/EventWords.h"
#include "core/run/RunRequest.h"
#include "core/system/ShippedModels.h"
#include "tests/run/RandomMechanisms.h"
#include "tests/run/RunFixture.h"

using namespace driftless;
using namespace driftless::run;
using namespace driftless::test;

class TestMonitorsLong : public QObject {
    Q_OBJECT
private slots:
    void everyDefaultRun_endsWithoutAFalseAlarm_data()
    {
        QTest::addColumn<QString>("model");
        for (const auto& list : {model::shippedModels(), reduction::shippedEquations()})
            for (const auto& shipped : list)
                QTest::newRow(shipped.id.c_str()) << QString::fromStdString(shipped.id);
    }
    void everyDefaultRun_endsWithoutAFalseAlarm()
    {
        QFETCH(QString, model);
        RunRequest request;
        request.model = model.toStdString();
        const auto prepared = prepareRun(request);
        if (!prepared)
            QSKIP(prepared.error().text().c_str()); // modified-pendulum is there to be refused
        const auto made = Run::create(prepared->system, prepared->start, prepared->settings);
        QVERIFY2(made.ok(), made ? "" : made.error().text().c_str());
        Run& run = **made;
        // The ring modulator of index 2 is stiff beyond what Newton's iteration carries, and the impasse is there to end;
        // neither failure is an alarm.
        QVERIFY2(run.advanceTo(prepared->end) || model == "ring-modulator-index-2" || model == "impasse",
                 run.status().diagnostic ? run.status().diagnostic->text().c_str() : "");
        for (const Event& e : run.events()) {
            if (e.kind() != EventKind::Warning || e.as<ConstraintsSetAside>()
                || e.as<RedundantConstraints>()) // rows that depend on others: test_set_aside
                continue;
            const auto* passed = e.as<RankLost>();
            QVERIFY2(passed, run::words(e).c_str());
            // Where it is said to be the rank is lost, to what the motion's cubic between two rows leaves: far below any
            // regular place.
            const double t = passed->t;
            Eigen::VectorXd q(prepared->system->n()), v(q), lambda(prepared->system->w());
            QVERIFY(run.recording().stateAt(t, q.data(), v.data(), lambda.data()));
            const double rank = RankOracle(run).at(t, q);
            QVERIFY2(rank < 0.05,
                     qPrintable(QString("%1 at t = %2, where the rank is %3").arg(run::words(e).c_str()).arg(t).arg(rank)));
        }
    }

    void twoHundredRegularSystems_areNotSpokenOf()
    {
        const unsigned seed = 20016;
        qInfo("seed %u", seed);
        MechanismSource source(seed);
        std::map<std::string, int> kinds;
        const std::pair<const char*, const char*> methods[] = {
            {"projection", "rk4"}, {"index-1", "rk4"}, {"dummy-derivatives", "radau-iia-5"}, {"ggl", "radau-iia-5"}};
        for (int found = 0, tried = 0; found < 200; ++tried) {
            QVERIFY2(tried < 800, "most of what the generator draws is regular");
            const RandomMechanism mechanism = source.next();
            const auto model = reduction::readModel(mechanism.text, "random");
            QVERIFY2(model.ok(), qPrintable(QString::fromStdString(model ? "" : model.error().text() + "\n" + mechanism.text)));
            const auto system = model::CompiledSystem::compile(*model);
            QVERIFY(system.ok());
            const auto& [form, method] = methods[tried % 4];
            const auto run = Run::create(*system, {}, settings(form, method, mechanism.time / 1000));
            if (!run || !(*run)->advanceTo(mechanism.time) || RankOracle(**run).least(4) < 0.1)
                continue;
            ++found;
            ++kinds[mechanism.kind];
            for (const Event& e : (*run)->events())
                QVERIFY2(e.kind() != EventKind::Warning,
                         qPrintable(QString::fromStdString(run::words(e) + "\n" + mechanism.text)));
        }
        for (const auto& [kind, count] : kinds)
            qInfo("%s: %d", kind.c_str(), count);
        QCOMPARE(kinds.size(), std::size_t{5});
    }
};

QTEST_APPLESS_MAIN(TestMonitorsLong)
#include "test_monitors_long.moc"
