// Linear systems solved on a tape: the solution, the residual that says whether the pivots suit the numbers, and machine code
// against the interpreter.
#include <QtTest>

#include <array>
#include <cmath>
#include <random>

#include "core/expr/Tape.h"
#include "tests/support/Draw.h"

using namespace driftless;
using namespace driftless::expr;

namespace {

constexpr double kTolerated = 1e-13;

/// A x = b, all numbers inputs: b first, then the entries.
struct Drawn {
    Tape::LinearSystem system;
    Tape tape, plain; ///< judged, and not
    std::vector<double> inputs;
};

Drawn drawn(std::mt19937& random, int n)
{
    const auto number = [&random] { return static_cast<double>(random()) / 2147483648.0 - 1; };
    Drawn d;
    d.system.size = n;
    std::vector<int> column(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i)
        column[static_cast<std::size_t>(i)] = i;
    std::shuffle(column.begin(), column.end(), random);
    for (int i = 0; i < n; ++i)
        d.inputs.push_back(number());
    for (int i = 0; i < n; ++i) {
        d.system.pivots.emplace_back(i, column[static_cast<std::size_t>(i)]);
        for (int j = 0; j < n; ++j)
            if (const bool pivot = j == column[static_cast<std::size_t>(i)]; pivot || random() % 3 == 0) {
                d.system.places.emplace_back(i, j);
                d.inputs.push_back(pivot ? 4 + number() : number());
            }
    }
    std::vector<Expr> outputs;
    std::vector<Symbol> bank;
    for (std::size_t k = 0; k < d.inputs.size(); ++k) {
        bank.push_back(Symbol{.name = "a" + std::to_string(k)});
        outputs.push_back(symbol(bank.back()));
    }
    Tape::Solution solution = std::move(Tape::compileSolution(outputs, {bank}, d.system, kTolerated)).value();
    d.tape = std::move(solution.judged);
    d.plain = std::move(solution.plain);
    return d;
}

/// x_i = values_i: a solution that is the values as they are.
Tape valuesOnly(const std::vector<Expr>& values, std::vector<Symbol> bank)
{
    Tape::LinearSystem system{.size = static_cast<int>(values.size()), .places = {}, .pivots = {}};
    std::vector<Expr> outputs(values);
    for (int i = 0; i < system.size; ++i) {
        system.places.emplace_back(i, i);
        system.pivots.emplace_back(i, i);
        outputs.push_back(Expr(1));
    }
    return std::move(Tape::compileSolution(outputs, {std::move(bank)}, system, kTolerated)).value().plain;
}

/// Sines and cosines on a tape.
int callsOf(const Tape& tape)
{
    const std::string text = tape.source(std::vector<std::string>{"x"}, "y");
    int count = 0;
    for (const char* name : {"sin(", "cos("})
        for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1))
            ++count;
    return count;
}

/// |b - A x| of the largest row.
double residual(const Drawn& d, const std::vector<double>& x)
{
    const auto n = static_cast<std::size_t>(d.system.size);
    std::vector<double> rest(d.inputs.begin(), d.inputs.begin() + d.system.size);
    for (std::size_t k = 0; k < d.system.places.size(); ++k)
        rest[static_cast<std::size_t>(d.system.places[k].first)] -=
            d.inputs[n + k] * x[static_cast<std::size_t>(d.system.places[k].second)];
    double worst = 0;
    for (const double r : rest)
        worst = std::max(worst, std::abs(r));
    return worst;
}

} // namespace

class TestSolutionTape : public QObject {
    Q_OBJECT
private slots:
    void solution_hasNoResidual_andTheRowsSaySo()
    {
        std::mt19937 random(7);
        for (int k = 0; k < 100; ++k) {
            Drawn d = drawn(random, 1 + static_cast<int>(random() % 12));
            auto work = d.tape.workspace();
            std::vector<double> out(d.tape.outputCount());
            QVERIFY(d.tape.evaluate({d.inputs.data()}, out.data(), work));
            const auto n = static_cast<std::size_t>(d.system.size);
            QCOMPARE(out.size(), 2 * n);
            QVERIFY(residual(d, out) < 1e-12); // numbers of size one, diagonally heavy
            for (std::size_t i = n; i < out.size(); ++i)
                QVERIFY(out[i] <= 0);
        }
    }

