// Joints of space. d = p_to - p_from; n1, n2, a are the normals and the axis of the side of from, m1, m2, b those of to.
//
//   spherical    d = 0                          revolute     d = 0, n1.b = 0, n2.b = 0
//   universal    d = 0, a.b = 0                 cylindrical  n1.d = 0, n2.d = 0, n1.b = 0, n2.b = 0
//   prismatic    n1.d = 0, n2.d = 0, and as fixed       planar       a.d = 0, n1.b = 0, n2.b = 0
//   fixed        d = 0, n1.b = 0, n2.b = 0, n1.m2 = 0   screw        cylindrical, and a.(d' - lead/(2 pi) (w_to - w_from)) = 0
//   rolling      n.d - height = 0, and two components of the velocity of the point of contact
//   constraint force                            -lambda dg/dp on the point
//   (the dot-1 and dot-2 conditions of Haug 1989, chapter 9)
#include <numbers>

#include "core/mechanism/Assembly.h"
#include "core/mechanism/JointTable.h"
#include "core/mechanism/Joints.h"

namespace driftless::model {

using expr::Expr;

namespace {

/// Which rows bind the places, and which the directions.
struct SpaceRows {
    enum class Place { Point, Line, Plane } place = Place::Point; ///< d = 0; n1.d = n2.d = 0; a.d = 0
    bool cross = false;                                           ///< a.b
    bool tilt = false;                                            ///< n1.b, n2.b
    bool twist = false;                                           ///< n1.m2
    bool lead = false;                                            ///< the advance follows the turn
    bool oriented = true;                                         ///< needs directions on both sides; else see holdsDirections
};

class SpaceForm final : public JointForm {
public:
    struct Stated {
        std::array<double, 3> axis{0, 0, 1};   ///< in the frame of from, unit length; planar: the normal
        std::array<double, 3> axisTo{0, 0, 1}; ///< in the frame of to
        std::vector<Turn> turnTo;              ///< orientation of to against from in the joint's zero position
        std::array<double, 2> drawn;
        Expr lead; ///< [m] a turn
    };
    SpaceForm(const SpaceRows& rows, Stated stated) : rows_(rows), stated_(std::move(stated)) {}

private:
    using Place = SpaceRows::Place;

