// Canonical forms: what a model's author reads must be what the sources print.
#include <QtTest>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "core/expr/Print.h"
#include "tests/expr/Names.h"
#include "tests/support/Draw.h"

using namespace driftless::expr;

class TestSimplify : public QObject {
    Q_OBJECT

private slots:
    void text_data();
    void text();
    void aPowerOfAProductKeepsItsValue();
    void theSlopeOfAPowerKeepsConstantFactors();
    void contentIsTheSameWhereverASumStands();
    void ruleTheSourcesDoNotAllowIsNotApplied();
    void constantArithmeticIsExactUntilItOverflows();
    void orderDoesNotDependOnTheOrderOfConstruction();
    void sumOfTenThousandTerms();
    void hundredThousandNestedFunctions();
    void equalGraphsBuiltTwiceCompareInLinearTime();
    void equalSymbolsAreOneNodeAsLongAsOneIsHeld();
    void smallIntegersAreOneNodeInAllThreads();
    void symbolsComeAndGoOnSeveralThreads();
};

/// (c x)^n is 1 at x = 1/c, though c^n may be no number.
void TestSimplify::aPowerOfAProductKeepsItsValue()
{
    const std::uint64_t seed = driftless::test::seedOr(49);
    for (int k = 0, count = driftless::test::countOr(500); k < count; ++k) {
        driftless::test::Draw draw(seed + static_cast<std::uint64_t>(k));
        const int c = draw.upTo(2, 99999), n = draw.upTo(-1100, 1100);
        const std::string number = draw.chance(0.5) ? std::to_string(c) + "*x" : "x/" + std::to_string(c);
        const std::string text = "(" + number + ")^(" + std::to_string(n) + ")";
        const Expr e = parsed(text);
        const double at = number.ends_with('x') ? 1.0 / c : c;
        const auto value = substitute(e, {{*variable("x", 0).symbol(), Expr(at)}}).constantValue();
        // A thousand factors, each known to its last digit.
        QVERIFY2(value && std::abs(*value - 1) <= 2000 * std::numeric_limits<double>::epsilon(), text.c_str());
    }
}

/// (10^-k 5^p x)^n with 10^-k 5^p near 1, whose numbers have squares that are none.
void TestSimplify::theSlopeOfAPowerKeepsConstantFactors()
{
    const std::uint64_t seed = driftless::test::seedOr(51);
    const Symbol x = *variable("x", 0).symbol();
    int infinite = 0;
    for (int k = 0, count = driftless::test::countOr(500); k < count; ++k) {
        driftless::test::Draw draw(seed + static_cast<std::uint64_t>(k));
        const int sign = draw.chance(0.5) ? 1 : -1, tens = draw.upTo(1, 300), n = draw.upTo(2, 6);
        const double power = sign * (tens / std::log10(5.0) + draw.between(-1, 1));
        const std::string text =
            "(1e" + std::to_string(-sign * tens) + "*5^(" + std::to_string(power) + ")*x)^" + std::to_string(n);
        const Expr e = parsed(text);
        const auto at = [&](const Expr& of) { return substitute(of, {{x, Expr(0.7)}}).constantValue().value_or(NAN); };
        const double slope = at(derivative(e, x)), expected = n * at(e) / 0.7;
        // The base is known to n times what its exponent of up to 430 loses. A number beyond the largest double is told.
        QVERIFY2(std::isinf(slope) || std::abs(slope - expected) <= 1e-11 * std::abs(expected), text.c_str());
        infinite += std::isinf(slope);
    }
    QVERIFY(50 * infinite <= driftless::test::countOr(500));
}

/// Sums with rational weights under powers and beside numbers: what is printed is read as the same structure.
void TestSimplify::contentIsTheSameWhereverASumStands()
{
    for (const char* text :
         {"4^-519", "x + 1 - 4^-519", "t*4^-519/x", "x/cosh(709)/15625", "x/cosh(709)/cosh(709)",
          "x/cosh(709)/t/(1 + x)/sinh(709)", "1e-200*(x + 1e-200*2)", "(25 + 4^-519)^4*111110"}) // with numbers that are none
        QVERIFY2(parsed(print(parsed(text))).sameAs(parsed(text)), text);
    const Expr square = parsed("(x - 12*cosh(653))^2"); // of which one term is no number
    QVERIFY(expand(square).sameAs(square));
    const std::uint64_t seed = driftless::test::seedOr(60);
    for (int k = 0, count = driftless::test::countOr(500); k < count; ++k) {
        driftless::test::Draw draw(seed + static_cast<std::uint64_t>(k));
        const auto number = [&] { return std::to_string(draw.upTo(1, 12)); };
        std::string sum;
        for (const char* term : {"x", "y", "1/t", "x^2*y", "sin(x)", "1"})
            if (draw.chance(0.6))
                sum += std::string(draw.chance(0.5) ? " + " : " - ") + number() + "*" + term + "/" + number();
        const std::string text =
            number() + "/" + number() + "*t^2*(2*x" + sum + ")^(" + std::to_string(draw.upTo(-3, 3)) + ")/" + number();
        const Expr e = parsed(text);
        QVERIFY2(parsed(print(e)).sameAs(e), (text + "  ->  " + print(e) + "  ->  " + print(parsed(print(e)))).c_str());
    }
}

