#include "core/mechanism/ModelFields.h"

#include <map>

#include "core/mechanism/JointEntry.h"

namespace driftless::model {

namespace {

using Fields = std::vector<FieldInfo>;

void add(Fields& to, Fields more)
{
    to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

FieldInfo value(const char* path, const char* label, const char* unit, bool needed = false)
{
    return {path, label, unit, FieldType::Value, {}, needed};
}

Fields coordinate(const char* name, const char* label, const char* unit)
{
    const std::string n(name), u(unit), l(label);
    return {
        {n + ".start", l, u}, {n + ".velocity", l + " velocity", u + "/s"}, {n + ".fixed", l + " fixed", "", FieldType::Flag}};
}

Fields bodyFields(std::string_view kind, int dimensions)
{
    Fields out{value("mass", "mass", "kg", true)};
    const bool rigid = kind == "rigid";
    if (rigid)
        out.push_back({"inertia",
                       dimensions == 3 ? "moments of inertia" : "inertia",
                       "kg m^2",
                       dimensions == 3 ? FieldType::Values : FieldType::Value,
                       {},
                       true});
    add(out, coordinate("x", "x", "m"));
    add(out, coordinate("y", "y", "m"));
    if (dimensions == 3)
        add(out, coordinate("z", "z", "m"));
    if (rigid && dimensions != 3)
        add(out, coordinate("angle", "angle", "rad"));
    if (rigid && dimensions == 3) {
        for (const char* angle : {"a1", "a2", "a3"})
            out.push_back({std::string(angle) + ".start", angle, "rad"});
        out.push_back({"orientation",
                       "angles about",
                       "",
                       FieldType::Choice,
                       {"xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "zxz", "zyz", "xyx", "xzx", "yxy", "yzy"}});
        out.push_back({"turn", "turns at the start", "", FieldType::Text});
        out.push_back({"angular_velocity", "angular velocity", "rad/s", FieldType::Values});
    }
    if (rigid)
        add(out, {{"shape.kind", "shape", "", FieldType::Choice,
                   dimensions == 3 ? std::vector<std::string>{"bar", "disc", "block", "sphere"}
                                   : std::vector<std::string>{"bar", "disc", "block"}},
                  {"shape.from", "end", "m", FieldType::Values},
                  {"shape.to", "other end", "m", FieldType::Values},
                  value("shape.radius", "radius", "m"),
                  {"shape.axis", "axis", "", FieldType::Values},
                  {"shape.size", "size", "m", FieldType::Values},
                  value("shape.width", "width", "m"),
                  value("shape.height", "height", "m")});
    return out;
}

Fields ends()
{
    return {{"from.body", "from", "", FieldType::BodyName, {}, true},
            {"from.at", "at", "m", FieldType::Values},
            {"to.body", "to", "", FieldType::BodyName, {}, true},
            {"to.at", "at", "m", FieldType::Values}};
}

/// The fields of a key of a joint: an end has two.
void addKey(Fields& out, const JointKey& key)
{
    static const std::map<JointKeyType, FieldType> types{
        {JointKeyType::Expression, FieldType::Value}, {JointKeyType::Surfaces, FieldType::Values},
        {JointKeyType::Flag, FieldType::Flag},        {JointKeyType::Rail, FieldType::Values},
        {JointKeyType::Axis, FieldType::Values},      {JointKeyType::Turns, FieldType::Text},
        {JointKeyType::Path, FieldType::Text},        {JointKeyType::Body, FieldType::BodyName},
        {JointKeyType::Joint, FieldType::JointName},  {JointKeyType::Choice, FieldType::Choice}};
    if (key.type == JointKeyType::End)
        add(out, {{key.name + ".body", key.label, "", FieldType::BodyName, {}, true},
                  {key.name + ".at", "at", key.unit, FieldType::Values}});
    else
        out.push_back({key.name, key.label, key.unit, types.at(key.type), key.choices, key.needed()});
}

Fields jointFields(std::string_view kind, int dimensions)
{
    Fields out;
    if (const JointEntry* entry = jointEntry(kind, dimensions))
        for (const JointKey& key : entry->keys)
            addKey(out, key);
    return out.empty() ? ends() : out;
}

Fields forceFields(std::string_view kind)
{
    if (kind == "gravity")
        return {value("acceleration", "acceleration", "m/s^2", true),
                {"direction", "direction", "", FieldType::Values},
                {"bodies", "bodies", "", FieldType::Text}};
    if (kind == "spring-damper") {
        Fields out = ends();
        add(out, {value("stiffness", "stiffness", "N/m"), value("damping", "damping", "N s/m"),
                  value("length", "length at rest", "m"), value("force", "force over l, rate", "N")});
        return out;
    }
    if (kind == "joint-friction")
        return {{"joint", "joint", "", FieldType::JointName, {}, true},
                value("coefficient", "viscous coefficient", ""),
                value("coulomb", "Coulomb friction", ""),
                value("speed", "of rate", "")};
    if (kind == "torsional-spring")
        return {{"joint", "joint", "", FieldType::JointName, {}, true},
                value("stiffness", "stiffness", "N m/rad"),
                value("damping", "damping", "N m s"),
                value("angle", "angle at rest", "rad")};
    if (kind == "actuator")
        return {{"joint", "joint", "", FieldType::JointName, {}, true}, value("effort", "force or torque", "", true)};
    if (kind == "generalized")
        return {{"coordinate", "coordinate", "", FieldType::Text, {}, true}, value("value", "value", "", true)};
    if (kind == "gravitation")
        return {{"bodies", "bodies", "", FieldType::Text}, value("constant", "constant", "m^3/(kg s^2)")};
    if (kind == "force" || kind == "applied")
        return {{"body", "body", "", FieldType::BodyName, {}, true},
                {"at", "at", "m", FieldType::Values},
                value("x", "force x", "N"),
                value("y", "force y", "N"),
                value("z", "force z", "N"),
                value("torque", "torque", "N m")};
    return {};
}

Fields outputFields(std::string_view kind)
{
    const FieldInfo frame{"frame", "axes of", "", FieldType::BodyName}, unit{"unit", "unit", "", FieldType::Text};
    if (kind == "position" || kind == "velocity" || kind == "acceleration")
        return {{"point.body", "point of", "", FieldType::BodyName, {}, true},
                {"point.at", "at", "m", FieldType::Values},
                frame,
                unit};
    if (kind == "distance") {
        Fields out = ends();
        out.push_back(unit);
        return out;
    }
    if (kind == "angle" || kind == "displacement" || kind == "rate")
        return {{"joint", "joint", "", FieldType::JointName, {}, true}, unit};
    if (kind == "reaction")
        return {{"joint", "joint", "", FieldType::JointName, {}, true}, frame, unit};
    if (kind == "angular-velocity")
        return {{"body", "body", "", FieldType::BodyName, {}, true}, frame, unit};
    if (kind == "kinetic-energy" || kind == "potential-energy")
        return {unit};
    return {value("value", "value", "", true), unit};
}

} // namespace

std::vector<FieldInfo> fieldsOf(std::string_view table, std::string_view kind, int dimensions)
{
    Fields out{{"name", "name", "", FieldType::Name, {}, table != "force" && table != "start"}};
    if (table == "body")
        add(out, bodyFields(kind, dimensions));
    if (table == "joint")
        add(out, jointFields(kind, dimensions));
    if (table == "force")
        add(out, forceFields(kind));
    if (table == "coordinate")
        add(out, {{"body", "body", "", FieldType::BodyName},
                  value("mass", "mass", ""),
                  value("start", "start", ""),
                  value("velocity", "velocity", "")});
    if (table == "constraint")
        add(out, {value("holonomic", "0 =", ""), value("nonholonomic", "0 = (velocities)", "")});
    if (table == "input")
        add(out, {value("value", "value, or over t", ""),
                  {"table", "rows [t, u]", "", FieldType::Text},
                  {"file", "file", "", FieldType::Text},
                  {"column", "column", "", FieldType::Text},
                  {"between", "between rows", "", FieldType::Choice, {"linear", "held", "spline"}},
                  {"unit", "unit", "", FieldType::Text}});
    if (table == "start")
        add(out, {{"joint", "joint", "", FieldType::JointName},
                  value("value", "angle or displacement", ""),
                  value("rate", "rate", ""),
                  value("position", "0 = (positions)", ""),
                  value("velocity", "0 = (velocities)", "")});
    if (table == "output")
        add(out, outputFields(kind));
    if (table == "potential")
        add(out, {value("energy", "energy", "J", true)});
    return out;
}

} // namespace driftless::model
