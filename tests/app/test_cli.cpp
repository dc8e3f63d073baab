// The command line's contract: what is on standard output, which keys, which exit codes.
#include <QtTest>

#include <QDir>
#include <QSet>

#include <cmath>

#include "tests/app/Driver.h"

using namespace driftless::testing;

namespace {

QSet<QString> keys(const QJsonObject& object)
{
    const QStringList list = object.keys();
    return QSet<QString>(list.begin(), list.end());
}

const QStringList kQuickRun{"run", "pendulum", "--formulation", "index-1", "--integrator",
                            "rk4", "--step",   "0.01",          "--end",   "1"};

/// A pendulum in twelve lines, and what follows them.
bool writeRod(const QString& file, const char* run)
{
    QFile out(file);
    return out.open(QIODevice::WriteOnly)
           && out.write(QByteArray("format = 1\n[[body]]\nname = \"bob\"\nkind = \"point\"\nmass = 1\nx = { start = 1 }\n"
                                   "[[joint]]\nname = \"rod\"\nkind = \"rod\"\nfrom = \"ground\"\nto = \"bob\"\n"
                                   "length = 1\n")
                        + run)
                  > 0;
}

} // namespace

class TestCli : public QObject {
    Q_OBJECT

private slots:
    void runReportsExactlyTheContractsKeys()
    {
        const Answer answer = ask(kQuickRun + QStringList{"--samples", "5"});
        VERIFY_SANE(answer);
        QVERIFY2(answer.code == 0 && answer.isJson(), answer.described().constData());
        const QJsonObject report = answer.json();
        const QSet<QString> required{"model",    "formulation",  "integrator", "status",       "t",     "state",
                                     "residual", "max_residual", "energy",     "energy_error", "drift", "samples",
                                     "stats",    "events",       "set_aside",  "error_test"};
        QSet<QString> present = keys(report);
        present.remove("diagnostic"); // only where there is something to say
        QCOMPARE(present, required);
        const QSet<QString> levels{"position", "velocity", "acceleration"};
        QCOMPARE(keys(report["residual"].toObject()), levels);
        QCOMPARE(keys(report["max_residual"].toObject()), levels);
        const QSet<QString> drifts{"position", "energy"};
        QCOMPARE(keys(report["drift"].toObject()), drifts);
        const QSet<QString> stats{
            "steps",  "rejected",    "residual_evaluations", "jacobian_evaluations", "factorizations", "newton_iterations",
            "pivots", "wall_seconds"};
        QCOMPARE(keys(report["stats"].toObject()), stats);
        const QSet<QString> event{"t", "kind", "text"};
        for (const auto& entry : report["events"].toArray())
            QCOMPARE(keys(entry.toObject()), event);
        QCOMPARE(report["status"].toString(), QString("completed"));
        QCOMPARE(report["t"].toDouble(), 1.0);
        QCOMPARE(report["stats"].toObject()["steps"].toInt(), 100); // 1 s in steps of 0.01 s
    }

    /// The form and the method of a run without options: the model's pair for the command, where that is refused what its file
    /// says, and without either an implicit method that takes every form.
    void aRunWithoutOptionsTakesThePairOfTheModel()
    {
        const auto pairOf = [](const QStringList& arguments) {
            const QJsonObject report = ask(QStringList{"run"} + arguments + QStringList{"--end", "0.1"}).json();
            return report["status"].toString() + ' ' + report["formulation"].toString() + ' ' + report["integrator"].toString();
        };
        QCOMPARE(pairOf({"pendulum"}), QString("completed projection dop853"));
        QCOMPARE(pairOf({"pendulum", "--pivot", "auto"}), QString("completed dummy-derivatives ida"));
        QCOMPARE(pairOf({"pendulum", "--integrator", "bdf"}), QString("completed dummy-derivatives bdf"));
        QCOMPARE(pairOf({"crane"}), QString("completed dummy-derivatives radau-9"));
        const QString file = QDir(DRIFTLESS_SCRATCH_DIR).filePath("pairs.toml");
        const auto written = [&](const char* run) { return writeRod(file, run); };
        QVERIFY(written(""));
        QCOMPARE(pairOf({file}), QString("completed dummy-derivatives radau-9"));
        QVERIFY(written("[run]\nformulation = \"ggl\"\n"));
        QCOMPARE(pairOf({file}), QString("completed ggl ida"));
        QVERIFY(written("[run]\nformulation = \"ggl\"\ncommand = { integrator = \"bdf\" }\n"));
        QCOMPARE(pairOf({file}), QString("completed ggl bdf"));
        // An explicit method refuses a form of index 3.
        QVERIFY(written("[run]\nintegrator = \"bdf\"\ncommand = { formulation = \"index-3\", integrator = \"dop853\" }\n"));
        QCOMPARE(pairOf({file, "--integrator", "dop853", "--formulation", "index-3"}), QString("refused index-3 dop853"));
        QCOMPARE(pairOf({file}), QString("completed dummy-derivatives bdf"));
        const Answer answer = ask({"run", file, "--end", "0.1"});
        QVERIFY2(answer.err.contains("index-3 with dop853 is refused"), answer.described().constData());
        // Of two that are refused the file's own one is told.
        QVERIFY(written("[run]\nformulation = \"index-2\"\nintegrator = \"odex\"\n"
                        "command = { formulation = \"index-3\", integrator = \"dop853\" }\n"));
        QCOMPARE(pairOf({file}), QString("refused index-2 odex"));
    }

