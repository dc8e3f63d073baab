#include <algorithm>

#include "core/base/Counters.h"
#include "core/integrate/LongSteps.h"
#include "core/integrate/Makers.h"
#include "core/integrate/RungeKutta.h"
#include "core/text/Names.h"

namespace driftless::integrate {
namespace {

/// All methods in the order of the catalogue.
const std::vector<Method>& methods()
{
    static const auto all = [] {
        std::vector<Method> list;
        for (auto&& group : {explicitMethods(), implicitMethods(), multistepMethods(), mechanicalMethods()})
            list.insert(list.end(), group.begin(), group.end());
        return list;
    }();
    return all;
}

std::string whyIndexTooHigh(const IntegratorInfo& method, int index)
{
    if (method.implicitMethod)
        return "its stages do not determine the multipliers, or its order breaks down, above index "
               + std::to_string(method.maxIndex);
    const std::string more = index == 2 ? "once more" : "twice more";
    return "an explicit method needs the rates and the multipliers from the equations at one instant, which determine them "
           "up to index 1 only; here constraints would have to be differentiated "
           + more;
}

} // namespace

std::span<const IntegratorInfo> integratorCatalogue()
{
    static const auto catalogue = [] {
        std::vector<IntegratorInfo> infos;
        for (const auto& method : methods())
            infos.push_back(method.info);
        return infos;
    }();
    return catalogue;
}

std::string_view familyName(Family family)
{
    switch (family) {
    case Family::Explicit:
        return "explicit Runge-Kutta";
    case Family::Implicit:
        return "implicit Runge-Kutta";
    case Family::Multistep:
        return "multistep";
    case Family::Mechanical:
        return "structure preserving";
    }
    return {};
}

const IntegratorInfo* findIntegrator(std::string_view id)
{
    for (const auto& info : integratorCatalogue())
        if (info.id == id)
            return &info;
    const auto own = findOwnMethod(id);
    return own ? &own->info : nullptr; // it stays
}

Result<std::unique_ptr<Integrator>> makeIntegrator(std::string_view id)
{
    count(counters().integrators);
    const auto catalogue = integratorCatalogue();
    for (std::size_t i = 0; i < catalogue.size(); ++i)
        if (catalogue[i].id == id)
            return methods()[i].make(catalogue[i]);
    if (auto own = findOwnMethod(id))
        return makeRungeKutta(std::move(own));
    const std::string shown(id.substr(0, 64));
    text::NearestName nearest(shown);
    for (const auto& info : catalogue)
        nearest.offer(info.id);
    return Diagnostic{
        .what = "There is no integrator '" + shown + "'",
        .why = "known are " + text::joined(catalogue, [](const IntegratorInfo& info) { return info.id; }),
        .remedy = nearest.found().empty() ? "one of these" : nearest.found(),
    };
}

bool passesOverSelections(const IntegratorInfo& method) { return method.id == "odex"; }

Result<void> canCarry(const IntegratorInfo& method, solve::DaeSystem& system)
{
    const bool needed = method.mechanics != solve::Mechanics::None && system.mechanical();
    return canCarry(method, system.index(), system.hasProjection(), true,
                    needed ? system.mechanical()->level() : solve::Mechanics::None);
}

Result<void> canCarry(const IntegratorInfo& method, int index, bool hasProjection, bool semiExplicit,
                      solve::Mechanics mechanics)
{
    if (method.mechanics != solve::Mechanics::None && method.mechanics != mechanics) {
        const std::string form = method.mechanics == solve::Mechanics::Position ? "index-3" : "index-2";
        return Diagnostic{
            .what = method.id + " needs the equations of motion as the form " + form + " states them",
            .why = "it takes M v' = f - G^T lambda apart, with q' = v and the holonomic constraints at one level, and nothing "
                   "else in "
                   "the form",
            .remedy = "the formulation " + form
                      + " of a mechanism without velocity basis, nonholonomic constraints, efforts and dynamic variables, "
                        "or radau-iia-5 or generalized-alpha on this form"};
    }
    if (!semiExplicit && method.implicitMethod && !method.tiedUnknowns)
        return Diagnostic{
            .what = method.id + " cannot integrate this form",
            .why = "the form ties its differential unknowns by algebraic equations, which the end of a step of this method "
                   "would not satisfy: it lies outside the stages",
            .remedy = "radau-iia-5, implicit-trapezoidal or ida on this form, or " + method.id + " on dummy-derivatives"};
    if (!semiExplicit && !method.implicitMethod)
        return Diagnostic{
            .what = method.id + " is an explicit method and cannot integrate this form",
            .why = "the form ties its differential unknowns by algebraic equations, so that one instant does not determine "
                   "the rates of each of them",
            .remedy = "radau-iia-5, implicit-trapezoidal or ida on this form, or " + method.id + " on dummy-derivatives"};
    if (index > method.maxIndex)
        return Diagnostic{.what = method.id + " cannot integrate a form of index " + std::to_string(index),
                          .why = whyIndexTooHigh(method, index),
                          .remedy = "radau-iia-5, implicit-trapezoidal or ida on this form, or " + method.id
                                    + " on index-1, baumgarte, projection, dummy-derivatives or state-space"};
    if (hasProjection && method.multistep)
        return Diagnostic{.what = method.id + " cannot be combined with a projection after each step",
                          .why =
                              "a multistep method continues the polynomial through past steps, which a projection would break",
                          .remedy = "a one-step method (rk4, dormand-prince, radau-iia-5) with projection, or " + method.id
                                    + " with ggl or dummy-derivatives"};
    return {};
}

} // namespace driftless::integrate
