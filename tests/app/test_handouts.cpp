// needs: window
// Hand-outs from outside: every shipped lesson as a PDF with embedded fonts and no pixels, whole or not at all.
#include <QtTest>

#include <QDir>

#include <sys/stat.h>

#include "tests/app/Driver.h"

using namespace driftless::testing;

namespace {

QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestHandouts : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        if (!ask({"--help"}).out.contains("lesson "))
            QSKIP("this build draws nothing");
    }

    void everyLessonIsPrintedWithVectorText()
    {
        const auto lessons = ask({"list", "lessons", "--json"}).array();
        QVERIFY(lessons.size() >= 12);
        for (const auto& lesson : lessons) {
            const QString id = lesson.toObject()["id"].toString();
            const QString path = scratch("lesson-" + id + ".pdf");
            QFile::remove(path);
            const Answer answer = ask({"lesson", id, "--pdf", path});
            VERIFY_SANE(answer);
            QVERIFY2(answer.code == 0 && answer.isJson(), answer.described().constData());
            // An A4 page holds about three thousand letters and a figure; a lesson of five steps is no leaflet.
            QVERIFY2(number(answer.json(), "pages") >= 3, answer.out.constData());
            QVERIFY2(number(answer.json(), "figures") >= 2, answer.out.constData());
            const QByteArray pdf = contents(path);
            QVERIFY(pdf.startsWith("%PDF-"));
            QVERIFY2(pdf.contains("/FontFile"), "fonts are embedded");
            QVERIFY2(!pdf.contains("/Subtype /Image"), "curves are lines, not pixels");
        }
    }

    void answersMakeItLonger()
    {
        const QString without = scratch("handout.pdf"), with = scratch("handout-answers.pdf");
        QCOMPARE(ask({"lesson", "drift-off", "--pdf", without}).code, 0);
        const Answer answer = ask({"lesson", "drift-off", "--pdf", with, "--answers"});
        QCOMPARE(answer.code, 0);
        QVERIFY(answer.json()["answers"].toBool());
        QVERIFY(contents(with).size() > contents(without).size());
    }

    /// What a text names as a picture is not opened: a pipe would keep the program waiting, a device fill its memory.
    void picturesOfATextAreNotRead()
    {
        const QString folder = scratch("pictures");
        QDir(folder).removeRecursively();
        QVERIFY(QDir().mkpath(folder));
        QVERIFY(::mkfifo((folder + "/pipe").toUtf8().constData(), 0600) == 0);
        const QByteArray pictures =
            "'''![a](pipe) !![b](pipe) \\![c](pipe) ![d][r] ![](/dev/zero) [![e](pipe)](pipe) <img src=\"pipe\"> "
            "![f](file:///dev/zero)\n\n"
            "[r]: pipe\n\n[link](file:///etc/passwd) <file:///etc/passwd> [page](https://example.org)\n'''\n";
        QFile file(folder + "/l.toml");
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("format = 1\nid = \"l\"\ntitle = \"<img src='pipe'> ![t](pipe)\"\nsource = \"s\"\nsummary = " + pictures
                   + "[[step]]\ntitle = \"![u](pipe)\"\ntext = " + pictures + "task = " + pictures
                   + "[step.setup]\nmodel = \"pendulum\"\nuntil = 0.1\n[[step.setup.run]]\nformulation = "
                     "\"index-1\"\nintegrator = \"rk4\"\nstep = 0.05\n");
        file.close();
        for (const QStringList& arguments : {QStringList{"lesson", folder + "/l.toml", "--pdf", folder + "/l.pdf"},
                                             QStringList{"screenshot", folder + "/l.toml", "--time", "0.1", "--page", "lessons",
                                                         "--png", folder + "/l.png"}}) {
            const Answer answer = ask(arguments, 120'000);
            VERIFY_SANE(answer);
            QVERIFY2(answer.code == 0, answer.described().constData());
        }
        const QByteArray pdf = contents(folder + "/l.pdf");
        QVERIFY(!pdf.contains("/Subtype /Image"));
        QVERIFY2(!pdf.contains("passwd"), "a link to a file of the reader's");
    }

    /// The solution is printed with the seed that the questions show.
    void theOrderOfOptionsFollowsTheSeed()
    {
        const QString path = scratch("handout-seed.pdf");
        const auto printed = [&](const char* seed) {
            const Answer answer = ask({"lesson", "drift-off", "--pdf", path, "--seed", seed});
            return answer.code == 0 && answer.json()["seed"].toInt() == QByteArray(seed).toInt() ? contents(path).size() : -1;
        };
        QVERIFY(printed("7") > 0 && printed("8") > 0);
        QCOMPARE(ask({"lesson", "drift-off", "--pdf", path}).json()["seed"].toInt(), 1);
    }

    void anAuthorIsToldWhatToMend()
    {
        const QString path = scratch("careless.toml");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("format = 1\nid = \"careless\"\ntitle = \"C\"\n[[step]]\ntitle = \"One\"\ntext = "
                   "\"Watch.\"\n[step.setup]\nmodel = \"pendulum\"\n"
                   "[[step.setup.run]]\nformulation = \"index-1\"\nintegrator = \"rk4\"\n");
        file.close();
        const Answer answer = ask({"lesson", path, "--check"});
        VERIFY_SANE(answer);
        QCOMPARE(answer.code, 0);
        const auto findings = answer.json()["findings"].toArray();
        QCOMPARE(findings.size(), 2);
        QCOMPARE(findings[0].toObject()["line"].toInt(), 4);
        QVERIFY(findings[0].toObject()["remedy"].toString().contains("exercise"));
        QCOMPARE(ask({"lesson", path}).code, 2); // neither a page nor a check
    }

    void refusalsWriteNothing_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("path");
        const QString path = scratch("refused.pdf");
        QTest::newRow("no such lesson") << QStringList{"lesson", "drift-of", "--pdf", path} << path;
        QTest::newRow("not a lesson") << QStringList{
            "lesson", QString(DRIFTLESS_SOURCE_DIR) + "/resources/models/pendulum.toml", "--pdf",
            path} << path;
        QTest::newRow("not a file") << QStringList{"lesson", "/dev/zero", "--pdf", path} << path;
        QTest::newRow("no PDF") << QStringList{"lesson", "drift-off", "--pdf", scratch("refused.txt")}
                                << scratch("refused.txt");
        QTest::newRow("no folder") << QStringList{"lesson", "drift-off", "--pdf", scratch("nowhere/refused.pdf")}
                                   << scratch("nowhere/refused.pdf");
    }
    void refusalsWriteNothing()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, path);
        QFile::remove(path);
        const Answer answer = ask(arguments);
        VERIFY_SANE(answer);
        QCOMPARE(answer.code, 2);
        QVERIFY(answer.out.isEmpty());
        QCOMPARE(answer.messages(), 1);
        QVERIFY(!QFile::exists(path));
    }
};

QTEST_APPLESS_MAIN(TestHandouts)
#include "test_handouts.moc"
