// Both selectors without a run, put at states by hand: when they change, what they refuse, and what they tell.
#include <QtTest>

#include <cmath>
#include <limits>

#include "tests/run/PartsFixture.h"

using namespace driftless;
using namespace driftless::run;
using driftless::test::Parts;
using driftless::test::settings;

namespace {

/// The pendulum at an angle from the vertical, at rest: kappa is 1 / |sin| for the dummy x and 1 / |cos| for y.
struct Pendulum : Parts {
    explicit Pendulum(double phi, const RunSettings& s = settings("dummy-derivatives", "radau-iia-5", 0.1))
        : Parts("pendulum", s, {{"phi", phi}, {"phi'", 0.0}})
    {
    }
    Followed turnTo(double phi)
    {
        state = at({{"phi", phi}, {"phi'", 0.0}});
        return selector->follow(stepper, state);
    }
    const std::vector<int>& dummies() const { return stepper.core().instance->dummies().velocities; }
};

RunSettings pinned(std::vector<std::string> names)
{
    RunSettings out = settings("dummy-derivatives", "radau-iia-5", 0.1);
    out.pivot = {.automatic = false, .dummies = std::move(names)};
    return out;
}

constexpr double kRoundoff = 32 * std::numeric_limits<double>::epsilon(); // a few operations on numbers near 1

} // namespace

class TestSelector : public QObject {
    Q_OBJECT

private slots:
    void pendulum_changesItsPivot_whereTheOtherIsTwiceAsGood()
    {
        Pendulum p(0.3);
        QCOMPARE(p.dummies(), std::vector<int>{1});
        QVERIFY(std::abs(p.selector->kappa() - 1 / std::cos(0.3)) <= kRoundoff);
        // |x| = 2 |y| at atan 2 = 1.107: before it nothing happens, behind it y is given up.
        QVERIFY(!p.turnTo(1.10).change);
        QVERIFY(std::abs(p.selector->kappa() - 1 / std::cos(1.10)) <= 4 * kRoundoff);
        const Followed found = p.turnTo(1.12);
        QVERIFY(found.change && found.shows && !found.failure);
        QCOMPARE(found.change->from, std::vector<std::string>{"bob.y"});
        QCOMPARE(found.change->to, std::vector<std::string>{"bob.x"});
        QVERIFY(std::abs(found.change->kappaBefore - 1 / std::cos(1.12)) <= 4 * kRoundoff);
        QVERIFY(std::abs(found.change->kappa - 1 / std::sin(1.12)) <= kRoundoff);
        QCOMPARE(p.dummies(), std::vector<int>{0});
        QVERIFY(!p.turnTo(1.10).change); // nor back at once
    }

    void pinnedSelection_stays_andASingularPointOnTheWayIsSeen()
    {
        Pendulum p(1.4, pinned({"bob.y"}));
        QVERIFY(!p.turnTo(1.56).change); // kappa near 100
        QVERIFY(p.selector->kappa() > 50);
        const model::ModelState before = p.state;
        const model::ModelState near = p.at({{"phi", 1.5}, {"phi'", 0.0}});
        const model::ModelState beyond = p.at({{"phi", 1.6}, {"phi'", 0.0}}); // y has changed its sign at pi/2
        QVERIFY(!p.selector->passedSingular(p.stepper.core(), before, near));
        QVERIFY(p.selector->passedSingular(p.stepper.core(), before, beyond));
        const Diagnostic said = p.selector->pinnedSingular(p.stepper.core(), beyond, beyond.t);
        QVERIFY(QString::fromStdString(said.what).contains("bob.y"));
        QVERIFY(QString::fromStdString(said.remedy).contains("bob.x"));
    }

    void pinnedNames_areRefused_whereTheyCannotBeDummies()
    {
        Pendulum p(0.3);
        const formulation::Dae& form = p.stepper.core().form();
        QVERIFY(p.selector->check(form, {.automatic = false, .dummies = {"bob.x"}}));
        QVERIFY(!p.selector->check(form, {.automatic = false, .dummies = {"bob.x", "bob.y"}}));
        QVERIFY(!p.selector->check(form, {.automatic = false, .dummies = {"L"}}));
        p.state = p.at({}); // of the file: horizontal, where y is exactly 0
        const auto made = p.make(pinned({"bob.y"}));
        QVERIFY(!made);
        QVERIFY(QString::fromStdString(made.error().what).contains("singular here"));
    }

    void formWithoutAChoice_isFollowed_andTellsIt()
    {
        Pendulum p(0.3, settings("index-1", "rk4", 0.01));
        QCOMPARE(p.selector->selection(p.stepper.core()).velocities, std::vector<int>{1});
        QVERIFY(!p.selector->needsEveryStep(p.stepper.core()));
        const Followed found = p.turnTo(1.2);
        QVERIFY(found.shows && !found.change);
        QCOMPARE(p.selector->selection(p.stepper.core()).velocities, std::vector<int>{0});
        Published published(2);
        p.selector->show(p.stepper.core(), published);
        QVERIFY(published.status().dummies.empty()); // the form has none
    }

    void exchanges_areThoseOfTheLastRow()
    {
        Pendulum p(0.3);
        Published published(2);
        published.tell({.t = 0,
                        .q = p.state.q,
                        .statistics = {},
                        .pivots = 0,
                        .residual = {},
                        .maxResidual = {},
                        .energy = 0,
                        .energyError = 0,
                        .stepSize = 0,
                        .order = 0,
                        .cpuSeconds = 0,
                        .wallSeconds = 0,
                        .kappa = 1});
        const auto found = p.selector->exchanges(p.stepper.core(), published).candidates;
        QCOMPARE(found.size(), std::size_t{2});
        QVERIFY(std::abs(found[0].kappa - 1 / std::cos(0.3)) <= kRoundoff);
        QVERIFY(std::abs(found[1].kappa - 1 / std::sin(0.3)) <= 4 * kRoundoff);
    }

    void equations_chooseDerivatives_andRefuseOthers()
    {
        Parts p("pendulum-equations", settings("dummy-derivatives", "ida", 0));
        const Core& core = p.stepper.core();
        QVERIFY(std::isfinite(p.selector->kappa()));
        QVERIFY(p.selector->needsEveryStep(core));
        const std::vector<std::string> names = p.selector->names(core.instance->dummies());
        QVERIFY(!names.empty());
        for (const std::string& name : names)
            QVERIFY2(name.ends_with("'"), name.c_str());
        QVERIFY(p.selector->check(core.form(), {.automatic = false, .dummies = names}));
        QVERIFY(!p.selector->check(core.form(), {.automatic = false, .dummies = {"x"}})); // no derivative
        Published published(0);
        p.selector->show(core, published);
        QCOMPARE(published.status().valueDummies, core.instance->dummies().values);
        QVERIFY(!published.status().stages.empty());
        QCOMPARE(published.status().exchanges.size(), published.status().stages.size());
    }
};

QTEST_GUILESS_MAIN(TestSelector)
#include "test_selector.moc"
