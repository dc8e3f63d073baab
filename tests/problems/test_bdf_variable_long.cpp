// label: long
// The ring modulator (Test Set for IVP Solvers, report 40/2003, II-3) with the BDF of variable order: a quarter of a million
// steps at 1e-7.
#include <QtTest>

#include <cmath>

#include "core/reduction/Reduced.h"
#include "core/run/Run.h"

using namespace driftless;

class TestVariableBdfLong : public QObject {
    Q_OBJECT

private slots:
    void ringModulator()
    {
        const auto model = reduction::openModel("ring-modulator");
        QVERIFY2(model.ok(), model ? "" : model.error().text().c_str());
        const auto system = model::CompiledSystem::compile(*model);
        QVERIFY(system.ok());
        run::RunSettings settings;
        settings.formulation = "dummy-derivatives";
        settings.integrator = "bdf";
        settings.options.step = (*system)->model().run.firstStep.value_or(0);
        settings.options.relativeTolerance = settings.options.absoluteTolerance = 1e-7;
        const auto run = run::Run::create(*system, {}, settings);
        QVERIFY2(run.ok(), run ? "" : run.error().text().c_str());
        QVERIFY2((*run)->advanceTo(1e-3), (*run)->status().diagnostic ? (*run)->status().diagnostic->text().c_str() : "");
        // PSIDE at 1e-13. The codes of the test set keep 2.8 (VODE) to 3.2 (DASSL) digits of the mixed error |error| / (1 +
        // |value|).
        const double wanted = std::pow(10, -2.8);
        std::map<std::string, double> state;
        for (const auto& [name, value] : (*run)->namedState())
            state[name] = value;
        for (const auto& [name, value] : std::vector<std::pair<std::string, double>>{{"y1", -0.02339057358486745},
                                                                                     {"y2", -0.007367485485540825},
                                                                                     {"y3", 0.2582956709291169},
                                                                                     {"y4", -0.406446572128345},
                                                                                     {"y5", -0.4039455665149794},
                                                                                     {"y6", 0.2607966765422943},
                                                                                     {"y7", 0.1106761861269975}})
            QVERIFY2(std::abs(state.at(name) - value) <= wanted * (1 + std::abs(value)), name.c_str());
    }
};

QTEST_GUILESS_MAIN(TestVariableBdfLong)
#include "test_bdf_variable_long.moc"
