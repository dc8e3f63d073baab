#include "core/mechanism/StartReader.h"

#include "core/mechanism/JointEntry.h"

namespace driftless::model {

namespace {

const KeyList kStartKeys{"name",     "joint",   "of", "value", "rate", "point", "x", "y", "z", "body", "angular_velocity",
                         "position", "velocity"};

void refuseKeys(const TableReader& table, const KeyList& keys, const std::string& why)
{
    for (const std::string& key : keys)
        if (table.find(key))
            refuse(table.keyPosition(key), "\"" + key + "\" has no meaning here", table.where(), why, "leave it out");
}

std::optional<PlacedExpr> optional(const TableReader& table, const char* key, const Scope& scope)
{
    const TomlValue* value = table.find(key);
    return value ? std::optional(readExpression(*value, scope, table.where(), key)) : std::nullopt;
}

void readJointStart(const MechanismContext& context, const TableReader& table, StatedStart& out)
{
    out.joint = context.findJoint(table);
    const Joint& joint = context.joint(out.joint);
    const JointEntry& entry = *joint.entry;
    const bool point = context.isPoint(joint.from.body) || context.isPoint(joint.to.body);
    const bool turns = entry.turns() && !point;
    out.value = optional(table, "value", context.parameters);
    out.rate = optional(table, "rate", context.parameters);
    if (!out.value && !out.rate)
        refuse(table.position(), "Nothing of the joint is fixed", table.where(), "", "write value = 0.3, or rate = 1.0");
    if ((!turns && !entry.slides()) || (out.rate && entry.freedom == JointFreedom::Both))
        refuse(table.find("joint")->position,
               "The joint \"" + joint.name + "\" has no " + (out.value ? "value" : "rate") + " to fix", table.where(),
               point && entry.turns() ? "it holds a point mass, which does not rotate"
                                      : "it has no single turn or displacement",
               "name another joint, or write a relation: position = \"...\"");
    const std::string of = table.text("of", turns ? "angle" : "displacement", 16);
    if (of != "angle" && of != "displacement")
        refuse(table.keyPosition("of"), "\"of\" is \"angle\" or \"displacement\"", table.where(), "", "write of = \"angle\"");
    out.measure = of == "angle" ? JointMeasure::Angle : JointMeasure::Displacement;
    if (out.measure == JointMeasure::Angle ? !turns : !entry.slides())
        refuse(table.keyPosition("of"), "The joint \"" + joint.name + "\" has no " + of, table.where(), "", "leave \"of\" out");
}

void readPointStart(const MechanismContext& context, const TableReader& table, StatedStart& out)
{
    out.point = context.readAttachment(table, "point");
    if (out.point->body == kGround)
        refuse(table.keyPosition("point"), "A point of the ground does not move", table.where(), "", "name a body");
    static const char* const axes[] = {"x", "y", "z"};
    bool any = false;
    for (std::size_t k = 0; k < context.dimensions(); ++k) {
        out.coordinates[k] = optional(table, axes[k], context.parameters);
        any = any || out.coordinates[k];
    }
    if (!any)
        refuse(table.position(), "Nothing of the point is fixed", table.where(), "", "write x = 0.5, or y");
    if (!context.space())
        refuseKeys(table, {"z"}, "the plane has x and y");
}

void readBodyStart(const MechanismContext& context, const TableReader& table, StatedStart& out)
{
    const TomlValue& body = table.need("body", "write body = \"...\"");
    out.body = context.neededBody(body, table.where(), "body");
    if (out.body == kGround || context.isPoint(out.body))
        refuse(body.position, "The body \"" + body.text + "\" does not turn", table.where(), "", "name a rigid body");
    const TomlValue& rate = table.need("angular_velocity", context.space() ? "write angular_velocity = [0, 0, 1], in rad/s"
                                                                           : "write angular_velocity = 1.0, in rad/s");
    if (context.space()) {
        const auto along = readExpressions(rate, 3, context.parameters, table.where(), "angular_velocity");
        std::copy(along.begin(), along.end(), out.angularVelocity.begin());
    } else
        out.angularVelocity[2] = readExpression(rate, context.parameters, table.where(), "angular_velocity").value;
}

} // namespace

void readStart(MechanismContext& context, const TomlValue& value, int number)
{
    const TableReader table(value, value.position, MechanismContext::label(value, "start", number), kStartKeys);
    StatedStart out;
    out.position = value.position;
    out.name = table.find("name") ? context.newName(table, "start") : "start " + std::to_string(number);
    const int kinds = (table.find("joint") != nullptr) + (table.find("point") != nullptr) + (table.find("body") != nullptr)
                      + (table.find("position") || table.find("velocity"));
    if (kinds != 1)
        refuse(table.position(), kinds == 0 ? "The table fixes nothing" : "The table fixes two kinds of things", table.where(),
               "a table has one of joint, point, body, and position or velocity", "write one table for each");
    const KeyList joint{"of", "value", "rate"}, point{"x", "y", "z"};
    if (!table.find("joint"))
        refuseKeys(table, joint, "it goes with a joint");
    if (!table.find("point"))
        refuseKeys(table, point, "it goes with a point");
    if (!table.find("body"))
        refuseKeys(table, {"angular_velocity"}, "it goes with a body");
    if (table.find("joint"))
        readJointStart(context, table, out);
    else if (table.find("point"))
        readPointStart(context, table, out);
    else if (table.find("body"))
        readBodyStart(context, table, out);
    else {
        out.value = optional(table, "position", context.position);
        out.rate = optional(table, "velocity", context.motion);
    }
    context.out.starts.push_back(std::move(out));
}

} // namespace driftless::model
