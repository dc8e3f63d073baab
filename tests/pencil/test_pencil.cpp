// Linear DAEs against forms that are known because the pencils are built from them, and the examples of [DN] chapter 2.
#include <QtTest>

#include <algorithm>
#include <limits>

#include "core/expr/Parse.h"
#include "core/pencil/LinearDaeFile.h"
#include "tests/pencil/Hidden.h"

using namespace driftless;
using namespace driftless::testing;
using Eigen::MatrixXd;

namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

expr::Expr inTime(const std::string& text)
{
    return *expr::parse(text,
                        [](std::string_view name, int) { return name == "t" ? std::optional(expr::time()) : std::nullopt; });
}

pencil::LinearDae integers(int n, std::vector<double> E, std::vector<double> A, const std::vector<std::string>& f = {})
{
    using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    auto s = exactSystem(Eigen::Map<Rows>(E.data(), n, n), Eigen::Map<Rows>(A.data(), n, n));
    for (std::size_t i = 0; i < f.size(); ++i)
        s.f[i] = inTime(f[i]);
    return s;
}

std::vector<double> realParts(const pencil::Analysis& a)
{
    std::vector<double> out;
    for (const auto& e : a.eigenvalues)
        out.push_back(e.first);
    return out;
}

std::vector<double> realParts(const KnownForm& form)
{
    std::vector<double> out;
    for (const auto& [value, size] : form.finite)
        out.insert(out.end(), static_cast<std::size_t>(size), value);
    std::sort(out.begin(), out.end());
    return out;
}

QByteArray told(const pencil::Analysis& a)
{
    QByteArray out = QByteArray("regular ") + (a.regular ? "1" : "0") + " index " + QByteArray::number(a.index) + " blocks";
    for (const int b : a.nilpotentBlocks)
        out += ' ' + QByteArray::number(b);
    return out + ' ' + QByteArray::fromStdString(a.why);
}

} // namespace

class TestPencil : public QObject {
    Q_OBJECT

private slots:
    void notesExample1And2AreSingularAndSayWhy()
    {
        const auto one = pencil::analyse(integers(2, {1, 0, 0, 0}, {0, 1, 0, 0}));
        QVERIFY(one.ok() && !one->regular && one->exact);
        QVERIFY2(one->why.find("x1 = a, x2 = a'") != std::string::npos, one->why.c_str());
        const auto two = pencil::analyse(integers(3, {1, 0, 0, -2, 0, 0, 0, -2, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 0}));
        QVERIFY(two.ok() && !two->regular);
        QVERIFY2(two->why.find("x3 = a") != std::string::npos, two->why.c_str());
        // The same decisions from singular values.
        for (auto system : {integers(2, {1, 0, 0, 0}, {0, 1, 0, 0}),
                            integers(3, {1, 0, 0, -2, 0, 0, 0, -2, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 0})}) {
            system.exactE.clear();
            const auto rough = pencil::analyse(system);
            QVERIFY(rough.ok() && !rough->regular && !rough->uncertain && !rough->exact && !rough->why.empty());
        }
    }

