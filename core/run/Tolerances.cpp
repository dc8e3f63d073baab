#include "core/run/Tolerances.h"

#include <limits>

namespace driftless::run {

std::map<std::string, ToleranceSources> toleranceSources(const model::ConstrainedSystem& system, double T)
{
    std::map<std::string, ToleranceSources> out;
    for (const model::Coordinate& c : system.coordinates) {
        const ToleranceSource q{c.q.text(), c.position.tolerance, 1}, v{c.v.text(), c.velocity.tolerance, 1};
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
    ToleranceSources chain; // of a value and its derivatives x, x', x''
    for (const model::GeneralValue& x : system.values) {
        if (x.symbol.order == 0)
            chain.clear();
        for (ToleranceSource& source : chain)
            source.factor /= T;
        chain.insert(chain.begin(), {x.name});
        out[x.name] = chain;
    }
    return out;
}

AppliedTolerance appliedTolerance(const ToleranceSources& sources, const ToleratedUnknown& unknown,
                                  const integrate::IntegratorOptions& options)
{
    for (const ToleranceSource& source : sources) {
        if (const auto own = options.tolerances.find(source.name); own != options.tolerances.end())
            return {own->second * source.factor, ToleranceFrom::Run, &source};
        if (source.inFile > 0)
            return {source.inFile * source.factor, ToleranceFrom::File, &source};
    }
    if (unknown.multiplier && options.multiplierTolerance > 0)
        return {options.multiplierTolerance, ToleranceFrom::Multipliers};
    if (options.absoluteTolerance == 0)
        return {options.relativeTolerance * unknown.usual, ToleranceFrom::Nominal};
    return {options.absoluteTolerance * (unknown.general ? unknown.usual : 1), ToleranceFrom::AllAlike};
}

std::vector<double> placeTolerances(const model::ConstrainedSystem& system, const model::NominalScales& scales,
                                    const integrate::IntegratorOptions& options)
{
    std::vector<double> out;
    for (const model::Coordinate& c : system.coordinates) {
        const ToleranceSources sources{{c.q.text(), c.position.tolerance, 1}};
        const auto size = scales.byName.find(sources[0].name);
        const double usual = size == scales.byName.end() ? 0 : size->second.usual;
        out.push_back(appliedTolerance(sources, {.usual = usual}, options).value);
    }
    return out;
}

std::vector<QuantityTolerance> quantityTolerances(const model::ConstrainedSystem& system, const model::NominalScales& scales,
                                                  const integrate::IntegratorOptions& options)
{
    const auto all = toleranceSources(system, scales.time);
    std::vector<QuantityTolerance> out;
    const auto add = [&](const std::string& name, const std::string& unit, bool multiplier) {
        const auto size = scales.byName.find(name);
        const double usual = size == scales.byName.end() ? std::numeric_limits<double>::quiet_NaN() : size->second.usual;
        const AppliedTolerance applied = appliedTolerance(
            all.at(name), {.multiplier = multiplier, .general = !system.values.empty(), .usual = usual}, options);
        out.push_back({.name = name,
                       .unit = unit,
                       .value = applied.value,
                       .from = applied.from,
                       .source = applied.source ? applied.source->name : ""});
    };
    for (const model::Coordinate& c : system.coordinates)
        add(c.q.text(), c.unit, false);
    for (const model::Coordinate& c : system.coordinates)
        add(c.v.text(), c.velocity.unit, false);
    if (system.chart)
        for (const model::ChartCoordinate& c : system.chart->coordinates) {
            add(c.s.text(), c.unit, false);
            add(c.ds.text(), model::rateUnit(c.unit), false);
        }
    for (const model::Constraint& c : system.constraints)
        add(c.multiplier.text(), {}, true);
    for (const model::DynamicVariable& d : system.dynamics)
        add(d.name, d.unit, false);
    for (const model::Effort& e : system.efforts)
        add(e.name, e.unit, false);
    for (const model::GeneralValue& x : system.values)
        add(x.name, x.unit, false);
    return out;
}

} // namespace driftless::run
