// The units in which a run is integrated: nominal sizes of the model (model/NominalScales.h) for the unknowns of the form, and the
// absolute tolerance of each.
#include <algorithm>
#include <cmath>

#include "core/integrate/Scaled.h"
#include "core/run/RunImpl.h"

namespace driftless::run {

namespace {

/// One place where the tolerance of an unknown may be stated: by this name in the settings, or in the file; times factor.
struct Source {
    std::string name;
    double inFile = 0, factor = 1;
};
using Sources = std::vector<Source>;

/// Of every unknown the places, the nearest first. A coordinate's tolerance is that of its velocity, too, divided by the model's time T, and so on
/// for its acceleration, unless these have their own.
std::map<std::string, Sources> toleranceSources(const model::ConstrainedSystem& system, double T)
{
    std::map<std::string, Sources> out;
    for (const model::Coordinate& c : system.coordinates) {
        const Source q{c.q.text(), c.position.tolerance, 1}, v{c.v.text(), c.velocity.tolerance, 1};
        out[q.name] = {q};
        out[v.name] = {v, {q.name, q.inFile, 1 / T}};
        out[c.a.text()] = {{v.name, v.inFile, 1 / T}, {q.name, q.inFile, 1 / (T * T)}};
    }
    if (system.chart)
        for (const model::ChartCoordinate& c : system.chart->coordinates) {
            out[c.s.text()] = {{c.s.text()}};
            out[c.ds.text()] = {{c.ds.text()}, {c.s.text(), 0, 1 / T}};
        }
    for (const model::Constraint& c : system.constraints)
        out[c.multiplier.text()] = {{c.multiplier.text()}};
    for (const model::DynamicVariable& d : system.dynamics)
        out[d.name] = {{d.name, d.tolerance}};
    for (const model::Effort& e : system.efforts)
        out[e.name] = {{e.name, e.tolerance}};
    Sources chain; // of a value and its derivatives x, x', x''
    for (const model::GeneralValue& x : system.values) {
        if (x.symbol.order == 0)
            chain.clear();
        for (Source& source : chain)
            source.factor /= T;
        chain.insert(chain.begin(), {x.name});
        out[x.name] = chain;
    }
    return out;
}

/// Whether the file states the tolerance of any single quantity.
bool toleratesSingly(const model::ConstrainedSystem& system)
{
    const auto stated = [](const auto& quantity) { return quantity.tolerance > 0; };
    return std::ranges::any_of(system.coordinates, [&](const model::Coordinate& c) { return stated(c.position) || stated(c.velocity); })
        || std::ranges::any_of(system.dynamics, stated) || std::ranges::any_of(system.efforts, stated);
}

double stated(const Sources& sources, const integrate::IntegratorOptions& options)
{
    for (const Source& source : sources) {
        if (const auto own = options.tolerances.find(source.name); own != options.tolerances.end())
            return own->second * source.factor;
        if (source.inFile > 0)
            return source.inFile * source.factor;
    }
    return 0;
}

integrate::Scaling scalingOf(const solve::DaeSystem& dae, const model::ConstrainedSystem& s, const model::NominalScales& scales)
{
    const bool general = !s.values.empty();
    integrate::Scaling out;
    out.time = scales.time;
    out.energy = model::nearestPowerOfTwo(scales.energy);
    out.constraints = scales.rowUnits;
    const auto all = toleranceSources(s, scales.time);
    std::vector<Sources> sources;
    for (int i = 0; i < dae.size(); ++i) {
        const std::string name = dae.unknownName(i);
        const auto named = all.find(name);
        sources.push_back(named == all.end() ? Sources{} : named->second);
        const auto known = scales.byName.find(name);
        out.unknowns.push_back(known == scales.byName.end() ? integrate::Scaling::Size{}
                                                            : integrate::Scaling::Size{known->second.usual, known->second.unit});
    }
    std::vector<char> multipliers;
    for (const solve::UnknownRole& role : dae.roles())
        multipliers.push_back(role.multiplier);
    out.tolerance = [sources, multipliers, general](int unknown, double usual, const integrate::IntegratorOptions& given) {
        const auto i = static_cast<std::size_t>(unknown);
        if (const double own = stated(sources[i], given); own > 0)
            return own;
        if (multipliers[i] && given.multiplierTolerance > 0)
            return given.multiplierTolerance;
        if (given.absoluteTolerance == 0)
            return given.relativeTolerance * usual;
        return general ? given.absoluteTolerance * usual : given.absoluteTolerance;
    };
    return out;
}

} // namespace

integrate::Scaling Run::Impl::scaling(const solve::DaeSystem& dae) const
{
    return scalingOf(dae, system->system(), metrics.scales());
}

std::unique_ptr<integrate::Integrator> Run::Impl::scaled(std::unique_ptr<integrate::Integrator> method, const integrate::IntegratorOptions& options) const
{
    const model::NominalScales scales = metrics.scales();
    const model::ConstrainedSystem& s = system->system();
    const bool nominal = !s.values.empty() && !scales.valueUnits.empty();
    // One absolute tolerance for all unknowns, in the units of the file, is a measure of its own: such a run is integrated as it is written.
    if (!nominal && !toleratesSingly(s) && options.tolerances.empty() && options.absoluteTolerance > 0)
        return method;
    return integrate::makeScaled(std::move(method), [scales, &s](const solve::DaeSystem& dae) { return scalingOf(dae, s, scales); });
}

Result<std::map<std::string, double>> checkTolerances(const model::ConstrainedSystem& system, const std::map<std::string, double>& tolerances)
{
    std::map<std::string, double> out;
    for (const auto& [name, value] : tolerances) {
        const auto target = model::resolveName(system, name);
        if (!target)
            return target.error();
        if (target->kind == model::TargetKind::Parameter)
            return Diagnostic{name + " has no tolerance", {}, "it is a parameter, not an unknown", "a position, a velocity or a multiplier of the model", {}};
        if (!(value > 0) || !std::isfinite(value))
            return Diagnostic{"The absolute tolerance of " + name + " is " + plain(value), {}, {}, "a value above zero, in the unit of " + name, {}};
        out[target->fullName] = value;
    }
    return out;
}

} // namespace driftless::run
