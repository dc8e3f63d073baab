// What is refused and what is not, at the bounds of every option, and the sentences about it, whole.
#include <QtTest>

#include <cmath>
#include <limits>

#include "core/integrate/AlgebraicFloor.h"
#include "core/integrate/ErrorTest.h"
#include "core/integrate/Messages.h"
#include "core/integrate/RungeKutta.h"
#include "core/text/Numbers.h"
#include "tests/problems/Pendulum.h"

using namespace driftless;
using namespace driftless::problems;
using integrate::IntegratorInfo;
using integrate::IntegratorOptions;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

QString whatOf(const Result<void>& r) { return r ? QString("accepted") : QString::fromStdString(r.error().what); }

const IntegratorInfo& info(const char* id) { return *integrate::findIntegrator(id); }

struct Changed : IntegratorOptions {
    Changed(double IntegratorOptions::*field, double value) { this->*field = value; }
};

/// A second of the system is two of the clock.
class SlowClock : public solve::DaeSystem {
public:
    int size() const override { return inner_.size(); }
    std::span<const solve::UnknownRole> roles() const override { return inner_.roles(); }
    int index() const override { return 1; }
    std::uint64_t rolesRevision() const override { return 0; }
    bool residual(double, const double*, const double*, double*) override { return false; }
    const solve::SparsePattern& pattern() const override { return inner_.pattern(); }
    bool jacobian(double, const double*, const double*, double*, double*) override { return false; }
    std::string domainMessage() const override { return "sqrt of -1"; }
    std::string unknownName(int i) const override { return i == 0 ? "bob.x" : "bob.y"; }
    std::string rowName(int) const override { return {}; }
    double timeUnit() const override { return 2; }

private:
    HandCoded<PendulumAngle> inner_;
};

} // namespace

class TestRefusals : public QObject {
    Q_OBJECT
private slots:
    void options_areRefusedBeyondTheirBounds_andNotBefore()
    {
        using O = IntegratorOptions;
        const auto told = [](double O::*field, double value) { return whatOf(Changed(field, value).check()); };
        const QString fine = "accepted";
        QCOMPARE(told(&O::step, 0), fine);
        QCOMPARE(told(&O::step, -1e-9), QString("The step is -1e-09"));
        QCOMPARE(told(&O::step, kInfinity), QString("The step is inf"));
        QCOMPARE(told(&O::relativeTolerance, 0), fine);
        QCOMPARE(told(&O::relativeTolerance, 0.999), fine);
        QCOMPARE(told(&O::relativeTolerance, 1), QString("The relative tolerance is 1"));
        QCOMPARE(told(&O::relativeTolerance, -0.1), QString("The relative tolerance is -0.1"));
        QCOMPARE(told(&O::relativeTolerance, kNan), QString("The relative tolerance is nan"));
        QCOMPARE(told(&O::absoluteTolerance, 0), fine);
        QCOMPARE(told(&O::absoluteTolerance, 50), fine);
        QCOMPARE(told(&O::absoluteTolerance, -1), QString("The absolute tolerance is -1"));
        QCOMPARE(told(&O::multiplierTolerance, 0), fine);
        QCOMPARE(told(&O::multiplierTolerance, -2), QString("The tolerance of the multipliers is -2"));
        QCOMPARE(told(&O::maxStep, -1), QString("The limit of the step is -1"));
        QCOMPARE(told(&O::minStep, -3), QString("The limit of the step is -3"));
        QCOMPARE(told(&O::parameter, kNan), QString("The parameter of the method is nan"));
        QCOMPARE(told(&O::parameter, kInfinity), QString("The parameter of the method is inf"));
        QCOMPARE(told(&O::parameter, -0.5), fine);
        // Squares overflow or vanish.
        QCOMPARE(told(&O::step, 1e-120), QString("The step is 1e-120"));
        QCOMPARE(told(&O::absoluteTolerance, 1e120), QString("The absolute tolerance is 1e+120"));
        QCOMPARE(told(&O::parameter, -1e-120), QString("The size of the parameter of the method is 1e-120"));
        QCOMPARE(told(&O::maxStep, 1e120), QString("The longest step is 1e+120"));
        QCOMPARE(told(&O::minStep, 1e-120), QString("The shortest step is 1e-120"));
        O both;
        both.relativeTolerance = both.absoluteTolerance = 0;
        QCOMPARE(whatOf(both.check()), QString("The absolute tolerance is 0"));
        O limits;
        limits.minStep = limits.maxStep = 0.1;
        QCOMPARE(whatOf(limits.check()), fine);
        limits.minStep = 0.2;
        QCOMPARE(whatOf(limits.check()), QString("The longest step, 0.1 s, is below the shortest one, 0.2 s"));
        limits.maxStep = 0; // none
        QCOMPARE(whatOf(limits.check()), fine);
        for (const int iterations : {-1, 0, 10, 11}) {
            O o;
            o.minNewtonIterations = iterations;
            QCOMPARE(o.check().ok(), iterations >= 0 && iterations <= 10);
        }
    }

