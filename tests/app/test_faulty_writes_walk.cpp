// label: long
// Every writing system call that FaultyWrites.cpp knows, of every command that writes files, fails, falls short, or is the last
// thing that the program does.
#include <QtTest>

#include "tests/app/FaultyWrites.h"
#include "tests/support/Draw.h"

using namespace driftless::testing;

class TestFaultyWritesWalk : public QObject {
    Q_OBJECT

private slots:
    void filesAreWholeOrAsTheyWere_data()
    {
        QTest::addColumn<int>("index");
        for (int i = 0; i < static_cast<int>(writings().size()); ++i)
            QTest::newRow(writings()[static_cast<std::size_t>(i)].name) << i;
    }
    void filesAreWholeOrAsTheyWere()
    {
        QFETCH(int, index);
        const Writing& writing = writings()[static_cast<std::size_t>(index)];
        if (writing.draws && !drawsFiles())
            QSKIP("this build draws nothing");
        FaultyWriting faulty(writing);
        int wrongs = 0;
        for (long k = 1; k <= faulty.calls(); ++k)
            for (const char* mode : kWriteFaults)
                for (const bool older : {false, true})
                    if (const QByteArray wrong = faulty.tried(mode, k, older); !wrong.isEmpty() && ++wrongs <= 5)
                        qWarning("%s", wrong.constData());
        qInfo("%ld calls", faulty.calls());
        QCOMPARE(wrongs, 0);
    }

    /// Wherever a command is when it dies.
    void killedAtRandomMoments()
    {
        const auto seed = driftless::test::seedOr(17'302);
        const int count = driftless::test::countOr(100);
        qInfo("DRIFTLESS_SEED=%llu, %d kills", static_cast<unsigned long long>(seed), count);
        const bool draws = drawsFiles();
        std::vector<std::unique_ptr<FaultyWriting>> commands;
        for (const Writing& writing : writings())
            if (!writing.draws || draws)
                commands.push_back(std::make_unique<FaultyWriting>(writing));
        int wrongs = 0, inTime = 0;
        for (int i = 0; i < count; ++i) {
            driftless::test::Draw draw(seed + static_cast<std::uint64_t>(i));
            FaultyWriting& command = *commands[static_cast<std::size_t>(i) % commands.size()];
            bool killed = false;
            const QByteArray wrong = command.killedAfter(draw.upTo(0, command.duration()), draw.chance(0.5), killed);
            if (!wrong.isEmpty() && ++wrongs <= 5)
                qWarning("%s", wrong.constData());
            inTime += killed ? 1 : 0;
        }
        qInfo("%d of %d were still running", inTime, count);
        QCOMPARE(wrongs, 0);
        QVERIFY2(count < 20 || inTime > count / 4, "the kills come too late to tell anything");
    }
};

QTEST_GUILESS_MAIN(TestFaultyWritesWalk)
#include "test_faulty_writes_walk.moc"
