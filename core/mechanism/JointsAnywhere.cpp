// Joints of the plane and of space.
//
//   rod      |r|^2 - length^2 = 0       curve, surface   F(u, t) = 0, u = R^T r the point of to in the frame of from
//   motion   an angle or a displacement of another joint - value = 0
//   constraint force                    -lambda dg/dp on the point
#include "core/mechanism/Assembly.h"
#include "core/mechanism/JointTable.h"
#include "core/mechanism/Joints.h"
#include "core/mechanism/SurfaceReader.h"
#include "core/text/Names.h"

namespace driftless::model {

using expr::Expr;

namespace {

class RodForm final : public JointForm {
public:
    explicit RodForm(PlacedExpr length) : length_(std::move(length)) {}

private:
    JointRows countRows(const Mechanism&, const Joint&) const override { return {.holonomic = 1}; }
    void addRows(Assembly& a, const Joint& joint) const override
    {
        const Vector from = a.place(joint.from), to = a.place(joint.to), r = to - from;
        const Expr lambda = a.addConstraint(joint, "", square(r.x) + square(r.y) + square(r.z) - square(length_.value));
        a.addArrow(joint, (Expr(-2) * lambda) * r);
        a.draw(VisualKind::Rod, joint.name, {from, to});
        for (const Attachment* end : {&joint.from, &joint.to})
            if (end->body == kGround)
                a.draw(VisualKind::GroundPin, joint.name, {a.place(*end)});
    }
    /// Of its direction, in the plane.
    Expr rateOf(const Assembly& a, const Joint& joint) const override
    {
        const Vector r = a.place(joint.to) - a.place(joint.from), rate = model::rateOf(r);
        return (r.x * rate.y - r.y * rate.x) / square(length_.value);
    }
    void addRequirements(const Joint& joint, std::vector<Requirement>& out) const override
    {
        out.push_back(aboveZero(length_, "length", "joint " + joint.name, "a rod between its ends has a length"));
    }

    PlacedExpr length_; ///< [m], over t and p
};

class SurfaceForm final : public JointForm {
public:
    SurfaceForm(std::vector<Expr> surfaces, std::vector<VisualPoint> path)
        : surfaces_(std::move(surfaces)), path_(std::move(path))
    {
    }

private:
    JointRows countRows(const Mechanism&, const Joint&) const override
    {
        return {.holonomic = static_cast<int>(surfaces_.size())};
    }
    void addRows(Assembly& a, const Joint& joint) const override
    {
        const int base = joint.from.body;
        const Vector offset = a.place(joint.to) - a.place(joint.from), u = a.local(base, offset);
        const std::array<Expr, 3>& symbols = localSymbols();
        const expr::Substitution at{{*symbols[0].symbol(), u.x}, {*symbols[1].symbol(), u.y}, {*symbols[2].symbol(), u.z}};
        Vector force;
        for (std::size_t i = 0; i < surfaces_.size(); ++i) {
            const Expr& F = surfaces_[i];
            const Expr lambda =
                a.addConstraint(joint, surfaces_.size() > 1 ? std::to_string(i + 1) : "", expr::substitute(F, at));
            const auto slope = [&](std::size_t k) { return expr::substitute(expr::derivative(F, *symbols[k].symbol()), at); };
            force = force - lambda * a.turned(base, {slope(0), slope(1), slope(2)});
        }
        a.addArrow(joint, force);
        std::vector<Vector> line;
        const Vector origin = a.place(joint.from);
        for (const VisualPoint& p : path_)
            line.push_back(origin + a.turned(base, {p.x, p.y, p.z}));
        if (line.size() > 1)
            a.draw(VisualKind::Curve, joint.name, line);
        a.draw(VisualKind::Pin, joint.name, {a.place(joint.to)});
    }

