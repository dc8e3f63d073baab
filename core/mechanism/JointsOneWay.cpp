// Joints that hold a velocity for a part of the time (system/Modes.h):
//
//   dry-friction   x' - speed = 0 while its force stays below `sticking`; else the force `sliding` against x' - speed
//   clutch         w = 0, w the angular velocity of `to` against `from`, while |M| <= (1 + reserve) capacity; else the moment
//                  capacity against w
//   ratchet        x' >= 0, or x' <= 0, x the place or angle of another joint
#include "core/mechanism/Assembly.h"
#include "core/mechanism/JointTable.h"
#include "core/mechanism/Joints.h"
#include "core/text/Names.h"

namespace driftless::model {

using expr::Expr;

namespace {

class DryFrictionForm final : public JointForm {
public:
    struct Stated {
        int joint = 0;
        PlacedExpr sticking, sliding; ///< [N] or [N m], over p
        Expr speed;                   ///< over t, p
    };
    explicit DryFrictionForm(Stated stated) : stated_(std::move(stated)) {}

private:
    JointRows countRows(const Mechanism&, const Joint&) const override { return {.oneSided = 1}; }
    void addRows(Assembly& a, const Joint& joint) const override
    {
        const Joint& rubbed = a.joint(stated_.joint);
        OneSided friction{.kind = OneSidedKind::Friction,
                          .row = {},
                          .scale = Expr(1),
                          .restitution = {},
                          .rest = {},
                          .limit = stated_.sticking.value,
                          .sliding = stated_.sliding.value,
                          .load = {},
                          .angular = rubbed.entry->turns()};
        const Expr rate = rubbed.form->rate(a, rubbed);
        const Expr mu = a.addOneSided(joint, "", rate - stated_.speed, false, std::move(friction));
        if (const Vector along = pushedAlong(a, joint, rate); !along.x.isZero() || !along.y.isZero() || !along.z.isZero())
            a.addArrow(joint, (-mu) * along);
    }
    /// Where a unit effort along the rate pushes the body that the joint leads to; zero where it only turns it.
    static Vector pushedAlong(const Assembly& a, const Joint& joint, const Expr& rate)
    {
        const bool toGround = joint.to.body == kGround;
        const int b = toGround ? joint.from.body : joint.to.body;
        const auto part = [&](int k) {
            const Expr slope = expr::derivative(rate, a.coordinate(b, k).v);
            return toGround ? -slope : slope;
        };
        return {part(0), part(1), a.body(b).space ? part(2) : Expr(0)};
    }
    void addRequirements(const Joint& joint, std::vector<Requirement>& out) const override
    {
        for (const PlacedExpr* force : {&stated_.sticking, &stated_.sliding}) {
            Requirement r = aboveZero(*force, "force of friction", "joint " + joint.name, "friction acts against the motion");
            r.mayBeZero = true;
            out.push_back(std::move(r));
        }
        out.push_back({.value = stated_.sticking.value - stated_.sliding.value,
                       .mayBeZero = true,
                       .what = "The force that sticks is smaller than the one that slides",
                       .sentence = true,
                       .where = "joint " + joint.name,
                       .why = "what has just been let go would stick again at once",
                       .remedy = "a larger value of sticking",
                       .position = stated_.sticking.position.known() ? stated_.sticking.position : joint.position});
    }

