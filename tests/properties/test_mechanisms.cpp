// Trees and loops of bodies in the plane and in space, consistent by construction: rows, ranks and degrees of freedom are
// counted right, and all forms that carry a mechanism keep its rows and its energy and move alike.
#include <QtTest>

#include <cstdio>

#include "tests/properties/MechanismOracle.h"

using namespace driftless::test;

class TestMechanisms : public QObject {
    Q_OBJECT
private slots:
    void countsAndMotionsAreTrue()
    {
        const std::uint64_t seed = seedOr(17'501);
        const int count = countOr(12);
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

QTEST_GUILESS_MAIN(TestMechanisms)
#include "test_mechanisms.moc"