void TestSimplify::text_data()
{
    QTest::addColumn<QString>("in");
    QTest::addColumn<QString>("out");
    const char* const rows[][2] = {{"x + 0", "x"},
                                   {"0*x", "0"},
                                   {"1*x", "x"},
                                   {"x - x", "0"},
                                   {"x/x", "1"},
                                   {"x + x", "2*x"},
                                   {"x*x", "x^2"},
                                   {"(5*m)^12211", "(5*m)^12211"},
                                   {"(5^120.2*m)^46", "(5^120.2*m)^46"},
                                   {"(5^-120.2*m)^46", "(m/5^120.2)^46"},
                                   {"(5^120.2*m)^2", "5^240.4*m^2"},
                                   {"(-x)^2001", "-x^2001"},
                                   {"5^30*x/-120.2", "-7.748107941892499e+18*x"},
                                   {"x^2*x^3", "x^5"},
                                   {"x^2/x^5", "1/x^3"},
                                   {"(x^2)^3", "x^6"},
                                   {"sqrt(x)^2", "x"},
                                   {"sqrt(x)*sqrt(x)", "x"},
                                   {"sqrt(a + b)^2", "a + b"},
                                   {"x^0", "1"},
                                   {"x^1", "x"},
                                   {"0^2", "0"},
                                   {"2^10", "1024"},
                                   {"2^-2", "1/4"},
                                   {"(2/3)^3", "8/27"},
                                   {"sqrt(4/9)", "2/3"},
                                   {"8^(1/3)", "2"},
                                   {"sqrt(2)*sqrt(2)", "2"},
                                   {"sqrt(2)", "sqrt(2)"},
                                   {"1/3 + 1/6", "1/2"},
                                   {"0.1 + 0.2", "0.3"},
                                   {"0.1", "0.1"},
                                   {"9.81*m", "9.81*m"},
                                   {"2.0*x", "2*x"},
                                   {"0.5*x*2", "x"},
                                   {"x^0.5", "sqrt(x)"},
                                   {"sin(0)", "0"},
                                   {"cos(0)", "1"},
                                   {"exp(0)", "1"},
                                   {"log(1)", "0"},
                                   {"log(exp(x))", "x"},
                                   {"sin(-x)", "-sin(x)"},
                                   {"cos(-x)", "cos(x)"},
                                   {"cos(y - x)", "cos(x - y)"},
                                   {"abs(-3)", "3"},
                                   {"sign(-2)", "-1"},
                                   {"abs(-x)", "abs(x)"},
                                   {"min(2, 3)", "2"},
                                   {"max(2, 3, 5)", "5"},
                                   {"min(x, x)", "x"},
                                   {"if 1 < 2 then x else y", "x"},
                                   {"if 2 <= 1 then x else y", "y"},
                                   {"if x < y then z else z", "z"},
                                   {"x^2 + y^2 - L^2", "x^2 + y^2 - L^2"},
                                   {"-L^2 + y^2 + x^2", "x^2 + y^2 - L^2"},
                                   {"L^2 - x^2", "L^2 - x^2"},
                                   {"1 - x", "1 - x"},
                                   {"-1 - x", "-x - 1"},
                                   {"3 - (2 - x)", "x + 1"},
                                   {"x*m*2*g", "2*g*m*x"},
                                   {"cos(phi)*phi'^2*L", "L*phi'^2*cos(phi)"},
                                   {"m*x'' + 2*lambda*x", "m*x'' + 2*lambda*x"},
                                   {"2*y*lambda + m*g + m*y''", "m*y'' + 2*lambda*y + g*m"},
                                   {"x'*x*2 + y'*y*2", "2*x*x' + 2*y*y'"},
                                   {"(x + y)/2", "x/2 + y/2"},
                                   {"2*(x + y) - 2*y", "2*x"},
                                   {"(x - y)^2 - (y - x)^2", "0"},
                                   {"m*(x'^2 + y'^2)/2", "m*(x'^2 + y'^2)/2"},
                                   {"(2*x + 2*y)/(2*sqrt(z))", "(x + y)/sqrt(z)"},
                                   {"x/(2*y)", "x/(2*y)"},
                                   {"a/b/c", "a/(c*b)"},
                                   {"x^-1", "1/x"},
                                   {"-x*y", "-x*y"},
                                   {"x*(-y)", "-x*y"},
                                   {"(-x)^2", "x^2"},
                                   {"(-x)^3", "-x^3"},
                                   {"(2*x*y)^2", "4*x^2*y^2"},
                                   {"sqrt(4*x)", "2*sqrt(x)"},
                                   {"sqrt(x*y)*sqrt(x*y)", "x*y"},
                                   {"3*x/2", "3*x/2"},
                                   {"2*pi*x", "2*pi*x"},
                                   {"x > y", "y < x"},
                                   {"x >= 1", "1 <= x"}};
    for (const auto& row : rows)
        QTest::newRow(row[0]) << row[0] << row[1];
}

