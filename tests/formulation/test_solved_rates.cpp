// label: release
// Rates that the tape solves for (core/formulation/SolvedRates.cpp), on every shipped model: what is handed out solves the
// linear system to round-off, mostly there is something, and a motion comes to the same end.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <random>

#include "core/formulation/CompiledDae.h"
#include "core/formulation/Formulation.h"
#include "core/integrate/Integrator.h"
#include "core/integrate/RateSolver.h"
#include "core/mechanism/ReadModel.h"
#include "core/system/ShippedModels.h"

using namespace driftless;

namespace {

std::unique_ptr<formulation::DaeInstance> instanceOf(const std::string& name, const std::string& form,
                                                     const std::map<std::string, double>& structure = {})
{
    auto model = model::openModel(name);
    if (model && !structure.empty())
        model = model::withStructure(*model, structure);
    if (!model || (*model)->reduced)
        return nullptr;
    auto system = model::CompiledSystem::compile(*model);
    auto dae = formulation::findFormulation(form)->build(**model, {});
    if (!system || !dae)
        return nullptr;
    auto compiled = formulation::CompiledDae::compile(std::move(*dae), *system);
    return compiled ? std::make_unique<formulation::DaeInstance>(*compiled, (*system)->defaultParameters()) : nullptr;
}

/// The positions of a chain whose links hang down and aside, each as far as draw() says of `length`, and small velocities.
template <class Draw>
void hang(const formulation::DaeInstance& instance, double length, Draw&& draw, std::vector<double>& y)
{
    double across = 0, down = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
        const std::string name = instance.unknownName(static_cast<int>(i));
        if (name.ends_with(".x"))
            y[i] = across += length * (draw() - 0.3);
        else if (name.ends_with(".y"))
            y[i] = down -= length * (0.5 + draw());
        else
            y[i] = draw() - 0.5;
    }
}

/// What is asked for into y and yp; false where the elimination does not suit the numbers.
bool takeRates(formulation::DaeInstance& instance, std::vector<double>& y, std::vector<double>& yp, bool judged = true)
{
    const auto roles = instance.roles();
    std::vector<double> states, out(static_cast<std::size_t>(instance.eliminatedRoom()));
    for (std::size_t i = 0; i < y.size(); ++i)
        if (roles[i].differential)
            states.push_back(y[i]);
    if (out.empty() || !instance.eliminatedRates(0, states.data(), out.data(), judged))
        return false;
    std::size_t rate = 0, value = states.size();
    for (std::size_t i = 0; i < y.size(); ++i)
        (roles[i].differential ? yp : y)[i] = out[roles[i].differential ? rate++ : value++];
    return true;
}

/// The largest residual F of a row at the solution x, as a share of its numbers with unknowns of at least one: what is small
/// because the rows' own terms cancel has their round-off.
double backwardError(const solve::SparsePattern& pattern, const std::vector<double>& F, const std::vector<double>& values,
                     const std::vector<double>& x)
{
    std::vector<double> size(F.size(), 0.0);
    for (std::size_t j = 0; j < x.size(); ++j)
        for (auto k = static_cast<std::size_t>(pattern.columnStarts[j]);
             k < static_cast<std::size_t>(pattern.columnStarts[j + 1]); ++k)
            size[static_cast<std::size_t>(pattern.rowIndices[k])] += std::abs(values[k]) * std::max(1.0, std::abs(x[j]));
    double worst = 0;
    for (std::size_t i = 0; i < F.size(); ++i)
        if (size[i] > 0)
            worst = std::max(worst, std::abs(F[i]) / size[i]);
    return worst;
}

/// That of rates and values that solve the linear system at t = 0; not a number where it is not defined there.
double errorOf(formulation::DaeInstance& instance, const std::vector<double>& y, const std::vector<double>& yp)
{
    std::vector<double> F(y.size()), x(y), values(instance.ratePattern().rowIndices.size());
    if (!instance.rateSystem(0, y.data(), yp.data(), F.data(), values.data()))
        return std::numeric_limits<double>::quiet_NaN();
    for (std::size_t i = 0; i < x.size(); ++i)
        if (instance.roles()[i].differential)
            x[i] = yp[i];
    return backwardError(instance.ratePattern(), F, values, x);
}

/// A system whose elimination suits the numbers or not as one likes.
class Refusing final : public solve::DaeSystem {
public:
    Refusing(solve::DaeSystem& of, std::function<bool(int)> refuses) : of_(of), refuses_(std::move(refuses)) {}
    int asked() const { return asked_; }

