// Derivatives of every operator against Richardson's finite differences, and the rules of time derivatives.
#include <QtTest>

#include <cmath>
#include <limits>

#include "core/expr/Print.h"
#include "core/expr/Tape.h"
#include "tests/expr/Names.h"
#include "tests/expr/RandomExpr.h"

using namespace driftless::expr;

namespace {

const Symbol kX{SymbolKind::Variable, "x", 0};

double at(const Expr& e, double x)
{
    return *evaluate(e, [x](const Symbol& s) { return std::optional(s == kX ? x : *RandomExpr::valueOf(s)); });
}

double central(const Expr& e, double x, double h) { return (at(e, x + h) - at(e, x - h)) / (2 * h); }

double richardson(const Expr& e, double x, double h) { return (4 * central(e, x, h / 2) - central(e, x, h)) / 3; }

/// |derivative - difference quotient| within the truncation, estimated by halving h, and the round-off eps |f| / h.
bool derivativeAgrees(const Expr& e, double x)
{
    constexpr double h = 1e-3;
    constexpr double kSafety = 20;
    const double coarse = richardson(e, x, h);
    const double fine = richardson(e, x, h / 2);
    const double scale = std::max({std::abs(at(e, x)), std::abs(at(e, x + h)), 1.0});
    const double tolerance = kSafety * (std::abs(coarse - fine) + std::numeric_limits<double>::epsilon() * scale / h);
    const double d = at(derivative(e, kX), x);
    if (!(std::abs(d - fine) <= tolerance))
        qWarning("%s at %g: %.15g, differences %.15g, tolerance %g", print(e).c_str(), x, d, fine, tolerance);
    return std::abs(d - fine) <= tolerance;
}

QString text(const Expr& e) { return QString::fromStdString(print(e)); }

} // namespace

class TestDerivative : public QObject {
    Q_OBJECT

private slots:
    void everyOperatorAgreesWithDifferences_data();
    void everyOperatorAgreesWithDifferences();
    void wrongDerivativeIsNoticed();
    void randomExpressionsAgreeWithDifferences();
    void timeDerivativeReadsLikeTheSources();
    void timeDerivativeFollowsTheRule();
    void timeDerivativeTakesSharedPartsOnce();
    void substitution();
    void expansion();
    void gradientAndJacobianAgree();
};

void TestDerivative::everyOperatorAgreesWithDifferences_data()
{
    QTest::addColumn<QString>("in");
    QTest::addColumn<double>("x");
    const std::pair<const char*, double> rows[] = {{"x + 3*x", 0.4},
                                                   {"x^2*(x + 1)", 0.7},
                                                   {"1/(x^2 + 1)", 0.3},
                                                   {"x^-3", 0.9},
                                                   {"x^(3/2)", 1.2},
                                                   {"x^2.5", 0.8},
                                                   {"x^x", 1.3},
                                                   {"2^x", 0.5},
                                                   {"sqrt(x + 1)", 0.6},
                                                   {"abs(x)", -0.7},
                                                   {"abs(x)", 0.7},
                                                   {"sign(x)*x", -0.4},
                                                   {"sin(2*x)", 0.9},
                                                   {"cos(x^2)", 0.9},
                                                   {"tan(x)", 0.8},
                                                   {"asin(x)", 0.35},
                                                   {"acos(x)", -0.35},
                                                   {"atan(3*x)", 0.2},
                                                   {"atan2(x, 2 - x)", 0.6},
                                                   {"atan2(1 + x^2, x)", -0.6},
                                                   {"sinh(x)", 0.7},
                                                   {"cosh(x)", -0.7},
                                                   {"tanh(x)", 0.4},
                                                   {"exp(-x^2/2)", 0.8},
                                                   {"log(x)", 0.6},
                                                   {"min(x, x^2)", 0.5},
                                                   {"min(x, x^2)", 1.5},
                                                   {"max(x, x^2)", 0.5},
                                                   {"max(x, x^2)", 1.5},
                                                   {"if x < 1 then x^3 else x", 0.5},
                                                   {"if x < 1 then x^3 else x", 1.5},
                                                   {"if x <= 1 then sin(x) else 0", 0.5},
                                                   {"(x < 1)*x^2", 0.5}};
    for (const auto& [in, x] : rows)
        QTest::newRow(qPrintable(QStringLiteral("%1 at %2").arg(in).arg(x))) << QString(in) << x;
}

void TestDerivative::everyOperatorAgreesWithDifferences()
{
    QFETCH(QString, in);
    QFETCH(double, x);
    const Expr e = parsed(in.toStdString());
    QVERIFY(derivativeAgrees(e, x));
    QVERIFY(derivativeAgrees(derivative(e, kX), x));
}

void TestDerivative::wrongDerivativeIsNoticed()
{
    const double fine = richardson(parsed("sin(x)"), 0.5, 1e-3);
    QVERIFY(std::abs(std::sin(0.5) - fine) > 0.1); // sin is not its own derivative
    QVERIFY(derivative(parsed("sin(x)"), kX).sameAs(parsed("cos(x)")));
}

