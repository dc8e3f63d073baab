// Chains beyond the sizes of dense algebra: freedom and redundant rows by sparse elimination, the nearest position to a place
// out of reach, and the joint that holds the chain there, against what is known of a stretched chain.
#include <QtTest>

#include <cmath>
#include <set>

#include "core/consistency/Doctor.h"
#include "core/consistency/HoldingJoint.h"
#include "core/consistency/Nearest.h"
#include "core/mechanism/ReadModel.h"
#include "tests/consistency/RequestFixture.h"

using namespace driftless;
using test::requestOf;

namespace {

constexpr int kLinks = 220;
constexpr double kLength = 0.1; // [m] of each

/// A chain of point masses on rods, with extra tables; what depends is kept in.
std::shared_ptr<const model::CompiledSystem> chain(const std::string& more)
{
    const std::string text =
        "format = 1\nredundant = \"keep\"\n[structure]\nN = " + std::to_string(kLinks)
        + "\n[[body]]\ncount = \"N\"\nname = \"bob[i]\"\nkind = \"point\"\nmass = 1\nx = { start = \"0.1*i\" }\n"
          "[[joint]]\ncount = \"N\"\nname = \"rod[i]\"\nkind = \"rod\"\nfrom = \"bob[i-1]\"\nto = \"bob[i]\"\nlength = "
          "0.1\nfirst = { from = \"ground\" }\n"
        + more;
    const auto model = model::readModel(text, "chain.toml");
    if (!model)
        qFatal("%s", model.error().text().c_str());
    const auto system = model::CompiledSystem::compile(*model);
    if (!system)
        qFatal("%s", system.error().text().c_str());
    return *system;
}

} // namespace

class TestLarge : public QObject {
    Q_OBJECT
private slots:
    void freedomAndIndependentSetOfAChain()
    {
        const auto system = chain("");
        QCOMPARE(system->n(), 2 * kLinks);
        const auto found = consistency::diagnose(system, system->defaultParameters(), requestOf(system));
        QVERIFY(!found.conflict);
        QCOMPARE(found.positionFreedom, kLinks);
        QCOMPARE(found.velocityFreedom, kLinks);
        QVERIFY(found.redundant.empty());
        // All rods lie along x: only the heights are free.
        QCOMPARE(static_cast<int>(found.independent.size()), kLinks);
        for (const int i : found.independent)
            QVERIFY(system->system().coordinates[static_cast<std::size_t>(i)].name.ends_with(".y"));
    }

    void rodsThatRepeatOthers_areNamedWithThem()
    {
        const auto system = chain("[[joint]]\ncount = 3\nname = \"twin[i]\"\nkind = \"rod\"\nfrom = \"bob[10*i]\"\nto = "
                                  "\"bob[10*i+1]\"\nlength = 0.1\n");
        const auto found = consistency::diagnose(system, system->defaultParameters(), requestOf(system));
        QVERIFY(!found.conflict);
        QCOMPARE(found.positionFreedom, kLinks);
        QCOMPARE(found.redundant.size(), std::size_t{3});
        const auto& constraints = system->system().constraints;
        for (const auto& r : found.redundant) { // either of the two may be taken for the one that follows
            QCOMPARE(r.dependsOn.size(), std::size_t{1});
            std::set<std::string> pair{constraints[static_cast<std::size_t>(r.constraint)].name,
                                       constraints[static_cast<std::size_t>(r.dependsOn[0])].name};
            QVERIFY2(pair == std::set<std::string>({"twin1", "rod11"}) || pair == std::set<std::string>({"twin2", "rod21"})
                         || pair == std::set<std::string>({"twin3", "rod31"}),
                     r.text.c_str());
        }
    }

    /// A zigzag chain: its end goes to a place in reach, and towards one out of reach as far as the rods allow, where the
    /// ground holds it.
    void theEndOfAChain_goesAsFarAsItCan()
    {
        const auto system = chain("");
        model::SystemEvaluator evaluator(system);
        consistency::ConsistencySolver solver(system);
        consistency::NearestRequest request;
        const auto n = static_cast<std::size_t>(system->n());
        request.from.resize(system->n(), system->w());
        for (std::size_t i = 0; i < n / 2; ++i) { // each rod 30 degrees up or down
            request.from.q[2 * i] = (static_cast<double>(i) + 1) * kLength * std::sqrt(0.75);
            request.from.q[2 * i + 1] = i % 2 == 0 ? 0.5 * kLength : 0;
        }
        request.q = request.from.q;
        request.v.assign(n, 0.0);
        request.qAsked.assign(n, false);
        request.vAsked.assign(n, false);
        request.qAsked[n - 2] = request.qAsked[n - 1] = true;
        const auto ask = [&](double x, double y) {
            request.q[n - 2] = x;
            request.q[n - 1] = y;
            auto found = consistency::nearestConsistent(solver, evaluator, request);
            if (!found)
                qFatal("%s", found.error().text().c_str());
            std::vector<double> g(static_cast<std::size_t>(system->holonomic()));
            if (!evaluator.constraints(0, found->state.q.data(), g.data()))
                qFatal("the constraints have no value");
            for (const double r : g) // the solver's 1e4 round-offs of its terms, squares of the chain's length
                if (!(std::abs(r) <= 1e4 * 2.3e-16 * 2 * std::pow(kLinks * kLength, 2)))
                    qFatal("a rod is off by %g", r);
            return std::move(found).value();
        };
        const double x = request.from.q[n - 2], y = request.from.q[n - 1];
        constexpr int kMoves = 20; // of a mouse
        for (int k = 1; k <= kMoves; ++k) {
            const auto met = ask(x + (17.4 - x) * k / kMoves, y + (3 - y) * k / kMoves);
            QVERIFY2(met.held, qPrintable(QString::number(k)));
            // A billionth of the chain: what is asked for is met to the digits that the sizes of its rows leave.
            const double missed = std::hypot(met.state.q[n - 2] - request.q[n - 2], met.state.q[n - 1] - request.q[n - 1]);
            QVERIFY2(missed < 1e-9 * kLinks * kLength, qPrintable(QString::number(missed)));
            request.from.q = request.q = met.state.q;
        }
        const double reach = kLinks * kLength;
        consistency::NearestSolution stretched;
        double end = 0;
        for (int k = 0; k < kMoves; ++k) { // nearer with every move
            stretched = ask(1.5 * reach, 3);
            request.from.q = stretched.state.q;
            const double now = std::hypot(stretched.state.q[n - 2], stretched.state.q[n - 1]);
            QVERIFY2(!stretched.held && now > end && now <= reach * (1 + 1e-9), qPrintable(QString::number(now)));
            end = now;
        }
        QVERIFY2(end > 0.9 * reach, qPrintable(QString::number(end)));
        QVERIFY(consistency::holdingJoint(evaluator, request, stretched.state, {}).starts_with("rod"));
    }
};

QTEST_GUILESS_MAIN(TestLarge)
#include "test_large.moc"