    void aFormOrAMethodThatIsNotThereIsToldWhereTheFileStatesIt_data()
    {
        QTest::addColumn<QByteArray>("run");
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("form") << QByteArray("[run]\nformulation = \"gll\"\n") << QStringList()
                              << QByteArray("rod-of-none.toml:14:15: There is no formulation \"gll\"");
        QTest::newRow("method") << QByteArray("[run]\nend = 1\nintegrator = \"idaa\"\n") << QStringList()
                                << QByteArray("rod-of-none.toml:15:14: There is no integrator 'idaa'");
        QTest::newRow("of the command") << QByteArray("[run]\ncommand = { integrator = \"rk44\" }\n") << QStringList()
                                        << QByteArray("rod-of-none.toml:14:26: There is no integrator 'rk44'");
        QTest::newRow("asked for by option")
            << QByteArray("[run]\nintegrator = \"idaa\"\n") << QStringList{"--integrator", "idaa"}
            << QByteArray("driftless: There is no integrator 'idaa'");
    }
    void aFormOrAMethodThatIsNotThereIsToldWhereTheFileStatesIt()
    {
        QFETCH(QByteArray, run);
        QFETCH(QStringList, options);
        QFETCH(QByteArray, said);
        const QString file = scratch("rod-of-none.toml");
        QVERIFY(writeRod(file, run.constData()));
        const Answer answer = ask(QStringList{"run", file} + options);
        QVERIFY2(answer.code == 2 && answer.err.contains(said), answer.described().constData());
    }

    void samplesCarryEveryNameOfTheState()
    {
        const Answer answer = ask(kQuickRun + QStringList{"--samples", "5"});
        const QJsonObject report = answer.json();
        const QJsonArray samples = report["samples"].toArray();
        QCOMPARE(samples.size(), 5);
        QSet<QString> names = keys(report["state"].toObject());
        QVERIFY(names.size() >= 5); // x, y, x', y', lambda
        double last = -1;
        for (const auto& sample : samples) {
            QSet<QString> present = keys(sample.toObject());
            QVERIFY(present.remove("t"));
            QVERIFY2(present == names, answer.described().constData());
            QVERIFY(sample.toObject()["t"].toDouble() > last);
            last = sample.toObject()["t"].toDouble();
        }
        QCOMPARE(last, 1.0);
    }

    /// A run that ends where the text says so has samples as near as one that ends there by --end: x = cos t, and e follows.
    void samplesOfARunThatEndsEarlyAreOfTheMotion()
    {
        const QString file = scratch("early.mo");
        QFile out(file);
        QVERIFY(out.open(QIODevice::WriteOnly)
                && out.write("model early\n  Real x(start = 1, fixed = true), v(start = 0, fixed = true), e;\nequation\n  "
                             "der(x) = v;\n  der(v) = -x;\n  e = x^2 + v^2;\n  when x < -0.9 then terminate(\"far\"); end "
                             "when;\nend early;\n")
                       > 0);
        out.close();
        for (const char* method : {"radau-9", "dop853", "ida"}) {
            const Answer answer = ask(
                {"run", file, "--samples", "41", "--integrator", method, "--rtol", "1e-6", "--atol", "1e-6", "--end", "10"});
            const QJsonObject report = answer.json();
            const double end = report["t"].toDouble();
            QVERIFY2(answer.code == 0 && std::abs(std::cos(end) + 0.9) < 1e-4, answer.described().constData());
            const QJsonArray samples = report["samples"].toArray();
            QCOMPARE(samples.size(), 41);
            QCOMPARE(samples.last().toObject()["t"].toDouble(), end);
            for (const auto& sample : samples) {
                const QJsonObject at = sample.toObject();
                const double x = at["x"].toDouble(), v = at["v"].toDouble();
                QVERIFY2(std::abs(x - std::cos(at["t"].toDouble())) < 1e-4, method); // a hundred tolerances
                QVERIFY2(std::abs(at["e"].toDouble() - x * x - v * v) < 1e-12, method);
            }
        }
    }

    void withoutSamplesThereAreNone() { QVERIFY(!ask(kQuickRun).json().contains("samples")); }