    void machineCode_givesTheBitsOfTheInterpreter()
    {
        std::mt19937 random(8);
        for (int k = 0; k < 30; ++k) {
            Drawn d = drawn(random, 1 + static_cast<int>(random() % 10));
            for (const Tape* tape : {&d.tape, &d.plain}) {
                const Tape slow = tape->interpreted();
                auto work = tape->workspace(), slowWork = slow.workspace();
                std::vector<double> a(tape->outputCount()), b(a.size());
                QVERIFY(tape->evaluate({d.inputs.data()}, a.data(), work));
                QVERIFY(slow.evaluate({d.inputs.data()}, b.data(), slowWork));
                QVERIFY(a == b);
            }
        }
    }

    void machineCode_withFunctionsOfAngles_givesTheBitsOfTheInterpreter()
    {
        // Sines beside cosines are one call, and calls come before the rest.
        const Symbol a{.name = "a"}, b{.name = "b"};
        const Expr x = symbol(a), y = symbol(b);
        const Tape::LinearSystem system{.size = 2, .places = {{0, 0}, {0, 1}, {1, 0}, {1, 1}}, .pivots = {{0, 0}, {1, 1}}};
        const std::vector<Expr> outputs{sin(x - y) * cos(x), cos(x - y) + exp(y), Expr(3) + cos(x), sin(y), sin(x),
                                        Expr(2) + cos(y)};
        const Tape::Solution solution = std::move(Tape::compileSolution(outputs, {{a, b}}, system, kTolerated)).value();
        std::mt19937 random(9);
        for (const Tape* tape : {&solution.plain, &solution.judged}) {
            const Tape slow = tape->interpreted();
            QVERIFY(!slow.isNative());
            auto work = tape->workspace(), slowWork = slow.workspace();
            std::vector<double> fast(tape->outputCount()), plain(fast.size());
            for (int k = 0; k < 3000; ++k) {
                // Small angles, all quadrants and far turns have code of their own in the library.
                const double size = std::pow(10.0, static_cast<double>(k % 13) - 6);
                const double inputs[] = {size * (static_cast<double>(random()) / 2147483648.0 - 1),
                                         static_cast<double>(random()) / 2147483648.0 - 1};
                QVERIFY(tape->evaluate({inputs}, fast.data(), work));
                QVERIFY(slow.evaluate({inputs}, plain.data(), slowWork));
                QVERIFY(fast == plain);
            }
        }
    }

    void bothTapes_giveTheSameBits_andTheFirstItsPivots()
    {
        std::mt19937 random(10);
        for (int k = 0; k < 50; ++k) {
            Drawn d = drawn(random, 1 + static_cast<int>(random() % 10));
            const auto n = static_cast<std::size_t>(d.system.size);
            auto work = d.tape.workspace(), plainWork = d.plain.workspace();
            std::vector<double> judged(d.tape.outputCount()), plain(d.plain.outputCount());
            QCOMPARE(plain.size(), 2 * n);
            QVERIFY(d.tape.evaluate({d.inputs.data()}, judged.data(), work));
            QVERIFY(d.plain.evaluate({d.inputs.data()}, plain.data(), plainWork));
            QVERIFY(std::equal(plain.begin(), plain.begin() + d.system.size, judged.begin()));
            // The first pivot is an entry as it is given.
            const auto& [row, column] = d.system.pivots.front();
            for (std::size_t e = 0; e < d.system.places.size(); ++e)
                if (d.system.places[e] == std::pair(row, column))
                    QCOMPARE(plain[n], d.inputs[n + e]);
        }
    }

