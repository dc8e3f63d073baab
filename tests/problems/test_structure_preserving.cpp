// The structure-preserving methods against exact motions and against what makes them such: order, constraint levels, energy
// over long times, momenta of symmetries, time reversal, the symplectic form. Two spherical pendula: in space coordinates (M
// constant) and in cylinder coordinates (M depends on r), each with the angular momentum about the vertical as its symmetry.
#include <QtTest>

#include <array>
#include <atomic>
#include <cmath>
#include <limits>

#include "tests/problems/FormDrive.h"
#include "tests/problems/SphericalPendula.h"
#include "tests/support/CountAllocations.h"

using namespace driftless;
using namespace driftless::problems;

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

/// theta, psi and their rates: a tilted orbit that never comes near the vertical.
const std::vector<double> kAngles{1.0, 0.0}, kRates{0.3, 2.0};

/// One pendulum under one method, stepped one by one.
class Motion {
public:
    Motion(const char* model, const std::string& form, const std::string& method, double h,
           const std::vector<double>& s = kAngles, const std::vector<double>& ds = kRates)
        : subject(compiledText(model)), inSpace_(model == kSpace), instance_(instanceOf(subject, {form})),
          integrator(require(integrate::makeIntegrator(method)))
    {
        integrate::IntegratorOptions options;
        options.step = h;
        if (auto ready = integrator->prepare(*instance_, options); !ready)
            qFatal("%s", ready.error().text().c_str());
        std::vector<double> q(3), v(3);
        subject.evaluator.fromChart(0, s.data(), ds.data(), q.data(), v.data());
        begin(subject.complete(0, q, v));
    }

    void begin(const model::ModelState& start)
    {
        state = start;
        std::vector<double> y(static_cast<std::size_t>(instance_->size())), yp(y.size());
        if (!instance_->fromState(start, y.data(), yp.data()))
            qFatal("%s", instance_->domainMessage().c_str());
        if (auto begun = integrator->restart(start.t, y, yp); !begun)
            qFatal("%s", begun.error().text().c_str());
    }
    bool step(int count = 1, double tStop = std::numeric_limits<double>::infinity())
    {
        for (int k = 0; k < count; ++k)
            if (integrator->step(tStop).status != integrate::StepStatus::Accepted)
                return false;
        return instance_->toState(integrator->t(), integrator->y().data(), integrator->yp().data(), state);
    }
    double energy()
    {
        model::SystemEvaluator::Energy e;
        subject.evaluator.energy(state.t, state.q.data(), state.v.data(), state.lambda.data(), e);
        return e.kinetic + e.potential;
    }
    /// About the vertical; m = 1.
    double angularMomentum() const
    {
        const auto &q = state.q, &v = state.v;
        return inSpace_ ? q[0] * v[2] - q[2] * v[0] : q[0] * q[0] * v[1];
    }
    double positionResidual() { return subject.g(state.t, state.q).cwiseAbs().maxCoeff(); }
    double velocityResidual() { return subject.rate(state.t, state.q, state.v).cwiseAbs().maxCoeff(); }
    Eigen::VectorXd momenta()
    {
        return subject.M(state.t, state.q) * Eigen::Map<const Eigen::VectorXd>(state.v.data(), subject.n());
    }

    ModelUnderTest subject;
    model::ModelState state;

private:
    bool inSpace_;
    std::unique_ptr<formulation::DaeInstance> instance_;

public:
    std::unique_ptr<integrate::Integrator> integrator;
};

double distance(const std::vector<double>& a, const std::vector<double>& b)
{
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        most = std::max(most, std::abs(a[i] - b[i]));
    return most;
}

/// Slope of the errors over four halved steps, least squares in logarithms.
double slope(const std::array<double, 4>& e)
{
    double sum = 0;
    for (std::size_t i = 0; i < 4; ++i)
        sum += (1.5 - static_cast<double>(i)) * std::log2(e[i]);
    return sum / 5;
}

struct Range {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    void take(double x)
    {
        low = std::min(low, x);
        high = std::max(high, x);
    }
    double width() const { return high - low; }
};

