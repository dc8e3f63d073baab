// needs: window
// What a reader could say about its input, it says: settings that are stated twice, misspelt, no whole number or of no use, and
// times that a run does not come to. Checking a lesson draws nothing.
#include <QtTest>

#include "tests/app/Driver.h"

using namespace driftless::testing;

namespace {

QString fileOf(const QString& name, const QByteArray& text)
{
    QFile file(scratch(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
        qFatal("the scratch folder cannot be written");
    return file.fileName();
}

QString findingsOf(const Answer& answer)
{
    return QString::fromUtf8(QJsonDocument(answer.json()["findings"].toArray()).toJson());
}

} // namespace

class TestSaid : public QObject {
    Q_OBJECT

private slots:
    void figuresRunThatIsWrong_isRefusedWithTheReason_data()
    {
        QTest::addColumn<QString>("run");
        QTest::addColumn<QString>("says");
        QTest::newRow("misspelt") << "index-1:rk4:setp=0.1"
                                  << "did you mean \"step\"";
        QTest::newRow("twice") << "index-1:rk4:step=0.1:step=0.2"
                               << "stated twice";
        QTest::newRow("half an iteration") << "index-1:ida:newton=2.5"
                                           << "whole number";
        QTest::newRow("limits crossed") << "index-1:ida:max_step=0.001:min_step=0.01"
                                        << "below the shortest one";
    }
    void figuresRunThatIsWrong_isRefusedWithTheReason()
    {
        if (!ask({"--help"}).out.contains("figure "))
            QSKIP("this build draws nothing");
        QFETCH(QString, run);
        QFETCH(QString, says);
        const Answer answer = ask({"figure", "pendulum", "--run", run, "--end", "1", "--table", scratch("said.md")});
        QVERIFY2(answer.code == 2 && answer.out.isEmpty(), answer.described());
        QVERIFY2(answer.err.contains(says.toUtf8()), answer.described());
    }

    void whatChangesNothing_isSaid_andTheRunGoesOn()
    {
        const QStringList run{"run", "pendulum", "--formulation", "index-1", "--integrator",
                              "rk4", "--step",   "0.1",           "--end",   "1"};
        const Answer plain = ask(run),
                     noted = ask(run + QStringList{"--method-parameter", "0.5", "--set", "L=2", "--set", "L=1"});
        QVERIFY2(plain.code == 0 && plain.messages() == 0, plain.described());
        QVERIFY2(noted.code == 0 && noted.messages() == 2, noted.described());
        QVERIFY2(noted.err.contains("\"method_parameter\" changes nothing: rk4"), noted.described());
        QVERIFY2(noted.err.contains("L is set twice"), noted.described());
        QCOMPARE(noted.json()["state"].toObject(), plain.json()["state"].toObject()); // the last value counts
    }

    void aStudysTimesAndUselessSettings_areFound()
    {
        const QByteArray head = "title = \"t\"\n[default]\nmodel = \"pendulum\"\nformulation = \"index-1\"\nend = 1\n"
                                "[[run]]\nname = \"a\"\nintegrator = \"rk4\"\nstep = 0.1\n";
        const Answer clean = ask({"study", fileOf("clean.toml", head), "--check"});
        QVERIFY2(clean.code == 0 && clean.json()["findings"].toArray().isEmpty(), clean.described());
        const Answer late = ask({"study",
                                 fileOf("late.toml", head
                                                         + "max_step = 0.1\nevent = [{ t = 2.0, set = { L = 2 } }]\n"
                                                           "[[claim]]\ntext = \"c\"\nmeasure = \"at(50, bob.x)\"\nbelow = 2\n"),
                                 "--check"});
        QVERIFY2(late.code == 0 && late.json()["findings"].toArray().size() == 3, late.described());
        for (const char* says : {"after the end of its run", "its runs end at t = 1 s", "changes nothing: rk4"})
            QVERIFY2(findingsOf(late).contains(QLatin1String(says).latin1()) || findingsOf(late).contains(says), says);
        // In a family of methods a setting may be for some of them.
        const Answer family =
            ask({"study",
                 fileOf("family.toml", "title = \"t\"\n[default]\nmodel = \"pendulum\"\nformulation = \"index-1\"\n"
                                       "end = 1\n[[run]]\nname = \"a\"\nstep = 0.1\nmax_step = 0.1\n"
                                       "vary = { integrator = [\"rk4\", \"ida\"] }\n"),
                 "--check"});
        QVERIFY2(family.code == 0 && family.json()["findings"].toArray().isEmpty(), family.described());
    }

    void checkingALesson_loadsNothingThatDraws()
    {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("LD_DEBUG", "libs"); // the loader tells what it loads
        process.setProcessEnvironment(environment);
        process.setStandardInputFile(QProcess::nullDevice());
        process.start(DRIFTLESS_EXECUTABLE, {"lesson", "drift-off", "--check"});
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitCode(), 0);
        const QByteArray loaded = process.readAllStandardError();
        QVERIFY2(loaded.contains("libc.so"), "the loader says nothing here");
        QVERIFY(!loaded.contains("libQt6") && !loaded.contains("libvtk"));
        QVERIFY(QJsonDocument::fromJson(process.readAllStandardOutput()).object().contains("findings"));
    }

    void somethingToTry_isATaskAndLacksNothing()
    {
        const Answer answer = ask({"lesson", "try-pendulum", "--check"});
        QVERIFY2(answer.code == 0 && answer.json()["findings"].toArray().isEmpty(), answer.described());
    }

    void anUnknownModel_isToldAllThatShip()
    {
        const Answer answer = ask({"run", "nosuch"});
        const auto models = QDir(QString(DRIFTLESS_SOURCE_DIR) + "/resources/models").entryList(QDir::Files).size();
        const auto more = static_cast<int>(models) - 12; // twelve are named
        QVERIFY2(answer.code == 2 && answer.err.contains("akzo-nobel"), answer.described());
        QVERIFY2(answer.err.contains("and " + QByteArray::number(more) + " more"), answer.described());
    }

    /// What has no place in the file has no line.
    void aFindingWithoutAPlace_hasNoLine()
    {
        const Answer answer =
            ask({"lesson",
                 fileOf("nowhere.toml", "format = 1\nid = \"nowhere\"\ntitle = \"N\"\n[[step]]\ntitle = \"One\"\n"
                                        "text = \"Watch.\"\n[step.setup]\nmodel = \"pendulom\"\n"
                                        "[[step.setup.run]]\nformulation = \"index-1\"\nintegrator = \"rk4\"\n"),
                 "--check"});
        QVERIFY2(answer.code == 0, answer.described());
        bool any = false;
        for (const auto& finding : answer.json()["findings"].toArray()) {
            const QJsonObject one = finding.toObject();
            any = any || one["what"].toString().contains("pendulom") || one["why"].toString().contains("pendulom");
            QVERIFY2(!one.contains("line") || one["line"].toInt() > 0, answer.out);
        }
        QVERIFY2(any, answer.out);
    }

    /// Nothing that TeX cannot break is longer than a line: fractions and roots of long rows are written in one line.
    void longRowsOfLatex_haveNoLongPieces_data()
    {
        QTest::addColumn<QString>("model");
        for (const char* model : {"andrews", "spring-slider-crank"})
            QTest::newRow(model) << model;
    }
    void longRowsOfLatex_haveNoLongPieces()
    {
        QFETCH(QString, model);
        const Answer answer = ask({"export", model, "--formulation", "index-1", "--as", "latex"});
        QVERIFY2(answer.code == 0, answer.described());
        constexpr int kLongest = 160; // letters of the source, of which a line takes about twice as many
        int roots = 0;
        for (const QByteArray& line : answer.out.split('\n')) {
            if (line.size() <= 200 || !line.contains("\\displaystyle"))
                continue;
            for (const char* command : {"\\sqrt{", "\\frac{"})
                for (qsizetype at = line.indexOf(command); at >= 0; at = line.indexOf(command, at + 1)) {
                    int depth = 0;
                    qsizetype end = at;
                    for (; end < line.size() && (depth > 0 || end < at + 6); ++end) {
                        if (line[end] == '{')
                            ++depth;
                        else if (line[end] == '}')
                            --depth;
                    }
                    QVERIFY2(end - at <= kLongest, line);
                }
            roots += line.contains("^{1/2}");
        }
        QVERIFY(roots > 0);
    }

    void theLagrangian_isCalligraphic_whereLIsALength()
    {
        const Answer pendulum = ask({"export", "pendulum", "--formulation", "index-1", "--as", "latex"});
        QVERIFY2(pendulum.out.contains("\\displaystyle \\mathcal{L} = "), pendulum.described());
        const Answer other = ask({"export", "double-pendulum", "--formulation", "index-1", "--as", "latex"});
        QVERIFY2(other.out.contains("\\displaystyle L = ") && !other.out.contains("\\mathcal{L}"), other.described());
    }
};

QTEST_GUILESS_MAIN(TestSaid)
#include "test_said.moc"
