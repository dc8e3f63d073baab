// The committed table of outcomes: what every combination of formulation, shipped model and integrator does.
#pragma once

#include <QtTest>

#include <toml++/toml.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "core/formulation/Formulation.h"
#include "core/integrate/Integrator.h"
#include "core/mechanism/ReadModel.h"
#include "core/run/EventWords.h"
#include "core/run/Run.h"
#include "core/system/CompiledSystem.h"
#include "core/system/ShippedModels.h"

namespace driftless::outcomes {

constexpr double kEnd = 10; ///< [s] what "runs" means, unless the model's own end comes first

struct Expected {
    std::string outcome; ///< "runs", "refused", "stops", "either"
    std::string reason;  ///< a fragment of the message
};
using Key = std::tuple<std::string, std::string, std::string>; ///< formulation, model, integrator

inline std::string textOf(const Key& key) { return std::get<0>(key) + " of " + std::get<1>(key) + " with " + std::get<2>(key); }

/// A method that stands for another one in the table: see the head of the file.
struct Representative {
    std::string id;
    int upToIndex = 3;
    bool endsInStage = true;
};

/// The methods of the library's rows: one-step and multistep.
inline constexpr const char* kLibraryMethods[] = {"radau-iia-5", "ida"};

/// A text of equations with events: methods that do not run it to its end. The others do.
struct EquationRow {
    double step = 0; ///< [s] of the fixed-step methods
    std::map<std::string, Expected> others;
};

struct Table {
    std::map<Key, Expected> cases;
    std::map<std::string, EquationRow> equations; ///< by model
    std::map<Key, Expected> library;              ///< the mechanisms that stand in rows of their own: two methods, a short end
    std::map<std::string, double> libraryEnds;    ///< [s] by model
    std::map<std::string, Representative> represented; ///< by the method that stands in no row
    std::map<std::string, std::shared_ptr<const model::CompiledSystem>> systems;

    void enter(const Key& key, Expected expected)
    {
        QVERIFY2(cases.emplace(key, std::move(expected)).second, (textOf(key) + " stands twice in the table").c_str());
    }

    void read()
    {
        toml::table file;
        try {
            file = toml::parse_file(DRIFTLESS_SOURCE_DIR "/resources/expected/outcomes.toml");
        } catch (const toml::parse_error& error) {
            QFAIL(std::string(error.description()).c_str());
        }
        for (const auto& node : *file["represented"].as_array()) {
            const auto& entry = *node.as_table();
            const Representative by{entry["by"].value_or(""), static_cast<int>(entry["up_to_index"].value_or(std::int64_t{3})),
                                    entry["ends_in_stage"].value_or(true)};
            QVERIFY2(std::string(entry["why"].value_or("")).size() >= 5, by.id.c_str());
            for (const auto& id : *entry["ids"].as_array())
                QVERIFY2(represented.emplace(id.value_or(""), by).second, id.value_or(""));
        }
        for (const auto& node : *file["case"].as_array()) {
            const auto& entry = *node.as_table();
            const std::string form = entry["formulation"].value_or(""), name = entry["model"].value_or("");
            if (const auto* runs = entry["runs"].as_array())
                for (const auto& id : *runs)
                    enter({form, name, id.value_or("")}, {"runs", ""});
            for (const char* outcome : {"refused", "stops", "either"})
                if (const auto* groups = entry[outcome].as_array())
                    for (const auto& group : *groups)
                        for (const auto& id : *(*group.as_table())["with"].as_array())
                            enter({form, name, id.value_or("")}, {outcome, (*group.as_table())["why"].value_or("")});
        }
        for (const auto& node : *file["library"].as_array())
            readLibrary(*node.as_table());
        for (const auto& node : *file["equations"].as_array())
            readEquations(*node.as_table());
        for (const auto& shipped : model::shippedModels()) {
            const auto opened = model::openModel(shipped.id);
            QVERIFY2(opened.ok(), opened ? "" : opened.error().text().c_str());
            const auto system = model::CompiledSystem::compile(*opened);
            QVERIFY2(system.ok(), system ? "" : system.error().text().c_str());
            systems[shipped.id] = *system;
        }
        QVERIFY(systems.size() >= 15);
        for (const auto& [name, end] : libraryEnds)
            QVERIFY2(systems.count(name), (name + " is no shipped model").c_str());
    }
    void readEquations(const toml::table& entry)
    {
        const std::string name = entry["model"].value_or("");
        EquationRow row{.step = entry["step"].value_or(0.0), .others = {}};
        for (const char* outcome : {"refused", "stops"})
            if (const auto* groups = entry[outcome].as_array())
                for (const auto& group : *groups)
                    for (const auto& id : *(*group.as_table())["with"].as_array())
                        QVERIFY2(row.others.emplace(id.value_or(""), Expected{outcome, (*group.as_table())["why"].value_or("")})
                                     .second,
                                 name.c_str());
        QVERIFY2(row.step > 0 && equations.emplace(name, std::move(row)).second, name.c_str());
    }
    bool inLibrary(const std::string& model) const { return libraryEnds.count(model) > 0; }

