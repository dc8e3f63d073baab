// needs: window
// Every command that writes a file, on a disk that takes no more at a random place: exit code 2, one message, the good older
// file as it was, and nothing beside it.
#include <QtTest>

#include <QDir>
#include <QFileInfo>
#include <QTemporaryDir>

#include <filesystem>
#include <random>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/app/Driver.h"

using namespace driftless::testing;

namespace {

constexpr int kHang = 300'000;
const QByteArray kOlder = "a good older file";

QByteArray bytes(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void put(const QString& path, const QByteArray& content)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("cannot write %s", qPrintable(path));
}

/// Files of at most so many bytes can be written, as if the disk were full from there on.
Answer askWithin(const QStringList& arguments, rlim_t most)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("QT_QPA_PLATFORM", "offscreen");
    environment.insert("MESA_SHADER_CACHE_DISABLE", "true"); // a file of another program's
    process.setProcessEnvironment(environment);
    process.setChildProcessModifier([most] {
        const rlimit limit{most, most};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    });
    process.start(DRIFTLESS_EXECUTABLE, arguments);
    Answer answer;
    if (!process.waitForFinished(kHang)) {
        process.kill();
        process.waitForFinished();
        return answer;
    }
    answer.finished = process.exitStatus() == QProcess::NormalExit;
    answer.code = process.exitCode();
    answer.out = process.readAllStandardOutput();
    answer.err = process.readAllStandardError();
    return answer;
}

} // namespace

class TestDiskFull : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    bool draws_ = false;

    QString at(const QString& name) const { return folder_.filePath(name); }