    /// A line on a point mass keeps its direction on the ground, and so does the rigid body that slides on it. What is held at
    /// a point of a point mass, or is one, turns freely.
    bool holdsDirections(bool bothOriented, bool toIsRigid) const
    {
        return bothOriented || (rows_.place == Place::Line && toIsRigid);
    }
    JointRows countRows(const Mechanism& mechanism, const Joint& joint) const override
    {
        static constexpr int kRowsOfPlace[]{3, 2, 1};
        const bool both = holdsDirections(bothOriented(mechanism, joint), rigidBody(mechanism, joint.to.body));
        return {.holonomic = kRowsOfPlace[static_cast<int>(rows_.place)] + (rows_.cross ? 1 : 0) + (rows_.tilt && both ? 2 : 0)
                             + (rows_.twist && both ? 1 : 0),
                .nonholonomic = rows_.lead ? 1 : 0};
    }
    void addRows(Assembly& a, const Joint& joint) const override
    {
        const Vector d = a.place(joint.to) - a.place(joint.from);
        const std::array<Vector, 3> from = frameFrom(a, joint);
        const bool both = holdsDirections(a.oriented(joint.from.body) && a.oriented(joint.to.body), a.rigid(joint.to.body));
        const std::array<Vector, 3> to = both ? frameTo(a, joint) : std::array<Vector, 3>{};
        Vector force = addPlaceRows(a, joint, from, d);
        if (rows_.cross)
            a.addConstraint(joint, "cross", dot(from[2], to[2]));
        if (rows_.tilt && both) {
            a.addConstraint(joint, "tilt1", dot(from[0], to[2]));
            a.addConstraint(joint, "tilt2", dot(from[1], to[2]));
        }
        if (rows_.twist && both)
            a.addConstraint(joint, "twist", dot(from[0], to[1]));
        if (rows_.lead)
            force = force + addLead(a, joint, from[2]);
        a.addArrow(joint, force);
        if (rows_.place != Place::Line) {
            a.drawPoint(joint);
            return;
        }
        a.drawRail(joint, stated_.drawn, from[2]);
        const Vector b = a.place(joint.to);
        a.draw(VisualKind::Slider, joint.name, {b, b + from[2]});
    }
    /// Returns the force on `to`.
    Vector addPlaceRows(Assembly& a, const Joint& joint, const std::array<Vector, 3>& from, const Vector& d) const
    {
        const auto& [n1, n2, axis] = from;
        if (rows_.place == Place::Line) {
            const Expr first = a.addConstraint(joint, "across1", dot(n1, d)),
                       second = a.addConstraint(joint, "across2", dot(n2, d));
            return (-first) * n1 - second * n2;
        }
        if (rows_.place == Place::Plane)
            return (-a.addConstraint(joint, "normal", dot(axis, d))) * axis;
        const Expr x = a.addConstraint(joint, "x", d.x), y = a.addConstraint(joint, "y", d.y),
                   z = a.addConstraint(joint, "z", d.z);
        return {-x, -y, -z};
    }
    /// The advance along the axis follows the turn; as an equation of velocities, because a quaternion counts no turns. Returns
    /// the force on `to`.
    Vector addLead(Assembly& a, const Joint& joint, const Vector& axis) const
    {
        const Expr perTurn = stated_.lead / Expr(2 * std::numbers::pi);
        const Expr advance = expr::timeDerivative(dot(axis, a.place(joint.to) - a.place(joint.from)));
        const Expr turn = dot(axis, a.angularVelocity(joint.to.body) - a.angularVelocity(joint.from.body));
        return (-a.addConstraint(joint, "lead", advance - perTurn * turn, false)) * axis;
    }
    Expr rateOf(const Assembly& a, const Joint& joint) const override
    {
        if (joint.entry->freedom == JointFreedom::Displacement)
            return expr::timeDerivative(measure(a, joint, JointMeasure::Displacement));
        return dot(frameFrom(a, joint)[2], a.angularVelocity(joint.to.body) - a.angularVelocity(joint.from.body));
    }
    Expr measured(const Assembly& a, const Joint& joint, JointMeasure what, const Expr& about) const override
    {
        const std::array<Vector, 3> from = frameFrom(a, joint);
        if (what == JointMeasure::Displacement)
            return dot(from[2], a.place(joint.to) - a.place(joint.from));
        const std::array<Vector, 3> to = frameTo(a, joint);
        if (about.isZero())
            return expr::atan2(dot(to[0], from[1]), dot(to[0], from[0]));
        const Expr c = expr::cos(about), s = expr::sin(about);
        return about + expr::atan2(dot(to[0], c * from[1] - s * from[0]), dot(to[0], c * from[0] + s * from[1]));
    }
    /// sin(angle - value) = m1 . (cos n2 - sin n1): no angle of the joint is needed, so nothing wraps.
    Expr driven(const Assembly& a, const Joint& joint, JointMeasure what, const Expr& value) const override
    {
        if (what == JointMeasure::Displacement)
            return measure(a, joint, what) - value;
        const std::array<Vector, 3> from = frameFrom(a, joint), to = frameTo(a, joint);
        return dot(to[0], expr::cos(value) * from[1] - expr::sin(value) * from[0]);
    }
    std::array<Vector, 3> frameFrom(const Assembly& a, const Joint& joint) const
    {
        return a.frame(joint.from.body, stated_.axis);
    }
    std::array<Vector, 3> frameTo(const Assembly& a, const Joint& joint) const
    {
        return a.frame(joint.to.body, stated_.axisTo, stated_.turnTo);
    }