    int size() const override { return of_.size(); }
    std::span<const solve::UnknownRole> roles() const override { return of_.roles(); }
    int index() const override { return of_.index(); }
    std::uint64_t rolesRevision() const override { return of_.rolesRevision(); }
    bool residual(double t, const double* y, const double* yp, double* F) override { return of_.residual(t, y, yp, F); }
    const solve::SparsePattern& pattern() const override { return of_.pattern(); }
    bool jacobian(double t, const double* y, const double* yp, double* a, double* b) override
    {
        return of_.jacobian(t, y, yp, a, b);
    }
    bool linearRates() const override { return of_.linearRates(); }
    bool rateSystem(double t, const double* y, const double* yp, double* F, double* values) override
    {
        return of_.rateSystem(t, y, yp, F, values);
    }
    const solve::SparsePattern& ratePattern() const override { return of_.ratePattern(); }
    int eliminatedRoom() const override { return refuses_ ? of_.eliminatedRoom() : 0; }
    bool eliminatedRates(double t, const double* differential, double* values, bool judged) override
    {
        if (!refuses_(asked_++)) // what is left behind is no solution
            return of_.eliminatedRates(t, differential, values, judged);
        std::fill_n(values, of_.eliminatedRoom(), 1e300);
        return false;
    }
    std::string domainMessage() const override { return of_.domainMessage(); }
    std::string unknownName(int i) const override { return of_.unknownName(i); }
    std::string rowName(int i) const override { return of_.rowName(i); }

private:
    solve::DaeSystem& of_;
    std::function<bool(int)> refuses_;
    int asked_ = 0;
};

/// All that a method makes of a start in `steps` steps.
std::vector<double> motion(solve::DaeSystem& system, const char* id, std::vector<double> y, int steps)
{
    auto method = std::move(integrate::makeIntegrator(id)).value();
    integrate::IntegratorOptions options;
    options.step = method->info().adaptive ? 0 : 0.01;
    options.relativeTolerance = options.absoluteTolerance = 1e-8;
    const std::vector<double> yp(y.size(), 0.0);
    std::vector<double> out;
    if (!method->prepare(system, options) || !method->restart(0, y, yp))
        return out;
    for (int k = 0; k < steps; ++k) {
        if (method->step(std::numeric_limits<double>::infinity()).status != integrate::StepStatus::Accepted)
            return {};
        out.push_back(method->t());
        out.insert(out.end(), method->y().begin(), method->y().end());
        out.insert(out.end(), method->yp().begin(), method->yp().end());
        method->interpolate(method->t() - 0.3 * method->lastStep(), y);
        out.insert(out.end(), y.begin(), y.end());
    }
    return out;
}

} // namespace

class TestSolvedRates : public QObject {
    Q_OBJECT
private slots:
    void corrections_solveTheSystem_onEveryModel()
    {
        std::mt19937 random(11);
        const auto draw = [&random] { return static_cast<double>(random()) / 2147483648.0 - 1; };
        int forms = 0, asked = 0, given = 0;
        for (const auto& shipped : model::shippedModels())
            for (const char* form : {"index-1", "baumgarte", "state-space"}) {
                const auto instance = instanceOf(shipped.id, form);
                if (!instance || !instance->linearRates() || instance->size() > 48)
                    continue;
                ++forms;
                const auto n = static_cast<std::size_t>(instance->size());
                std::vector<double> y(n), yp(n), F(n), values(instance->ratePattern().rowIndices.size());
                for (int k = 0; k < 25; ++k) {
                    for (auto* list : {&y, &yp})
                        for (double& value : *list)
                            value = k % 5 == 4 ? std::round(draw()) : draw(); // axes, zeros, equal numbers
                    if (!instance->rateSystem(draw(), y.data(), yp.data(), F.data(), values.data()))
                        continue;
                    ++asked;
                    if (!takeRates(*instance, y, yp))
                        continue;
                    ++given;
                    const double error = errorOf(*instance, y, yp);
                    // What is tolerated on the tape, and the round-off of looking again.
                    QVERIFY2(error < 2e-13, qPrintable(QString("%1 %2: %3").arg(shipped.id.c_str(), form).arg(error)));
                }
            }
        QVERIFY2(forms > 20 && asked > 500, qPrintable(QString("%1 %2").arg(forms).arg(asked)));
        QVERIFY2(given > 0.8 * asked, qPrintable(QString("%1 of %2").arg(given).arg(asked)));
    }

