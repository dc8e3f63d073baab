// page: the file holds the numbers of the recording, to the last bit, and says of what it is; what cannot be a page is refused
// and leaves no file. How it looks and what it does in a browser is looked at in tests/install/page.py.
#include <QtTest>

#include <cmath>
#include <map>

#include "tests/app/Driver.h"
#include "tests/support/Draw.h"
#include "tests/support/PageData.h"

using namespace driftless::testing;

namespace {

QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// The rows of a table of `run --csv` by their times, one column.
std::map<double, double> columnOf(const QString& path, const QByteArray& name)
{
    std::map<double, double> out;
    const QList<QByteArray> lines = contents(path).split('\n');
    const auto place = lines.front().split(',').indexOf(name);
    for (const QByteArray& line : lines.mid(1))
        if (const auto cells = line.split(','); place > 0 && cells.size() > place)
            out[cells[0].toDouble()] = cells[place].toDouble();
    return out;
}

} // namespace

class TestPages : public QObject {
    Q_OBJECT

private slots:
    void numbersOfAPage_areTheRecordings()
    {
        const QStringList method{"--formulation", "index-1", "--integrator", "rk4", "--step", "0.1", "--end", "4"};
        const QString page = scratch("numbers.html"), table = scratch("numbers.csv");
        const Answer made = ask(QStringList{"page", "pendulum", "--out", page} + method);
        VERIFY_SANE(made);
        QVERIFY2(made.code == 0, made.described());
        QVERIFY(ask(QStringList{"run", "pendulum", "--csv", table} + method).code == 0);
        const QJsonObject run = pageData(page)["runs"].toArray()[0].toObject();
        const auto times = pageColumn(run, "t");
        QCOMPARE(times.size(), std::size_t(41));
        for (const char* name : {"bob.x", "bob.y'", "rod.lambda", "residual.position", "energy_error"}) {
            const auto values = pageColumn(run, name);
            const auto rows = columnOf(table, name);
            QCOMPARE(values.size(), times.size());
            for (std::size_t k = 0; k < times.size(); ++k)
                QVERIFY2(rows.contains(times[k]) && rows.at(times[k]) == values[k], name); // the same bits: nothing is rounded
        }
        QVERIFY(!contents(page).contains("src=") && !contents(page).contains("@import")); // nothing is fetched
    }

    /// A bar that turns by theta between two pictures: a line between them misses its end by what the chord of theta does.
    void linesBetweenPictures_areTheMotion()
    {
        const std::uint64_t seed = driftless::test::seedOr(46);
        int lines = 0, apart = 0;
        for (int k = 0, count = driftless::test::countOr(12); k < count; ++k) {
            driftless::test::Draw draw(seed + static_cast<std::uint64_t>(k));
            const double rate = std::pow(10, draw.between(-0.5, 3)), end = std::pow(10, draw.between(0, 1.3));
            const QString model = scratch("spin.toml"), page = scratch("spin.html");
            QFile file(model);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(
                "format = 1\nname = \"spin\"\n[[body]]\nname = \"p\"\nkind = \"rigid\"\nmass = 1\ninertia = 1\nangle = { "
                "start = 0, velocity = "
                + QByteArray::number(rate, 'g', 17)
                + " }\nshape = { kind = \"bar\", from = [0, 0], to = [1, 0] }\n[[joint]]\nname = \"a\"\nkind = \"pin\"\n"
                  "from = \"ground\"\nto = \"p\"\n");
            file.close();
            const Answer made = ask({"page", model, "--formulation", "index-1", "--integrator", "dop853", "--rtol", "1e-8",
                                     "--end", QString::number(end), "--out", page});
            QVERIFY2(made.code == 0, made.described());
            const QJsonObject frames = pageData(page)["runs"].toArray()[0].toObject()["frames"].toObject();
            const double theta = rate * end / (frames["count"].toInt() - 1);
            const QByteArray told =
                "seed " + QByteArray::number(seed + static_cast<std::uint64_t>(k)) + ", theta " + QByteArray::number(theta);
            if (theta < 0.1) { // 1 - cos(0.05) is 0.00125, and the scene is 1 to 2 m large
                ++lines;
                QVERIFY2(frames["lines"].toBool(), told);
            } else if (theta > 0.5) { // 0.03
                ++apart;
                QVERIFY2(!frames["lines"].toBool(), told);
            }
        }
        QVERIFY(driftless::test::countOr(12) != 12 || (lines > 0 && apart > 0));
    }

    void aPageSaysWhatWasSet()
    {
        const QString page = scratch("set.html");
        const auto setOf = [&](const QStringList& arguments) {
            const Answer made = ask(QStringList{"page"} + arguments + QStringList{"--end", "0.5", "--out", page});
            QStringList out;
            for (const auto& text : pageData(page)["runs"].toArray()[0].toObject()["set"].toArray())
                out << text.toString();
            return made.code == 0 ? out : QStringList{made.described()};
        };
        QCOMPARE(setOf({"pendulum"}), QStringList());
        QCOMPARE(setOf({"pendulum", "--set", "L=2", "--set", "bob.y'=-0.2"}),
                 (QStringList{"L = 2 m", "bob.y' = -0.2 m/s at the start"}));
        QCOMPARE(setOf({"pendulum-chain", "--set", "N=8"}), QStringList()); // as the file has it
        QCOMPARE(setOf({"pendulum-chain", "--set", "N=3"}), QStringList{"N = 3"});
    }