/// The canonical two-form on differences of positions and momenta.
double twoForm(const Eigen::VectorXd& a, const Eigen::VectorXd& b)
{
    const Eigen::Index n = a.size() / 2;
    return a.head(n).dot(b.tail(n)) - b.head(n).dot(a.tail(n));
}

/// Largest change of the two-form of the constrained phase space under `steps` steps: tangents by central differences over the
/// chart.
double formChange(const char* model, const std::string& form, const std::string& method, double h, int steps)
{
    constexpr double kDelta = 1e-4; // third derivatives of the flow times its square: below 1e-7
    std::array<Eigen::VectorXd, 4> before, after;
    for (std::size_t k = 0; k < 4; ++k)
        for (const double sign : {1.0, -1.0}) {
            std::vector<double> s = kAngles, ds = kRates;
            (k < 2 ? s[k] : ds[k - 2]) += sign * kDelta;
            Motion motion(model, form, method, h, s, ds);
            const auto point = [&] {
                Eigen::VectorXd z(6);
                z << Eigen::Map<const Eigen::VectorXd>(motion.state.q.data(), 3), motion.momenta();
                return z;
            };
            const Eigen::VectorXd start = point();
            if (!motion.step(steps))
                return std::numeric_limits<double>::infinity();
            const Eigen::VectorXd end = point();
            if (sign > 0) {
                before[k] = start, after[k] = end;
            } else {
                before[k] = (before[k] - start) / (2 * kDelta);
                after[k] = (after[k] - end) / (2 * kDelta);
            }
        }
    double most = 0;
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < i; ++j)
            most = std::max(most, std::abs(twoForm(after[i], after[j]) - twoForm(before[i], before[j])));
    return most;
}

constexpr const char* kSymplectic[] = {"rattle", "lobatto-iiia-iiib", "variational-midpoint"};

} // namespace

class TestStructurePreserving : public QObject {
    Q_OBJECT

    void checkOrder(ModelUnderTest& subject, const std::vector<double>& s, const std::vector<double>& ds,
                    const std::string& form, const std::string& method, double largest, double order)
    {
        constexpr double kEnd = 1;
        const auto exact = exactMotion(subject, s, ds, kEnd, 2, 1024);
        std::array<double, 4> q, v, l;
        for (std::size_t i = 0; i < 4; ++i) {
            const double h = largest / (1 << i);
            const auto run = drive(subject, {form}, method, h, static_cast<int>(std::lround(kEnd / h)), {exact[0]});
            QVERIFY2(!run.failed(), run.last.reason.c_str());
            q[i] = distance(run.states.back().q, exact[1].q);
            v[i] = distance(run.states.back().v, exact[1].v);
            l[i] = distance(run.states.back().lambda, exact[1].lambda);
        }
        // A quarter of an order: the next term of the error series at these steps; half of one at order five.
        const double slack = order < 5 ? 0.25 : 0.5;
        for (const auto& [name, e] : {std::pair{"positions", q}, {"velocities", v}, {"multipliers", l}})
            QVERIFY2(std::abs(slope(e) - order) < slack || (order == 5 && slope(e) > 5),
                     qPrintable(QString("%1 of %2: %3").arg(name, method.c_str()).arg(slope(e))));
    }

private slots:
    void order_inPositionsVelocitiesAndMultipliers_isThatOfTheory_data()
    {
        QTest::addColumn<QString>("method");
        QTest::addColumn<QString>("form");
        QTest::addColumn<double>("largest");
        QTest::addColumn<double>("order");
        for (const char* form : {"index-3", "ggl", "index-2", "index-1"})
            QTest::addRow("generalized-alpha on %s", form) << "generalized-alpha" << form << 0.02 << 2.0;
        QTest::newRow("rattle") << "rattle"
                                << "index-3" << 0.02 << 2.0;
        QTest::newRow("shake") << "shake"
                               << "index-3" << 0.02 << 2.0;
        QTest::newRow("midpoint") << "variational-midpoint"
                                  << "index-3" << 0.02 << 2.0;
        QTest::newRow("lobatto") << "lobatto-iiia-iiib"
                                 << "index-3" << 0.04 << 4.0;
        QTest::newRow("half-explicit") << "half-explicit-5"
                                       << "index-2" << 0.025 << 5.0;
    }
    void order_inPositionsVelocitiesAndMultipliers_isThatOfTheory()
    {
        QFETCH(QString, method);
        QFETCH(QString, form);
        QFETCH(double, largest);
        QFETCH(double, order);
        ModelUnderTest space(compiledText(kSpace)), cylinder(compiledText(kCylinder)), twice("double-pendulum"),
            hoop("rotating-hoop");
        checkOrder(space, kAngles, kRates, form.toStdString(), method.toStdString(), largest, order);
        checkOrder(cylinder, kAngles, kRates, form.toStdString(), method.toStdString(), largest, order);
        checkOrder(twice, {1.0, 0.5}, {0.2, -0.4}, form.toStdString(), method.toStdString(), largest / 2, order);
        checkOrder(hoop, {0.3}, {0.5}, form.toStdString(), method.toStdString(), largest / 2, order); // a constraint that moves
    }

