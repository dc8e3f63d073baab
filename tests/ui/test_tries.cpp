// What is to be tried with each shipped model, done by the program as the button does it: waiting alone does not fulfil it,
// what "Show me" does, does.
#include <QSettings>
#include <QTemporaryDir>
#include <QtTest>

#include "core/lesson/Lesson.h"
#include "ui/document/Document.h"
#include "ui/document/LessonBench.h"

using namespace driftless;
using namespace driftless::ui;

namespace {

/// Plays to this time, without waiting for the clock.
void playTo(Document& document, double t)
{
    document.laboratory().waitUntil(t);
    document.playback().scrub(t);
    document.playback().tick(0);
}

} // namespace

class TestTriesDone : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

private slots:
    void initTestCase() { QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, folder_.path()); }

    void itIsDoneByShowMeAndNotByWaiting_data()
    {
        QTest::addColumn<QString>("id");
        for (const auto& one : lesson::shippedTries())
            QTest::newRow(one.model.c_str()) << QString::fromStdString(one.lesson);
    }
    void itIsDoneByShowMeAndNotByWaiting()
    {
        QFETCH(QString, id);
        const auto lesson = lesson::openLesson(id.toStdString());
        QVERIFY(lesson.ok());
        const lesson::Step& step = lesson->steps.front();
        Document document;
        QString said;
        QObject::connect(&document, &Document::refused,
                         [&said](const Diagnostic& d) { said = QString::fromStdString(d.text()); });
        QVERIFY(document.opener().setUp(*step.setup, "try").ok());
        playTo(document, step.setup->until);
        QVERIFY(!judgeAction(document, *step.question, step.setup->until).right);
        for (const lesson::Action& action : step.show) {
            QVERIFY2(perform(document, action), qPrintable(said));
            if (action.until)
                playTo(document, *action.until);
        }
        QString values;
        for (const auto& check : step.question->checks) {
            const Measured is = ui::measure(document, check.measure, document.laboratory().clock().t);
            values += QStringLiteral("\n%1 is %2%3 %4")
                          .arg(QString::fromStdString(check.measure.what.text), is.text, is.problem)
                          .arg(is.number.value_or(0));
        }
        QVERIFY2(judgeAction(document, *step.question, document.laboratory().clock().t).right, qPrintable(values));
    }
};

QTEST_MAIN(TestTriesDone)
#include "test_tries.moc"
