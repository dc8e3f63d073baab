// Random commands at random times: no run is lost, what fails says why, and the session replays and opens to the same bytes.
#include <QtTest>

#include "tests/properties/SessionWalk.h"

using namespace driftless::test;

class TestLiveSessions : public QObject {
    Q_OBJECT
private slots:
    void sessionsReplayToTheSameBytes()
    {
        const std::uint64_t seed = seedOr(17'101);
        const int count = countOr(8);
        qInfo("DRIFTLESS_SEED=%llu, %d sessions", static_cast<unsigned long long>(seed), count);
        const std::string fault = walkSessions(
            seed, count, {"pendulum", "slider-crank", "double-pendulum", "circle", "chaplygin-sleigh", "rlc-circuit"});
        QVERIFY2(fault.empty(), fault.c_str());
    }

    /// Steps that need no row, and then one that fails: the row that is recorded for it is there in the replay.
    void aRunThatFailedBetweenItsRowsReplays()
    {
        const std::string fault = walkSessions(83'826, 1, {"falling-chain"});
        QVERIFY2(fault.empty(), fault.c_str());
    }
};

QTEST_MAIN(TestLiveSessions)
#include "test_live_sessions.moc"