    void generalizedAlpha_onIndexThree_hasOrderTwoFromTheFirstStep_andAfterAChangeOfStep()
    {
        ModelUnderTest subject("pendulum");
        std::array<double, 4> first{}, changed{};
        for (std::size_t i = 0; i < 4; ++i) {
            const double h = 0.02 / (1 << i);
            const auto exact = exactMotion(subject, {1.2}, {0.3}, h, 9, 8);
            const auto run = drive(subject, {"index-3"}, "generalized-alpha", h, 8, {exact[0]});
            QVERIFY2(!run.failed(), run.last.reason.c_str());
            for (std::size_t k = 1; k <= 8; ++k)
                first[i] = std::max(first[i], distance(run.states[k].lambda, exact[k].lambda));
            // A stop time cuts a step to 0.6 h; what follows is compared with the exact motion from there.
            auto instance = instanceOf(subject, {"index-3"});
            auto method = require(integrate::makeIntegrator("generalized-alpha"));
            integrate::IntegratorOptions options;
            options.step = h;
            QVERIFY(method->prepare(*instance, options));
            std::vector<double> y(5), yp(5);
            QVERIFY(instance->fromState(exact[0], y.data(), yp.data()) && method->restart(0, y, yp));
            for (int k = 0; k < 12; ++k)
                QVERIFY(method->step(10.6 * h).status == integrate::StepStatus::Accepted || method->t() >= 10.6 * h);
            for (int k = 0; k < 8; ++k) {
                QVERIFY(method->step(std::numeric_limits<double>::infinity()).status == integrate::StepStatus::Accepted);
                const std::vector<double> q{method->y()[0], method->y()[1]}, v{method->y()[2], method->y()[3]};
                changed[i] = std::max(changed[i], std::abs(method->y()[4] - subject.complete(method->t(), q, v).lambda[0]));
            }
        }
        QVERIFY2(slope(first) > 1.75, qPrintable(QString("first steps: %1").arg(slope(first))));
        QVERIFY2(slope(changed) > 1.75, qPrintable(QString("after a change: %1").arg(slope(changed))));
    }

    void generalizedAlpha_survivesAStepOfANanosecond()
    {
        ModelUnderTest subject("pendulum");
        const auto exact = exactMotion(subject, {1.2}, {0.3}, 1.0, 2, 1024);
        auto instance = instanceOf(subject, {"index-3"});
        auto method = require(integrate::makeIntegrator("generalized-alpha"));
        integrate::IntegratorOptions options;
        options.step = 0.01;
        QVERIFY(method->prepare(*instance, options));
        std::vector<double> y(5), yp(5);
        QVERIFY(instance->fromState(exact[0], y.data(), yp.data()) && method->restart(0, y, yp));
        for (const double stop : {0.5 + 1e-9, 0.7, 0.7 + 3e-7, 1.0})
            while (method->t() < stop)
                QVERIFY(method->step(stop).status == integrate::StepStatus::Accepted);
        // An undisturbed run has errors of 4e-6 in q, 2e-5 in v and lambda; the cuts may add as much.
        QVERIFY(std::abs(method->y()[0] - exact[1].q[0]) < 8e-6);
        QVERIFY(std::abs(method->y()[2] - exact[1].v[0]) < 4e-5);
        QVERIFY(std::abs(method->y()[4] - exact[1].lambda[0]) < 5e-5);
    }