    Stated stated_;
};

class ClutchForm final : public JointForm {
public:
    ClutchForm(PlacedExpr capacity, PlacedExpr reserve) : capacity_(std::move(capacity)), reserve_(std::move(reserve)) {}

private:
    JointRows countRows(const Mechanism&, const Joint&) const override { return {.oneSided = 1}; }
    void addRows(Assembly& a, const Joint& joint) const override
    {
        const Expr& capacity = capacity_.value; // at zero and below it is open: that is a mode
        a.addOneSided(joint, "", a.angularVelocity(joint.to.body).z - a.angularVelocity(joint.from.body).z, false,
                      {.kind = OneSidedKind::Friction,
                       .row = {},
                       .scale = Expr(1),
                       .restitution = {},
                       .rest = {},
                       .limit = (Expr(1) + reserve_.value) * capacity,
                       .sliding = capacity,
                       .load = {},
                       .angular = true});
    }
    void addRequirements(const Joint& joint, std::vector<Requirement>& out) const override
    {
        out.push_back({.value = reserve_.value,
                       .mayBeZero = true,
                       .what = "The reserve is below zero",
                       .sentence = true,
                       .where = "joint " + joint.name,
                       .why = "what has just been let go would stick again at once",
                       .remedy = "a number from 0 on",
                       .position = reserve_.position.known() ? reserve_.position : joint.position});
    }

    PlacedExpr capacity_; ///< [N m] over t, p
    PlacedExpr reserve_;  ///< over p
};

class RatchetForm final : public JointForm {
public:
    RatchetForm(int joint, bool forwards) : joint_(joint), forwards_(forwards) {}

private:
    JointRows countRows(const Mechanism&, const Joint&) const override { return {.oneSided = 1}; }
    void addRows(Assembly& a, const Joint& joint) const override
    {
        const Joint& held = a.joint(joint_);
        const Expr rate = held.form->rate(a, held);
        a.addOneSided(joint, "", forwards_ ? rate : -rate, false,
                      {.kind = OneSidedKind::Contact,
                       .row = {},
                       .scale = Expr(1),
                       .restitution = {},
                       .rest = {},
                       .limit = {},
                       .sliding = {},
                       .load = {},
                       .angular = held.entry->turns()});
    }

