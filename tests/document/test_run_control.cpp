// Edits of runs, without files, editor or window: each acts, and its undo entry brings back what was.
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <random>

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
    double parameter(const std::string& name) const
    {
        const auto& all = open.bench().system().parameters;
        const auto found = std::ranges::find_if(all, [&](const auto& p) { return p.quantity.name == name; });
        return lookBack.parameters()[static_cast<std::size_t>(found - all.begin())];
    }
    /// Shows what comes, until t [s].
    void showUntil(double t)
    {
        open.laboratory().waitUntil(t);
        open.laboratory().scrub(t);
        open.bench().noteShown(t);
    }
    void lookBackTo(double t) { open.laboratory().scrub(t); }
    double shown() const { return open.laboratory().clock().t; }
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

    /// L = 1.39 at 1 s, back to 0.5 s, another value of g there: L = 1.39 belongs to a time that is gone.
    void whatIsCutIsNeitherUndoneNorDoneAgain()
    {
        Desk d;
        QVERIFY(d.openPendulum());
        const double length = d.parameter("L"), gravity = d.parameter("g");
        d.showUntil(0.25);
        QVERIFY(d.control.setParameter("g", 5));
        d.showUntil(1);
        QVERIFY(d.control.setParameter("L", 1.39));
        d.showUntil(2);
        d.lookBackTo(0.5);
        QVERIFY(d.control.setParameter("g", 3));
        QCOMPARE(d.parameter("L"), length);
        QUndoStack& stack = d.history.stack();
        stack.undo();
        QCOMPARE(d.parameter("g"), 5.0);
        QVERIFY2(stack.undoText().startsWith("g = 5"), qPrintable(stack.undoText()));
        QCOMPARE(stack.count(), 2); // g = 3 can be done again; L = 1.39 is not among them
        stack.undo();
        QCOMPARE(d.parameter("g"), gravity);
        while (stack.canRedo())
            stack.redo();
        QCOMPARE(d.parameter("L"), length);
        QCOMPARE(d.parameter("g"), 3.0);
    }

    /// Undone later than the time looked back to: there it is in force, and undo takes it back again.
    void whatIsInForceWhereOneGoesOnCanBeUndone()
    {
        Desk d;
        QVERIFY(d.openPendulum());
        const double length = d.parameter("L"), gravity = d.parameter("g");
        d.showUntil(0.5);
        QVERIFY(d.control.setParameter("L", 1.39));
        d.showUntil(1.5);
        d.history.stack().undo();
        d.showUntil(2);
        d.lookBackTo(1);
        QCOMPARE(d.parameter("L"), 1.39);
        QVERIFY(d.control.setParameter("g", 3));
        d.history.stack().undo();
        QCOMPARE(d.parameter("g"), gravity);
        QCOMPARE(d.parameter("L"), 1.39);
        d.history.stack().undo();
        QCOMPARE(d.parameter("L"), length);
    }

    /// Where an act is not in force yet at the time looked back to, undo acts now, and nothing is cut.
    void undoOfALaterActActsNow()
    {
        Desk d;
        QVERIFY(d.openPendulum());
        const double length = d.parameter("L");
        d.showUntil(1);
        QVERIFY(d.control.setParameter("L", 1.39));
        d.showUntil(2);
        d.lookBackTo(0.5);
        d.history.stack().undo();
        const double now = d.shown(); // where the run stands, a little ahead
        QVERIFY(now >= 2 && now < 2.1);
        QCOMPARE(d.parameter("L"), length);
        d.lookBackTo(1.9);
        QCOMPARE(d.parameter("L"), 1.39);
        d.history.stack().redo(); // in force there: it is done again now
        QCOMPARE(d.shown(), now);
        QCOMPARE(d.parameter("L"), 1.39);
    }

    /// Random acts, looks back, undos and redos: undoing everything leads back to the values of the file, and doing everything
    /// again to those before. Not where something was done while there was something to redo, which is forgotten by that: a
    /// look back to a time where it was in force cannot take it back.
    void undoOfEverythingLeadsBack()
    {
        const auto seed = static_cast<unsigned>(qEnvironmentVariableIntValue("DRIFTLESS_SEED"));
        int judged = 0;
        for (unsigned one = 0; one < 40; ++one) {
            std::mt19937 random(seed + one);
            const auto draw = [&](double from, double to) { return std::uniform_real_distribution(from, to)(random); };
            Desk d;
            QVERIFY(d.openPendulum());
            const auto first = d.open.parameters();
            QUndoStack& stack = d.history.stack();
            QString told;
            bool forgotten = false, redone = false;
            for (int act = 0; act < 14; ++act) {
                const double now = d.open.bench().furthest();
                switch (std::uniform_int_distribution(0, 5)(random)) {
                case 0:
                case 1:
                    d.showUntil(now + draw(0.05, 0.3));
                    told += " on";
                    break;
                case 2:
                    d.showUntil(now);
                    stack.undo();
                    told += " undo";
                    break;
                case 3:
                    d.showUntil(now);
                    redone = redone || stack.canRedo();
                    stack.redo();
                    told += " redo";
                    break;
                case 4:
                    d.lookBackTo(draw(0, now));
                    told += " back";
                    [[fallthrough]];
                default:
                    forgotten = forgotten || redone || stack.canRedo();
                    QVERIFY(d.control.setParameter(draw(0, 1) < 0.5 ? "L" : "g", std::round(draw(10, 30)) / 10));
                    told += " set";
                }
                QCoreApplication::processEvents();
            }
            if (forgotten)
                continue;
            ++judged;
            const QByteArray why = QStringLiteral("seed %1:%2").arg(seed + one).arg(told).toUtf8();
            d.showUntil(d.open.bench().furthest());
            while (stack.canRedo())
                stack.redo();
            const auto last = d.open.parameters();
            while (stack.canUndo())
                stack.undo();
            QVERIFY2(d.open.parameters() == first, why);
            while (stack.canRedo())
                stack.redo();
            QVERIFY2(d.open.parameters() == last, why);
        }
        QVERIFY2(judged >= 3, qPrintable(QString::number(judged)));
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
