// label: release
// What is seen when a person does what a shipped model proposes: every claim, computed by the program. A hundred models
// run here.
#include <QtTest>

#include "core/lesson/Lesson.h"
#include "core/lesson/Proof.h"

using namespace driftless;

class TestTryClaims : public QObject {
    Q_OBJECT

private slots:
    void whatIsSaidIsSeen_data()
    {
        QTest::addColumn<QString>("id");
        for (const auto& one : lesson::shippedTries())
            QTest::newRow(one.model.c_str()) << QString::fromStdString(one.lesson);
    }
    void whatIsSaidIsSeen()
    {
        QFETCH(QString, id);
        const auto lesson = lesson::openLesson(id.toStdString());
        QVERIFY(lesson.ok());
        QStringList wrong;
        for (const auto& proof : lesson::proofsOf(*lesson, 0)) {
            const auto results = lesson::prove(proof);
            QVERIFY2(results.ok(), results ? "" : results.error().text().c_str());
            for (const auto& result : *results)
                if (!result.holds)
                    wrong << QStringLiteral("%1: %2 is not %3 %4")
                                 .arg(QString::fromStdString(result.text), QString::fromStdString(result.measured),
                                      QString::fromStdString(result.relation), QString::fromStdString(result.why));
        }
        QVERIFY2(wrong.isEmpty(), qPrintable("\n" + wrong.join('\n')));
    }

    /// What a bench says of its steps is what its claims are computed with.
    void theLongestStepOfABenchHolds()
    {
        const auto lesson = lesson::readLesson("format = 1\nid = \"one\"\ntitle = \"One\"\n[[step]]\ntitle = \"Watch\"\n"
                                               "text = \"It takes many steps.\"\n[step.setup]\nmodel = \"free-particle\"\n"
                                               "until = 1\n[[step.setup.run]]\nformulation = \"index-1\"\n"
                                               "integrator = \"dormand-prince\"\nrtol = 1e-3\natol = 1e-3\nmax_step = 0.01\n"
                                               "[[step.claim]]\nsentence = \"many steps\"\nmeasure = \"steps\"\nabove = 99.5\n",
                                               "one.toml");
        QVERIFY2(lesson.ok(), lesson ? "" : lesson.error().text().c_str());
        const auto results = lesson::prove(lesson::proofsOf(*lesson, 0).front());
        QVERIFY2(results.ok(), results ? "" : results.error().text().c_str());
        QVERIFY2(results->front().holds, results->front().measured.c_str()); // a second has a hundred such steps
    }
};

QTEST_APPLESS_MAIN(TestTryClaims)
#include "test_try_claims.moc"
