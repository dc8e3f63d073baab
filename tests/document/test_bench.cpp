// A bench without the window: its runs, its start, what waits, and what is parked of it.
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include "core/mechanism/ReadModel.h"
#include "core/reduction/Reduced.h"
#include "ui/document/ParkedBench.h"
#include "ui/document/SessionFile.h"

using namespace driftless;
using namespace driftless::ui;

namespace {

constexpr const char* kEmpty = "format = 1\nname = \"empty\"\n[view]\nlength_unit = 1\ncenter = [0, 0]\nextent = 1\n";

BenchHandle pendulum()
{
    auto bench = Bench::compile(model::openModel("pendulum"), {});
    return bench ? std::move(bench).value() : nullptr;
}

RunEntry entry(int key) { return {.key = key, .id = {}, .name = QStringLiteral("Run %1").arg(key), .colour = key}; }

} // namespace

class TestBench : public QObject {
    Q_OBJECT
    QTemporaryDir settings_;

private slots:
    void initTestCase() { QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings_.path()); }

    void runStartsAsTheFileSays()
    {
        const auto bench = pendulum();
        QVERIFY(bench);
        const auto settings = settingsAsFile(bench->compiled().model());
        QCOMPARE(settings.formulation, bench->compiled().model().run.formulation);
        QVERIFY(bench->add(entry(1), settings, 0).ok());
        QCOMPARE(bench->status(1).settings.integrator, settings.integrator);
        QCOMPARE(bench->runs().selected(), 1);
        QVERIFY(!bench->runs().find(2));
    }

    void refusedRunIsNotInTheList()
    {
        const auto bench = pendulum();
        run::RunSettings wrong = settingsAsFile(bench->compiled().model());
        wrong.formulation = "no such form";
        QVERIFY(!bench->add(entry(1), wrong, 0).ok());
        QVERIFY(bench->runs().entries().empty() && bench->laboratory().runs().empty());
    }

    void runThatComesLaterTakesTheParametersOfNow()
    {
        const auto bench = pendulum();
        const auto settings = settingsAsFile(bench->compiled().model());
        QVERIFY(bench->add(entry(1), settings, 0).ok());
        const run::RunId first = bench->runs().find(1)->id;
        QVERIFY(bench->laboratory().command({first}, run::SetParameter{"L", 1.25}).ok());
        bench->noteParameter("L", 1.25);
        QVERIFY(bench->join(entry(2), settings, 1).ok());
        QCOMPARE(bench->status(2).parameters, bench->parameters());
        QCOMPARE(bench->start().parameters, (std::map<std::string, double>{{"L", 1.25}}));
        std::size_t place = 9;
        QCOMPARE(bench->take(1, place).formulation, settings.formulation);
        QCOMPARE(place, std::size_t(0));
        QCOMPARE(bench->runs().selected(), 2);
    }

    void sameRunsBeginAgainFromAnotherStart()
    {
        const auto bench = pendulum();
        const auto settings = settingsAsFile(bench->compiled().model());
        for (const int key : {1, 2})
            QVERIFY(bench->add(entry(key), settings, 9).ok());
        bench->runs().select(2);
        bench->laboratory().waitUntil(0);
        run::StartSettings start;
        start.parameters["L"] = 1.5;
        const auto again = bench->again(start);
        QVERIFY(again.ok());
        QCOMPARE((*again)->runs().entries().size(), std::size_t(2));
        QCOMPARE((*again)->runs().selected(), 2);
        QCOMPARE((*again)->runs().reference(), 1);
        QCOMPARE((*again)->status(1).parameters, (*again)->parameters());
        QVERIFY((*again)->parameters() != bench->parameters());
    }

    void runsOfAnEmptyMechanismWait()
    {
        const auto bench = Bench::compile(reduction::readModel(kEmpty, "empty.toml"), {});
        QVERIFY2(bench.ok(), bench ? "" : bench.error().text().c_str());
        QVERIFY((*bench)->isEmpty());
        (*bench)->addOrWait({{entry(1), settingsAsFile((*bench)->compiled().model())}});
        QVERIFY((*bench)->runs().entries().empty());
        QCOMPARE((*bench)->waiting().size(), std::size_t(1));
        QVERIFY((*bench)->problem().has_value());
        const auto parked = ParkedBench::of(**bench);
        QVERIFY(parked);
        const auto revived = parked->revive();
        QVERIFY(revived.ok());
        QCOMPARE((*revived)->waiting().size(), std::size_t(1));
    }

    void benchIsParkedOnlyWhileNothingIsComputed()
    {
        const auto bench = pendulum();
        QVERIFY(bench->add(entry(1), settingsAsFile(bench->compiled().model()), 0).ok());
        bench->setDocument(7);
        const auto parked = ParkedBench::of(*bench);
        QVERIFY(parked);
        const auto revived = parked->revive();
        QVERIFY(revived.ok());
        QCOMPARE((*revived)->document(), 7);
        QCOMPARE((*revived)->runs().selected(), 1);
        QCOMPARE((*revived)->status(1).settings.formulation, bench->status(1).settings.formulation);
        bench->noteShown(0.5);
        QVERIFY(!ParkedBench::of(*bench)); // it would be lost
        QVERIFY(bench->scrubbedBack());
    }

    void sessionBringsThePresentationBack()
    {
        const auto bench = pendulum();
        const auto settings = settingsAsFile(bench->compiled().model());
        for (const int key : {1, 2, 3})
            QVERIFY(bench->add(entry(key), settings, 9).ok());
        bench->runs().select(2);
        bench->runs().setReference(3);
        bench->runs().setVisible(1, false);
        bench->laboratory().setSpeed(2);
        const QByteArray bytes = sessionBytes(*bench);
        auto laboratory = run::Laboratory::open(bytes.toStdString(), "a.driftless");
        QVERIFY2(laboratory.ok(), laboratory ? "" : laboratory.error().text().c_str());
        int key = 10;
        const auto back = sessionBench(std::move(laboratory).value(), bytes, [&key] { return key++; });
        QCOMPARE(back->runs().entries().size(), std::size_t(3));
        QCOMPARE(back->runs().selected(), 11);
        QCOMPARE(back->runs().reference(), 12);
        QVERIFY(!back->runs().find(10)->visible);
        QCOMPARE(back->runs().find(11)->name, QStringLiteral("Run 2"));
        QCOMPARE(back->runs().find(12)->colour, 3);
        QCOMPARE(back->laboratory().clock().speed, 2.0);
        QCOMPARE(sessionBytes(*back), bytes);
    }
};

QTEST_GUILESS_MAIN(TestBench)
#include "test_bench.moc"
