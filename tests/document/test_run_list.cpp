// The list of runs: who is selected, who is the reference, which colours are free.
#include <QTest>

#include "ui/document/RunList.h"

using driftless::ui::RunEntry;
using driftless::ui::RunList;

namespace {

RunEntry entry(int key, int colour) { return {.key = key, .id = {}, .name = QString::number(key), .colour = colour}; }

std::vector<int> keys(const RunList& list)
{
    std::vector<int> out;
    for (const RunEntry& run : list.entries())
        out.push_back(run.key);
    return out;
}

} // namespace

class TestRunList : public QObject {
    Q_OBJECT
private slots:
    void firstRunIsSelectedAndTheReference()
    {
        RunList list;
        QCOMPARE(list.selected(), -1);
        QVERIFY(!list.find(3));
        list.insert(entry(3, 0), 9); // behind the end
        list.insert(entry(4, 1), 0);
        QCOMPARE(keys(list), (std::vector{4, 3}));
        QCOMPARE(list.selected(), 3);
        QCOMPARE(list.reference(), 3);
    }

    void removingTheSelectedRunSelectsTheFirst()
    {
        RunList list;
        for (const int key : {1, 2, 3})
            list.insert(entry(key, key), 9);
        QVERIFY(list.select(2) && list.setReference(3));
        QCOMPARE(list.remove(2), std::size_t(1));
        QCOMPARE(list.selected(), 1);
        QCOMPARE(list.reference(), 3);
        list.remove(3);
        list.remove(1);
        QCOMPARE(list.selected(), -1);
        QCOMPARE(list.reference(), -1);
        QCOMPARE(list.remove(7), std::size_t(0)); // there is none
    }

    void whatChangesNothingIsTold()
    {
        RunList list;
        list.insert(entry(1, 0), 0);
        QVERIFY(!list.select(1) && !list.select(2));
        QVERIFY(!list.setReference(1) && !list.setReference(2));
        QVERIFY(!list.setVisible(1, true) && !list.setVisible(2, false));
        QVERIFY(list.setVisible(1, false) && !list.find(1)->visible);
    }

    void leastFreeColourIsFound()
    {
        RunList list;
        QCOMPARE(list.freeColour(), 0);
        for (const int colour : {0, 2, 1, 4})
            list.insert(entry(colour, colour), 9);
        QCOMPARE(list.freeColour(), 3);
    }

    void failureIsReportedOnceUntilItIsForgotten()
    {
        RunList list;
        QVERIFY(list.reportFailure(1));
        QVERIFY(!list.reportFailure(1));
        list.forgetFailure(1);
        QVERIFY(list.reportFailure(1));
        list.forgetFailures();
        QVERIFY(list.reportFailure(1));
    }
};

QTEST_GUILESS_MAIN(TestRunList)
#include "test_run_list.moc"
