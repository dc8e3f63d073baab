// Joints that hold a place for a part of the time: strings, struts, stops and walls, rods that break. Which of their rows
// are in force is a matter of the mode (system/Modes.h).
//
//   string         length^2 - |r|^2 >= 0          strut    |r|^2 - length^2 >= 0
//   stop           x - lower >= 0, upper - x >= 0, x the place or angle of another joint
//   wall           n . r - radius >= 0, n to the left of the wall's direction
//   breaking-rod   |r|^2 - length^2 = 0 while 2 |lambda| length <= strength
//   wall, strut, stop   with friction: no slip while |F| <= sticking N; else F = -friction N sign(slip), N their own force
#include <numbers>

#include "core/mechanism/Assembly.h"
#include "core/mechanism/ContactKeys.h"
#include "core/mechanism/JointTable.h"
#include "core/mechanism/Joints.h"

namespace driftless::model {

using expr::Expr;

const Joint& findOwner(const JointTable& table, Joint& joint, int& index)
{
    index = table.context().findJoint(table.reader());
    const Joint& owner = table.context().joint(index);
    joint.from = owner.from;
    joint.to = owner.to;
    return owner;
}

std::string guideFor(bool space, const char* kind)
{
    return std::string("[[joint]]\nname = \"guide\"\nkind = \"") + kind
           + (space ? "\"\nfrom = \"ground\"\nto = \"crank\"\naxis = [1, 0, 0]\n\n"
                    : "\"\nfrom = \"ground\"\nto = \"crank\"\nangle = 0\n\n");
}

namespace {

/// A string holds a distance from above, a strut from below.
class DistanceForm final : public JointForm {
public:
    DistanceForm(bool string, PlacedExpr length, Rebound rebound, Rubbing rubbing = {}, std::optional<PlacedExpr> radius = {})
        : string_(string), length_(std::move(length)), rebound_(std::move(rebound)), rubbing_(std::move(rubbing)),
          radius_(std::move(radius))
    {
    }

private:
    JointRows countRows(const Mechanism&, const Joint&) const override { return {.oneSided = rubbing_.stated ? 2 : 1}; }
    void addRows(Assembly& a, const Joint& joint) const override
    {
        const Vector from = a.place(joint.from), to = a.place(joint.to), r = to - from;
        const Expr excess = square(r.x) + square(r.y) + square(r.z) - square(length_.value);
        const Expr lambda =
            a.addOneSided(joint, "", string_ ? -excess : excess, true, contactOf(rebound_, Expr(2) * length_.value));
        Vector force = (Expr(string_ ? 2 : -2) * lambda) * r;
        if (rubbing_.stated)
            force = force + rubbed(a, joint, r);
        a.addArrow(joint, force);
        if (string_)
            a.draw(VisualKind::Rod, joint.name, {from, to});
        for (const Attachment* end : {&joint.from, &joint.to})
            if (string_ && end->body == kGround)
                a.draw(VisualKind::GroundPin, joint.name, {a.place(*end)});
    }
    void addRequirements(const Joint& joint, std::vector<Requirement>& out) const override
    {
        out.push_back(aboveZero(length_, "length", "joint " + joint.name, "a distance is held at a length"));
        requireRebound(rebound_, joint, out);
        requireRubbing(rubbing_, joint, out);
        if (!radius_)
            return;
        out.push_back(notNegative(*radius_, joint));
        out.push_back({.value = length_.value - radius_->value,
                       .mayBeZero = true,
                       .what = "The radius is larger than the length",
                       .sentence = true,
                       .where = "joint " + joint.name,
                       .why = "the disc about the point of `from` has the rest of the length, and no negative radius",
                       .remedy = "a radius from 0 to the length",
                       .position = radius_->position.known() ? radius_->position : joint.position});
    }
    /// Two discs of the plane that touch at a point between their centres: t along the tangent, where |r| = length.
    Vector rubbed(Assembly& a, const Joint& joint, const Vector& r) const
    {
        const Expr& length = length_.value;
        const Expr radius = radius_ ? radius_->value : half(length);
        const Vector t{-r.y / length, r.x / length, Expr(0)};
        Expr slip = dot(t, model::rateOf(a.place(joint.to)) - model::rateOf(a.place(joint.from)));
        if (a.rigid(joint.to.body))
            slip = slip - radius * a.angularVelocity(joint.to.body).z;
        if (a.rigid(joint.from.body))
            slip = slip - (length - radius) * a.angularVelocity(joint.from.body).z;
        const Expr scale = Expr(2) * length;
        const Expr mu = a.addRubbing(joint, slip, scale * rubbing_.friction.value, scale * rubbing_.sticking.value);
        return (-mu) * t;
    }

