// export: the document has the rows that are integrated, is well formed, and is written whole or not at all.
#include <QtTest>

#include "tests/app/Driver.h"

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
