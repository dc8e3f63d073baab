// The tables [[body]].
#include <algorithm>

#include "core/mechanism/MechanismContext.h"
#include "core/mechanism/Rotation.h"
#include "core/text/Names.h"

namespace driftless::model {

using expr::Expr;

namespace {

const KeyList kBodyKeys{"name",  "kind",        "mass", "inertia",          "x",    "y",        "z", "angle", "a1", "a2", "a3",
                        "shape", "orientation", "turn", "angular_velocity", "atol", "atol_turn"};

CoordinateStart readStart(const MechanismContext& context, const TomlValue& value, const std::string& where,
                          const std::string& key)
{
    CoordinateStart out;
    if (value.kind != TomlKind::Table) {
        out.position = readExpression(value, context.parameters, where, key);
        return out;
    }
    const TableReader table(value, value.position, where + ", " + key,
                            {"start", "velocity", "fixed", "velocity_fixed", "nominal", "atol", "velocity_atol"});
    if (const TomlValue* start = table.find("start"))
        out.position = readExpression(*start, context.parameters, table.where(), "start");
    if (const TomlValue* velocity = table.find("velocity"))
        out.velocity = readExpression(*velocity, context.parameters, table.where(), "velocity");
    out.positionFixed = table.flag("fixed", false);
    out.velocityFixed = table.flag("velocity_fixed", false);
    out.nominal = table.positiveNumber("nominal").value_or(0);
    out.tolerance = table.positiveNumber("atol").value_or(0);
    out.velocityTolerance = table.positiveNumber("velocity_atol").value_or(0);
    return out;
}

Shape readShape(const MechanismContext& context, const TomlValue& value, const std::string& bodyName)
{
    const std::string where = bodyName + ", shape";
    const bool space = context.space();
    const std::string kind = MechanismContext::readKind(
        value, value.position, where, {"kind", "from", "to", "radius", "width", "height", "size", "axis"},
        space ? KeyList{"bar", "disc", "block", "sphere"} : KeyList{"bar", "disc", "block"});
    Shape out;
    if (kind == "bar") {
        const TableReader table(value, value.position, where, {"kind", "from", "to"});
        out.kind = ShapeKind::Bar;
        const std::size_t n = context.dimensions();
        out.numbers = readExpressions(table.need("from", space ? "write from = [-0.5, 0, 0]" : "write from = [-0.5, 0]"), n,
                                      context.parameters, where, "from");
        const auto end = readExpressions(table.need("to", space ? "write to = [0.5, 0, 0]" : "write to = [0.5, 0]"), n,
                                         context.parameters, where, "to");
        out.numbers.insert(out.numbers.end(), end.begin(), end.end());
    } else if (kind == "disc" || kind == "sphere") {
        const TableReader table(value, value.position, where,
                                space && kind == "disc" ? KeyList{"kind", "radius", "axis"} : KeyList{"kind", "radius"});
        out.kind = kind == "disc" ? ShapeKind::Disc : ShapeKind::Sphere;
        out.numbers = {readExpression(table.need("radius", "write radius = 0.1"), context.parameters, where, "radius").value};
        out.axis = context.readAxis(table, "axis", out.axis);
    } else if (space) {
        const TableReader table(value, value.position, where, {"kind", "size"});
        out.kind = ShapeKind::Block;
        out.numbers = readExpressions(table.need("size", "write size = [0.4, 0.2, 0.1]"), 3, context.parameters, where, "size");
    } else {
        const TableReader table(value, value.position, where, {"kind", "width", "height"});
        out.kind = ShapeKind::Block;
        (void)table.need("width", "write width = 0.2");
        (void)table.need("height", "write height = 0.1");
        const double width = *table.positiveNumber("width"), height = *table.positiveNumber("height");
        out.numbers = {Expr(width), Expr(height)};
        out.aspect = height / width;
    }
    return out;
}

/// Three principal moments, or six: xx, yy, zz, xy, xz, yz.
std::array<PlacedExpr, 6> readTensor(const MechanismContext& context, const TomlValue& value, const std::string& where)
{
    if (value.kind != TomlKind::Array || (value.items.size() != 3 && value.items.size() != 6))
        refuse(value.position, "\"inertia\" must be an array of 3 or 6", where,
               value.kind == TomlKind::Array ? "found " + std::to_string(value.items.size()) + " items"
                                             : "found " + kindInWords(value.kind),
               "write inertia = [Jx, Jy, Jz], or six with the entries xy, xz, yz of the matrix behind them");
    std::array<PlacedExpr, 6> out;
    out.fill({Expr(0), value.position});
    for (std::size_t i = 0; i < value.items.size(); ++i)
        out[i] = readExpression(value.items[i], context.parameters, where, "inertia");
    return out;
}

void readOrientation(const MechanismContext& context, const TableReader& table, Body& body)
{
    const std::string stated = table.text("orientation", "quaternion", 16);
    if (stated == "quaternion")
        body.orientation = Orientation::Quaternion;
    else {
        const bool letters = stated.size() == 3 && stated.find_first_not_of("xyz") == std::string::npos;
        if (!letters || stated[0] == stated[1] || stated[1] == stated[2])
            refuse(table.keyPosition("orientation"), "Unknown orientation \"" + text::shortened(stated) + "\"", table.where(),
                   "known are \"quaternion\" and three axes of successive turns, no two neighbours the same",
                   "write orientation = \"quaternion\" or \"zxz\" or \"xyz\"");
        body.orientation = Orientation::Angles;
        body.axes = stated;
    }
    if (body.orientation == Orientation::Angles) {
        for (const char* key : {"turn", "angular_velocity"})
            if (table.find(key))
                refuse(table.keyPosition(key), "\"" + std::string(key) + "\" belongs to a body with a quaternion",
                       table.where(), "here three angles state the orientation", "write a1, a2, a3 = { start, velocity }");
        return;
    }
    for (const char* key : {"a1", "a2", "a3"})
        if (table.find(key))
            refuse(table.keyPosition(key), "\"" + std::string(key) + "\" belongs to a body with three angles", table.where(),
                   "here a quaternion states the orientation", "write turn = { axis = [0, 0, 1], angle = 0.5 }");
    const std::vector<Turn> turns =
        table.find("turn") ? context.readTurns(*table.find("turn"), table.where()) : std::vector<Turn>{};
    const Quaternion e = quaternionOf(turns);
    Vector w;
    if (const TomlValue* spin = table.find("angular_velocity")) {
        const std::vector<Expr> rates = readExpressions(*spin, 3, context.parameters, table.where(), "angular_velocity");
        w = {rates[0], rates[1], rates[2]};
    }
    const Quaternion rate = quaternionRate(e, w);
    const auto placeOf = [&](const char* key) { return table.find(key) ? table.keyPosition(key) : SourcePosition{}; };
    for (std::size_t k = 0; k < 4; ++k) {
        CoordinateStart& start = body.start[3 + k];
        start.position = PlacedExpr{e[k], placeOf("turn")};
        start.velocity = PlacedExpr{rate[k], placeOf("angular_velocity")};
    }
}

} // namespace

void readBody(MechanismContext& context, const TomlValue& value, int number)
{
    const std::string where = MechanismContext::label(value, "body", number);
    const std::string kind = MechanismContext::readKind(value, value.position, where, kBodyKeys, {"point", "rigid"});
    const bool rigid = kind == "rigid";
    Body body;
    body.space = context.space();
    KeyList keys{"name", "kind", "mass", "x", "y", "atol"};
    if (body.space)
        keys.push_back("z");
    if (rigid) {
        keys.insert(keys.end(), {"inertia", "shape", "atol_turn"});
        if (body.space)
            keys.insert(keys.end(), {"orientation", "turn", "angular_velocity", "a1", "a2", "a3"});
        else
            keys.push_back("angle");
    }
    const TableReader table(value, value.position, where, keys);
    body.name = context.newName(table, "body");
    body.kind = rigid ? BodyKind::Rigid : BodyKind::Point;
    body.position = value.position;
    body.mass = readExpression(table.need("mass", "write mass = 1.0, in kg: a body without mass has no equation of motion"),
                               context.parameters, where, "mass");
    if (rigid) {
        const TomlValue& inertia =
            table.need("inertia", body.space ? "write inertia = [1.0, 1.0, 1.0], in kg m^2, about the centre of mass"
                                             : "write inertia = 1.0, in kg m^2, about the centre of mass");
        if (body.space) {
            body.tensor = readTensor(context, inertia, where);
            readOrientation(context, table, body);
        } else {
            body.inertia = readExpression(inertia, context.parameters, where, "inertia");
            body.orientation = Orientation::Angle;
        }
        if (const TomlValue* shape = table.find("shape"))
            body.shape = readShape(context, *shape, where);
    }
    for (int k = 0; k < body.coordinateCount(); ++k) {
        const std::string full = coordinateName(body, k), key = full.substr(body.name.size() + 1);
        if (key.front() == 'e')
            continue;
        if (const TomlValue* start = table.find(key))
            body.start[static_cast<std::size_t>(k)] = readStart(context, *start, where, key);
    }
    const int lengths = body.space ? 3 : 2;
    for (int k = 0; k < body.coordinateCount(); ++k)
        if (double& tolerance = body.start[static_cast<std::size_t>(k)].tolerance; tolerance == 0)
            tolerance = table.positiveNumber(k < lengths ? "atol" : "atol_turn").value_or(0);
    body.first = context.coordinateCount;
    context.coordinateCount += body.coordinateCount();
    context.bodyIndex.emplace(body.name, static_cast<int>(context.out.bodies.size()));
    context.out.bodies.push_back(std::move(body));
}

} // namespace driftless::model
