// Random gestures of the mechanism editor: the text stays a model, the picture is that of the text, and undo and redo find
// every text again.
#include <QtTest>

#include "tests/ui/GestureWalk.h"

class TestRandomEdits : public QObject {
    Q_OBJECT
private slots:
    void textAndPictureAgreeAfterEveryGesture() { driftless::ui::test::judgeGestures(17'801, 6); }
};

QTEST_MAIN(TestRandomEdits)
#include "test_random_edits.moc"
