// Mechanisms drawn with walls, struts and strings: OneSidedWalk.h says what each has to keep.
#include <QtTest>

#include "tests/properties/OneSidedWalk.h"

class TestOneSided : public QObject {
    Q_OBJECT
private slots:
    void impactsTakeEnergy_nothingPassesAContact_andRunsRepeat() { driftless::test::judgeOneSided(23'001, 40, 3); }
};

QTEST_GUILESS_MAIN(TestOneSided)
#include "test_one_sided.moc"
