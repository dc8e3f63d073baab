// Bad input from the outside: broken model files, broken sessions, hostile command lines. Each gets one clear message and exit
// code 2; nothing hangs, crashes or is written.
#include <QtTest>

#include <QDir>
#include <QFileInfo>

#include <unistd.h>

#include "tests/app/Driver.h"

using namespace driftless::testing;

namespace {

/// Long enough for a sanitized build on a busy machine; only a hang takes it.
constexpr int kHang = 60'000;

QString writeFile(const QString& name, const QByteArray& bytes)
{
    const QString path = scratch(name);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("cannot write %s", qPrintable(path));
    return path;
}

QByteArray pendulumText()
{
    QFile file(QStringLiteral(DRIFTLESS_SOURCE_DIR) + "/resources/models/pendulum.toml");
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void verifyRejected(const Answer& answer)
{
    VERIFY_SANE(answer);
    QVERIFY2(answer.code == 2, answer.described().constData());
    // A refusal is JSON; everything else leaves standard output alone.
    QVERIFY2(answer.out.isEmpty() || answer.json()["status"].toString() == "refused", answer.described().constData());
    QVERIFY2(answer.messages() == 1, answer.described().constData());
    QVERIFY2(answer.err.size() < 2000, "the message is longer than anyone reads");
}

} // namespace

class TestHostile : public QObject {
    Q_OBJECT

private slots:
    void brokenModel_data()
    {
        QTest::addColumn<QString>("path");
        const QDir folder(QStringLiteral(DRIFTLESS_SOURCE_DIR) + "/tests/mechanism/bad");
        for (const QFileInfo& file : folder.entryInfoList(QDir::Files))
            QTest::newRow(qPrintable(file.fileName())) << file.absoluteFilePath();
    }
    void brokenModel()
    {
        QFETCH(QString, path);
        const Answer answer = ask({"run", path, "--end", "0.01"}, kHang);
        verifyRejected(answer);
        QVERIFY2(answer.err.contains(QFileInfo(path).fileName().toUtf8()), answer.described().constData());
    }

    void brokenModelsAreAHundred()
    {
        const QDir folder(QStringLiteral(DRIFTLESS_SOURCE_DIR) + "/tests/mechanism/bad");
        QVERIFY(folder.entryList(QDir::Files).size() >= 90); // ten more are made below
    }

