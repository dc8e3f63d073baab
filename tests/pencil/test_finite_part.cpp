// Real Jordan forms of rational pencils whose blocks are known: rational eigenvalues beside irrational ones, and irrational
// ones with several blocks. Every form is hidden by several exact transformations.
#include <QElapsedTimer>
#include <QtTest>

#include "tests/pencil/PencilOracle.h"

using namespace driftless;
using namespace driftless::testing;

namespace {

FiniteBlock rationalBlock(int p, int q, int size)
{
    FiniteBlock out;
    out.value = mpq_class(p, q);
    out.size = size;
    return out;
}

/// Of the roots of x^2 + b x + c.
FiniteBlock pairBlock(int b, int c, int size)
{
    FiniteBlock out;
    out.pair = true;
    out.b = b;
    out.c = c;
    out.size = size;
    return out;
}

/// What is wrong with the analysis of a form, nothing where all is right and J is in Jordan form.
QByteArray fault(const std::vector<int>& nilpotent, const std::vector<FiniteBlock>& finite, int transformations = 5)
{
    for (int seed = 1; seed <= transformations; ++seed) {
        PencilGenerator generator(static_cast<unsigned>(seed));
        RandomPencil p = PencilGenerator::known(nilpotent, finite);
        generator.hideExactly(p);
        const auto a = pencil::analyse(p.system);
        std::string wrong = judgeExact(p, a);
        if (wrong.empty() && !a->jordan)
            wrong = "no Jordan form";
        if (!wrong.empty())
            return QByteArray::fromStdString(wrong + ": " + p.told() + " -> " + (a ? told(*a) : ""));
    }
    return {};
}

/// E x' = A x with whole numbers, by rows, and f = 0.
pencil::LinearDae ofWholeNumbers(int n, const std::vector<long long>& E, const std::vector<long long>& A)
{
    pencil::LinearDae out;
    out.n = n;
    out.E = out.A = pencil::Matrix(n, n);
    out.f.resize(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < E.size(); ++i) {
        out.E.values[i] = static_cast<double>(E[i]);
        out.A.values[i] = static_cast<double>(A[i]);
        out.exactE.push_back(std::to_string(E[i]));
        out.exactA.push_back(std::to_string(A[i]));
    }
    return out;
}

} // namespace

class TestFinitePart : public QObject {
    Q_OBJECT

private slots:
    void formsComeBackInJordanForm_data()
    {
        QTest::addColumn<std::vector<int>>("nilpotent");
        QTest::addColumn<std::vector<FiniteBlock>>("finite");
        using Blocks = std::vector<FiniteBlock>;
        const auto row = [](const char* name, const std::vector<int>& nilpotent, const Blocks& finite) {
            QTest::newRow(name) << nilpotent << finite;
        };
        row("two blocks of a rational one beside an imaginary pair", {2},
            {rationalBlock(1, 3, 2), rationalBlock(1, 3, 3), pairBlock(0, 3, 1)});
        row("rational ones beside irrational real ones", {},
            {rationalBlock(-7, 2, 3), rationalBlock(0, 1, 2), pairBlock(-1, -3, 1), pairBlock(4, 1, 1)});
        row("a rational one as multiple as irrational ones", {1}, {rationalBlock(2, 1, 2), pairBlock(0, -2, 2)});
        row("a defective irrational pair", {}, {pairBlock(0, -2, 2)});
        row("a defective complex pair", {}, {pairBlock(1, 1, 3)});
        row("equal blocks of irrational roots", {}, {pairBlock(0, -2, 2), pairBlock(0, -2, 2)});
        row("equal blocks of a complex pair", {3}, {pairBlock(2, 5, 2), pairBlock(2, 5, 2)});
        row("one root with blocks of several sizes", {}, {pairBlock(0, -2, 3), pairBlock(0, -2, 1)});
        row("roots as multiple as each other with blocks of other sizes", {},
            {pairBlock(0, -2, 2), pairBlock(0, -2, 2), pairBlock(0, -3, 3), pairBlock(0, -3, 1)});
        row("semisimple beside defective ones of one multiplicity", {},
            {pairBlock(0, 1, 1), pairBlock(0, 1, 1), pairBlock(0, 2, 2), pairBlock(0, -5, 1), pairBlock(0, -5, 1)});
    }
    void formsComeBackInJordanForm()
    {
        QFETCH(std::vector<int>, nilpotent);
        QFETCH(std::vector<FiniteBlock>, finite);
        const QByteArray wrong = fault(nilpotent, finite);
        QVERIFY2(wrong.isEmpty(), wrong);
    }

