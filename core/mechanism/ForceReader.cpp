// The tables [[force]].
#include <algorithm>
#include <cmath>

#include "core/mechanism/GeneralReader.h"
#include "core/mechanism/JointEntry.h"
#include "core/mechanism/MechanismContext.h"
#include "core/text/Names.h"

namespace driftless::model {

using expr::Expr;

namespace {

const KeyList kForceKeys{"name",        "kind",    "acceleration", "direction", "bodies",     "from",   "to",
                         "stiffness",   "damping", "length",       "force",     "angle",      "effort", "joint",
                         "coefficient", "coulomb", "speed",        "constant",  "body",       "at",     "x",
                         "y",           "z",       "torque",       "frame",     "coordinate", "value"};
const KeyList kForceKinds{"gravity",     "spring-damper",    "joint-friction", "force",
                          "generalized", "torsional-spring", "actuator",       "gravitation"};

/// The bodies listed, or all.
std::vector<int> readBodies(const MechanismContext& context, const TableReader& table, const std::string& words)
{
    std::vector<int> out;
    const TomlValue* bodies = table.find("bodies");
    for (int b = 0; !bodies && b < static_cast<int>(context.out.bodies.size()); ++b)
        out.push_back(b);
    if (!bodies)
        return out;
    if (bodies->kind != TomlKind::Array)
        table.wrongKind(*bodies, "bodies", "an array of names");
    std::unordered_set<int> seen;
    for (const TomlValue& item : bodies->items) {
        out.push_back(context.neededBody(item, table.where(), "bodies"));
        if (out.back() == kGround)
            refuse(item.position, words + " does not move the ground", table.where(), "", "remove \"ground\"");
        if (!seen.insert(out.back()).second)
            refuse(item.position, "The body \"" + item.text + "\" is listed twice", table.where(), "", "remove one");
    }
    return out;
}

void readGravity(const MechanismContext& context, const TableReader& table, Force& force)
{
    force.kind = ForceKind::Gravity;
    const Expr g = readExpression(table.need("acceleration", "write acceleration = 9.81, in m/s^2"), context.parameters,
                                  table.where(), "acceleration")
                       .value;
    (context.space() ? force.z : force.y) = -g;
    if (const auto direction = table.numbers("direction", context.dimensions())) {
        double squares = 0;
        for (const double c : *direction)
            squares += c * c;
        const double length = context.space() ? std::sqrt(squares) : std::hypot((*direction)[0], (*direction)[1]);
        if (!(length > 0) || !std::isfinite(length))
            refuse(table.find("direction")->position, "The direction has no length", table.where(), "",
                   context.space() ? "write direction = [0, 0, -1]" : "write direction = [0, -1]");
        const auto component = [&](double c) {
            if (c == 0)
                return Expr(0);
            if (std::abs(c) == length)
                return c > 0 ? g : -g;
            return Expr(c / length) * g;
        };
        force.x = component((*direction)[0]);
        force.y = component((*direction)[1]);
        if (context.space())
            force.z = component((*direction)[2]);
    }
    force.bodies = readBodies(context, table, "Gravity");
}

void readGravitation(const MechanismContext& context, const TableReader& table, Force& force)
{
    force.kind = ForceKind::Gravitation;
    force.coefficient = readExpression(table.need("constant", "write constant = 6.674e-11, in m^3/(kg s^2)"),
                                       context.parameters, table.where(), "constant")
                            .value;
    force.bodies = readBodies(context, table, "Gravitation");
    constexpr std::size_t kMost = 200; // every pair is a force
    if (force.bodies.size() > kMost)
        refuse(table.position(), "Too many bodies attract each other", table.where(),
               "every pair is a force; at most " + std::to_string(kMost) + " bodies are read", "list fewer in \"bodies\"");
}

void readSpring(const MechanismContext& context, const TableReader& table, Force& force)
{
    force.kind = ForceKind::SpringDamper;
    context.readEnds(table, force.from, force.to);
    if (const TomlValue* tension = table.find("force")) {
        for (const char* key : {"stiffness", "damping", "length"})
            if (table.find(key))
                refuse(table.keyPosition(key), "The force of the spring is stated twice", table.where(),
                       "\"force\" states it as an expression", "keep one of them");
        Scope scope("l (length), rate, parameters, t and pi");
        for (const std::string& name : context.prescribed.known())
            scope.add(name, 0, *context.prescribed.find(name, 0));
        scope.add("l", 0, Force::springLength());
        scope.add("rate", 0, Force::springRate());
        force.tension = readExpression(*tension, scope, table.where(), "force").value;
        return;
    }
    force.stiffness = readExpression(table.need("stiffness", "write stiffness = 10.0, in N/m"), context.parameters,
                                     table.where(), "stiffness")
                          .value;
    force.damping = readExpression(table, "damping", context.parameters, Expr(0)).value;
    force.length = readExpression(table, "length", context.parameters, Expr(0)).value;
}

/// A joint with one rate for a force along it; turning says that it must be a turn.
void readForceJoint(const MechanismContext& context, const TableReader& table, const std::string& words, bool turning,
                    Force& force)
{
    force.joint = context.findJoint(table);
    const Joint& joint = context.joint(force.joint);
    const SourcePosition& position = table.find("joint")->position;
    const JointFreedom freedom = joint.entry->freedom;
    const bool turn = joint.entry->turns();
    const bool slide = freedom == JointFreedom::Displacement || freedom == JointFreedom::Direction;
    const bool ball = freedom == JointFreedom::Ball && force.kind == ForceKind::JointFriction;
    if (freedom == JointFreedom::None)
        refuse(position, "A weld has no " + words, table.where(), "nothing moves in it", "name another joint");
    if (turning ? !turn : !(turn || slide || ball))
        refuse(position, "The joint \"" + joint.name + "\" has no " + words, table.where(),
               turning ? "it needs one turn" : "it needs one turn or one displacement", "name another joint");
    if ((turn || ball) && (context.isPoint(joint.from.body) || context.isPoint(joint.to.body)))
        refuse(position, "The pin \"" + joint.name + "\" holds a point mass", table.where(), "a point mass does not rotate",
               "make the body rigid");
}

void readFriction(const MechanismContext& context, const TableReader& table, Force& force)
{
    force.kind = ForceKind::JointFriction;
    readForceJoint(context, table, "friction", false, force);
    if (!table.find("coulomb"))
        (void)table.need("coefficient", "write coefficient = 0.1");
    force.coefficient = readExpression(table, "coefficient", context.parameters, Expr(0)).value;
    force.coulomb = readExpression(table, "coulomb", context.parameters, Expr(0)).value;
    if (table.find("coulomb") && context.joint(force.joint).entry->freedom == JointFreedom::Ball)
        refuse(table.keyPosition("coulomb"), "A spherical joint has viscous friction only", table.where(), "",
               "write coefficient = 0.1");
    if (table.find("coulomb"))
        force.speed = readExpression(table.need("speed", "write speed = 0.01: below this rate the dry friction fades to zero"),
                                     context.parameters, table.where(), "speed")
                          .value;
    if (force.speed.isZero() && table.find("coulomb"))
        refuse(table.keyPosition("speed"), "The speed is zero", table.where(), "dry friction is smoothed as tanh(rate / speed)",
               "write a value above zero");
}

void readApplied(const MechanismContext& context, const TableReader& table, Force& force)
{
    force.kind = ForceKind::Applied;
    const TomlValue& name = table.need("body", "write body = \"...\"");
    force.to.body = context.neededBody(name, table.where(), "body");
    if (force.to.body == kGround)
        refuse(name.position, "A force on the ground moves nothing", table.where(), "", "name a body");
    if (const TomlValue* at = table.find("at"))
        context.readPoint(*at, table.where(), force.to);
    if (!table.find("x") && !table.find("y") && !table.find("z") && !table.find("torque"))
        refuse(table.position(), "The force has no component", table.where(), "", "write x, y or torque");
    force.x = readExpression(table, "x", context.motion, Expr(0)).value;
    force.y = readExpression(table, "y", context.motion, Expr(0)).value;
    if (context.space())
        force.z = readExpression(table, "z", context.motion, Expr(0)).value;
    const std::string frame = table.text("frame", "ground", 16);
    if (frame != "ground" && frame != "body")
        refuse(table.keyPosition("frame"), "Unknown frame \"" + text::shortened(frame) + "\"", table.where(),
               "known are ground and body", "write frame = \"body\"");
    force.inBody = frame == "body";
    const TomlValue* torque = table.find("torque");
    if (!torque)
        return;
    if (context.isPoint(force.to.body))
        refuse(table.keyPosition("torque"), "A torque needs a rigid body", table.where(), "a point mass does not rotate",
               "make the body rigid, or leave the torque out");
    if (context.space()) {
        const std::vector<Expr> torques = readExpressions(*torque, 3, context.motion, table.where(), "torque");
        std::copy(torques.begin(), torques.end(), force.torques.begin());
    } else
        force.torque = readExpression(*torque, context.motion, table.where(), "torque").value;
}

} // namespace

void readForce(MechanismContext& context, const TomlValue& value, int number)
{
    const std::string where = MechanismContext::label(value, "force", number);
    const std::string kind = MechanismContext::readKind(value, value.position, where, kForceKeys, kForceKinds);
    if (kind == "generalized") {
        const TableReader table(value, value.position, where, {"name", "kind", "coordinate", "value"});
        readGeneralForce(table, context.motion, coordinateNames(context.out), context.out.general);
        return;
    }
    Force force;
    force.position = value.position;
    const auto named = [&](KeyList keys) {
        keys.insert(keys.end(), {"name", "kind"});
        const TableReader table(value, value.position, where, keys);
        force.name = table.find("name") ? context.newName(table, "force") : kind;
        return table;
    };
    if (kind == "gravity")
        readGravity(context, named({"acceleration", "direction", "bodies"}), force);
    else if (kind == "gravitation")
        readGravitation(context, named({"constant", "bodies"}), force);
    else if (kind == "spring-damper")
        readSpring(context, named({"from", "to", "stiffness", "damping", "length", "force"}), force);
    else if (kind == "joint-friction")
        readFriction(context, named({"joint", "coefficient", "coulomb", "speed"}), force);
    else if (kind == "torsional-spring") {
        const TableReader table = named({"joint", "stiffness", "damping", "angle"});
        force.kind = ForceKind::TorsionalSpring;
        readForceJoint(context, table, "torsional spring", true, force);
        force.stiffness =
            readExpression(table.need("stiffness", "write stiffness = 1.0, in N m/rad"), context.parameters, where, "stiffness")
                .value;
        force.damping = readExpression(table, "damping", context.parameters, Expr(0)).value;
        force.length = readExpression(table, "angle", context.parameters, Expr(0)).value;
    } else if (kind == "actuator") {
        const TableReader table = named({"joint", "effort"});
        force.kind = ForceKind::Actuator;
        readForceJoint(context, table, "actuator", false, force);
        force.effort =
            readExpression(table.need("effort", "write effort = \"2*sin(t)\", in N m or N"), context.motion, where, "effort")
                .value;
    } else
        readApplied(context,
                    named(context.space() ? KeyList{"body", "at", "x", "y", "z", "torque", "frame"}
                                          : KeyList{"body", "at", "x", "y", "torque", "frame"}),
                    force);
    context.out.forces.push_back(std::move(force));
}

} // namespace driftless::model
