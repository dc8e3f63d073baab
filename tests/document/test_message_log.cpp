// What the document said, and when.
#include <QSignalSpy>
#include <QTest>

#include "ui/document/MessageLog.h"

using namespace driftless;
using driftless::ui::MessageLog;

namespace {

Diagnostic saying(const std::string& what) { return {what, {}, {}, {}, {}}; }

} // namespace

class TestMessageLog : public QObject {
    Q_OBJECT
private slots:
    void messageHasTheDisplayedTime()
    {
        double t = 0.5;
        MessageLog log([&t] { return t; });
        log.say(saying("a"));
        t = 2;
        log.say(saying("b"), 3);
        QCOMPARE(log.all().size(), std::size_t(2));
        QCOMPARE(log.all()[0].t, 0.5);
        QCOMPARE(log.all()[0].runKey, -1);
        QCOMPARE(log.all()[1].t, 2.0);
        QCOMPARE(log.all()[1].runKey, 3);
    }

    void onlyRefusedRequestsAreRefused()
    {
        MessageLog log([] { return 0.0; });
        QSignalSpy refused(&log, &MessageLog::refused), changed(&log, &MessageLog::changed);
        log.say(saying("a run failed"), 1);
        QCOMPARE(refused.count(), 0);
        QVERIFY(!log.say(Result<void>(saying("refused"))));
        QCOMPARE(refused.count(), 1);
        QVERIFY(log.say(Result<void>()));
        QCOMPARE(refused.count(), 1);
        QCOMPARE(changed.count(), 2);
        log.clear();
        QCOMPARE(changed.count(), 3);
        QVERIFY(log.all().empty());
    }

    void messageBelongsToTheDocumentThatWasOpen()
    {
        int open = 1;
        MessageLog log([] { return 0.0; }, [&open] { return open; });
        log.say(saying("of the first"));
        open = 2;
        log.say(saying("of the second"));
        QCOMPARE(log.of(1).size(), std::size_t(1));
        QCOMPARE(log.of(1).front().diagnostic.what, std::string("of the first"));
        QCOMPARE(log.of(2).front().diagnostic.what, std::string("of the second"));
        QVERIFY(log.of(3).empty());
    }

    void oldestMessageGoes()
    {
        MessageLog log([] { return 0.0; });
        for (std::size_t i = 0; i <= MessageLog::kMost; ++i)
            log.say(saying(std::to_string(i)));
        QCOMPARE(log.all().size(), MessageLog::kMost);
        QCOMPARE(log.all().front().diagnostic.what, std::string("1"));
    }
};

QTEST_GUILESS_MAIN(TestMessageLog)
#include "test_message_log.moc"