void TestSimplify::text()
{
    QFETCH(QString, in);
    QFETCH(QString, out);
    QCOMPARE(QString::fromStdString(print(parsed(in.toStdString()))), out);
}

void TestSimplify::ruleTheSourcesDoNotAllowIsNotApplied()
{
    QVERIFY(!parsed("sqrt(x^2)").sameAs(parsed("x"))); // wrong for x < 0
    QVERIFY(!parsed("exp(log(x))").sameAs(parsed("exp(x)")));
    QVERIFY(!parsed("atan2(-y, -x)").sameAs(parsed("atan2(y, x)")));
    QVERIFY(!parsed("acos(-x)").sameAs(parsed("acos(x)")));
    const auto at = [](const char* text, double x) {
        return *evaluate(parsed(text), [x](const Symbol&) { return std::optional(x); });
    };
    QCOMPARE(at("sqrt(x^2)", -3.0), 3.0);
    QCOMPARE(at("abs(-x) + sign(-x)", -3.0), 4.0);
}

void TestSimplify::constantArithmeticIsExactUntilItOverflows()
{
    QVERIFY(pow(Expr(1e300), Expr(-303321)).isZero()); // below the smallest number, as products are
    QVERIFY(pow(Expr(1e-300), Expr(2)).isZero());
    QVERIFY(!pow(Expr(1e300), Expr(2)).isZero());
    const Expr power = parsed("1e300*(x + 50)^8"); // its terms fit into no double
    QVERIFY(expand(power).sameAs(power));
    Expr third = rational(1, 3);
    QVERIFY((third + third + third).isOne());
    QVERIFY((Expr(0.1) * 10).isOne());
    QCOMPARE(*rational(-6, -4).constantValue(), 1.5);
    const Expr big = pow(Expr(10), 18) * 10; // 10^19 exceeds 64 bits
    QCOMPARE(*big.constantValue(), 1e19);
    QCOMPARE(print(big), std::string("1e+19"));
    QVERIFY(pow(Expr(0), Expr(-1)).constantValue().has_value());
    QVERIFY(!std::isfinite(*pow(Expr(0), Expr(-1)).constantValue())); // not folded into a number
}

void TestSimplify::orderDoesNotDependOnTheOrderOfConstruction()
{
    std::vector<Expr> terms;
    for (const char* t : {"2*x*x''", "2*x'^2", "2*y*y''", "2*y'^2", "-L^2", "m*g", "3", "sin(phi)*x", "cos(phi)", "k*t", "pi",
                          "bob.x/rod.lambda1"})
        terms.push_back(parsed(t));
    const std::string expected = print(sum(terms));
    const std::string expectedProduct = print(product(terms));
    QVERIFY(expected.starts_with("cos(phi)"));
    std::mt19937 engine(7);
    for (int round = 0; round < 50; ++round) {
        std::shuffle(terms.begin(), terms.end(), engine);
        Expr folded;
        for (const Expr& t : terms)
            folded = folded + t;
        QCOMPARE(print(sum(terms)), expected);
        QCOMPARE(print(folded), expected);
        QVERIFY(folded.sameAs(sum(terms)));
        QCOMPARE(print(product(terms)), expectedProduct);
    }
}