void TestDerivative::randomExpressionsAgreeWithDifferences()
{
    RandomExpr random(2024);
    int checked = 0;
    for (int i = 0; i < 300; ++i) {
        const Valued v = random.tree(4);
        const Expr smooth = v.e;
        if (print(smooth).find("max") != std::string::npos) // kinks spoil difference quotients
            continue;
        ++checked;
        QVERIFY(derivativeAgrees(smooth, RandomExpr::kPoint[0]));
    }
    QVERIFY(checked > 100);
}

void TestDerivative::timeDerivativeReadsLikeTheSources()
{
    const Expr g = parsed("x^2 + y^2 - L^2");
    QCOMPARE(text(timeDerivative(g, 0)), QString("x^2 + y^2 - L^2"));
    QCOMPARE(text(timeDerivative(g)), QString("2*x*x' + 2*y*y'"));
    QCOMPARE(text(timeDerivative(g, 2)), QString("2*x*x'' + 2*x'^2 + 2*y*y'' + 2*y'^2"));
    QCOMPARE(text(timeDerivative(g, 3)), QString("2*x*x''' + 6*x'*x'' + 2*y*y''' + 6*y'*y''"));
    QCOMPARE(text(timeDerivative(parsed("L*sin(phi)"))), QString("L*phi'*cos(phi)"));
    QCOMPARE(text(timeDerivative(parsed("sin(omega*t)"))), QString("omega*cos(omega*t)"));
    QCOMPARE(text(timeDerivative(parsed("m*g*L"))), QString("0"));
}

void TestDerivative::timeDerivativeFollowsTheRule()
{
    const RateRule keepsRates = [](const Symbol& s) -> std::optional<Expr> {
        if (s.kind == SymbolKind::Variable && s.order == 1)
            return rate(s);
        return std::nullopt;
    };
    QCOMPARE(text(timeDerivative(parsed("x^2 - L"), 2, keepsRates)), QString("2*x*der(x') + 2*x'^2"));
    const RateRule frozen = [](const Symbol&) { return std::optional(Expr(0)); };
    QVERIFY(timeDerivative(parsed("x*t*y'"), 1, frozen).isZero());
}

void TestDerivative::timeDerivativeTakesSharedPartsOnce()
{
    Expr e = variable("x");
    for (int i = 0; i < 60; ++i) // 2^60 nodes as a tree
        e = sin(e) + cos(e);
    QVERIFY(nodeCount(e) < 200);
    QVERIFY(nodeCount(timeDerivative(e)) < 1000);
}

void TestDerivative::substitution()
{
    const Substitution swap{{kX, parsed("y")}, {Symbol{SymbolKind::Variable, "y", 0}, parsed("x")}};
    QVERIFY(substitute(parsed("x - 2*y + z"), swap).sameAs(parsed("y - 2*x + z"))); // at once, not one after the other
    QVERIFY(substitute(parsed("x^2 + y^2 - L^2"), {{kX, parsed("L*sin(phi)")}, {Symbol{SymbolKind::Variable, "y", 0}, Expr(0)}})
                .sameAs(parsed("L^2*sin(phi)^2 - L^2")));
    const Expr e = parsed("sin(z)");
    QVERIFY(substitute(e, swap).handle() == e.handle()); // untouched parts are shared
}

void TestDerivative::expansion()
{
    QCOMPARE(text(expand(parsed("(x + y)*(x - y)"))), QString("x^2 - y^2"));
    QCOMPARE(text(expand(parsed("(x + 1)^3"))), QString("x^3 + 3*x^2 + 3*x + 1"));
    QVERIFY((expand(parsed("(x + y + z)^4 - (x + y + z)^2*(x^2 + y^2 + z^2 + 2*x*y + 2*x*z + 2*y*z)"))).isZero());
    Expr large(1);
    for (int i = 0; i < 40; ++i) // 2^40 terms: must stay a product
        large = large * (variable("v" + std::to_string(i)) + 1);
    QVERIFY(nodeCount(expand(large)) < 100'000);
}

void TestDerivative::gradientAndJacobianAgree()
{
    const std::vector<Expr> rows{parsed("x*y"), parsed("sin(z)"), parsed("x - x + 3"), parsed("x^2 + z")};
    std::vector<Symbol> columns;
    for (const char* n : {"z", "x", "y"})
        columns.push_back({SymbolKind::Variable, n, 0});
    const auto entries = sparseJacobian(rows, columns);
    const std::vector<std::pair<int, int>> expected{{1, 0}, {3, 0}, {0, 1}, {3, 1}, {0, 2}};
    QCOMPARE(entries.size(), expected.size());
    for (std::size_t i = 0; i < entries.size(); ++i) {
        QCOMPARE(std::pair(entries[i].row, entries[i].column), expected[i]);
        const auto row = gradient(rows[static_cast<std::size_t>(entries[i].row)], columns);
        QVERIFY(entries[i].value.sameAs(row[static_cast<std::size_t>(entries[i].column)]));
    }
    const std::vector<Expr> same{rows[0], rows[0]};
    QCOMPARE(sparseJacobian(same, columns).size(), std::size_t(4));
}

QTEST_APPLESS_MAIN(TestDerivative)
#include "test_derivative.moc"
