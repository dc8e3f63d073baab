// Joints of the plane. r = p_to - p_from; a turn is counted counterclockwise.
//
//   pin        r = 0                              weld   r = 0 and the angle
//   slider     n . r = 0, n across the line, and the angle where the body does not turn
//   gear       (phi_to - c) - ratio (phi_from - c) - phase = 0, c the carrier's angle
//   rack       d . r - radius phi_from - phase = 0
//   knife-edge n . p_to' = 0                      rolling   n . r - radius = 0, d . p_to' + radius phi_to' = 0
//   constraint force                              -lambda dg/dp on the point
#include "core/mechanism/Assembly.h"
#include "core/mechanism/JointTable.h"
#include "core/mechanism/Joints.h"

namespace driftless::model {

using expr::Expr;

bool rigidBody(const Mechanism& mechanism, int body)
{
    return body != kGround && mechanism.bodies[static_cast<std::size_t>(body)].kind == BodyKind::Rigid;
}

bool bothOriented(const Mechanism& mechanism, const Joint& joint)
{
    const auto oriented = [&](const Attachment& a) { return a.body == kGround || rigidBody(mechanism, a.body); };
    return oriented(joint.from) && oriented(joint.to);
}

namespace {

JointKey angleKey(const char* meaning)
{
    return {.name = "angle", .unit = "rad", .label = "direction", .meaning = meaning, .fallback = "0"};
}

JointKey turnKey()
{
    return {.name = "turn",
            .unit = "rad",
            .label = "relative angle",
            .meaning = "angle of `to` against `from` that is kept",
            .fallback = "0"};
}

Expr relativeAngle(const Assembly& a, const Joint& joint) { return a.angleOf(joint.to.body) - a.angleOf(joint.from.body); }

/// A pin, and with a weld the relative angle.
class PinForm final : public JointForm {
public:
    PinForm(bool weld, Expr turn) : weld_(weld), turn_(std::move(turn)) {}

private:
    JointRows countRows(const Mechanism& mechanism, const Joint& joint) const override
    {
        return {.holonomic = weld_ && bothOriented(mechanism, joint) ? 3 : 2};
    }
    void addRows(Assembly& a, const Joint& joint) const override
    {
        const Vector r = a.place(joint.to) - a.place(joint.from);
        const Expr lambdaX = a.addConstraint(joint, "x", r.x);
        const Expr lambdaY = a.addConstraint(joint, "y", r.y);
        if (weld_ && a.oriented(joint.from.body) && a.oriented(joint.to.body))
            a.addConstraint(joint, "angle", relativeAngle(a, joint) - turn_);
        a.addArrow(joint, {-lambdaX, -lambdaY, Expr(0)});
        a.drawPoint(joint);
    }
    Expr rateOf(const Assembly& a, const Joint& joint) const override
    {
        return expr::timeDerivative(a.angleOf(joint.to.body)) - expr::timeDerivative(a.angleOf(joint.from.body));
    }
    Expr measured(const Assembly& a, const Joint& joint, JointMeasure, const Expr&) const override
    {
        return relativeAngle(a, joint);
    }
    /// Beyond the tip of the bar that turns, as of a uniform one: twice its lever from the pin.
    std::vector<Vector> wayEnds(const Assembly& a, const Joint& joint, JointMeasure, const Expr& end) const override
    {
        const bool toGround = joint.to.body == kGround;
        const Attachment& moving = toGround ? joint.from : joint.to;
        const int still = toGround ? kGround : joint.from.body;
        const Expr beyond = Expr(kBeyondTip);
        Expr u = -beyond * moving.u, v = -beyond * moving.v;
        if (u.isZero() && v.isZero()) // a disc about the pin
            u = beyond * expr::rational(1, 2) * a.drawnRadius(moving.body);
        const Vector c = a.direction(still, toGround ? -end : end);
        const Vector r{c.x * u - c.y * v, c.y * u + c.x * v, Expr(0)}, at = a.place(joint.from) + r;
        return {at, at + expr::rational(1, 100) * Vector{-r.y, r.x, Expr(0)}};
    }