    void generalizedAlpha_takesAnotherDampingWhileItRuns()
    {
        std::array<double, 4> changed{};
        for (std::size_t i = 0; i < 4; ++i) {
            integrate::IntegratorOptions options;
            options.step = 0.01 / (1 << i);
            Motion motion(kSpace, "index-3", "generalized-alpha", options.step);
            QVERIFY(motion.step(20));
            options.parameter = 0.4;
            QVERIFY(motion.integrator->setOptions(options));
            for (int k = 0; k < 8; ++k) {
                QVERIFY(motion.step());
                changed[i] = std::max(
                    changed[i], std::abs(motion.state.lambda[0]
                                         - motion.subject.complete(motion.state.t, motion.state.q, motion.state.v).lambda[0]));
            }
            for (const double wrong : {-0.5, 0.01, 1.0}) {
                options.parameter = wrong;
                const auto refused = motion.integrator->setOptions(options);
                QVERIFY(!refused && refused.error().text().find("rho") != std::string::npos);
            }
        }
        QVERIFY2(slope(changed) > 1.75, qPrintable(QString("after a change: %1").arg(slope(changed))));
        const auto lost = [](double rho) {
            integrate::IntegratorOptions options;
            options.step = 0.02;
            options.parameter = rho;
            Motion motion(kSpace, "index-3", "generalized-alpha", 0.02);
            const double start = motion.energy();
            return motion.integrator->setOptions(options) && motion.step(5000) ? start - motion.energy() : 0.0;
        };
        QVERIFY2(lost(0.4) > 5 * lost(0.9), "a smaller rho damps more");
    }

    void levels_areKept_orMissed_asEachMethodSays()
    {
        for (const char* model : {kSpace, kCylinder}) {
            for (const char* method : kSymplectic) {
                Motion motion(model, "index-3", method, 0.02);
                for (int k = 0; k < 500; ++k) {
                    QVERIFY(motion.step());
                    // Newton's last correction moves g by a few units of round-off; the velocities come from one linear system.
                    QVERIFY2(motion.positionResidual() < 64 * kEpsilon, method);
                    QVERIFY2(motion.velocityResidual() < 64 * kEpsilon, method);
                }
            }
            std::array<double, 4> missed{};
            for (std::size_t i = 0; i < 4; ++i) {
                Motion motion(model, "index-3", "shake", 0.02 / (1 << i));
                for (int k = 0; k < 50 << i; ++k) {
                    QVERIFY(motion.step());
                    QVERIFY(motion.positionResidual() < 64 * kEpsilon);
                    missed[i] = std::max(missed[i], motion.velocityResidual());
                }
            }
            QVERIFY2(missed[0] > 1e-3 && std::abs(slope(missed) - 2) < 0.1,
                     qPrintable(QString("shake: %1").arg(slope(missed))));
            Motion explicitly(model, "index-2", "half-explicit-5", 0.02);
            QVERIFY(explicitly.step(500));
            QVERIFY(explicitly.velocityResidual() < 64 * kEpsilon);
            QVERIFY(explicitly.positionResidual() > 1e-12);
        }
    }

