// What the document of a model says of its events: nothing of what happens there is dropped without a word.
#include <QtTest>

#include <map>

#include "tests/app/Driver.h"
#include "tests/support/Draw.h"

using namespace driftless::testing;

namespace {

QByteArray formulas(const QByteArray& document) { return document.mid(document.indexOf("subsection*{At events}")); }

/// A text of equations with events, and what its document has to have.
struct Drawn {
    QByteArray text;
    std::map<QByteArray, int> parts; ///< how often at least
};

Drawn drawnText(driftless::test::Draw& draw)
{
    Drawn out;
    QByteArray held, whens;
    int anew = 0;
    const int count = draw.upTo(1, 4);
    for (int k = 0; k < count; ++k) {
        const QByteArray n = "n" + QByteArray::number(k), b = "b" + QByteArray::number(k);
        const bool started = draw.chance(0.5);
        const int start = draw.upTo(-9, 9);
        held += "  Integer " + n + (started ? "(start = " + QByteArray::number(start) + ")" : QByteArray())
                + " \"counts\";\n  Boolean " + b + ";\n";
        out.parts["counts; discrete variable} & at first $" + QByteArray::number(started ? start : 0) + "$"] = 1;
        const QByteArray level = QByteArray::number(2 + k + draw.decimal(0.1, 0.9));
        whens += "  when x > " + level + (draw.chance(0.5) ? " and not pre(" + b + ")" : QByteArray()) + " then\n    " + n
                 + " = pre(" + n + ") + 1;\n    " + b + " = true;\n";
        out.parts["n_{" + QByteArray::number(k) + "} := \\operatorname{pre}\\left(n_{" + QByteArray::number(k)
                  + "}\\right) + 1"] = 1;
        out.parts["b_{" + QByteArray::number(k) + "} := \\text{true}"] = 1;
        out.parts["\\text{true}"] += 1;
        if (draw.chance(0.5)) {
            whens += "    reinit(y, -pre(y));\n";
            out.parts["y := -\\operatorname{pre}\\left(y\\right)"] = ++anew;
        }
        if (draw.chance(0.3)) {
            whens += "  elsewhen time > " + QByteArray::number(50 + k) + " then\n    terminate(\"late " + QByteArray::number(k)
                     + "\");\n";
            out.parts["\\text{the run ends}$\\quad{\\small late " + QByteArray::number(k) + "}"] = 1;
        }
        whens += "  end when;\n";
    }
    const double start = draw.decimal(0.1, 0.9);
    out.parts["$x$ & $" + QByteArray::number(start) + "$  & fixed"] = 1;
    out.text = "model drawn\n  Real x(start = " + QByteArray::number(start)
               + ", fixed = true);\n  Real y(start = 1, fixed = true);\n" + held
               + "equation\n  der(x) = 1;\n  der(y) = if x < 1.5 then 1 else -y;\n" + whens + "end drawn;\n";
    return out;
}

} // namespace

class TestExportEvents : public QObject {
    Q_OBJECT

private slots:
    void whatIsStatedOfEventsIsWritten()
    {
        const std::uint64_t seed = driftless::test::seedOr(48);
        for (int k = 0, count = driftless::test::countOr(20); k < count; ++k) {
            driftless::test::Draw draw(seed + static_cast<std::uint64_t>(k));
            const Drawn drawn = drawnText(draw);
            QFile file(scratch("drawn-events.mo"));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(drawn.text);
            file.close();
            const Answer answer = ask({"export", file.fileName()});
            VERIFY_SANE(answer);
            QVERIFY2(answer.code == 0, answer.described() + drawn.text);
            for (const auto& [part, least] : drawn.parts)
                QVERIFY2(answer.out.count(part) >= least, QByteArray::number(seed + static_cast<std::uint64_t>(k)) + ' ' + part
                                                              + "\n" + drawn.text + answer.out);
            QVERIFY(!formulas(answer.out).contains("pre(n")); // set as a function, and no part of a name
        }
    }

