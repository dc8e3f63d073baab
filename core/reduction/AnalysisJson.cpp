#include <nlohmann/json.hpp>

#include <cmath>

#include "core/base/DiagnosticJson.h"
#include "core/base/Index.h"
#include "core/reduction/EquationAnalysis.h"

namespace driftless::reduction {

namespace {

using nlohmann::ordered_json;

/// Longer lists are cut, and say so: a chain of n equations has n^2 / 2 dummies.
constexpr std::size_t kMostListed = 20'000;
constexpr std::size_t kMostStages = 2'000;

std::vector<std::string> pick(const std::vector<int>& which, const std::vector<std::string>& names)
{
    std::vector<std::string> out;
    for (const int i : which)
        out.push_back(names[at(i)]);
    return out;
}

ordered_json dummiesJson(const std::vector<structure::DummyRange>& ranges, const structure::Names& names)
{
    ordered_json out = ordered_json::array();
    for (const auto& d : structure::expand(ranges, kMostListed))
        out.push_back({{"variable", names.unknowns[at(d.unknown)]}, {"order", d.order}});
    return out;
}

ordered_json stepsJson(const structure::PantelidesResult& p, const structure::Names& names)
{
    ordered_json out = ordered_json::array();
    for (std::size_t k = 0; k < p.steps.size() && k < kMostStages; ++k)
        out.push_back({{"unmatched", names.equations[at(p.steps[k].equation)]},
                       {"differentiated", pick(p.steps[k].equations, names.equations)},
                       {"raised", pick(p.steps[k].unknowns, names.unknowns)}});
    return out;
}

ordered_json stagesJson(const structure::DummySelection& selection, const structure::Names& names)
{
    ordered_json out = ordered_json::array();
    for (const auto& s : selection.stages) {
        if (s.m == 0 && s.stage == 1)
            continue;
        if (out.size() == kMostStages)
            break;
        ordered_json g = ordered_json::array(), z = ordered_json::array(), selected = ordered_json::array();
        for (const auto& e : s.g)
            g.push_back(structure::derivativeName(names.equations[at(e.equation)], e.differentiations));
        for (const auto& d : s.z)
            z.push_back(structure::derivativeName(names.unknowns[at(d.unknown)], d.order));
        for (const auto& d : s.selected)
            selected.push_back(structure::derivativeName(names.unknowns[at(d.unknown)], d.order));
        out.push_back({{"block", s.block + 1},
                       {"stage", s.stage},
                       {"repeats", s.repeats},
                       {"g", g},
                       {"z", z},
                       {"m", s.m},
                       {"selected", selected}});
    }
    return out;
}

ordered_json singularJson(const EquationAnalysis& a)
{
    const auto& parts = a.structure.parts;
    return {
        {"over_determined",
         {{"equations", pick(parts.overRows, a.names.equations)}, {"unknowns", pick(parts.overColumns, a.names.unknowns)}}},
        {"under_determined",
         {{"equations", pick(parts.underRows, a.names.equations)}, {"unknowns", pick(parts.underColumns, a.names.unknowns)}}}};
}

ordered_json toJson(const EquationAnalysis& a)
{
    ordered_json out;
    const bool singular = a.structure.singular;
    out["equations"] = ordered_json::array();
    for (std::size_t i = 0; i < a.names.equations.size(); ++i)
        out["equations"].push_back(
            {{"name", a.names.equations[i]},
             {"differentiations", singular ? ordered_json() : ordered_json(a.structure.pantelides.c[i])}});
    out["variables"] = ordered_json::array();
    for (std::size_t j = 0; j < a.names.unknowns.size(); ++j)
        out["variables"].push_back({{"name", a.names.unknowns[j]},
                                    {"highest_order", singular ? ordered_json() : ordered_json(a.structure.pantelides.d[j])}});
    out["structural_index"] = singular ? ordered_json() : ordered_json(a.structure.structuralIndex);
    out["dof"] = singular ? ordered_json() : ordered_json(a.structure.freedom);
    out["sigma"] =
        singular ? ordered_json()
                 : ordered_json{{"value", a.structure.sigma.value}, {"c", a.structure.sigma.c}, {"d", a.structure.sigma.d}};
    out["blocks"] = ordered_json::array();
    for (const auto& b : a.structure.blocks)
        out["blocks"].push_back(
            {{"equations", pick(b.equations, a.names.equations)}, {"unknowns", pick(b.unknowns, a.names.unknowns)}});
    out["dummies"] = dummiesJson(a.structure.selection.dummies, a.names);
    out["augmented_equations"] = singular ? ordered_json() : ordered_json(a.structure.selection.augmentedEquations);
    out["reduced_equations"] = singular ? ordered_json() : ordered_json(a.structure.selection.reducedEquations);
    out["structurally_singular"] = singular;
    out["jacobian_singular"] = a.jacobianSingular;
    out["diagnostic"] = a.diagnostic ? ordered_json::parse(diagnosticJson(*a.diagnostic)) : ordered_json();
    if (singular) {
        out["singular_parts"] = singularJson(a);
        return out;
    }
    out["jacobian_rank"] = a.jacobianKnown ? ordered_json(a.jacobianRank) : ordered_json();
    out["dummies_listed_completely"] = structure::countOf(a.structure.selection.dummies) <= static_cast<long>(kMostListed);
    out["reduced_dummies"] = dummiesJson(a.structure.selection.reducedDummies, a.names);
    out["pantelides"] = {{"agrees_with_sigma", a.structure.agree}, {"steps", stepsJson(a.structure.pantelides, a.names)}};
    out["stages"] = stagesJson(a.structure.selection, a.names);
    if (a.eliminated) {
        ordered_json steps = ordered_json::array();
        for (const Elimination& e : a.eliminations) {
            steps.push_back({{"replaced", e.equation}, {"by", e.combination}, {"equation", e.result}});
            if (!e.condition.empty())
                steps.back()["while"] = e.condition;
        }
        out["eliminations"] = steps;
        out["after_elimination"] = toJson(*a.eliminated);
    }
    return out;
}

} // namespace

std::string analysisJson(const EquationAnalysis& analysis, const std::string& modelName)
{
    ordered_json out{{"model", modelName}};
    out.update(toJson(analysis));
    return out.dump();
}

} // namespace driftless::reduction
