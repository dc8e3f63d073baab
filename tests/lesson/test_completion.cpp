// Records of lessons: a true one holds, and each way to make one up is told.
#include <QtTest>

#include <QFile>
#include <QTemporaryDir>

#include "core/lesson/Completion.h"
#include "core/reduction/Reduced.h"
#include "core/run/Laboratory.h"

using namespace driftless;
using namespace driftless::lesson;

namespace {

/// Three questions: a choice, a number at 2 s, and something to be done. The fourth step is read.
const std::string kLessonText = R"(format = 1
id = "four-steps"
title = "Four steps"
[[step]]
title = "Which?"
text = "Read."
[step.setup]
model = "pendulum"
until = 2
[[step.setup.run]]
formulation = "index-1"
integrator = "rk4"
step = 0.1
[step.question]
kind = "choice"
text = "Which one?"
options = [{ text = "This one", hint = "No." }, { text = "That one", right = true }]
hints = ["The other."]
[[step]]
title = "How large?"
text = "Read."
[step.question]
kind = "number"
text = "x at 2 s?"
measure = "bob.x"
at = 2
relative = 0.05
hints = ["Look.", "Look again."]
[[step]]
title = "Do"
text = "Read."
[step.question]
kind = "action"
hints = ["L.", "Set L."]
[[step.question.check]]
measure = "parameter.L"
above = 1.5
[[step.show]]
parameters = { L = 2 }
[[step]]
title = "Read"
text = "Read."
)";

std::unique_ptr<run::Laboratory> laboratoryOf(const std::string& name)
{
    const auto model = reduction::openModel(name);
    auto out = std::make_unique<run::Laboratory>(model::CompiledSystem::compile(*model).value(), run::StartSettings{}, 1);
    run::RunSettings settings;
    settings.formulation = "index-1";
    settings.integrator = "rk4";
    settings.options.step = 0.1;
    (void)out->addRun(settings);
    out->waitUntil(2.5);
    return out;
}

} // namespace

class TestCompletion : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    std::string path_;
    std::string played_, longer_; ///< sessions: as it is, and with L = 2
    double x_ = 0;                ///< of the bob at 2 s

    Lesson lessonOfFile() const { return openLesson(path_).value(); }
    void write(const std::string& text)
    {
        QFile file(QString::fromStdString(path_));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text.c_str());
    }
    /// What a person did who was wrong once.
    std::vector<DoneStep> steps() const
    {
        return {{.step = 1, .option = 2, .answer = {}, .t = 2, .wrong = 1, .shown = false, .session = {}},
                {.step = 2, .option = {}, .answer = 1.01 * x_, .t = 2, .wrong = 0, .shown = true, .session = played_},
                {.step = 3, .option = {}, .answer = {}, .t = 2.5, .wrong = 0, .shown = false, .session = longer_},
                {.step = 4, .option = {}, .answer = {}, .t = 2.5, .wrong = 0, .shown = false, .session = {}}};
    }
    Result<Verification> verify(const std::vector<DoneStep>& done) const
    {
        const auto text = completionText(lessonOfFile(), "driftless test", done);
        if (!text)
            return text.error();
        return verifyCompletion(*text, "record.json", path_);
    }
    /// Why a step is not right; empty where it is.
    static QString whyOf(const Result<Verification>& found, std::size_t step)
    {
        if (!found)
            return QString::fromStdString(found.error().text());
        return found->steps[step - 1].right ? QString() : QString::fromStdString(found->steps[step - 1].why);
    }

