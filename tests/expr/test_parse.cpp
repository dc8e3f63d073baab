// The parser: what it reads, and where it says what is wrong.
#include <QtTest>

#include "core/expr/Print.h"
#include "tests/expr/Names.h"

using namespace driftless;
using namespace driftless::expr;

class TestParse : public QObject {
    Q_OBJECT

private slots:
    void values_data();
    void values();
    void errors_data();
    void errors();
    void positionsAreOffsetByTheOrigin();
    void nearestNameIsSuggested();
    void hostileTexts();
    void aMinusBelongsToTheWholeProduct();
    void namesOverrideConstants();
};

void TestParse::values_data()
{
    QTest::addColumn<QString>("in");
    QTest::addColumn<double>("value");
    QTest::newRow("1e-3") << "1e-3" << 1e-3;
    QTest::newRow(".5") << ".5" << 0.5;
    QTest::newRow("5.") << "5." << 5.0;
    QTest::newRow("2.5E+2") << "2.5E+2" << 250.0;
    QTest::newRow("precedence") << "2 + 3*4" << 14.0;
    QTest::newRow("minus chain") << "10 - 3 - 2" << 5.0;
    QTest::newRow("quotient chain") << "24/4/2" << 3.0;
    QTest::newRow("power is right associative") << "2^3^2" << 512.0;
    QTest::newRow("minus is weaker than power") << "-2^2" << -4.0;
    QTest::newRow("negative exponent") << "2^-1" << 0.5;
    QTest::newRow("signs") << "--3 - +2" << 1.0;
    QTest::newRow("brackets") << "((2 + 3))*(4)" << 20.0;
    QTest::newRow("lines") << "1 +\n\t2\r\n* 3" << 7.0;
    QTest::newRow("if") << "if 1 < 2 then 3 else 4" << 3.0;
    QTest::newRow("else if") << "if 2 < 1 then 3 else if 1 >= 1 then 5 else 6" << 5.0;
    QTest::newRow("if in brackets") << "2*(if 1 > 2 then 3 else 4)" << 8.0;
    QTest::newRow("min") << "min(4, 3, 5, 2)" << 2.0;
    QTest::newRow("max") << "max(1, sqrt(9), 2)" << 3.0;
    QTest::newRow("atan2") << "4*atan2(1, 1) - pi" << 0.0;
    QTest::newRow("pi") << "cos(pi)" << -1.0;
    QTest::newRow("big integer") << "9007199254740993 - 9007199254740992" << 1.0;
}

void TestParse::values()
{
    QFETCH(QString, in);
    QFETCH(double, value);
    const Result<Expr> r = parse(in.toStdString(), knownName);
    QVERIFY2(r.ok(), r.ok() ? "" : r.error().text().c_str());
    QVERIFY(r->constantValue().has_value());
    QCOMPARE(*r->constantValue(), value);
}