    SpaceRows rows_;
    Stated stated_;
};

std::unique_ptr<const JointForm> readSpaceForm(const JointTable& table, const Joint& joint, const SpaceRows& rows)
{
    SpaceForm::Stated stated;
    stated.drawn = table.rail();
    if (rows.lead)
        stated.lead = table.constant("lead");
    stated.axis = table.axis("axis", {0, 0, 1});
    // Two axes that are the same in the frames of both bodies, but for a universal joint, whose axes are perpendicular.
    stated.axisTo = table.axis("axis_to", rows.cross ? normalsOf(stated.axis)[0] : stated.axis);
    if (const TomlValue* turn = table.reader().find("turn"))
        stated.turnTo = table.context().readTurns(*turn, table.where());
    if (!stated.turnTo.empty() && table.states("axis_to"))
        table.refuseAt("axis_to", "The frame of \"to\" is stated twice", "\"turn\" states it too", "keep one of them");
    if (rows.oriented)
        table.needBothRigid(joint, "the joint holds directions, which a point mass has not");
    else
        needTurned(table, joint.to);
    if (!rows.oriented && rows.place != SpaceRows::Place::Line)
        needTurned(table, joint.from);
    return std::make_unique<SpaceForm>(rows, std::move(stated));
}

constexpr SpaceRows kSpherical{.oriented = false}, kRevolute{.tilt = true}, kUniversal{.cross = true};
constexpr SpaceRows kPrismatic{.place = SpaceRows::Place::Line, .tilt = true, .twist = true, .oriented = false};
constexpr SpaceRows kCylindrical{.place = SpaceRows::Place::Line, .tilt = true};
constexpr SpaceRows kScrew{.place = SpaceRows::Place::Line, .tilt = true, .lead = true};
constexpr SpaceRows kPlanar{.place = SpaceRows::Place::Plane, .tilt = true};
constexpr SpaceRows kFixed{.tilt = true, .twist = true, .oriented = false};

template <const SpaceRows& rows>
std::unique_ptr<const JointForm> readSpaceJoint(const JointTable& table, Joint& joint)
{
    return readSpaceForm(table, joint, rows);
}

/// A sphere or a disc on a fixed plane: the height of the centre, and two components of the velocity of the point of contact.
class BallForm final : public JointForm {
public:
    struct Stated {
        PlacedExpr radius;
        std::array<double, 3> normal, axis; ///< of the ground; of the disc in its own frame
        bool disc = false;
    };
    explicit BallForm(Stated stated) : stated_(std::move(stated)) {}

private:
    JointRows countRows(const Mechanism&, const Joint&) const override { return {.holonomic = 1, .nonholonomic = 2}; }
    void addRows(Assembly& a, const Joint& joint) const override
    {
        const auto [t1, t2, n] = a.frame(joint.from.body, stated_.normal);
        const Expr& radius = stated_.radius.value;
        Vector contact = (-radius) * n; // from the centre
        Expr height = radius;
        if (stated_.disc) {
            const Vector axis = a.frame(joint.to.body, stated_.axis)[2];
            const Expr lean = dot(n, axis), s = expr::sqrt(dot(axis, axis) - square(lean)); // |axis| = 1, where the norm is met
            contact = (-radius / s) * (n - lean * axis);
            height = radius * s;
        }
        const Vector centre = a.place(joint.to);
        const Expr lambda = a.addConstraint(joint, "contact", dot(n, centre - a.place(joint.from)) - height);
        const Vector slip = model::rateOf(centre) + cross(a.angularVelocity(joint.to.body), contact);
        const Expr mu1 = a.addConstraint(joint, "roll1", dot(t1, slip), false),
                   mu2 = a.addConstraint(joint, "roll2", dot(t2, slip), false);
        a.addArrowAt(joint, centre + contact, (-lambda) * n - mu1 * t1 - mu2 * t2);
    }
    void addRequirements(const Joint& joint, std::vector<Requirement>& out) const override
    {
        out.push_back(aboveZero(stated_.radius, "radius", "joint " + joint.name, "what rolls is round"));
    }