    void theSameRunTwiceGivesTheSameNumbers()
    {
        QJsonObject first = ask(kQuickRun).json(), second = ask(kQuickRun).json();
        QVERIFY(!first.isEmpty());
        for (QJsonObject* report : {&first, &second}) {
            QJsonObject stats = (*report)["stats"].toObject();
            stats.remove("wall_seconds");
            report->insert("stats", stats);
        }
        QCOMPARE(first, second);
    }

    void csvHoldsEveryStepToTheLastBit()
    {
        const QString path = scratch("cli-steps.csv");
        QFile::remove(path);
        const Answer answer = ask(kQuickRun + QStringList{"--csv", path});
        QCOMPARE(answer.code, 0);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QList<QByteArray> lines = file.readAll().trimmed().split('\n');
        QCOMPARE(lines.size(), 1 + 1 + 100); // names, start, steps
        const QList<QByteArray> names = lines.first().split(','), values = lines.last().split(',');
        QCOMPARE(names.first(), QByteArray("t"));
        QCOMPARE(values.size(), names.size());
        const QJsonObject state = answer.json()["state"].toObject();
        for (auto it = state.begin(); it != state.end(); ++it) {
            const int column = static_cast<int>(names.indexOf(it.key().toUtf8()));
            QVERIFY2(column > 0, it.key().toUtf8().constData());
            QCOMPARE(values[column].toDouble(), it.value().toDouble());
        }
        QCOMPARE(QDir(QStringLiteral(DRIFTLESS_SCRATCH_DIR)).entryList({"*.part*"}, QDir::Files | QDir::Hidden).size(), 0);
    }

    void csvHoldsEveryStepWhereTheRecordingIsThinned()
    {
        // 16 columns of eight bytes and the pyramid: 16 MiB hold some 120,000 rows.
        constexpr int kSteps = 200'000;
        const QString path = scratch("cli-long.csv");
        QFile::remove(path);
        const Answer answer = ask({"run", "pendulum", "--formulation", "index-1", "--integrator", "rk4", "--step", "1e-5",
                                   "--end", "2", "--memory", "16", "--csv", path});
        QVERIFY2(answer.code == 0, answer.described().constData());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        double last = -1;
        int rows = 0;
        file.readLine();
        while (!file.atEnd()) {
            const QByteArray line = file.readLine();
            const double t = line.left(line.indexOf(',')).toDouble();
            QVERIFY(t > last && t - last < 2e-5 + (rows == 0 ? 1 : 0));
            last = t;
            ++rows;
        }
        QCOMPARE(rows, kSteps + 1);
        file.remove();
    }

    void rowsAsCurvesNeedThem()
    {
        const QString path = scratch("cli-few.csv");
        const QStringList asked{"run",    "pendulum", "--formulation", "index-1", "--integrator", "rk4",
                                "--step", "0.001",    "--end",         "1",       "--csv",        path};
        const Answer all = ask(asked), few = ask(asked + QStringList{"--rows", "as-curves-need"});
        QCOMPARE(few.code, 0);
        QVERIFY(all.json()["state"] == few.json()["state"]);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto lines = file.readAll().count('\n');
        QVERIFY2(lines > 20 && lines < 500, qPrintable(QString::number(lines)));
        QVERIFY(ask(asked + QStringList{"--rows", "some"}).code != 0);
    }

    void settingAParameterChangesTheRun()
    {
        // Small oscillation of a rod 2.25 times as long takes 1.5 times as long: phi(t) = 0.01 cos(t / 1.5), up to phi^2/16 of
        // the period, which is 6e-6 of 0.01.
        const Answer answer = ask({"run", "pendulum", "--formulation", "index-1", "--integrator", "rk4", "--step", "0.01",
                                   "--end", "2", "--set", "L=2.25", "--set", "phi=0.01", "--set", "phi'=0"});
        QVERIFY2(answer.code == 0, answer.described().constData());
        const double phi = std::asin(stateValue(answer.json(), "x") / 2.25);
        QVERIFY2(std::abs(phi - 0.01 * std::cos(2 / 1.5)) < 1e-6, answer.described().constData());
    }

    void explicitMethodOnHighIndexIsRefused()
    {
        const QString path = scratch("cli-refused.csv");
        QFile::remove(path);
        const Answer answer =
            ask({"run", "pendulum", "--formulation", "index-3", "--integrator", "rk4", "--step", "0.01", "--csv", path});
        VERIFY_SANE(answer);
        QCOMPARE(answer.code, 2);
        QVERIFY2(answer.isJson(), answer.described().constData());
        QCOMPARE(answer.json()["status"].toString(), QString("refused"));
        const QSet<QString> parts{"what", "where", "why", "try"};
        QCOMPARE(keys(answer.json()["diagnostic"].toObject()), parts);
        QVERIFY(!answer.json()["diagnostic"].toObject()["what"].toString().isEmpty());
        QVERIFY2(answer.messages() == 1, answer.described().constData());
        QVERIFY(!QFile::exists(path));
    }