private slots:
    void initTestCase()
    {
        path_ = folder_.filePath("four-steps.toml").toStdString();
        write(kLessonText);
        const auto lesson = openLesson(path_);
        QVERIFY2(lesson.ok(), lesson ? "" : lesson.error().text().c_str());
        const auto laboratory = laboratoryOf("pendulum");
        played_ = laboratory->sessionJson();
        std::vector<double> q(2), v(2), lambda(1);
        QVERIFY(laboratory->recording(laboratory->runs()[0]).stateAt(2, q.data(), v.data(), lambda.data()));
        x_ = q[0];
        QVERIFY(laboratory->command(laboratory->runs(), run::SetParameter{.name = "L", .value = 2}).ok());
        laboratory->waitUntil(3);
        longer_ = laboratory->sessionJson();
    }

    void aTrueRecordHolds()
    {
        const auto found = verify(steps());
        QVERIFY2(found.ok(), found ? "" : found.error().text().c_str());
        for (std::size_t step = 1; step <= 4; ++step)
            QVERIFY2(whyOf(found, step).isEmpty(), qPrintable(whyOf(found, step)));
        QVERIFY(found->complete());
        QCOMPARE(found->steps[0].done.wrong, 1);
        QVERIFY(found->steps[1].done.shown);
        // The replay on the same build gives the same recording, bit for bit.
        QCOMPARE(found->steps[1].measured.value_or(0), x_);
    }

    void aRecordThatWasEditedIsTold()
    {
        std::string text = completionText(lessonOfFile(), "driftless test", steps()).value();
        const auto place = text.find("\"wrong\": 1");
        QVERIFY(place != std::string::npos);
        text[place + 9] = '0';
        const auto found = verifyCompletion(text, "record.json", path_);
        QVERIFY(!found.ok());
        QVERIFY2(found.error().what.find("changed after it was written") != std::string::npos, found.error().text().c_str());
        QVERIFY(recordedSteps(text, lessonOfFile()).empty());
        QCOMPARE(recordedSteps(completionText(lessonOfFile(), "driftless test", steps()).value(), lessonOfFile()).size(),
                 std::size_t(4));
    }

    /// Who knows how the seal is made can write any answer: it does not come out.
    void anAnswerThatTheSessionDoesNotShowIsTold()
    {
        auto done = steps();
        done[1].answer = 1.2 * x_;
        const auto found = verify(done);
        QCOMPARE(whyOf(found, 2), QStringLiteral("the repeated session does not show it"));
        QVERIFY(!found->complete());
        done = steps();
        done[0].option = 1;
        QVERIFY(whyOf(verify(done), 1).contains("not the right one"));
        done = steps();
        done[2].session = played_; // L was never changed
        QCOMPARE(whyOf(verify(done), 3), QStringLiteral("the repeated session does not show it"));
    }

    void aSessionOfAnotherModelIsTold()
    {
        auto done = steps();
        done[1].session = laboratoryOf("spherical-pendulum")->sessionJson(); // it has a bob.x, too
        QVERIFY2(whyOf(verify(done), 2).contains("another model"), qPrintable(whyOf(verify(done), 2)));
        done[1].session = played_.substr(0, played_.size() / 2);
        QVERIFY(whyOf(verify(done), 2).contains("cannot be repeated"));
        done[1].session.clear();
        QVERIFY(whyOf(verify(done), 2).contains("no session"));
    }

    void aStepThatIsMissingIsTold()
    {
        auto done = steps();
        done.pop_back();
        const auto found = verify(done);
        QCOMPARE(whyOf(found, 4), QStringLiteral("it was not done"));
        QVERIFY(whyOf(found, 1).isEmpty() && !found->complete());
    }

    void anotherTextOfTheLessonIsTold()
    {
        const std::string text = completionText(lessonOfFile(), "driftless test", steps()).value();
        write(kLessonText + "# A remark.\n");
        const auto found = verifyCompletion(text, "record.json", path_);
        write(kLessonText);
        QVERIFY(!found.ok());
        QVERIFY2(found.error().what.find("another version") != std::string::npos, found.error().text().c_str());
        const auto other = verifyCompletion(text, "record.json", "drift-off");
        QVERIFY(!other.ok() && other.error().what.find("another lesson") != std::string::npos);
    }

    void whatIsNoRecordIsTold_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("nothing") << QByteArray();
        QTest::newRow("an empty object") << QByteArray("{}");
        QTest::newRow("a list") << QByteArray("[1, 2]");
        QTest::newRow("half a file") << QByteArray("{\"driftless_lesson_record\": 1, \"steps\": [");
        QTest::newRow("another format") << QByteArray("{\"driftless_lesson_record\": 2}");
        QTest::newRow("brackets") << QByteArray(1'000'000, '[');
    }
    void whatIsNoRecordIsTold()
    {
        QFETCH(QByteArray, text);
        const auto found = verifyCompletion(text.toStdString(), "record.json");
        QVERIFY(!found.ok());
        QVERIFY2(found.error().what.find("no record") != std::string::npos, found.error().text().c_str());
    }
};

QTEST_APPLESS_MAIN(TestCompletion)
#include "test_completion.moc"