    void methods_needTheirStepTheirParameterAndTheirTolerance()
    {
        IntegratorOptions o;
        o.step = 0;
        QCOMPARE(whatOf(integrate::checkFor(info("rk4"), o)), QString("rk4 needs a step"));
        QVERIFY(integrate::checkFor(info("ida"), o));
        o.absoluteTolerance = 0;
        QCOMPARE(whatOf(integrate::checkFor(info("ida"), o)), QString("The absolute tolerance is 0"));
        o.step = 0.1;
        QVERIFY(integrate::checkFor(info("rk4"), o)); // which tests no error
        o.absoluteTolerance = 1e-6;
        for (const IntegratorInfo& method : integrate::integratorCatalogue()) {
            const auto& p = method.parameter;
            const auto at = [&](double value) {
                o.parameter = value;
                return integrate::checkFor(method, o).ok();
            };
            QVERIFY(at(0)); // the usual one
            if (p.name.empty()) {
                QVERIFY(at(77));
                continue;
            }
            QVERIFY2(at(p.least) && at(p.most) && at(p.usual), method.id.c_str());
            QVERIFY2(!at(p.least - 1e-6) && !at(p.most + 1e-6), method.id.c_str());
            if (p.excluded == 0)
                continue;
            QVERIFY2(!at(p.excluded) && !at(p.excluded + 0.009) && !at(p.excluded - 0.009) && at(p.excluded + 0.011)
                         && at(p.excluded - 0.011),
                     method.id.c_str());
            o.parameter = p.excluded;
            const auto refused = integrate::checkFor(method, o);
            const std::string number = text::rounded(p.excluded);
            QCOMPARE(refused.error().what, "The parameter " + p.name + " of " + method.id + " is " + number);
            QCOMPARE(refused.error().why, "there is no method at " + number);
            QCOMPARE(refused.error().remedy,
                     "a value from " + text::rounded(p.least) + " to " + text::rounded(p.most) + ", away from " + number);
        }
        o.parameter = 3;
        const auto refused = integrate::checkFor(info("generalized-alpha"), o);
        QCOMPARE(refused.error().why, std::string());
        QCOMPARE(refused.error().remedy, std::string("a value from 0.1 to 0.95"));
    }

    void starts_haveAFiniteValueAndRateForEachUnknown()
    {
        HandCoded<PendulumAngle> dae;
        const std::vector<double> two{1, 2}, three{1, 2, 3}, wrong{1, kNan};
        QVERIFY(integrate::checkStart(dae, 0, two, two));
        QCOMPARE(whatOf(integrate::checkStart(dae, 0, three, two)),
                 QString("The start has 3 values and 2 rates for 2 unknowns"));
        QCOMPARE(whatOf(integrate::checkStart(dae, 0, two, three)),
                 QString("The start has 2 values and 3 rates for 2 unknowns"));
        QCOMPARE(integrate::checkStart(dae, 0, wrong, two).error().where, std::string("y1"));
        QCOMPARE(whatOf(integrate::checkStart(dae, 0, two, wrong)), QString("The start is not a number"));
        QCOMPARE(whatOf(integrate::checkStart(dae, kInfinity, two, two)), QString("The initial time is not a number"));
    }

