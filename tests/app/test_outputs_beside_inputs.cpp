// What a command writes beside what it reads: nothing that is read is written over, figures are well-formed whatever their
// title says, and columns have one name each.
#include <QtTest>

#include <QFile>
#include <QXmlStreamReader>

#include "tests/app/Driver.h"

using namespace driftless::testing;

namespace {

const QByteArray kModel =
    "format = 1\ntitle = \"Cart & <pendulum> \\\"two\\\"\"\n[[body]]\nname = \"b\"\nkind = \"point\"\nmass = 1\n"
    "x = { start = 1 }\ny = 0\n[[joint]]\nname = \"rod\"\nkind = \"rod\"\nfrom = \"ground\"\nto = \"b\"\nlength = 1\n"
    "[[force]]\nkind = \"gravity\"\nacceleration = 9.81\n";

QString written(const QString& name, const QByteArray& text)
{
    const QString path = scratch(name);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
        qFatal("scratch");
    return path;
}

QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

const QByteArray kStudy =
    "title = \"T\"\nsummary = \"S\"\nsource = \"x\"\n[default]\nmodel = \"pendulum\"\nformulation = \"index-1\"\n"
    "integrator = \"rk4\"\nstep = 0.05\nend = 1\n[[run]]\nname = \"a\"\nevent = [{ t = %1, set = { %2 } }]\n"
    "[[table]]\nname = \"t\"\ntitle = \"t\"\ncolumn = [{ title = \"t\", measure = \"t\" }]\n";

} // namespace

class TestOutputsBesideInputs : public QObject {
    Q_OBJECT

private slots:
    void whatIsRead_isNotWrittenOver()
    {
        const QString model = written("kept.toml", kModel);
        const QList<QStringList> commands{
            {"run", model, "--csv", model},
            {"run", model, "--csv", scratch("../") + QDir(scratch("")).dirName() + "/kept.toml"},
            {"run", model, "--csv", "-"},
            {"export", model, "--as", "latex", "--out", model},
            {"render", model, "--png", model},
            {"render", model, "--png", scratch("picture.jpg")},
            {"figure", model, "--run", "index-1:rk4:step=0.05", "--out", scratch("a.svg"), "--out", scratch("./a.svg")}};
        for (const QStringList& command : commands) {
            const Answer answer = ask(command);
            QVERIFY2(answer.code == 2 && answer.messages() == 1, command.join(' ').toUtf8() + "\n" + answer.described());
            QCOMPARE(contents(model), kModel);
        }
        QVERIFY(!QFile::exists("-"));
        const Answer free = ask({"run", model, "--end", "0.1", "--csv", scratch("kept.csv")});
        QVERIFY2(free.code == 0, free.described());
    }

    void aTitleOfAnySigns_isWellFormed()
    {
        const QString model = written("signs.toml", kModel), svg = scratch("signs.svg"), tex = scratch("signs.tex");
        const Answer answer = ask({"figure", model, "--run", "projection:dop853:tol=1e-8", "--out", svg, "--caption", tex});
        QVERIFY2(answer.code == 0, answer.described());
        QXmlStreamReader xml(contents(svg));
        QString title;
        while (!xml.atEnd())
            if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == QLatin1String("title"))
                title = xml.readElementText();
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QVERIFY2(title.contains("Cart & <pendulum>"), qPrintable(title)); // escaped once
        const QString caption = QString::fromUtf8(contents(tex));
        QVERIFY2(caption.contains("10^{-8}") && !caption.contains(QChar(0x2212)), qPrintable(caption));
    }

    void columns_haveOneNameEach()
    {
        for (const char* model : {"two-pendula", "bouncing-ball-equations", "pendulum"}) {
            const QString csv = scratch("columns.csv");
            const Answer answer = ask({"run", model, "--end", "0.1", "--csv", csv});
            QVERIFY2(answer.code == 0, answer.described());
            const QList<QByteArray> names = contents(csv).split('\n').first().split(',');
            QCOMPARE(QSet<QByteArray>(names.begin(), names.end()).size(), names.size());
        }
    }

    void anEventOfAStudy_isBadInputWhereItCannotHappen()
    {
        const auto study = [](const char* t, const char* set) {
            return ask({"study", written("events.study.toml", QString(kStudy).arg(t, set).toUtf8()), "--out", scratch("events"),
                        "--no-figures"});
        };
        for (const auto& [t, set] : {std::pair("3", "L = 1.5"), std::pair("0.5", "nope = 1"), std::pair("0.5", "L = 99")}) {
            const Answer answer = study(t, set);
            QVERIFY2(answer.code == 2 && answer.err.contains(":12:"), answer.described()); // with its line
        }
        const Answer fine = study("0.5", "L = 1.5");
        QVERIFY2(fine.code == 0, fine.described());
    }

    void velocitiesWithOtherNames_areVelocities()
    {
        const QString model =
            written("named.toml", "format = 1\n[[coordinate]]\nname = \"a\"\nunit = \"m\"\nmass = 1\nstart = 1\n"
                                  "[[coordinate]]\nname = \"b\"\nunit = \"m\"\nmass = 1\n"
                                  "[[potential]]\nname = \"u\"\nenergy = \"9.81*b\"\n"
                                  "[[constraint]]\nname = \"rod\"\nholonomic = \"a^2 + b^2 - 1\"\n"
                                  "[velocity]\nnames = [\"u1\", \"u2\"]\nunits = [\"m/s\", \"m/s\"]\n"
                                  "[velocity.rates]\na = \"u1\"\nb = \"u2\"\n");
        const QStringList rest{"--formulation", "index-1", "--integrator", "dop853", "--rtol",
                               "1e-9",          "--atol",  "1e-9",         "--end",  "1"};
        const Answer named = ask(QStringList{"run", model} + rest),
                     plain = ask(QStringList{"run", written("plain.toml", kModel)} + rest);
        QVERIFY2(named.code == 0 && plain.code == 0, named.described());
        const double off =
            named.json()["state"].toObject()["a"].toDouble() - plain.json()["state"].toObject()["b.x"].toDouble();
        QVERIFY2(std::abs(off) < 1e-7, qPrintable(QString::number(off))); // a hundred steps at 1e-9
    }
};

QTEST_GUILESS_MAIN(TestOutputsBesideInputs)
#include "test_outputs_beside_inputs.moc"
