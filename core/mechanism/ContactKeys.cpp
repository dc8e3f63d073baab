#include "core/mechanism/ContactKeys.h"

#include <utility>

namespace driftless::model {

using expr::Expr;

namespace {

std::vector<JointKey> reboundKeys(bool angular)
{
    return {{.name = "restitution",
             .unit = "1",
             .label = "restitution",
             .meaning = "0 to 1: the share of the speed of approach with which they part",
             .fallback = "0"},
            {.name = "rest",
             .unit = angular ? "" : "m/s",
             .label = "rest below",
             .meaning = std::string(angular ? "[m/s], or [rad/s] of an angle: " : "")
                        + "a rebound that is slower is none, and the contact stays closed; 0 takes a ten-thousandth of the "
                          "usual speed there",
             .fallback = "0"}};
}

std::vector<JointKey> rubbingKeys()
{
    return {{.name = "friction",
             .unit = "1",
             .label = "friction",
             .meaning = "coefficient of the friction that follows from the contact's own force, in impacts too; not below zero",
             .fallback = "0"},
            {.name = "sticking",
             .unit = "1",
             .label = "sticking",
             .meaning = "the coefficient up to which it sticks, not below `friction`",
             .fallback = "as friction"}};
}

} // namespace

std::vector<JointKey> andRubbing(std::vector<JointKey> keys)
{
    for (JointKey& key : rubbingKeys())
        keys.push_back(std::move(key));
    return keys;
}

std::vector<JointKey> andRebound(std::vector<JointKey> keys, bool angular)
{
    for (JointKey& key : reboundKeys(angular))
        keys.push_back(std::move(key));
    return keys;
}

Rebound readRebound(const JointTable& table)
{
    return {.restitution = table.placed("restitution", table.context().parameters),
            .rest = table.placed("rest", table.context().parameters)};
}

Rubbing readRubbing(const JointTable& table)
{
    Rubbing out;
    if (!table.states("friction") && !table.states("sticking"))
        return out;
    out.friction = table.placed("friction", table.context().parameters);
    out.sticking = table.states("sticking") ? table.placed("sticking", table.context().parameters) : out.friction;
    out.stated = !out.friction.value.isZero() || !out.sticking.value.isZero();
    return out;
}

void requireRebound(const Rebound& rebound, const Joint& joint, std::vector<Requirement>& out)
{
    const std::string where = "joint " + joint.name;
    const auto require = [&](const Expr& value, const PlacedExpr& stated, const char* sentence) {
        out.push_back({.value = value,
                       .mayBeZero = true,
                       .what = sentence,
                       .sentence = true,
                       .where = where,
                       .why = "an impact gives back no more than it takes",
                       .remedy = "a number from 0 to 1",
                       .position = stated.position.known() ? stated.position : joint.position});
    };
    require(rebound.restitution.value, rebound.restitution, "The restitution is below zero");
    require(Expr(1) - rebound.restitution.value, rebound.restitution, "The restitution is above one");
    out.push_back({.value = rebound.rest.value,
                   .mayBeZero = true,
                   .what = "The speed of rest is below zero",
                   .sentence = true,
                   .where = where,
                   .why = "it is the speed below which a rebound is none",
                   .remedy = "a speed above zero, or leave rest out",
                   .position = rebound.rest.position.known() ? rebound.rest.position : joint.position});
}

void requireRubbing(const Rubbing& rubbing, const Joint& joint, std::vector<Requirement>& out)
{
    if (!rubbing.stated)
        return;
    const auto require = [&](const Expr& value, const PlacedExpr& stated, const char* sentence, const char* why,
                             const char* remedy) {
        out.push_back({.value = value,
                       .mayBeZero = true,
                       .what = sentence,
                       .sentence = true,
                       .where = "joint " + joint.name,
                       .why = why,
                       .remedy = remedy,
                       .position = stated.position.known() ? stated.position : joint.position});
    };
    require(rubbing.friction.value, rubbing.friction, "The coefficient of friction is below zero",
            "friction acts against the motion", "a number that is not below zero");
    require(rubbing.sticking.value - rubbing.friction.value, rubbing.sticking,
            "The coefficient of sticking is smaller than the one of sliding",
            "what has just been let go would stick again at once", "a larger value of sticking");
}

Requirement notNegative(const PlacedExpr& radius, const Joint& joint)
{
    return {.value = radius.value,
            .mayBeZero = true,
            .what = "The radius is below zero",
            .sentence = true,
            .where = "joint " + joint.name,
            .why = "it is that of a disc about the point of `to`",
            .remedy = "a radius that is not below zero",
            .position = radius.position.known() ? radius.position : joint.position};
}

OneSided contactOf(const Rebound& rebound, const Expr& scale, bool angular)
{
    return {.kind = OneSidedKind::Contact,
            .row = {},
            .scale = scale,
            .restitution = rebound.restitution.value,
            .rest = rebound.rest.value,
            .limit = {},
            .sliding = {},
            .load = {},
            .angular = angular};
}

Expr slipAlong(const Assembly& a, const Joint& joint, const Vector& d, const Expr& radius)
{
    const Vector to = a.place(joint.to), from = a.place(joint.from), r = to - from;
    Expr slip = dot(d, model::rateOf(to) - model::rateOf(from));
    if (a.rigid(joint.to.body))
        slip = slip + radius * a.angularVelocity(joint.to.body).z;
    if (a.rigid(joint.from.body))
        slip = slip - a.angularVelocity(joint.from.body).z * (radius + d.y * r.x - d.x * r.y);
    return slip;
}

} // namespace driftless::model