    void energy_staysInItsBand_ofSymplecticMethods_andDriftsOfOthers()
    {
        constexpr int kSteps = 10000, kTenth = kSteps / 10;
        const auto bands = [](const char* model, const char* form, const char* method, Range& first, Range& last) {
            Motion motion(model, form, method, 0.02);
            const double start = motion.energy();
            for (int k = 0; k < kSteps; ++k) {
                QVERIFY2(motion.step(), method);
                if (k < kTenth)
                    first.take(motion.energy() - start);
                if (k >= kSteps - kTenth)
                    last.take(motion.energy() - start);
            }
        };
        for (const char* model : {kSpace, kCylinder}) {
            for (const char* method : {"rattle", "shake", "lobatto-iiia-iiib", "variational-midpoint"}) {
                Range first, last;
                bands(model, "index-3", method, first, last);
                // 200 s are about 100 swings; a hundredth of the band is what the sampling of its ends leaves open.
                const double open = 0.01 * first.width();
                QVERIFY2(std::abs(last.low - first.low) < open && std::abs(last.high - first.high) < open, method);
            }
            Range first, last;
            bands(model, "index-3", "generalized-alpha", first, last);
            QVERIFY2(last.high < first.high - 0.1 * first.width(), "generalized-alpha damps");
            first = last = {};
            bands(model, "index-1", "rk4", first, last);
            QVERIFY2(last.high > 10 * first.high, "rk4 gains energy, with the length of the rod");
            first = last = {};
            bands(model, "index-3", "bdf2", first, last);
            QVERIFY2(last.high < first.low, "bdf2 damps");
        }
    }

    void angularMomentum_isKeptToRoundoff()
    {
        constexpr int kSteps = 10000;
        const auto lost = [](const char* model, const char* form, const char* method) {
            Motion motion(model, form, method, 0.02);
            const double start = motion.angularMomentum();
            double most = 0;
            for (int k = 0; k < kSteps; ++k) {
                if (!motion.step())
                    return std::numeric_limits<double>::infinity();
                most = std::max(most, std::abs(motion.angularMomentum() - start));
            }
            return most;
        };
        for (const char* model : {kSpace, kCylinder}) {
            for (const char* method : {"rattle", "shake", "lobatto-iiia-iiib", "variational-midpoint"}) {
                const double most = lost(model, "index-3", method);
                // Each step may lose a few units of round-off of a momentum of 1.4, at worst all in one direction.
                QVERIFY2(most < 4 * kSteps * kEpsilon * 1.4, qPrintable(QString("%1: %2").arg(method).arg(most)));
            }
            for (const auto& [form, method] :
                 {std::pair{"index-3", "generalized-alpha"}, {"index-3", "bdf2"}, {"index-1", "rk4"}})
                QVERIFY2(lost(model, form, method) > 1e-6, method);
        }
    }

    void symmetricMethods_returnFromAReversedMotion()
    {
        constexpr int kSteps = 200;
        const auto missed = [](const char* model, const char* form, const char* method) {
            Motion motion(model, form, method, 0.02);
            const model::ModelState start = motion.state;
            if (!motion.step(kSteps))
                return std::numeric_limits<double>::infinity();
            const auto back = [&] {
                std::vector<double> v = motion.state.v;
                for (double& x : v)
                    x = -x;
                return motion.subject.complete(motion.state.t, motion.state.q, v);
            };
            motion.begin(back());
            if (!motion.step(kSteps))
                return std::numeric_limits<double>::infinity();
            motion.state = back();
            return std::max(distance(motion.state.q, start.q), distance(motion.state.v, start.v));
        };
        for (const char* model : {kSpace, kCylinder}) {
            for (const char* method : kSymplectic) {
                const double gap = missed(model, "index-3", method);
                // 400 steps, errors of 4 eps / h in the velocities of each, which grow linearly along the orbit.
                QVERIFY2(gap < 400 * 4 * kEpsilon / 0.02 * 10, qPrintable(QString("%1: %2").arg(method).arg(gap)));
            }
            QVERIFY(missed(model, "index-3", "generalized-alpha") > 1e-4);
            QVERIFY(missed(model, "index-2", "half-explicit-5") > 1e-10);
        }
    }

    void twoFormOfTheConstrainedPhaseSpace_isPreserved()
    {
        for (const char* model : {kSpace, kCylinder}) {
            for (const char* method : kSymplectic) {
                const double change = formChange(model, "index-3", method, 0.1, 10);
                QVERIFY2(change < 1e-6, qPrintable(QString("%1: %2").arg(method).arg(change)));
            }
            QVERIFY(formChange(model, "index-3", "generalized-alpha", 0.1, 10) > 1e-3);
            QVERIFY(formChange(model, "index-2", "half-explicit-5", 0.1, 10) > 1e-5);
        }
    }

