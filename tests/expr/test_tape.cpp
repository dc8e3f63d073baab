// The compiled tape: the same numbers as the graph, shared operations, no allocation, errors that name their cause.
#include <QtTest>

#include <QFile>

#include <bit>
#include <cmath>
#include <limits>

#include "core/expr/Print.h"
#include "core/expr/Tape.h"
#include "tests/expr/Names.h"
#include "tests/expr/RandomExpr.h"
#include "tests/support/CountAllocations.h"

using namespace driftless;
using namespace driftless::expr;

namespace {

const std::vector<Symbol> kBank{
    {SymbolKind::Variable, "x", 0}, {SymbolKind::Variable, "y", 0}, {SymbolKind::Parameter, "L", 0}};

Tape compiled(std::initializer_list<const char*> texts)
{
    std::vector<Expr> outputs;
    for (const char* t : texts)
        outputs.push_back(parsed(t));
    Result<Tape> r = Tape::compile(outputs, {kBank});
    if (!r)
        qFatal("%s", r.error().text().c_str());
    return std::move(r).value();
}

struct Outcome {
    bool finite;
    std::vector<double> values;
};

Outcome run(const Tape& tape, double x, double y = 0, double length = 1)
{
    const double bank[] = {x, y, length};
    TapeWorkspace w = tape.workspace();
    Outcome out{false, std::vector<double>(tape.outputCount())};
    out.finite = tape.evaluate({bank}, out.values.data(), w);
    return out;
}

} // namespace

class TestTape : public QObject {
    Q_OBJECT

private slots:
    void randomExpressionsHaveTheirValue();
    void everyOperatorEqualsTheGraph();
    void commonPartsAreComputedOnce();
    void integerPowersAreMultiplications();
    void banksAliasesAndConstants();
    void unknownSymbolIsNamed();
    void unusedBranchDoesNotPoison();
    void domainErrorIsNamed_data();
    void domainErrorIsNamed();
    void comparisonWithNanStaysNan();
    void machineCodeGivesTheInterpretersBits();
    void noPageIsWritableAndExecutable();
    void domainErrorOfALongTapeIsNamed();
    void evaluationAllocatesNothing();
    void deepGraphs();
};

void TestTape::randomExpressionsHaveTheirValue()
{
    RandomExpr random(11);
    std::vector<Symbol> bank;
    for (int i = 0; i < 4; ++i)
        bank.push_back(RandomExpr::symbolAt(i));
    for (int i = 0; i < 2000; ++i) {
        const Valued v = random.tree(1 + i % 6);
        const Result<Tape> tape = Tape::compile({&v.e, 1}, {bank});
        QVERIFY(tape.ok());
        TapeWorkspace w = tape->workspace();
        double out = 0;
        QVERIFY(tape->evaluate({RandomExpr::kPoint}, &out, w));
        // The bound is of first order and for one order of operations: canonical forms take at most a few times it.
        constexpr double kReordering = 16;
        const double tolerance = kReordering * (v.error + std::numeric_limits<double>::epsilon() * v.magnitude);
        QVERIFY2(std::abs(out - v.value) <= tolerance, print(v.e).c_str());
        const double graph = *evaluate(v.e, RandomExpr::valueOf);
        QVERIFY2(std::abs(graph - v.value) <= tolerance, print(v.e).c_str());
    }
}

/// Machine code is written and run through two views of the same memory.
void TestTape::noPageIsWritableAndExecutable()
{
    std::vector<Tape> tapes;
    for (int i = 0; i < 50; ++i)
        tapes.push_back(compiled({"sin(x)*y + L", "x/y"}));
    if (!tapes.front().isNative())
        QSKIP("no machine code on this processor");
    QFile maps("/proc/self/maps");
    QVERIFY(maps.open(QIODevice::ReadOnly));
    int executable = 0;
    for (const QByteArray& line : maps.readAll().split('\n')) {
        const QByteArray access = line.split(' ').value(1);
        executable += access.contains('x');
        QVERIFY2(!(access.contains('w') && access.contains('x')), line.constData());
    }
    QVERIFY(executable > 1); // the list was read
}