void TestSimplify::sumOfTenThousandTerms()
{
    constexpr int kTerms = 10'000;
    const Expr w = variable("w");
    Expr e;
    std::vector<Expr> negatives;
    for (int i = 0; i < kTerms; ++i) {
        const Expr term = variable("v" + std::to_string(i)) * w;
        e = e + term;
        if (i > 0)
            negatives.push_back(-term);
    }
    QCOMPARE(symbolsOf(e).size(), std::size_t(kTerms + 1));
    negatives.push_back(e);
    const Expr difference = sum(negatives);
    QCOMPARE(print(difference), std::string("v0*w"));
}

void TestSimplify::hundredThousandNestedFunctions()
{
    constexpr int kDepth = 100'000;
    Expr e = variable("x");
    for (int i = 0; i < kDepth; ++i)
        e = sin(e);
    QCOMPARE(nodeCount(e), std::size_t(kDepth + 1));
    const auto value = evaluate(e, [](const Symbol&) { return std::optional(0.5); });
    // x_{n+1} = sin x_n tends to sqrt(3/n) with a relative error of order log(n)/n
    QVERIFY(std::abs(*value / std::sqrt(3.0 / kDepth) - 1) < 2 * std::log(double(kDepth)) / kDepth);
    QCOMPARE(print(e).size(), std::size_t(kDepth) * 5 + 1);
    const Expr other = substitute(e, {{Symbol{SymbolKind::Variable, "x", 0}, variable("y")}});
    QCOMPARE(symbolsOf(other).front().name, std::string("y"));
    QVERIFY(!other.sameAs(e));
    Expr again = variable("x");
    for (int i = 0; i < kDepth; ++i)
        again = sin(again);
    QVERIFY(again.sameAs(e));
    Expr tower = variable("x");
    const Expr y = variable("y");
    for (int i = 0; i < kDepth; ++i) // sums and products in turn cannot be flattened
        tower = (tower + 1) * y;
    QCOMPARE(nodeCount(tower), std::size_t(2 * kDepth + 2));
}

void TestSimplify::equalGraphsBuiltTwiceCompareInLinearTime()
{
    const auto build = [] { // 2^200 nodes as a tree
        Expr e = variable("x");
        for (int i = 0; i < 200; ++i)
            e = sin(e) * (cos(e) + 1);
        return e;
    };
    const Expr a = build();
    const Expr b = build();
    QVERIFY(a.sameAs(b));
    QVERIFY((a - b).isZero());
}

void TestSimplify::equalSymbolsAreOneNodeAsLongAsOneIsHeld()
{
    const Expr velocity = variable("held", 1);
    QCOMPARE(&variable("held", 1).node(), &velocity.node());
    QVERIFY(&variable("held", 2).node() != &velocity.node());
    QVERIFY(&parameter("held").node() != &velocity.node());
    QVERIFY(&rate(*variable("held").symbol()).node() != &velocity.node());
    std::weak_ptr<const Node> gone = variable("held by nobody").handle();
    QVERIFY(gone.expired());
    QCOMPARE(QString::fromStdString(variable("held by nobody").symbol()->name), QString("held by nobody"));
}

void TestSimplify::smallIntegersAreOneNodeInAllThreads()
{
    Expr square;
    std::thread([&square] { square = pow(variable("x"), 2); }).join();
    const Expr own = pow(variable("x"), 2);
    QCOMPARE(nodeCount(square + sin(pow(variable("y"), 2))), nodeCount(own + sin(pow(variable("y"), 2))));
    for (const int n : {-9, -8, -1, 0, 1, 8, 9}) {
        QCOMPARE(&Expr(n).node() == &Expr(n).node(), std::abs(n) <= 8);
        QVERIFY(Expr(n).sameAs(Expr(static_cast<double>(n))));
        QCOMPARE(QString::fromStdString(print(Expr(n))), QString::number(n));
    }
    QCOMPARE(std::signbit(*Expr(-0.0).constantValue()), false); // the exact 0 has no sign
    QCOMPARE(&Expr().node(), &Expr(0).node());
}

/// Released by one thread while another one asks for it.
void TestSimplify::symbolsComeAndGoOnSeveralThreads()
{
    constexpr int kThreads = 4, kTimes = 20'000, kNames = 3;
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t)
        threads.emplace_back([&wrong, t] {
            std::mt19937 generator(static_cast<unsigned>(t));
            Expr held;
            for (int k = 0; k < kTimes; ++k) {
                const auto order = static_cast<int>(generator() % kNames);
                const Expr x = variable("shared", order);
                wrong += x.symbol() != Symbol{SymbolKind::Variable, "shared", order};
                if (generator() % 4 == 0)
                    held = x;
                wrong += !(held + x - x).sameAs(held);
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    QCOMPARE(wrong.load(), 0);
}

QTEST_APPLESS_MAIN(TestSimplify)
#include "test_simplify.moc"
