// The initial-condition doctor: corrections against their optimality conditions, freedom, redundant and conflicting
// constraints.
#include <QtTest>

#include <cmath>
#include <limits>
#include <random>

#include "core/consistency/Doctor.h"
#include "core/mechanism/ReadModel.h"
#include "core/solve/DenseDecompositions.h"
#include "core/system/ShippedModels.h"
#include "tests/consistency/RequestFixture.h"

using namespace driftless;
using test::requestOf;

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
/// Starts are solved to 1e4 round-offs of their terms; the conditions below are linear in them.
constexpr double kSolved = 1e5 * kEpsilon;

std::shared_ptr<const model::CompiledSystem> compiled(const std::string& name)
{
    auto model = model::openModel(name);
    if (!model)
        qFatal("%s", model.error().text().c_str());
    auto system = model::CompiledSystem::compile(*model);
    if (!system)
        qFatal("%s", system.error().text().c_str());
    return *system;
}

} // namespace

class TestDoctor : public QObject {
    Q_OBJECT
private slots:
    /// At zero, where gradients of rods vanish and bodies lie upon each other, as much as at places drawn at random: an answer
    /// whose counts fit.
    void anyPlaceHasAnAnswer()
    {
        std::mt19937 random(16);
        std::uniform_real_distribution<double> draw(-1, 1);
        int seen = 0;
        for (const auto& shipped : model::shippedModels()) {
            const auto opened = model::openModel(shipped.id);
            const auto system = opened ? model::CompiledSystem::compile(*opened) : opened.error();
            if (!system || (*system)->m() == 0 || (*system)->n() > 60)
                continue;
            for (const double size : {0.0, 1.0}) {
                auto request = requestOf(*system);
                for (double& q : request.q)
                    q = size * draw(random);
                request.qFixed.assign(request.q.size(), true);
                request.allowInconsistent = true;
                const auto found = consistency::diagnose(*system, (*system)->defaultParameters(), request);
                const int redundant = static_cast<int>(found.redundant.size());
                if (found.velocityFreedom == (*system)->n() && redundant == 0)
                    continue; // the rows have no value there
                QVERIFY2(found.velocityFreedom == (*system)->n() - (*system)->m() + redundant, shipped.id.c_str());
                ++seen;
            }
        }
        QVERIFY(seen >= 40);
    }

    void aVelocityCorrectionIsSmallestInItsMetric_data()
    {
        QTest::addColumn<bool>("mass");
        QTest::newRow("coordinates") << false;
        QTest::newRow("mass") << true;
    }
    /// v + dv with W v = 0 nearest to v: the metric times dv is orthogonal to the kernel of W.
    void aVelocityCorrectionIsSmallestInItsMetric()
    {
        QFETCH(bool, mass);
        const auto system = compiled("cart-pendulum");
        auto request = requestOf(system);
        request.metric = mass ? consistency::Metric::Mass : consistency::Metric::Identity;
        for (std::size_t i = 0; i < request.v.size(); ++i)
            request.v[i] += 0.3 + 0.1 * static_cast<double>(i);
        const auto found = consistency::diagnose(system, system->defaultParameters(), request);
        QVERIFY(!found.conflict);
        QVERIFY(found.velocity.before > 0.1 && found.velocity.after <= kSolved);
        const int n = system->n(), m = system->m();
        model::SystemEvaluator evaluator(system);
        std::vector<double> values(system->jacobianPlaces().size()), masses(system->massPlaces().size());
        QVERIFY(evaluator.jacobian(0, found.after.q.data(), values.data())
                && evaluator.mass(0, found.after.q.data(), masses.data()));
        Eigen::MatrixXd W = Eigen::MatrixXd::Zero(m, n), M = Eigen::MatrixXd::Zero(n, n);
        for (std::size_t k = 0; k < values.size(); ++k)
            W(system->jacobianPlaces()[k].row, system->jacobianPlaces()[k].column) = values[k];
        for (std::size_t k = 0; k < masses.size(); ++k)
            M(system->massPlaces()[k].row, system->massPlaces()[k].column) = masses[k];
        if (!mass)
            M.setIdentity();
        Eigen::VectorXd dv(n);
        for (int i = 0; i < n; ++i)
            dv(i) = found.after.v[static_cast<std::size_t>(i)] - request.v[static_cast<std::size_t>(i)];
        const Eigen::MatrixXd kernel = Eigen::FullPivLU<Eigen::MatrixXd>(W).kernel();
        QVERIFY(dv.norm() > 0.1);
        QVERIFY((kernel.transpose() * (M * dv)).cwiseAbs().maxCoeff() <= kSolved * M.norm() * dv.norm());
    }