    static constexpr double kBeyondTip = 2.15; ///< of the lever
    bool weld_;
    Expr turn_;
};

class SliderForm final : public JointForm {
public:
    struct Stated {
        Expr angle, turn;
        bool turns = false; ///< the sliding body may rotate
        std::array<double, 2> drawn;
    };
    explicit SliderForm(Stated stated) : stated_(std::move(stated)) {}

private:
    /// On a point mass the line keeps its direction on the ground, and so does the body that slides on it. A line of a body
    /// that slides on a point of the ground keeps it, too.
    bool locks(const Joint& joint, bool fromIsRigid, bool toIsRigid) const
    {
        return !stated_.turns && (toIsRigid || (fromIsRigid && joint.to.body == kGround));
    }
    JointRows countRows(const Mechanism& mechanism, const Joint& joint) const override
    {
        return {.holonomic = locks(joint, rigidBody(mechanism, joint.from.body), rigidBody(mechanism, joint.to.body)) ? 2 : 1};
    }
    void addRows(Assembly& a, const Joint& joint) const override
    {
        const Vector from = a.place(joint.from), to = a.place(joint.to), d = a.direction(joint.from.body, stated_.angle);
        const Vector normal{-d.y, d.x, Expr(0)};
        const bool locked = locks(joint, a.rigid(joint.from.body), a.rigid(joint.to.body));
        const Expr lambda = a.addConstraint(joint, locked ? "normal" : "", dot(normal, to - from));
        if (locked)
            a.addConstraint(joint, "angle", relativeAngle(a, joint) - stated_.turn);
        a.addArrow(joint, (-lambda) * normal);
        a.drawRail(joint, stated_.drawn, d);
        a.draw(VisualKind::Slider, joint.name, {to, to + d});
    }
    Expr rateOf(const Assembly& a, const Joint& joint) const override
    {
        return expr::timeDerivative(measure(a, joint, JointMeasure::Displacement));
    }
    Expr measured(const Assembly& a, const Joint& joint, JointMeasure, const Expr&) const override
    {
        const Vector r = a.place(joint.to) - a.place(joint.from);
        return dot(a.direction(joint.from.body, stated_.angle), r);
    }
    bool turnsAside() const override { return stated_.turns; }
    Vector slidesAlong(const Assembly& a, const Joint& joint) const override
    {
        return a.direction(joint.from.body, stated_.angle);
    }
    std::vector<Vector> wayEnds(const Assembly& a, const Joint& joint, JointMeasure, const Expr& end) const override
    {
        const Vector d = slidesAlong(a, joint), at = a.place(joint.from) + end * d;
        return {at, at + expr::rational(1, 100) * d}; // within what is seen
    }

    Stated stated_;
};

class GearForm final : public JointForm {
public:
    GearForm(Expr ratio, Expr phase, int carrier) : ratio_(std::move(ratio)), phase_(std::move(phase)), carrier_(carrier) {}

private:
    JointRows countRows(const Mechanism&, const Joint&) const override { return {.holonomic = 1}; }
    void addRows(Assembly& a, const Joint& joint) const override
    {
        const Expr base = a.angleOf(carrier_);
        a.addConstraint(joint, "", a.angleOf(joint.to.body) - base - ratio_ * (a.angleOf(joint.from.body) - base) - phase_);
    }

    Expr ratio_, phase_;
    int carrier_; ///< the body against which both wheels turn
};

class RackForm final : public JointForm {
public:
    RackForm(Expr radius, Expr angle, Expr phase)
        : radius_(std::move(radius)), angle_(std::move(angle)), phase_(std::move(phase))
    {
    }

private:
    JointRows countRows(const Mechanism&, const Joint&) const override { return {.holonomic = 1}; }
    void addRows(Assembly& a, const Joint& joint) const override
    {
        const Vector d{expr::cos(angle_), expr::sin(angle_), Expr(0)};
        const Expr advance = dot(d, a.place(joint.to) - a.place(joint.from));
        const Expr lambda = a.addConstraint(joint, "", advance - radius_ * a.angleOf(joint.from.body) - phase_);
        a.addArrow(joint, (-lambda) * d);
    }