    void aTableThatCannotBeWrittenIsRefusedBeforeTheRun_data()
    {
        QTest::addColumn<QString>("path");
        QTest::newRow("no such folder") << scratch("cli-missing/steps.csv");
        const QString file = scratch("cli-a-file");
        QVERIFY(QFile(file).open(QIODevice::WriteOnly));
        QTest::newRow("a file for a folder") << file + "/steps.csv";
        QTest::newRow("a folder that takes no files, not even an administrator's") << QString("/proc/steps.csv");
    }
    void aTableThatCannotBeWrittenIsRefusedBeforeTheRun()
    {
        QFETCH(QString, path);
        // The form cannot be carried by the method, which a run would tell first, as JSON.
        const Answer answer =
            ask({"run", "pendulum", "--formulation", "index-3", "--integrator", "rk4", "--step", "0.01", "--csv", path});
        VERIFY_SANE(answer);
        QCOMPARE(answer.code, 2);
        QVERIFY2(answer.out.isEmpty(), answer.described().constData());
        QVERIFY2(answer.messages() == 1, answer.described().constData());
        QVERIFY2(answer.described().contains(QFileInfo(path).path().toUtf8()), answer.described().constData());
    }

    void listsAreArraysWithIdTitleSource_data()
    {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QStringList>("ids");
        QTest::newRow("models") << "models"
                                << QStringList{"cart-pendulum", "circle", "double-pendulum", "pendulum", "slider-crank"};
        QTest::newRow("formulations") << "formulations"
                                      << QStringList{"baumgarte", "dummy-derivatives", "ggl",        "index-1",
                                                     "index-2",   "index-3",           "projection", "state-space"};
        QTest::newRow("integrators") << "integrators"
                                     << QStringList{"dormand-prince", "ida", "implicit-trapezoidal", "radau-iia-5", "rk4"};
        QTest::newRow("studies") << "studies" << QStringList{};
        QTest::newRow("lessons") << "lessons" << QStringList{"baumgarte", "drift-off", "dummy-derivatives", "what-is-a-dae"};
    }
    void listsAreArraysWithIdTitleSource()
    {
        QFETCH(QString, what);
        QFETCH(QStringList, ids);
        const Answer answer = ask({"list", what, "--json"});
        VERIFY_SANE(answer);
        QCOMPARE(answer.code, 0);
        QVERIFY2(answer.isJson() && answer.out.trimmed().startsWith('['), answer.described().constData());
        QStringList found;
        for (const auto& value : answer.array()) {
            const QJsonObject entry = value.toObject();
            found << entry["id"].toString();
            QVERIFY(!entry["title"].toString().isEmpty());
            QVERIFY(entry.contains("source"));
            if (what == "formulations")
                QVERIFY(entry["index"].isDouble() && entry.contains("requires"));
        }
        found.sort();
        for (const QString& id : ids) // later versions may ship more
            QVERIFY2(found.contains(id), qPrintable("missing: " + id));
        const Answer plain = ask({"list", what});
        QCOMPARE(plain.code, 0);
        for (const QString& id : ids)
            QVERIFY(plain.out.contains(id.toUtf8()));
    }

    void equationsComeInThreeFormats_data()
    {
        QTest::addColumn<QString>("format");
        QTest::newRow("text") << "text";
        QTest::newRow("latex") << "latex";
        QTest::newRow("html") << "html";
    }
    void equationsComeInThreeFormats()
    {
        QFETCH(QString, format);
        const Answer answer = ask({"equations", "pendulum", "--formulation", "index-3", "--format", format});
        VERIFY_SANE(answer);
        QVERIFY2(answer.code == 0 && answer.isJson(), answer.described().constData());
        const QJsonArray rows = answer.json()["rows"].toArray();
        QCOMPARE(rows.size(), 5); // x' = v_x, y' = v_y, two force balances, one rod
        int constraints = 0;
        for (const auto& row : rows) {
            QVERIFY(!row.toObject()["equation"].toString().isEmpty());
            constraints += row.toObject()["provenance"].toString().contains("constraint") ? 1 : 0;
        }
        QCOMPARE(constraints, 1);
    }

    void helpAndVersionAreDone()
    {
        for (const char* flag : {"--help", "--version"}) {
            const Answer answer = ask({flag});
            VERIFY_SANE(answer);
            QCOMPARE(answer.code, 0);
            QVERIFY(answer.out.contains("driftless") || answer.out.contains("Driftless"));
        }
    }
};

QTEST_GUILESS_MAIN(TestCli)
#include "test_cli.moc"
