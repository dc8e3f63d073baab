// label: long
// Every writing system call that FaultyWrites.cpp knows, of every act of the window that writes, fails, falls short, or is the
// last thing that the window does; and kills at random moments of a window that plays, is edited, and saves by hand and by
// itself.
#include <QSettings>

#include "tests/support/Draw.h"
#include "tests/ui/WindowFaults.h"

using namespace driftless;
using namespace driftless::ui::test;

class TestWindowFaultsWalk : public QObject {
    Q_OBJECT

    QTemporaryDir settings_;
    int wrongs_ = 0;

    void note(const QByteArray& wrong)
    {
        if (!wrong.isEmpty() && ++wrongs_ <= 5)
            qWarning("%s", wrong.constData());
    }

    /// A new window is killed at the k-th call of an act; false: it has fewer. good: what the untouched act writes, filled by
    /// the first.
    bool killedAt(const WindowAct& act, long k, bool older, QMap<QString, QByteArray>& good)
    {
        QTemporaryDir folder;
        DrivenWindow window(folder.path());
        if (good.isEmpty() || act.session) { // a session is there that must not get lost
            window.act(act.name);
            good = good.isEmpty() ? filesBelow(folder.path()) : good;
        }
        if (!act.session)
            putOlder(window, act, older);
        const auto before = filesBelow(folder.path());
        if (window.act(act.name, "kill", k).alive)
            return false;
        const QByteArray where = QByteArray(act.name) + ", killed at call " + QByteArray::number(static_cast<qlonglong>(k))
                                 + (older ? ", older files there" : "");
        if (!window.killed())
            note("crashed: " + where);
        if (const QByteArray wrong = afterDeath(window, folder.path(), act, before, good); !wrong.isEmpty())
            note(wrong + ", " + where);
        const int offered = offeredEdits(folder.path());
        const bool gone = qstrcmp(act.name, "leave") == 0 && offered == -1; // it ends properly: nobody wants it back
        if (act.session && window.saved > 0 && offered < window.saved && !gone)
            note("offered " + QByteArray::number(offered) + " edits of " + QByteArray::number(window.saved)
                 + " that were saved, " + where);
        if (const QByteArray stays = staysUnderWay(folder.path()); !stays.isEmpty())
            note(stays + ", " + where);
        return true;
    }

private slots:
    void initTestCase() { QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, settings_.path()); }

    void faultsAfterWhichItGoesOn_data()
    {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < windowActs().size(); ++i)
            if (qstrcmp(windowActs()[i].name, "leave") != 0)
                QTest::newRow(windowActs()[i].name) << static_cast<int>(i);
    }
    void faultsAfterWhichItGoesOn()
    {
        QFETCH(int, index);
        const WindowAct& act = windowActs()[static_cast<std::size_t>(index)];
        QTemporaryDir folder;
        DrivenWindow window(folder.path());
        window.act(act.name);
        for (const QString& file : act.files)
            if (!act.session)
                QFile::remove(window.path(file));
        const auto untouched = window.act(act.name);
        QVERIFY(untouched.alive);
        QVERIFY2(untouched.calls >= 3, "a file is opened, written and renamed");
        const auto good = filesBelow(folder.path());
        for (const QString& file : act.files)
            QVERIFY2(good.contains(file), (file + ": " + untouched.said).toUtf8().constData());
        wrongs_ = 0;
        for (long k = 1; k <= untouched.calls; ++k)
            for (const char* mode : kPassingFaults)
                for (const bool older : {false, true}) {
                    if (older && act.session)
                        continue; // the older file is the session of before, in any case
                    note(triedFault(window, folder.path(), act, mode, k, good, older));
                    QVERIFY2(window.act(act.name).alive, act.name);
                }
        qInfo("%s: %ld calls", act.name, untouched.calls);
        QCOMPARE(wrongs_, 0);
    }

    void killedAtEveryCall_data()
    {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < windowActs().size(); ++i)
            QTest::newRow(windowActs()[i].name) << static_cast<int>(i);
    }
    void killedAtEveryCall()
    {
        QFETCH(int, index);
        const WindowAct& act = windowActs()[static_cast<std::size_t>(index)];
        wrongs_ = 0;
        QMap<QString, QByteArray> good;
        for (const bool older : {false, true}) {
            if (older && act.session)
                continue; // the older file is the session of before, in any case
            long k = 1;
            while (killedAt(act, k, older, good))
                ++k;
            qInfo("%s: %ld kills%s", act.name, k - 1, older ? ", older files there" : "");
            QVERIFY(k > 1);
        }
        QCOMPARE(wrongs_, 0);
    }

    /// Another window finds what one left behind, opens it, and is killed at that: the third finds it all the same.
    void killedWhileRestoring()
    {
        wrongs_ = 0;
        long k = 1;
        for (bool over = false; !over; ++k) {
            QTemporaryDir folder;
            int saved = 0;
            {
                DrivenWindow first(folder.path());
                first.act("autosave");
                saved = first.saved;
                first.act("autosave", "kill", 1);
                QVERIFY(first.killed());
            }
            DrivenWindow second(folder.path());
            over = second.act("restore", "kill", k).alive;
            if (over) {
                QCOMPARE(second.offered, QByteArray("restored"));
                break;
            }
            const int offered = offeredEdits(folder.path());
            if (offered < saved)
                note("offered " + QByteArray::number(offered) + " edits of " + QByteArray::number(saved) + ", killed at call "
                     + QByteArray::number(static_cast<qlonglong>(k)));
        }
        qInfo("%ld kills", k - 1);
        QVERIFY(k > 3);
        QCOMPARE(wrongs_, 0);
    }
    /// Where restoring cannot keep a copy of its own, what was left behind stays.
    void refusedWhileRestoring()
    {
        wrongs_ = 0;
        for (const char* mode : kPassingFaults)
            for (long k = 1; k <= 40; ++k) {
                QTemporaryDir folder;
                int saved = 0;
                {
                    DrivenWindow first(folder.path());
                    first.act("autosave");
                    saved = first.saved;
                    first.act("autosave", "kill", 1);
                }
                DrivenWindow second(folder.path());
                const auto told = second.act("restore", mode, k);
                const QByteArray where =
                    QByteArray(mode) + " at call " + QByteArray::number(static_cast<qlonglong>(k)) + ", " + second.offered;
                if (!told.alive)
                    note("died: " + where);
                if (second.offered != "restored" && second.offered != "nothing" && told.said.isEmpty())
                    note("no message: " + where);
                ::kill(static_cast<pid_t>(second.processId()), SIGKILL);
                second.bury();
                if (const int offered = offeredEdits(folder.path()); offered < saved)
                    note("offered " + QByteArray::number(offered) + " edits of " + QByteArray::number(saved) + ": " + where);
                if (told.calls < k)
                    break;
            }
        QCOMPARE(wrongs_, 0);
    }

    void killedAtRandomMoments()
    {
        const auto seed = test::seedOr(17'301);
        const int count = test::countOr(100);
        qInfo("DRIFTLESS_SEED=%llu, %d kills", static_cast<unsigned long long>(seed), count);
        wrongs_ = 0;
        int whileWriting = 0;
        for (int i = 0; i < count; ++i) {
            test::Draw draw(seed + static_cast<std::uint64_t>(i));
            QTemporaryDir folder;
            DrivenWindow window(folder.path());
            window.act("save");
            const auto before = filesBelow(folder.path());
            const char* const acts[] = {"save", "autosave", "save-as"};
            constexpr int kPause = 5; // [ms] of each call, some twenty in an act: most of the time goes into writing
            for (int k = 0; k < 12; ++k)
                window.write(QByteArray("act ") + draw.among(acts) + " slow " + QByteArray::number(kPause));
            QVERIFY(window.waitForActs(window.begun + draw.upTo(1, 6)));
            QTest::qSleep(draw.upTo(0, 30 * kPause));
            ::kill(static_cast<pid_t>(window.processId()), SIGKILL);
            window.bury();
            const QByteArray where =
                "DRIFTLESS_SEED=" + QByteArray::number(static_cast<qulonglong>(seed) + static_cast<qulonglong>(i))
                + " DRIFTLESS_COUNT=1";
            const WindowAct both{"save", {"out/kept.driftless", "out/as.driftless"}, true};
            if (const QByteArray wrong = afterDeath(window, folder.path(), both, before, {}); !wrong.isEmpty())
                note(wrong + ", " + where);
            // What was saved by hand is in its file; what was not yet is offered. One of them has the last edit that was said
            // to be saved.
            int kept = offeredEdits(folder.path());
            for (const QString& file : both.files)
                kept = std::max(kept, window.sessions.value(digest(contentAt(window.path(file)))));
            if (kept < window.saved)
                note("kept " + QByteArray::number(kept) + " edits of " + QByteArray::number(window.saved) + ", " + where);
            whileWriting += QDir(folder.path() + "/out").entryList({".*.part*"}, QDir::Files | QDir::Hidden).isEmpty() ? 0 : 1;
            if (const QByteArray stays = staysUnderWay(folder.path()); !stays.isEmpty())
                note(stays + ", " + where);
        }
        qInfo("%d of %d kills came while a file was written by hand", whileWriting, count);
        QCOMPARE(wrongs_, 0);
        QVERIFY2(count < 20 || whileWriting > count / 5, "the kills do not meet what is written by hand");
    }
};

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    QApplication::setApplicationName("Driftless");
    QApplication::setOrganizationName("Driftless");
    if (const QStringList arguments = QApplication::arguments(); arguments.size() == 3 && arguments[1] == QLatin1String(kServe))
        return FaultyWindow(arguments[2]).serve();
    qputenv("QTEST_FUNCTION_TIMEOUT", "7200000"); // of Qt Test itself [ms]: some acts take a while on a busy machine
    TestWindowFaultsWalk test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_window_faults_walk.moc"
