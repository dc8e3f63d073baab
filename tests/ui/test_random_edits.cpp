// Random gestures of the mechanism editor: the text stays a model, the picture is that of the text, and undo and redo find
// every text again.
#include <QtTest>

#include <cstdio>

#include "tests/ui/EditorGestures.h"

using namespace driftless::ui::test;

class TestRandomEdits : public QObject {
    Q_OBJECT
private slots:
    void textAndPictureAgreeAfterEveryGesture()
    {
        const std::uint64_t seed = driftless::test::seedOr(17'801);
        const int count = driftless::test::countOr(6);
        qInfo("DRIFTLESS_SEED=%llu, %d mechanisms", static_cast<unsigned long long>(seed), count);
        std::map<std::string, int> carried;
        const std::string fault = walkGestures(seed, count, carried);
        std::string told;
        for (const auto& [what, times] : carried)
            told += what + ' ' + std::to_string(times) + ", ";
        qInfo("%s", told.c_str());
        if (!fault.empty())
            std::fputs(fault.c_str(), stderr); // longer than a message may be
        QVERIFY2(fault.empty(), "see above");
        QVERIFY(carried.size() > 5); // else the gestures were not tried
    }
};

QTEST_MAIN(TestRandomEdits)
#include "test_random_edits.moc"
