// The rows of texts of equations with events in the committed table of outcomes: every one of them in every form, and with
// every method to its end. test_event_equations holds what runs against closed forms.
#include "core/reduction/Reduced.h"
#include "tests/app/Outcomes.h"

using namespace driftless;

class TestEquationOutcomes : public QObject {
    Q_OBJECT
    outcomes::Table table_;
    std::map<std::string, std::shared_ptr<const model::CompiledSystem>> systems_; ///< those with events

    run::RunSettings settingsOf(const std::string& model, const std::string& form,
                                const integrate::IntegratorInfo& method) const
    {
        run::RunSettings out;
        out.formulation = form;
        out.integrator = method.id;
        out.options.step = method.adaptive ? 0 : table_.equations.at(model).step;
        out.options.relativeTolerance = out.options.absoluteTolerance = 1e-6; // as the other rows
        return out;
    }

private slots:
    void initTestCase()
    {
        table_.read();
        for (const auto& shipped : reduction::shippedEquations()) {
            const auto opened = reduction::openModel(shipped.id);
            if (!opened || (*opened)->system.held.empty()) // those that are refused have no row
                continue;
            const auto system = model::CompiledSystem::compile(*opened);
            QVERIFY2(system.ok(), system ? "" : system.error().text().c_str());
            systems_[shipped.id] = *system;
        }
    }

    void everyModelWithEventsHasARow()
    {
        QVERIFY(systems_.size() >= 5);
        for (const auto& [name, system] : systems_)
            QVERIFY2(table_.equations.contains(name), name.c_str());
        for (const auto& [name, row] : table_.equations) {
            QVERIFY2(systems_.contains(name), name.c_str());
            for (const auto& [method, expected] : row.others)
                QVERIFY2(integrate::findIntegrator(method) && expected.reason.size() >= 5, (name + ", " + method).c_str());
        }
    }

    void formsOfMechanismsAreRefused()
    {
        for (const auto& [name, row] : table_.equations)
            for (const auto& form : formulation::formulations()) {
                if (form->info().id == "dummy-derivatives")
                    continue;
                outcomes::Table::judge(systems_.at(name),
                                       settingsOf(name, form->info().id, *integrate::findIntegrator("radau-iia-5")),
                                       {"refused", "is a form of mechanisms"}, outcomes::kEnd);
                QVERIFY2(!QTest::currentTestFailed(), (form->info().id + " of " + name).c_str());
            }
    }

    void outcome_data()
    {
        QTest::addColumn<QString>("model");
        for (const auto& [name, row] : table_.equations)
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
    void outcome()
    {
        QFETCH(QString, model);
        const std::string name = model.toStdString();
        for (const auto& method : integrate::integratorCatalogue()) {
            const auto& others = table_.equations.at(name).others;
            const auto other = others.find(method.id);
            const outcomes::Expected expected = other == others.end() ? outcomes::Expected{"runs", ""} : other->second;
            outcomes::Table::judge(systems_.at(name), settingsOf(name, "dummy-derivatives", method), expected, outcomes::kEnd);
            QVERIFY2(!QTest::currentTestFailed(), (name + " with " + method.id).c_str());
        }
    }
};

QTEST_GUILESS_MAIN(TestEquationOutcomes)
#include "test_equation_outcomes.moc"