/// Many values at once, so that registers run out and values are stored and fetched again; every operator, several banks more
/// than there are registers for, outputs that are inputs, constants and one another.
void TestTape::machineCodeGivesTheInterpretersBits()
{
    if (!compiled({"x + y"}).isNative())
        QSKIP("no machine code on this processor");
    RandomExpr random(5);
    std::vector<std::vector<Symbol>> banks(6);
    std::vector<double> values[6];
    for (int i = 0; i < 4; ++i) {
        banks[static_cast<std::size_t>(i + 2)].push_back(RandomExpr::symbolAt(i));
        values[i + 2].push_back(RandomExpr::kPoint[i]);
    }
    const double* const pointers[] = {values[0].data(), values[1].data(), values[2].data(),
                                      values[3].data(), values[4].data(), values[5].data()};
    for (int round = 0; round < 60; ++round) {
        std::vector<Expr> outputs;
        for (int i = 0; i < 40; ++i)
            outputs.push_back(random.tree(1 + (i + round) % 6).e);
        outputs.push_back(symbol(RandomExpr::symbolAt(1)));
        outputs.push_back(parsed("2.5"));
        outputs.push_back(outputs.front());
        Expr all = outputs[0];
        for (std::size_t i = 1; i < outputs.size(); ++i) // the first outputs are read again at the very end
            all = all + (i % 2 ? outputs[i] * outputs[outputs.size() - i] : abs(outputs[i]));
        outputs.push_back(all);
        const Result<Tape> tape = Tape::compile(outputs, banks);
        QVERIFY(tape.ok());
        QVERIFY(tape->isNative());
        const Tape plain = tape->interpreted();
        QVERIFY(!plain.isNative());
        TapeWorkspace one = tape->workspace(), two = plain.workspace();
        std::vector<double> native(outputs.size(), -1), interpreted(outputs.size(), -2);
        QCOMPARE(tape->evaluate(pointers, native.data(), one), plain.evaluate(pointers, interpreted.data(), two));
        for (std::size_t i = 0; i < outputs.size(); ++i)
            QVERIFY2(std::bit_cast<std::uint64_t>(native[i]) == std::bit_cast<std::uint64_t>(interpreted[i])
                         || (std::isnan(native[i]) && std::isnan(interpreted[i])),
                     qPrintable(QString("output %1: %2, %3").arg(i).arg(native[i]).arg(interpreted[i])));
    }
    // Every operation that calls, and the sign tricks, on both sides of zero and outside of the domain.
    const Tape every = compiled({"abs(x)",      "-x",        "sqrt(x)",   "sign(x)", "sin(x)",
                                 "cos(x)",      "tan(x)",    "asin(x)",   "acos(x)", "atan(x)",
                                 "atan2(x, y)", "sinh(x)",   "cosh(x)",   "tanh(x)", "exp(x)",
                                 "log(x)",      "min(x, y)", "max(x, y)", "x^y",     "if x < y then x else y",
                                 "x/y"});
    const Tape plain = every.interpreted();
    for (const double x : {0.3, -0.3, 0.0, 2.0, -700.0})
        for (const double y : {0.7, -1.5, 0.0}) {
            const Outcome a = run(every, x, y), b = run(plain, x, y);
            QCOMPARE(a.finite, b.finite);
            for (std::size_t i = 0; i < a.values.size(); ++i)
                QVERIFY(std::bit_cast<std::uint64_t>(a.values[i]) == std::bit_cast<std::uint64_t>(b.values[i])
                        || (std::isnan(a.values[i]) && std::isnan(b.values[i])));
        }
}

void TestTape::everyOperatorEqualsTheGraph()
{
    for (const char* text : {"x + y",
                             "x - y",
                             "-x",
                             "x*y",
                             "x/y",
                             "x^7",
                             "x^-2",
                             "x^(3/2)",
                             "x^-0.5",
                             "x^y",
                             "x^65",
                             "sqrt(x)",
                             "abs(x - 2)",
                             "sign(x - 2)",
                             "sin(x)",
                             "cos(x)",
                             "tan(x)",
                             "asin(x/2)",
                             "acos(x/2)",
                             "atan(x)",
                             "atan2(x, y)",
                             "sinh(x)",
                             "cosh(x)",
                             "tanh(x)",
                             "exp(x)",
                             "log(x)",
                             "min(x, y)",
                             "max(x, y)",
                             "x < y",
                             "x <= y",
                             "y <= x",
                             "pi*x",
                             "if x < y then x else y",
                             "if y < x then x else y",
                             "1 - x - y",
                             "-x - y - 1",
                             "2*x/(3*y)",
                             "7"}) {
        const Expr e = parsed(text);
        const double point[] = {0.75, 1.25, 2};
        const auto value = evaluate(
            e, [&](const Symbol& s) { return std::optional(point[std::find(kBank.begin(), kBank.end(), s) - kBank.begin()]); });
        const Outcome out = run(compiled({text}), point[0], point[1], point[2]);
        QVERIFY2(out.finite, text);
        // x^65 is one call of pow; the others differ by a few roundings
        QVERIFY2(std::abs(out.values[0] - *value) <= 8 * std::numeric_limits<double>::epsilon() * std::abs(*value), text);
    }
}

