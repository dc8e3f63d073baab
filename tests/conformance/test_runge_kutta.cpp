// Observed orders of every Runge-Kutta method of fixed step on problems of index 0 to 3 without symmetries, component by
// component, against theory: neither less nor more.
//
// Index 0 and 1: the order p of the tableau in all components, since rates and algebraic unknowns are solved from the equations
// at the end of each step. Index 2 and 3, s stages: Hairer, Lubich, Roche, The Numerical Solution of Differential-Algebraic
// Systems by Runge-Kutta Methods (1989), tables of sections 4 and 6; Jay 1993 for Lobatto IIIA; in y / z, index 3 in y / z / u:
//   Radau IIA   2s-1 / s      2s-1 / s / s-1     Radau IA  s / s-1         SDIRK, stage order 1: 2 / 1
//   Lobatto IIIC 2s-2 / s-1   2s-2 / s-1 / s-2   Lobatto IIIA 2s-2 / s-1 (s odd), s (s even)
//   Gauss        s+1 (s odd), s (s even); z from the polynomial through the stages: s (s odd), s-1 (s even)
// Implicit Euler keeps order one in all components at a constant step (as BDF1). The multiplier of the trapezoidal rule on
// index 3 does not converge. The two methods with an explicit first stage have stage order two: 2 in z, on index 3 2 / 2 / 1.
#include <QtTest>

#include <algorithm>
#include <cmath>

#include "core/integrate/RungeKutta.h"
#include "tests/problems/Generic.h"

using namespace driftless;
using namespace driftless::problems;
using integrate::IntegratorInfo;
using integrate::StepStatus;