    bool string_;
    PlacedExpr length_; ///< [m], over t and p
    Rebound rebound_;
    Rubbing rubbing_;
    std::optional<PlacedExpr> radius_; ///< of the disc about the point of `to`
};

class StopForm final : public JointForm {
public:
    struct Stated {
        int joint = 0;
        JointMeasure measure = JointMeasure::Displacement;
        bool space = false;
        std::optional<Expr> lower, upper; ///< over t, p
        Rebound rebound;
        Rubbing rubbing;
        std::optional<PlacedExpr> radius; ///< of the disc that meets the ends, where there is friction
    };
    explicit StopForm(Stated stated) : stated_(std::move(stated)) {}

private:
    JointRows countRows(const Mechanism&, const Joint&) const override
    {
        return {.oneSided = ((stated_.lower ? 1 : 0) + (stated_.upper ? 1 : 0)) * (stated_.rubbing.stated ? 2 : 1)};
    }
    void addRows(Assembly& a, const Joint& joint) const override
    {
        const Joint& stopped = a.joint(stated_.joint);
        const Expr x = stopped.form->measure(a, stopped, stated_.measure, middle());
        const bool angular = stated_.measure == JointMeasure::Angle;
        if (stated_.lower) {
            a.addOneSided(joint, "lower", x - *stated_.lower, true, contactOf(stated_.rebound, Expr(1), angular));
            rub(a, joint, "lower_slip", Expr(1));
            drawEnd(a, joint, *stated_.lower);
        }
        if (stated_.upper) {
            a.addOneSided(joint, "upper", *stated_.upper - x, true, contactOf(stated_.rebound, Expr(1), angular));
            rub(a, joint, "upper_slip", Expr(-1));
            drawEnd(a, joint, *stated_.upper);
        }
    }
    /// About which an angle in space counts. Its turn ends half a turn away from there: opposite the middle of two ends, or
    /// kBehind behind a single one.
    Expr middle() const
    {
        if (stated_.lower && stated_.upper)
            return (*stated_.lower + *stated_.upper) / Expr(2);
        const Expr away(std::numbers::pi - kBehind);
        return stated_.lower ? *stated_.lower + away : *stated_.upper - away;
    }
    /// A disc between ends that stand across its rail, n to the inside: one along the rail at the lower end, minus one at the
    /// upper.
    void rub(Assembly& a, const Joint& joint, const std::string& part, const Expr& inside) const
    {
        if (!stated_.rubbing.stated)
            return;
        const Joint& stopped = a.joint(stated_.joint);
        const Vector n = inside * stopped.form->axis(a, stopped);
        const Expr radius = stated_.radius ? stated_.radius->value : a.drawnRadius(joint.to.body);
        const Expr slip = slipAlong(a, joint, {n.y, -n.x, Expr(0)}, radius);
        a.addRubbing(joint, slip, stated_.rubbing.friction.value, stated_.rubbing.sticking.value, part);
    }
    /// A piece of a wall across the way of what is stopped.
    void drawEnd(Assembly& a, const Joint& joint, const Expr& end) const
    {
        const Joint& stopped = a.joint(stated_.joint);
        if (const std::vector<Vector> way = stopped.form->endOfWay(a, stopped, stated_.measure, end); !way.empty())
            a.draw(VisualKind::StopEnd, joint.name, way);
    }
    void addRequirements(const Joint& joint, std::vector<Requirement>& out) const override
    {
        requireRebound(stated_.rebound, joint, out);
        requireRubbing(stated_.rubbing, joint, out);
        if (stated_.radius)
            out.push_back(notNegative(*stated_.radius, joint));
        if (stated_.space && stated_.measure == JointMeasure::Angle && stated_.lower && stated_.upper)
            out.push_back({.value = Expr(2 * std::numbers::pi) - (*stated_.upper - *stated_.lower),
                           .what = "The ends of the stop are one turn apart or more",
                           .sentence = true,
                           .where = "joint " + joint.name,
                           .why = "in space the angle of a joint counts within one turn",
                           .remedy = "ends that are less than 2*pi apart",
                           .position = joint.position});
    }