    /// A claim with the value that the bench shows, or with another one.
    void aClaimThatDoesNotHold_isNamedAndIsAFailure()
    {
        const std::uint64_t seed = driftless::test::seedOr(48);
        for (int k = 0, count = driftless::test::countOr(8); k < count; ++k) {
            driftless::test::Draw draw(seed + static_cast<std::uint64_t>(k));
            const double length = draw.decimal(0.5, 2), off = draw.chance(0.5) ? 0 : draw.decimal(0.02, 0.4);
            const QString path = scratch("claimed.toml"), page = scratch("claimed.html");
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write("format = 1\nid = \"claimed\"\ntitle = \"Claimed\"\n[[step]]\ntitle = \"Watch\"\n"
                       "text = \"It starts far out.\"\n[step.setup]\nmodel = \"pendulum\"\nuntil = 1\nset = { L = "
                       + QByteArray::number(length) // the rod starts level: x is its length
                       + " }\n[[step.setup.run]]\nformulation = \"index-1\"\nintegrator = \"rk4\"\nstep = 0.1\n"
                         "[[step.claim]]\nsentence = \"far out\"\nmeasure = \"at(0, bob.x)\"\nwithin = 0.01\nnear = "
                       + QByteArray::number(length + (draw.chance(0.5) ? off : -off)) + "\n");
            file.close();
            QFile::remove(page);
            const Answer made = ask({"page", path, "--out", page}), checked = ask({"lesson", path, "--check"});
            VERIFY_SANE(made);
            VERIFY_SANE(checked);
            QVERIFY2(QFile::exists(page), made.described());
            QVERIFY2(made.code == (off > 0 ? 1 : 0), made.described());
            const QJsonArray failed = made.json()["failed_claims"].toArray();
            QCOMPARE(failed.size(), off > 0 ? 1 : 0);
            QCOMPARE(made.err.contains("a claim does not hold: far out"), off > 0);
            QVERIFY2(checked.code == 0 && checked.out.contains("A claim does not hold: far out") == (off > 0),
                     checked.described());
            if (off > 0)
                QVERIFY(failed[0].toObject()["text"].toString() == "far out" && failed[0].toObject()["step"].toInt() == 1);
        }
    }

    void aLessonsPage_hasItsStepsAndAsksForWhatIsMeasured()
    {
        const QString page = scratch("lesson.html");
        const Answer made = ask({"page", "lesson/projection", "--out", page});
        VERIFY_SANE(made);
        QVERIFY2(made.code == 0, made.described());
        QCOMPARE(made.json()["lesson"].toString(), QString("projection"));
        const QJsonObject data = pageData(page);
        const QJsonArray steps = data["steps"].toArray();
        QCOMPARE(steps.size(), made.json()["steps"].toInt());
        QVERIFY(contents(page).size() < 3'000'000); // what opens at once on a telephone
        int choices = 0;
        for (const auto& step : steps)
            for (const auto& option : step.toObject()["question"].toObject()["options"].toArray())
                choices += option.toObject()["right"].toBool();
        QCOMPARE(choices, 2); // one right option for each of its two choices
        double error[2] = {};
        for (int k = 0; k < 2; ++k) {
            const Answer run = ask({"run", "pendulum", "--formulation", "projection", "--integrator", "rk4", "--step",
                                    k ? "0.1" : "0.2", "--end", "40"});
            error[k] = number(run.json(), "energy_error");
        }
        const double asked = steps[1].toObject()["question"].toObject()["value"].toDouble();
        // The page measures at the row of t = 40, which `run` ends with: the same steps, the same quotient up to its rounding.
        QVERIFY2(std::abs(asked / (error[0] / error[1]) - 1) < 1e-12, QByteArray::number(asked, 'g', 17));
    }

    void somethingToTry_isALessonByItsNameAlone()
    {
        const Answer made = ask({"page", "try-pendulum", "--out", scratch("try.html")});
        VERIFY_SANE(made);
        QVERIFY2(made.code == 0 && made.json()["steps"].toInt() == 1, made.described());
    }

    void whatNoPageCanBe_isRefusedAndLeavesNoFile_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("says");
        QTest::newRow("no lesson") << QStringList{"lesson/none"} << "no lesson";
        QTest::newRow("a step") << QStringList{"lesson/projection#2"} << "lesson/projection#2";
        QTest::newRow("no study") << QStringList{"study/none"} << "no study";
        QTest::newRow("an end beside a lesson")
            << QStringList{"lesson/projection", "--end", "3"} << "beside a session, a study or a lesson";
        QTest::newRow("nine runs") << QStringList{"pendulum", "--run",   "ggl:ida", "--run",   "ggl:ida", "--run",   "ggl:ida",
                                                  "--run",    "ggl:ida", "--run",   "ggl:ida", "--run",   "ggl:ida", "--run",
                                                  "ggl:ida",  "--run",   "ggl:ida", "--run",   "ggl:ida"}
                                   << "eight";
        QTest::newRow("no model") << QStringList{"model/none"} << "none";
    }
    void whatNoPageCanBe_isRefusedAndLeavesNoFile()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, says);
        const QString page = scratch("refused.html");
        QFile::remove(page);
        const Answer refused = ask(QStringList{"page"} + arguments + QStringList{"--out", page});
        VERIFY_SANE(refused);
        QVERIFY2(refused.code == 2 && refused.messages() == 1, refused.described());
        QVERIFY2(refused.err.contains(says.toUtf8()), refused.described());
        QVERIFY(!QFile::exists(page));
    }
};

QTEST_GUILESS_MAIN(TestPages)
#include "test_pages.moc"