private slots:
    void initTestCase() { draws_ = ask({"--help"}).out.contains("screenshot"); }
    void cleanupTestCase() { std::filesystem::remove_all(folder_.path().toStdString()); }
    void init()
    {
        std::filesystem::remove_all(folder_.path().toStdString()); // Qt does not see every name
        QVERIFY(QDir().mkpath(folder_.path()));
    }

    void writers_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("file");
        QTest::addColumn<bool>("drawing");
        const QStringList figure{"figure", "pendulum", "--end", "1", "--run", "index-1:rk4:step=0.05"};
        QTest::newRow("table of a run") << QStringList{"run", "pendulum", "--end", "1", "--csv"} << "steps.csv" << false;
        for (const char* ending : {"png", "svg", "pdf"})
            QTest::newRow(qPrintable(QString("figure %1").arg(ending)))
                << figure + QStringList{"--out"} << QString("f.%1").arg(ending) << true;
        for (const char* ending : {"md", "csv"})
            QTest::newRow(qPrintable(QString("table %1").arg(ending)))
                << figure + QStringList{"--table"} << QString("t.%1").arg(ending) << true;
        for (const char* ending : {"txt", "tex"})
            QTest::newRow(qPrintable(QString("caption %1").arg(ending)))
                << figure + QStringList{"--table", "/dev/null/x.md", "--caption"} << QString("c.%1").arg(ending) << true;
        QTest::newRow("picture") << QStringList{"render", "pendulum", "--size", "160x120", "--png"} << "p.png" << true;
        QTest::newRow("strobe") << QStringList{"render", "pendulum", "--size", "160x120", "--strobe", "3",
                                               "--from", "0",        "--to",   "1",       "--png"}
                                << "s.png" << true;
        QTest::newRow("film") << QStringList{"render", "pendulum", "--size", "160x128", "--from", "0",
                                             "--to",   "1",        "--fps",  "10",      "--video"}
                              << "v.ogv" << true;
        QTest::newRow("hand-out") << QStringList{"lesson", "what-is-a-dae", "--pdf"} << "h.pdf" << true;
        QTest::newRow("screenshot") << QStringList{"screenshot", "pendulum", "--time", "0.1", "--size", "1000x600", "--png"}
                                    << "w.png" << true;
    }
    void writers()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, file);
        QFETCH(bool, drawing);
        if (drawing && !draws_)
            QSKIP("this build draws nothing");
        arguments.replaceInStrings("/dev/null/x.md", at("beside.md"));
        static std::mt19937_64 random(31);
        const QString path = at(file);
        QStringList good = arguments;
        const Answer whole = ask(good << path);
        VERIFY_SANE(whole);
        QCOMPARE(whole.code, 0);
        const qint64 size = QFileInfo(path).size();
        QVERIFY(size > 0);
        QFile::remove(at("beside.md"));
        for (const rlim_t most :
             {rlim_t(0), static_cast<rlim_t>(random() % static_cast<std::uint64_t>(size)), static_cast<rlim_t>(size - 1)}) {
            put(path, kOlder);
            const Answer answer = askWithin(good, most);
            VERIFY_SANE(answer);
            const QByteArray where = answer.described() + "\nat byte " + QByteArray::number(static_cast<qulonglong>(most))
                                     + " of " + QByteArray::number(size);
            QVERIFY2(answer.code == 2, where);
            QVERIFY2(answer.messages() == 1, where);
            QVERIFY2(bytes(path) == kOlder, where);
            QFile::remove(at("beside.md"));
            QVERIFY2(QDir(folder_.path()).entryList(QDir::Files | QDir::Hidden) == QStringList{file}, where);
            // What was computed is told all the same.
            QVERIFY2(arguments.first() != "run" || answer.json().contains("state"), where);
        }
    }

    /// A run for a table that cannot be finished does not go on to its end.
    void aFullDiskStopsTheRun()
    {
        const Answer answer = askWithin({"run", "pendulum", "--formulation", "index-1", "--integrator", "rk4", "--step", "1e-4",
                                         "--end", "1000", "--csv", at("x.csv")},
                                        1 << 20);
        VERIFY_SANE(answer);
        QCOMPARE(answer.code, 2);
        QCOMPARE(answer.json()["status"].toString(), QString("stopped"));
        const double t = number(answer.json(), "t");
        QVERIFY2(t > 0 && t < 10, answer.described().constData());
        QVERIFY(answer.json()["diagnostic"].toObject()["where"].toString().contains("x.csv"));
        QVERIFY(QDir(folder_.path()).isEmpty());
    }

    void aTableIsWrittenThroughALink()
    {
        QVERIFY(QDir().mkpath(at("elsewhere")));
        put(at("elsewhere/steps.csv"), kOlder);
        QVERIFY(::chmod(at("elsewhere/steps.csv").toUtf8().constData(), 0640) == 0);
        QVERIFY(QFile::link("elsewhere/steps.csv", at("link.csv")));
        const Answer answer = ask({"run", "pendulum", "--end", "0.1", "--csv", at("link.csv")});
        QCOMPARE(answer.code, 0);
        QVERIFY(QFileInfo(at("link.csv")).isSymLink());
        QVERIFY(bytes(at("elsewhere/steps.csv")).startsWith("t,"));
        struct stat now = {};
        QVERIFY(::stat(at("elsewhere/steps.csv").toUtf8().constData(), &now) == 0);
        QCOMPARE(now.st_mode & 0777, mode_t(0640));
    }

    void aStudyOnAFullDiskGoesOnLater()
    {
        put(at("two.toml"), "title = \"T\"\nsummary = \"S\"\n[default]\nmodel = \"pendulum\"\nformulation = "
                            "\"index-1\"\nintegrator = \"rk4\"\nend = 1\n"
                            "[[run]]\nname = \"a\"\nvary = { step = [0.1, 0.05, 0.01] }\n[[table]]\nname = \"t\"\ncolumn = [{ "
                            "title = \"n\", measure = \"steps\" }]\n");
        const QStringList arguments{"study", at("two.toml"), "--no-figures", "--jobs", "2", "--out"};
        QCOMPARE(ask(arguments + QStringList{at("good")}).code, 0);
        for (const rlim_t most : {rlim_t(0), rlim_t(300), rlim_t(3000), rlim_t(8000)}) {
            const Answer answer = askWithin(arguments + QStringList{at("full")}, most);
            VERIFY_SANE(answer);
            QVERIFY2(answer.code == 2 && answer.messages() == 1, answer.described().constData());
        }
        const Answer later = ask(arguments + QStringList{at("full")});
        QVERIFY2(later.code == 0, later.described().constData());
        for (const char* name : {"tables/t.csv", "runs/a-step=0.01.csv"})
            QVERIFY2(bytes(at("full/" + QString(name))) == bytes(at("good/" + QString(name)))
                         && !bytes(at("good/" + QString(name))).isEmpty(),
                     name);
    }

    void aFolderThatCannotBeMadeIsNamedWithItsReason()
    {
        put(at("file"), "x");
        for (const QString& out : {at("file"), at("file/study"), QString("/proc/study")}) {
            const Answer answer = ask({"study", "dn-drift", "--no-figures", "--out", out});
            VERIFY_SANE(answer);
            QVERIFY2(answer.code == 2 && answer.messages() == 1 && answer.err.contains(out.toUtf8()),
                     answer.described().constData());
        }
        if (::geteuid() == 0)
            return; // an administrator writes everywhere
        QVERIFY(QDir().mkpath(at("closed")));
        QVERIFY(::chmod(at("closed").toUtf8().constData(), 0555) == 0);
        const Answer answer = ask({"study", "dn-drift", "--no-figures", "--out", at("closed")});
        QVERIFY2(answer.code == 2 && answer.err.contains("ermission"), answer.described().constData());
    }

    /// Paths are bytes: a name that is not UTF-8 is a name.
    void namesThatAreNotUtf8_data()
    {
        QTest::addColumn<QByteArray>("command");
        QTest::addColumn<bool>("drawing");
        QTest::newRow("run") << QByteArray("run \"$f.toml\" --end 0.1 --csv \"$f.csv\"") << false;
        QTest::newRow("study") << QByteArray("study dn-drift --shard 1/1000 --no-figures --out \"$f\"") << false;
        QTest::newRow("figure") << QByteArray(
            "figure \"$f.toml\" --end 0.1 --run index-1:rk4:step=0.05 --out \"$f.svg\" --caption \"$f.txt\" --table \"$f.md\"")
                                << true;
        QTest::newRow("lesson") << QByteArray("lesson what-is-a-dae --pdf \"$f.pdf\"") << true;
        QTest::newRow("screenshot") << QByteArray("screenshot \"$f.toml\" --time 0.1 --png \"$f.png\"") << true;
        QTest::newRow("render") << QByteArray("render \"$f.toml\" --png \"$f.png\"") << true;
    }
    void namesThatAreNotUtf8()
    {
        QFETCH(QByteArray, command);
        QFETCH(bool, drawing);
        if (drawing && !draws_)
            QSKIP("this build draws nothing");
        QProcess process;
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.setWorkingDirectory(folder_.path());
        process.start("/bin/sh",
                      {"-c", "f=$(printf 'caf\\351'); cp \"$1\" \"$f.toml\"; \"$2\" " + command + " && ls -d \"$f\"* | wc -l",
                       "sh", QStringLiteral(DRIFTLESS_SOURCE_DIR) + "/resources/models/pendulum.toml", DRIFTLESS_EXECUTABLE});
        QVERIFY(process.waitForFinished(kHang));
        const QByteArray said = process.readAll();
        QVERIFY2(process.exitCode() == 0, said.constData());
        const int made = 1 + command.count("--out") + command.count("--csv") + command.count("--caption")
                         + command.count("--table") + command.count("--pdf") + command.count("--png");
        QVERIFY2(said.trimmed().endsWith(QByteArray::number(made)), said.constData());
    }
};

QTEST_GUILESS_MAIN(TestDiskFull)
#include "test_disk_full.moc"