    static constexpr double kBehind = 0.5; ///< [rad] so far behind its only end a stop still knows it
    Stated stated_;
};

class WallForm final : public JointForm {
public:
    struct Stated {
        Expr angle;
        PlacedExpr radius;
        Rebound rebound;
        Rubbing rubbing;
        std::array<double, 2> drawn;
    };
    explicit WallForm(Stated stated) : stated_(std::move(stated)) {}

private:
    JointRows countRows(const Mechanism&, const Joint&) const override { return {.oneSided = stated_.rubbing.stated ? 2 : 1}; }
    void addRows(Assembly& a, const Joint& joint) const override
    {
        const Vector d = a.direction(joint.from.body, stated_.angle), n{-d.y, d.x, Expr(0)};
        const Expr gap = dot(n, a.place(joint.to) - a.place(joint.from)) - stated_.radius.value;
        const Expr lambda = a.addOneSided(joint, "", gap, true, contactOf(stated_.rebound, Expr(1)));
        Vector force = (-lambda) * n;
        if (stated_.rubbing.stated) { // of the points that touch: that of the wall has no velocity along it but its own
            Expr slip = dot(d, model::rateOf(a.place(joint.to)) - model::rateOf(a.place(joint.from)));
            if (a.rigid(joint.to.body))
                slip = slip + stated_.radius.value * a.angularVelocity(joint.to.body).z;
            const Expr mu = a.addRubbing(joint, slip, stated_.rubbing.friction.value, stated_.rubbing.sticking.value);
            force = force + (-mu) * d;
        }
        a.addArrow(joint, force);
        a.drawRail(joint, stated_.drawn, d);
    }
    void addRequirements(const Joint& joint, std::vector<Requirement>& out) const override
    {
        requireRebound(stated_.rebound, joint, out);
        requireRubbing(stated_.rubbing, joint, out);
        out.push_back(notNegative(stated_.radius, joint));
    }

    Stated stated_;
};

class BreakingRodForm final : public JointForm {
public:
    BreakingRodForm(PlacedExpr length, PlacedExpr strength) : length_(std::move(length)), strength_(std::move(strength)) {}

private:
    JointRows countRows(const Mechanism&, const Joint&) const override { return {.holonomic = 1, .oneSided = 1}; }
    void addRows(Assembly& a, const Joint& joint) const override
    {
        const Vector from = a.place(joint.from), to = a.place(joint.to), r = to - from;
        const Expr excess = square(r.x) + square(r.y) + square(r.z) - square(length_.value);
        const Expr lambda = a.addConstraint(joint, "", excess);
        a.addBreaking(strength_.value, Expr(2) * length_.value * expr::abs(lambda));
        a.addArrow(joint, (Expr(-2) * lambda) * r);
        a.draw(VisualKind::Rod, joint.name, {from, to});
        for (const Attachment* end : {&joint.from, &joint.to})
            if (end->body == kGround)
                a.draw(VisualKind::GroundPin, joint.name, {a.place(*end)});
    }
    void addRequirements(const Joint& joint, std::vector<Requirement>& out) const override
    {
        out.push_back(aboveZero(length_, "length", "joint " + joint.name, "a rod between its ends has a length"));
        out.push_back(aboveZero(strength_, "strength", "joint " + joint.name, "a rod that breaks bears a force before"));
    }

