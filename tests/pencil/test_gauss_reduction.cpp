// The Gauss-like reduction, step by step, on pencils drawn from known forms with a solution that is chosen: every recorded
// system holds for it, and so does every hidden constraint. And the sentences about pencils that are singular.
#include <QtTest>

#include <array>

#include "core/expr/Print.h"
#include "core/expr/Tape.h"
#include "core/pencil/ExactForm.h"
#include "tests/pencil/RandomPencil.h"

using namespace driftless;
using namespace driftless::testing;
using pencil::RationalMatrix;

namespace {

/// x_i = a_i + b_i t + c_i t^2 with integers: all is exact, at every t.
struct Parabolas {
    std::vector<std::array<int, 3>> of;

    RationalMatrix at(const mpq_class& t, int derivative) const
    {
        RationalMatrix out(static_cast<int>(of.size()), 1);
        for (std::size_t i = 0; i < of.size(); ++i) {
            const auto& [a, b, c] = of[i];
            out.values[i] = derivative == 0 ? mpq_class(a + b * t + c * t * t) : mpq_class(b + 2 * c * t);
        }
        return out;
    }
    /// f = E x' - A x.
    std::vector<expr::Expr> side(const RationalMatrix& E, const RationalMatrix& A) const
    {
        const expr::Expr t = expr::time();
        std::vector<expr::Expr> f;
        for (int i = 0; i < E.rows; ++i) {
            std::vector<expr::Expr> terms;
            for (int j = 0; j < E.columns; ++j) {
                const auto& [a, b, c] = of[static_cast<std::size_t>(j)];
                terms.push_back(pencil::toExpr(E(i, j)) * (expr::Expr(b) + expr::Expr(2 * c) * t));
                terms.push_back(-(pencil::toExpr(A(i, j)) * (expr::Expr(a) + expr::Expr(b) * t + expr::Expr(c) * t * t)));
            }
            f.push_back(expr::sum(terms));
        }
        return f;
    }
};

std::vector<double> valuesAt(const std::vector<expr::Expr>& f, double t)
{
    if (f.empty())
        return {};
    const auto tape = expr::Tape::compile(f, {{expr::Symbol{expr::SymbolKind::Time, "t", 0}}});
    std::vector<double> out(f.size());
    if (!tape)
        qFatal("does not compile");
    auto work = tape->workspace();
    if (!tape->evaluate({&t}, out.data(), work))
        qFatal("no value");
    return out;
}

/// a is what exact numbers give, b what an expression in doubles does: some hundred operations on fractions that cancel by a
/// few digits. What is wrong is wrong by the size of the numbers themselves.
bool near(const mpq_class& a, double b, double size) { return std::abs(a.get_d() - b) <= 1e-8 * (1 + size); }

double largest(const RationalMatrix& m)
{
    double out = 0;
    for (const mpq_class& v : m.values)
        out = std::max(out, std::abs(v.get_d()));
    return out;
}

RationalMatrix matrix(int n, const std::vector<int>& entries)
{
    RationalMatrix m(n, n);
    for (std::size_t i = 0; i < entries.size(); ++i)
        m.values[i] = entries[i];
    return m;
}

} // namespace

#define SAME(found, expected) QVERIFY2((found) == (expected), (found).c_str())

class TestGaussReduction : public QObject {
    Q_OBJECT