    int joint_;
    bool forwards_;
};

std::unique_ptr<const JointForm> readDryFriction(const JointTable& table, Joint& joint)
{
    DryFrictionForm::Stated stated;
    const Joint& owner = findOwner(table, joint, stated.joint);
    const JointEntry& entry = *owner.entry;
    if (entry.freedom != JointFreedom::Angle && entry.freedom != JointFreedom::Displacement)
        table.refuseAt("joint", "The joint \"" + owner.name + "\" has no dry friction",
                       "dry friction needs one turn or one displacement", "name a pin, a slider or a prismatic joint");
    if (entry.turns() && (table.context().isPoint(owner.from.body) || table.context().isPoint(owner.to.body)))
        table.refuseAt("joint", "The joint \"" + owner.name + "\" holds a point mass", "a point mass does not rotate",
                       "make the body rigid");
    stated.sticking = table.placed("sticking", table.context().parameters);
    stated.sliding = table.states("sliding") ? table.placed("sliding", table.context().parameters) : stated.sticking;
    stated.speed = table.moving("speed");
    return std::make_unique<DryFrictionForm>(std::move(stated));
}

std::unique_ptr<const JointForm> readRatchet(const JointTable& table, Joint& joint)
{
    int index = 0;
    const Joint& owner = findOwner(table, joint, index);
    const JointEntry& entry = *owner.entry;
    if (entry.freedom != JointFreedom::Angle && entry.freedom != JointFreedom::Displacement)
        table.refuseAt("joint", "The joint \"" + owner.name + "\" has no ratchet",
                       "a ratchet needs one turn or one displacement", "name a pin, a slider, a revolute or a prismatic joint");
    if (entry.turns() && (table.context().isPoint(owner.from.body) || table.context().isPoint(owner.to.body)))
        table.refuseAt("joint", "The joint \"" + owner.name + "\" holds a point mass", "a point mass does not rotate",
                       "make the body rigid");
    const std::string direction = table.reader().text("direction", "forwards", 16);
    if (direction != "forwards" && direction != "backwards")
        table.refuseAt("direction", "A ratchet has no direction \"" + text::shortened(direction) + "\"", "",
                       "write \"forwards\" or \"backwards\"");
    return std::make_unique<RatchetForm>(index, direction == "forwards");
}

JointKey ownerKey(const char* meaning)
{
    return {
        .name = "joint", .type = JointKeyType::Joint, .label = "joint", .meaning = meaning, .remedy = "write joint = \"...\""};
}

} // namespace

JointEntry dryFrictionJoint(int dimensions)
{
    const bool space = dimensions == 3;
    const JointKey sticking{.name = "sticking",
                            .label = "sticking force",
                            .meaning = "the largest force [N] or moment [N m] that holds still",
                            .remedy = "write sticking = 1.0"};
    const JointKey sliding{.name = "sliding",
                           .label = "sliding force",
                           .meaning = "the force [N] or moment [N m] while it slides, not above `sticking`",
                           .fallback = "as sticking"};
    const JointKey speed{.name = "speed",
                         .label = "speed",
                         .meaning = "of what it rubs on, along the joint [m/s] or [rad/s]; may depend on `t`",
                         .fallback = "0"};
    return {.word = "dry-friction",
            .dimensions = dimensions,
            .meaning = "Coulomb friction of a known force, with sticking",
            .keys = {ownerKey("in which it acts"), sticking, sliding, speed},
            .rows = "while it sticks `NAME`: x' - speed",
            .example = guideFor(space, space ? "prismatic" : "slider")
                       + "[[joint]]\nname = \"rub\"\nkind = \"dry-friction\"\njoint = \"guide\"\nsticking = 2\nsliding = 1.5\n"
                         "speed = 0.1\n",
            .read = readDryFriction};
}

JointEntry clutchJoint()
{
    const JointKey capacity{.name = "capacity",
                            .unit = "N m",
                            .label = "capacity",
                            .meaning =
                                "the moment while it slips; may depend on `t` and on inputs; at zero and below it is open",
                            .remedy = "write capacity = 10, or capacity = \"5*t\""};
    const JointKey reserve{.name = "reserve",
                           .unit = "1",
                           .label = "reserve",
                           .meaning = "by which share of the capacity it bears more while it does not slip; not below zero",
                           .fallback = "0"};
    return {.word = "clutch",
            .meaning = "friction between two bodies that turn, or of one against the ground, of a capacity that changes",
            .keys = endsAnd({capacity, reserve}),
            .rows = "while it sticks `NAME`: angular velocity of `to` - that of `from`",
            .example = "[[joint]]\nname = \"grip\"\nkind = \"clutch\"\nfrom = \"crank\"\nto = \"arm\"\n"
                       "capacity = \"2*t\"\nreserve = 0.2\n",
            .read = [](const JointTable& table, Joint& joint) -> std::unique_ptr<const JointForm> {
                table.needBothRigid(joint, "a clutch acts between angular velocities");
                return std::make_unique<ClutchForm>(table.placed("capacity", table.context().prescribed),
                                                    table.placed("reserve", table.context().parameters));
            }};
}

JointEntry ratchetJoint(int dimensions)
{
    const bool space = dimensions == 3;
    const JointKey direction{.name = "direction",
                             .type = JointKeyType::Choice,
                             .label = "direction",
                             .meaning = "in which it moves freely: that of a growing angle or place, or the other one",
                             .fallback = "forwards",
                             .choices = {"forwards", "backwards"}};
    return {.word = "ratchet",
            .dimensions = dimensions,
            .meaning = "a joint that moves one way alone: a free wheel, a pawl with fine teeth",
            .keys = {ownerKey("that it holds"), direction},
            .rows = "while it holds `NAME`: x', or -x' backwards",
            .example = guideFor(space, space ? "prismatic" : "slider")
                       + "[[joint]]\nname = \"pawl\"\nkind = \"ratchet\"\njoint = \"guide\"\ndirection = \"forwards\"\n",
            .read = readRatchet};
}

} // namespace driftless::model