    void refusals_nameTheFormThatIsNeeded()
    {
        ModelUnderTest pendulum("pendulum"), sleigh("chaplygin-sleigh"), motor("motor-pendulum");
        const auto refused = [](ModelUnderTest& subject, const char* form, const char* method, const char* needed) {
            auto instance = instanceOf(subject, {form});
            auto integrator = require(integrate::makeIntegrator(method));
            integrate::IntegratorOptions options;
            const auto prepared = integrator->prepare(*instance, options);
            QVERIFY(!prepared);
            const std::string text = prepared.error().text();
            QVERIFY2(text.find(method) != std::string::npos && text.find(needed) != std::string::npos, text.c_str());
        };
        refused(pendulum, "dummy-derivatives", "rattle", "index-3");
        refused(pendulum, "ggl", "lobatto-iiia-iiib", "index-3");
        refused(pendulum, "index-2", "variational-midpoint", "index-3");
        refused(pendulum, "index-3", "half-explicit-5", "index-2");
        refused(sleigh, "index-3", "rattle", "nonholonomic");
        refused(motor, "index-3", "shake", "dynamic variables");
    }

    void massRate_isTheDerivativeOfTheMassMatrixAlongTheMotion()
    {
        ModelUnderTest subject(compiledText(kCylinder));
        auto instance = instanceOf(subject, {"index-3"});
        solve::MechanicalSystem* face = instance->mechanical();
        QVERIFY(face && !face->constantMass() && face->level() == solve::Mechanics::Position);
        const std::vector<double> q{0.8, 0.4, -0.6}, v{0.3, 1.7, 0.4};
        std::vector<double> rate(3);
        QVERIFY(face->massRate(0, q.data(), v.data(), rate.data()));
        const double exact = 2 * q[0] * v[0] * v[1]; // d/dt(r^2) psi', m = 1
        QVERIFY(std::abs(rate[1] - exact) < 4 * kEpsilon && rate[0] == 0 && rate[2] == 0);
        ModelUnderTest constant("pendulum");
        auto other = instanceOf(constant, {"index-2"});
        QVERIFY(other->mechanical() && other->mechanical()->constantMass()
                && other->mechanical()->level() == solve::Mechanics::Velocity);
        QVERIFY(!instanceOf(constant, {"baumgarte"})->mechanical());
    }

    void steps_stopBitForBit_repeatBitForBit_cancel_andAllocateNothing()
    {
        for (const auto& info : integrate::integratorCatalogue()) {
            if (info.family != integrate::Family::Mechanical)
                continue;
            const std::string form = info.mechanics == solve::Mechanics::Velocity ? "index-2" : "index-3";
            for (const char* model : {kSpace, kCylinder}) {
                Motion one(model, form, info.id, 0.01), two(model, form, info.id, 0.01);
                for (const double stop : {1.0 / 3, 0.7})
                    while (one.integrator->t() < stop)
                        QVERIFY(one.step(1, stop) && one.integrator->t() <= stop);
                QVERIFY(one.integrator->t() == 0.7);
                const auto fresh = two.state;
                one.begin(fresh);
                for (int k = 0; k < 50; ++k) {
                    QVERIFY(one.step() && two.step());
                    QVERIFY2(std::equal(one.integrator->y().begin(), one.integrator->y().end(), two.integrator->y().begin()),
                             info.id.c_str());
                }
                std::atomic<bool> flag{true};
                one.integrator->setCancelFlag(&flag);
                const double t = one.integrator->t();
                QVERIFY(one.integrator->step(10).status == integrate::StepStatus::Cancelled && one.integrator->t() == t);
                flag = false;
                QVERIFY(one.step());
                if (test::countsAllocations()) {
                    const auto before = test::allocationCount();
                    for (int k = 0; k < 20; ++k)
                        QVERIFY(two.integrator->step(10).status == integrate::StepStatus::Accepted);
                    QCOMPARE(test::allocationCount(), before);
                }
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestStructurePreserving)
#include "test_structure_preserving.moc"
