// The undo stack and what of it is saved: with entries that do nothing.
#include <QSignalSpy>
#include <QTest>

#include "ui/document/History.h"

using namespace driftless::ui;

namespace {

void edit(History& history, int document, Opens opens = Opens::SameDocument)
{
    history.push(new DocumentCommand(QStringLiteral("edit")), document, opens);
}

} // namespace

class TestHistory : public QObject {
    Q_OBJECT
private slots:
    void editIsUnsavedUntilItIsSavedOrUndone()
    {
        History history;
        const int d = history.open();
        QVERIFY(!history.isUnsaved(d));
        edit(history, d);
        QVERIFY(history.isUnsaved(d));
        history.stack().undo();
        QVERIFY(!history.isUnsaved(d));
        history.stack().redo();
        QSignalSpy changed(&history, &History::changed);
        history.noteSaved(d, QStringLiteral("a.driftless"), "digest", std::nullopt);
        QCOMPARE(changed.count(), 1);
        QVERIFY(!history.isUnsaved(d));
        QCOMPARE(history.origin(d).sessionPath, QStringLiteral("a.driftless"));
        QCOMPARE(history.origin(d).digest, QByteArray("digest"));
        history.stack().undo(); // behind what was saved
        QVERIFY(history.isUnsaved(d));
    }

    void openingAnotherDocumentIsNoEdit()
    {
        History history;
        const int first = history.open();
        edit(history, first);
        history.noteLeft(first, QStringLiteral("first"), {});
        const int second = history.open();
        QVERIFY(second != first);
        edit(history, second, Opens::NewDocument);
        QVERIFY(!history.isUnsaved(second));
        QCOMPARE(history.unsavedBeside(second), QStringList{QStringLiteral("first")});
        history.stack().undo();
        history.stack().undo();
        QVERIFY(!history.isUnsaved(first));
        QVERIFY(history.unsavedBeside(second).isEmpty()); // it was undone again
    }

    void exerciseIsNotAskedFor()
    {
        History history;
        const int exercise = history.open();
        history.noteExercise(exercise);
        edit(history, exercise);
        const int next = history.open();
        edit(history, next, Opens::NewDocument);
        QVERIFY(history.isUnsaved(exercise));
        QVERIFY(history.unsavedBeside(next).isEmpty());
    }

    void whatFellOffTheStackStaysUnsaved()
    {
        History history;
        const int d = history.open();
        for (int i = 0; i <= History::kUndoLimit; ++i)
            edit(history, d);
        QCOMPARE(history.stack().count(), History::kUndoLimit);
        while (history.stack().canUndo())
            history.stack().undo();
        QVERIFY(history.isUnsaved(d)); // the first edit cannot be undone
    }

    void documentWithoutAWayBackIsForgotten()
    {
        History history;
        const int first = history.open();
        edit(history, first);
        history.noteLeft(first, QStringLiteral("first"), {});
        const int second = history.open();
        edit(history, second, Opens::NewDocument);
        QCOMPARE(history.unsavedBeside(second).size(), 1);
        for (int i = 0; i < History::kUndoLimit; ++i)
            edit(history, second); // the entries that lead back to the first fall off
        QVERIFY(history.unsavedBeside(second).isEmpty());
    }

    void openingAloneLeavesNothingToUndo()
    {
        History history;
        const int first = history.open();
        edit(history, first);
        const int session = history.openAlone({.restored = true});
        QVERIFY(!history.stack().canUndo());
        QVERIFY(history.isUnsaved(session)); // it was never saved under a name of its own
        QVERIFY(history.unsavedBeside(session).isEmpty());
        history.noteSaved(session, QStringLiteral("b.driftless"), {}, std::nullopt);
        QVERIFY(!history.isUnsaved(session));
    }
};

QTEST_GUILESS_MAIN(TestHistory)
#include "test_history.moc"
