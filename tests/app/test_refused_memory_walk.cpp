// label: long
// Memory refused at two hundred places of each command.
#include "tests/app/RefusedMemory.h"

class TestRefusedMemoryWalk : public QObject {
    Q_OBJECT
private slots:
    void refusedAllocationsEndInAMessage() { driftless::testing::refuseAtRandomPlaces(100, 42); }
};

QTEST_GUILESS_MAIN(TestRefusedMemoryWalk)
#include "test_refused_memory_walk.moc"
