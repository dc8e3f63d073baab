// The bench that is open: nothing without one, and each that takes its place can be undone.
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "core/mechanism/ReadModel.h"
#include "ui/document/OpenBench.h"

using namespace driftless;
using namespace driftless::ui;

namespace {

struct Table {
    MessageLog messages{[] { return 0.0; }};
    History history;
    OpenBench open{history, messages};

    Result<void> adopt(const char* model, Opens opens = Opens::NewDocument)
    {
        auto bench = Bench::compile(model::openModel(model), {});
        if (!bench)
            return bench.error();
        RunEntry entry;
        entry.key = open.freshKey();
        if (auto added = (*bench)->add(entry, settingsAsFile((*bench)->compiled().model()), 0); !added)
            return added;
        return open.adopt(std::move(bench).value(), QStringLiteral("open"), opens);
    }
};

} // namespace

class TestOpenBench : public QObject {
    Q_OBJECT
    QTemporaryDir settings_;

private slots:
    void initTestCase() { QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings_.path()); }

    void withoutABenchThereIsNothing()
    {
        const Table t;
        QVERIFY(!t.open.hasModel() && !t.open.compiledHandle() && !t.open.find(1) && !t.open.startProblem());
        QVERIFY(t.open.runs().empty() && t.open.parameters().empty() && t.open.name().isEmpty());
        QVERIFY(t.open.modelText().isEmpty() && t.open.modelPath().isEmpty() && !t.open.scrubbedBack());
        QCOMPARE(t.open.selected(), -1);
        QCOMPARE(t.open.reference(), -1);
    }

    void anotherBenchIsUndoneWithItsRecordings()
    {
        Table t;
        QSignalSpy changed(&t.open, &OpenBench::benchChanged);
        QVERIFY(t.adopt("pendulum").ok());
        QVERIFY(!t.history.stack().canUndo()); // there is nothing to go back to
        t.open.laboratory().play();
        t.open.laboratory().waitUntil(0.2);
        t.open.laboratory().tick(0.1);
        const auto* first = &t.open.laboratory();
        QVERIFY(t.adopt("slider-crank").ok());
        QVERIFY(&t.open.laboratory() != first);
        QVERIFY(t.open.laboratory().clock().playing); // playing goes on
        QCOMPARE(changed.count(), 2);
        t.history.stack().undo();
        QCOMPARE(&t.open.laboratory(), first);
        QCOMPARE(changed.count(), 3);
        t.history.stack().redo();
        QCOMPARE(t.open.compiled().model().name, std::string("slider-crank"));
        QVERIFY(t.messages.all().empty());
    }

    void parkedBenchIsMadeAgain()
    {
        Table t;
        QVERIFY(t.adopt("pendulum").ok() && t.adopt("pendulum", Opens::SameDocument).ok());
        QVERIFY(t.history.isUnsaved(t.open.bench().document()));
        t.history.stack().undo();
        QVERIFY(!t.history.isUnsaved(t.open.bench().document()));
        QCOMPARE(t.open.runs().size(), std::size_t(1));
        QVERIFY(!t.open.status(t.open.selected()).settings.formulation.empty());
    }

    void nothingIsAdoptedWhileThePlaceIsReserved()
    {
        Table t;
        QVERIFY(t.adopt("pendulum").ok());
        const auto* first = &t.open.bench();
        t.open.reserve(true);
        QVERIFY(!t.adopt("slider-crank").ok());
        QCOMPARE(&t.open.bench(), first);
        t.open.reserve(false);
        QVERIFY(t.adopt("slider-crank").ok());
    }

    void replacingLeavesNothingToUndo()
    {
        Table t;
        QVERIFY(t.adopt("pendulum").ok() && t.adopt("slider-crank").ok());
        t.messages.say({.what = "old", .where = {}, .why = {}, .remedy = {}, .position = {}});
        auto bench = Bench::compile(model::openModel("pendulum"), {});
        QVERIFY(bench.ok());
        t.open.replace(std::move(bench).value(), {.sessionPath = QStringLiteral("/tmp/kept.driftless")});
        QVERIFY(!t.history.stack().canUndo() && t.messages.all().empty());
        QCOMPARE(t.open.name(), QStringLiteral("kept"));
    }

    void presentationTellsOnlyChanges()
    {
        Table t;
        QVERIFY(t.adopt("pendulum").ok());
        QSignalSpy runs(&t.open, &OpenBench::runsChanged);
        const int key = t.open.selected();
        t.open.select(key);
        t.open.setReference(99);
        t.open.setVisible(key, true);
        QCOMPARE(runs.count(), 0);
        t.open.setVisible(key, false);
        QCOMPARE(runs.count(), 1);
    }
};

QTEST_GUILESS_MAIN(TestOpenBench)
#include "test_open_bench.moc"