void TestTape::commonPartsAreComputedOnce()
{
    QCOMPARE(compiled({"sin(x)*y", "sin(x)*L", "sin(x)"}).operationCount(), std::size_t(3));
    QCOMPARE(compiled({"x*y + 1", "x*y - 1"}).operationCount(), std::size_t(3));
    QCOMPARE(compiled({"x + y", "x + y"}).operationCount(), std::size_t(1));
    QCOMPARE(compiled({"sqrt(x^2 + y^2)", "1/sqrt(x^2 + y^2)", "x/(x^2 + y^2)^(3/2)"}).operationCount(), std::size_t(8));
    const Expr a = parsed("sin(x + y)^2"); // equal graphs that share no node
    const Expr b = parsed("sin(x + y)^2");
    QVERIFY(a.handle() != b.handle());
    const std::vector<Expr> both{a, b};
    QCOMPARE(Tape::compile(both, {kBank})->operationCount(), std::size_t(3));
}

void TestTape::integerPowersAreMultiplications()
{
    QCOMPARE(compiled({"x^2"}).operationCount(), std::size_t(1));
    QCOMPARE(compiled({"x^3"}).operationCount(), std::size_t(2));
    QCOMPARE(compiled({"x^8"}).operationCount(), std::size_t(3));
    QCOMPARE(compiled({"x^-2"}).operationCount(), std::size_t(2));
    QCOMPARE(compiled({"x/y^2"}).operationCount(), std::size_t(2));
    QCOMPARE(compiled({"sin(2) + cos(3) + x + 1"}).operationCount(), std::size_t(1)); // constants are folded
    QCOMPARE(compiled({"2*pi*sqrt(3)*x"}).operationCount(), std::size_t(1));
}

void TestTape::banksAliasesAndConstants()
{
    const std::vector<Expr> outputs{parsed("x"), Expr(3), parsed("L"), parsed("x"), parsed("k*x")};
    const Result<Tape> tape = Tape::compile(outputs, {{kBank[0]}, {}, {kBank[2], {SymbolKind::Parameter, "k", 0}}});
    QVERIFY(tape.ok());
    QCOMPARE(tape->bankCount(), std::size_t(3));
    const double x = 5;
    const double parameters[] = {7, 11};
    double out[5] = {};
    TapeWorkspace w = tape->workspace();
    QVERIFY(tape->evaluate({&x, nullptr, parameters}, out, w));
    const double expected[] = {5, 3, 7, 5, 55};
    for (int i = 0; i < 5; ++i)
        QCOMPARE(out[i], expected[i]);
    const Tape nothing;
    TapeWorkspace none = nothing.workspace();
    QVERIFY(nothing.evaluate(std::span<const double* const>(), nullptr, none));
}

void TestTape::unknownSymbolIsNamed()
{
    const Expr e = parsed("x + bob.x''");
    const Result<Tape> tape = Tape::compile({&e, 1}, {kBank});
    QVERIFY(!tape.ok());
    QVERIFY(tape.error().text().find("bob.x''") != std::string::npos);
}

void TestTape::unusedBranchDoesNotPoison()
{
    const Tape tape = compiled({"if x < 0 then 0 else sqrt(x)", "if 0 < x then 1/x else 7"});
    const Outcome out = run(tape, -4);
    QVERIFY(out.finite);
    QCOMPARE(out.values[0], 0.0);
    QCOMPARE(out.values[1], 7.0);
    QVERIFY(run(tape, 0).finite);
    QCOMPARE(run(tape, 0).values[1], 7.0);
    const double bank[] = {-4, 0, 1};
    QVERIFY(!tape.locate({bank}).has_value());
}

void TestTape::domainErrorIsNamed_data()
{
    QTest::addColumn<QString>("in");
    QTest::addColumn<double>("x");
    QTest::addColumn<QString>("expression");
    QTest::addColumn<QString>("reason");
    QTest::newRow("sqrt") << "1 + sqrt(L - x)" << 1.25 << "sqrt(L - x)"
                          << "square root of -0.25";
    QTest::newRow("inner") << "sin(sqrt(x)*y) + 3" << -4.0 << "sqrt(x)"
                           << "square root of -4";
    QTest::newRow("log") << "log(x)" << 0.0 << "log(x)"
                         << "logarithm of 0";
    QTest::newRow("log of negative") << "y*log(2*x)" << -1.0 << "log(2*x)"
                                     << "logarithm of -2";
    QTest::newRow("asin") << "asin(x)" << 1.5 << "asin(x)"
                          << "argument 1.5 outside [-1, 1]";
    QTest::newRow("acos") << "acos(x - 1)" << -0.5 << "acos(x - 1)"
                          << "argument -1.5 outside [-1, 1]";
    QTest::newRow("division") << "y/x" << 0.0 << "y/x"
                              << "division by zero";
    QTest::newRow("negative power") << "1/x^2" << 0.0 << "1/x^2"
                                    << "division by zero";
    QTest::newRow("0^y") << "x^(y - 1)" << 0.0 << "x^(y - 1)"
                         << "division by zero";
    QTest::newRow("0^-2.3") << "x^-2.3" << 0.0 << "1/x^2.3"
                            << "0 to the negative power -2.3";
    QTest::newRow("real power") << "x^1.3" << -2.0 << "x^1.3"
                                << "-2 to the power 1.3 is no real number";
    QTest::newRow("overflow") << "exp(x)" << 1000.0 << "exp(x)"
                              << "overflow: the result is too large for a number";
    QTest::newRow("0/0") << "y/x + 1" << 0.0 << "y/x"
                         << "division by zero";
    QTest::newRow("chosen branch") << "if x < 0 then sqrt(x) else log(x - 5)" << -9.0 << "sqrt(x)"
                                   << "square root of -9";
    QTest::newRow("input") << "x + y" << std::numeric_limits<double>::quiet_NaN() << "x"
                           << "the value given is not a finite number";
    QTest::newRow("alias") << "x" << std::numeric_limits<double>::infinity() << "x"
                           << "the value given is not a finite number";
}