    void readLibrary(const toml::table& entry)
    {
        const std::string name = entry["model"].value_or("");
        const double end = entry["end"].value_or(0.0);
        QVERIFY2(end > 0 && libraryEnds.emplace(name, end).second, name.c_str());
        const auto put = [&](const std::string& form, const std::string& by, const Expected& expected) {
            for (const char* method : kLibraryMethods)
                if (by.empty() || by == method) {
                    const Key key{form, name, method};
                    QVERIFY2(library.emplace(key, expected).second, (textOf(key) + " stands twice in the table").c_str());
                }
        };
        for (const char* outcome : {"refused", "stops"})
            if (const auto* groups = entry[outcome].as_array())
                for (const auto& group : *groups) {
                    const auto& row = *group.as_table();
                    for (const auto& form : *row["with"].as_array())
                        put(form.value_or(""), row["by"].value_or(""), {outcome, row["why"].value_or("")});
                }
        for (const auto& form : *entry["runs"].as_array())
            put(form.value_or(""), "", {"runs", ""});
        // where one of the two does not run, the other does
        for (const auto& form : formulation::formulations())
            for (const char* method : kLibraryMethods)
                for (const char* other : kLibraryMethods)
                    if (library.count({form->info().id, name, other}))
                        library.emplace(Key{form->info().id, name, method}, Expected{"runs", ""});
    }

    /// A fixed step that suits the model's own time scale: [run] step if there is one, else 0.01 s; the adaptive ones take
    /// 1e-6.
    static run::RunSettings settingsOf(const Key& key, const model::Model& model)
    {
        run::RunSettings settings;
        settings.formulation = std::get<0>(key);
        settings.integrator = std::get<2>(key);
        const auto* method = integrate::findIntegrator(settings.integrator);
        settings.options.step = method && method->adaptive ? 0 : model.run.step.value_or(0.01);
        settings.options.relativeTolerance = settings.options.absoluteTolerance = 1e-6;
        return settings;
    }

    void walk(const Key& key, double longest) const { walk(key, cases.at(key), longest); }
    void walk(const Key& key, const Expected& expected, double longest) const
    {
        const auto& system = systems.at(std::get<1>(key));
        judge(system, settingsOf(key, system->model()), expected, std::min(kEnd, longest));
    }
    /// Whether a run does what is expected of it, up to the model's own end or a time before.
    static void judge(const std::shared_ptr<const model::CompiledSystem>& system, const run::RunSettings& settings,
                      const Expected& expected, double longest)
    {
        auto created = run::Run::create(system, {}, settings);
        if (expected.outcome == "refused") {
            QVERIFY2(!created, "it was not refused");
            const std::string text = created.error().text();
            QVERIFY2(text.find(expected.reason) != std::string::npos, text.c_str());
            return;
        }
        QVERIFY2(created.ok(), created ? "" : created.error().text().c_str());
        const double end = std::min(system->model().run.end, longest);
        const bool completed = (*created)->advanceTo(end);
        const run::RunStatus status = (*created)->status();
        const std::string text = status.diagnostic ? status.diagnostic->text() : "no diagnostic";
        if (expected.outcome == "runs") {
            QVERIFY2(completed, text.c_str());
            QCOMPARE((*created)->t(), end);
        } else if (completed && expected.outcome == "either") {
            const auto events = (*created)->events();
            QVERIFY2(std::any_of(events.begin(), events.end(),
                                 [&](const run::Event& e) { return run::words(e).find(expected.reason) != std::string::npos; }),
                     "it completed and said nothing");
        } else {
            QVERIFY2(!completed && (*created)->failed(), "it did not stop");
            QVERIFY2(text.find(expected.reason) != std::string::npos, text.c_str());
        }
    }
};

} // namespace driftless::outcomes