    void rowsThatStateAnUnknown_areNotJudged_andSteadyPivotsNotHandedOut()
    {
        // x0 = b, p x1 = 1, q x2 + x0 = 2: the first row is no more than an assignment, and p is in the second bank.
        const Symbol b{.name = "b"}, p{.name = "p"}, q{.name = "q"};
        const Tape::LinearSystem system{
            .size = 3, .places = {{0, 0}, {1, 1}, {2, 2}, {2, 0}}, .pivots = {{0, 0}, {1, 1}, {2, 2}}, .movingBanks = 1};
        const std::vector<Expr> outputs{symbol(b), Expr(1), Expr(2), Expr(1), symbol(p), symbol(q), Expr(1)};
        const Tape::Solution solution = std::move(Tape::compileSolution(outputs, {{b, q}, {p}}, system, kTolerated)).value();
        QCOMPARE(solution.plain.outputCount(), std::size_t{4});
        QCOMPARE(solution.judged.outputCount(), std::size_t{5});
        const double moving[] = {5, 3}, steady = 4;
        std::array<double, 4> out{};
        auto work = solution.plain.workspace();
        QVERIFY(solution.plain.evaluate({moving, &steady}, out.data(), work));
        QVERIFY(out == (std::array<double, 4>{5, 0.25, -1, 3}));
    }

    void smallDifferencesOfLargeForces_areJudgedByTheForces_whereTheseMayEnter()
    {
        // a1 + l = b1, a2 - l = b2, g a1 + h a2 = c with forces of 1e8: the accelerations have their round-off, 1e-8, and the
        // last row, whose numbers are of size one, can be no better.
        std::vector<Symbol> bank;
        for (const char* name : {"b1", "b2", "c", "g", "h"})
            bank.push_back(Symbol{.name = name});
        const auto of = [&bank](std::size_t k) { return symbol(bank[k]); };
        Tape::LinearSystem system{
            .size = 3, .places = {{0, 0}, {0, 2}, {1, 1}, {1, 2}, {2, 0}, {2, 1}}, .pivots = {{0, 0}, {1, 1}, {2, 2}}};
        const std::vector<Expr> outputs{of(0), of(1), of(2), Expr(1), Expr(1), Expr(1), Expr(-1), of(3), of(4)};
        const Tape strict = std::move(Tape::compileSolution(outputs, {bank}, system, kTolerated)).value().judged;
        system.widest = 1e-4; // 1e8 rounds 1e-8: some of a row's own digits are left
        const Tape counting = std::move(Tape::compileSolution(outputs, {bank}, system, kTolerated)).value().judged;
        QCOMPARE(strict.outputCount(), std::size_t{6});
        QCOMPARE(counting.outputCount(), std::size_t{7});
        auto work = strict.workspace(), countingWork = counting.workspace();
        test::Draw draw(test::seedOr(32));
        std::array<double, 6> out{};
        std::array<double, 7> counted{};
        const auto numbersWith = [&draw](double force) {
            return std::array<double, 5>{force + draw.between(-1, 1), draw.between(-1, 1) - force, draw.between(-1, 1),
                                         draw.between(0.5, 1), draw.between(-1, -0.5)};
        };
        int refused = 0;
        for (int k = 0; k < 100; ++k) {
            const auto numbers = numbersWith(1e8 * draw.between(1, 2));
            QVERIFY(strict.evaluate({numbers.data()}, out.data(), work));
            QVERIFY(counting.evaluate({numbers.data()}, counted.data(), countingWork));
            QVERIFY(std::equal(out.begin(), out.begin() + 3, counted.begin()));
            refused += out[5] > 0;
            for (std::size_t row = 3; row < 7; ++row)
                QVERIFY(counted[row] <= 0);
        }
        // With forces of 1e14 no digit of the accelerations is left, and that is told.
        int lost = 0;
        for (int k = 0; k < 100; ++k) {
            const auto numbers = numbersWith(1e14 * draw.between(1, 2));
            QVERIFY(counting.evaluate({numbers.data()}, counted.data(), countingWork));
            lost += counted[6] > 0;
        }
        QVERIFY2(lost > 80, qPrintable(QString::number(lost)));
        QVERIFY2(refused > 50, qPrintable(QString::number(refused)));
    }

