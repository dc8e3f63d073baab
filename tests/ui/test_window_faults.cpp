// Writing system calls of the window that fail, fall short or are the last thing that it does: a few, drawn from a printed seed
// (DRIFTLESS_SEED sets another one). test_window_faults_walk tries them all.
#include "tests/support/Draw.h"
#include "tests/ui/WindowFaults.h"

using namespace driftless;
using namespace driftless::ui::test;

class TestWindowFaults : public QObject {
    Q_OBJECT

private slots:
    /// Two acts that only write, automatic saving, and a fault each; then the window is killed while it saves.
    void filesAreWholeOrAsTheyWere()
    {
        const auto seed = test::seedOr(17);
        qInfo("DRIFTLESS_SEED=%llu", static_cast<unsigned long long>(seed));
        test::Draw draw(seed);
        QTemporaryDir folder;
        DrivenWindow window(folder.path());
        const auto& acts = windowActs();
        for (const int index : {2, draw.upTo(5, 9), draw.upTo(5, 9)}) {
            const WindowAct& act = acts[static_cast<std::size_t>(index)];
            const auto calls = window.act(act.name).calls;
            QVERIFY2(calls >= 3, act.name);
            const auto good = filesBelow(folder.path());
            for (const char* mode : kPassingFaults) {
                const QByteArray wrong =
                    triedFault(window, folder.path(), act, mode, draw.upTo(1, static_cast<int>(calls)), good, draw.chance(0.5));
                QVERIFY2(wrong.isEmpty(), wrong);
                QVERIFY(window.act(act.name).alive);
            }
        }
        const WindowAct& save = acts[0];
        const auto calls = window.act(save.name).calls;
        QVERIFY(calls >= 3);
        const auto before = filesBelow(folder.path());
        window.act(save.name, "kill", draw.upTo(1, 4));
        QVERIFY(window.killed());
        const QByteArray wrong = afterDeath(window, folder.path(), save, before, {});
        QVERIFY2(wrong.isEmpty(), wrong);
        QCOMPARE(offeredEdits(folder.path()), window.saved);
        const QByteArray stays = staysUnderWay(folder.path());
        QVERIFY2(stays.isEmpty(), stays);
    }
};

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    QApplication::setApplicationName("Driftless");
    QApplication::setOrganizationName("Driftless");
    if (const QStringList arguments = QApplication::arguments(); arguments.size() == 3 && arguments[1] == QLatin1String(kServe))
        return FaultyWindow(arguments[2]).serve();
    TestWindowFaults test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_window_faults.moc"
