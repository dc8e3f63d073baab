// export: the document has the rows that are integrated, is well formed, and is written whole or not at all.
#include <QtTest>

#include <QFileInfo>

#include "tests/app/Driver.h"
#include "tests/support/Draw.h"

using namespace driftless::testing;

namespace {

/// Of the groups in LaTeX text, how many are open at its end; -1 where one closes that was not open.
int openGroups(const QByteArray& text)
{
    int depth = 0;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text[i] == '\\')
            ++i;
        else if (text[i] == '{')
            ++depth;
        else if (text[i] == '}' && --depth < 0)
            return -1;
    }
    return depth;
}

/// What a shell says to the first line of a document, with this build first in its path.
Answer repeated(const QByteArray& document)
{
    const QByteArray line = document.left(document.indexOf('\n'));
    QProcess shell;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("PATH", QFileInfo(DRIFTLESS_EXECUTABLE).path() + ":" + environment.value("PATH"));
    shell.setProcessEnvironment(environment);
    shell.start("sh", {"-c", QString::fromUtf8(line.mid(QByteArray("% Written by Driftless: ").size()))});
    Answer answer;
    answer.finished = shell.waitForFinished(300'000) && shell.exitStatus() == QProcess::NormalExit;
    answer.code = shell.exitCode();
    answer.out = shell.readAllStandardOutput();
    answer.err = shell.readAllStandardError();
    return answer;
}

/// Options of an export of a pendulum or of a text of equations.
QStringList drawnOptions(driftless::test::Draw& draw, const QString& odd)
{
    const auto value = [&](const char* name, double low, double high) {
        return QStringList{"--set", QString("%1=%2").arg(name).arg(draw.decimal(low, high))};
    };
    if (draw.chance(0.25)) {
        QStringList out{"export", "bouncing-ball-equations"};
        if (draw.chance(0.7))
            out << value("e", 0.1, 0.9);
        if (draw.chance(0.7))
            out << value("h", 0.5, 2);
        return draw.chance(0.5) ? out << "--fragment" : out;
    }
    QStringList out{"export", draw.chance(0.5) ? QString("pendulum") : odd};
    if (draw.chance(0.6))
        out << value("L", 0.5, 2);
    if (draw.chance(0.6))
        out << value("bob.y'", -1, 1);
    if (draw.chance(0.3))
        out << QStringList{"--set", "m=2*(1 + pi)"};
    switch (draw.upTo(0, 4)) {
    case 0:
        out << QStringList{"--formulation", "baumgarte"} << value("omega", 1, 20) << value("xi", 0.5, 2);
        break;
    case 1:
        out << QStringList{"--formulation", "penalty"} << value("k", 1e3, 1e5);
        break;
    case 2:
        out << QStringList{"--formulation", "dummy-derivatives", "--pivot", draw.chance(0.5) ? "x" : "auto"};
        break;
    case 3:
        out << QStringList{"--formulation", "projection",
                           "--option",      draw.chance(0.5) ? "levels=position and velocity" : "levels=velocity",
                           "--option",      draw.chance(0.5) ? "metric=mass" : "metric=identity"};
        break;
    default:
        break;
    }
    return draw.chance(0.3) ? out << "--fragment" : out;
}

} // namespace

