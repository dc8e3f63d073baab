// Records of lessons from outside: what a lecturer is told, and the exit code that a script sees.
#include <QtTest>

#include "core/lesson/Completion.h"
#include "tests/app/Driver.h"

using namespace driftless;
using namespace driftless::testing;

namespace {

const char* const kLesson =
    "format = 1\nid = \"one-choice\"\ntitle = \"One choice\"\n[[step]]\ntitle = \"Which?\"\ntext = \"Read.\"\n"
    "[step.setup]\nmodel = \"pendulum\"\n[[step.setup.run]]\nformulation = \"index-1\"\nintegrator = "
    "\"rk4\"\n[step.question]\nkind = \"choice\"\ntext = \"Which one?\"\noptions = [{ text = \"This\", hint "
    "= \"No.\" }, { text = \"That\", right = true }]\nhints = [\"The other.\"]\n";

void put(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
}

} // namespace

class TestRecords : public QObject {
    Q_OBJECT

    QString lesson_ = scratch("one-choice.toml"), record_ = scratch("one-choice.json");

    QByteArray recordOf(int option) const
    {
        const auto lesson = lesson::openLesson(lesson_.toStdString());
        const std::vector<lesson::DoneStep> done{
            {.step = 1, .option = option, .answer = {}, .t = 0, .wrong = 1, .shown = false, .session = {}}};
        return QByteArray::fromStdString(lesson::completionText(*lesson, "driftless test", done).value());
    }

private slots:
    void initTestCase() { put(lesson_, kLesson); }

    void aRightRecordIsDone()
    {
        put(record_, recordOf(2));
        const Answer answer = ask({"lesson", lesson_, "--verify", record_});
        VERIFY_SANE(answer);
        QCOMPARE(answer.code, 0);
        const QJsonObject json = answer.json();
        QVERIFY(json["complete"].toBool());
        const QJsonObject step = json["steps"].toArray().first().toObject();
        QVERIFY(step["right"].toBool() && step["kind"].toString() == "choice");
        QCOMPARE(number(step, "wrong_before"), 1.0);
    }

    void aWrongAnswerIsSaidByTheExitCode()
    {
        put(record_, recordOf(1));
        const Answer answer = ask({"lesson", lesson_, "--verify", record_});
        VERIFY_SANE(answer);
        QCOMPARE(answer.code, 1);
        QVERIFY(!answer.json()["complete"].toBool());
        QVERIFY(answer.json()["steps"].toArray().first().toObject()["why"].toString().contains("not the right one"));
    }

    void anEditedRecordIsRefused()
    {
        put(record_, recordOf(1).replace("\"option\": 1", "\"option\": 2"));
        const Answer answer = ask({"lesson", lesson_, "--verify", record_});
        VERIFY_SANE(answer);
        QCOMPARE(answer.code, 2);
        QVERIFY2(answer.err.contains("changed after it was written") && answer.out.isEmpty(), answer.described().constData());
    }

    void aLessonThatDoesNotShipHasToBeNamed()
    {
        put(record_, recordOf(2));
        QCOMPARE(ask({"lesson", "--verify", record_}).code, 2);
        QCOMPARE(ask({"lesson", "drift-off", "--verify", record_}).code, 2); // another one
        QCOMPARE(ask({"lesson", "--pdf", scratch("x.pdf")}).code, 2);        // no lesson at all
        QCOMPARE(ask({"lesson", lesson_}).code, 2);                          // nothing to do
    }

    void whatToTryIsListedWithItsModel()
    {
        const auto models = ask({"list", "models", "--json"}).array();
        int tried = 0;
        for (const auto& model : models) {
            const QJsonObject one = model.toObject();
            const QJsonObject what = one["try"].toObject();
            tried += what["lesson"].toString() == "try-" + one["id"].toString() && !one["shows"].toString().isEmpty()
                     && !what["do"].toString().isEmpty() && !what["see"].toString().isEmpty();
        }
        QVERIFY(models.size() - tried == 1); // modified-pendulum is refused
    }
};

QTEST_APPLESS_MAIN(TestRecords)
#include "test_records.moc"
