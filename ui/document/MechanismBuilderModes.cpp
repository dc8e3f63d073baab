// What is built by hand of events and drives: strings, walls, ends of a travel, ratchets, clutches, dampers and motors.
#include <cmath>
#include <numbers>

#include "core/text/Escapes.h"
#include "ui/document/EditDraft.h"
#include "ui/document/MechanismBuilder.h"

namespace driftless::ui {

using model::ModelText;
using model::tomlNumber;
using model::tomlPlace;
using text::tomlString;

namespace {

constexpr double kShortest = 1e-6;   ///< [m]
constexpr double kDamping = 1;       ///< [N s/m] of a new damper
constexpr double kRestitution = 0.5; ///< of a new contact: it is seen to bounce
constexpr double kTravel = 0.5;      ///< [m] to either side of where a slider stands
constexpr double kTurn = 0.8;        ///< [rad] to either side of where a pin stands
constexpr double kCapacity = 1;      ///< [N m] of a new clutch
constexpr double kDriveReach = 0.2;  ///< [m] of a driven slider, at 1 rad/s

double angleOf(const EditGeometry& geometry, const EditEnd& end)
{
    const EditBody* body = geometry.body(end.body);
    return body && body->rigid ? body->angle : 0;
}

/// Where the travel of a joint stands at the start [m] or [rad].
double travelOf(const EditGeometry& geometry, const EditLink& joint)
{
    const double base = angleOf(geometry, joint.from);
    if (!joint.isRail())
        return std::remainder(angleOf(geometry, joint.to) - base, 2 * std::numbers::pi);
    const QPointF way = geometry.place(joint.to) - geometry.place(joint.from);
    return way.x() * std::cos(base + joint.angle) + way.y() * std::sin(base + joint.angle);
}

} // namespace

bool MechanismBuilder::addString(const EditEnd& a, const EditEnd& b)
{
    return addBetween({.stem = "string", .table = "joint", .kind = "string", .fields = {}}, a, b);
}

bool MechanismBuilder::addDamper(const EditEnd& a, const EditEnd& b)
{
    return addBetween({.stem = "damper",
                       .table = "force",
                       .kind = "spring-damper",
                       .fields = {{"stiffness", "0"}, {"damping", tomlNumber(kDamping)}}},
                      a, b);
}

bool MechanismBuilder::addWall(const EditEnd& held, QPointF towards)
{
    const EditBody* body = mechanism_.geometry().body(held.body);
    const QPointF way = towards - mechanism_.geometry().place(held);
    if (!mechanism_.editable() || !body || length(way) < kShortest)
        return commit_.refuse("A wall holds a point of a body back",
                              body ? "it would stand where the point is" : "there is no body at this point",
                              "press on a point of a body and pull to where the wall is to stand, across the way");
    const bool disc = body->shape == EditShape::Disc && held.at.isNull();
    const double radius = disc ? body->radius : 0;
    // What is held stays to the left of the wall's direction.
    const int parts = static_cast<int>(std::lround(std::atan2(way.x(), -way.y()) / kRailPart));
    const double angle = parts * kRailPart, gap = way.x() * std::sin(angle) - way.y() * std::cos(angle);
    if (gap < radius)
        return commit_.refuse("The wall would stand within " + body->name,
                              "it is " + tomlPlace(gap) + " m from the centre of a disc of radius " + tomlPlace(radius) + " m",
                              "pull farther");
    ModelText text = commit_.draft();
    const std::string name = text.freshName("wall");
    ModelText::Fields fields{
        {"name", tomlString(name)}, {"kind", "\"wall\""},        {"from", endText({"ground", towards})},
        {"to", endText(held)},      {"angle", railAngle(parts)}, {"restitution", tomlNumber(kRestitution)}};
    if (disc)
        fields.emplace_back("radius", tomlPlace(radius));
    return commit_.commitResult(text.addTable("joint", fields), text, tr("add %1").arg(QString::fromStdString(name)), {name});
}

const EditLink* MechanismBuilder::drivenJoint(const std::string& id, const std::string& what)
{
    const EditLink* joint = mechanism_.editable() ? mechanism_.geometry().link(id) : nullptr;
    const bool turns = joint && joint->isPoint() && (joint->kind == "pin" || joint->kind == "revolute");
    const bool slides = joint && joint->isRail() && (joint->kind == "slider" || joint->kind == "prismatic");
    const EditBody* body = joint ? mechanism_.geometry().body(joint->to.body) : nullptr;
    if ((turns && body && body->rigid) || slides)
        return joint;
    (void)commit_.refuse(what + " belongs to a pin or a slider",
                         turns   ? joint->to.body + " is a point and has no angle"
                         : joint ? joint->place.name + " is a " + joint->kind
                                 : "there is no joint at this point",
                         "click on a pin or a slider between bodies, or one and the ground");
    return nullptr;
}

bool MechanismBuilder::addStop(const std::string& joint)
{
    const EditLink* bounded = drivenJoint(joint, "A stop");
    if (!bounded)
        return false;
    const double at = travelOf(mechanism_.geometry(), *bounded), reach = bounded->isRail() ? kTravel : kTurn;
    ModelText text = commit_.draft();
    const std::string name = text.freshName("stop");
    return commit_.commitResult(text.addTable("joint", {{"name", tomlString(name)},
                                                        {"kind", "\"stop\""},
                                                        {"joint", tomlString(bounded->place.name)},
                                                        {"lower", tomlPlace(at - reach)},
                                                        {"upper", tomlPlace(at + reach)},
                                                        {"restitution", tomlNumber(kRestitution)}}),
                                text, tr("add %1").arg(QString::fromStdString(name)), {name});
}

bool MechanismBuilder::addMotor(const std::string& joint)
{
    const EditLink* driven = drivenJoint(joint, "A motor");
    if (!driven)
        return false;
    const double at = travelOf(mechanism_.geometry(), *driven);
    const std::string motion = driven->isRail() ? tomlNumber(kDriveReach) + "*sin(t)" : "t";
    ModelText text = commit_.draft();
    const std::string name = text.freshName("motor");
    return commit_.commitResult(
        text.addTable("joint", {{"name", tomlString(name)},
                                {"kind", "\"motion\""},
                                {"joint", tomlString(driven->place.name)},
                                {"value", tomlString(std::abs(at) < kShortest ? motion : tomlPlace(at) + " + " + motion)}}),
        text, tr("add %1").arg(QString::fromStdString(name)), {name});
}

bool MechanismBuilder::addRatchet(const std::string& joint)
{
    const EditLink* held = drivenJoint(joint, "A ratchet");
    if (!held)
        return false;
    ModelText text = commit_.draft();
    const std::string name = text.freshName("ratchet");
    return commit_.commitResult(text.addTable("joint", {{"name", tomlString(name)},
                                                        {"kind", "\"ratchet\""},
                                                        {"joint", tomlString(held->place.name)},
                                                        {"direction", "\"forwards\""}}),
                                text, tr("add %1").arg(QString::fromStdString(name)), {name});
}

bool MechanismBuilder::addClutch(const EditEnd& a, const EditEnd& b)
{
    const EditGeometry& geometry = mechanism_.geometry();
    const EditBody *first = geometry.body(a.body), *second = a.body == b.body ? nullptr : geometry.body(b.body);
    if (!first)
        std::swap(first, second);
    const EditBody* still = second && !second->rigid ? second : nullptr;
    if (first && !first->rigid)
        still = first;
    if (!mechanism_.editable() || !first || still)
        return commit_.refuse("A clutch joins what turns",
                              still ? still->name + " is a point and has no angle" : "there is no body at this point",
                              "press on one body and release on another, or click on one to brake it");
    const std::string from = second ? first->name : "ground", to = second ? second->name : first->name;
    for (const EditLink& known : geometry.links)
        if (known.kind == "clutch"
            && ((known.from.body == from && known.to.body == to) || (known.from.body == to && known.to.body == from)))
            return commit_.refuse("There is a clutch between " + from + " and " + to, "it is " + known.place.name,
                                  "change its capacity");
    ModelText text = commit_.draft();
    const std::string name = text.freshName("clutch");
    return commit_.commitResult(text.addTable("joint", {{"name", tomlString(name)},
                                                        {"kind", "\"clutch\""},
                                                        {"from", tomlString(from)},
                                                        {"to", tomlString(to)},
                                                        {"capacity", tomlNumber(kCapacity)}}),
                                text, tr("add %1").arg(QString::fromStdString(name)), {name});
}

} // namespace driftless::ui