    Stated stated_;
};

std::unique_ptr<const JointForm> readBall(const JointTable& table, Joint& joint)
{
    (void)table.rail();
    needRolls(table, joint);
    BallForm::Stated stated;
    stated.radius = {table.constant("radius"), joint.position};
    stated.disc = table.states("axis");
    stated.axis = table.axis("axis", {0, 0, 1});
    stated.normal = table.axis("normal", {0, 0, 1});
    return std::make_unique<BallForm>(std::move(stated));
}

JointKey axisKey(const char* meaning = "in the frame of `from`")
{
    return {.name = "axis", .type = JointKeyType::Axis, .label = "axis", .meaning = meaning, .fallback = "[0, 0, 1]"};
}

JointKey axisToKey(const char* fallback = "`axis`")
{
    return {.name = "axis_to",
            .type = JointKeyType::Axis,
            .label = "axis on the other body",
            .meaning = "in the frame of `to`",
            .fallback = fallback};
}

JointKey turnsKey()
{
    return {.name = "turn",
            .type = JointKeyType::Turns,
            .label = "relative turn",
            .meaning = "how `to` stands against `from` where the joint is at zero; not beside `axis_to`",
            .fallback = "none"};
}

/// A joint between crank and arm that says so much more.
std::string spaceExample(const char* name, const char* kind, const char* more)
{
    return std::string("[[joint]]\nname = \"") + name + "\"\nkind = \"" + kind
           + "\"\nfrom = { body = \"crank\", at = [0.5, 0, 0] }\nto = { body = \"arm\", at = [-0.5, 0, 0] }\n" + more;
}

} // namespace

JointEntry sphericalJoint()
{
    return {.word = "spherical",
            .dimensions = 3,
            .meaning = "all turns",
            .freedom = JointFreedom::Ball,
            .mark = JointMark::Point,
            .keys = endsAnd({}),
            .rows = "`NAME.x`, `NAME.y`, `NAME.z`: d",
            .example = spaceExample("ball", "spherical", ""),
            .read = readSpaceJoint<kSpherical>};
}

JointEntry spaceRevoluteJoint()
{
    return {.word = "revolute",
            .dimensions = 3,
            .meaning = "a turn",
            .freedom = JointFreedom::Angle,
            .mark = JointMark::Point,
            .keys = endsAnd({axisKey(), axisToKey(), turnsKey()}),
            .rows = "d, and `NAME.tilt1`: n1 . b, `NAME.tilt2`: n2 . b",
            .example = spaceExample("hinge", "revolute", "axis = [0, 1, 0]\naxis_to = [0, 1, 0]\n"),
            .read = readSpaceJoint<kRevolute>};
}

JointEntry universalJoint()
{
    return {.word = "universal",
            .dimensions = 3,
            .meaning = "turns about two axes that are perpendicular",
            .mark = JointMark::Point,
            .keys = endsAnd({axisKey(), axisToKey("across `axis`")}),
            .rows = "d, and `NAME.cross`: a . b",
            .example = spaceExample("cardan", "universal", "axis = [0, 1, 0]\naxis_to = [0, 0, 1]\n"),
            .read = readSpaceJoint<kUniversal>};
}

JointEntry prismaticJoint()
{
    return {.word = "prismatic",
            .dimensions = 3,
            .meaning = "a displacement",
            .freedom = JointFreedom::Displacement,
            .mark = JointMark::Rail,
            .keys = endsAnd({axisKey(), turnsKey(), drawnKey()}),
            .rows = "`NAME.across1`: n1 . d, `NAME.across2`: n2 . d; if `to` is rigid or both are rigid or the ground also "
                    "`NAME.tilt1`, `NAME.tilt2`, `NAME.twist`: n1 . m2; the frame of a point mass is that of the ground",
            .example = spaceExample("rail", "prismatic",
                                    "axis = [1, 0, 0]\nturn = { axis = [1, 0, 0], angle = \"pi/2\" }\ndrawn = [-1, 1]\n"),
            .read = readSpaceJoint<kPrismatic>};
}

JointEntry cylindricalJoint()
{
    return {.word = "cylindrical",
            .dimensions = 3,
            .meaning = "a turn and a displacement",
            .freedom = JointFreedom::Both,
            .mark = JointMark::Rail,
            .keys = endsAnd({axisKey(), axisToKey(), turnsKey(), drawnKey()}),
            .rows = "`NAME.across1`, `NAME.across2`, `NAME.tilt1`, `NAME.tilt2`",
            .example = spaceExample("sleeve", "cylindrical", "axis = [1, 0, 0]\naxis_to = [1, 0, 0]\ndrawn = [-1, 1]\n"),
            .read = readSpaceJoint<kCylindrical>};
}

JointEntry planarJoint()
{
    return {.word = "planar",
            .dimensions = 3,
            .meaning = "two displacements and a turn",
            .keys = endsAnd({axisKey("the normal, in the frame of `from`"), axisToKey(), turnsKey()}),
            .rows = "`NAME.normal`: a . d, `NAME.tilt1`, `NAME.tilt2`",
            .example = spaceExample("table", "planar", "axis = [0, 0, 1]\nturn = [{ axis = [0, 0, 1], angle = 0.3 }]\n"),
            .read = readSpaceJoint<kPlanar>};
}

JointEntry fixedJoint()
{
    return {.word = "fixed",
            .dimensions = 3,
            .meaning = "no motion",
            .freedom = JointFreedom::None,
            .mark = JointMark::Point,
            .keys = endsAnd({turnsKey()}),
            .rows = "d; between rigid bodies or the ground also `NAME.tilt1`, `NAME.tilt2`, `NAME.twist`",
            .example = spaceExample("seam", "fixed", "turn = { axis = [0, 0, 1], angle = \"pi/2\" }\n"),
            .read = readSpaceJoint<kFixed>};
}

JointEntry screwJoint()
{
    const JointKey lead{.name = "lead",
                        .unit = "m",
                        .label = "lead",
                        .meaning = "advance in one turn",
                        .remedy = "write lead = 0.01, in m a turn"};
    return {.word = "screw",
            .dimensions = 3,
            .meaning = "a turn and a displacement in a ratio",
            .mark = JointMark::Rail,
            .keys = endsAnd({axisKey(), axisToKey(), turnsKey(), drawnKey(), lead}),
            .rows = "as cylindrical, and nonholonomic `NAME.lead`: speed along the axis - lead/(2 pi) rate about it",
            .example = spaceExample("thread", "screw", "axis = [1, 0, 0]\nlead = 0.05\ndrawn = [-0.5, 0.5]\n"),
            .read = readSpaceJoint<kScrew>};
}

JointEntry spaceRollingJoint()
{
    const JointKey radius{.name = "radius",
                          .unit = "m",
                          .label = "radius",
                          .meaning = "of the ball or the disc, above zero",
                          .remedy = "write radius = 0.1"};
    const JointKey normal{.name = "normal",
                          .type = JointKeyType::Axis,
                          .label = "normal of the ground",
                          .meaning = "of the ground",
                          .fallback = "[0, 0, 1]"};
    JointKey axis = axisKey("of a disc in its own frame");
    axis.fallback = "a ball";
    std::vector<JointKey> keys{endKey("from", "the ground, with a point of the plane"),
                               endKey("to", "the rigid body that rolls"),
                               radius,
                               normal,
                               axis,
                               drawnKey()};
    keys.back().meaning = "read and not drawn: a plane has no rail";
    return {
        .word = "rolling",
        .dimensions = 3,
        .meaning = "rolling without slip",
        .keys = std::move(keys),
        .rows = "`NAME.contact`: height - radius (of a leaning disc its projection); nonholonomic `NAME.roll1`, `NAME.roll2`: "
                "velocity of the point of contact",
        .example = "[[joint]]\nname = \"tread\"\nkind = \"rolling\"\nfrom = \"ground\"\nto = \"wheel\"\nradius = 0.2\nnormal = "
                   "[0, 0, 1]\naxis = [1, 0, 0]\n",
        .read = readBall};
}

} // namespace driftless::model
