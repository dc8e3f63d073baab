#include <algorithm>
#include <array>
#include <cassert>

#include "core/formulation/Forms.h"

namespace driftless::formulation {
namespace {

std::vector<std::unique_ptr<const Formulation>> makeAll()
{
    static constexpr std::array kMakers{makeDummyDerivatives,
                                        makeStateSpace,
                                        makeIndex3,
                                        makeIndex2,
                                        makeIndex1,
                                        makeUnderlyingOde,
                                        makeBaumgarte,
                                        makeProjection,
                                        makeGgl,
                                        makeOdaeSsf,
                                        makeOdaeExplicitSsf,
                                        makeExtended316,
                                        makeExtended317,
                                        makeProjectedInvariants,
                                        makeCoordinatePartitioning,
                                        makeTangentPlane,
                                        makeStrangenessFree,
                                        makePenalty,
                                        makeAugmentedLagrangian};
    std::vector<std::unique_ptr<const Formulation>> all;
    for (const Maker make : kMakers)
        all.push_back(make());
    return all;
}

/// Levenshtein distance, for "did you mean".
std::size_t editDistance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row[b.size()];
}

} // namespace

std::span<const std::unique_ptr<const Formulation>> formulations()
{
    static const std::vector<std::unique_ptr<const Formulation>> all = makeAll();
    return all;
}

Result<Dae> Formulation::build(const model::Model& model, const OptionValues& options) const
{
    if (model.reduced && !info().general)
        return Diagnostic{info().id + " is a form of mechanisms",
                          "",
                          "the model is a text of equations without mass matrix and constraints of its own",
                          "dummy-derivatives",
                          {}};
    auto dae = rewrite(model, options);
    if (dae && dae->differentiationIndex < 0)
        dae->differentiationIndex = dae->index;
    return dae;
}

const Formulation* findFormulation(std::string_view id)
{
    for (const auto& f : formulations())
        if (f->info().id == id)
            return f.get();
    return nullptr;
}

Result<const Formulation*> requireFormulation(std::string_view id)
{
    if (const Formulation* f = findFormulation(id))
        return f;
    std::string list, nearest;
    std::size_t best = 4;
    const std::string_view shown = id.substr(0, 64);
    for (const auto& f : formulations()) {
        list += (list.empty() ? "" : ", ") + f->info().id;
        if (const std::size_t d = editDistance(shown, f->info().id); d < best) {
            best = d;
            nearest = f->info().id;
        }
    }
    return Diagnostic{"there is no formulation \"" + std::string(shown) + "\"",
                      "",
                      "known are " + list,
                      nearest.empty() ? "one of these" : "\"" + nearest + "\"",
                      {}};
}

const std::string& optionOf(const FormulationInfo& info, const OptionValues& values, std::string_view name)
{
    const auto option =
        std::find_if(info.options.begin(), info.options.end(), [&](const FormulationOption& o) { return o.name == name; });
    assert(option != info.options.end());
    const auto chosen = values.find(std::string(name));
    return chosen == values.end() ? option->choices.front() : chosen->second;
}

Result<void> checkOptions(const FormulationInfo& info, const OptionValues& values)
{
    for (const auto& [name, value] : values) {
        const auto option = std::find_if(info.options.begin(), info.options.end(),
                                         [&wanted = name](const FormulationOption& o) { return o.name == wanted; });
        if (option == info.options.end()) {
            std::string known;
            for (const FormulationOption& o : info.options)
                known += (known.empty() ? "" : ", ") + o.name;
            return Diagnostic{
                info.id + " has no option " + name, "", known.empty() ? "it has none" : "it has " + known, "", {}};
        }
        if (std::find(option->choices.begin(), option->choices.end(), value) == option->choices.end()) {
            std::string known;
            for (const std::string& c : option->choices)
                known += (known.empty() ? "" : ", ") + ('"' + c + '"');
            return Diagnostic{
                "The option " + name + " of " + info.id + " cannot be \"" + value + '"', "", "it may be " + known, "", {}};
        }
    }
    return {};
}

} // namespace driftless::formulation