    std::vector<Expr> surfaces_;    ///< F over the local symbols, t, p
    std::vector<VisualPoint> path_; ///< of the drawn line, in the frame of from
};

/// Its ends are those of the joint that it drives.
class MotionForm final : public JointForm {
public:
    MotionForm(int driven, JointMeasure measure, Expr value) : driven_(driven), measure_(measure), value_(std::move(value)) {}

private:
    JointRows countRows(const Mechanism&, const Joint&) const override { return {.holonomic = 1}; }
    void addRows(Assembly& a, const Joint& joint) const override
    {
        const Joint& driven = a.joint(driven_);
        const Expr g = driven.form->drive(a, driven, measure_, value_), lambda = a.addConstraint(joint, "", g);
        if (measure_ == JointMeasure::Displacement)
            a.addArrow(joint, (joint.to.body == kGround ? lambda : -lambda) * a.slopeAtCentre(joint, g));
    }

    int driven_; ///< index of the joint
    JointMeasure measure_;
    Expr value_; ///< over t, p [rad] or [m]
};

void needDriven(const JointTable& table, const Joint& driven)
{
    const JointEntry& entry = *driven.entry;
    const bool rod = entry.key("length") != nullptr;
    if (!entry.turns() && !entry.slides())
        table.refuseAt("joint", "The joint \"" + driven.name + "\" cannot be driven",
                       rod ? "a rod that changes its length states it itself" : "a motion needs one turn or one displacement",
                       rod ? "write length = \"...\" over t in the rod"
                           : "name a pin, a slider, a revolute, prismatic or cylindrical joint");
    if (!entry.slides() && (table.context().isPoint(driven.from.body) || table.context().isPoint(driven.to.body)))
        table.refuseAt("joint", "The joint \"" + driven.name + "\" holds a point mass", "a point mass does not rotate",
                       "make the body rigid");
}

std::string measureRemedy(const JointEntry& entry)
{
    if (entry.freedom == JointFreedom::Both)
        return "write of = \"angle\" or of = \"displacement\"";
    return entry.turns() ? "write of = \"angle\"" : "write of = \"displacement\"";
}

std::unique_ptr<const JointForm> readMotion(const JointTable& table, Joint& joint)
{
    const MechanismContext& context = table.context();
    const int index = context.findJoint(table.reader());
    const Joint& driven = context.joint(index);
    joint.from = driven.from;
    joint.to = driven.to;
    needDriven(table, driven);
    const JointEntry& entry = *driven.entry;
    const std::string of = table.reader().text("of", entry.freedom == JointFreedom::Angle ? "angle" : "displacement", 16);
    if (entry.freedom == JointFreedom::Both && !table.states("of"))
        refuse(table.reader().position(), "The motion of a cylindrical joint has two kinds", table.where(), "",
               measureRemedy(entry));
    if (!(of == "angle" && entry.turns()) && !(of == "displacement" && entry.slides()))
        table.refuseAt("of", "The joint \"" + driven.name + "\" has no \"" + text::shortened(of) + "\"", "",
                       measureRemedy(entry));
    return std::make_unique<MotionForm>(index, of == "angle" ? JointMeasure::Angle : JointMeasure::Displacement,
                                        table.moving("value"));
}

} // namespace

JointEntry rodJoint(int dimensions)
{
    const bool space = dimensions == 3;
    const JointKey length{.name = "length",
                          .unit = "m",
                          .label = "length",
                          .meaning = "above zero; may depend on `t`",
                          .remedy = "write length = 1.0, in m"};
    return {.word = "rod",
            .dimensions = dimensions,
            .meaning = "a distance",
            .freedom = space ? JointFreedom::Other : JointFreedom::Direction,
            .mark = JointMark::Line,
            .keys = endsAnd({length}),
            .rows = space ? "`NAME`: d_x^2 + d_y^2 + d_z^2 - length^2" : "`NAME`: r_x^2 + r_y^2 - length^2",
            .example = "[[joint]]\nname = \"link\"\nkind = \"rod\"\nfrom = { body = \"ground\", at = "
                       + std::string(space ? "[0, 0, 1]" : "[0, 1]") + " }\nto = \"bead\"\nlength = \"1 + 0.1*sin(t)\"\n",
            .read = [](const JointTable& table, Joint&) -> std::unique_ptr<const JointForm> {
                return std::make_unique<RodForm>(table.placed("length", table.context().prescribed));
            }};
}

JointEntry curveJoint(int dimensions)
{
    const bool space = dimensions == 3;
    JointKey curve{.name = "curve",
                   .type = space ? JointKeyType::Surfaces : JointKeyType::Expression,
                   .label = space ? "surfaces 0 =" : "curve 0 =",
                   .meaning =
                       space ? "two surfaces that meet in it, over `x`, `y`, `z` in the frame of `from`, parameters and `t`"
                             : "zero on the curve, over `x` and `y` in the frame of `from`, parameters and `t`",
                   .remedy = "write curve = \"y - x^2\", an expression that is zero on it"};
    JointKey path{.name = "path",
                  .type = JointKeyType::Path,
                  .label = "path",
                  .meaning = space ? "the line that is drawn: `{ x, y, z, from, to }` over `s`"
                                   : "the line that is drawn: `{ x, y, from, to }` over `s`",
                  .fallback = "not drawn"};
    return {.word = "curve",
            .dimensions = dimensions,
            .meaning = "a point on a curve",
            .keys = endsAnd({std::move(curve), std::move(path)}),
            .rows = space ? "`NAME.1`, `NAME.2`: both at the point of `to`" : "`NAME`: that expression at the point of `to`",
            .example =
                "[[joint]]\nname = \"wire\"\nkind = \"curve\"\nfrom = \"ground\"\nto = \"bead\"\ncurve = "
                + std::string(space ? "[\"z - x^2\", \"y\"]\npath = { x = \"s\", y = 0, z = \"s^2\", from = -1, to = 1 }\n"
                                    : "\"y - x^2\"\npath = { x = \"s\", y = \"s^2\", from = -1, to = 1 }\n"),
            .read = [](const JointTable& table, Joint&) -> std::unique_ptr<const JointForm> {
                std::vector<Expr> surfaces = readSurfaces(table, "curve");
                return std::make_unique<SurfaceForm>(std::move(surfaces), readPath(table));
            }};
}

JointEntry surfaceJoint()
{
    const JointKey surface{.name = "surface",
                           .label = "surface 0 =",
                           .meaning = "zero on the surface, over `x`, `y`, `z` in the frame of `from`, parameters and `t`",
                           .remedy = "write surface = \"y - x^2\", an expression that is zero on it"};
    return {
        .word = "surface",
        .dimensions = 3,
        .meaning = "a point on a surface",
        .keys = endsAnd({surface}),
        .rows = "`NAME`: that expression at the point of `to`",
        .example =
            "[[joint]]\nname = \"bowl\"\nkind = \"surface\"\nfrom = \"ground\"\nto = \"bead\"\nsurface = \"z - x^2 - y^2\"\n",
        .read = [](const JointTable& table, Joint&) -> std::unique_ptr<const JointForm> {
            return std::make_unique<SurfaceForm>(readSurfaces(table, "surface"), std::vector<VisualPoint>{});
        }};
}

JointEntry motionJoint(int dimensions)
{
    const bool space = dimensions == 3;
    const JointKey joint{.name = "joint",
                         .type = JointKeyType::Joint,
                         .label = "joint",
                         .meaning = space ? "a revolute, prismatic or cylindrical joint" : "a pin or a slider",
                         .remedy = "write joint = \"...\""};
    const JointKey value{.name = "value",
                         .label = "value over t",
                         .meaning = "angle [rad] or displacement [m]; may depend on `t`",
                         .remedy = "write value = \"2*t\""};
    const JointKey of{.name = "of",
                      .type = JointKeyType::Choice,
                      .label = "of",
                      .meaning = space ? "which of them; to be stated for a cylindrical joint" : "which of them",
                      .fallback = "what the joint has",
                      .choices = {"angle", "displacement"}};
    return {.word = "motion",
            .dimensions = dimensions,
            .meaning = "a prescribed motion",
            .keys = {joint, value, of},
            .rows = space ? "`NAME`: sin(angle - value), or a . d - value"
                          : "`NAME`: angle of `to` - angle of `from` - value, or the place along the rail - value",
            .example =
                std::string("[[joint]]\nname = \"hinge\"\nkind = \"revolute\"\nfrom = \"ground\"\nto = \"crank\"\n")
                + "\n[[joint]]\nname = \"drive\"\nkind = \"motion\"\njoint = \"hinge\"\nvalue = \"2*t\"\nof = \"angle\"\n",
            .read = readMotion};
}

} // namespace driftless::model
