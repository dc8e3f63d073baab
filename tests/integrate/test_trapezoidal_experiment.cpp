// The experiment of [St02] section 6: the implicit trapezoidal rule, h = 0.005, from the inconsistent start (37), repeated
// with a hand-coded system. Section 3 there predicts how g, g^I, g^II deviate in each form; the rule follows within h^2.
#include <QtTest>

#include <cmath>
#include <limits>

#include "core/integrate/Integrator.h"
#include "tests/problems/Circle.h"

using namespace driftless;
using namespace driftless::problems;

namespace {

constexpr double kStep = 0.005;
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

struct Trace {
    std::vector<double> t, g, g1, g2;
    integrate::StepOutcome last;
};

template <class Form>
Trace walk(double end, double step)
{
    HandCoded<Form> dae;
    auto made = integrate::makeIntegrator("implicit-trapezoidal");
    auto method = std::move(made).value();
    integrate::IntegratorOptions options;
    options.step = step;
    CircleStart start;
    if constexpr (Form::kIndex == 0)
        start.completeFor(dae.form);
    Trace trace;
    const auto note = [&](double t, const double* y) {
        const auto level = circleLevels(y);
        trace.t.push_back(t);
        trace.g.push_back(level.g);
        trace.g1.push_back(level.g1);
        trace.g2.push_back(level.g2);
    };
    note(0, start.y.data());
    if (!method->prepare(dae, options) || !method->restart(0, start.y, start.yp))
        return trace;
    while (method->t() < end) {
        trace.last = method->step(end);
        if (trace.last.status != integrate::StepStatus::Accepted)
            break;
        note(method->t(), method->y().data());
    }
    return trace;
}

/// Largest deviations from a law over all steps but the first.
template <class Law>
double deviation(const Trace& trace, const std::vector<double>& values, Law law)
{
    double largest = 0;
    for (std::size_t i = 1; i < trace.t.size(); ++i)
        largest = std::max(largest, std::abs(values[i] - law(trace.t[i])));
    return largest;
}

/// The laws are those of the exact solution; the rule follows them up to C h^2 with C < 2, and C does not depend on h.
bool isSecondOrder(double atStep, double atHalfStep)
{
    return atStep < 2 * kStep * kStep && atStep / atHalfStep > 3 && atStep / atHalfStep < 5;
}

} // namespace

class TrapezoidalExperiment : public QObject {
    Q_OBJECT
private slots:
    void printedStart_residuals_areThoseOfTheCorrectedPaper()
    {
        const auto level = circleLevels(CircleStart().y.data());
        QVERIFY(std::abs(level.g - 0.00020002) < 8 * kEpsilon);
        QVERIFY(std::abs(level.g1 - 0.0022) < 8 * kEpsilon);
        // The paper prints -0.0013956, which has the sign of lambda reversed.
        QVERIFY(std::abs(level.g2 - -0.00219578) < 0.5e-8);
    }

    void uode_deviatesQuadratically()
    {
        double dg[2], d1[2], d2[2];
        for (int k : {0, 1}) {
            const auto trace = walk<CircleOde>(5, kStep / (1 << k));
            QVERIFY(trace.t.back() == 5);
            const double g = trace.g[0], g1 = trace.g1[0], g2 = trace.g2[0];
            dg[k] = deviation(trace, trace.g, [&](double t) { return g + g1 * t + g2 * t * t / 2; });
            d1[k] = deviation(trace, trace.g1, [&](double t) { return g1 + g2 * t; });
            d2[k] = deviation(trace, trace.g2, [&](double) { return g2; });
        }
        QVERIFY(isSecondOrder(dg[0], dg[1]));
        QVERIFY(isSecondOrder(d1[0], d1[1]));
        QVERIFY(isSecondOrder(d2[0], d2[1]));
    }

    void eom1_velocityResidual_jumpsOnceByHalfAStepOfTheAccelerationResidual()
    {
        const auto trace = walk<Circle<1>>(5, kStep);
        QVERIFY(trace.t.back() == 5);
        const double jump = kStep / 2 * trace.g2[0], level = trace.g1[0] + jump;
        // In the first step the law holds up to the product of h^2 and the inconsistency itself.
        QVERIFY(std::abs(trace.g1[1] - level) < kStep * kStep * std::abs(trace.g2[0]));
        QVERIFY(std::abs(jump) > 50 * kStep * kStep * std::abs(trace.g2[0]));
        QVERIFY(deviation(trace, trace.g1, [&](double) { return level; }) < kStep * kStep / 10);
        QVERIFY(deviation(trace, trace.g, [&](double t) { return trace.g[0] + level * t; }) < kStep * kStep);
        // g^II is a row of the form: round-off of Newton's iteration, times the condition of a few hundred.
        QVERIFY(deviation(trace, trace.g2, [](double) { return 0.0; }) < 1e3 * 4 * kEpsilon);
    }

    void eom2_accelerationResidual_alternates()
    {
        const auto trace = walk<Circle<2>>(5, kStep);
        QVERIFY(trace.t.back() == 5);
        for (std::size_t i = 1; i < trace.t.size(); ++i) {
            const double expected = i % 2 ? -0.8778 : 0.8778;
            QVERIFY(std::abs(trace.g2[i] - expected) < 0.5e-4); // four printed digits
        }
        QVERIFY(deviation(trace, trace.g1, [](double) { return 0.0; }) < 1e3 * 4 * kEpsilon);
        // The inconsistent velocity acts for half a step: g = g0 + (h / 2) 0.0022.
        const double level = trace.g[0] + kStep / 2 * trace.g1[0];
        QVERIFY(deviation(trace, trace.g, [&](double) { return level; }) < kStep * kStep / 10);
        QVERIFY(std::abs(kStep / 2 * trace.g1[0]) > kStep * kStep / 10);
    }

    void eom_oscillatesUntilTheDiscreteEquationsHaveNoNearbySolution()
    {
        const auto trace = walk<Circle<3>>(5, kStep);
        QVERIFY(trace.last.status == integrate::StepStatus::Failed);
        QVERIFY(trace.last.failure == integrate::StepFailure::NewtonDiverged);
        QVERIFY(trace.last.norm > trace.last.limit && trace.last.limit > 0);
        // One step either way of 3.515.
        QVERIFY2(std::abs(trace.t.back() - 3.515) < 1.5 * kStep, qPrintable(QString::number(trace.t.back())));
        QVERIFY(deviation(trace, trace.g, [](double) { return 0.0; }) < 1e3 * 4 * kEpsilon);
        QVERIFY(std::abs(trace.g1.back()) > 100 * std::abs(trace.g1[1]));
        for (std::size_t i = 2; i < 600; ++i)
            QVERIFY(trace.g1[i] * trace.g1[i - 1] < 0);
    }
};

QTEST_APPLESS_MAIN(TrapezoidalExperiment)
#include "test_trapezoidal_experiment.moc"