namespace {

struct Row {
    const char* id;
    int index;
    int steps;              ///< per unit of time, the coarsest; three times doubled
    double y, z = 0, u = 0; ///< orders
};

// Steps: above round-off, and where the first term of the error series leads.
constexpr Row kRows[] = {{"euler", 0, 16, 1},
                         {"euler", 1, 64, 1, 1},
                         {"midpoint", 0, 32, 2},
                         {"midpoint", 1, 16, 2, 2},
                         {"heun2", 0, 8, 2},
                         {"heun2", 1, 8, 2, 2},
                         {"ralston2", 0, 4, 2},
                         {"ralston2", 1, 16, 2, 2},
                         {"rk2-alpha", 0, 4, 2},
                         {"rk2-alpha", 1, 8, 2, 2},
                         {"kutta3", 0, 64, 3},
                         {"kutta3", 1, 64, 3, 3},
                         {"heun3", 0, 2, 3},
                         {"heun3", 1, 8, 3, 3},
                         {"ralston3", 0, 4, 3},
                         {"ralston3", 1, 8, 3, 3},
                         {"ssprk3", 0, 4, 3},
                         {"ssprk3", 1, 8, 3, 3},
                         {"rk3-alpha", 0, 64, 3},
                         {"rk3-alpha", 1, 64, 3, 3},
                         {"rk4", 0, 8, 4},
                         {"rk4", 1, 2, 4, 4},
                         {"ralston4", 0, 8, 4},
                         {"ralston4", 1, 2, 4, 4},
                         {"rk38", 0, 16, 4},
                         {"rk38", 1, 16, 4, 4},
                         {"implicit-euler", 0, 32, 1},
                         {"implicit-euler", 1, 64, 1, 1},
                         {"implicit-euler", 2, 64, 1, 1},
                         {"implicit-euler", 3, 16, 1, 1, 1},
                         {"implicit-midpoint", 0, 4, 2},
                         {"implicit-midpoint", 1, 8, 2, 2},
                         {"implicit-midpoint", 2, 16, 2, 1},
                         {"implicit-trapezoidal", 0, 4, 2},
                         {"implicit-trapezoidal", 1, 4, 2, 2},
                         {"implicit-trapezoidal", 2, 16, 2, 2},
                         {"implicit-trapezoidal", 3, 8, 2, 2, 0},
                         {"gauss-4", 0, 2, 4},
                         {"gauss-4", 1, 2, 4, 4},
                         {"gauss-4", 2, 32, 2, 1},
                         {"gauss-6", 0, 2, 6},
                         {"gauss-6", 1, 2, 6, 6},
                         {"gauss-6", 2, 16, 4, 3},
                         {"lobatto-iiia-4", 0, 4, 4},
                         {"lobatto-iiia-4", 1, 4, 4, 4},
                         {"lobatto-iiia-4", 2, 16, 4, 2},
                         {"lobatto-iiib-2", 0, 2, 2},
                         {"lobatto-iiib-2", 1, 8, 2, 2},
                         {"lobatto-iiib-4", 0, 2, 4},
                         {"lobatto-iiib-4", 1, 32, 4, 4},
                         {"lobatto-iiic-2", 0, 4, 2},
                         {"lobatto-iiic-2", 1, 8, 2, 2},
                         {"lobatto-iiic-2", 2, 64, 2, 1},
                         {"lobatto-iiic-4", 0, 4, 4},
                         {"lobatto-iiic-4", 1, 2, 4, 4},
                         {"lobatto-iiic-4", 2, 64, 4, 2},
                         {"lobatto-iiic-4", 3, 8, 4, 2, 1},
                         {"lobatto-iiic-star-4", 0, 2, 4},
                         {"lobatto-iiic-star-4", 1, 2, 4, 4},
                         {"radau-ia-1", 0, 32, 1},
                         {"radau-ia-1", 1, 64, 1, 1},
                         {"radau-ia-3", 0, 4, 3},
                         {"radau-ia-3", 1, 8, 3, 3},
                         {"radau-ia-3", 2, 128, 2, 1},
                         {"radau-ia-5", 0, 2, 5},
                         {"radau-ia-5", 1, 2, 5, 5},
                         {"radau-ia-5", 2, 32, 3, 2},
                         {"radau-iia-3", 0, 2, 3},
                         {"radau-iia-3", 1, 2, 3, 3},
                         {"radau-iia-3", 2, 16, 3, 2},
                         {"radau-iia-3", 3, 4, 3, 2, 1},
                         {"radau-iia-5", 0, 2, 5},
                         {"radau-iia-5", 1, 8, 5, 5},
                         {"radau-iia-5", 2, 16, 5, 3},
                         {"radau-iia-5", 3, 8, 5, 3, 2},
                         {"sdirk-2", 0, 8, 2},
                         {"sdirk-2", 1, 4, 2, 2},
                         {"sdirk-2", 2, 128, 2, 1},
                         {"crouzeix-3", 0, 256, 3},
                         {"crouzeix-3", 1, 64, 3, 3},
                         {"crouzeix-3", 2, 128, 2, 1},
                         {"sdirk-4", 0, 2, 4},
                         {"sdirk-4", 1, 8, 4, 4},
                         {"sdirk-4", 2, 256, 2, 1},
                         {"tr-bdf2", 0, 4, 2},
                         {"tr-bdf2", 1, 4, 2, 2},
                         {"tr-bdf2", 2, 8, 2, 2},
                         {"tr-bdf2", 3, 16, 2, 2, 1},
                         {"esdirk-4", 0, 4, 4},
                         {"esdirk-4", 1, 4, 4, 4},
                         {"esdirk-4", 2, 64, 3, 2},
                         {"esdirk-4", 3, 64, 2, 2, 1}};

using Groups = std::vector<std::vector<std::size_t>>;

/// Largest error at t = 1 in each group of unknowns; empty where the method does not get there in the steps given.
template <class Form>
std::vector<double> errors(integrate::Integrator& method, int steps, double parameter, const Groups& groups)
{
    HandCoded<Form> dae;
    integrate::IntegratorOptions options;
    options.step = 1.0 / steps;
    options.parameter = parameter;
    if (!method.prepare(dae, options) || !method.restart(0, Form::at(0), Form::ratesAt(0)))
        return {};
    for (int k = 0; k < steps; ++k)
        if (method.step(1).status != StepStatus::Accepted)
            return {};
    if (method.t() != 1)
        return {};
    const auto exact = Form::at(1);
    std::vector<double> out;
    for (const auto& group : groups) {
        out.push_back(0);
        for (std::size_t i : group)
            out.back() = std::max(out.back(), std::abs(method.y()[i] - exact[i]));
    }
    return out;
}

/// Slopes over four step sizes, least squares in logarithms.
template <class Form>
std::vector<double> orders(integrate::Integrator& method, int steps, double parameter, const Groups& groups)
{
    std::vector<double> slopes(groups.size(), 0.0);
    for (int i = 0; i < 4; ++i) {
        const auto e = errors<Form>(method, steps << i, parameter, groups);
        if (e.empty())
            return {};
        for (std::size_t g = 0; g < e.size(); ++g)
            slopes[g] += (1.5 - i) * std::log2(e[g]) / 5;
    }
    return slopes;
}

std::vector<double> observed(integrate::Integrator& method, int index, int steps, double parameter = 0)
{
    switch (index) {
    case 0:
        return orders<GenericOde>(method, steps, parameter, {{0, 1, 2}});
    case 1:
        return orders<GenericHessenberg<1>>(method, steps, parameter, {{0, 1}, {2}});
    case 2:
        return orders<GenericHessenberg<2>>(method, steps, parameter, {{0, 1}, {2}});
    default:
        return orders<GenericIndex3>(method, steps, parameter, {{0, 1}, {2, 3}, {4}});
    }
}

bool isFixedRungeKutta(const IntegratorInfo& info)
{
    return !info.adaptive && (info.family == integrate::Family::Explicit || info.family == integrate::Family::Implicit);
}

/// Orders are whole numbers: a third of one is the next term of the error series at these steps, two thirds would be another
/// order.
constexpr double kSlack = 0.34;

} // namespace