    Expr radius_, angle_, phase_;
};

class KnifeEdgeForm final : public JointForm {
public:
    explicit KnifeEdgeForm(Expr angle) : angle_(std::move(angle)) {}

private:
    JointRows countRows(const Mechanism&, const Joint&) const override { return {.nonholonomic = 1}; }
    void addRows(Assembly& a, const Joint& joint) const override
    {
        const Vector along = a.direction(joint.to.body, angle_);
        const Vector normal{-along.y, along.x, Expr(0)}, p = a.place(joint.to);
        const Expr mu = a.addConstraint(joint, "", dot(normal, model::rateOf(p)), false);
        a.addArrow(joint, (-mu) * normal);
        a.draw(VisualKind::Pin, joint.name, {p});
    }

    Expr angle_;
};

/// A disc on a line of the plane, on the left of its direction: n . d = r, and the point of contact rests.
class DiscForm final : public JointForm {
public:
    DiscForm(PlacedExpr radius, Expr angle, std::array<double, 2> drawn)
        : radius_(std::move(radius)), angle_(std::move(angle)), drawn_(drawn)
    {
    }

private:
    JointRows countRows(const Mechanism&, const Joint&) const override { return {.holonomic = 1, .nonholonomic = 1}; }
    void addRows(Assembly& a, const Joint& joint) const override
    {
        const Vector along = a.direction(joint.from.body, angle_), normal{-along.y, along.x, Expr(0)};
        const Vector from = a.place(joint.from), to = a.place(joint.to);
        const Expr& r = radius_.value;
        const Expr lambda = a.addConstraint(joint, "contact", dot(normal, to - from) - r);
        const Expr slip = dot(along, model::rateOf(to)) + r * a.v(joint.to.body, 2);
        const Expr mu = a.addConstraint(joint, "roll", slip, false);
        a.addArrow(joint, (-lambda) * normal - mu * along);
        a.drawRail(joint, drawn_, along);
    }
    void addRequirements(const Joint& joint, std::vector<Requirement>& out) const override
    {
        out.push_back(aboveZero(radius_, "radius", "joint " + joint.name, "what rolls is round"));
    }

