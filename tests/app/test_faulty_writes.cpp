// Writing system calls that fail, fall short or are the last thing that a program does: a few of each command's, drawn from a
// printed seed (DRIFTLESS_SEED sets another one). test_faulty_writes_walk tries them all.
#include <QtTest>

#include "tests/app/FaultyWrites.h"

using namespace driftless::testing;

class TestFaultyWrites : public QObject {
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
        const unsigned seed =
            qEnvironmentVariableIsSet("DRIFTLESS_SEED") ? qEnvironmentVariable("DRIFTLESS_SEED").toUInt() : 17;
        qInfo("seed %u", seed);
        std::mt19937_64 random(seed);
        FaultyWriting faulty(writing);
        QVERIFY2(faulty.calls() >= 3, "a file is opened, written and renamed");
        for (const char* mode : kWriteFaults) {
            const long k = 1 + static_cast<long>(random() % static_cast<std::uint64_t>(faulty.calls()));
            const QByteArray wrong = faulty.tried(mode, k, random() % 2 == 0);
            QVERIFY2(wrong.isEmpty(), wrong);
        }
    }
};

QTEST_GUILESS_MAIN(TestFaultyWrites)
#include "test_faulty_writes.moc"
