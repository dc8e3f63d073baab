// Reference problems that are shipped as texts of equations, integrated after index reduction by dummy derivatives. References: Test Set
// for IVP Solvers, report 40/2003 (Akzo Nobel II-12, PSIDE at 1e-19; transistor amplifier II-14, PSIDE at 1e-14; Robertson: Radau at
// 1e-12, two tolerances).
#include <QtTest>

#include <algorithm>

#include "core/model/EquationModel.h"
#include "core/run/EquationRun.h"

using namespace driftless;

namespace {

double valueOf(const run::EquationRunResult& r, const std::string& name)
{
    const auto found = std::find(r.names.begin(), r.names.end(), name);
    return found == r.names.end() ? std::nan("") : r.y[static_cast<std::size_t>(found - r.names.begin())];
}

Result<run::EquationRunResult> integrated(const std::string& name, double rtol, double atol, double end, const std::string& integrator = "ida", double step = 0)
{
    const auto model = model::openEquationModel(name);
    if (!model)
        return model.error();
    run::EquationRunSettings settings;
    settings.integrator = integrator;
    settings.options.relativeTolerance = rtol;
    settings.options.absoluteTolerance = atol;
    settings.options.step = step;
    settings.end = end;
    return run::runEquations(**model, settings);
}

void meets(const Result<run::EquationRunResult>& r, const std::vector<std::pair<std::string, double>>& reference, double tolerance)
{
    QVERIFY2(r.ok(), r.ok() ? "" : r.error().text().c_str());
    QVERIFY2(!r->failed, r->failed ? r->diagnostic->text().c_str() : "");
    for (const auto& [name, value] : reference) {
        const double error = std::abs(valueOf(*r, name) - value) / std::abs(value);
        QVERIFY2(error <= tolerance, (name + ": " + std::to_string(error / tolerance) + " of the tolerance").c_str());
    }
}

/// Local errors of rtol add up over the run; codes of this kind lose one to two digits against their tolerance on these problems.
constexpr double kAddedUp = 100;

} // namespace

class TestEquationModels : public QObject {
    Q_OBJECT

private slots:
    void akzoNobel()
    {
        meets(integrated("akzo-nobel", 1e-10, 1e-12, 180),
              {{"y1", 0.1150794920661702}, {"y2", 0.1203831471567715e-2}, {"y3", 0.1611562887407974}, {"y4", 0.3656156421249283e-3}, {"y5", 0.1708010885264404e-1}, {"y6", 0.4873531310307455e-2}},
              kAddedUp * 1e-10);
    }

    void robertson()
    {
        meets(integrated("robertson", 1e-8, 1e-14, 40), {{"y1", 7.1582706871940e-01}, {"y2", 9.1855347645578e-06}, {"y3", 2.8416374574583e-01}}, kAddedUp * 1e-8);
    }

    void transistorAmplifierAfterElimination()
    {
        const std::vector<std::pair<std::string, double>> reference{
            {"U1", -0.5562145012262709e-2}, {"U2", 0.3006522471903042e1}, {"U3", 0.2849958788608128e1}, {"U4", 0.2926422536206241e1},
            {"U5", 0.2704617865010554e1}, {"U6", 0.2761837778393145e1}, {"U7", 0.4770927631616772e1}, {"U8", 0.1236995868091548e1}};
        // Two slow modes (C3, C5 with 18 kOhm) gather the errors of a thousand steps a period.
        meets(integrated("transistor-amplifier", 1e-8, 1e-8, 0.2), reference, 10 * kAddedUp * 1e-8);
        // Order five, 500 steps a period: halving the step leaves eight digits.
        meets(integrated("transistor-amplifier", 1e-6, 1e-6, 0.2, "radau-iia-5", 2e-5), reference, 1e-8);
    }

    void aPendulumPivotsAndKeepsItsLengthAndEnergy()
    {
        const auto r = integrated("pendulum-equations", 1e-9, 1e-9, 20);
        QVERIFY2(r.ok() && !r->failed, r.ok() ? "" : r.error().text().c_str());
        QVERIFY(r->pivots.size() >= 8); // four exchanges in each of a bit more than two periods of 7.42
        QVERIFY(r->maxResidual[0] < 1e-6 && r->maxResidual[1] < 1e-6); // the constraint is an equation: Newton's tolerance, not drift
        const double energy = (std::pow(valueOf(*r, "x'"), 2) + std::pow(valueOf(*r, "y'"), 2)) / 2 + valueOf(*r, "y");
        QVERIFY2(std::abs(energy) < 1e-5, QByteArray::number(energy)); // starts at rest at y = 0; rtol times a few thousand steps
    }

    void twoMethodsAgreeOnTheTwoPendula()
    {
        const auto a = integrated("two-pendula", 1e-10, 1e-10, 1), b = integrated("two-pendula", 1e-6, 1e-6, 1, "radau-iia-5", 1e-3);
        QVERIFY(a.ok() && b.ok() && !a->failed && !b->failed);
        for (const char* name : {"x", "y", "u", "v", "lambda"})
            QVERIFY2(std::abs(valueOf(*a, name) - valueOf(*b, name)) < 1e-6, name); // IDA's errors add up; those of Radau are 1e-12
    }

    void singularAndContradictoryModelsAreRefused()
    {
        QVERIFY(!integrated("modified-pendulum", 1e-6, 1e-6, 1).ok());
        const auto model = model::readEquationModel("model m\n Real x(start = 2, fixed = true); Real y;\nequation\n x^2 = 1; der(y) = x;\nend m;", "m.mo");
        QVERIFY(!run::runEquations(**model, {}).ok());
    }
};

QTEST_GUILESS_MAIN(TestEquationModels)
#include "test_equation_models.moc"
