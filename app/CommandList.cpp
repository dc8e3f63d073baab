// driftless list: what there is.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <iostream>
#include <memory>

#include "app/Commands.h"
#include "app/Output.h"
#include "core/formulation/Formulation.h"
#include "core/integrate/Integrator.h"
#include "core/lesson/Lesson.h"
#include "core/reduction/Reduced.h"
#include "core/study/Study.h"
#include "core/system/Model.h"
#include "core/system/ShippedModels.h"

namespace driftless::app {

namespace {

using nlohmann::ordered_json;

ordered_json listModels()
{
    ordered_json list = ordered_json::array();
    for (const auto& model : model::shippedModels())
        list.push_back({{"id", model.id}, {"title", model.title}, {"source", model.source}, {"kind", "mechanism"}});
    for (const auto& model : reduction::shippedEquations())
        list.push_back({{"id", model.id}, {"title", model.title}, {"source", model.source}, {"kind", "equations"}});
    for (const auto& one : lesson::shippedTries())
        for (auto& entry : list)
            if (entry["id"].get_ref<const std::string&>() == one.model) {
                entry["shows"] = one.shows;
                entry["try"] = {{"lesson", one.lesson}, {"do", one.does}, {"see", one.sees}};
            }
    return list;
}

ordered_json listFormulations()
{
    ordered_json list = ordered_json::array();
    for (const auto& formulation : formulation::formulations()) {
        const auto& info = formulation->info();
        ordered_json options = ordered_json::array();
        for (const auto& option : info.options)
            options.push_back({{"name", option.name}, {"description", option.description}, {"choices", option.choices}});
        list.push_back({{"id", info.id},
                        {"title", info.title},
                        {"source", info.source},
                        {"index", info.index},
                        {"requires", info.requirements},
                        {"keeps", info.keeps},
                        {"options", std::move(options)}});
    }
    return list;
}

ordered_json listIntegrators()
{
    ordered_json list = ordered_json::array();
    for (const auto& info : integrate::integratorCatalogue()) {
        list.push_back({{"id", info.id},
                        {"title", info.title},
                        {"source", info.source},
                        {"family", integrate::familyName(info.family)},
                        {"order", info.order},
                        {"adaptive", info.adaptive},
                        {"implicit", info.implicitMethod},
                        {"max_index", info.maxIndex},
                        {"summary", info.summary}});
        if (const auto& p = info.parameter; !p.name.empty())
            list.back()["parameter"] = {{"name", p.name}, {"least", p.least}, {"most", p.most}, {"usual", p.usual}};
    }
    return list;
}

ordered_json listLessons()
{
    ordered_json list = ordered_json::array();
    for (const auto& lesson : lesson::shippedLessons())
        list.push_back({{"id", lesson.id},
                        {"title", lesson.title},
                        {"source", lesson.source},
                        {"level", lesson::levelName(lesson.level)},
                        {"steps", lesson.steps},
                        {"after", lesson.place.after},
                        {"afternoon", lesson.place.afternoon},
                        {"summary", lesson.summary}});
    return list;
}

ordered_json listStudies()
{
    ordered_json list = ordered_json::array();
    for (const auto& study : study::shippedStudies())
        list.push_back({{"id", study.id}, {"title", study.title}, {"source", study.source}});
    return list;
}

ordered_json listOf(const std::string& what)
{
    if (what == "models")
        return listModels();
    if (what == "formulations")
        return listFormulations();
    if (what == "integrators")
        return listIntegrators();
    if (what == "studies")
        return listStudies();
    if (what == "lessons")
        return listLessons();
    return ordered_json::array();
}

void printPlain(const ordered_json& list)
{
    std::size_t width = 0;
    for (const auto& entry : list)
        width = std::max(width, entry["id"].get_ref<const std::string&>().size());
    for (const auto& entry : list) {
        const auto& id = entry["id"].get_ref<const std::string&>();
        const auto& source = entry["source"].get_ref<const std::string&>();
        std::cout << id << std::string(width - id.size() + 2, ' ') << entry["title"].get_ref<const std::string&>();
        if (entry.contains("index"))
            std::cout << ", index " << entry["index"].get<int>();
        if (!source.empty())
            std::cout << "  (" << source << ")";
        std::cout << '\n';
    }
}

} // namespace

void addListCommand(CLI::App& root, int& exitCode)
{
    struct Options {
        std::string what;
        bool json = false;
    };
    auto options = std::make_shared<Options>();
    auto* command = root.add_subcommand("list", "What there is: models, formulations, integrators, studies or lessons");
    command->add_option("WHAT", options->what, "models, formulations, integrators, studies or lessons")
        ->required()
        ->check(CLI::IsMember({"models", "formulations", "integrators", "studies", "lessons"}));
    command->add_flag("--json", options->json, "An array of objects instead of a table");
    command->callback([options, &exitCode] {
        const ordered_json list = listOf(options->what);
        if (list.empty())
            std::cerr << "driftless: no " << options->what
                      << " are installed; DRIFTLESS_RESOURCES names the folder that holds them\n";
        if (!options->json)
            printPlain(list);
        else if (!printJson(list))
            exitCode = kExitBadInput;
    });
}

} // namespace driftless::app