    PlacedExpr length_, strength_; ///< [m] over t and p; [N] over p
};

std::unique_ptr<const JointForm> readStop(const JointTable& table, Joint& joint)
{
    StopForm::Stated stated;
    const Joint& owner = findOwner(table, joint, stated.joint);
    const JointEntry& entry = *owner.entry;
    if (!entry.turns() && !entry.slides())
        table.refuseAt("joint", "The joint \"" + owner.name + "\" has no stop", "a stop needs one turn or one displacement",
                       "name a pin, a slider, a revolute, prismatic or cylindrical joint");
    stated.space = entry.dimensions == 3;
    stated.measure = entry.slides() ? JointMeasure::Displacement : JointMeasure::Angle;
    if (stated.measure == JointMeasure::Angle
        && (table.context().isPoint(owner.from.body) || table.context().isPoint(owner.to.body)))
        table.refuseAt("joint", "The joint \"" + owner.name + "\" holds a point mass", "a point mass does not rotate",
                       "make the body rigid");
    if (table.states("lower"))
        stated.lower = table.moving("lower");
    if (table.states("upper"))
        stated.upper = table.moving("upper");
    if (!stated.lower && !stated.upper)
        refuse(table.reader().position(), "The stop has neither a lower nor an upper end", table.where(), "",
               "write lower = -1, or upper = 1");
    stated.rebound = readRebound(table);
    stated.rubbing = readRubbing(table);
    if (table.states("radius"))
        stated.radius = table.placed("radius", table.context().parameters);
    if (stated.rubbing.stated
        && (!owner.form->leavesTurn() || joint.to.body == kGround || table.context().isPoint(joint.to.body)))
        table.refuseAt(
            table.states("friction") ? "friction" : "sticking",
            "Nothing slides at the ends of the joint \"" + owner.name + "\"",
            "friction of a stop needs a rigid body that slides and may turn, as the disc of `radius` that meets its ends",
            "a slider of a rigid body with turns = true, or a wall in place of the stop");
    return std::make_unique<StopForm>(std::move(stated));
}

std::unique_ptr<const JointForm> readStrut(const JointTable& table)
{
    std::optional<PlacedExpr> radius;
    if (table.states("radius"))
        radius = table.placed("radius", table.context().parameters);
    return std::make_unique<DistanceForm>(false, table.placed("length", table.context().prescribed), readRebound(table),
                                          readRubbing(table), std::move(radius));
}

JointEntry distanceJoint(int dimensions, bool string)
{
    const bool space = dimensions == 3;
    const JointKey length{.name = "length",
                          .unit = "m",
                          .label = "length",
                          .meaning =
                              string ? "the largest distance; may depend on `t`" : "the smallest distance; may depend on `t`",
                          .remedy = "write length = 1.0, in m"};
    const JointKey radius{.name = "radius",
                          .unit = "m",
                          .label = "radius",
                          .meaning = "of the disc about the point of `to`, where there is friction; the other one has the rest",
                          .fallback = "half of the length"};
    std::vector<JointKey> keys = andRebound({length});
    if (!string && !space) {
        keys.push_back(radius);
        keys = andRubbing(std::move(keys));
    }
    const std::string distance = space ? "d_x^2 + d_y^2 + d_z^2" : "r_x^2 + r_y^2";
    return {.word = string ? "string" : "strut",
            .dimensions = dimensions,
            .meaning = string ? "a distance that is not exceeded" : "a distance that is not fallen short of: two round bodies",
            .keys = endsAnd(std::move(keys)),
            .rows = string ? "while it is taut `NAME`: length^2 - (" + distance + ")"
                           : "while it pushes `NAME`: " + distance + " - length^2"
                                 + (space ? "" : "; with friction while it sticks `NAME.slip`: the velocity of slip"),
            .example = "[[joint]]\nname = \"tie\"\nkind = \"" + std::string(string ? "string" : "strut")
                       + "\"\nfrom = { body = \"ground\", at = " + (space ? "[0, 0, 1]" : "[0, 1]")
                       + " }\nto = \"bead\"\nlength = " + (string ? "3" : "0.5") + "\nrestitution = 0.5\nrest = 1e-3\n"
                       + (string || space ? "" : "radius = 0.2\nfriction = 0.3\nsticking = 0.4\n"),
            .read = string ? +[](const JointTable& table, Joint&) -> std::unique_ptr<const JointForm> {
                return std::make_unique<DistanceForm>(true, table.placed("length", table.context().prescribed),
                                                      readRebound(table));
            }
            : +[](const JointTable& table, Joint&) -> std::unique_ptr<const JointForm> { return readStrut(table); }};
}

} // namespace

JointEntry stringJoint(int dimensions) { return distanceJoint(dimensions, true); }
JointEntry strutJoint(int dimensions) { return distanceJoint(dimensions, false); }

JointEntry stopJoint(int dimensions)
{
    const bool space = dimensions == 3;
    const JointKey joint{.name = "joint",
                         .type = JointKeyType::Joint,
                         .label = "joint",
                         .meaning = "whose place or angle is bounded",
                         .remedy = "write joint = \"...\""};
    const JointKey lower{
        .name = "lower", .label = "lower end", .meaning = "[m] or [rad]; may depend on `t`", .fallback = "no lower end"};
    const JointKey upper{
        .name = "upper", .label = "upper end", .meaning = "[m] or [rad]; may depend on `t`", .fallback = "no upper end"};
    const JointKey radius{.name = "radius",
                          .unit = "m",
                          .label = "radius",
                          .meaning = "of the disc about the point of a slider that turns, where there is friction",
                          .fallback = "that of the uniform disc of its mass and inertia"};
    std::vector<JointKey> keys = andRebound({joint, lower, upper}, true);
    if (!space) {
        keys.push_back(radius);
        keys = andRubbing(std::move(keys));
    }
    return {
        .word = "stop",
        .dimensions = dimensions,
        .meaning = "ends of the travel of another joint",
        .keys = std::move(keys),
        .rows = std::string("while it is hit `NAME.lower`: x - lower, `NAME.upper`: upper - x")
                + (space ? "" : "; with friction while it sticks `NAME.lower_slip`, `NAME.upper_slip`: the velocity of slip"),
        .example = (space ? guideFor(true, "prismatic")
                          : std::string("[[joint]]\nname = \"guide\"\nkind = \"slider\"\nfrom = \"ground\"\nto = \"crank\"\n"
                                        "angle = 0\nturns = true\n\n"))
                   + "[[joint]]\nname = \"ends\"\nkind = \"stop\"\njoint = \"guide\"\nlower = -2\nupper = 2\n"
                     "restitution = 0.5\nrest = 1e-3\n"
                   + (space ? "" : "radius = 0.2\nfriction = 0.3\nsticking = 0.4\n"),
        .read = readStop};
}

JointEntry wallJoint()
{
    const JointKey angle{.name = "angle",
                         .unit = "rad",
                         .label = "angle",
                         .meaning = "of its direction against `from`; what is held stays to the left of it",
                         .fallback = "0"};
    const JointKey radius{
        .name = "radius", .unit = "m", .label = "radius", .meaning = "of a disc about the point of `to`", .fallback = "0"};
    return {
        .word = "wall",
        .meaning = "a straight line that is not passed: a floor, a wall",
        .keys = endsAnd(andRubbing(andRebound({angle, radius, drawnKey()}))),
        .rows = "while it is touched `NAME`: n . r - radius, n = (-sin(angle), cos(angle)) with `from`; with friction while it "
                "sticks `NAME.slip`: the velocity of slip",
        .example = "[[joint]]\nname = \"floor\"\nkind = \"wall\"\nfrom = { body = \"ground\", at = [0, -2] }\nto = \"bead\"\n"
                   "angle = 0\nradius = 0.1\nrestitution = 0.8\nrest = 1e-3\nfriction = 0.3\nsticking = 0.4\n"
                   "drawn = [-2, 2]\n",
        .read = [](const JointTable& table, Joint&) -> std::unique_ptr<const JointForm> {
            return std::make_unique<WallForm>(WallForm::Stated{.angle = table.moving("angle"),
                                                               .radius = table.placed("radius", table.context().parameters),
                                                               .rebound = readRebound(table),
                                                               .rubbing = readRubbing(table),
                                                               .drawn = table.rail()});
        }};
}

JointEntry breakingRodJoint(int dimensions)
{
    const bool space = dimensions == 3;
    const JointKey length{.name = "length",
                          .unit = "m",
                          .label = "length",
                          .meaning = "above zero; may depend on `t`",
                          .remedy = "write length = 1.0, in m"};
    const JointKey strength{.name = "strength",
                            .unit = "N",
                            .label = "strength",
                            .meaning = "the force at which it breaks, once and for all",
                            .remedy = "write strength = 10, in N"};
    return {.word = "breaking-rod",
            .dimensions = dimensions,
            .meaning = "a distance until its force is too large",
            .keys = endsAnd({length, strength}),
            .rows = space ? "until it breaks `NAME`: d_x^2 + d_y^2 + d_z^2 - length^2"
                          : "until it breaks `NAME`: r_x^2 + r_y^2 - length^2",
            .example = "[[joint]]\nname = \"link\"\nkind = \"breaking-rod\"\nfrom = { body = \"ground\", at = "
                       + std::string(space ? "[0, 0, 1]" : "[0, 1]") + " }\nto = \"bead\"\nlength = 1\nstrength = 20\n",
            .read = [](const JointTable& table, Joint&) -> std::unique_ptr<const JointForm> {
                return std::make_unique<BreakingRodForm>(table.placed("length", table.context().prescribed),
                                                         table.placed("strength", table.context().parameters));
            }};
}

} // namespace driftless::model
