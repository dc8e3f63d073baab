// Shorter forms: like terms, sin^2 + cos^2, sums of angles; and expanding in some symbols only.
#include <QtTest>

#include <cmath>

#include "core/expr/Print.h"
#include "tests/expr/Names.h"

using namespace driftless::expr;

namespace {

double valueAt(const Expr& e, int point)
{
    return evaluate(
               e,
               [point](const Symbol& s) -> std::optional<double> { // spread over (0.3, 2.3), the same for a name everywhere
                   double sum = 0;
                   for (const char c : s.text())
                       sum = std::fmod(sum * 1.7 + c * 0.37 + point * 0.61, 2.0);
                   return 0.3 + sum;
               })
        .value();
}

} // namespace

class TestSimplified : public QObject {
    Q_OBJECT

private slots:
    void text_data()
    {
        QTest::addColumn<QString>("in");
        QTest::addColumn<QString>("out");
        const char* const rows[][2] = {{"sin(x)^2 + cos(x)^2", "1"},
                                       {"m*sin(x)^2 + m*cos(x)^2", "m"},
                                       {"2*sin(x)^2 + 3*cos(x)^2", "3*cos(x)^2 + 2*sin(x)^2"},
                                       {"(a*cos(x))^2 + (a*sin(x))^2 + b", "a^2 + b"},
                                       {"cos(x)*cos(y) + sin(x)*sin(y)", "cos(x - y)"},
                                       {"cos(x)*cos(y) - sin(x)*sin(y)", "cos(x + y)"},
                                       {"sin(x)*cos(y) + cos(x)*sin(y)", "sin(x + y)"},
                                       {"sin(x)*cos(y) - cos(x)*sin(y)", "sin(x - y)"},
                                       {"sin(y)*cos(x) - cos(y)*sin(x)", "-sin(x - y)"},
                                       {"(x + y)^2 - x^2 - y^2", "2*x*y"},
                                       {"(a + b)^2", "(a + b)^2"},
                                       {"x", "x"},
                                       {"0", "0"}};
        for (const auto& row : rows)
            QTest::newRow(row[0]) << row[0] << row[1];
    }
    void text()
    {
        QFETCH(QString, in);
        QFETCH(QString, out);
        const Expr e = parsed(in.toStdString());
        QVERIFY2(simplified(e).sameAs(parsed(out.toStdString())) || simplified(e).sameAs(simplified(parsed(out.toStdString()))),
                 print(simplified(e)).c_str());
        QVERIFY(nodeCount(simplified(e)) <= nodeCount(e));
    }

    void theValueStaysTheSame_data()
    {
        QTest::addColumn<QString>("in");
        for (const char* in :
             {"m*(x'*cos(x) - y*sin(x))^2 + m*(x'*sin(x) + y*cos(x))^2",
              "(x'*cos(x) + y'*cos(y))^2/2 + (x'*sin(x) + y'*sin(y))^2/2", "sin(x)*cos(y)*sin(z) - cos(x)*sin(y)*sin(z)",
              "cos(x)^2*cos(y)^2 + cos(x)^2*sin(y)^2 + sin(x)^2",
              "3*sin(x)^4 + 3*sin(x)^2*cos(x)^2 + cos(x)*sin(y) - sin(x)*cos(y)",
              "0.1*sin(x)^2 + 0.1*cos(x)^2 + x*(sin(y)^2 + cos(y)^2)"})
            QTest::newRow(in) << QString(in);
    }
    void theValueStaysTheSame()
    {
        QFETCH(QString, in);
        const Expr e = parsed(in.toStdString());
        for (const Expr& other :
             {simplified(e), expandIn(e, std::vector<Symbol>{*variable("x", 1).symbol(), *variable("y", 1).symbol()})})
            for (int point = 0; point < 20; ++point) {
                const double expected = valueAt(e, point), actual = valueAt(other, point);
                // A few dozen operations on numbers of the size of the terms, which cancel by a factor of at most a hundred.
                QVERIFY2(std::abs(actual - expected) <= 1e4 * std::numeric_limits<double>::epsilon() * (1 + std::abs(expected)),
                         print(other).c_str());
            }
    }

    void expandingInVelocitiesLeavesTheRestTogether()
    {
        const std::vector<Symbol> rates{*variable("x", 1).symbol(), *variable("y", 1).symbol()};
        QCOMPARE(print(expandIn(parsed("(a + b)*(x' + y')^2"), rates)),
                 print(parsed("x'^2*(a + b) + 2*x'*y'*(a + b) + y'^2*(a + b)")));
        QCOMPARE(print(expandIn(parsed("(a + b)^2*x'"), rates)), print(parsed("(a + b)^2*x'")));
        QVERIFY(expand(parsed("(a + b)^2")).sameAs(parsed("a^2 + 2*a*b + b^2")));
    }
};

QTEST_APPLESS_MAIN(TestSimplified)
#include "test_simplified.moc"