void TestTape::domainErrorIsNamed()
{
    QFETCH(QString, in);
    QFETCH(double, x);
    QFETCH(QString, expression);
    QFETCH(QString, reason);
    const Tape tape = compiled({"y + L", in.toStdString().c_str()});
    QVERIFY(!run(tape, x).finite);
    const double bank[] = {x, 0, 1};
    const auto error = tape.locate({bank});
    QVERIFY(error.has_value());
    QCOMPARE(QString::fromStdString(error->expression), expression);
    QCOMPARE(QString::fromStdString(error->reason), reason);
}

void TestTape::comparisonWithNanStaysNan()
{
    for (const char* text :
         {"if sqrt(x) < 1 then 1 else 2", "min(1, sqrt(x))", "max(sqrt(x), 1)", "sign(sqrt(x))", "sqrt(x) <= 2"})
        QVERIFY2(!run(compiled({text}), -1).finite, text);
}

/// A tape of many operations does not remember what they come from: it says what they do.
void TestTape::domainErrorOfALongTapeIsNamed()
{
    constexpr int kRows = 8'000; // of three operations or more
    std::vector<Symbol> bank;
    std::vector<Expr> rows;
    for (int i = 0; i < kRows; ++i) {
        const Expr x = variable("x" + std::to_string(i));
        bank.push_back(*x.symbol());
        rows.push_back(sin(sqrt(x) * 3) + x);
    }
    const Result<Tape> tape = Tape::compile(rows, {bank});
    QVERIFY(tape.ok() && tape->operationCount() > 20'000);
    std::vector<double> at(bank.size(), 2.0), out(bank.size());
    QVERIFY(!tape->locate({at.data()}));
    at[5'000] = -4;
    TapeWorkspace w = tape->workspace();
    QVERIFY(!tape->evaluate({at.data()}, out.data(), w));
    const auto root = tape->locate({at.data()});
    QVERIFY(root);
    QCOMPARE(QString::fromStdString(root->expression), QStringLiteral("sqrt(x5000)"));
    QCOMPARE(QString::fromStdString(root->reason), QStringLiteral("square root of -4"));
    at[5'000] = std::numeric_limits<double>::infinity();
    const auto input = tape->locate({at.data()});
    QVERIFY(input);
    QCOMPARE(QString::fromStdString(input->expression), QStringLiteral("x5000"));
}

void TestTape::evaluationAllocatesNothing()
{
    const Tape tape = compiled({"x^2 + y^2 - L^2", "sin(x)*exp(y)/sqrt(L)", "if x < y then atan2(x, y) else min(x, y)^(1/3)"});
    TapeWorkspace w = tape.workspace();
    double out[3];
    double bank[] = {0.3, 0.4, 0.5};
    if (!test::countsAllocations())
        QSKIP("the sanitizer owns the allocator");
    const long before = test::allocationCount();
    for (int i = 0; i < 1000; ++i) {
        bank[0] += 1e-4;
        tape.evaluate({bank}, out, w);
    }
    QCOMPARE(test::allocationCount() - before, 0L);
    const std::vector<double> copy(3); // the counter counts
    QVERIFY(test::allocationCount() > before);
}

void TestTape::deepGraphs()
{
    constexpr int kDepth = 100'000;
    Expr e = variable("x");
    for (int i = 0; i < kDepth; ++i)
        e = sin(e);
    const Result<Tape> tape = Tape::compile({&e, 1}, {kBank});
    QVERIFY(tape.ok());
    QCOMPARE(tape->operationCount(), std::size_t(kDepth));
    const auto value = evaluate(e, [](const Symbol&) { return std::optional(0.5); });
    QCOMPARE(run(*tape, 0.5).values[0], *value); // the same operations in the same order
}

QTEST_APPLESS_MAIN(TestTape)
#include "test_tape.moc"