void TestParse::errors_data()
{
    QTest::addColumn<QByteArray>("in");
    QTest::addColumn<int>("line");
    QTest::addColumn<int>("column");
    QTest::addColumn<QString>("says");
    struct Row {
        const char* in;
        int line, column;
        const char* says;
    };
    const Row rows[] = {{"", 1, 1, "ends where a value"},
                        {"   ", 1, 4, "ends where a value"},
                        {"x +", 1, 4, "ends where a value"},
                        {"x + * y", 1, 5, "Expected a value instead of '*'"},
                        {"x y", 1, 3, "operator is missing"},
                        {"2 x", 1, 3, "operator is missing"},
                        {"2x", 1, 1, "a product needs '*'"},
                        {"1.2.3", 1, 1, "runs into"},
                        {"(x", 1, 1, "never closed"},
                        {"((x)", 1, 1, "never closed"},
                        {"x)", 1, 2, "closes nothing"},
                        {")", 1, 1, "Expected a value"},
                        {"()", 1, 2, "Expected a value"},
                        {"(x y)", 1, 4, "Expected ')'"},
                        {"x^", 1, 3, "ends where"},
                        {"x^^2", 1, 3, "instead of '^'"},
                        {"x**2", 1, 3, "instead of '*'"},
                        {"*x", 1, 1, "Expected a value"},
                        {"x,y", 1, 2, "missing before ','"},
                        {"(x, y)", 1, 3, "only allowed between"},
                        {"sin", 1, 1, "needs its argument"},
                        {"sin x", 1, 1, "needs its argument"},
                        {"sin()", 1, 1, "takes one argument, not 0"},
                        {"sin(x, y)", 1, 1, "takes one argument, not 2"},
                        {"1 + atan2(x)", 1, 5, "takes two arguments, not 1"},
                        {"max(x)", 1, 1, "two or more"},
                        {"sin(x", 1, 4, "never closed"},
                        {"sin(x,)", 1, 7, "Expected a value"},
                        {"sinn(x + 1)", 1, 1, "Unknown function 'sinn'"},
                        {"x(2)", 1, 1, "no function"},
                        {"q", 1, 1, "Unknown name 'q'"},
                        {"x + bob.q", 1, 5, "Unknown name 'bob.q'"},
                        {"L'", 1, 1, "derivative 'L'' is not available"},
                        {"x +\n y +\n  q", 3, 3, "Unknown name"},
                        {"x\n)", 2, 1, "closes nothing"},
                        {"\n\n  +", 3, 4, "ends where"},
                        {"1e999", 1, 1, "does not fit"},
                        {"1 + 1e-999", 1, 5, "does not fit"},
                        {"10^400", 1, 1, "does not fit"},
                        {"2*10^400", 1, 3, "does not fit"},
                        {"1e300*1e300", 1, 1, "does not fit"},
                        {"1/0", 1, 3, "Division by zero"},
                        {"x/(2 - 2)", 1, 3, "Division by zero"},
                        {"x/0^pi", 1, 3, "Division by zero"},
                        {"0^-1", 1, 1, "does not fit"},
                        {"sqrt(-1)", 1, 1, "no real number"},
                        {"x + log(0)", 1, 5, "does not fit"},
                        {"1 + 1e200*x*1e200", 1, 5, "does not fit"},
                        {"1 + 5^400.2*x*5^400.2", 1, 5, "does not fit"},
                        {"asin(2)", 1, 1, "no real number"},
                        {"if x < 1 then 2", 1, 16, "Expected 'else'"},
                        {"if x then", 1, 10, "ends where"},
                        {"if x else 2", 1, 6, "Expected 'then'"},
                        {"then", 1, 1, "without its 'if'"},
                        {"x + if y then 1 else 2", 1, 5, "needs brackets"},
                        {"x < y < z", 1, 7, "cannot be chained"},
                        {"x = y", 1, 3, "'='"},
                        {"x & y", 1, 3, "'&'"},
                        {"x[1]", 1, 2, "'['"},
                        {"\"x\"", 1, 1, "'\"'"},
                        {"x; y", 1, 2, "';'"},
                        {"x + \xcf\x80", 1, 5, "'\xcf\x80'"},
                        {"x + \xff", 1, 5, "0xff"},
                        {"x \xc0\x80", 1, 3, "no UTF-8"},
                        {"x + \xe2\x82", 1, 5, "no UTF-8"},
                        {"x\x01", 1, 2, "control character 0x01"},
                        {"x +\n\x7f", 2, 1, "control character 0x7f"},
                        {"'", 1, 1, "'''"},
                        {".", 1, 1, "'.'"},
                        {"x.", 1, 2, "'.'"},
                        {"der(2)", 1, 1, "takes a variable"},
                        {"!x", 1, 1, "'!'"},
                        {"x -", 1, 4, "ends where"}};
    for (const Row& r : rows)
        QTest::newRow(qPrintable(QStringLiteral("%1: %2").arg(&r - rows).arg(r.says)))
            << QByteArray(r.in) << r.line << r.column << QString::fromUtf8(r.says);
}