    void freedomAndIndependentSetAreThoseOfTheMechanism()
    {
        const struct {
            const char* model;
            int positions, velocities;
        } expected[] = {{"pendulum", 1, 1},     {"slider-crank", 1, 1},  {"knife-edge", 3, 2},
                        {"rolling-disc", 2, 1}, {"parallelogram", 1, 1}, {"free-particle", 2, 2}};
        for (const auto& e : expected) {
            const auto system = compiled(e.model);
            const auto found = consistency::diagnose(system, system->defaultParameters(), requestOf(system));
            QVERIFY2(!found.conflict, e.model);
            QCOMPARE(found.positionFreedom, e.positions);
            QCOMPARE(found.velocityFreedom, e.velocities);
            QCOMPARE(static_cast<int>(found.independent.size()), e.velocities);
            QVERIFY2(found.kappa >= 1 - 1e-12 && found.kappa < 20, e.model); // well-conditioned on models of size one
            QVERIFY(found.position.after <= 1e-10 && found.velocity.after <= 1e-10 && found.acceleration.after <= 1e-8);
        }
    }

    void fixingTheIndependentSetLeavesOneSolution()
    {
        const auto system = compiled("double-pendulum");
        auto request = requestOf(system);
        const auto first = consistency::diagnose(system, system->defaultParameters(), request);
        for (const int i : first.independent)
            request.qFixed[static_cast<std::size_t>(i)] = request.vFixed[static_cast<std::size_t>(i)] = true;
        for (std::size_t i = 0; i < request.q.size(); ++i)
            if (!request.qFixed[i])
                request.q[i] += 0.02; // the dependent ones are solved for
        const auto solved = consistency::diagnose(system, system->defaultParameters(), request);
        QVERIFY(!solved.conflict);
        for (std::size_t i = 0; i < request.q.size(); ++i) {
            if (request.qFixed[i])
                QCOMPARE(solved.after.q[i], request.q[i]);
            QVERIFY(std::abs(solved.after.q[i] - first.after.q[i]) <= 1e-9); // near the branch of the guess
        }
    }

    void theFifthBarIsNamedWithWhatItFollowsFrom()
    {
        const auto system = compiled("parallelogram");
        const auto found = consistency::diagnose(system, system->defaultParameters(), requestOf(system));
        QCOMPARE(found.redundant.size(), std::size_t(1));
        const auto& r = found.redundant.front();
        QCOMPARE(r.dependsOn.size(), std::size_t(2)); // each crank is the mean or the reflection of the two others
        QVERIFY(r.text.find("follows from") != std::string::npos && r.text.find("coupler") != std::string::npos);
    }

    void aFlatFourBarIsNamedAtItsStart()
    {
        const auto system = compiled("flat-fourbar");
        auto request = requestOf(system);
        request.q = {1, 0, 0}; // both cranks and the coupler in one line
        request.v = {0, 1, 0};
        const auto found = consistency::diagnose(system, system->defaultParameters(), request);
        QCOMPARE(found.velocityFreedom, 2);
        QCOMPARE(found.redundant.size(), std::size_t(1));
    }

    void aConflictNamesEquationAndBodiesAndChangesNothing()
    {
        const auto system = compiled("pendulum");
        auto request = requestOf(system);
        request.q = {0.9, -0.5};
        request.qFixed = {true, true};
        const auto found = consistency::diagnose(system, system->defaultParameters(), request);
        QVERIFY(found.conflict);
        QVERIFY(found.conflict->text().find("rod") != std::string::npos
                && found.conflict->text().find("bob") != std::string::npos);
        QCOMPARE(found.after.q, request.q);
        QCOMPARE(found.position.before, found.position.after);
        QVERIFY(std::abs(found.position.before - 0.06) <= 10 * kEpsilon); // |0.81 + 0.25 - 1|
    }

    void anInconsistentStartStaysPossible()
    {
        const auto system = compiled("circle");
        auto request = requestOf(system);
        request.q = {0.0001, 1.0001};
        request.v = {0.999, 0.001};
        request.lambda = {0.0001};
        request.lambdaGiven = request.allowInconsistent = true;
        const auto found = consistency::diagnose(system, system->defaultParameters(), request);
        QVERIFY(!found.conflict);
        QCOMPARE(found.after.q, request.q);
        QCOMPARE(found.after.lambda[0], 0.0001);
        // [St02] (37) with the corrected g'' of the printed multiplier
        QVERIFY(std::abs(found.acceleration.before + 0 - 0.00219578) <= 5e-9);
    }
};

QTEST_GUILESS_MAIN(TestDoctor)
#include "test_doctor.moc"
