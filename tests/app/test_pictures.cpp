// The commands that draw, from outside: files of the right kind and size, whole or not at all. What is in the pictures is looked at
// by the tests of the window's rooms.
#include <QtTest>

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
    return {static_cast<int>(qFromBigEndian<quint32>(bytes.constData() + 16)), static_cast<int>(qFromBigEndian<quint32>(bytes.constData() + 20))};
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

    void figureNamesEveryRunInEveryFormat()
    {
        QStringList files;
        for (const char* ending : {"png", "svg", "pdf", "md", "csv"}) {
            files << scratch(QStringLiteral("figure.") + ending);
            QFile::remove(files.last());
        }
        const Answer answer = ask({"figure", "pendulum", "--end", "5", "--run", "dummy-derivatives:ida:rtol=1e-8", "--run", "index-1:rk4:step=0.2",
                                   "--out", files[0], "--out", files[1], "--out", files[2], "--table", files[3], "--table", files[4]});
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

    void refusedRunLeavesNoFigure()
    {
        const QString path = scratch("figure-refused.svg");
        const Answer answer = ask({"figure", "pendulum", "--run", "index-1:rk4:step=0.2", "--run", "index-3:rk4:step=0.2", "--out", path});
        VERIFY_SANE(answer);
        QVERIFY2(answer.code == 2 && answer.messages() == 1, answer.described().constData());
        QVERIFY(!QFile::exists(path));
    }
};

QTEST_GUILESS_MAIN(TestPictures)
#include "test_pictures.moc"
