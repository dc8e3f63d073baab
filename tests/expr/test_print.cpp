// Plain text that parses back, LaTeX, and rich text.
#include <QtTest>

#include "core/expr/Print.h"
#include "tests/expr/Names.h"
#include "tests/expr/RandomExpr.h"

using namespace driftless::expr;

class TestPrint : public QObject {
    Q_OBJECT

private slots:
    void formats_data();
    void formats();
    void symbols_data();
    void symbols();
    void randomExpressionsParseBack();
    void exponentiallyLongTextIsCut();
};

void TestPrint::formats_data()
{
    QTest::addColumn<QString>("in");
    QTest::addColumn<QString>("latex");
    QTest::addColumn<QString>("html");
    const QString thin(QChar(0x2009));
    const auto row = [&thin](const char* in, const char* latex, const char* html) {
        QTest::newRow(in) << in << latex << QString::fromUtf8(html).replace('~', thin);
    };
    row("2*x*x'' + 2*x'^2", "2 x \\ddot{x} + 2 \\dot{x}^{2}", "2~x~ẍ + 2~ẋ<sup>2</sup>");
    row("x^2 - L^2", "x^{2} - L^{2}", "x<sup>2</sup> − L<sup>2</sup>");
    row("x/(2*y)", "\\frac{x}{2 y}", "x/(2~y)");
    row("-x/2", "-\\frac{x}{2}", "−x/2");
    row("1/(x + y)", "\\frac{1}{x + y}", "1/(x + y)");
    row("(x + y)^2", "\\left(x + y\\right)^{2}", "(x + y)<sup>2</sup>");
    row("sqrt(x + 1)", "\\sqrt{x + 1}", "√(x + 1)");
    row("sin(phi)^2", "\\sin\\left(\\phi\\right)^{2}", "sin(φ)<sup>2</sup>");
    row("abs(x)", "\\left|x\\right|", "|x|");
    row("m*(x'^2 + y'^2)/2", "\\frac{m \\left(\\dot{x}^{2} + \\dot{y}^{2}\\right)}{2}", "m~(ẋ<sup>2</sup> + ẏ<sup>2</sup>)/2");
    row("x <= y", "x \\le y", "x ≤ y");
    row("if x < 1 then 2 else y", "\\begin{cases} 2 & \\text{if } x < 1 \\\\ y & \\text{otherwise} \\end{cases}",
        "if x &lt; 1 then 2 else y");
    row("1e-20*x", "1 \\cdot 10^{-20} x", "1·10<sup>−20</sup>~x");
    row("1e-07*x", "1 \\cdot 10^{-7} x", "1·10<sup>−7</sup>~x");
    row("2*pi", "2 \\pi", "2~π");
    row("3*2^x", "3 \\cdot 2^{x}", "3·2<sup>x</sup>");
    row("2*der(x')", "2 \\left(\\frac{d}{dt}\\dot{x}\\right)", "2~(dẋ/dt)");
    row("x'''^2", "\\dddot{x}^{2}", "(x<sup>(3)</sup>)<sup>2</sup>");
    row("min(x, y, 3)", "\\min\\left(x, y, 3\\right)", "min(x, y, 3)");
    row("exp(-k*t)", "\\exp\\left(-k t\\right)", "exp(−k~t)");
    row("x^(2/3)", "x^{\\frac{2}{3}}", "x<sup>2/3</sup>");
}

void TestPrint::formats()
{
    QFETCH(QString, in);
    QFETCH(QString, latex);
    QFETCH(QString, html);
    const Expr e = parsed(in.toStdString());
    QCOMPARE(QString::fromStdString(print(e)), in);
    QCOMPARE(QString::fromStdString(print(e, Format::Latex)), latex);
    QCOMPARE(QString::fromStdString(print(e, Format::Html)), html);
}

void TestPrint::symbols_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("order");
    QTest::addColumn<QString>("latex");
    QTest::addColumn<QString>("html");
    QTest::newRow("dotted name") << "bob.x" << 1 << "\\dot{x}_{bob}" << QString::fromUtf8("ẋ<sub>bob</sub>");
    QTest::newRow("digits") << "phi0" << 0 << "\\phi_{0}" << QString::fromUtf8("φ<sub>0</sub>");
    QTest::newRow("both") << "rod.lambda1" << 0 << "\\lambda_{1,rod}" << QString::fromUtf8("λ<sub>1,rod</sub>");
    QTest::newRow("combining dot") << "phi" << 1 << "\\dot{\\phi}" << QString::fromUtf8("φ\u0307");
    QTest::newRow("combining dots") << "mu" << 2 << "\\ddot{\\mu}" << QString::fromUtf8("μ\u0308");
    QTest::newRow("ready-made") << "y" << 2 << "\\ddot{y}" << QString::fromUtf8("ÿ");
    QTest::newRow("word") << "angle" << 1 << "\\dot{\\mathrm{angle}}" << QString::fromUtf8("ang\u0307le");
    QTest::newRow("underscore") << "x_max" << 0 << "x_{max}"
                                << "x<sub>max</sub>";
    QTest::newRow("fourth") << "x" << 4 << "x^{(4)}"
                            << "x<sup>(4)</sup>";
    QTest::newRow("greek") << "omega" << 0 << "\\omega" << QString::fromUtf8("ω");
    QTest::newRow("xi") << "xi" << 0 << "\\xi" << QString::fromUtf8("ξ");
}

void TestPrint::symbols()
{
    QFETCH(QString, name);
    QFETCH(int, order);
    QFETCH(QString, latex);
    QFETCH(QString, html);
    const Symbol s{SymbolKind::Variable, name.toStdString(), order};
    QCOMPARE(QString::fromStdString(print(s, Format::Latex)), latex);
    QCOMPARE(QString::fromStdString(print(s, Format::Html)), html);
    QCOMPARE(QString::fromStdString(print(s, Format::Text)), name + QString(order, '\''));
}

void TestPrint::randomExpressionsParseBack()
{
    RandomExpr random(5);
    const NameLookup lookup = [](std::string_view name, int primes) -> std::optional<Expr> {
        for (int i = 0; i < 4; ++i) {
            const Symbol s = RandomExpr::symbolAt(i);
            if (s.name == name)
                return s.kind == SymbolKind::Parameter ? parameter(s.name) : variable(s.name, primes);
        }
        return std::nullopt;
    };
    for (int i = 0; i < 3000; ++i) {
        const Expr e = random.tree(1 + i % 5).e;
        const std::string text = print(e);
        const auto back = parse(text, lookup);
        QVERIFY2(back.ok(), text.c_str());
        QVERIFY2(back->sameAs(e), (text + "  became  " + print(*back)).c_str());
        QVERIFY2(text.find("+ -") == std::string::npos && text.find("- -") == std::string::npos, text.c_str());
    }
}

void TestPrint::exponentiallyLongTextIsCut()
{
    Expr e = variable("x");
    for (int i = 0; i < 100; ++i)
        e = sin(e) + cos(e);
    QVERIFY(printShort(e).size() < 100);
    QVERIFY(printShort(e).ends_with("..."));
}

QTEST_APPLESS_MAIN(TestPrint)
#include "test_print.moc"
