<<<<<<< HEAD
// The tables [[joint]].
#include <algorithm>
#include <map>

#include "core/model/MechanismContext.h"
#include "core/model/Rotation.h"
#include "core/text/Names.h"
=======
// The tables [[joint]]: name and ends; the entry of the kind reads the rest.
#include "core/model/JointTable.h"
>>>>>>> a47e132 (A kind of joint is one entry)

namespace driftless::model {

PlacedExpr JointTable::placed(std::string_view key, const Scope& scope) const
{
    const JointKey* stated = entry_.key(key);
    if (stated && stated->needed())
        return readExpression(need(key), scope, where(), key);
    return readExpression(table_, key, scope, expr::Expr(0));
}

const TomlValue& JointTable::need(std::string_view key) const
{
    const JointKey* stated = entry_.key(key);
    return table_.need(key, stated ? stated->remedy : std::string());
}

std::array<double, 2> JointTable::rail() const
{
    const auto drawn = table_.numbers("drawn", 2);
    return drawn ? std::array{(*drawn)[0], (*drawn)[1]} : std::array{-1.5, 1.5};
}

std::array<double, 3> JointTable::axis(std::string_view key, const std::array<double, 3>& fallback) const
{
    return context_.readAxis(table_, std::string(key), fallback);
}

void JointTable::needRigid(const Attachment& end, std::string_view key, const std::string& why) const
{
    if (context_.isPoint(end.body))
        refuseAt(key, "\"" + context_.body(end.body).name + "\" is a point mass", why, "make the body rigid");
}

void JointTable::needBothRigid(const Joint& joint, const std::string& why) const
{
    needRigid(joint.from, "from", why);
    needRigid(joint.to, "to", why);
}

namespace {

void readJointEnds(const MechanismContext& context, const TableReader& table, Joint& joint)
{
<<<<<<< HEAD
    static const std::map<std::string, JointKind> plane{{"pin", JointKind::Pin},
                                                        {"revolute", JointKind::Pin},
                                                        {"rod", JointKind::Rod},
                                                        {"slider", JointKind::Slider},
                                                        {"prismatic", JointKind::Slider},
                                                        {"weld", JointKind::Weld},
                                                        {"fixed", JointKind::Weld},
                                                        {"curve", JointKind::Curve},
                                                        {"gear", JointKind::Gear},
                                                        {"belt", JointKind::Gear},
                                                        {"rack", JointKind::Rack},
                                                        {"motion", JointKind::Motion},
                                                        {"knife-edge", JointKind::KnifeEdge},
                                                        {"rolling", JointKind::Rolling}};
    static const std::map<std::string, JointKind> solid{{"spherical", JointKind::Spherical},
                                                        {"revolute", JointKind::Revolute},
                                                        {"universal", JointKind::Universal},
                                                        {"prismatic", JointKind::Prismatic},
                                                        {"cylindrical", JointKind::Cylindrical},
                                                        {"planar", JointKind::Planar},
                                                        {"fixed", JointKind::Fixed},
                                                        {"screw", JointKind::Screw},
                                                        {"rod", JointKind::Rod},
                                                        {"curve", JointKind::Curve},
                                                        {"surface", JointKind::Surface},
                                                        {"motion", JointKind::Motion},
                                                        {"rolling", JointKind::Rolling}};
    return (space ? solid : plane).at(word);
}

KeyList keysOf(JointKind kind, const std::string& word, bool space)
{
    KeyList keys{"name", "kind", "from", "to"};
    const auto add = [&](std::initializer_list<const char*> more) { keys.insert(keys.end(), more.begin(), more.end()); };
    switch (kind) {
    case JointKind::Rod:
        add({"length"});
        break;
    case JointKind::Slider:
        word == "slider" ? add({"angle", "turns", "drawn", "turn"}) : add({"angle", "drawn", "turn"});
        break;
    case JointKind::Weld:
        add({"turn"});
        break;
    case JointKind::Curve:
        add({"curve", "path"});
        break;
    case JointKind::Surface:
        add({"surface"});
        break;
    case JointKind::Gear:
        add({"ratio", "phase", "carrier"});
        break;
    case JointKind::Rack:
        add({"radius", "angle", "phase"});
        break;
    case JointKind::Motion:
        return {"name", "kind", "joint", "value", "of"};
    case JointKind::KnifeEdge:
        return {"name", "kind", "to", "angle"};
    case JointKind::Rolling:
        space ? add({"radius", "normal", "axis", "drawn"}) : add({"radius", "angle", "drawn"});
        break;
    case JointKind::Revolute:
    case JointKind::Planar:
        add({"axis", "axis_to", "turn"});
        break;
    case JointKind::Universal:
        add({"axis", "axis_to"});
        break;
    case JointKind::Cylindrical:
        add({"axis", "axis_to", "turn", "drawn"});
        break;
    case JointKind::Prismatic:
        add({"axis", "turn", "drawn"});
        break;
    case JointKind::Screw:
        add({"axis", "axis_to", "turn", "drawn", "lead"});
        break;
    case JointKind::Fixed:
        add({"turn"});
        break;
    case JointKind::Pin:
    case JointKind::Spherical:
        break;
    }
    return keys;
}

void needRigid(const MechanismContext& context, const TableReader& table, const Attachment& end, const std::string& key,
               const std::string& why)
{
    if (context.isPoint(end.body))
        refuse(table.keyPosition(key), "\"" + context.body(end.body).name + "\" is a point mass", table.where(), why,
               "make the body rigid");
}

void readSurfaces(const MechanismContext& context, const TableReader& table, const std::string& key, Joint& joint)
{
    Scope scope("x, y" + std::string(context.space() ? ", z" : "") + " in the frame of \"from\", parameters, t and pi");
    for (const std::string& name : context.prescribed.known())
        scope.add(name, 0, *context.prescribed.find(name, 0));
    const char* const names[] = {"x", "y", "z"};
    for (std::size_t k = 0; k < context.dimensions(); ++k)
        scope.add(names[k], 0, Joint::local()[k]);
    const TomlValue& value = table.need(key, "write " + key + " = \"y - x^2\", an expression that is zero on it");
    const std::size_t rows = key == "curve" && context.space() ? 2 : 1;
    if (rows == 2)
        joint.surfaces = readExpressions(value, rows, scope, table.where(), key);
    else
        joint.surfaces = {readExpression(value, scope, table.where(), key).value};
    for (const Expr& F : joint.surfaces) {
        bool bound = false;
        for (std::size_t k = 0; k < context.dimensions(); ++k)
            bound = bound || expr::dependsOn(F, *Joint::local()[k].symbol());
        if (!bound)
            refuse(value.position, "The expression does not mention a coordinate", table.where(),
                   "it is zero everywhere or nowhere", context.space() ? "use x, y or z" : "use x or y");
    }
}

/// path = { x = "s", y = "s^2", from = -1, to = 1 }: how the curve is drawn, over a number s.
void readPath(const MechanismContext& context, const TableReader& owner, Joint& joint)
{
    const TomlValue* value = owner.find("path");
    if (!value)
        return;
    constexpr int kPieces = 64;
    const TableReader table(*value, value->position, owner.where() + ", path",
                            context.space() ? KeyList{"x", "y", "z", "from", "to"} : KeyList{"x", "y", "from", "to"});
    Scope scope("s, parameters and pi");
    for (const std::string& name : context.parameters.known())
        scope.add(name, 0, *context.parameters.find(name, 0));
    const Expr s = expr::parameter("|s|");
    scope.add("s", 0, s);
    std::array<Expr, 3> path;
    const char* const names[] = {"x", "y", "z"};
    for (std::size_t k = 0; k < context.dimensions(); ++k)
        path[k] = readExpression(table.need(names[k], "write " + std::string(names[k]) + " = \"...\" over s"), scope,
                                 table.where(), names[k])
                      .value;
    (void)table.need("from", "write from = -1");
    (void)table.need("to", "write to = 1");
    const double from = *table.number("from"), to = *table.number("to");
    for (int i = 0; i <= kPieces; ++i) {
        const expr::Substitution at{{*s.symbol(), Expr(from + (to - from) * i / kPieces)}};
        joint.path.push_back({expr::substitute(path[0], at), expr::substitute(path[1], at), expr::substitute(path[2], at)});
    }
}

void readMotion(const MechanismContext& context, const TableReader& table, Joint& joint)
{
    joint.driven = context.findJoint(table);
    const Joint& driven = context.joint(joint.driven);
    joint.from = driven.from;
    joint.to = driven.to;
    const bool turns = driven.kind == JointKind::Pin || driven.kind == JointKind::Revolute;
    const bool slides = driven.kind == JointKind::Slider || driven.kind == JointKind::Prismatic;
    if (!turns && !slides && driven.kind != JointKind::Cylindrical)
        refuse(table.keyPosition("joint"), "The joint \"" + driven.name + "\" cannot be driven", table.where(),
               driven.kind == JointKind::Rod ? "a rod that changes its length states it itself"
                                             : "a motion needs one turn or one displacement",
               driven.kind == JointKind::Rod ? "write length = \"...\" over t in the rod"
                                             : "name a pin, a slider, a revolute, prismatic or cylindrical joint");
    if (turns && (context.isPoint(driven.from.body) || context.isPoint(driven.to.body)))
        refuse(table.keyPosition("joint"), "The joint \"" + driven.name + "\" holds a point mass", table.where(),
               "a point mass does not rotate", "make the body rigid");
    const std::string of = table.text("of", turns ? "angle" : "displacement", 16);
    if (driven.kind == JointKind::Cylindrical && !table.find("of"))
        refuse(table.position(), "The motion of a cylindrical joint has two kinds", table.where(), "",
               "write of = \"angle\" or of = \"displacement\"");
    if ((of != "angle" && of != "displacement") || (turns && of != "angle") || (slides && of != "displacement"))
        refuse(table.keyPosition("of"), "The joint \"" + driven.name + "\" has no \"" + text::shortened(of) + "\"",
               table.where(), "",
               turns    ? "write of = \"angle\""
               : slides ? "write of = \"displacement\""
                        : "write of = \"angle\" or of = \"displacement\"");
    joint.displacement = of == "displacement";
    joint.value =
        readExpression(table.need("value", "write value = \"2*t\""), context.prescribed, table.where(), "value").value;
}

void readSpaceParts(const MechanismContext& context, const TableReader& table, Joint& joint)
{
    joint.axis = context.readAxis(table, "axis", {0, 0, 1});
    // Two axes that are the same in the frames of both bodies, but for a universal joint, whose axes are perpendicular.
    joint.axisTo =
        context.readAxis(table, "axis_to", joint.kind == JointKind::Universal ? normalsOf(joint.axis)[0] : joint.axis);
    if (const TomlValue* turn = table.find("turn"))
        joint.turnTo = context.readTurns(*turn, table.where());
    if (!joint.turnTo.empty() && table.find("axis_to"))
        refuse(table.keyPosition("axis_to"), "The frame of \"to\" is stated twice", table.where(), "\"turn\" states it too",
               "keep one of them");
    const bool orients =
        joint.kind != JointKind::Spherical && joint.kind != JointKind::Prismatic && joint.kind != JointKind::Fixed;
    if (orients)
        for (const char* key : {"from", "to"})
            needRigid(context, table, std::string(key) == "from" ? joint.from : joint.to, key,
                      "the joint holds directions, which a point mass has not");
}

void readRolling(const MechanismContext& context, const TableReader& table, Joint& joint)
{
    needRigid(context, table, joint.to, "to", "a point mass does not roll");
    if (joint.to.body == kGround)
        refuse(table.keyPosition("to"), "The ground does not roll", table.where(), "", "name the body that rolls in \"to\"");
    if (joint.from.body != kGround)
        refuse(table.keyPosition("from"), "The body rolls on the ground only", table.where(), "", "write from = \"ground\"");
    if (!(joint.to.u.isZero() && joint.to.v.isZero() && joint.to.w.isZero()))
        refuse(table.keyPosition("to"), "A body rolls about its centre of mass", table.where(), "\"to\" names another point",
               "leave \"at\" out");
    joint.radius =
        readExpression(table.need("radius", "write radius = 0.1"), context.parameters, table.where(), "radius").value;
    if (!context.space())
        return;
    joint.disc = table.find("axis") != nullptr;
    joint.axisTo = context.readAxis(table, "axis", {0, 0, 1});
    joint.axis = context.readAxis(table, "normal", {0, 0, 1});
=======
    if (joint.entry->key("from"))
        context.readEnds(table, joint.from, joint.to);
    else if (joint.entry->key("to"))
        joint.to = context.readAttachment(table, "to");
>>>>>>> a47e132 (A kind of joint is one entry)
}

} // namespace

void readJoint(MechanismContext& context, const TomlValue& value, int number)
{
    const int dimensions = context.space() ? 3 : 2;
    const std::string where = MechanismContext::label(value, "joint", number);
    const std::string word = MechanismContext::readKind(value, value.position, where, jointKeys(), jointWords(dimensions));
    Joint joint;
    joint.entry = jointEntry(word, dimensions);
    KeyList keys{"name", "kind"};
    for (const JointKey& key : joint.entry->keys)
        keys.push_back(key.name);
    const TableReader table(value, value.position, where, keys);
    joint.name = context.newName(table, "joint");
    joint.position = value.position;
    readJointEnds(context, table, joint);
    joint.form = joint.entry->read(JointTable(context, table, *joint.entry), joint);
    context.jointIndex.emplace(joint.name, static_cast<int>(context.out.joints.size()));
    context.out.joints.push_back(std::move(joint));
}

} // namespace driftless::model