    PencilGenerator generator_{static_cast<unsigned>(fromEnvironment("DRIFTLESS_SEED", 41))};

private slots:
    void everyStep_holdsForTheSolution()
    {
        qInfo("DRIFTLESS_SEED=%d", fromEnvironment("DRIFTLESS_SEED", 41));
        int deepest = 0;
        for (int k = 0, count = fromEnvironment("DRIFTLESS_COUNT", 40); k < count; ++k) {
            RandomPencil p = generator_.form(5, false, false);
            if (p.n() == 0)
                continue;
            generator_.hideExactly(p);
            const int n = p.n();
            Parabolas x;
            for (int i = 0; i < n; ++i)
                x.of.push_back({generator_.upTo(-3, 3), generator_.upTo(-3, 3), generator_.upTo(-2, 2)});
            const auto reduction = pencil::gaussReduction(p.E, p.A, x.side(p.E, p.A));
            const std::string told = p.told();
            const int index = p.nilpotent.empty() ? 0 : p.nilpotent.front();
            QVERIFY2(static_cast<int>(reduction.steps.size()) == index + 1, told.c_str());
            QVERIFY2(reduction.recordedAll, told.c_str());
            deepest = std::max(deepest, index);
            const mpq_class t(1, 3);
            const double at = 1.0 / 3;
            RationalMatrix state = x.at(t, 0), rate = x.at(t, 1); // x^(k)
            RationalMatrix before = p.E;                          // what the step starts from
            int rows = 0;
            for (std::size_t s = 0; s < reduction.steps.size(); ++s) {
                const pencil::ReductionStep& step = reduction.steps[s];
                const auto L = RationalMatrix::read(n, step.L), U = RationalMatrix::read(n, step.U),
                           E = RationalMatrix::read(n, step.E), A = RationalMatrix::read(n, step.A);
                // L M U = diag(Lambda, 0), Lambda regular, L and U regular.
                QVERIFY2(((L * before * U) + pencil::scaled(E, -1)).isZero(), told.c_str());
                QVERIFY2(pencil::determinantOf(L) != 0 && pencil::determinantOf(U) != 0, told.c_str());
                for (int i = 0; i < n; ++i)
                    for (int j = 0; j < n; ++j)
                        QVERIFY2((E(i, j) != 0) == (i == j && i < step.rank), told.c_str());
                // E^(k) x' + A^(k) x = f^(k) in the coordinates of the step.
                state = *pencil::solve(U, state);
                rate = *pencil::solve(U, rate);
                const RationalMatrix left = E * rate + A * state;
                const auto f = valuesAt(step.f, at);
                const double size = largest(A) * largest(state) * n + largest(E) * largest(rate);
                for (int i = 0; i < n; ++i)
                    QVERIFY2(near(left(i, 0), f[static_cast<std::size_t>(i)], size), told.c_str());
                before = E;
                if (step.rank < n)
                    before.setBlock(step.rank, 0, A.block(step.rank, 0, n - step.rank, n));
                rows += n - step.rank;
                QCOMPARE(static_cast<int>(step.constraints.size()), n - step.rank);
            }
            QCOMPARE(reduction.steps.back().rank, n);
            // All hidden constraints, in x itself.
            QCOMPARE(reduction.constraintRows.rows, rows);
            QCOMPARE(reduction.constraintValues.size(), static_cast<std::size_t>(rows));
            if (rows == 0)
                continue;
            const RationalMatrix met = reduction.constraintRows * x.at(t, 0);
            const auto wanted = valuesAt(reduction.constraintValues, at);
            for (int i = 0; i < rows; ++i)
                QVERIFY2(near(met(i, 0), wanted[static_cast<std::size_t>(i)],
                              largest(reduction.constraintRows) * largest(x.at(t, 0)) * n),
                         told.c_str());
        }
        QVERIFY(deepest >= 3);
    }

    void constraints_areWrittenAsEquations()
    {
        // x1' = x2 + t, 0 = x1 - 2 x2 + x3, 0 = -x1/2 - 3.
        const auto reduction = pencil::gaussReduction(
            matrix(3, {1, 0, 0, 0, 0, 0, 0, 0, 0}), RationalMatrix::read(3, {"0", "1", "0", "1", "-2", "1", "-1/2", "0", "0"}),
            {expr::time(), expr::Expr(0), expr::Expr(-3)});
        QCOMPARE(reduction.steps.front().constraints, (std::vector<std::string>{"-x1 + 2 x2 - x3 = 0", "1/2 x1 = -3"}));
    }

    void largeFractions_areRounded()
    {
        QCOMPARE(expr::print(pencil::toExpr(mpq_class(-2, 3))), std::string("-2/3"));
        const mpq_class wide("1000000000000000000000000/7");

        QCOMPARE(valuesAt({pencil::toExpr(wide)}, 0)[0], 1e24 / 7);
        const mpq_class narrow("7/1000000000000000000000000");
        QCOMPARE(valuesAt({pencil::toExpr(narrow)}, 0)[0], 7e-24);
    }

    void whatIsFree_andWhatIsEmpty_isSaidWhole()
    {
        const std::string zero = "det(A - lambda E) is zero for every lambda; ";
        // x1' = x2 alone; the second equation is empty.
        SAME(pencil::whySingular(matrix(2, {1, 0, 0, 0}), matrix(2, {0, 1, 0, 0})),
             zero
                 + "the unknowns are not determined: x1 = a, x2 = a' solves E x' = A x for every function a(t); "
                   "the equations are dependent: they have a solution only where 0 = f2");
        // x1' = -2 x2, x2' = x3, ...: a primed up to five times.
        RationalMatrix E(6, 6), A(6, 6);
        for (int i = 0; i < 5; ++i) {
            E(i, i) = 1;
            A(i, i + 1) = i == 0 ? -2 : 1;
        }
        SAME(pencil::whySingular(E, A), zero
                                            + "the unknowns are not determined: x1 = -2 a, x2 = a', x3 = a'', x4 = a''', x5 = "
                                              "a^(4), x6 = a^(5) solves E x' = A x for every function a(t); "
                                              "the equations are dependent: they have a solution only where 0 = f6");
        // 0 = x1 + f1, x1' = f2: the first, differentiated, and the second say the same of x1'. x2 is free.
        SAME(pencil::whySingular(matrix(2, {0, 0, 1, 0}), matrix(2, {1, 0, 0, 0})),
             zero
                 + "the unknowns are not determined: x2 = a solves E x' = A x for every function a(t); "
                   "the equations are dependent: they have a solution only where 0 = f1' + f2");
        // x1 = 3 x2 - x2' is left, twice; the sign of a is free.
        SAME(pencil::whySingular(matrix(2, {0, 1, 0, 2}), matrix(2, {-1, 3, -2, 6})),
             zero
                 + "the unknowns are not determined: x1 = -3 a + a', x2 = -a solves E x' = A x for every function a(t); "
                   "the equations are dependent: they have a solution only where 0 = -2 f1 + f2");
    }
};

QTEST_GUILESS_MAIN(TestGaussReduction)
#include "test_gauss_reduction.moc"
