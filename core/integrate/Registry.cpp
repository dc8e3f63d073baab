#include <algorithm>
#include <array>
#include <numeric>

#include "core/integrate/Leaves.h"

namespace driftless::integrate {
namespace {

using Maker = std::unique_ptr<Integrator> (*)(const IntegratorInfo&);
constexpr std::array<Maker, 12> kMakers{makeClassicalFour, makeDormandPrince, makeImplicitTrapezoidal, makeRadauIIA5,
                                        makeRadau,         makeBdf,           makeBdf,                 makeBdf,
                                        makeBdf,           makeBdf,           makeBdf,                 makeIda};

constexpr const char* kBdfSource = "[PP92] (3.7); Gear 1971; Brenan, Campbell, Petzold 1989";

/// Edit distance, for the nearest known name.
std::size_t distance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t above = row[j + 1];
            row[j + 1] = std::min({above + 1, row[j] + 1, diagonal + (a[i] == b[j] ? 0u : 1u)});
            diagonal = above;
        }
    }
    return row.back();
}

} // namespace

std::span<const IntegratorInfo> integratorCatalogue()
{
    static const std::array<IntegratorInfo, 12> catalogue{
        IntegratorInfo{"rk4", "Classical Runge-Kutta, order 4", "[DN] (1.33)", 4, false, false, false, 1, true,
                       "Explicit with a fixed step; shows the drift of a formulation without damping it."},
        IntegratorInfo{"dormand-prince", "Dormand-Prince 5(4)", "Dormand and Prince 1980", 5, true, false, false, 1, true,
                       "Explicit, chooses its step from an embedded error estimate."},
        IntegratorInfo{"implicit-trapezoidal", "Implicit trapezoidal rule", "[DN] (1.40); [St02] section 6", 2, false, true,
                       false, 3, true,
                       "Implicit with a fixed step and no damping; hidden constraints of higher-index forms oscillate."},
        IntegratorInfo{"radau-iia-5", "Radau IIA, order 5", "[DN] (1.48)", 5, false, true, false, 3, true,
                       "Implicit, stiffly accurate, fixed step; carries every formulation up to index 3."},
        IntegratorInfo{"radau", "Radau IIA, order 5, adaptive", "[DN] (1.48); Hairer and Wanner 1996, IV.8", 5, true, true, false, 3, true,
                       "Implicit, stiffly accurate, chooses its step; errors are weighed by the index of each unknown."},
        IntegratorInfo{"bdf1", "Backward differentiation, order 1", kBdfSource, 1, false, true, true, 3, true,
                       "Implicit Euler: the most damping and the largest errors; swings die out."},
        IntegratorInfo{"bdf2", "Backward differentiation, order 2", kBdfSource, 2, false, true, true, 3, true,
                       "Implicit multistep with a fixed step; A-stable, damps mildly."},
        IntegratorInfo{"bdf3", "Backward differentiation, order 3", kBdfSource, 3, false, true, true, 3, true,
                       "Implicit multistep with a fixed step; stable but for hardly damped oscillations."},
        IntegratorInfo{"bdf4", "Backward differentiation, order 4", kBdfSource, 4, false, true, true, 3, true,
                       "Implicit multistep with a fixed step; amplifies fast oscillations that are damped little."},
        IntegratorInfo{"bdf5", "Backward differentiation, order 5", kBdfSource, 5, false, true, true, 3, true,
                       "Implicit multistep with a fixed step; needs small steps where something oscillates."},
        IntegratorInfo{"bdf6", "Backward differentiation, order 6", kBdfSource, 6, false, true, true, 3, true,
                       "Implicit multistep of the highest stable order; unstable for most fast oscillations."},
        IntegratorInfo{"ida", "IDA: BDF of variable order and step", "SUNDIALS IDA", 0, true, true, true, 3, true,
                       "Implicit multistep method of orders 1 to 5, the descendant of DASSL."}};
    return catalogue;
}

const IntegratorInfo* findIntegrator(std::string_view id)
{
    for (const auto& info : integratorCatalogue())
        if (info.id == id)
            return &info;
    return nullptr;
}

Result<std::unique_ptr<Integrator>> makeIntegrator(std::string_view id)
{
    const auto catalogue = integratorCatalogue();
    for (std::size_t i = 0; i < catalogue.size(); ++i)
        if (catalogue[i].id == id)
            return kMakers[i](catalogue[i]);
    const std::string shown(id.substr(0, 64));
    const auto nearest = std::min_element(catalogue.begin(), catalogue.end(), [&](const auto& a, const auto& b) {
        return distance(shown, a.id) < distance(shown, b.id);
    });
    std::string all;
    for (const auto& info : catalogue)
        all += (all.empty() ? "" : ", ") + info.id;
    return Diagnostic{"there is no integrator '" + shown + "'", "", "known are " + all, nearest->id, {}};
}

Result<void> canCarry(const IntegratorInfo& method, int index, bool hasProjection, bool semiExplicit)
{
    if (!semiExplicit && !method.implicitMethod)
        return Diagnostic{method.id + " is an explicit method and cannot integrate this form", "",
                          "the form ties its differential unknowns by algebraic equations, so that one instant does not determine "
                          "the rates of each of them",
                          "radau-iia-5, implicit-trapezoidal or ida on this form, or " + method.id + " on dummy-derivatives", {}};
    if (index > method.maxIndex)
        return Diagnostic{method.id + " cannot integrate a form of index " + std::to_string(index), "",
                          method.implicitMethod
                              ? "its order breaks down above index " + std::to_string(method.maxIndex)
                              : "an explicit method needs the rates and the multipliers from the equations at one instant, "
                                "which determine them up to index 1 only; here constraints would have to be differentiated "
                                    + std::string(index == 2 ? "once more" : "twice more"),
                          "radau-iia-5, implicit-trapezoidal or ida on this form, or " + method.id
                              + " on index-1, baumgarte, projection, dummy-derivatives or state-space", {}};
    if (hasProjection && method.multistep)
        return Diagnostic{method.id + " cannot be combined with a projection after each step", "",
                          "a multistep method continues the polynomial through past steps, which a projection would break",
                          "a one-step method (rk4, dormand-prince, radau-iia-5) with projection, or " + method.id
                              + " with ggl or dummy-derivatives", {}};
    return {};
}

} // namespace driftless::integrate