    /// Their part of J is not rounded, and stands before that of the others.
    void rationalBlocksComeFirstAndAreExact()
    {
        RandomPencil p = PencilGenerator::known(
            {}, {pairBlock(0, 3, 1), rationalBlock(1, 3, 2), pairBlock(0, -2, 2), rationalBlock(-1, 3, 1)});
        PencilGenerator generator(4);
        generator.hideExactly(p);
        const auto a = pencil::analyse(p.system);
        QVERIFY(a.ok() && a->jordan);
        const double third = 1.0 / 3;
        QCOMPARE(a->J(0, 0), -third);
        QCOMPARE(a->J(0, 1), 0.0);
        QCOMPARE(a->J(1, 1), third);
        QCOMPARE(a->J(1, 2), 1.0);
        QCOMPARE(a->J(2, 2), third);
        QCOMPARE(a->J(3, 4), std::sqrt(3.0)); // multiplicity 1 before multiplicity 2
        QVERIFY(a->exactJ.empty());           // exact_form is that of pencils with rational eigenvalues only
    }

    /// P is beyond the range of doubles: what remains unsaid is no Jordan form.
    void withheldFormIsNoJordanForm()
    {
        const mpq_class tiny("1/1" + std::string(310, '0'));
        pencil::LinearDae system;
        system.n = 1;
        system.E = system.A = pencil::Matrix(1, 1);
        system.f.resize(1);
        system.E(0, 0) = pencil::nearestDouble(tiny);
        system.A(0, 0) = 2 * system.E(0, 0);
        system.exactE = {tiny.get_str()};
        system.exactA = {mpq_class(2 * tiny).get_str()};
        const auto a = pencil::analyse(system);
        QVERIFY(a.ok() && a->regular);
        QVERIFY2(a->P.values.empty() && !a->jordan, told(*a).c_str());
        QVERIFY(!a->why.empty());
    }

    /// One unknown in units far from those of the others: entries up to 3e15, eigenvalues up to 2e5. A Schur form of the matrix
    /// as it is given has eigenvalues of 9e6.
    void unlikeUnitsKeepTheEigenvalues()
    {
        const auto a = pencil::analyse(ofWholeNumbers(4, {1, 0, 0, 0, 0, 0, 0, 5, 2888888888888888, 0, 1, 0, 0, 4, 0, 0},
                                                      {5, 0, 0, 20, 0, 2, 0, 0, 0, 0, 0, 2, 0, 0, 1, 0}));
        QVERIFY(a.ok());
        QVERIFY2(a->jordan && a->why.empty(), told(*a).c_str());
        QCOMPARE(a->J(0, 0), a->eigenvalues.front().first); // the digits of the exact one
        QCOMPARE(a->J(2, 2), a->eigenvalues.back().first);
        QCOMPARE(a->J(2, 3), a->eigenvalues.back().second);
    }

    /// diag of [0 2; 1 0] and [0 3; 1 0] under a transformation of entries up to 90,000: entries of 1e14 cannot hold
    /// eigenvalues of 1.4 and 1.7 in sixteen digits, and no scaling helps.
    void formWithOtherEigenvaluesIsWithheld()
    {
        const auto a =
            pencil::analyse(ofWholeNumbers(4, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
                                           {-7559802485, 143689414689, -16010641065873, -99927437522722, 9105335305,
                                            -173065407146, 19283870836131, 120356692183282, -353871762, 6726052211,
                                            -749452615838, -4677569070687, 70363104, -1337393830, 149019554536, 930077825469}));
        QVERIFY(a.ok() && a->eigenvalues.size() == 4);
        QCOMPARE(a->eigenvalues[0].first, -std::sqrt(3.0));
        QCOMPARE(a->eigenvalues[3].first, std::sqrt(3.0));
        QVERIFY2(a->P.values.empty() && !a->jordan, told(*a).c_str());
        QVERIFY2(a->why.find("other eigenvalues") != std::string::npos, a->why.c_str());
    }

    /// Up to the largest size that is analysed exactly. The limit is twenty times what it takes [ms].
    void largeOnesEndInTime_data()
    {
        QTest::addColumn<std::vector<FiniteBlock>>("finite");
        const int n = pencil::Limits::kMostExact;
        std::vector<FiniteBlock> many, equal, mixed;
        for (int k = 1; k <= n / 2; ++k)
            many.push_back(pairBlock(k % 5, k + 10, 1));
        for (int k = 0; k < n / 4; ++k)
            equal.push_back(pairBlock(0, -2, 2));
        for (int k = 0; k < n / 10; ++k) {
            mixed.push_back(pairBlock(0, -2, k % 2 + 1));
            mixed.push_back(rationalBlock(k + 1, 3, 4));
            mixed.push_back(pairBlock(1, 1, 2 - k % 2));
        }
        QTest::newRow("simple pairs") << many;
        QTest::newRow("equal blocks of one pair") << equal;
        QTest::newRow("rational beside multiple pairs") << mixed;
    }
    void largeOnesEndInTime()
    {
        QFETCH(std::vector<FiniteBlock>, finite);
        QElapsedTimer timer;
        timer.start();
        const QByteArray wrong = fault({}, finite, 1);
        qInfo("%lld ms", static_cast<long long>(timer.elapsed()));
        QVERIFY2(wrong.isEmpty(), wrong);
        QVERIFY(timer.elapsed() < 60'000);
    }
};

QTEST_GUILESS_MAIN(TestFinitePart)
#include "test_finite_part.moc"
