#include "core/run/RunScales.h"

#include <algorithm>
#include <cmath>

#include "core/base/SettingRange.h"
#include "core/integrate/Messages.h"
#include "core/run/Plain.h"
#include "core/run/Settings.h"
#include "core/run/Tolerances.h"

namespace driftless::run {

namespace {

/// Whether the file states the tolerance of any single quantity.
bool toleratesSingly(const model::ConstrainedSystem& system)
{
    const auto stated = [](const auto& quantity) { return quantity.tolerance > 0; };
    return std::ranges::any_of(system.coordinates,
                               [&](const model::Coordinate& c) { return stated(c.position) || stated(c.velocity); })
           || std::ranges::any_of(system.dynamics, stated) || std::ranges::any_of(system.efforts, stated);
}

} // namespace

integrate::Scaling scalingOf(const solve::DaeSystem& dae, const model::ConstrainedSystem& s, const model::NominalScales& scales)
{
    const bool general = !s.values.empty();
    integrate::Scaling out;
    out.time = scales.time;
    out.energy = model::nearestPowerOfTwo(scales.energy);
    out.constraints = scales.rowUnits;
    const auto all = toleranceSources(s, scales.time);
    std::vector<ToleranceSources> sources;
    for (int i = 0; i < dae.size(); ++i) {
        const std::string name = dae.unknownName(i);
        const auto named = all.find(name);
        sources.push_back(named == all.end() ? ToleranceSources{} : named->second);
        const auto known = scales.byName.find(name);
        out.unknowns.push_back(known == scales.byName.end()
                                   ? integrate::Scaling::Size{}
                                   : integrate::Scaling::Size{known->second.usual, known->second.unit});
    }
    std::vector<char> multipliers;
    for (const solve::UnknownRole& role : dae.roles())
        multipliers.push_back(role.multiplier);
    out.tolerance = [sources, multipliers, general](int unknown, double usual, const integrate::IntegratorOptions& given) {
        const auto i = static_cast<std::size_t>(unknown);
        return appliedTolerance(sources[i], {.multiplier = multipliers[i] != 0, .general = general, .usual = usual}, given)
            .value;
    };
    return out;
}

bool countsInSizes(const integrate::IntegratorOptions& options, const model::ConstrainedSystem& system,
                   const model::NominalScales& scales)
{
    const bool nominal = !system.values.empty() && !scales.valueUnits.empty();
    return nominal || toleratesSingly(system) || !options.tolerances.empty() || !(options.absoluteTolerance > 0);
}

std::unique_ptr<integrate::Integrator> scaled(std::unique_ptr<integrate::Integrator> method,
                                              const integrate::IntegratorOptions& options,
                                              const model::ConstrainedSystem& system,
                                              std::shared_ptr<const model::NominalScales> scales)
{
    if (!countsInSizes(options, system, *scales))
        return method;
    return integrate::makeScaled(std::move(method),
                                 [scales, &system](const solve::DaeSystem& dae) { return scalingOf(dae, system, *scales); });
}

Result<void> checkMethod(const integrate::IntegratorInfo& method, integrate::IntegratorOptions options,
                         const model::ConstrainedSystem& system, const model::NominalScales& scales)
{
    if (countsInSizes(options, system, scales) && options.absoluteTolerance == 0) // that of nominal sizes
        options.absoluteTolerance = options.relativeTolerance;
    return integrate::checkFor(method, options);
}

Result<std::map<std::string, double>> checkTolerances(const model::ConstrainedSystem& system,
                                                      const std::map<std::string, double>& tolerances)
{
    std::map<std::string, double> out;
    for (const auto& [name, value] : tolerances) {
        const auto target = model::resolveName(system, name);
        if (!target) {
            model::ConstrainedSystem unknowns = system; // only they have tolerances, only they are named
            unknowns.parameters.clear();
            return model::resolveName(unknowns, name).error();
        }
        if (target->kind == model::TargetKind::Parameter)
            return Diagnostic{name + " has no tolerance",
                              {},
                              "it is a parameter, not an unknown",
                              "a position, a velocity or a multiplier of the model",
                              {}};
        if (!isSetting(value))
            return Diagnostic{"The absolute tolerance of " + name + " is " + plain(value),
                              {},
                              {},
                              "a value above zero, in the unit of " + name + " (from 1e-100 to 1e100)",
                              {}};
        out[target->fullName] = value;
    }
    return out;
}

} // namespace driftless::run
