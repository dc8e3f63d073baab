// label: long
// As test_random_edits, a thousand mechanisms.
#include <QApplication>
#include <QtTest>

#include "tests/support/LongMain.h"
#include "tests/ui/GestureWalk.h"

class TestRandomEditsLong : public QObject {
    Q_OBJECT
private slots:
    void textAndPictureAgreeAfterEveryGesture() { driftless::ui::test::judgeGestures(17'901, 1000); }
};

DRIFTLESS_LONG_MAIN(QApplication, TestRandomEditsLong)
#include "test_random_edits_long.moc"