    PlacedExpr radius_;
    Expr angle_;
    std::array<double, 2> drawn_;
};

std::unique_ptr<const JointForm> readSlider(const JointTable& table, Joint& joint)
{
    SliderForm::Stated stated;
    needTurned(table, joint.to.body == kGround ? joint.from : joint.to);
    stated.drawn = table.rail();
    stated.angle = table.moving("angle");
    stated.turn = table.constant("turn");
    stated.turns = table.flag("turns");
    return std::make_unique<SliderForm>(std::move(stated));
}

JointEntry sliderEntry(const char* word)
{
    const JointKey turns{.name = "turns",
                         .type = JointKeyType::Flag,
                         .label = "may turn",
                         .meaning = "whether the body on the line may turn: a pin in a slot",
                         .fallback = "false"};
    const bool slider = std::string_view(word) == "slider";
    const JointKey angle = angleKey("direction of the line in the frame of `from`; may depend on `t`");
    return {.word = word,
            .dimensions = 2,
            .meaning = slider ? "a point on a line" : "a displacement",
            .freedom = JointFreedom::Displacement,
            .mark = JointMark::Rail,
            .keys = slider ? endsAnd({angle, turns, drawnKey(), turnKey()}) : endsAnd({angle, drawnKey(), turnKey()}),
            .rows =
                slider
                    ? "`NAME`: n . r with n across the line; if `turns` is false and `to` is rigid, or `from` is and `to` is "
                      "the ground, the rows are `NAME.normal` "
                      "and `NAME.angle`: angle of `to` - angle of `from` - turn; a point mass and the ground have the angle 0"
                    : "as a slider that does not turn",
            .example = "[[joint]]\nname = \"rail\"\nkind = \"" + std::string(word)
                       + "\"\nfrom = { body = \"ground\", at = [0, 0.5] }\nto = \"arm\"\nangle = \"pi/6\"\n"
                       + (slider ? "turns = true\n" : "turn = 0.2\n") + "drawn = [-1, 2]\n",
            .read = readSlider};
}

std::unique_ptr<const JointForm> readGear(const JointTable& table, Joint& joint)
{
    table.needBothRigid(joint, "a wheel has an angle");
    Expr ratio = table.constant("ratio"), phase = table.constant("phase");
    int carrier = kGround;
    if (const TomlValue* stated = table.reader().find("carrier")) {
        carrier = table.context().neededBody(*stated, table.where(), "carrier");
        if (table.context().isPoint(carrier))
            table.refuseAt("carrier", "The carrier is a point mass", "both wheels turn against its angle", "make it rigid");
    }
    return std::make_unique<GearForm>(std::move(ratio), std::move(phase), carrier);
}

std::unique_ptr<const JointForm> readRack(const JointTable& table, Joint& joint)
{
    Expr angle = table.moving("angle");
    table.needRigid(joint.from, "from", "the wheel has an angle");
    Expr radius = table.constant("radius"), phase = table.constant("phase");
    return std::make_unique<RackForm>(std::move(radius), std::move(angle), std::move(phase));
}

std::unique_ptr<const JointForm> readKnifeEdge(const JointTable& table, Joint& joint)
{
    Expr angle = table.constant("angle");
    table.needRigid(joint.to, "to", "an edge has a direction");
    if (joint.to.body == kGround)
        table.refuseAt("to", "The ground does not move", "", "name a body");
    return std::make_unique<KnifeEdgeForm>(std::move(angle));
}

std::unique_ptr<const JointForm> readDisc(const JointTable& table, Joint& joint)
{
    const std::array<double, 2> drawn = table.rail();
    Expr angle = table.moving("angle");
    needRolls(table, joint);
    Expr radius = table.constant("radius");
    return std::make_unique<DiscForm>(PlacedExpr{std::move(radius), joint.position}, std::move(angle), drawn);
}

} // namespace

void needTurned(const JointTable& table, const Attachment& end)
{
    if (table.states("turn") && table.context().isPoint(end.body))
        table.refuseAt("turn", "\"" + table.context().body(end.body).name + "\" is a point mass",
                       "it has no angle that could be kept", "leave \"turn\" out, or make the body rigid");
}

void needRolls(const JointTable& table, const Joint& joint)
{
    table.needRigid(joint.to, "to", "a point mass does not roll");
    if (joint.to.body == kGround)
        table.refuseAt("to", "The ground does not roll", "", "name the body that rolls in \"to\"");
    if (joint.from.body != kGround)
        table.refuseAt("from", "The body rolls on the ground only", "", "write from = \"ground\"");
    if (!(joint.to.u.isZero() && joint.to.v.isZero() && joint.to.w.isZero()))
        table.refuseAt("to", "A body rolls about its centre of mass", "\"to\" names another point", "leave \"at\" out");
}

JointEntry pinJoint(const char* word)
{
    const bool pin = std::string_view(word) == "pin";
    return {.word = word,
            .dimensions = 2,
            .meaning = "a turn",
            .freedom = JointFreedom::Angle,
            .mark = JointMark::Point,
            .keys = endsAnd({}),
            .rows = pin ? "`NAME.x`: r_x, `NAME.y`: r_y" : "as a pin",
            .example = "[[joint]]\nname = \"hinge\"\nkind = \"" + std::string(word)
                       + "\"\nfrom = { body = \"crank\", at = [0.5, 0] }\nto = { body = \"arm\", at = [-0.5, 0] }\n",
            .read = [](const JointTable&, Joint&) -> std::unique_ptr<const JointForm> {
                return std::make_unique<PinForm>(false, Expr(0));
            }};
}

JointEntry weldJoint(const char* word)
{
    const bool weld = std::string_view(word) == "weld";
    return {.word = word,
            .dimensions = 2,
            .meaning = "no motion",
            .freedom = JointFreedom::None,
            .mark = JointMark::Point,
            .keys = endsAnd({turnKey()}),
            .rows =
                weld ? "as a pin; between rigid bodies or the ground also `NAME.angle`: angle of `to` - angle of `from` - turn"
                     : "as a weld",
            .example =
                "[[joint]]\nname = \"seam\"\nkind = \"" + std::string(word)
                + "\"\nfrom = { body = \"crank\", at = [0.5, 0] }\nto = { body = \"arm\", at = [-0.5, 0] }\nturn = \"pi/4\"\n",
            .read = [](const JointTable& table, Joint& joint) -> std::unique_ptr<const JointForm> {
                needTurned(table, joint.from);
                needTurned(table, joint.to);
                return std::make_unique<PinForm>(true, table.constant("turn"));
            }};
}

JointEntry sliderJoint() { return sliderEntry("slider"); }
JointEntry planePrismaticJoint() { return sliderEntry("prismatic"); }

JointEntry gearJoint(const char* word)
{
    const JointKey ratio{.name = "ratio",
                         .label = "ratio",
                         .meaning = "turns of `to` for one of `from`, negative where they mesh outside",
                         .remedy = "write ratio = \"-r1/r2\", the turns of \"to\" for one of \"from\""};
    const JointKey phase{.name = "phase",
                         .unit = "rad",
                         .label = "phase",
                         .meaning = "angle of `to` where that of `from` is zero",
                         .fallback = "0"};
    const JointKey carrier{.name = "carrier",
                           .type = JointKeyType::Body,
                           .label = "carrier",
                           .meaning = "the body against which both wheels turn",
                           .fallback = "the ground"};
    return {.word = word,
            .dimensions = 2,
            .meaning = "a ratio of angles",
            .keys = endsAnd({ratio, phase, carrier}),
            .rows = "`NAME`: (angle of `to` - c) - ratio (angle of `from` - c) - phase, c the angle of the carrier",
            .example = "[[joint]]\nname = \"teeth\"\nkind = \"" + std::string(word)
                       + "\"\nfrom = \"crank\"\nto = \"wheel\"\nratio = -2\nphase = 0.1\ncarrier = \"arm\"\n",
            .read = readGear};
}

JointEntry rackJoint()
{
    const JointKey radius{
        .name = "radius", .unit = "m", .label = "radius", .meaning = "of the wheel", .remedy = "write radius = 0.1"};
    const JointKey phase{.name = "phase",
                         .unit = "m",
                         .label = "phase",
                         .meaning = "advance where the angle of the wheel is zero",
                         .fallback = "0"};
    std::vector<JointKey> keys{endKey("from", "the wheel, rigid"), endKey("to", "the rack"), radius,
                               angleKey("direction of the rack on the ground; may depend on `t`"), phase};
    return {.word = "rack",
            .dimensions = 2,
            .meaning = "a ratio of angle and displacement",
            .keys = std::move(keys),
            .rows = "`NAME`: d . r - radius (angle of `from`) - phase, d along the rack",
            .example = "[[joint]]\nname = \"teeth\"\nkind = \"rack\"\nfrom = \"wheel\"\nto = \"bead\"\nradius = 0.2\nangle = "
                       "\"pi/2\"\nphase = 0.1\n",
            .read = readRack};
}

JointEntry knifeEdgeJoint()
{
    JointKey to = endKey("to", "the body, rigid, with the point of the edge");
    to.label = "body";
    return {.word = "knife-edge",
            .dimensions = 2,
            .meaning = "no velocity across an edge",
            .keys = {to, angleKey("direction of the edge in the body")},
            .rows = "nonholonomic, `NAME`: the velocity of the point across the edge",
            .example =
                "[[joint]]\nname = \"blade\"\nkind = \"knife-edge\"\nto = { body = \"arm\", at = [0.3, 0] }\nangle = 0.1\n",
            .read = readKnifeEdge};
}

JointEntry planeRollingJoint()
{
    const JointKey radius{
        .name = "radius", .unit = "m", .label = "radius", .meaning = "of the disc, above zero", .remedy = "write radius = 0.1"};
    std::vector<JointKey> keys{endKey("from", "the ground, with a point of the line"),
                               endKey("to", "a rigid disc, on the left of the line's direction"), radius,
                               angleKey("direction of the line; may depend on `t`"), drawnKey()};
    return {.word = "rolling",
            .dimensions = 2,
            .meaning = "rolling without slip",
            .keys = std::move(keys),
            .rows = "`NAME.contact`: n . r - radius; nonholonomic `NAME.roll`: velocity of the point of contact along the line",
            .example = "[[joint]]\nname = \"tread\"\nkind = \"rolling\"\nfrom = { body = \"ground\", at = [0, -0.2] }\nto = "
                       "\"wheel\"\nradius = 0.2\nangle = 0.1\ndrawn = [-2, 2]\n",
            .read = readDisc};
}

} // namespace driftless::model