    void failures_nameTimeStepAndUnknown()
    {
        SlowClock system;
        solve::NewtonResult r;
        const auto told = [&](double h) { return integrate::newtonFailure(system, r, 1.5, h).reason; };
        r.status = solve::NewtonStatus::Singular;
        r.matrix.column = 1;
        QCOMPARE(told(0.25),
                 std::string(
                     "the iteration matrix is singular at t = 3 s with a step of 0.5 s: the equations do not determine bob.y"));
        for (const int column : {-1, 2}) {
            r.matrix.column = column;
            QCOMPARE(told(0), std::string("the iteration matrix is singular at t = 3 s"));
        }
        r.matrix.column = 0;
        QVERIFY(told(0).ends_with("determine bob.x"));
        r.status = solve::NewtonStatus::OutsideDomain;
        QCOMPARE(told(0.25), std::string("sqrt of -1 (at t = 3 s with a step of 0.5 s)"));
        r.status = solve::NewtonStatus::Diverged;
        r.norm = 12;
        r.limit = 0.5;
        r.largest = 0;
        QCOMPARE(told(0), std::string("Newton's iteration did not converge at t = 3 s: the last correction was 12 in the "
                                      "weighted norm, the limit is 0.5, most of it in bob.x"));
        r.largest = -1;
        r.limit = 1e-15;
        QCOMPARE(told(0), std::string("Newton's iteration did not converge at t = 3 s: the last correction was 12 of the size "
                                      "of the unknowns, and it should have vanished"));
        r.norm = kNan;
        QCOMPARE(told(0),
                 std::string("Newton's iteration did not converge at t = 3 s: its corrections are no finite numbers any more"));
        const auto outcome = integrate::newtonFailure(system, r, 1.5, 0.25);
        QVERIFY(outcome.status == integrate::StepStatus::Failed && outcome.failure == integrate::StepFailure::NewtonDiverged
                && outcome.t == 1.5 && outcome.h == 0.25);
        r.status = solve::NewtonStatus::Cancelled;
        QVERIFY(integrate::newtonFailure(system, r, 0, 0).status == integrate::StepStatus::Cancelled);
        QCOMPARE(integrate::errorTestFailure(system, 1.5, 0.25, 40, 1).reason,
                 std::string("the error test failed at t = 3 s down to a step of 0.5 s: the estimated error is 40 times the "
                             "tolerance, most of it in bob.y"));
        QCOMPARE(integrate::errorTestFailure(system, 1.5, 0, 40).reason,
                 std::string("the error test failed at t = 3 s: the estimated error is 40 times the tolerance"));
        QCOMPARE(integrate::projectionFailure(0.125),
                 std::string("the projection onto the constraints did not converge at t = 0.125 s"));
    }

    void theErrorTest_isSaidInWords_andTakesWhatItSays()
    {
        const solve::UnknownRole state{true, 0, false}, dummy{false, 0, false}, open{false, 1, true}, high{false, 2, true},
            moving{true, 2, false};
        const auto test = [](const char* id, double multipliers, int index) {
            IntegratorOptions o;
            o.multiplierTolerance = multipliers;
            return integrate::errorTestOf(info(id), o, index);
        };
        const auto takes = [&](const integrate::ErrorTest& t) {
            QString out;
            for (const auto* role : {&state, &dummy, &open, &high, &moving})
                out += t.takes(*role) ? '1' : '0';
            return out;
        };
        const std::string inner = "; multipliers and accelerations follow from them";
        QCOMPARE(integrate::inWords(test("rk4", 0, 1)), std::string("fixed steps: no error test"));
        QCOMPARE(integrate::inWords(test("dormand-prince", 1e-3, 1)), "error test: the unknowns that are integrated" + inner);
        QCOMPARE(takes(test("dormand-prince", 1e-3, 1)), QString("10000"));
        QCOMPARE(integrate::inWords(test("radau", 0, 1)), "error test: the unknowns that are integrated" + inner);
        QCOMPARE(integrate::inWords(test("radau", 1e-3, 1)),
                 std::string("error test: the unknowns that are integrated; Newton's method solves for the multipliers to the "
                             "absolute tolerance 0.001"));
        QCOMPARE(integrate::inWords(test("ida", 0, 1)), "error test: all unknowns but multipliers and accelerations" + inner);
        QCOMPARE(takes(test("ida", 0, 1)), QString("11000"));
        QCOMPARE(integrate::inWords(test("ida", 1e-3, 1)),
                 std::string("error test: all unknowns; the absolute tolerance of multipliers and accelerations is 0.001"));
        QCOMPARE(takes(test("ida", 1e-3, 1)), QString("11100"));
        QCOMPARE(integrate::inWords(test("ida", 0, 2)), "error test: the unknowns that are integrated" + inner);
        QCOMPARE(takes(test("ida", 0, 2)), QString("10000"));
        QCOMPARE(integrate::inWords(test("bdf", 0, 1)),
                 std::string("error test: all unknowns; multipliers and accelerations as far as the others determine them"));
        QCOMPARE(takes(test("bdf", 0, 1)), QString("11100"));
        QCOMPARE(integrate::inWords(test("bdf", 1e-3, 1)),
                 std::string("error test: all unknowns; the absolute tolerance of multipliers and accelerations is 0.001"));
        IntegratorOptions o;
        o.absoluteTolerance = 2;
        o.multiplierTolerance = 3;
        QCOMPARE(integrate::absoluteTolerance(open, o, true), 3.0);
        QCOMPARE(integrate::absoluteTolerance(open, o, false), 2.0);
        QCOMPARE(integrate::absoluteTolerance(dummy, o, true), 2.0);
        solve::UnknownRole own = open;
        own.tolerance = 5;
        QCOMPARE(integrate::absoluteTolerance(own, o, true), 5.0);
        // Of what is open a share is tolerated, at least its own tolerance and at most a thousand of it.
        QCOMPARE(integrate::flooredTolerance(open, 0.5, -8, 0.25, 8), 2.0);
        QCOMPARE(integrate::flooredTolerance(open, 0.5, 1, 0.25, 1), 0.5);
        QCOMPARE(integrate::flooredTolerance(open, 0.5, 1e9, 0.25, 1e9), 500.0);
        // Of what equations determine the whole, up to ten times the least.
        solve::UnknownRole determined = dummy;
        determined.determined = true;
        QCOMPARE(integrate::flooredTolerance(determined, 0.5, -8e6, 0.25, 8e6), 8e6);
        QCOMPARE(integrate::flooredTolerance(determined, 0.5, 8e6, 0.25, 2), 20.0);
        QCOMPARE(integrate::flooredTolerance(determined, 0.5, 0.1, 0.25, 0.1), 0.5);
        QCOMPARE(integrate::flooredTolerance(determined, 0.5, 0, 0.25, INFINITY), 0.5); // nothing is known yet
        QVERIFY(integrate::anyFloor(std::vector{state, open}) && !integrate::anyFloor(std::vector{state, dummy, high, moving}));
        QVERIFY(integrate::anyFloor(std::vector{state, determined}));
    }