    void notesExample3HasIndexThreeAndItsRanksNeedNotGrow()
    {
        const auto a = pencil::analyse(
            integers(3, {0, 1, 3, 0, 0, 2, 0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {"sin(t)", "t^2", "exp(-t)"}));
        QVERIFY(a.ok() && a->regular);
        QCOMPARE(a->index, 3);
        QCOMPARE(a->n1, 3);
        QCOMPARE(a->nilpotentBlocks, std::vector<int>{3});
        std::vector<int> ranks;
        for (const auto& step : a->steps)
            ranks.push_back(step.rank);
        QCOMPARE(ranks, (std::vector<int>{2, 2, 2, 3}));
    }

    void notesExample6HasIndexTwoAndNoDifferentialPart()
    {
        const auto a =
            pencil::analyse(integers(3, {1, 1, 1, 1, 1, 1, 0, 0, 0}, {2, 0, 1, 1, 1, 0, 1, 1, 1}, {"t", "t^3", "sin(t)"}));
        QVERIFY(a.ok() && a->regular);
        QCOMPARE(a->index, 2);
        QCOMPARE(a->n1, 3);
        QCOMPARE(a->n2, 0);
        QCOMPARE(a->rankE, 1);
        QCOMPARE(a->determinant, std::vector<std::string>{"2"}); // (2.66)
        // Solved by hand: x1 + x2 + x3 = -sin t, whose rate turns the first two rows into algebraic ones.
        QCOMPARE(a->start.size(), std::size_t{3});
        const double exact[] = {-1, 0, 1};
        for (std::size_t i = 0; i < 3; ++i)
            QVERIFY(std::abs(a->start[i] - exact[i]) < 100 * kEps); // a few dozen operations on numbers of size one
        QVERIFY(a->solution.has_value());
        QVERIFY(a->solution->difference <= 10 * a->solution->estimate); // both errors are Radau's, up to its constant
        QVERIFY(a->solution->difference < 1e-7);                        // far below one: the two solutions are one
    }

    void knownFormsHiddenByIntegerShearsAreFoundExactly()
    {
        std::mt19937 generator(7);
        for (int trial = 0; trial < 25; ++trial) {
            const KnownForm form = randomForm(generator, 4, true);
            const MatrixXd L = shears(form.n(), 6 * form.n(), generator), R = shears(form.n(), 6 * form.n(), generator);
            const MatrixXd E = L * form.E() * R, A = L * form.A() * R;
            QVERIFY(E.cwiseAbs().maxCoeff() < 9e15 && A.cwiseAbs().maxCoeff() < 9e15);
            const auto a = pencil::analyse(exactSystem(E, A));
            QVERIFY(a.ok() && a->regular && a->exact && !a->uncertain);
            QVERIFY2(a->nilpotentBlocks == form.nilpotent, told(*a));
            QCOMPARE(a->index, form.nilpotent.empty() ? 0 : form.nilpotent.front());
            QCOMPARE(a->n2, form.n2());
            QCOMPARE(static_cast<int>(a->steps.size()) - 1, a->index); // one step of the reduction per index
            QCOMPARE(realParts(*a), realParts(form));                  // rational, so exact
            QVERIFY(a->jordan);
            int couplings = 0;
            for (int i = 1; i < a->n2; ++i)
                couplings += a->J(i - 1, i) != 0;
            QCOMPARE(couplings, form.n2() - static_cast<int>(form.finite.size()));
        }
    }

    void knownFormsHiddenByBadlyConditionedMatricesAreFoundOrCalledUncertain()
    {
        std::mt19937 generator(11);
        int uncertain = 0, total = 0;
        QByteArrayList wrong;
        for (int digits = 0; digits <= 4; ++digits)
            for (int trial = 0; trial < 30; ++trial) {
                const KnownForm form = randomForm(generator, 3, false);
                const MatrixXd L = conditioned(form.n(), digits, generator), R = conditioned(form.n(), digits, generator);
                const auto a = pencil::analyse(floatingSystem(L * form.E() * R, L * form.A() * R));
                QVERIFY(a.ok());
                ++total;
                for (const auto& d : a->decisions)
                    QCOMPARE(d.gap < pencil::kCertainGap && !a->uncertain, false);
                if (a->uncertain) {
                    ++uncertain;
                    QVERIFY(std::any_of(a->decisions.begin(), a->decisions.end(),
                                        [](const auto& d) { return d.gap < pencil::kCertainGap; }));
                } else if (!a->regular || a->nilpotentBlocks != form.nilpotent || a->n2 != form.n2())
                    wrong << "1e" + QByteArray::number(digits) + ": " + told(*a);
            }
        qInfo("%d uncertain of %d", uncertain, total);
        QVERIFY2(wrong.isEmpty(), wrong.join('\n'));
        QVERIFY(uncertain < total / 4); // most decisions are clear up to a condition of 1e4 on both sides
    }

    void canonicalFormReproducesThePencil()
    {
        std::mt19937 generator(3);
        for (int trial = 0; trial < 10; ++trial) {
            const KnownForm form = randomForm(generator, 3, true);
            const MatrixXd L = conditioned(form.n(), 1, generator), R = conditioned(form.n(), 1, generator);
            const auto a = pencil::analyse(floatingSystem(L * form.E() * R, L * form.A() * R));
            QVERIFY2(a.ok() && a->regular && a->jordan, told(*a));
            QVERIFY2(a->nilpotentBlocks == form.nilpotent, told(*a));
            // Round-off times the conditions of the transformations (10 each), of the staircase and of the chains (1e4 in all).
            QVERIFY2(a->formResidual < 1e6 * kEps, QByteArray::number(a->formResidual));
            const auto found = realParts(*a), wanted = realParts(form);
            QCOMPARE(found.size(), wanted.size());
            for (std::size_t i = 0; i < found.size(); ++i)
                QVERIFY2(std::abs(found[i] - wanted[i]) < 1e-6,
                         QByteArray::number(found[i])); // double eigenvalues keep half the digits
        }
    }

    void neighbouringRationalEigenvaluesAreToldApart()
    {
        // A root's continued fraction passes through the other roots: 2 = [1; 1], -1 floors to -2.
        const auto both = pencil::analyse(integers(2, {1, 0, 0, 1}, {-1, 0, 0, -2}));
        QVERIFY(both.ok() && both->regular);
        QCOMPARE(realParts(*both), (std::vector<double>{-2, -1}));
        const auto four = pencil::analyse(
            integers(4, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, {1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 2, 0, 0, 1, 0}));
        QVERIFY(four.ok() && four->regular);
        QCOMPARE(realParts(*four), (std::vector<double>{-std::sqrt(2.0), 1, std::sqrt(2.0), 2}));
    }

    void complexAndIrrationalEigenvaluesOfARationalPencil()
    {
        // x' = [0 1; -2 -2] x beside 0 = x3 + sin t, mixed: eigenvalues -1 +- i; and x1'' = 2 x1: +- sqrt 2.
        const auto a =
            pencil::analyse(integers(3, {1, 0, 0, 1, 1, 0, 0, 0, 0}, {0, 1, 0, -2, -1, 0, 1, 0, 1}, {"0", "0", "sin(t)"}));
        QVERIFY(a.ok() && a->regular && a->jordan);
        QCOMPARE(a->index, 1);
        QCOMPARE(a->eigenvalues, (std::vector<std::pair<double, double>>{{-1, -1}, {-1, 1}}));
        QVERIFY(a->formResidual < 1000 * kEps);                 // a dozen operations with factors of size one
        QVERIFY(a->solution && a->solution->difference < 1e-9); // fifth-order steps of 1/512
        const auto b = pencil::analyse(integers(2, {1, 0, 0, 1}, {0, 1, 2, 0}));
        QVERIFY(b.ok() && b->index == 0);
        QCOMPARE(b->eigenvalues.back().first, std::sqrt(2.0));
    }

    void aMultipleIrrationalEigenvalueKeepsItsChain()
    {
        // Companion matrix of (s^2 - 2)^2.
        const auto a = pencil::analyse(
            integers(4, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, {0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -4, 0, 4, 0}));
        QVERIFY(a.ok() && a->jordan);
        QCOMPARE(a->J(0, 1), 1.0);
        QCOMPARE(a->J(2, 3), 1.0);
        QCOMPARE(a->J(1, 2), 0.0);
        QCOMPARE(a->eigenvalues[0].first, -std::sqrt(2.0));
        QCOMPARE(a->eigenvalues[3].first, std::sqrt(2.0));
    }

    void consistentStartIsTheNearestOneAndConsistentStartsStay()
    {
        // x1' = x2, 0 = x1 + x2 - 2: x2(0) = 2 - x1(0).
        auto system = integers(2, {1, 0, 0, 0}, {0, 1, 1, 1}, {"0", "-2"});
        system.x0 = {0.5, 1.5};
        const auto kept = pencil::analyse(system);
        QVERIFY(kept.ok() && kept->startWasConsistent);
        QCOMPARE(kept->start[0], 0.5);
        system.x0 = {0, 0};
        const auto moved = pencil::analyse(system);
        QVERIFY(!moved->startWasConsistent);
        for (const double x : moved->start)
            QVERIFY(std::abs(x - 1) < 10 * kEps); // foot of the perpendicular on x1 + x2 = 2
    }

    void toleranceMovesTheDecision()
    {
        MatrixXd E = MatrixXd::Identity(2, 2);
        E(1, 1) = 1e-8;
        const auto system = floatingSystem(E, MatrixXd::Identity(2, 2));
        QCOMPARE(pencil::analyse(system)->index, 0);
        const auto loose = pencil::analyse(system, {1e-6});
        QCOMPARE(loose->index, 1);
        QCOMPARE(loose->tolerance, 1e-6);
        QVERIFY(!pencil::analyse(system, {2}).ok());
    }

    /// Unknowns in other units are the same pencil. Within a few orders of magnitude nothing changes; far beyond, ranks of the
    /// matrices as they are given would be decided otherwise, and that is said with what to do.
    void otherUnitsOfTheUnknownsChangeNothingOrAreNamed()
    {
        const MatrixXd E = MatrixXd::Identity(3, 3);
        MatrixXd A(3, 3);
        A << 2, 1, -1, 1, 3, 1, -1, 2, 4;
        const auto like = pencil::analyse(floatingSystem(E, A));
        QVERIFY(!like->uncertain && like->margin > 1e-2 && like->margin < 1);
        const Eigen::Vector3d some(0x1p-8, 1, 0x1p8), far(0x1p-40, 1, 0x1p40);
        const auto near = pencil::analyse(floatingSystem(E * some.asDiagonal(), A * some.asDiagonal()));
        QVERIFY2(near->regular && near->index == 0 && !near->uncertain, told(*near));
        // Three sweeps bring rows and columns to like sizes, not to the same: a factor of ten remains.
        QVERIFY2(near->margin > like->margin / 10 && near->margin < like->margin * 10, QByteArray::number(near->margin));
        const auto lost = pencil::analyse(floatingSystem(E * far.asDiagonal(), A * far.asDiagonal()));
        QVERIFY2(lost->regular && lost->index == 0 && lost->uncertain, told(*lost));
        QVERIFY2(QString::fromStdString(lost->why).contains("would count as singular: write"), told(*lost));
    }

    void closedFormsOfKnownIntegrals_data()
    {
        QTest::addColumn<double>("E");
        QTest::addColumn<double>("A");
        QTest::addColumn<QString>("f");
        QTest::addColumn<double>("x0");
        QTest::addColumn<double>("end");
        QTest::addColumn<double>("exact"); // at the end
        QTest::newRow("stiff") << 1.0 << -100000.0 << "100000" << 0.0 << 10.0 << 1.0;
        QTest::newRow("stiffer") << 1.0 << -1000000.0 << "1000000*cos(t) - sin(t)" << 1.0 << 10.0 << std::cos(10.0);
        QTest::newRow("long") << 1.0 << -10000.0 << "10000*cos(t) - sin(t)" << 1.0 << 100.0 << std::cos(100.0);
        QTest::newRow("beside a pole") << 1.0 << 0.0 << "1/(t - 1.000001)" << 0.0 << 1.0 << std::log(1e-6 / 1.000001);
        QTest::newRow("a peak") << 1.0 << 0.0 << "1/((t - 0.5)^2 + 1/1000000000000)" << 0.0 << 1.0 << 2e6 * std::atan(0.5e6);
        QTest::newRow("a jump") << 1.0 << 0.0 << "sign(t - 0.3)" << 0.0 << 1.0 << 0.4;
        QTest::newRow("a pulse") << 1.0 << 0.0 << "if t < 0.3 then 0 else if t < 0.301 then 1000 else 0" << 0.0 << 1.0 << 1.0;
        QTest::newRow("waves") << 1.0 << 0.0 << "cos(1000*t)" << 0.0 << 100.0 << std::sin(1e5) / 1000;
        QTest::newRow("forced waves") << 1.0 << -1.0 << "100*cos(100*t) + sin(100*t)" << 0.0 << 10.0 << std::sin(1000.0);
        QTest::newRow("a jump and a kink") << 1.0 << -1.0 << "sign(t - 0.396) + abs(t - 0.396)" << 0.396 << 1.0 << 0.604;
        QTest::newRow("a narrow pulse") << 1.0 << 0.0 << "if t > 0.4 then (if t < 0.4001 then 10000 else 0) else 0" << 0.0
                                        << 1.0 << 1.0;
        QTest::newRow("slow beside fast") << 1.0 << -1.0 << "cos(t) + sin(t)" << 0.0 << 10.0 << std::sin(10.0);
        QTest::newRow("a root's pole") << 1.0 << 0.0 << "1/sqrt(abs(t - 0.3))" << 0.0 << 1.0
                                       << 2 * (std::sqrt(0.3) + std::sqrt(0.7));
    }
    void closedFormsOfKnownIntegrals()
    {
        QFETCH(double, E);
        QFETCH(double, A);
        QFETCH(QString, f);
        QFETCH(double, x0);
        QFETCH(double, end);
        QFETCH(double, exact);
        auto system = integers(1, {E}, {A}, {f.toStdString()});
        system.x0 = {x0};
        system.end = end;
        const auto a = pencil::analyse(system);
        QVERIFY2(a.ok() && a->solution, a ? a->solutionNote.c_str() : "");
        const double error = std::abs(a->solution->closed.back()[0] - exact) / (1 + std::abs(exact));
        QVERIFY2(error < 1e-7 + 2 * a->solution->closedEstimate, QByteArray::number(error)); // of each step 1e-11, of thousands
    }

    void whatHasNoSolutionIsToldWithItsPlace_data()
    {
        QTest::addColumn<QString>("f");
        QTest::addColumn<double>("at");
        QTest::addColumn<QString>("says");
        QTest::newRow("a jump is differentiated") << "sign(t - 0.3)" << 0.3 << "impulse";
        QTest::newRow("another") << "if t < 0.4 then t else t^2" << 0.4 << "impulse";
        QTest::newRow("a pole") << "1/(3*t - 1)" << 1.0 / 3 << "without bound";
        QTest::newRow("near the end") << "1/(1 - cos(t - 0.9999))" << 0.9999 << "without bound";
        QTest::newRow("a tangent") << "tan(2*t)" << std::atan(1.0) << "without bound";
        QTest::newRow("no value") << "(0.5 - t)^1.5" << -1.0 << "has no value at t = 0.5";
    }
    void whatHasNoSolutionIsToldWithItsPlace()
    {
        QFETCH(QString, f);
        QFETCH(double, at);
        QFETCH(QString, says);
        const auto a = pencil::analyse(integers(2, {0, 1, 0, 0}, {1, 0, 0, 1}, {"0", f.toStdString()}));
        QVERIFY(a.ok() && a->index == 2 && !a->solution);
        QVERIFY2(QString::fromStdString(a->solutionNote).contains(says), a->solutionNote.c_str());
        QCOMPARE(a->breakAt.has_value(), at >= 0);
        if (a->breakAt)
            QVERIFY2(std::abs(*a->breakAt - at) < 1e-7, // a zero that only touches is known to half of its digits
                     QByteArray::number(*a->breakAt, 'g', 17));
    }

    void kinksAndZerosThatCancelAreNoBreaks()
    {
        for (const char* f : {"abs(t - 0.3)", "sin(t - 0.51)/(t - 0.51)", "max(t, 0.7)", "max(0, 10000*(t - 0.3))",
                              "t^3*(t^3 - 0.343)/(t - 0.7001)*(t - 0.7001)"}) {
            const auto a = pencil::analyse(integers(2, {0, 1, 0, 0}, {1, 0, 0, 1}, {"0", f}));
            QVERIFY2(a.ok() && a->solution && !a->breakAt, a ? a->solutionNote.c_str() : f);
        }
    }

    void aTextOfAnyLengthIsLookedThroughInTime()
    {
        constexpr int n = 24;
        std::vector<double> E(n * n), A(n * n);
        std::vector<std::string> f;
        for (int i = 0; i < n; ++i) {
            A[static_cast<std::size_t>(i * n + i)] = 1;
            if (i > 0 && i < 3)
                E[static_cast<std::size_t>((i - 1) * n + i)] = 1;
            std::string side = "1";
            for (int k = 0; k < 12; ++k)
                side += " + 1/(1000000*sin(6400*t + " + std::to_string(1 + k + 12 * i) + "/1000))";
            f.push_back(side);
        }
        QElapsedTimer clock;
        clock.start();
        QVERIFY(pencil::analyse(integers(n, E, A, f)).ok());
        QVERIFY(clock.elapsed() < 60'000); // it took minutes; bounded it takes a second, and a loaded machine ten
    }

    void filesAreReadExactlyOrRefusedWithAPlace()
    {
        const auto file = model::readLinearDae(
            "E = [[\"-339/890\", 0.5], [1, \"0.25\"]]\nA = [[1.0, 0], [0, 1]]\nf = [\"sin(t)\", 2]\n", "a.toml");
        QVERIFY(file.ok() && !file->exact());
        QCOMPARE(file->E[0].fraction, std::string("-339/890"));
        QCOMPARE(file->E[0].value, -339.0 / 890);
        QCOMPARE(file->E[3].fraction, std::string("25/100"));
        const char* bad[] = {"",
                             "E = 1\nA = 1",
                             "E = [[1, 2]]\nA = [[1, 2]]",
                             "E = [[1]]\nA = [[1], [2]]",
                             "E = [[9007199254740993]]\nA = [[1]]",
                             "E = [[\"1/0\"]]\nA = [[1]]",
                             "E = [[\"x\"]]\nA = [[1]]",
                             "E = [[nan]]\nA = [[1]]",
                             "E = [[1]]\nA = [[inf]]",
                             "E = [[1]]\nA = [[1]]\nf = [\"x\"]",
                             "E = [[1]]\nA = [[1]]\nf = [\"1\", \"2\"]",
                             "E = [[1]]\nA = [[1]]\nfoo = 3",
                             "E = [[9223372036854775807]]\nA = [[1]]",
                             "E = [[true]]\nA = [[1]]",
                             "E = []\nA = []",
                             "E = [[\"11111111111111111111111111111111111111111111\"]]\nA = [[1]]",
                             "E = [[1]]\nA = [[1]]\nend = -1",
                             "E = [[1]]\nA = [[1]]\nx0 = [1, 2]"};
        for (const char* text : bad) {
            const auto refused = model::readLinearDae(text, "a.toml");
            QVERIFY2(!refused.ok(), text);
            QVERIFY2(!refused.error().what.empty() && refused.error().position.file == "a.toml", text);
        }
        std::string large = "E = [";
        for (int i = 0; i < 130; ++i)
            large += "[1],";
        QVERIFY(!model::readLinearDae(large + "]\nA = [[1]]", "a.toml").ok());
    }

    void sizesAtTheLimitEndInTime()
    {
        // A chain of index 40 in exact arithmetic, and one of 100 in floating point.
        for (const int n : {pencil::Limits::kMostExact, 100}) {
            MatrixXd E = MatrixXd::Zero(n, n);
            for (int i = 1; i < n; ++i)
                E(i - 1, i) = 1;
            auto system = exactSystem(E, MatrixXd::Identity(n, n));
            system.f.back() = inTime("sin(t^2)*exp(cos(t))");
            const auto a = pencil::analyse(system);
            QVERIFY(a.ok() && a->regular);
            QCOMPARE(a->index, n);
        }
    }
};

QTEST_GUILESS_MAIN(TestPencil)
#include "test_pencil.moc"
