// needs: window
// The commands that draw, from outside: files of the right kind and size, whole or not at all. What is in the pictures is
// looked at by the tests of the window's rooms.
#include <QtTest>

#include <QDir>
#include <QProcess>
#include <QtEndian>

#include "tests/app/Driver.h"

using namespace driftless::testing;

namespace {

QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Width and height from the header chunk of a PNG; -1 x -1 if it is none.
QPair<int, int> pngSize(const QByteArray& bytes)
{
    if (!bytes.startsWith("\x89PNG\r\n\x1a\n") || bytes.size() < 24)
        return {-1, -1};
    return {static_cast<int>(qFromBigEndian<quint32>(bytes.constData() + 16)),
            static_cast<int>(qFromBigEndian<quint32>(bytes.constData() + 20))};
}

} // namespace

class TestPictures : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        if (!ask({"--help"}).out.contains("screenshot"))
            QSKIP("this build draws nothing");
    }

    void renderWritesAPictureOfTheSizeAskedFor()
    {
        const QString path = scratch("render.png");
        QFile::remove(path);
        const Answer answer = ask({"render", "pendulum", "--png", path, "--time", "0.5", "--size", "320x200"});
        VERIFY_SANE(answer);
        QVERIFY2(answer.code == 0 && answer.isJson(), answer.described().constData());
        QCOMPARE(number(answer.json(), "t"), 0.5);
        QCOMPARE(pngSize(contents(path)), (QPair<int, int>(320, 200)));
    }

    void renderStopsWhereTheRunStops()
    {
        const QString path = scratch("render-failed.png");
        const Answer answer = ask(QStringList{"render", "pendulum", "--png", path, "--time", "5", "--pivot", "x"} + case1());
        VERIFY_SANE(answer);
        QVERIFY2(answer.code == 1, answer.described().constData());
        QVERIFY(!QFile::exists(path));
    }

    void strobeDrawsThePositionsInOnePicture()
    {
        const QString path = scratch("strobe.png"), single = scratch("strobe-last.png");
        QFile::remove(path);
        const Answer answer =
            ask({"render", "pendulum", "--strobe", "6", "--from", "0", "--to", "2", "--png", path, "--size", "320x240"});
        VERIFY_SANE(answer);
        QVERIFY2(answer.code == 0 && answer.isJson(), answer.described().constData());
        QCOMPARE(pngSize(contents(path)), (QPair<int, int>(320, 240)));
        QVERIFY(ask({"render", "pendulum", "--time", "2", "--png", single, "--size", "320x240"}).code == 0);
        QVERIFY(contents(path) != contents(single));
        // The same command draws the same bytes.
        const QByteArray before = contents(path);
        QVERIFY(
            ask({"render", "pendulum", "--strobe", "6", "--from", "0", "--to", "2", "--png", path, "--size", "320x240"}).code
            == 0);
        QVERIFY(contents(path) == before);
    }

    void filmAndItsPicturesAreWritten()
    {
        const QString film = scratch("film.ogv"), folder = scratch("film-frames");
        QFile::remove(film);
        const Answer answer = ask({"render", "pendulum", "--video", film, "--to", "0.4", "--fps", "20", "--size", "170x100"});
        VERIFY_SANE(answer);
        QVERIFY2(answer.code == 0 && answer.isJson(), answer.described().constData());
        QCOMPARE(number(answer.json(), "pictures"), 9.0); // 0, 0.05, ..., 0.4
        QCOMPARE(number(answer.json(), "width"), 176.0);  // the nearest multiple of 16
        const QByteArray bytes = contents(film);
        QVERIFY(bytes.startsWith("OggS") && bytes.left(200).contains("theora"));
        QVERIFY2(ask({"render", "pendulum", "--frames", folder, "--to", "0.4", "--fps", "20", "--size", "170x100"}).code == 0,
                 "frames");
        QCOMPARE(QDir(folder).entryList({"frame-*.png"}).size(), 9);
        QCOMPARE(pngSize(contents(folder + "/frame-00009.png")), (QPair<int, int>(170, 100)));
        QVERIFY(contents(folder + "/frame-00001.png") != contents(folder + "/frame-00009.png"));
    }

    /// Of a longer film that was there before nothing is taken for a part of this one.
    void filmRefusesAFolderWithALongerOne()
    {
        const QString folder = scratch("frames-again");
        QDir(folder).removeRecursively();
        const auto film = [&](const char* fps) {
            return ask({"render", "pendulum", "--frames", folder, "--from", "0", "--to", "1", "--fps", fps, "--size", "64x64"});
        };
        QCOMPARE(film("10").code, 0);
        const QByteArray first = contents(folder + "/frame-00001.png");
        const Answer shorter = film("4");
        QCOMPARE(shorter.code, 2);
        QVERIFY2(shorter.err.contains("frame-00006.png"), shorter.described().constData());
        QCOMPARE(contents(folder + "/frame-00001.png"), first);
        QCOMPARE(film("10").code, 0); // the same film again
    }

    void whatHasNothingToDrawIsRefused()
    {
        const QString path = scratch("nothing.png");
        QFile::remove(path);
        const Answer answer = ask({"render", "robertson", "--png", path, "--time", "1"});
        VERIFY_SANE(answer);
        QCOMPARE(answer.code, 2);
        QVERIFY2(answer.err.contains("figure"), answer.described().constData());
        QVERIFY(!QFile::exists(path));
    }

    /// What was set beside the parameters, and that a run ended before the others; no sign of LaTeX's is left in plain text.
    void captionsSayWhatWasSetAndWhereRunsEnd()
    {
        const QString figure = scratch("set.svg"), caption = scratch("set.txt");
        const Answer answer = ask({"figure", "pendulum", "--run", "index-1:rk4:step=0.01", "--set", "bob.y'=-0.2", "--end", "1",
                                   "--to", "2", "--out", figure, "--caption", caption});
        QVERIFY2(answer.code == 0, answer.described().constData());
        const QString said = QString::fromUtf8(contents(caption));
        QVERIFY2(said.contains(QStringLiteral("bob.y' = −0.2 m/s at the start")), qPrintable(said));
        QVERIFY2(said.contains("ends at t = 1 s") && !said.contains('$'), qPrintable(said));
    }

    void interruptedFilmLeavesNothing()
    {
        const QString folder = scratch("interrupted");
        QDir(folder).removeRecursively();
        QVERIFY(QDir().mkpath(folder));
        QProcess film;
        film.start(DRIFTLESS_EXECUTABLE,
                   {"render", "pendulum", "--video", folder + "/long.ogv", "--to", "9", "--fps", "240", "--size", "640x480"});
        QVERIFY(film.waitForStarted());
        // The film has begun beside its name, and pictures are in it.
        const auto written = [&folder] {
            const auto parts = QDir(folder).entryInfoList({".long.*.part*"}, QDir::Files | QDir::Hidden);
            return parts.isEmpty() ? 0 : parts.first().size();
        };
        QTRY_VERIFY_WITH_TIMEOUT(written() > 8192, 20000);
        film.terminate();
        QVERIFY(film.waitForFinished(20000));
        QCOMPARE(film.exitStatus(), QProcess::NormalExit);
        QCOMPARE(film.exitCode(), 2);
        QVERIFY(film.readAllStandardError().contains("Interrupted"));
        QVERIFY(QDir(folder).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot));
    }

    void pictureOptionsThatContradictAreRefused()
    {
        const QString png = scratch("no.png"), film = scratch("no.mp4");
        const QList<QStringList> wrong{
            {"render", "pendulum"},
            {"render", "pendulum", "--png", png, "--video", scratch("no.ogv")},
            {"render", "pendulum", "--video", film},
            {"render", "pendulum", "--png", png, "--strobe", "5", "--time", "2"},
            {"render", "pendulum", "--png", png, "--strobe", "5", "--from", "2", "--to", "1"},
            {"render", "pendulum", "--png", png, "--from", "1"},
            {"render", "pendulum", "--frames", scratch("no-frames"), "--to", "1e9", "--fps", "240"},
            {"figure", "pendulum", "--run", "index-1:rk4", "--out", png, "--size", "tiny"},
            {"figure", "pendulum", "--run", "index-1:rk4", "--out", png, "--panel", "nonsense"},
            {"figure", "pendulum", "--run", "index-1:rk4", "--out", png, "--panel", "quantity=absent"},
            {"figure", "pendulum", "--run", "index-1:rk4", "--out", png, "--caption", scratch("no.doc")}};
        for (const QStringList& arguments : wrong) {
            const Answer answer = ask(arguments);
            VERIFY_SANE(answer);
            QVERIFY2(answer.code == 2, answer.described().constData());
            QVERIFY(!QFile::exists(png) && !QFile::exists(film));
        }
    }

    void screenshotShowsTheWindow_data()
    {
        QTest::addColumn<QString>("theme");
        QTest::newRow("light") << "light";
        QTest::newRow("dark") << "dark";
    }
    void screenshotShowsTheWindow()
    {
        QFETCH(QString, theme);
        const QString path = scratch("window-" + theme + ".png");
        QFile::remove(path);
        const Answer answer = ask({"screenshot", "--png", path, "--time", "2", "--size", "1280x720", "--theme", theme});
        VERIFY_SANE(answer);
        QVERIFY2(answer.code == 0, answer.described().constData());
        QCOMPARE(pngSize(contents(path)), (QPair<int, int>(1280, 720)));
    }

    void screenshotOpensThePageThatHelpNames()
    {
        for (const QString& page :
             {QStringLiteral("structure"), QStringLiteral("workspace_build"), QStringLiteral("workspace_linear")}) {
            const QString path = scratch("page-" + page + ".png");
            QFile::remove(path);
            const Answer answer = ask({"screenshot", "pendulum", "--png", path, "--time", "1", "--page", page});
            VERIFY_SANE(answer);
            QVERIFY2(answer.code == 0 && QFile::exists(path), answer.described().constData());
        }
    }

    void figureNamesEveryRunInEveryFormat()
    {
        QStringList files;
        for (const char* ending : {"png", "svg", "pdf", "md", "csv"}) {
            files << scratch(QStringLiteral("figure.") + ending);
            QFile::remove(files.last());
        }
        const Answer answer = ask({"figure", "pendulum", "--end", "5", "--run", "dummy-derivatives:ida:rtol=1e-8", "--run",
                                   "index-1:rk4:step=0.2", "--out", files[0], "--out", files[1], "--out", files[2], "--table",
                                   files[3], "--table", files[4]});
        VERIFY_SANE(answer);
        QVERIFY2(answer.code == 0, answer.described().constData());
        QCOMPARE(answer.json()["runs"].toArray().size(), 2);
        QVERIFY(pngSize(contents(files[0])).first > 0);
        for (const char* text : {"dummy-derivatives", "index-1", "rk4", "0.2"})
            QVERIFY2(contents(files[1]).contains(text), text);
        QVERIFY(contents(files[2]).startsWith("%PDF-"));
        QCOMPARE(contents(files[3]).trimmed().split('\n').size(), 2 + 2); // head, rule, runs
        QCOMPARE(contents(files[4]).trimmed().split('\n').size(), 1 + 2);
    }

    void sameFigureTwiceIsTheSameBytes()
    {
        QList<QByteArray> files[2];
        for (auto& bytes : files) {
            QStringList arguments{"figure",  "pendulum",
                                  "--end",   "3",
                                  "--run",   "dummy-derivatives:ida:rtol=1e-8",
                                  "--run",   "index-1:rk4:step=0.2",
                                  "--font",  "serif",
                                  "--size",  "column",
                                  "--panel", "residuals",
                                  "--panel", "phase=x,y",
                                  "--panel", "pivots"};
            QStringList paths;
            for (const char* ending : {"svg", "pdf", "png"})
                paths << scratch(QStringLiteral("again.") + ending);
            for (const QString& path : paths)
                arguments << "--out" << path;
            const Answer answer = ask(arguments << "--caption" << scratch("again.tex"));
            QVERIFY2(answer.code == 0, answer.described().constData());
            for (const QString& path : paths << scratch("again.tex"))
                bytes << contents(path);
        }
        QVERIFY(files[0][3].contains("\\includegraphics[width=85mm]{again}"));
        for (int i = 0; i < 4; ++i)
            QVERIFY2(files[0][i].size() > 100 && files[0][i] == files[1][i], QByteArray::number(i).constData());
    }

    void refusedRunLeavesNoFigure()
    {
        const QString path = scratch("figure-refused.svg");
        const Answer answer =
            ask({"figure", "pendulum", "--run", "index-1:rk4:step=0.2", "--run", "index-3:rk4:step=0.2", "--out", path});
        VERIFY_SANE(answer);
        QVERIFY2(answer.code == 2 && answer.messages() == 1, answer.described().constData());
        QVERIFY(!QFile::exists(path));
    }
};

QTEST_GUILESS_MAIN(TestPictures)
#include "test_pictures.moc"
