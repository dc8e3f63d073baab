// The committed table of outcomes, both ways: every combination stands in it once, what it refuses is refused for the stated
// reason, what stops at the start stops, and what runs begins to run. test_outcomes_walk goes to the end of every run.
#include "core/integrate/LongSteps.h"
#include "tests/app/Outcomes.h"

using namespace driftless;
using outcomes::Expected;
using outcomes::Key;

class TestOutcomes : public QObject {
    Q_OBJECT
    outcomes::Table table_;

private slots:
    void initTestCase() { table_.read(); }

    void everyCombinationStandsInTheTable()
    {
        for (const auto& form : formulation::formulations())
            for (const auto& [name, system] : table_.systems)
                for (const auto& method : integrate::integratorCatalogue()) {
                    const Key key{form->info().id, name, method.id};
                    const std::size_t wanted = table_.represented.count(method.id) || table_.inLibrary(name) ? 0 : 1;
                    QVERIFY2(
                        table_.cases.count(key) == wanted,
                        (outcomes::textOf(key) + (wanted ? " is missing in the table" : " is represented, or in the library"))
                            .c_str());
                }
    }

    void representedMethods_carryWhatTheirRepresentativesDo()
    {
        for (const auto& [id, by] : table_.represented) {
            const auto *method = integrate::findIntegrator(id), *other = integrate::findIntegrator(by.id);
            QVERIFY2(method && other && !table_.represented.count(by.id), id.c_str());
            for (int index = 0; index <= 3; ++index)
                for (bool projection : {false, true})
                    for (bool semiExplicit : {false, true}) {
                        const bool within = index <= by.upToIndex && (semiExplicit || by.endsInStage);
                        QVERIFY2(integrate::canCarry(*method, index, projection, semiExplicit).ok()
                                     == (within && integrate::canCarry(*other, index, projection, semiExplicit).ok()),
                                 id.c_str());
                    }
        }
    }

    void representedMethods_beginToRun_data()
    {
        QTest::addColumn<QString>("method");
        for (const auto& [id, by] : table_.represented)
            QTest::addRow("%s", id.c_str()) << QString::fromStdString(id);
    }
    /// A plane model, one in space and one with rolling; a form of each index, one with a projection, one that ties its
    /// unknowns.
    void representedMethods_beginToRun()
    {
        QFETCH(QString, method);
        const std::string id = method.toStdString();
        const auto& info = *integrate::findIntegrator(id);
        const auto& by = table_.represented.at(id);
        int ran = 0;
        for (const char* model : {"pendulum", "double-pendulum", "slider-crank", "chaplygin-sleigh"})
            for (const char* form :
                 {"state-space", "dummy-derivatives", "index-1", "projection", "ggl", "index-2", "index-3", "tangent-plane"}) {
                const auto stated = table_.cases.find({form, model, by.id});
                QVERIFY2(stated != table_.cases.end(), (std::string(form) + " of " + model).c_str());
                if (stated->second.outcome == "refused") {
                    table_.walk({form, model, id}, {"refused", ""}, 0.1);
                    continue;
                }
                const auto dae = formulation::findFormulation(form)->build(
                    table_.systems.at(model)->model()); // of index 2 where nothing is holonomic
                QVERIFY(dae.ok());
                const bool selects = dae->pivot || dae->links;
                const bool carried = integrate::canCarry(info, dae->index, dae->projection.any(), dae->semiExplicit).ok()
                                     && !(selects && integrate::passesOverSelections(info));
                table_.walk({form, model, id}, {carried ? "runs" : "refused", ""}, 0.1);
                ran += carried;
            }
        QVERIFY(ran >= 8);
    }

    void everyRowNamesThingsThatExist()
    {
        for (const auto& [key, expected] : table_.cases) {
            const std::string text = outcomes::textOf(key);
            QVERIFY2(formulation::findFormulation(std::get<0>(key)), text.c_str());
            QVERIFY2(table_.systems.count(std::get<1>(key)), text.c_str());
            QVERIFY2(integrate::findIntegrator(std::get<2>(key)), text.c_str());
            QVERIFY2(expected.outcome == "runs" || expected.reason.size() >= 5, (text + " gives no reason").c_str());
        }
    }

    void stateSpaceRunsWhereThereIsAChart()
    {
        for (const auto& [name, system] : table_.systems)
            for (const auto& method : integrate::integratorCatalogue()) {
                if (table_.represented.count(method.id) || table_.inLibrary(name))
                    continue;
                if (method.mechanics != solve::Mechanics::None)
                    continue; // their own form alone
                const bool carries = system->system().chart || system->m() == 0;
                QCOMPARE(table_.cases.at(Key("state-space", name, method.id)).outcome,
                         std::string(carries ? "runs" : "refused"));
                QVERIFY2(formulation::findFormulation("state-space")->build(system->model()).ok() == carries, name.c_str());
            }
    }

    /// As the table says and as the program does, for five steps of a hundredth of a second.
    void systemsWithoutConstraintsRunInEveryForm()
    {
        int walked = 0;
        for (const auto& [name, system] : table_.systems)
            if (system->m() == 0)
                for (const auto& [key, expected] : table_.cases)
                    if (std::get<1>(key) == name
                        && integrate::findIntegrator(std::get<2>(key))->mechanics == solve::Mechanics::None) {
                        QVERIFY2(expected.outcome == "runs", outcomes::textOf(key).c_str());
                        table_.walk(key, 0.05);
                        QVERIFY2(!QTest::currentTestFailed(), outcomes::textOf(key).c_str());
                        ++walked;
                    }
        QVERIFY(walked > 0);
    }

    void outcome_data()
    {
        QTest::addColumn<QString>("form");
        QTest::addColumn<QString>("model");
        for (const auto& form : formulation::formulations())
            for (const auto& [name, system] : table_.systems)
                if (!table_.inLibrary(name))
                    QTest::addRow("%s of %s", form->info().id.c_str(), name.c_str())
                        << QString::fromStdString(form->info().id) << QString::fromStdString(name);
    }
    /// All refusals, and the first fifth of a second of one run of each pair.
    void outcome()
    {
        QFETCH(QString, form);
        QFETCH(QString, model);
        for (const auto& method : integrate::integratorCatalogue()) {
            if (table_.represented.count(method.id))
                continue;
            const Key key{form.toStdString(), model.toStdString(), method.id};
            const Expected& expected = table_.cases.at(key);
            const bool atStart = expected.outcome == "stops" && expected.reason == "matrix (3.24)";
            if (expected.outcome == "refused" || ((atStart || expected.outcome == "runs") && method.id == "radau-iia-5"))
                table_.walk(key, 0.2);
        }
    }
};

QTEST_GUILESS_MAIN(TestOutcomes)
#include "test_outcomes.moc"