    /// Every `when`, reinit and discrete variable of the texts that ship.
    void shippedTextsLoseNothing()
    {
        const QDir folder(QString(DRIFTLESS_SOURCE_DIR) + "/resources/models");
        int events = 0;
        for (const QString& name : folder.entryList({"*.mo"})) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::ReadOnly));
            QByteArray text;
            for (const QByteArray& line : file.readAll().split('\n'))
                text += line.left(line.indexOf("//") < 0 ? line.size() : line.indexOf("//")) + '\n';
            const Answer answer = ask({"export", name.left(name.size() - 3)});
            if (answer.code != 0) // modified-pendulum is refused
                continue;
            const auto reinits = text.count("reinit("), whens = text.count("\n  when ");
            QVERIFY2(answer.out.count("begins anew") >= reinits, qPrintable(name));
            QVERIFY2(answer.out.count("\\paragraph{When}") == whens, qPrintable(name));
            QCOMPARE(answer.out.count("discrete variable}"), text.count("Boolean ") - text.count("parameter Boolean ")
                                                                 + text.count("Integer ") - text.count("parameter Integer ")
                                                                 + text.count("discrete Real "));
            events += whens > 0 ? 1 : 0;
        }
        QVERIFY(events > 0);
    }

    void whatElseThereIsIsWrittenOrNamed()
    {
        QVERIFY(ask({"export", "clutch-flywheels"}).out.contains("\\subsection*{Outputs}"));
        const Answer aside = ask({"export", "space-four-bar"});
        const QByteArray said = aside.out.mid(aside.out.indexOf("Left out are constraints that follow from the others: "));
        for (const auto& row : ask({"analyze", "space-four-bar"}).json()["redundant"].toArray())
            QVERIFY2(said.contains(row.toObject()["constraint"].toString().toUtf8()), aside.described());
        const Answer gains = ask({"export", "pendulum", "--formulation", "baumgarte", "--set", "omega=7.25"});
        QVERIFY2(gains.out.contains("$7.25$ $\\mathrm{1/s}$"), gains.out);
    }

    /// One law of impact for each contact, and how a parameter follows others where it is not set itself.
    void lawsAndWhatFollowsAreStatedOnce()
    {
        for (const char* law : {"energetic", "newton", "poisson"})
            for (const bool rubs : {false, true}) {
                QFile file(scratch("law.toml"));
                QVERIFY(file.open(QIODevice::WriteOnly));
                file.write("format = 1\nimpact_law = \"" + QByteArray(law)
                           + "\"\n[[body]]\nname = \"b\"\nkind = \"rigid\"\nmass = 6\ninertia = 0.1\ny = { start = 1 "
                             "}\n[[joint]]\nname = \"floor\"\nkind = "
                             "\"wall\"\nfrom = \"ground\"\nto = \"b\"\nradius = 0.5\nrestitution = 0.5\n"
                           + (rubs ? "friction = 0.3\n" : "") + "[[force]]\nkind = \"gravity\"\nacceleration = 9.81\n");
                file.close();
                const Answer answer = ask({"export", file.fileName()});
                QVERIFY2(answer.code == 0, answer.described());
                const QByteArray name = law;
                QCOMPARE(answer.out.contains("\\gamma^{+} = -0.5 \\gamma^{-}"), !rubs || name == "newton");
                QCOMPARE(answer.out.contains("P_{2} = 0.5 P_{1}"), rubs && name == "poisson");
                QCOMPARE(answer.out.contains("W_{2} = -0.5^{2} W_{1}"), rubs && name == "energetic");
            }
        QFile file(scratch("follows.mo"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("model follows\n  parameter Real m = 2;\n  parameter Real k = 3*m;\n  Real x(start = 1, fixed = "
                   "true);\nequation\n  der(x) = -k*x;\nend follows;\n");
        file.close();
        const Answer follows = ask({"export", file.fileName(), "--set", "m=4"});
        QVERIFY2(follows.out.contains("$3 m = 12$"), follows.out);
        const Answer set = ask({"export", file.fileName(), "--set", "k=5"});
        QVERIFY2(set.out.contains("$5$") && !set.out.contains("3 m ="), set.out);
    }

    /// Each contact, friction and link of a mechanism, the mode at the start and that the other modes are left out.
    void contactsAreWritten()
    {
        int with = 0;
        for (const auto& entry : ask({"list", "models", "--json"}).array()) {
            if (entry.toObject()["kind"].toString() != "mechanism")
                continue;
            const QString name = entry.toObject()["id"].toString();
            const QJsonObject structure = ask({"analyze", name}).json();
            const Answer answer = ask({"export", name});
            QVERIFY2(answer.code == 0, answer.described());
            const bool modes = structure["mode"].isString();
            QCOMPARE(answer.out.contains("{Contacts, friction and links}"), modes);
            QCOMPARE(answer.out.contains("those of the other modes are left out"), modes);
            for (const auto& row : structure["left_out"].toArray()) {
                const bool contact = row.toObject()["kind"].toString() == "contact";
                const QByteArray title = row.toObject()["row"].toString().replace('_', "\\_").toUtf8();
                QVERIFY2(answer.out.contains("\\paragraph{" + title + (contact ? ", a contact}" : ", friction}")), title);
            }
            with += modes ? 1 : 0;
        }
        QVERIFY(with > 10);
    }
};

QTEST_GUILESS_MAIN(TestExportEvents)
#include "test_export_events.moc"