class TestExport : public QObject {
    Q_OBJECT

private slots:
    void rowsAreThoseOfTheForm_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("formulation");
        for (const auto& [model, form] : {std::pair{"pendulum", "projection"},
                                          {"pendulum", "baumgarte"},
                                          {"slider-crank", "ggl"},
                                          {"gyroscope", "dummy-derivatives"},
                                          {"car-axis", "index-3"}})
            QTest::addRow("%s %s", model, form) << QString(model) << QString(form);
    }
    void rowsAreThoseOfTheForm()
    {
        QFETCH(QString, model);
        QFETCH(QString, formulation);
        const Answer document = ask({"export", model, "--formulation", formulation, "--as", "latex"});
        VERIFY_SANE(document);
        QVERIFY2(document.code == 0, document.described());
        QVERIFY(document.out.contains("\\begin{document}") && document.out.trimmed().endsWith("\\end{document}"));
        QVERIFY(document.out.contains("\\begin{tikzpicture}"));
        QCOMPARE(openGroups(document.out), 0);
        QCOMPARE(document.out.count("\\begin{list}"), document.out.count("\\end{list}"));
        const Answer rows = ask({"equations", model, "--formulation", formulation, "--format", "latex"});
        QVERIFY2(rows.code == 0, rows.described());
        int compared = 0;
        for (const auto& row : rows.json()["rows"].toArray()) {
            const QByteArray equation = row.toObject()["equation"].toString().toUtf8();
            if (equation.size() > 160) // set in another way, so that it breaks over lines
                continue;
            QVERIFY2(document.out.contains("$\\displaystyle " + equation + "$"), equation);
            ++compared;
        }
        QVERIFY(compared >= 3);
    }

    /// Parameters as they are set, in the units of the model.
    void valuesAreThoseSet()
    {
        const Answer answer = ask({"export", "pendulum", "--set", "L=1.25", "--formulation", "index-1"});
        QVERIFY2(answer.code == 0, answer.described());
        QVERIFY2(answer.out.contains("$1.25$ $\\mathrm{m}$"), answer.out);
    }

    /// The first line makes the document again, to the last byte.
    void theFirstLineMakesTheDocument()
    {
        const QString odd = scratch("a pendulum's $HOME `x`.toml");
        QFile::remove(odd);
        QVERIFY(QFile::copy(QString(DRIFTLESS_SOURCE_DIR) + "/resources/models/pendulum.toml", odd));
        const std::uint64_t seed = driftless::test::seedOr(48);
        int made = 0;
        for (int k = 0, count = driftless::test::countOr(16); k < count; ++k) {
            driftless::test::Draw draw(seed + static_cast<std::uint64_t>(k));
            const QStringList options = drawnOptions(draw, odd);
            const Answer document = ask(options);
            VERIFY_SANE(document);
            if (document.code == 2) // an option that the form does not have
                continue;
            const Answer again = repeated(document.out);
            QVERIFY2(again.code == 0 && again.out == document.out,
                     QByteArray::number(seed + static_cast<std::uint64_t>(k)) + ' ' + options.join(' ').toUtf8() + '\n'
                         + document.out.left(document.out.indexOf('\n')) + '\n' + again.described());
            ++made;
        }
        QVERIFY(made > 0);
        QVERIFY(driftless::test::countOr(16) < 16 || made >= 12);
    }

    void fragmentIsReadIntoAnotherDocument()
    {
        const Answer answer = ask({"export", "pendulum", "--fragment"});
        QVERIFY2(answer.code == 0, answer.described());
        QVERIFY(!answer.out.contains("\\documentclass") && !answer.out.contains("{document}"));
        QVERIFY(answer.out.contains("%   \\usepackage{amsmath,longtable,tikz}") && answer.out.contains("\\section*{Pendulum}"));
    }

    /// Words of a stranger's file are words and no commands.
    void wordsAreEscaped()
    {
        QFile file(scratch("words.toml"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("format = 1\nname = \"words\"\ntitle = \"50 % of \\\\input{/etc/passwd} & #1 $x_1^2$ ~ \u03bb \u4e2d\"\n"
                   "[parameters]\nm = { value = 2.5e-7, unit = \"kg\" }\n"
                   "[[body]]\nname = \"bob\"\nkind = \"point\"\nmass = \"m\"\nx = { start = 1 }\ny = { start = 0 }\n");
        file.close();
        const Answer answer = ask({"export", file.fileName()});
        VERIFY_SANE(answer);
        QVERIFY2(answer.code == 0, answer.described());
        QVERIFY2(
            answer.out.contains("50 \\% of \\textbackslash{}input\\{/etc/passwd\\} \\& \\#1 \\$x\\_1\\textasciicircum{}2\\$ "
                                "\\textasciitilde{} $\\lambda$ ?"),
            answer.out);
        QVERIFY2(answer.out.contains("$2.5\\cdot 10^{-7}$ $\\mathrm{kg}$"), answer.out);
    }

    void aFileIsWrittenWholeOrNotAtAll()
    {
        const QString path = scratch("pendulum.tex");
        const Answer answer = ask({"export", "pendulum", "--out", path});
        QCOMPARE(answer.code, 0);
        QVERIFY(answer.isJson());
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(answer.json()["bytes"].toInt(), int(file.size()));
        for (const QStringList& bad : {QStringList{"pendulum", "--out", scratch("no/such/folder.tex")},
                                       {"no-such-model"},
                                       {"pendulum", "--formulation", "no-such-form"},
                                       {"pendulum", "--as", "word"}}) {
            const Answer refused = ask(QStringList{"export"} + bad);
            VERIFY_SANE(refused);
            QVERIFY2(refused.code == 2 && refused.out.isEmpty() && refused.messages() == 1, refused.described());
        }
    }
};

QTEST_GUILESS_MAIN(TestExport)
#include "test_export.moc"
