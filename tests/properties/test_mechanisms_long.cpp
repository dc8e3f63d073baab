// label: long
// As test_mechanisms, a thousand.
#include <QtTest>

#include <cstdio>

#include "tests/properties/MechanismOracle.h"

using namespace driftless::test;

class TestMechanismsLong : public QObject {
    Q_OBJECT
private slots:
    void countsAndMotionsAreTrue()
    {
        const std::uint64_t seed = seedOr(17'601);
        const int count = countOr(1000);
        qInfo("DRIFTLESS_SEED=%llu, %d mechanisms", static_cast<unsigned long long>(seed), count);
        MechanismTally tally;
        const std::string fault = walkMechanisms(seed, count, tally);
        qInfo("%s", tally.told().c_str());
        if (!fault.empty())
            std::fputs(fault.c_str(), stderr); // longer than a message may be
        QVERIFY2(fault.empty(), "see above");
        QVERIFY(tally.judged > count / 2);
    }
};

QTEST_GUILESS_MAIN(TestMechanismsLong)
#include "test_mechanisms_long.moc"
