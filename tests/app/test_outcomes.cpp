// The committed table of outcomes, walked both ways: every combination of formulation, shipped model and integrator stands in
// resources/expected/outcomes.toml exactly once, and does what the table says.
#include <QtTest>

#include <toml++/toml.h>

#include <map>
#include <string>
#include <tuple>

#include "core/formulation/Formulation.h"
#include "core/integrate/Integrator.h"
#include "core/model/CompiledSystem.h"
#include "core/run/Run.h"

using namespace driftless;

namespace {

constexpr double kEnd = 10; ///< [s] what "runs" means, unless the model's own end comes first

struct Expected {
    std::string outcome; ///< "runs", "refused", "stops"
    std::string reason;  ///< a fragment of the message
};
using Key = std::tuple<std::string, std::string, std::string>; ///< formulation, model, integrator

std::string textOf(const Key& key) { return std::get<0>(key) + " of " + std::get<1>(key) + " with " + std::get<2>(key); }

/// A fixed step that suits the model's own time scale: [run] step if there is one, else 0.01 s; the adaptive ones take 1e-6.
run::RunSettings settingsOf(const Key& key, const model::Model& model)
{
    run::RunSettings settings;
    settings.formulation = std::get<0>(key);
    settings.integrator = std::get<2>(key);
    const auto* method = integrate::findIntegrator(settings.integrator);
    settings.options.step = method && method->adaptive ? 0 : model.run.step.value_or(0.01);
    settings.options.relativeTolerance = settings.options.absoluteTolerance = 1e-6;
    return settings;
}

} // namespace

class TestOutcomes : public QObject {
    Q_OBJECT
    std::map<Key, Expected> table_;
    std::map<std::string, std::shared_ptr<const model::CompiledSystem>> systems_;

    void readEntry(const Key& key, Expected expected)
    {
        QVERIFY2(table_.emplace(key, std::move(expected)).second, (textOf(key) + " stands twice in the table").c_str());
    }

private slots:
    void initTestCase()
    {
        toml::table file;
        try {
            file = toml::parse_file(DRIFTLESS_SOURCE_DIR "/resources/expected/outcomes.toml");
        } catch (const toml::parse_error& error) {
            QFAIL(std::string(error.description()).c_str());
        }
        for (const auto& node : *file["case"].as_array()) {
            const auto& entry = *node.as_table();
            const std::string formulation = entry["formulation"].value_or(""), name = entry["model"].value_or("");
            if (const auto* runs = entry["runs"].as_array())
                for (const auto& id : *runs)
                    readEntry({formulation, name, id.value_or("")}, {"runs", ""});
            for (const char* outcome : {"refused", "stops"})
                if (const auto* list = entry[outcome].as_table())
                    for (const auto& [id, reason] : *list)
                        readEntry({formulation, name, std::string(id.str())}, {outcome, reason.value_or("")});
        }
        for (const auto& shipped : model::shippedModels()) {
            const auto opened = model::openModel(shipped.id);
            QVERIFY2(opened.ok(), opened ? "" : opened.error().text().c_str());
            const auto system = model::CompiledSystem::compile(*opened);
            QVERIFY2(system.ok(), system ? "" : system.error().text().c_str());
            systems_[shipped.id] = *system;
        }
        QVERIFY(systems_.size() >= 5);
    }

    void everyCombinationStandsInTheTable()
    {
        for (const auto& formulation : formulation::formulations())
            for (const auto& [name, system] : systems_)
                for (const auto& method : integrate::integratorCatalogue()) {
                    const Key key{formulation->info().id, name, method.id};
                    QVERIFY2(table_.count(key), (textOf(key) + " is missing in the table").c_str());
                }
    }

    void everyRowNamesThingsThatExist()
    {
        for (const auto& [key, expected] : table_) {
            QVERIFY2(formulation::findFormulation(std::get<0>(key)), textOf(key).c_str());
            QVERIFY2(systems_.count(std::get<1>(key)), textOf(key).c_str());
            QVERIFY2(integrate::findIntegrator(std::get<2>(key)), textOf(key).c_str());
            QVERIFY2(expected.outcome == "runs" || expected.reason.size() >= 5, (textOf(key) + " gives no reason").c_str());
        }
    }

    void stateSpaceRunsOnEveryShippedModel()
    {
        for (const auto& [name, system] : systems_)
            for (const auto& method : integrate::integratorCatalogue())
                QCOMPARE(table_[Key("state-space", name, method.id)].outcome, std::string("runs"));
    }

    void systemsWithoutConstraintsRunInEveryForm()
    {
        int walked = 0;
        for (const auto& [name, system] : systems_)
            if (system->m() == 0)
                for (const auto& [key, expected] : table_)
                    if (std::get<1>(key) == name) {
                        QVERIFY2(expected.outcome == "runs", textOf(key).c_str());
                        ++walked;
                    }
        QVERIFY(walked > 0);
    }

    void outcome_data()
    {
        QTest::addColumn<QString>("formulation");
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("integrator");
        for (const auto& [key, expected] : table_)
            QTest::newRow(textOf(key).c_str()) << QString::fromStdString(std::get<0>(key)) << QString::fromStdString(std::get<1>(key))
                                               << QString::fromStdString(std::get<2>(key));
    }
    void outcome()
    {
        QFETCH(QString, formulation);
        QFETCH(QString, model);
        QFETCH(QString, integrator);
        const Key key{formulation.toStdString(), model.toStdString(), integrator.toStdString()};
        const Expected& expected = table_.at(key);
        const auto& system = systems_.at(std::get<1>(key));
        auto created = run::Run::create(system, {}, settingsOf(key, system->model()));
        if (expected.outcome == "refused") {
            QVERIFY2(!created, "it was not refused");
            const std::string text = created.error().text();
            QVERIFY2(text.find(expected.reason) != std::string::npos, text.c_str());
            return;
        }
        QVERIFY2(created.ok(), created ? "" : created.error().text().c_str());
        const double end = std::min(kEnd, system->model().run.end);
        const bool completed = (*created)->advanceTo(end);
        const run::RunStatus status = (*created)->status();
        const std::string text = status.diagnostic ? status.diagnostic->text() : "no diagnostic";
        if (expected.outcome == "runs") {
            QVERIFY2(completed, text.c_str());
            QCOMPARE((*created)->t(), end);
        } else {
            QVERIFY2(!completed && (*created)->failed(), "it did not stop");
            QVERIFY2(text.find(expected.reason) != std::string::npos, text.c_str());
        }
    }
};

QTEST_GUILESS_MAIN(TestOutcomes)
#include "test_outcomes.moc"
