#include <algorithm>
#include <array>
#include <cassert>

#include "core/base/Counters.h"
#include "core/formulation/Forms.h"
#include "core/text/Names.h"

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

} // namespace

std::span<const std::unique_ptr<const Formulation>> formulations()
{
    static const std::vector<std::unique_ptr<const Formulation>> all = makeAll();
    return all;
}

Result<Dae> Formulation::build(const model::Model& model, const OptionValues& options) const
{
    if (model.reduced && !info().general)
        return Diagnostic{.what = info().id + " is a form of mechanisms",
                          .why = "the model is a text of equations without mass matrix and constraints of its own",
                          .remedy = "dummy-derivatives"};
    count(counters().rewrites);
    auto dae = rewrite(model, options);
    if (!dae)
        return dae;
    dae->enforces = enforcedBy(info(), options);
    if (dae->differentiationIndex < 0)
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
    const std::string_view shown = id.substr(0, 64);
    text::NearestName nearest(shown);
    for (const auto& f : formulations())
        nearest.offer(f->info().id);
    return Diagnostic{
        .what = "There is no formulation \"" + std::string(shown) + '"',
        .why = "known are " + text::joined(formulations(), [](const auto& f) { return f->info().id; }),
        .remedy = nearest.found().empty() ? "one of these" : '"' + nearest.found() + '"',
    };
}

const std::string& optionOf(const FormulationInfo& info, const OptionValues& values, std::string_view name)
{
    const auto option =
        std::find_if(info.options.begin(), info.options.end(), [&](const FormulationOption& o) { return o.name == name; });
    assert(option != info.options.end());
    const auto chosen = values.find(std::string(name));
    return chosen == values.end() ? option->choices.front() : chosen->second;
}

Enforces enforcedBy(const FormulationInfo& info, const OptionValues& options)
{
    for (const FormulationOption& option : info.options) {
        if (option.enforces.empty())
            continue;
        const auto chosen = std::find(option.choices.begin(), option.choices.end(), optionOf(info, options, option.name));
        if (chosen != option.choices.end())
            return option.enforces[static_cast<std::size_t>(chosen - option.choices.begin())];
    }
    return info.enforces;
}

Result<void> checkOptions(const FormulationInfo& info, const OptionValues& values)
{
    for (const auto& [name, value] : values) {
        const auto option = std::find_if(info.options.begin(), info.options.end(),
                                         [&wanted = name](const FormulationOption& o) { return o.name == wanted; });
        if (option == info.options.end()) {
            const std::string known = text::joined(info.options, [](const FormulationOption& o) { return o.name; });
            return Diagnostic{.what = info.id + " has no option " + name,
                              .why = known.empty() ? "it has none" : "it has " + known};
        }
        if (std::find(option->choices.begin(), option->choices.end(), value) == option->choices.end()) {
            const std::string known = text::joined(option->choices, [](const std::string& c) { return '"' + c + '"'; });
            return Diagnostic{.what = "The option " + name + " of " + info.id + " cannot be \"" + value + '"',
                              .why = "it may be " + known};
        }
    }
    return {};
}

} // namespace driftless::formulation
