// Linear systems solved on a tape: the solution, the residual that says whether the pivots suit the numbers, and machine code
// against the interpreter.
#include <QtTest>

#include <array>
#include <cmath>
#include <random>

#include "core/expr/Tape.h"

using namespace driftless::expr;

namespace {

constexpr double kTolerated = 1e-13;

/// A x = b, all numbers inputs: b first, then the entries.
struct Drawn {
    Tape::LinearSystem system;
    Tape tape;
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
    d.tape = std::move(Tape::compileSolution(outputs, {bank}, d.system, kTolerated)).value();
    return d;
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
            const Tape plain = d.tape.interpreted();
            auto work = d.tape.workspace(), plainWork = plain.workspace();
            std::vector<double> a(d.tape.outputCount()), b(a.size());
            QVERIFY(d.tape.evaluate({d.inputs.data()}, a.data(), work));
            QVERIFY(plain.evaluate({d.inputs.data()}, b.data(), plainWork));
            QVERIFY(a == b);
        }
    }

    void pivotsThatVanish_areToldByTheirRows()
    {
        // [p 1; 1 1] x = (1, 2) with p for the first pivot: as p goes to zero the solution loses its digits, and then there is
        // none.
        const Symbol p{.name = "p"};
        const Tape::LinearSystem system{.size = 2, .places = {{0, 0}, {0, 1}, {1, 0}, {1, 1}}, .pivots = {{0, 0}, {1, 1}}};
        const std::vector<Expr> outputs{Expr(1), Expr(2), symbol(p), Expr(1), Expr(1), Expr(1)};
        const Tape tape = std::move(Tape::compileSolution(outputs, {{p}}, system, kTolerated)).value();
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
