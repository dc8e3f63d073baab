// Plain text that parses back, LaTeX, and rich text.
#include <QtTest>

#include <array>

#include "core/expr/Parse.h"
#include "core/expr/PrintMarked.h"
#include "tests/expr/Names.h"
#include "tests/expr/RandomExpr.h"
#include "tests/support/Draw.h"

using namespace driftless::expr;

namespace {

constexpr std::array kTruths{"a", "b", "c", "d"};

/// Conditions as texts of equations have them, without their events.
class Conditions final : public Dialect {
public:
    Expr relation(const Expr& left, const Expr& right, bool strict, const std::string&) override
    {
        return strict ? less(right, left) : lessEqual(right, left);
    }
    bool knows(std::string_view) const override { return false; }
    driftless::Result<Expr> call(std::string_view, std::span<const Expr>) override { return driftless::Diagnostic{}; }
    std::string whyNotLogical(const Expr& e) const override
    {
        return e.symbol() && (e.symbol()->name == "x" || e.symbol()->name == "n") ? "a number" : "";
    }
};

Expr drawnCondition(driftless::test::Draw& draw, int depth)
{
    if (depth == 0)
        return draw.chance(0.7) ? parameter(draw.among(kTruths)) : less(variable("x"), parameter("n"));
    const Expr first = drawnCondition(draw, draw.upTo(0, depth - 1));
    switch (draw.upTo(0, 2)) {
    case 0:
        return logicalNot(first);
    case 1:
        return logicalAnd(first, drawnCondition(draw, draw.upTo(0, depth - 1)));
    default:
        return logicalOr(first, drawnCondition(draw, draw.upTo(0, depth - 1)));
    }
}

} // namespace

class TestPrint : public QObject {
    Q_OBJECT

private slots:
    void formats_data();
    void formats();
    void symbols_data();
    void symbols();
    void randomExpressionsParseBack();
    void conditionsAreWrittenWithTheirWords();
    void conditionsReadBackAsTheSame();
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
    QTest::newRow("word") << "angle" << 1 << "\\dot{\\mathrm{angle}}" << QString::fromUtf8("angle′");
    QTest::newRow("word with a subscript") << "coil.iL" << 2 << "\\ddot{\\mathrm{iL}}_{coil}"
                                           << QString::fromUtf8("iL″<sub>coil</sub>");
    QTest::newRow("a letter with a dot of its own") << "i_L" << 1 << "\\dot{i}_{L}" << QString::fromUtf8("i′<sub>L</sub>");
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

void TestPrint::conditionsAreWrittenWithTheirWords()
{
    const Expr a = parameter("a"), b = parameter("b"), c = parameter("c"), x = variable("x");
    const auto latex = [](const Expr& e) {
        return printLogical(e, Format::Latex, [](const Symbol& s) { return s.name == "c" ? "\\gamma" : std::string(); });
    };
    QCOMPARE(latex(logicalAnd(less(x, Expr(1)), logicalNot(a))), std::string("x < 1 \\land \\lnot a"));
    QCOMPARE(latex(logicalAnd(logicalOr(a, b), c)), std::string("\\left(a \\lor b\\right) \\land \\gamma"));
    QCOMPARE(latex(logicalNot(less(x, Expr(1)))), std::string("\\lnot \\left(x < 1\\right)"));
    QCOMPARE(latex(Expr(1)), std::string("\\text{true}"));
    QCOMPARE(latex(Expr(0)), std::string("\\text{false}"));
    QCOMPARE(print(ifThenElse(logicalAnd(a, b), x, Expr(2)), Format::Latex),
             std::string("\\begin{cases} x & \\text{if } a \\land b \\\\ 2 & \\text{otherwise} \\end{cases}"));
}

/// True for the same values of all that is mentioned.
void TestPrint::conditionsReadBackAsTheSame()
{
    const std::uint64_t seed = driftless::test::seedOr(48);
    const NameLookup lookup = [](std::string_view name, int) -> std::optional<Expr> {
        return name == "x" ? variable("x") : parameter(std::string(name));
    };
    for (int k = 0, count = driftless::test::countOr(400); k < count; ++k) {
        driftless::test::Draw draw(seed + static_cast<std::uint64_t>(k));
        const Expr e = drawnCondition(draw, draw.upTo(0, 6));
        const std::string text = printLogical(e, Format::Text, {});
        Conditions dialect;
        const auto back = parse(text, lookup, {}, {}, {}, &dialect);
        QVERIFY2(back.ok(), (std::to_string(seed) + " " + text).c_str());
        for (unsigned values = 0; values < 1U << (kTruths.size() + 1); ++values) {
            const auto valueOf = [values](const Symbol& s) -> std::optional<double> {
                for (std::size_t i = 0; i < kTruths.size(); ++i)
                    if (s.name == kTruths[i])
                        return (values >> i) & 1U;
                return s.name == "x" ? 0.5 : (values >> kTruths.size()) & 1U;
            };
            const auto had = evaluate(e, valueOf), has = evaluate(*back, valueOf);
            QVERIFY2(had && has && (*had != 0) == (*has != 0), text.c_str());
        }
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
