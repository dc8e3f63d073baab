#include "core/mechanism/GeneralReader.h"

#include <algorithm>
#include <cmath>

#include "core/text/Names.h"

namespace driftless::model {

namespace {

using expr::Expr;

const KeyList kKeys{"coordinate", "constraint", "potential", "dynamic", "effort", "velocity", "visual"};

const std::vector<TomlValue>& tablesOf(const TomlValue& root, const std::string& key, int most)
{
    const TomlEntry* entry = root.find(key);
    const std::vector<TomlValue>& tables = TableReader::tables(entry ? &entry->value : nullptr, key, "");
    if (tables.size() > static_cast<std::size_t>(most))
        refuse(entry->position, "The model has too many tables [[" + key + "]]", "",
               "at most " + std::to_string(most) + " are read", "");
    return tables;
}

std::string newName(const TableReader& table, const std::string& words, std::unordered_set<std::string>& taken)
{
    std::string name = table.needText("name", "write name = \"...\"");
    const SourcePosition& position = table.find("name")->position;
    checkName(name, position, words);
    if (name == "ground" || name == "t" || name == "time" || name == "pi")
        refuse(position, "\"" + name + "\" cannot name a " + words, "", "it has a meaning of its own", "choose another name");
    if (!taken.insert(name).second)
        refuse(position, "The name \"" + name + "\" is used twice", words + " " + name,
               "bodies, joints, forces and variables are told apart by their names", "choose another name");
    return name;
}

std::string labelled(const TomlValue& table, const std::string& words, std::size_t number)
{
    const TomlEntry* name = table.find("name");
    const bool named = name && name->value.kind == TomlKind::String && !name->value.text.empty();
    return words + " " + (named ? text::shortened(name->value.text) : std::to_string(number));
}

/// bob.x = "..." and "bob.x" = "..." alike; recursion is bounded by the depth of the file's tables.
void flatten(const TomlValue& table, const SourcePosition& position, const std::string& where, const std::string& prefix,
             std::vector<std::pair<std::string, const TomlEntry*>>& out)
{
    if (table.kind != TomlKind::Table)
        refuse(position, "A table is expected", where, "found " + kindInWords(table.kind), "");
    for (const TomlEntry& entry : table.entries) {
        if (entry.value.kind == TomlKind::Table)
            flatten(entry.value, entry.position, where, prefix + entry.key + '.', out);
        else
            out.emplace_back(prefix + entry.key, &entry);
    }
}

/// One expression for every name, none besides.
std::vector<PlacedExpr> readLines(const TomlValue& table, const SourcePosition& position, const std::string& where,
                                  const std::vector<std::string>& names, const Scope& scope)
{
    std::vector<std::pair<std::string, const TomlEntry*>> lines;
    flatten(table, position, where, "", lines);
    for (const auto& [name, entry] : lines)
        if (std::find(names.begin(), names.end(), name) == names.end()) {
            const std::string near = text::nearestName(name, names);
            refuse(entry->position, "There is no \"" + text::shortened(name) + "\"", where,
                   "expected are " + text::firstOf(names), near.empty() ? "remove the line" : "did you mean \"" + near + "\"?");
        }
    std::vector<PlacedExpr> out;
    for (const std::string& name : names) {
        const auto found = std::find_if(lines.begin(), lines.end(), [&](const auto& line) { return line.first == name; });
        if (found == lines.end())
            refuse(position, "There is no line for \"" + name + "\"", where, "every one needs a line",
                   "add " + name + " = \"...\"");
        out.push_back(readExpression(found->second->value, scope, where, name));
    }
    return out;
}

std::vector<std::string> readNames(const TableReader& table, const std::string& key, bool needed)
{
    const TomlValue* value = needed ? &table.need(key, "write " + key + " = [\"u\", \"w\"]") : table.find(key);
    std::vector<std::string> out;
    if (!value)
        return out;
    if (value->kind != TomlKind::Array)
        table.wrongKind(*value, key, "an array of texts");
    for (const TomlValue& item : value->items) {
        if (item.kind != TomlKind::String)
            table.wrongKind(item, key, "an array of texts");
        out.push_back(item.text);
    }
    return out;
}

CoordinateStart readCoordinateStart(const TableReader& table, const Scope& parameters)
{
    CoordinateStart out;
    if (const TomlValue* start = table.find("start"))
        out.position = readExpression(*start, parameters, table.where(), "start");
    if (const TomlValue* velocity = table.find("velocity"))
        out.velocity = readExpression(*velocity, parameters, table.where(), "velocity");
    out.positionFixed = table.flag("fixed", false);
    out.velocityFixed = table.flag("velocity_fixed", false);
    out.nominal = table.positiveNumber("nominal").value_or(0);
    out.tolerance = table.positiveNumber("atol").value_or(0);
    out.velocityTolerance = table.positiveNumber("velocity_atol").value_or(0);
    return out;
}

void readBasis(const TomlEntry& entry, const GeneralScopes& scopes, std::unordered_set<std::string>& taken,
               const std::vector<std::string>& coordinates, const Chart* chart, General& out)
{
    const TableReader table(entry.value, entry.position, "velocity", {"names", "units", "rates", "start", "chart"});
    VelocityBasis basis;
    basis.position = entry.position;
    basis.names = readNames(table, "names", true);
    if (basis.names.size() != coordinates.size())
        refuse(table.keyPosition("names"), "The velocity basis has the wrong size", "velocity",
               std::to_string(basis.names.size()) + " velocities for " + std::to_string(coordinates.size()) + " coordinates",
               "name as many velocities as there are coordinates");
    Scope rates = scopes.position;
    for (const std::string& name : basis.names) {
        checkName(name, table.keyPosition("names"), "velocity");
        if (!taken.insert(name).second || scopes.motion.has(name))
            refuse(table.keyPosition("names"), "The name \"" + name + "\" is used twice", "velocity", "",
                   "choose another name");
        basis.symbols.push_back(*expr::variable(name, 0).symbol());
        rates.add(name, 0, expr::variable(name, 0));
    }
    basis.units = readNames(table, "units", false);
    basis.units.resize(basis.names.size());
    basis.rates = readLines(table.need("rates", "write [velocity.rates] with one line per coordinate"),
                            table.keyPosition("rates"), "velocity, rates", coordinates, rates);
    for (const PlacedExpr& rate : basis.rates)
        for (const expr::Symbol& v : basis.symbols) {
            expr::Substitution still;
            for (const expr::Symbol& other : basis.symbols) {
                still.emplace(other, Expr(0));
                if (expr::dependsOn(expr::derivative(rate.value, v), other))
                    refuse(rate.position, "The rate is not linear in the velocities", "velocity, rates",
                           "Z may depend on positions and t only",
                           "write a sum of velocities times functions of the positions");
            }
            if (!expr::substitute(rate.value, still).isZero())
                refuse(rate.position, "The rate does not vanish with the velocities", "velocity, rates",
                       "q' = Z v has no other terms", "");
        }
    if (const TomlValue* start = table.find("start"))
        basis.start = readLines(*start, table.keyPosition("start"), "velocity, start", basis.names, scopes.parameters);
    else
        basis.start.assign(basis.names.size(), {Expr(0), basis.position});
    if (chart) {
        Scope motion = scopes.parameters;
        motion.add("t", 0, expr::time());
        for (const ChartCoordinate& c : chart->coordinates) {
            motion.add(c.name, 0, expr::symbol(c.s));
            motion.add(c.name, 1, expr::symbol(c.ds));
        }
        const TomlValue& lines =
            table.need("chart", "write [velocity.chart] with one line per velocity over the chart and its rates");
        for (const PlacedExpr& line : readLines(lines, table.keyPosition("chart"), "velocity, chart", basis.names, motion))
            basis.chart.push_back(line.value);
    } else if (const TomlValue* lines = table.find("chart")) {
        refuse(lines->position, "There is no chart", "velocity, chart", "", "add a [chart], or remove the table");
    }
    out.basis = std::move(basis);
}

/// A line drawn through the points that a coordinate passes between two values, whatever it is in the motion: a wire.
void readCurve(const TomlValue& value, std::size_t number, const Scope& position, const std::vector<std::string>& coordinates,
               const Scope& parameters, General& out)
{
    constexpr int kSegments = 40, kMostSegments = 400;
    const TableReader table(value, value.position, labelled(value, "visual", number),
                            {"name", "kind", "points", "along", "from", "to", "segments"});
    const std::string along = table.needText("along", "write along = \"x\", the coordinate that runs through the curve");
    if (std::find(coordinates.begin(), coordinates.end(), along) == coordinates.end())
        refuse(table.find("along")->position, "There is no coordinate \"" + text::shortened(along) + "\"", table.where(),
               "the coordinates are " + text::firstOf(coordinates), "name one of these");
    const Expr from = readExpression(table.need("from", "write from = -1.0"), parameters, table.where(), "from").value;
    const Expr to = readExpression(table.need("to", "write to = 1.0"), parameters, table.where(), "to").value;
    const double segments = table.positiveNumber("segments").value_or(kSegments);
    if (segments != std::floor(segments) || segments > kMostSegments)
        refuse(table.find("segments")->position, "The curve has a wrong number of segments", table.where(), "",
               "write a whole number up to " + std::to_string(kMostSegments));
    const TomlValue& points = table.need("points", "write points = [[\"x\", \"y\"]]");
    if (points.kind != TomlKind::Array || points.items.size() != 1)
        refuse(points.position, "\"points\" needs 1 point", table.where(), "", "write points = [[\"x\", \"y\"]]");
    const bool space = points.items[0].kind == TomlKind::Array && points.items[0].items.size() == 3;
    std::vector<Expr> moving = readExpressions(points.items[0], space ? 3 : 2, position, table.where(), "points");
    moving.resize(3, Expr(0));
    const expr::Symbol q = *expr::variable(along, 0).symbol();
    const int count = static_cast<int>(segments);
    const auto at = [&](int k) {
        const expr::Substitution here{{q, from + expr::rational(k, count) * (to - from)}};
        return VisualPoint{expr::substitute(moving[0], here), expr::substitute(moving[1], here),
                           expr::substitute(moving[2], here)};
    };
    for (int k = 0; k < count; ++k) {
        Visual part;
        part.kind = VisualKind::SliderRail;
        part.owner = table.text("name", "visual " + std::to_string(number));
        part.points = {at(k), at(k + 1)};
        out.visuals.push_back(std::move(part));
    }
}

void readVisual(const TomlValue& value, std::size_t number, const Scope& position, const std::vector<std::string>& coordinates,
                const Scope& parameters, General& out)
{
    static const std::vector<std::pair<std::string, VisualKind>> kinds{
        {"point", VisualKind::PointMass}, {"bar", VisualKind::RigidBar},  {"disc", VisualKind::RigidDisc},
        {"rod", VisualKind::Rod},         {"pin", VisualKind::Pin},       {"support", VisualKind::GroundPin},
        {"rail", VisualKind::SliderRail}, {"slider", VisualKind::Slider}, {"spring", VisualKind::Spring},
        {"damper", VisualKind::Damper}};
    if (const TomlEntry* kind = value.find("kind"); kind && kind->value.kind == TomlKind::String && kind->value.text == "curve")
        return readCurve(value, number, position, coordinates, parameters, out);
    const TableReader table(value, value.position, labelled(value, "visual", number), {"name", "kind", "points", "size"});
    const std::string kind = table.needText("kind", "write kind = \"rod\"");
    const auto known = std::find_if(kinds.begin(), kinds.end(), [&](const auto& k) { return k.first == kind; });
    if (known == kinds.end()) {
        std::vector<std::string> names;
        for (const auto& k : kinds)
            names.push_back(k.first);
        names.emplace_back("curve");
        refuse(table.find("kind")->position, "Unknown kind \"" + text::shortened(kind) + "\"", table.where(),
               "known are " + text::firstOf(names), "");
    }
    Visual visual;
    visual.kind = known->second;
    visual.owner = table.text("name", "visual " + std::to_string(number));
    visual.size = table.positiveNumber("size").value_or(0);
    const TomlValue& points = table.need("points", "write points = [[\"x\", \"y\"]]");
    const bool single =
        visual.kind == VisualKind::PointMass || visual.kind == VisualKind::Pin || visual.kind == VisualKind::GroundPin;
    const std::size_t count = single ? 1 : 2;
    if (points.kind != TomlKind::Array || points.items.size() != count)
        refuse(points.position, "\"points\" needs " + std::to_string(count) + (count == 1 ? " point" : " points"),
               table.where(), "", "");
    for (const TomlValue& point : points.items) {
        const bool space = point.kind == TomlKind::Array && point.items.size() == 3;
        const auto numbers = readExpressions(point, space ? 3 : 2, position, table.where(), "points");
        visual.points.push_back({numbers[0], numbers[1], space ? numbers[2] : Expr(0)});
    }
    out.visuals.push_back(std::move(visual));
}

void readConstraint(const TomlValue& value, std::size_t number, const GeneralScopes& scopes,
                    std::unordered_set<std::string>& taken, const std::vector<std::string>& coordinates, General& out)
{
    const TableReader table(value, value.position, labelled(value, "constraint", number),
                            {"name", "holonomic", "nonholonomic", "bodies"});
    GeneralConstraint c;
    c.name = newName(table, "constraint", taken);
    c.bodies = readNames(table, "bodies", false);
    const TomlValue* g = table.find("holonomic");
    const TomlValue* psi = table.find("nonholonomic");
    if ((g == nullptr) == (psi == nullptr))
        refuse(table.position(), "The constraint needs one equation", table.where(),
               g ? "both kinds are given" : "none is given",
               "write holonomic = \"...\", over positions, or nonholonomic = \"...\", over positions and velocities");
    c.holonomic = g != nullptr;
    c.residual = c.holonomic ? readExpression(*g, scopes.position, table.where(), "holonomic")
                             : readExpression(*psi, scopes.motion, table.where(), "nonholonomic");
    bool depends = false;
    for (const std::string& name : coordinates) {
        const expr::Symbol v = *expr::variable(name, c.holonomic ? 0 : 1).symbol();
        const Expr slope = expr::derivative(c.residual.value, v);
        depends = depends || !slope.isZero();
        for (const std::string& other : coordinates)
            if (!c.holonomic && expr::dependsOn(slope, *expr::variable(other, 1).symbol()))
                refuse(c.residual.position, "The nonholonomic constraint is not linear in the velocities", table.where(),
                       "the direction of its force would not be defined by it",
                       "write it as a sum of velocities times functions of the positions");
    }
    for (const auto* list : {&out.dynamics}) // s and e would make the constraint move with a state of its own
        for (const DynamicVariable& d : *list)
            if (expr::dependsOn(c.residual.value, d.s))
                refuse(c.residual.position, "The constraint depends on the dynamic variable " + d.name, table.where(),
                       "a constraint binds positions and velocities", "use a force, or an effort constraint");
    for (const Effort& e : out.efforts)
        if (expr::dependsOn(c.residual.value, e.e))
            refuse(c.residual.position, "The constraint depends on the effort " + e.name, table.where(),
                   "a constraint binds positions and velocities", "state the effort's equation in [[effort]]");
    if (!depends)
        refuse(c.residual.position, "The constraint binds nothing", table.where(),
               c.holonomic ? "no coordinate occurs in it" : "no velocity occurs in it", "");
    out.constraints.push_back(std::move(c));
}

} // namespace

const KeyList& generalKeys() { return kKeys; }

void readGeneralNames(const TomlValue& root, const ReadLimits& limits, const Scope& parameters,
                      std::unordered_set<std::string>& taken, const std::function<bool(const std::string&)>& isBody,
                      General& out)
{
    for (const TomlValue& value : tablesOf(root, "coordinate", limits.maxBodies)) {
        const TableReader table(value, value.position, labelled(value, "coordinate", out.coordinates.size() + 1),
                                {"name", "body", "unit", "mass", "start", "velocity", "fixed", "velocity_fixed", "nominal",
                                 "atol", "velocity_atol"});
        GeneralCoordinate c;
        c.position = value.position;
        c.body = table.text("body");
        if (c.body.empty()) {
            c.name = newName(table, "coordinate", taken);
        } else {
            if (!isBody(c.body))
                refuse(table.find("body")->position, "There is no body \"" + text::shortened(c.body) + "\"", table.where(), "",
                       "name a body of the model");
            const std::string name = table.needText("name", "write name = \"z\"");
            checkName(name, table.find("name")->position, "coordinate");
            c.name = c.body + '.' + name;
            if (name == "x" || name == "y" || name == "angle" || !taken.insert(c.name).second)
                refuse(table.find("name")->position, "The name \"" + c.name + "\" is used twice", table.where(), "",
                       "choose another name");
        }
        c.unit = table.text("unit", "", 32);
        c.mass = readExpression(table, "mass", parameters, Expr(0));
        c.start = readCoordinateStart(table, parameters);
        out.coordinates.push_back(std::move(c));
    }
    for (const TomlValue& value : tablesOf(root, "dynamic", limits.maxBodies)) {
        const TableReader table(value, value.position, labelled(value, "dynamic variable", out.dynamics.size() + 1),
                                {"name", "unit", "rate", "start", "nominal", "atol"});
        DynamicVariable d;
        d.position = value.position;
        d.name = newName(table, "dynamic variable", taken);
        d.unit = table.text("unit", "", 32);
        d.s = *expr::variable(d.name, 0).symbol();
        d.start = readExpression(table, "start", parameters, Expr(0)).value;
        d.nominal = table.positiveNumber("nominal").value_or(0);
        d.tolerance = table.positiveNumber("atol").value_or(0);
        out.dynamics.push_back(std::move(d));
    }
    for (const TomlValue& value : tablesOf(root, "effort", limits.maxBodies)) {
        const TableReader table(value, value.position, labelled(value, "effort", out.efforts.size() + 1),
                                {"name", "unit", "equation", "start", "nominal", "atol"});
        Effort e;
        e.position = value.position;
        e.name = newName(table, "effort", taken);
        e.unit = table.text("unit", "", 32);
        e.e = *expr::variable(e.name, 0).symbol();
        e.start = readExpression(table, "start", parameters, Expr(0)).value;
        e.nominal = table.positiveNumber("nominal").value_or(0);
        e.tolerance = table.positiveNumber("atol").value_or(0);
        out.efforts.push_back(std::move(e));
    }
}

void readGeneralEquations(const TomlValue& root, const ReadLimits& limits, const GeneralScopes& scopes,
                          std::unordered_set<std::string>& taken, const std::vector<std::string>& coordinates,
                          const Chart* chart, General& out)
{
    std::size_t i = 0;
    for (const TomlValue& value : tablesOf(root, "dynamic", limits.maxBodies)) {
        const TableReader table(value, value.position, "dynamic variable " + out.dynamics[i].name,
                                {"name", "unit", "rate", "start", "nominal", "atol"});
        out.dynamics[i++].rate = readExpression(table.need("rate", "write rate = \"...\", the time derivative"), scopes.motion,
                                                table.where(), "rate")
                                     .value;
    }
    i = 0;
    for (const TomlValue& value : tablesOf(root, "effort", limits.maxBodies)) {
        const TableReader table(value, value.position, "effort " + out.efforts[i].name,
                                {"name", "unit", "equation", "start", "nominal", "atol"});
        Effort& e = out.efforts[i++];
        const PlacedExpr equation = readExpression(table.need("equation", "write equation = \"...\", which vanishes"),
                                                   scopes.motion, table.where(), "equation");
        const bool bound = std::any_of(out.efforts.begin(), out.efforts.end(),
                                       [&](const Effort& other) { return expr::dependsOn(equation.value, other.e); });
        if (!bound)
            refuse(equation.position, "The equation holds no effort", table.where(), "it cannot regulate " + e.name,
                   "write an equation in which " + e.name + " occurs");
        e.equation = equation.value;
    }
    std::size_t number = 0;
    for (const TomlValue& value : tablesOf(root, "constraint", limits.maxJoints))
        readConstraint(value, ++number, scopes, taken, coordinates, out);
    number = 0;
    for (const TomlValue& value : tablesOf(root, "potential", limits.maxJoints)) {
        const TableReader table(value, value.position, labelled(value, "potential", ++number), {"name", "energy"});
        out.potentials.push_back(readExpression(table.need("energy", "write energy = \"...\", in J, over the positions"),
                                                scopes.position, table.where(), "energy"));
        if (expr::dependsOn(out.potentials.back().value, *expr::time().symbol()))
            refuse(out.potentials.back().position, "The potential depends on t", table.where(),
                   "its force would not conserve energy", "state it as a force of kind \"generalized\"");
    }
    if (const TomlEntry* basis = root.find("velocity"))
        readBasis(*basis, scopes, taken, coordinates, chart, out);
    number = 0;
    for (const TomlValue& value : tablesOf(root, "visual", limits.maxJoints))
        readVisual(value, ++number, scopes.position, coordinates, scopes.parameters, out);
}

void readGeneralForce(const TableReader& table, const Scope& motion, const std::vector<std::string>& coordinates, General& out)
{
    GeneralForce force;
    force.coordinate = table.needText("coordinate", "write coordinate = \"bob.x\"");
    if (std::find(coordinates.begin(), coordinates.end(), force.coordinate) == coordinates.end()) {
        const std::string near = text::nearestName(force.coordinate, coordinates);
        refuse(table.find("coordinate")->position, "There is no coordinate \"" + text::shortened(force.coordinate) + "\"",
               table.where(), "the coordinates are " + text::firstOf(coordinates),
               near.empty() ? "" : "did you mean \"" + near + "\"?");
    }
    force.value = readExpression(table.need("value", "write value = \"...\", in N or N m"), motion, table.where(), "value");
    out.forces.push_back(std::move(force));
}

} // namespace driftless::model
