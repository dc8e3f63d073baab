// Strings, ratchets and stops on the same freedoms, a few mechanisms: see the walk.
#include <QtTest>

#include "tests/properties/OneWayWalk.h"

class TestOneWayTogether : public QObject {
    Q_OBJECT
private slots:
    void energyNeverGrows_nothingTurnsBack_andFormsAgree() { driftless::test::judgeOneWay(61'001, 40, 2); }
};

QTEST_GUILESS_MAIN(TestOneWayTogether)
#include "test_one_way_together.moc"