    /// Of a chain the accelerations are differences of much larger forces. The elimination has to suit it all the same, and
    /// what it gives is the general solver's up to the round-off of those forces.
    void longChains_areSolvedWithTheRoundoffOfTheirForces_data()
    {
        QTest::addColumn<int>("links");
        for (const int links : {9, 10, 100, 400}) // 45, 50 and up to 2,000 unknowns: on both sides of the two rules
            QTest::newRow(qPrintable(QString::number(links))) << links;
    }
    void longChains_areSolvedWithTheRoundoffOfTheirForces()
    {
        QFETCH(const int, links);
        for (const char* form : {"index-1", "baumgarte"}) {
            const auto instance = instanceOf("pendulum-chain", form, {{"N", links}});
            QVERIFY2(instance && instance->linearRates() && instance->eliminatedRoom() > 0, form);
            QCOMPARE(instance->size(), 5 * links);
            const auto n = static_cast<std::size_t>(instance->size());
            std::mt19937 random(14);
            integrate::RateSolver general;
            general.prepare(*instance);
            int given = 0;
            for (int k = 0; k < 20; ++k) {
                std::vector<double> y(n, 0.0), yp(n, 0.0);
                hang(
                    *instance, 1, [&random] { return static_cast<double>(random()) / 4294967296.0; }, y);
                std::vector<double> z = y, zp = yp;
                if (!takeRates(*instance, y, yp))
                    continue;
                ++given;
                integrate::Statistics statistics;
                QVERIFY(general.solve(0, z.data(), zp.data(), statistics, nullptr).status == solve::NewtonStatus::Converged);
                double most = 0, worst = 0;
                for (std::size_t i = 0; i < n; ++i) {
                    most = std::max({most, std::abs(z[i]), std::abs(zp[i])});
                    worst = std::max({worst, std::abs(y[i] - z[i]), std::abs(yp[i] - zp[i])});
                }
                // The condition of a hanging chain grows with the square of its links: 1.6e5 times 1e-16 for 400 of them.
                QVERIFY2(worst < 1e-10 * most, qPrintable(QString("%1: %2 of %3").arg(form).arg(worst).arg(most)));
            }
            // With few unknowns rows are judged by their own numbers alone, and a sum of forces now and then is no digit
            // better.
            QVERIFY2(given >= (links < 10 ? 15 : 20), qPrintable(QString("%1: %2").arg(form).arg(given)));
        }
    }

    /// Links of a thousandth of their length have pivots of a millionth: what is handed out solves the system all the same.
    void unusualPositionsOfLongChains_areJudged()
    {
        const auto instance = instanceOf("pendulum-chain", "index-1", {{"N", 100}});
        QVERIFY(instance && instance->eliminatedRoom() > 0);
        const auto n = static_cast<std::size_t>(instance->size());
        std::mt19937 random(15);
        int given = 0;
        for (int k = 0; k < 40; ++k)
            for (const bool judged : {true, false}) {
                std::vector<double> y(n, 0.0), yp(n, 0.0);
                hang(
                    *instance, k % 4 == 3 ? 1e-9 : 1e-3, [&random] { return static_cast<double>(random()) / 4294967296.0; }, y);
                if (!takeRates(*instance, y, yp, judged))
                    continue;
                ++given;
                const double error = errorOf(*instance, y, yp);
                QVERIFY2(error < 1.1e-8, qPrintable(QString::number(error))); // half of a row's digits, and looking again
            }
        QVERIFY2(given > 0, "none");
        std::vector<double> y(n, 0.0), yp(n, 0.0); // links without length have no direction
        for (const bool judged : {true, false})
            QVERIFY(!takeRates(*instance, y, yp, judged));
    }

    void singularPositions_areLeftToTheGeneralSolver()
    {
        // At the pivot the pendulum's constraint has no direction.
        const auto instance = instanceOf("pendulum", "index-1");
        QVERIFY(instance && instance->linearRates());
        const auto n = static_cast<std::size_t>(instance->size());
        std::vector<double> y(n, 0.0), yp(n, 0.0);
        for (const bool judged : {true, false})
            QVERIFY(!takeRates(*instance, y, yp, judged));
        integrate::RateSolver solver;
        solver.prepare(*instance, true);
        integrate::Statistics statistics;
        QVERIFY(solver.solve(0, y.data(), yp.data(), statistics, nullptr).status == solve::NewtonStatus::Singular);
        y[0] = 0.6;
        y[1] = -0.8;
        QVERIFY(takeRates(*instance, y, yp));
    }

