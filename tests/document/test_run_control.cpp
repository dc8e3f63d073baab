// Edits of runs, without files, editor or window: each acts, and its undo entry brings back what was.
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "core/mechanism/ReadModel.h"
#include "ui/document/RunControl.h"

using namespace driftless;
using namespace driftless::ui;

namespace {

struct Desk {
    MessageLog messages{[] { return 0.0; }};
    History history;
    OpenBench open{history, messages};
    LookBack lookBack{open};
    RunControl control{open, lookBack, history, messages};

    bool openPendulum()
    {
        auto bench = Bench::compile(model::openModel("pendulum"), {});
        if (!bench)
            return false;
        RunEntry entry;
        entry.key = open.freshKey();
        return (*bench)->add(entry, settingsAsFile((*bench)->compiled().model()), 0).ok()
               && open.adopt(std::move(bench).value(), {}, Opens::NewDocument).ok();
    }
    std::string formulation() const { return open.status(open.selected()).settings.formulation; }
};

} // namespace

class TestRunControl : public QObject {
    Q_OBJECT
    QTemporaryDir settings_;

private slots:
    void initTestCase() { QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings_.path()); }

    void withoutABenchNothingIsDone()
    {
        Desk d;
        QVERIFY(!d.control.addRun({}) && !d.control.duplicateRun(1) && !d.control.removeRun(1));
        QVERIFY(!d.control.setParameter("L", 1) && !d.control.setOptions(1, {}) && !d.control.setState({}, {}));
        QCOMPARE(d.history.stack().count(), 0);
    }

    void changeIsUndoneAndRefusalLeavesNoEntry()
    {
        Desk d;
        QVERIFY(d.openPendulum());
        const int key = d.open.selected();
        const std::string before = d.formulation();
        QSignalSpy settings(&d.open, &OpenBench::settingsChanged);
        QVERIFY(d.control.setFormulation(key, "baumgarte"));
        QCOMPARE(settings.count(), 1);
        QVERIFY(d.control.setFormulation(key, "baumgarte")); // it is so already
        QCOMPARE(d.history.stack().count(), 1);
        QVERIFY(!d.control.setFormulation(key, "no such form"));
        QCOMPARE(d.history.stack().count(), 1);
        QCOMPARE(d.messages.all().size(), std::size_t(1));
        d.history.stack().undo();
        QCOMPARE(d.formulation(), before);
    }

    void oneGestureIsOneEntry()
    {
        Desk d;
        QVERIFY(d.openPendulum());
        const auto before = d.open.parameters();
        for (const double value : {1.1, 1.2, 1.3})
            QVERIFY(d.control.setParameter("L", value, "drag"));
        QVERIFY(d.control.setParameter("L", 1.4, "another drag"));
        QCOMPARE(d.history.stack().count(), 2);
        QVERIFY(d.open.parameters() != before);
        d.history.stack().undo();
        d.history.stack().undo();
        QCOMPARE(d.open.parameters(), before);
        QVERIFY(!d.control.setParameter("L", -1));
        QVERIFY(!d.control.setParameter("no such parameter", 1));
        QCOMPARE(d.open.parameters(), before);
    }

    void removedRunComesBackWithItsKeyAndItsPlace()
    {
        Desk d;
        QVERIFY(d.openPendulum());
        const int first = d.open.selected();
        QVERIFY(d.control.duplicateRun(first));
        const int second = d.open.runs()[1].key;
        QCOMPARE(d.open.runs()[1].colour, 1);
        d.open.setVisible(first, false);
        QVERIFY(d.control.removeRun(first));
        QCOMPARE(d.open.runs().size(), std::size_t(1));
        QCOMPARE(d.open.selected(), second);
        d.history.stack().undo();
        QCOMPARE(d.open.runs()[0].key, first);
        QVERIFY(!d.open.runs()[0].visible);
        d.history.stack().undo();
        QVERIFY(!d.open.find(second));
        d.history.stack().redo();
        QVERIFY(d.open.find(second));
    }

    void ninthRunIsRefused()
    {
        Desk d;
        QVERIFY(d.openPendulum());
        for (int i = 1; i < RunList::kMost; ++i)
            QVERIFY(d.control.duplicateRun(d.open.selected()));
        QVERIFY(!d.control.duplicateRun(d.open.selected()));
        QCOMPARE(d.open.runs().size(), std::size_t{RunList::kMost});
        QCOMPARE(d.messages.all().size(), std::size_t(1));
    }
};

QTEST_GUILESS_MAIN(TestRunControl)
#include "test_run_control.moc"
