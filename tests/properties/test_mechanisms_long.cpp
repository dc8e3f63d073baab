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

int main(int argc, char** argv)
{
    qputenv("QTEST_FUNCTION_TIMEOUT", "7200000"); // a thousand cases take minutes on a busy machine
    QCoreApplication app(argc, argv);
    TestMechanismsLong test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_mechanisms_long.moc"