    void forms_areRefusedByWhatTheyAsk()
    {
        using solve::Mechanics;
        const auto what = [](const char* id, int index, bool projection = false, bool semiExplicit = true,
                             Mechanics m = Mechanics::None) {
            return whatOf(integrate::canCarry(info(id), index, projection, semiExplicit, m));
        };
        QCOMPARE(what("rk4", 1), QString("accepted"));
        QCOMPARE(what("rk4", 2), QString("rk4 cannot integrate a form of index 2"));
        QVERIFY(integrate::canCarry(info("rk4"), 2, false).error().why.ends_with("differentiated once more"));
        QVERIFY(integrate::canCarry(info("rk4"), 3, false).error().why.ends_with("differentiated twice more"));
        QCOMPARE(what("rk4", 0, false, false), QString("rk4 is an explicit method and cannot integrate this form"));
        QCOMPARE(what("radau", 1, true, false), QString("accepted"));
        QCOMPARE(what("bdf2", 1, true), QString("bdf2 cannot be combined with a projection after each step"));
        QCOMPARE(what("bdf2", 3), QString("accepted"));
        QCOMPARE(what("rk4", 1, true), QString("accepted"));
        QVERIFY(what("rattle", 3).startsWith("rattle needs the equations of motion as the form index-3"));
        QVERIFY(what("rattle", 2, false, true, Mechanics::Velocity).startsWith("rattle needs"));
        QCOMPARE(what("rattle", 3, false, true, Mechanics::Position), QString("accepted"));
        QVERIFY(what("half-explicit-5", 2).startsWith("half-explicit-5 needs the equations of motion as the form index-2"));
        QCOMPARE(what("half-explicit-5", 2, false, true, Mechanics::Velocity), QString("accepted"));
        for (const IntegratorInfo& method : integrate::integratorCatalogue())
            if (method.implicitMethod && !method.tiedUnknowns)
                QCOMPARE(whatOf(integrate::canCarry(method, 0, false, false)),
                         QString::fromStdString(method.id + " cannot integrate this form"));
    }

    void unknownMethods_areMetByTheNearest()
    {
        const std::pair<const char*, const char*> pairs[] = {
            {"rk5", "rk4"},  {"radau-iia5", "radau-iia-5"}, {"dormandprince", "dormand-prince"}, {"bdf7", "bdf1"},
            {"idda", "ida"}, {"gaus-4", "gauss-4"},         {"esdirk43", "esdirk-43"},           {"ratle", "rattle"}};
        for (const auto& [asked, nearest] : pairs) {
            const auto refused = integrate::makeIntegrator(asked);
            QVERIFY(!refused.ok());
            QCOMPARE(refused.error().what, "There is no integrator '" + std::string(asked) + "'");
            QCOMPARE(refused.error().remedy, std::string(nearest));
        }
        QVERIFY(integrate::makeIntegrator("no").error().why.starts_with("known are euler, midpoint, "));
        QVERIFY(integrate::makeIntegrator(std::string(100, 'x')).error().what.size() < 100);
    }
};

QTEST_GUILESS_MAIN(TestRefusals)
#include "test_refusals.moc"