    void madeUpModel_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        const QByteArray good = pendulumText();
        QVERIFY(!good.isEmpty());
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("zeros") << QByteArray(4096, '\0');
        QTest::newRow("binary") << QByteArray("\x7f"
                                              "ELF\xff\xfe\x00\x01\x80\x81",
                                              10)
                                       .repeated(50);
        QTest::newRow("nested arrays") << "a = " + QByteArray(100'000, '[');
        QTest::newRow("nested tables") << "a = " + QByteArray("{b=").repeated(100'000);
        QTest::newRow("dotted key") << QByteArray("a.").repeated(100'000) + "b = 1";
        QTest::newRow("long number") << "format = " + QByteArray(1'000'000, '9');
        QTest::newRow("deep expression") << good + "\n[[force]]\nkind = \"expression\"\nbody = \"bob\"\nfx = \""
                                                + QByteArray(1'000'000, '(') + "\"\n";
        QTest::newRow("cut in the middle") << good.left(good.size() / 2) + "\nx = ";
        QTest::newRow("twice") << good + good;
        QTest::newRow("no newline, only brackets") << QByteArray("[[[[");
        QTest::newRow("utf-16") << QByteArray("\xff\xfe"
                                              "f\0o\0r\0m\0a\0t\0",
                                              14);
    }
    void madeUpModel()
    {
        QFETCH(QByteArray, bytes);
        const QString path = writeFile("hostile.toml", bytes);
        const Answer answer = ask({"run", path, "--end", "0.01"}, kHang);
        verifyRejected(answer);
        QVERIFY2(answer.err.contains("hostile.toml"), answer.described().constData());
    }

    void gigabyteFileIsNotRead()
    {
        const QString path = scratch("gigabyte.toml");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.resize(1LL << 30)); // sparse: costs no space
        file.close();
        const Answer answer = ask({"run", path}, kHang);
        QFile::remove(path);
        verifyRejected(answer);
    }

    void brokenSession_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("not json") << QByteArray("format = 1");
        QTest::newRow("array") << QByteArray("[]");
        QTest::newRow("empty object") << QByteArray("{}");
        QTest::newRow("wrong types") << QByteArray(R"({"format":"x","model":7,"start":[],"log":{}})");
        QTest::newRow("nested") << QByteArray(1'000'000, '[');
        QTest::newRow("huge number") << QByteArray(R"({"format":1e999999})");
        QTest::newRow("binary") << QByteArray("\x80\x81\x00\xff", 4).repeated(1000);
    }
    void brokenSession()
    {
        QFETCH(QByteArray, bytes);
        const QString path = writeFile("hostile-session.json", bytes);
        verifyRejected(ask({"run", "pendulum", "--replay", path}, kHang));
    }

    void commandLine_data()
    {
        QTest::addColumn<QStringList>("arguments");
        const auto run = [](const QString& name, const QStringList& rest) {
            QTest::newRow(qPrintable(name)) << QStringList{"run", "pendulum"} + rest;
        };
        QTest::newRow("run nothing") << QStringList{"run"};
        QTest::newRow("unknown model") << QStringList{"run", "pendulumm"};
        QTest::newRow("empty model") << QStringList{"run", ""};
        QTest::newRow("folder as model") << QStringList{"run", QStringLiteral(DRIFTLESS_SOURCE_DIR)};
        QTest::newRow("endless device as model") << QStringList{"run", "/dev/zero"};
        QTest::newRow("null device as model") << QStringList{"run", "/dev/null"};
        QTest::newRow("path out of the resources") << QStringList{"run", "../../../../etc/passwd"};
        QTest::newRow("long name") << QStringList{"run", QString(100'000, 'a')};
        QTest::newRow("control characters") << QStringList{"run", "pen\x1b[31mdulum"};
        QTest::newRow("two models") << QStringList{"run", "pendulum", "circle"};
        QTest::newRow("unknown list") << QStringList{"list", "planets"};
        QTest::newRow("list nothing") << QStringList{"list"};
        QTest::newRow("unknown format") << QStringList{"equations", "pendulum", "--format", "pdf"};
        QTest::newRow("equations of nothing") << QStringList{"equations"};
        QTest::newRow("unknown option") << QStringList{"run", "pendulum", "--frobnicate"};
        QTest::newRow("later command") << QStringList{"run", "pendulum", "--analyze"};
        run("unknown formulation", {"--formulation", "index-7"});
        run("empty formulation", {"--formulation", ""});
        run("unknown integrator", {"--integrator", "eulerian"});
        run("step nan", {"--integrator", "rk4", "--formulation", "index-1", "--step", "nan"});
        run("step zero", {"--integrator", "rk4", "--formulation", "index-1", "--step", "0"});
        run("step negative", {"--integrator", "rk4", "--formulation", "index-1", "--step=-1"});
        run("step word", {"--step", "small"});
        run("step empty", {"--step", ""});
        run("rtol negative", {"--rtol=-1"});
        run("rtol beyond range", {"--rtol", "1e400"});
        run("atol infinite", {"--atol", "inf"});
        run("end infinite", {"--end", "inf"});
        run("end nan", {"--end", "nan"});
        run("end negative", {"--end=-1"});
        run("end divides by zero", {"--end", "1/0"});
        run("set without value", {"--set", "L"});
        run("set without name", {"--set", "=1"});
        run("set empty", {"--set", ""});
        run("set empty value", {"--set", "L="});
        run("set nan", {"--set", "L=nan"});
        run("set infinite", {"--set", "L=1e999"});
        run("set unknown", {"--set", "nosuch=1"});
        run("set negative length", {"--set", "L=-1"});
        run("set massless", {"--set", "m=0"});
        run("set word", {"--set", "L=long"});
        run("set off the circle", {"--set", "x=3", "--set", "y=3"});
        run("set parentheses", {"--set", "L=" + QString(100'000, '(')});
        run("set unary minus", {"--set", "L=" + QString(100'000, '-') + "1"});
        run("set tower", {"--set", "L=9^9^9^9^9^9"});
        run("pivot unknown", {"--formulation", "dummy-derivatives", "--pivot", "z"});
        run("pivot too many", {"--formulation", "dummy-derivatives", "--pivot", "x,y"});
        run("pivot empty", {"--formulation", "dummy-derivatives", "--pivot", ""});
        run("pivot parameter", {"--formulation", "dummy-derivatives", "--pivot", "L"});
        run("samples negative", {"--samples=-1"});
        run("samples too many", {"--samples", "2000000000"});
        run("samples beyond integers", {"--samples", "99999999999999999999"});
        run("csv to a device", {"--csv", "/dev/null"});
        run("csv to a folder", {"--csv", QStringLiteral(DRIFTLESS_SCRATCH_DIR)});
        run("csv to no folder", {"--csv", scratch("no/such/folder/x.csv")});
        run("replay nothing", {"--replay", scratch("no-such-session.json")});
        run("replay a folder", {"--replay", QStringLiteral(DRIFTLESS_SCRATCH_DIR)});
        run("replay a device", {"--replay", "/dev/zero"});
        run("replay with settings", {"--replay", scratch("no-such-session.json"), "--end", "3"});
        run("explicit on index 2", {"--formulation", "index-2", "--integrator", "dormand-prince"});
        QTest::newRow("render to a device") << QStringList{"render", "pendulum", "--png", "/dev/full"};
        QTest::newRow("render too large") << QStringList{"render",         "pendulum", "--png",
                                                         scratch("x.png"), "--size",   "99999x99999"};
        QTest::newRow("render no size") << QStringList{"render", "pendulum", "--png", scratch("x.png"), "--size", "wide"};
        QTest::newRow("figure of nothing") << QStringList{"figure", "pendulum", "--out", scratch("x.png")};
    }
    void commandLine()
    {
        QFETCH(QStringList, arguments);
        verifyRejected(ask(arguments, kHang));
        QVERIFY(!QFile::exists(scratch("x.png")));
    }

    void unwritableOutputIsReported_data()
    {
        QTest::addColumn<QStringList>("arguments");
        const QStringList all[] = {{"list", "models", "--json"},
                                   {"list", "integrators"},
                                   {"--version"},
                                   {"--help"},
                                   {"run", "--help"},
                                   {"tableau", "rk4"},
                                   {"run", "pendulum", "--end", "0.1"},
                                   {"equations", "pendulum"},
                                   {"start", "pendulum"},
                                   {"analyze", "pendulum"},
                                   {"run", "pendulum", "--formulation", "index-3", "--integrator", "rk4", "--step", "0.1"},
                                   {"study", "dn-drift", "--out", scratch("full-study"), "--shard", "1/1000", "--no-figures"}};
        for (const QStringList& arguments : all)
            QTest::newRow(qPrintable(arguments.join(' ').left(50))) << arguments;
    }
    /// /dev/full accepts nothing: a result that nobody can read is not a success.
    void unwritableOutputIsReported()
    {
        QFETCH(QStringList, arguments);
        QProcess process;
        process.setStandardOutputFile("/dev/full");
        process.start(DRIFTLESS_EXECUTABLE, arguments);
        QVERIFY(process.waitForFinished(kHang));
        QVERIFY(process.exitStatus() == QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 2);
        QVERIFY(!process.readAllStandardError().isEmpty());
    }

    /// The next file that is opened does not take the place of a closed standard output.
    void closedOutputIsNotTheNextFile()
    {
        const QString csv = scratch("closed-output.csv");
        QProcess process;
        process.setChildProcessModifier([] { ::close(STDOUT_FILENO); });
        process.start(DRIFTLESS_EXECUTABLE, {"run", "pendulum", "--end", "0.1", "--csv", csv});
        QVERIFY(process.waitForFinished(kHang));
        QCOMPARE(process.exitCode(), 2);
        QFile file(csv);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray bytes = file.readAll();
        QVERIFY(bytes.startsWith("t,") && !bytes.contains('{'));
    }

    /// What is echoed of a request does not reach the terminal as more than a line of letters.
    void messagesAreLetters_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("escape") << QByteArray("\x1b]0;title\x07\x1b[2J");
        QTest::newRow("lines") << QByteArray("a\r\nb\n");
        QTest::newRow("second set of controls") << QByteArray("\xc2\x9b"
                                                              "2J");
        QTest::newRow("no UTF-8") << QByteArray("\x9b\xff\xfe"
                                                "2J");
        QTest::newRow("turned around") << QByteArray("\xe2\x80\xae"
                                                     "desrever");
    }
    void messagesAreLetters()
    {
        QFETCH(QByteArray, text);
        // Arguments go through the shell as they are: QProcess would make UTF-8 of them.
        const QString script = writeFile("echo.sh", "for a in \"$2\" --\"$2\"; do \"$1\" run \"$a\"; \"$1\" list \"$a\"; "
                                                    "\"$1\" run pendulum \"$a\" --set \"$a\" --csv \"$a/x\"; "
                                                    "\"$1\" run pendulum --integrator \"$a\"; done; exit 0\n");
        const QString file = writeFile("echo.txt", text + "x");
        QProcess process;
        process.start("/bin/sh", {"-c", "text=$(cat \"$3\"); exec /bin/sh \"$1\" \"$2\" \"${text%x}\"", "sh", script,
                                  DRIFTLESS_EXECUTABLE, file});
        QVERIFY(process.waitForFinished(kHang));
        const QByteArray said = process.readAllStandardError();
        QVERIFY(said.count("driftless: ") == 8);
        QCOMPARE(said.count('\n'), 8);
        const QString words = QString::fromUtf8(said);
        QVERIFY2(words.toUtf8() == said, said.toHex().constData()); // UTF-8 throughout
        for (const QChar c : words)
            QVERIFY2(c == '\n' || (c.isPrint() && c.unicode() != 0x202e), said.toHex().constData());
    }
};

QTEST_GUILESS_MAIN(TestHostile)
#include "test_hostile.moc"
