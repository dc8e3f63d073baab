// Whether the units of what a mechanism's file states as expressions fit: the terms of each among themselves, and the whole to
// the key that it is the value of. Numbers carry no unit and fit everywhere.
#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "core/expr/Units.h"
#include "core/mechanism/Mechanism.h"
#include "core/mechanism/ModelFields.h"
#include "core/text/TomlValue.h"

namespace driftless::model {

namespace {

using expr::Dimension;
using expr::Expr;

constexpr std::size_t kMostWarnings = 50; // a person reads the first few

/// Line and column of a value.
using Place = std::pair<int, int>;
Place placeOf(const SourcePosition& p) { return {p.line, p.column}; }

/// The value at "x.start" of a table; null where there is none. x = "L" is x.start, too.
const TomlValue* valueAt(const TomlValue& table, std::string_view path)
{
    const std::size_t dot = path.find('.');
    const TomlEntry* entry = table.kind == TomlKind::Table ? table.find(path.substr(0, dot)) : nullptr;
    if (!entry || dot == std::string_view::npos)
        return entry ? &entry->value : nullptr;
    if (entry->value.kind != TomlKind::Table)
        return path.substr(dot) == ".start" ? &entry->value : nullptr;
    return valueAt(entry->value, path.substr(dot + 1));
}

/// The units that keys ask for, by the places of their values.
std::map<Place, std::string> unitsAsked(const TomlValue& root, int dimensions)
{
    std::map<Place, std::string> out;
    const auto note = [&out](const TomlValue& value, const std::string& unit) { out.emplace(placeOf(value.position), unit); };
    for (const char* list : {"body", "joint", "force"}) {
        const TomlEntry* entry = root.find(list);
        for (std::size_t i = 0; entry && i < entry->value.items.size(); ++i) {
            const TomlValue& table = entry->value.items[i];
            const TomlEntry* kind = table.find("kind");
            for (const FieldInfo& field : fieldsOf(list, kind ? kind->value.text : "", dimensions)) {
                const bool begins = field.path.ends_with(".start") || field.path.ends_with(".velocity"); // "L", for one radian
                const TomlValue* value = field.unit.empty() || begins ? nullptr : valueAt(table, field.path);
                if (!value)
                    continue;
                note(*value, field.unit);
                for (const TomlValue& item : value->items)
                    note(item, field.unit);
            }
        }
    }
    return out;
}

class MechanismUnits {
public:
    explicit MechanismUnits(const ConstrainedSystem& system)
    {
        for (const Parameter& p : system.parameters)
            note(parameters_, p.quantity.name, p.quantity.unit);
        for (const Coordinate& c : system.coordinates) {
            note(variables_, c.name, c.unit);
            if (c.velocity.name != c.name + "'")
                note(variables_, c.velocity.name, c.velocity.unit);
        }
        for (const DynamicVariable& d : system.dynamics)
            note(variables_, d.name, d.unit);
        for (const Effort& e : system.efforts)
            note(variables_, e.name, e.unit);
        for (std::size_t i = 0; system.chart && i < system.chart->coordinates.size(); ++i)
            note(variables_, system.chart->coordinates[i].name, system.chart->coordinates[i].unit);
    }

    /// unit: that the whole has to have; empty: any.
    std::string conflict(const WrittenExpression& written, const std::string& unit) const
    {
        const auto asked = unit.empty() ? std::nullopt : expr::parseUnit(unit);
        const expr::Symbol whole{.kind = expr::SymbolKind::Parameter, .name = "the value of " + written.key};
        const expr::DimensionOf of = [&](const expr::Symbol& s) -> std::optional<Dimension> {
            if (asked && s == whole)
                return asked;
            return dimensionOf(s);
        };
        return expr::dimensionConflict(asked ? written.value + expr::symbol(whole) : written.value, of);
    }

private:
    using Known = std::unordered_map<std::string, Dimension>;
    static void note(Known& into, const std::string& name, const std::string& unit)
    {
        if (const auto dimension = expr::parseUnit(unit))
            into.emplace(name, *dimension);
    }
    std::optional<Dimension> dimensionOf(const expr::Symbol& s) const
    {
        if (s.kind == expr::SymbolKind::Time)
            return Dimension{0, 0, 1};
        const Known& known = s.kind == expr::SymbolKind::Parameter ? parameters_ : variables_;
        const auto found = known.find(s.name);
        if (found == known.end())
            return std::nullopt;
        Dimension out = found->second;
        out[2] -= s.order; // a derivative per second
        return out;
    }

    Known parameters_, variables_;
};

/// A file that states no unit speaks of numbers alone: then those of coordinates say nothing either.
bool statesUnits(const ConstrainedSystem& system)
{
    const auto has = [](const auto& list, const auto& unitOf) {
        return std::ranges::any_of(list, [&](const auto& one) { return !unitOf(one).empty(); });
    };
    return has(system.parameters, [](const Parameter& p) { return p.quantity.unit; })
           || has(system.dynamics, [](const DynamicVariable& d) { return d.unit; })
           || has(system.efforts, [](const Effort& e) { return e.unit; });
}

/// What a sensor measures; empty where that depends on its joint or expression.
std::string_view unitOf(OutputKind kind)
{
    switch (kind) {
    case OutputKind::Position:
    case OutputKind::Distance:
        return "m";
    case OutputKind::Velocity:
        return "m/s";
    case OutputKind::Acceleration:
        return "m/s2";
    case OutputKind::AngularVelocity:
        return "rad/s";
    case OutputKind::Reaction:
        return "N";
    case OutputKind::KineticEnergy:
    case OutputKind::PotentialEnergy:
        return "J";
    default:
        return {};
    }
}

/// Why the unit that an output states does not fit; empty where it does.
std::string whyUnfit(const StatedOutput& output)
{
    if (output.unit.empty())
        return {};
    const auto stated = expr::parseUnit(output.unit);
    if (!stated)
        return "the unit \"" + output.unit + "\" is not known";
    const std::string_view own = unitOf(output.kind);
    const bool fits = own.empty() || *stated == *expr::parseUnit(own);
    return fits ? std::string() : "it states the unit \"" + output.unit + "\", and what it measures has " + std::string(own);
}

} // namespace

std::vector<Diagnostic> unitWarningsOf(const Mechanism& mechanism, const TomlValue& root, const ConstrainedSystem& system)
{
    std::vector<Diagnostic> out;
    for (const StatedOutput& output : mechanism.outputs)
        if (std::string why = whyUnfit(output); !why.empty() && out.size() < kMostWarnings)
            out.push_back({.what = "The unit of an output does not fit",
                           .where = "output " + output.name,
                           .why = std::move(why),
                           .remedy = "a unit such as m, m/s or N, or none: a sensor has its own",
                           .position = output.position});
    if (mechanism.written.empty() || !statesUnits(system))
        return out;
    const MechanismUnits units(system);
    const auto asked = unitsAsked(root, mechanism.space ? 3 : 2);
    std::set<Place> told;
    for (const WrittenExpression& written : mechanism.written) {
        const auto key = asked.find(placeOf(written.position));
        std::string conflict = units.conflict(written, key == asked.end() ? written.unit : key->second);
        if (conflict.empty() || !told.insert(placeOf(written.position)).second)
            continue;
        out.push_back({.what = "The units do not fit",
                       .where = written.where + ", " + written.key,
                       .why = std::move(conflict),
                       .remedy = "correct the expression or the units of its quantities",
                       .position = written.position});
        if (out.size() >= kMostWarnings)
            break;
    }
    return out;
}

} // namespace driftless::model
