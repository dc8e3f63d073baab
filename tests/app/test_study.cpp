// needs: window
// driftless study as a script meets it: the same bytes twice, in parts and put together, killed and gone on, and mistakes.
#include <QtTest>

#include <QDir>
#include <QTemporaryDir>

#include <csignal>

#include "tests/app/Driver.h"

using namespace driftless::testing;

namespace {

QByteArray bytes(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Files of a study that hold no wall time: all but runs/*.json.
QStringList comparable(const QString& folder)
{
    QStringList out;
    for (const char* part : {"", "tables", "figures", "runs"})
        for (const QString& name : QDir(folder + '/' + part).entryList(QDir::Files, QDir::Name))
            if (!(QByteArray(part) == "runs" && name.endsWith(".json")))
                out << QString(part) + '/' + name;
    return out;
}

/// Long enough to be killed in: five runs of which the first ends at once.
const char* const kLong = R"toml(
title = "Several runs"
[default]
model = "pendulum"
formulation = "dummy-derivatives"
integrator = "radau-iia-5"
[[run]]
name = "short"
step = 0.01
end = 0.1
[[run]]
name = "long"
end = 120
vary = { step = [0.004, 0.003, 0.002, 0.001] }
[[table]]
name = "ends"
column = [{ title = "steps", measure = "steps" }, { title = "x", measure = "last(bob.x)" }]
[[figure]]
name = "x"
panel = [{ kind = "curve", y = "bob.x" }]
)toml";

} // namespace

class TestStudy : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    QString write(const char* name, const QByteArray& text)
    {
        const QString path = folder_.filePath(name);
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("cannot write %s", name);
        return path;
    }

private slots:
    void twice_theSameBytes()
    {
        const QString a = folder_.filePath("a"), b = folder_.filePath("b");
        for (const QString& out : {a, b}) {
            const Answer answer = ask({"study", "dn-printed-start", "--out", out});
            VERIFY_SANE(answer);
            QVERIFY2(answer.code == 0 && answer.isJson(), answer.described().constData());
            QVERIFY(answer.json()["failed_claims"].toArray().isEmpty());
        }
        const QStringList files = comparable(a);
        QVERIFY(files.contains("/result.json") && files.contains("tables/start.csv") && files.contains("runs/index-1.csv"));
        QCOMPARE(files, comparable(b));
        for (const QString& file : files)
            QVERIFY2(bytes(a + '/' + file) == bytes(b + '/' + file) && !bytes(a + '/' + file).isEmpty(), qPrintable(file));
        // The copy in the folder repeats it, with the models beside it.
        const QString c = folder_.filePath("c");
        const Answer again = ask({"study", a + "/study.toml", "--out", c});
        QVERIFY2(again.code == 0, again.described().constData());
        QCOMPARE(bytes(c + "/tables/start.csv"), bytes(a + "/tables/start.csv"));
        QCOMPARE(bytes(c + "/runs/baumgarte.csv"), bytes(a + "/runs/baumgarte.csv"));
    }

    /// Models by path and by name, the table of an input and measured data: the folder holds them all where the study looks.
    void aFolderRepeatsItselfWithAllThatItReads()
    {
        QVERIFY(QDir(folder_.path()).mkpath("own/models") && QDir(folder_.path()).mkpath("own/parts"));
        const QByteArray body = "[[body]]\nname = \"cart\"\nkind = \"point\"\nmass = 1\ny = 0\n";
        const QByteArray driven = "format = 1\nname = \"another\"\n" + body
                                  + "[[input]]\nname = \"u\"\nfile = \"drive.csv\"\n"
                                    "[[force]]\nname = \"push\"\nkind = \"force\"\nbody = \"cart\"\nx = \"u\"\ny = 0\n";
        const QByteArray drive = "t [s], u\n0, 0\n1, 2\n2, 0\n";
        write("own/models/driven.toml", driven);
        write("own/models/drive.csv", drive);
        write("own/parts/pushed.toml", driven);
        write("own/parts/drive.csv", drive);
        write("own/seen.csv", "t [s], cart.x\n0, 0\n1, 0.5\n");
        const QString study = write("own/all.toml", "title = \"All\"\n[default]\nformulation = \"index-1\"\n"
                                                    "integrator = \"rk4\"\nstep = 0.01\nend = 1\n"
                                                    "[[run]]\nname = \"named\"\nmodel = \"driven\"\n"
                                                    "[[run]]\nname = \"placed\"\nmodel = \"parts/pushed.toml\"\n"
                                                    "[[run]]\nname = \"seen\"\nmodel = \"driven\"\ndata = \"seen.csv\"\n"
                                                    "[[table]]\nname = \"ends\"\ncolumn = [{ title = \"x\", measure = "
                                                    "\"last(cart.x)\" }]\n");
        const QString a = folder_.filePath("own-a"), b = folder_.filePath("own-b");
        const Answer first = ask({"study", study, "--out", a});
        QVERIFY2(first.code == 0, first.described().constData());
        for (const char* file : {"models/driven.toml", "models/drive.csv", "parts/pushed.toml", "parts/drive.csv", "seen.csv"})
            QVERIFY2(QFile::exists(a + '/' + file), file);
        QVERIFY(QDir(folder_.filePath("own")).removeRecursively());
        const Answer again = ask({"study", a + "/study.toml", "--out", b});
        QVERIFY2(again.code == 0, again.described().constData());
        QCOMPARE(bytes(b + "/tables/ends.csv"), bytes(a + "/tables/ends.csv"));
        // x'' = 2 t: x(1) = 1/3.
        const QList<QByteArray> rows = bytes(a + "/tables/ends.csv").split('\n');
        QVERIFY2(rows.size() > 2 && std::abs(rows[1].split(',').last().toDouble() - 1.0 / 3) < 1e-9,
                 rows.join('|').constData());

        // Another table beside the same model is another run.
        QFile table(a + "/models/drive.csv");
        QVERIFY(table.open(QIODevice::WriteOnly) && table.write("t [s], u\n0, 0\n1, 4\n2, 0\n") > 0);
        table.close();
        const Answer changed = ask({"study", a + "/study.toml", "--out", b});
        QVERIFY2(changed.code == 0, changed.described().constData());
        QCOMPARE(changed.json()["taken_over"].toInt(), 1); // of parts/pushed.toml alone: the data is judged with its model
    }

    void inParts_putTogether()
    {
        const QString whole = folder_.filePath("whole"), p1 = folder_.filePath("p1"), p2 = folder_.filePath("p2"),
                      merged = folder_.filePath("merged");
        QCOMPARE(ask({"study", "baumgarte-gains", "--out", whole}).code, 0);
        QCOMPARE(ask({"study", "baumgarte-gains", "--out", p1, "--shard", "1/2"}).code, 0);
        const Answer early = ask({"study", "baumgarte-gains", "--out", merged, "--merge", p1});
        QVERIFY2(early.code == 2 && early.err.contains("not complete"), early.described().constData());
        QCOMPARE(ask({"study", "baumgarte-gains", "--out", p2, "--shard", "2/2"}).code, 0);
        QVERIFY(!QFile::exists(p2 + "/result.json"));
        const Answer answer = ask({"study", "baumgarte-gains", "--out", merged, "--merge", p1, "--merge", p2});
        QVERIFY2(answer.code == 0, answer.described().constData());
        QCOMPARE(answer.json()["taken_over"].toInt(), answer.json()["runs"].toInt());
        for (const QString& file : comparable(whole))
            QVERIFY2(bytes(whole + '/' + file) == bytes(merged + '/' + file), qPrintable(file));
    }

    void killed_goesOnWithWhatWasFinished_data()
    {
        QTest::addColumn<int>("signal");
        QTest::addRow("kill") << SIGKILL;
        QTest::addRow("ctrl-c") << SIGINT;
    }
    void killed_goesOnWithWhatWasFinished()
    {
        QFETCH(int, signal);
        const QString study = write("long.toml", kLong), out = folder_.filePath(QStringLiteral("killed%1").arg(signal));
        QProcess process;
        process.start(DRIFTLESS_EXECUTABLE, {"study", study, "--out", out, "--jobs", "1"});
        QVERIFY(process.waitForStarted());
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(out + "/runs/short.json"), 60'000);
        ::kill(static_cast<pid_t>(process.processId()), signal);
        QVERIFY(process.waitForFinished(60'000));
        QVERIFY(signal == SIGKILL ? process.exitStatus() == QProcess::CrashExit : process.exitCode() == 1);
        QVERIFY(!QFile::exists(out + "/result.json"));
        const Answer answer = ask({"study", study, "--out", out});
        QVERIFY2(answer.code == 0 && answer.json()["taken_over"].toInt() >= 1, answer.described().constData());
        QVERIFY(QFile::exists(out + "/result.json"));
    }

    void mistakes_areNamedWithTheirPlace_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("part");
        QTest::addRow("no run") << QByteArray("title = \"x\"\n") << QByteArray("has no run");
        QTest::addRow("unknown key") << QByteArray("[[run]]\nmodel = \"pendulum\"\nformulaton = \"ggl\"\n")
                                     << QByteArray("3:1: Unknown key");
        QTest::addRow("unknown model") << QByteArray("[[run]]\nmodel = \"pendulm\"\n")
                                       << QByteArray("did you mean \"pendulum\"");
        QTest::addRow("unknown formulation")
            << QByteArray("[[run]]\nmodel = \"pendulum\"\nformulation = \"gg\"\n") << QByteArray("run run-1");
        QTest::addRow("no such run") << QByteArray(
            "[[run]]\nmodel = \"pendulum\"\n[[claim]]\ntext = \"a\"\nruns = \"b\"\nmeasure = \"t\"\nis = 1\n")
                                     << QByteArray("There is no run \"b\"");
        QTest::addRow("two relations") << QByteArray(
            "[[run]]\nmodel = \"pendulum\"\n[[claim]]\ntext = \"a\"\nmeasure = \"t\"\nis = 1\nbelow = 2\n")
                                       << QByteArray("one relation");
        QTest::addRow("too wide") << QByteArray("[[run]]\nmodel = \"pendulum\"\nvary = { step = ["
                                                + QByteArray("1,").repeated(300) + "1], end = ["
                                                + QByteArray("1,").repeated(300) + "1] }\n")
                                  << QByteArray("too many runs");
        QTest::addRow("event does nothing")
            << QByteArray("[[run]]\nmodel = \"pendulum\"\nevent = [{ t = 1 }]\n") << QByteArray("does nothing");
        QTest::addRow("a path as a name") << QByteArray("[[run]]\nname = \"../x\"\nmodel = \"pendulum\"\n")
                                          << QByteArray("is no name here");
    }
    void mistakes_areNamedWithTheirPlace()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, part);
        const QString out = folder_.filePath("nothing");
        const Answer answer = ask({"study", write("bad.toml", text), "--out", out});
        VERIFY_SANE(answer);
        QVERIFY2(answer.code == 2 && answer.messages() == 1 && answer.out.isEmpty(), answer.described().constData());
        QVERIFY2(answer.err.contains(part), answer.described().constData());
        QVERIFY(!QFile::exists(out));
    }

    void aClaimThatFails_isSaid()
    {
        const QString study = write(
            "wrong.toml",
            "[[run]]\nmodel = \"pendulum\"\nend = 1\n[[claim]]\ntext = \"it flies\"\nmeasure = \"last(bob.y)\"\nabove = 5\n");
        const Answer answer = ask({"study", study, "--out", folder_.filePath("wrong")});
        QVERIFY2(answer.code == 1 && answer.json()["failed_claims"].toArray().size() == 1, answer.described().constData());
    }
};

QTEST_GUILESS_MAIN(TestStudy)
#include "test_study.moc"