    void unjudgedRates_haveTheBitsOfJudgedOnes()
    {
        for (const char* name : {"pendulum", "slider-crank", "double-pendulum"}) {
            const auto instance = instanceOf(name, "index-1");
            QVERIFY(instance && instance->eliminatedRoom() > 0);
            const auto n = static_cast<std::size_t>(instance->size());
            std::mt19937 random(13);
            for (int k = 0; k < 50; ++k) {
                std::vector<double> y(n), yp(n);
                for (double& value : y)
                    value = static_cast<double>(random()) / 2147483648.0 - 1;
                std::vector<double> z = y, zp = yp;
                if (!takeRates(*instance, y, yp, true))
                    continue;
                QVERIFY(takeRates(*instance, z, zp, false));
                QVERIFY(y == z && yp == zp);
            }
        }
    }

    void refusedStages_makeTheirStepThatOfTheGeneralSolver()
    {
        const auto instance = instanceOf("pendulum", "index-1");
        QVERIFY(instance && instance->eliminatedRoom() > 0);
        const std::vector<double> start{0.6, -0.8, 0.4, 0.3, 0};
        constexpr int kSteps = 20;
        for (const char* id : {"dop853", "dormand-prince", "bogacki-shampine", "fehlberg", "odex", "adams"}) {
            Refusing without(*instance, {}), all(*instance, [](int) { return true; });
            Refusing none(*instance, [](int) { return false; });
            const auto general = motion(without, id, start, kSteps), refused = motion(all, id, start, kSteps);
            const auto eliminated = motion(none, id, start, kSteps);
            QVERIFY2(!general.empty() && !eliminated.empty(), id);
            QVERIFY2(without.asked() == 0 && all.asked() > kSteps && none.asked() > kSteps, id);
            QVERIFY2(general == refused, id);     // to the last bit: a refused step is one of the general solver
            for (const int period : {2, 7, 13}) { // now and then, at every stage that there is
                Refusing some(*instance, [period](int k) { return k % period == period - 1; });
                const auto mixed = motion(some, id, start, kSteps);
                QVERIFY2(mixed.size() == general.size() && mixed != general, id);
                double worst = 0;
                for (std::size_t k = 0; k < mixed.size(); ++k)
                    worst = std::max(worst, std::abs(mixed[k] - general[k]));
                // The round-off of an error estimate, 1e-16 of about 1e-8, changes a step by some 1e-9 of it, and a step the
                // next ones: twenty come to 1e-7. A stage that were left out would show at the size of the motion.
                QVERIFY2(worst < 1e-5, qPrintable(QString("%1 %2: %3").arg(id).arg(period).arg(worst)));
            }
        }
    }

    void fixedSteps_keepTheGeneralSolver()
    {
        const auto instance = instanceOf("pendulum", "index-1");
        QVERIFY(instance && instance->eliminatedRoom() > 0);
        Refusing system(*instance, [](int) { return false; });
        QVERIFY(!motion(system, "rk4", {0.6, -0.8, 0.4, 0.3, 0}, 5).empty());
        QCOMPARE(system.asked(), 0);
    }

    void rates_areThoseOfTheGeneralSolver()
    {
        for (const char* name : {"pendulum", "slider-crank", "double-pendulum"}) {
            const auto instance = instanceOf(name, "index-1");
            QVERIFY(instance && instance->linearRates());
            const auto n = static_cast<std::size_t>(instance->size());
            std::mt19937 random(12);
            for (int k = 0; k < 20; ++k) {
                std::vector<double> y(n), yp(n);
                for (auto* list : {&y, &yp})
                    for (double& value : *list)
                        value = static_cast<double>(random()) / 2147483648.0 - 1;
                std::vector<double> z = y, zp = yp;
                integrate::Statistics one, two;
                integrate::RateSolver solving, general;
                solving.prepare(*instance, true);
                general.prepare(*instance);
                QVERIFY(solving.solve(0, y.data(), yp.data(), one, nullptr).status == solve::NewtonStatus::Converged);
                QVERIFY(general.solve(0, z.data(), zp.data(), two, nullptr).status == solve::NewtonStatus::Converged);
                double size = 1;
                for (std::size_t i = 0; i < n; ++i)
                    size = std::max({size, std::abs(z[i]), std::abs(zp[i])});
                for (std::size_t i = 0; i < n; ++i) // the condition of drawn positions is below a million
                    QVERIFY(std::abs(y[i] - z[i]) + std::abs(yp[i] - zp[i]) < 1e-9 * size);
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestSolvedRates)
#include "test_solved_rates.moc"
