// analyze and pencil as a script calls them.
#include <QtTest>

#include <cmath>

#include "tests/app/Driver.h"

using namespace driftless::testing;

namespace {

QString written(const QString& name, const QByteArray& text)
{
    QFile file(scratch(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
        return {};
    return file.fileName();
}

void hasKeys(const QJsonObject& object, const QStringList& keys)
{
    for (const QString& key : keys)
        QVERIFY2(object.contains(key), qPrintable(key));
}

} // namespace

class TestAnalysisCommands : public QObject {
    Q_OBJECT

private slots:
    /// What the structure counts twice is named, and the freedom that is left.
    void analyzeNamesRedundantConstraints()
    {
        const Answer answer = ask({"analyze", "parallelogram"});
        VERIFY_SANE(answer);
        QCOMPARE(answer.code, 0);
        const QJsonArray redundant = answer.json()["redundant"].toArray();
        QCOMPARE(redundant.size(), 1);
        QCOMPARE(redundant[0].toObject()["constraint"].toString(), QString("middle"));
        QCOMPARE(redundant[0].toObject()["depends_on"].toArray(), (QJsonArray{"left", "right"}));
        const QString why = answer.json()["diagnostic"].toObject()["why"].toString();
        QVERIFY2(why.contains("degrees of freedom that remain: 1") && why.contains("not determined one by one"),
                 qPrintable(why));
        const QJsonArray aside = ask({"analyze", "space-four-bar"}).json()["redundant"].toArray();
        QCOMPARE(aside.size(), 3);
        for (const auto& row : aside)
            QVERIFY(row.toObject()["set_aside"].toBool() && !row.toObject()["depends_on"].toArray().isEmpty());
        QVERIFY(ask({"analyze", "slider-crank"}).json()["redundant"].toArray().isEmpty());
    }
    /// Numbers of [structure], parameters and start values that are set, in every command that takes them.
    void whatIsSetReachesTheAnalysis()
    {
        const Answer longer = ask({"analyze", "pendulum-chain", "--set", "N=20"});
        VERIFY_SANE(longer);
        QCOMPARE(longer.code, 0);
        QCOMPARE(longer.json()["degrees_of_freedom"].toInt(-1), 20);
        for (const QStringList& command :
             {QStringList{"start"}, {"equations", "--formulation", "index-1"}, {"equations", "--derivation"}, {"pencil"}}) {
            const Answer answer = ask(command + QStringList{"pendulum-chain", "--set", "N=3"});
            VERIFY_SANE(answer);
            QVERIFY2(answer.code == 0, answer.described().constData());
            QVERIFY2(answer.out.contains("bob3") && !answer.out.contains("bob4"), command.join(' ').toUtf8().constData());
        }
        for (const char* bad : {"N=2.5", "N=1e9", "N=-1", "zz=1", "N"}) {
            const Answer answer = ask({"analyze", "pendulum-chain", "--set", bad});
            VERIFY_SANE(answer);
            QVERIFY2(answer.code == 2 && answer.out.isEmpty() && answer.messages() == 1, answer.described().constData());
        }
        // Where all bars lie in one line, one row depends on the others; elsewhere none does.
        const QJsonObject flat = ask({"analyze", "flat-fourbar", "--set", "phi=pi/2"}).json(),
                          open = ask({"analyze", "flat-fourbar", "--set", "phi=0.3"}).json();
        QCOMPARE(open["redundant"].toArray().size(), 0);
        QCOMPARE(flat["redundant"].toArray().size(), 1);
        QCOMPARE(flat["degrees_of_freedom"].toInt(-1), open["degrees_of_freedom"].toInt(-1) + 1);
    }
    /// By rank, in every command the same; the structure of independent rows counts two start values for each.
    void degreesOfFreedomAreTheSameEverywhere()
    {
        for (const char* name :
             {"pendulum", "crank-rocker", "space-four-bar", "bennett", "sarrus", "parallelogram", "double-pendulum"}) {
            const QJsonObject structure = ask({"analyze", name}).json(), start = ask({"start", name}).json();
            const int freedom = start["freedom"].toObject()["velocities"].toInt(-1);
            QVERIFY2(freedom == (QString(name) == "double-pendulum" ? 2 : 1), name);
            QCOMPARE(structure["degrees_of_freedom"].toInt(-2), freedom);
            if (QString(name) != "parallelogram") // its rows depend on each other, which the structure does not see
                QCOMPARE(structure["dof"].toInt(-2), 2 * freedom);
        }
    }
    void analyzeKeepsItsContract()
    {
        for (const char* name : {"example-1", "pendulum", "modified-pendulum"}) {
            const Answer answer = ask({"analyze", name});
            VERIFY_SANE(answer);
            QVERIFY2(answer.code == 0 && answer.isJson() && answer.messages() == 0, answer.described().constData());
            hasKeys(answer.json(),
                    {"equations", "variables", "structural_index", "dof", "sigma", "blocks", "dummies", "augmented_equations",
                     "reduced_equations", "structurally_singular", "jacobian_singular", "diagnostic"});
        }
        const QJsonObject report = ask({"analyze", "example-1"}).json();
        QCOMPARE(report["augmented_equations"].toInt(), 9);
        QCOMPARE(report["reduced_equations"].toInt(), 6);
        QCOMPARE(report["dummies"].toArray().size(), 5);
        QCOMPARE(report["blocks"].toArray().size(), 2);
        QCOMPARE(report["equations"].toArray()[2].toObject()["differentiations"].toInt(), 1);
        QCOMPARE(ask({"analyze", "pendulum"}).json()["structural_index"].toInt(), 3);
    }

    void badTextsAreRefusedWithLineAndColumn()
    {
        const Answer answer = ask({"analyze", written("bad.mo", "model m\n  Real x;\nequation\n  x = z;\nend m;\n")});
        VERIFY_SANE(answer);
        QVERIFY2(answer.code == 2 && answer.out.isEmpty() && answer.messages() == 1 && answer.err.contains("bad.mo:4:7"),
                 answer.described().constData());
        QCOMPARE(ask({"analyze", "no-such-model"}).code, 2);
        QCOMPARE(ask({"analyze", scratch("nothing.mo")}).code, 2);
        QCOMPARE(ask({"start", written("bad.mo", "model m\n  Real x;\nequation\n  x = z;\nend m;\n")}).code, 2);
        const Answer start = ask({"start", written("good.mo", "model m\n  Real x;\nequation\n  der(x) = 1;\nend m;\n")});
        QVERIFY2(start.code == 0 && start.out.contains("\"consistent\": true"), start.described().constData());
    }

    void anInputTableTakesNumbersAlone()
    {
        const QString model =
            "format = 1\n[[body]]\nname = \"b\"\nkind = \"point\"\nmass = 1\nx = { start = 0 }\ny = { start = 0 }\n"
            "[[input]]\nname = \"u\"\ntable = [[0, %1], [1, 2]]\n";
        const Answer good = ask({"run", written("table.toml", model.arg("5").toUtf8()), "--end", "0.1"});
        QVERIFY2(good.code == 0, good.described().constData());
        for (const char* entry : {"\"5\"", "true", "[1]"}) {
            const Answer bad = ask({"run", written("table.toml", model.arg(entry).toUtf8()), "--end", "0.1"});
            QVERIFY2(bad.code == 2 && bad.err.contains("table.toml:10") && bad.err.contains("A number is expected"),
                     bad.described().constData());
        }
    }

    void aModelThatEndsItselfIsCompleted()
    {
        const Answer answer = ask({"run",
                                   written("ends.mo", "model m\n  Real x(start = 0, fixed = true);\nequation\n  der(x) = 1;\n"
                                                      "  when x > 0.5 then\n    terminate(\"done\");\n  end when;\nend m;\n"),
                                   "--end", "2"});
        QVERIFY2(answer.code == 0 && answer.out.contains("\"status\": \"completed\"") && answer.err.contains("note: done"),
                 answer.described().constData());
    }

    void runIntegratesAnEquationModel()
    {
        const Answer answer =
            ask({"run", "pendulum-equations", "--end", "3", "--samples", "4", "--set", "L=2", "--set", "x=2"});
        VERIFY_SANE(answer);
        QVERIFY2(answer.code == 0 && answer.isJson(), answer.described().constData());
        const QJsonObject report = answer.json();
        hasKeys(report, {"model", "formulation", "integrator", "status", "t", "state", "residual", "max_residual", "energy",
                         "energy_error", "drift", "samples", "stats", "events"});
        const QJsonObject state = report["state"].toObject();
        hasKeys(state, {"x", "y", "lambda", "x'", "y''"});
        QVERIFY(std::abs(state["x"].toDouble() * state["x"].toDouble() + state["y"].toDouble() * state["y"].toDouble() - 4)
                < 1e-4); // rtol 1e-6
        QCOMPARE(report["samples"].toArray().size(), 4);
        QCOMPARE(report["samples"].toArray()[3].toObject()["t"].toDouble(), 3.0);
        QCOMPARE(ask({"run", "modified-pendulum"}).json()["status"].toString(), QString("refused"));
        QCOMPARE(ask({"run", "pendulum-equations", "--formulation", "index-1"}).code, 2);
        QCOMPARE(ask({"run", "pendulum-equations", "--set", "nobody=1"}).code, 2);
        QCOMPARE(ask({"run", "pendulum-equations", "--integrator", "nobody"}).code, 2);
    }

    void pencilKeepsItsContract()
    {
        const Answer answer = ask({"pencil", written("six.toml", "E = [[1, 1, 1], [1, 1, 1], [0, 0, 0]]\nA = [[2, 0, 1], [1, "
                                                                 "1, 0], [1, 1, 1]]\nf = [\"t\", \"t^3\", \"sin(t)\"]\n")});
        VERIFY_SANE(answer);
        QVERIFY2(answer.code == 0 && answer.isJson(), answer.described().constData());
        const QJsonObject report = answer.json();
        hasKeys(report,
                {"n", "regular", "kronecker_index", "finite_eigenvalues", "n1", "n2", "nilpotent_blocks", "rank_E", "steps"});
        QCOMPARE(report["kronecker_index"].toInt(), 2);
        QCOMPARE(report["n1"].toInt(), 3);
        QCOMPARE(report["n2"].toInt(), 0);
        QCOMPARE(report["steps"].toArray().size(), 3);
        const Answer singular =
            ask({"pencil", written("one.toml", "E = [[1.0, 0.0], [0.0, 0.0]]\nA = [[0.0, 1.0], [0.0, 0.0]]\n")});
        QVERIFY2(singular.code == 0 && !singular.json()["regular"].toBool() && singular.json()["kronecker_index"].isNull(),
                 singular.described().constData());
        QCOMPARE(ask({"pencil", written("broken.toml", "E = [[1, 0]]\nA = [[1]]\n")}).code, 2);
        QCOMPARE(ask({"pencil", scratch("six.toml"), "--tolerance", "3"}).code, 2);
        QVERIFY(!ask({"pencil", scratch("six.toml"), "--tolerance", "1e-9"}).json()["exact"].toBool());
    }

    void pencilLinearisesAModel()
    {
        const Answer answer = ask(
            {"pencil", "pendulum", "--time", "1", "--formulation", "index-3", "--integrator", "radau-iia-5", "--step", "0.01"});
        VERIFY_SANE(answer);
        QVERIFY2(answer.code == 0 && answer.isJson(), answer.described().constData());
        const QJsonObject report = answer.json();
        hasKeys(report, {"model", "formulation", "index", "time", "unknowns", "rows", "values", "E", "A", "residual", "note",
                         "n", "regular", "kronecker_index"});
        QCOMPARE(report["kronecker_index"].toInt(), 3);
        QCOMPARE(report["n2"].toInt(), 2);
        QCOMPARE(report["unknowns"].toArray().size(), report["n"].toInt());
        QCOMPARE(report["E"].toArray().size(), report["n"].toInt());
        QCOMPARE(ask({"pencil", "pendulum", "--formulation", "index-1"}).json()["kronecker_index"].toInt(), 1);
        QCOMPARE(ask({"pencil", "pendulum", "--time", "-1"}).code, 2);
        QCOMPARE(ask({"pencil", "pendulum", "--formulation", "nobody"}).code, 2);
        QCOMPARE(ask({"pencil", "pendulum-equations", "--time", "1"}).json()["kronecker_index"].toInt(), 1); // after reduction
        QCOMPARE(ask({"pencil", "nobody"}).code, 2);
    }

    void equationsShowTheDerivation()
    {
        const Answer answer = ask({"equations", "lagrangian-double-pendulum", "--derivation", "--format", "latex"});
        VERIFY_SANE(answer);
        QVERIFY2(answer.code == 0 && answer.isJson(), answer.described().constData());
        const QJsonObject report = answer.json();
        hasKeys(report, {"model", "format", "coordinates", "stated", "skew_symmetric", "sections"});
        QVERIFY(report["stated"].toBool() && report["skew_symmetric"].toObject()["symbolic"].toBool());
        QVERIFY(QJsonDocument(report).toJson().contains("M_{12}"));
        QVERIFY(!ask({"equations", "pendulum", "--derivation"}).json()["stated"].toBool());
        QCOMPARE(ask({"equations", "polar-pendulum", "--derivation"}).code, 2);
    }
};

QTEST_GUILESS_MAIN(TestAnalysisCommands)
#include "test_analysis_commands.moc"
