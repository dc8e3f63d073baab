// Trees and loops of bodies in the plane and in space, consistent by construction: rows, ranks and degrees of freedom are
// counted right, and all forms that carry a mechanism keep its rows and its energy and move alike.
#include <QtTest>

#include "tests/properties/MechanismWalk.h"

class TestMechanisms : public QObject {
    Q_OBJECT
private slots:
    void countsAndMotionsAreTrue() { driftless::test::judgeMechanisms(17'501, 12); }
};

QTEST_GUILESS_MAIN(TestMechanisms)
#include "test_mechanisms.moc"