    void sumsOfAngles_takeTheSinesOfEither_whereTheseAreThere()
    {
        const Symbol a{.name = "a"}, b{.name = "b"};
        const Expr x = symbol(a), y = symbol(b);
        const std::vector<Expr> sums{sin(x - y), cos(x - y), sin(y - x), sin(x + y), cos(x + y), sin(-x - y)};
        std::vector<Expr> both{sin(x), sin(y), cos(x), cos(y)};
        both.insert(both.end(), sums.begin(), sums.end());
        const Tape shared = valuesOnly(both, {a, b});
        QCOMPARE(callsOf(shared), 4);
        QCOMPARE(callsOf(valuesOnly({sin(x - y), cos(x)}, {a, b})), 2); // nobody asks for that of y
        QCOMPARE(callsOf(valuesOnly({sin(x - Expr(2) * y), sin(x), sin(y)}, {a, b})), 3);

        std::uint64_t seed = test::seedOr(31);
        test::Draw draw(seed);
        const Tape interpreted = shared.interpreted();
        auto work = shared.workspace(), otherWork = interpreted.workspace();
        std::vector<double> out(both.size()), other(both.size());
        for (int k = 0; k < test::countOr(200); ++k) {
            const double at[] = {draw.between(-10, 10), draw.between(-10, 10)};
            QVERIFY(shared.evaluate({at}, out.data(), work) && interpreted.evaluate({at}, other.data(), otherWork));
            QVERIFY(out == other);
            const double minus = at[0] - at[1], plus = at[0] + at[1];
            const double expected[] = {std::sin(minus), std::cos(minus), -std::sin(minus),
                                       std::sin(plus),  std::cos(plus),  -std::sin(plus)};
            // An angle of up to 20 is rounded by 2e-15, products and sums by some 1e-16.
            for (std::size_t i = 0; i < std::size(expected); ++i)
                QVERIFY2(std::abs(out[4 + i] - expected[i]) < 4e-15,
                         qPrintable(QString("seed %1, case %2, value %3").arg(seed).arg(k).arg(i)));
        }
    }

    void pivotsThatVanish_areToldByTheirRows()
    {
        // [p 1; 1 1] x = (1, 2) with p for the first pivot: as p goes to zero the solution loses its digits, and then there is
        // none.
        const Symbol p{.name = "p"};
        const Tape::LinearSystem system{.size = 2, .places = {{0, 0}, {0, 1}, {1, 0}, {1, 1}}, .pivots = {{0, 0}, {1, 1}}};
        const std::vector<Expr> outputs{Expr(1), Expr(2), symbol(p), Expr(1), Expr(1), Expr(1)};
        const Tape tape = std::move(Tape::compileSolution(outputs, {{p}}, system, kTolerated)).value().judged;
        auto work = tape.workspace();
        std::array<double, 4> out{};
        for (const double value : {1e-17, 1e-14, 1e-8}) {
            QVERIFY(tape.evaluate({&value}, out.data(), work));
            QVERIFY2(out[2] > 0 || out[3] > 0, qPrintable(QString::number(value)));
        }
        for (const double value : {0.5, 0.01, -3.0}) {
            QVERIFY(tape.evaluate({&value}, out.data(), work));
            QVERIFY(out[2] <= 0 && out[3] <= 0);
            QVERIFY(std::abs(value * out[0] + out[1] - 1) < 1e-12 && std::abs(out[0] + out[1] - 2) < 1e-12);
        }
        const double none = 0;
        QVERIFY(!tape.evaluate({&none}, out.data(), work));
    }
};

QTEST_APPLESS_MAIN(TestSolutionTape)
#include "test_solution_tape.moc"