class RungeKuttaConformance : public QObject {
    Q_OBJECT
private slots:
    void everyMethod_hasARowForEveryIndexItCarries()
    {
        for (const auto& info : integrate::integratorCatalogue())
            if (isFixedRungeKutta(info))
                for (int index = 0; index <= 3; ++index) {
                    const auto stands = std::count_if(std::begin(kRows), std::end(kRows),
                                                      [&](const Row& row) { return row.id == info.id && row.index == index; });
                    QVERIFY2(stands == (index <= info.maxIndex ? 1 : 0),
                             qPrintable(QString("%1 %2").arg(info.id.c_str()).arg(index)));
                }
    }

    void order_isThatOfTheory_data()
    {
        QTest::addColumn<int>("row");
        for (int i = 0; i < static_cast<int>(std::size(kRows)); ++i)
            QTest::addRow("%s on index %d", kRows[i].id, kRows[i].index) << i;
    }
    void order_isThatOfTheory()
    {
        QFETCH(int, row);
        const Row& r = kRows[row];
        auto method = std::move(integrate::makeIntegrator(r.id)).value();
        const auto found = observed(*method, r.index, r.steps);
        QVERIFY2(!found.empty(), "it did not run");
        const double wanted[]{r.y, r.z, r.u};
        for (std::size_t g = 0; g < found.size(); ++g)
            QVERIFY2(std::abs(found[g] - wanted[g]) < kSlack, qPrintable(QString("component %1: %2").arg(g).arg(found[g])));
    }

    void families_haveTheirOrder_atOtherParameters()
    {
        for (const auto& [id, parameter, steps, order] : {std::tuple{"rk2-alpha", 0.3, 32, 2.0},
                                                          {"rk2-alpha", 1.0, 8, 2.0},
                                                          {"rk3-alpha", 0.25, 64, 3.0},
                                                          {"rk3-alpha", 0.8, 64, 3.0}}) {
            auto method = std::move(integrate::makeIntegrator(id)).value();
            const auto found = observed(*method, 0, steps, parameter);
            QVERIFY2(!found.empty() && std::abs(found[0] - order) < kSlack,
                     qPrintable(QString("%1: %2").arg(id).arg(found.empty() ? 0 : found[0])));
        }
    }

    void parameter_changesTheMethod_whileItRuns()
    {
        // alpha = 1 is Heun's method: bit for bit from where it is set, although the steps before were Ralston's.
        const auto walk = [](const char* id, double first, double second) {
            HandCoded<GenericOde> dae;
            auto method = std::move(integrate::makeIntegrator(id)).value();
            integrate::IntegratorOptions options;
            options.step = 1.0 / 8;
            options.parameter = first;
            const bool ready = method->prepare(dae, options) && method->restart(0, GenericOde::at(0), GenericOde::ratesAt(0));
            options.parameter = second;
            if (!ready || !method->setOptions(options))
                return std::vector<double>{};
            for (int k = 0; k < 8; ++k)
                method->step(1);
            return std::vector<double>(method->y().begin(), method->y().end());
        };
        QCOMPARE(walk("rk2-alpha", 2.0 / 3, 1), walk("heun2", 0, 0));
        QVERIFY(walk("rk2-alpha", 1, 0.5) != walk("rk2-alpha", 1, 1));
        auto method = std::move(integrate::makeIntegrator("rk3-alpha")).value();
        HandCoded<GenericOde> dae;
        integrate::IntegratorOptions options;
        for (double wrong : {-0.5, 2.0 / 3, 1.5}) {
            options.parameter = wrong;
            const auto refused = method->prepare(dae, options);
            QVERIFY(!refused.ok() && refused.error().text().find("alpha") != std::string::npos);
        }
    }

    void endsBeyondTheStages_areRefusedWhereStatesAreTied()
    {
        for (const auto& info : integrate::integratorCatalogue())
            if (info.family == integrate::Family::Implicit) {
                const auto* exact = integrate::findExactTableau(info.id);
                const bool ends = !exact || integrate::inDoubles(*exact).endsInLastStage(); // the adaptive ones do
                QCOMPARE(integrate::canCarry(info, 1, false, false).ok(), ends);
            }
    }
};

QTEST_APPLESS_MAIN(RungeKuttaConformance)
#include "test_runge_kutta.moc"
