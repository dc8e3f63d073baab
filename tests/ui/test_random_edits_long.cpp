// label: long
// As test_random_edits, a thousand mechanisms.
#include <QApplication>
#include <QtTest>

#include <cstdio>

#include "tests/ui/EditorGestures.h"

using namespace driftless::ui::test;

class TestRandomEditsLong : public QObject {
    Q_OBJECT
private slots:
    void textAndPictureAgreeAfterEveryGesture()
    {
        const std::uint64_t seed = driftless::test::seedOr(17'901);
        const int count = driftless::test::countOr(1000);
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

int main(int argc, char** argv)
{
    qputenv("QTEST_FUNCTION_TIMEOUT", "7200000"); // a thousand cases take minutes on a busy machine
    QApplication app(argc, argv);
    TestRandomEditsLong test;
    return QTest::qExec(&test, argc, argv);
}
#include "test_random_edits_long.moc"
