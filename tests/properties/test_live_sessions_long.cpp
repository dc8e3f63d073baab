// label: long
// As test_live_sessions, over all shipped models.
#include <QtTest>

#include "tests/properties/SessionWalk.h"
#include "tests/support/LongMain.h"

#include "core/system/ShippedModels.h"

using namespace driftless;
using namespace driftless::test;

class TestLiveSessionsLong : public QObject {
    Q_OBJECT
private slots:
    void sessionsReplayToTheSameBytes()
    {
        const std::uint64_t seed = seedOr(17'201);
        const int count = countOr(300);
        qInfo("DRIFTLESS_SEED=%llu, %d sessions", static_cast<unsigned long long>(seed), count);
        std::vector<std::string> models;
        for (const auto& list : {model::shippedModels(), reduction::shippedEquations()})
            for (const auto& shipped : list)
                models.push_back(shipped.id);
        const std::string fault = walkSessions(seed, count, models);
        QVERIFY2(fault.empty(), fault.c_str());
    }
};

DRIFTLESS_LONG_MAIN(QCoreApplication, TestLiveSessionsLong)
#include "test_live_sessions_long.moc"
