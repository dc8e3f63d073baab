// needs: window
// driftless tableau, and the parameter of a family of methods on the command line.
#include <QtTest>

#include "tests/app/Driver.h"

using driftless::testing::Answer;
using driftless::testing::ask;

namespace {

/// The path of rk4 as one would type it.
QString ownRk4()
{
    const QString path = QString(DRIFTLESS_SCRATCH_DIR) + "/own-rk4.toml";
    QFile file(path);
    if (file.open(QIODevice::WriteOnly))
        file.write("name = \"Mine\"\nA = [[0, 0, 0, 0], [\"1/2\", 0, 0, 0], [0, \"1/2\", 0, 0], [0, 0, 1, 0]]\nb = [\"1/6\", "
                   "\"2/6\", \"2/6\", \"1/6\"]\n");
    return path;
}

} // namespace

class TestTableauCommand : public QObject {
    Q_OBJECT
private slots:
    void aShippedMethod_isDescribed()
    {
        const Answer answer = ask({"tableau", "gauss-6", "--json"});
        QVERIFY2(answer.code == 0 && answer.isJson() && answer.sane(), answer.described());
        const auto json = answer.json();
        QCOMPARE(json["order"].toInt(), 6);
        QCOMPARE(json["embedded_order"].toInt(), 2);
        QCOMPARE(json["conditions"].toArray().size(), 1 + 1 + 2 + 4 + 9 + 20);
        QCOMPARE(json["stability"].toObject()["kind"].toString(), QStringLiteral("A-stable"));
        QVERIFY(std::abs(json["stability"].toObject()["numerator"].toArray()[2].toDouble() - 0.1) < 1e-15);
        QCOMPARE(json["exact"].toObject()["c"].toArray()[0].toString(), QStringLiteral("1/2 - sqrt(15)/10"));
        const Answer plain = ask({"tableau", "rk4"});
        QVERIFY2(plain.code == 0 && plain.out.contains("order 4, stage order 1, up to index 1")
                     && plain.out.contains("fails  5  [t,t,t,t]"),
                 plain.described());
    }

    void aFileOfYourOwn_isDescribed_orRefusedWithItsPlace()
    {
        const QString path = QString(DRIFTLESS_SCRATCH_DIR) + "/own-tableau.toml";
        const auto write = [&path](const char* text) {
            QFile file(path);
            return file.open(QIODevice::WriteOnly) && file.write(text) > 0;
        };
        QVERIFY(write("name = \"mine\"\nA = [[0, 0], [\"2/3\", 0]]\nb = [\"1/4\", \"3/4\"]\n"));
        const Answer answer = ask({"tableau", path, "--json"});
        QVERIFY2(answer.code == 0 && answer.isJson(), answer.described());
        QCOMPARE(answer.json()["order"].toInt(), 2);
        QVERIFY(write("A = [[0, 0], [\"2/3\", oops]]\nb = [\"1/4\", \"3/4\"]\n"));
        const Answer refused = ask({"tableau", path, "--json"});
        QVERIFY2(refused.code == 2 && refused.out.isEmpty() && refused.err.contains("own-tableau.toml:1"), refused.described());
        QVERIFY(ask({"tableau", "ida"}).code == 2);
    }

    void aFileOfYourOwn_integrates_likeTheShippedMethodWithItsNumbers()
    {
        const QString path = ownRk4();
        const QStringList run{"run", "pendulum", "--formulation", "index-1", "--step", "0.01", "--end", "1"};
        const Answer own = ask(run + QStringList{"--integrator", path}),
                     shipped = ask(run + QStringList{"--integrator", "rk4"});
        QVERIFY2(own.code == 0 && shipped.code == 0, own.described());
        QCOMPARE(own.json()["state"], shipped.json()["state"]);
        QVERIFY2(own.json()["integrator"].toString().startsWith("own-mine-"), own.described());
        // What it cannot carry is refused as for any method, and a file that is not there by its name.
        const Answer refused = ask({"run", "pendulum", "--formulation", "index-3", "--integrator", path, "--end", "1"});
        QVERIFY2(refused.code == 2 && refused.err.contains("own-mine-"), refused.described());
        QVERIFY(ask(run + QStringList{"--integrator", "no-such.toml"}).err.contains("no-such.toml"));
    }

    void aFileOfYourOwn_isComparedInAFigure()
    {
        if (!ask({"--help"}).out.contains("figure "))
            QSKIP("this build draws nothing");
        const QString table = QString(DRIFTLESS_SCRATCH_DIR) + "/own.md";
        const Answer compared = ask({"figure", "pendulum", "--run", "index-1:" + ownRk4() + ":step=0.01", "--run",
                                     "index-1:rk4:step=0.01", "--end", "1", "--table", table});
        QVERIFY2(compared.code == 0, compared.described());
        QFile written(table);
        QVERIFY(written.open(QIODevice::ReadOnly) && written.readAll().contains("own-mine-"));
        QVERIFY(ask({"figure", "pendulum", "--run", "index-1:no-such.toml", "--out", "x.png"}).err.contains("no-such.toml"));
    }

    void parameterOfAFamily_chooses_theMethod()
    {
        const QStringList run{"run", "pendulum", "--formulation", "index-1", "--step", "0.01", "--end", "1"};
        const Answer heun = ask(run + QStringList{"--integrator", "heun2"});
        const Answer one = ask(run + QStringList{"--integrator", "rk2-alpha", "--method-parameter", "1"});
        const Answer usual = ask(run + QStringList{"--integrator", "rk2-alpha"});
        QVERIFY2(heun.code == 0 && one.code == 0 && usual.code == 0, one.described());
        QCOMPARE(one.json()["state"], heun.json()["state"]);
        QVERIFY(usual.json()["state"] != heun.json()["state"]);
        const Answer refused = ask(run + QStringList{"--integrator", "rk3-alpha", "--method-parameter", "2"});
        QVERIFY2(refused.code == 2 && refused.json()["diagnostic"].toObject()["what"].toString().contains("alpha"),
                 refused.described());
    }
};

QTEST_GUILESS_MAIN(TestTableauCommand)
#include "test_tableau_command.moc"