void TestParse::errors()
{
    QFETCH(QByteArray, in);
    QFETCH(int, line);
    QFETCH(int, column);
    QFETCH(QString, says);
    const Result<Expr> r = parse(in.toStdString(), knownName, {}, kKnownNames);
    QVERIFY(!r.ok());
    QVERIFY2(QString::fromStdString(r.error().what).contains(says), r.error().text().c_str());
    QCOMPARE(r.error().position.line, line);
    QCOMPARE(r.error().position.column, column);
}

void TestParse::positionsAreOffsetByTheOrigin()
{
    const SourcePosition origin{"pendulum.toml", 12, 20};
    const Result<Expr> first = parse("x + q", knownName, origin);
    QCOMPARE(first.error().position.text(), std::string("pendulum.toml:12:24"));
    const Result<Expr> second = parse("x +\n q", knownName, origin);
    QCOMPARE(second.error().position.text(), std::string("pendulum.toml:13:2"));
}

void TestParse::nearestNameIsSuggested()
{
    const auto remedy = [](const char* text) { return parse(text, knownName, {}, kKnownNames).error().remedy; };
    QVERIFY(remedy("lamda*x").find("'lambda'") != std::string::npos);
    QVERIFY(remedy("bob.z + 1").find("'bob.") != std::string::npos);
    QVERIFY(remedy("sine(x)").find("'sin'") != std::string::npos);
    QVERIFY(remedy("completelyElse").empty());
}

void TestParse::hostileTexts()
{
    const std::string million(1'000'000, '(');
    const Result<Expr> tooLong = parse(million, knownName);
    QVERIFY(!tooLong.ok());
    QVERIFY(tooLong.error().what.find("1000000 characters") != std::string::npos);
    ParseLimits wide;
    wide.maxLength = 10'000'000;
    for (const char c : {'(', '-', '+'}) {
        const Result<Expr> deep = parse(std::string(1'000'000, c), knownName, {}, {}, wide);
        QVERIFY(!deep.ok());
        QVERIFY(deep.error().what.find("nested deeper than 200") != std::string::npos);
        QCOMPARE(deep.error().position.line, 1);
    }
    for (const char* piece : {"2^", "sin(", "if 1 then ", "if 1 then 1 else ", "min(1,", "(-"}) {
        std::string text;
        for (int i = 0; i < 5'000; ++i)
            text += piece;
        const Result<Expr> deep = parse(text + "1", knownName);
        QVERIFY2(!deep.ok() && deep.error().what.find("nested deeper") != std::string::npos, piece);
    }
    std::string flat = "x";
    for (int i = 0; i < 20'000; ++i)
        flat += i % 2 ? "+y" : "*z";
    QVERIFY(parse(flat, knownName).ok()); // long, but not deep
    const Result<Expr> digits = parse(std::string(90'000, '9'), knownName);
    QVERIFY(!digits.ok());
    QVERIFY(digits.error().text().size() < 200);
    const Result<Expr> name = parse(std::string(90'000, 'q'), knownName, {}, kKnownNames);
    QVERIFY(!name.ok());
    QVERIFY(name.error().text().size() < 200);
    QVERIFY(!parse(std::string("x\0y", 3), knownName).ok());
}

void TestParse::aMinusBelongsToTheWholeProduct()
{
    const auto read = [](const char* text) { return *parse(text, knownName); };
    QVERIFY(read("-(x + y)/x").sameAs(-read("(x + y)/x")));
    QVERIFY(read("y - -(x + y)/x").sameAs(read("y + (x + y)/x")));
    QVERIFY(!read("(-(x + y))/x").sameAs(read("-(x + y)/x"))); // brackets hold the minus where they say
    QVERIFY(read("-x^2").sameAs(read("-(x^2)")));
    QVERIFY(read("x*-y").sameAs(read("-(x*y)")));
}

void TestParse::namesOverrideConstants()
{
    const NameLookup own = [](std::string_view name, int) {
        return name == "pi" ? std::optional(variable("pi")) : std::nullopt;
    };
    QVERIFY(parse("pi", own)->symbol().has_value());
    QVERIFY(!parse("pi", knownName)->symbol().has_value());
}

QTEST_APPLESS_MAIN(TestParse)
#include "test_parse.moc"
