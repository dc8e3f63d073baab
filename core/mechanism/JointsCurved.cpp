// A curve that is not passed: a hill, a bowl.
//
//   curved-wall   F(u, t) >= 0, u = R^T (p_to - p_from) in the frame of `from`
//                 n = grad F / |grad F| to the side where the body is, d = (n_y, -n_x) along the curve
//                 force on the point -lambda grad F, N = -lambda |grad F|; friction as that of a wall
//
// A disc whose centre keeps to F = 0 touches at -radius n from its centre: F then is the curve of the centre, which is the
// curve that is seen, moved by the radius.
#include "core/mechanism/Assembly.h"
#include "core/mechanism/ContactKeys.h"
#include "core/mechanism/Joints.h"
#include "core/mechanism/SurfaceReader.h"

namespace driftless::model {

using expr::Expr;

namespace {

class CurvedWallForm final : public JointForm {
public:
    struct Stated {
        Expr curve; ///< F over the local symbols, t, p
        std::vector<VisualPoint> path;
        PlacedExpr radius;
        Rebound rebound;
        Rubbing rubbing;
    };
    explicit CurvedWallForm(Stated stated) : stated_(std::move(stated)) {}

private:
    JointRows countRows(const Mechanism&, const Joint&) const override { return {.oneSided = stated_.rubbing.stated ? 2 : 1}; }
    void addRows(Assembly& a, const Joint& joint) const override
    {
        const int base = joint.from.body;
        const Vector origin = a.place(joint.from), u = a.local(base, a.place(joint.to) - origin);
        const std::array<Expr, 3>& symbols = localSymbols();
        const expr::Substitution at{{*symbols[0].symbol(), u.x}, {*symbols[1].symbol(), u.y}};
        const auto slope = [&](std::size_t k) {
            return expr::substitute(expr::derivative(stated_.curve, *symbols[k].symbol()), at);
        };
        const Expr F = expr::substitute(stated_.curve, at);
        const Vector gradient{slope(0), slope(1), Expr(0)};
        // |grad F| on the curve, where F and with it the rate of F^2 are zero; it does not vanish in the middle of a bowl.
        const Expr steepness = expr::sqrt(dot(gradient, gradient) + square(F));
        const Expr lambda = a.addOneSided(joint, "", F, true, contactOf(stated_.rebound, steepness));
        const Vector normal = a.turned(base, gradient);
        Vector force = (-lambda) * normal;
        if (stated_.rubbing.stated) {
            const Vector d = (Expr(1) / steepness) * Vector{normal.y, -normal.x, Expr(0)};
            const Expr mu =
                a.addRubbing(joint, slipAlong(a, joint, d, stated_.radius.value), steepness * stated_.rubbing.friction.value,
                             steepness * stated_.rubbing.sticking.value);
            force = force + (-mu) * d;
        }
        a.addArrow(joint, force);
        std::vector<Vector> line;
        for (const VisualPoint& p : stated_.path)
            line.push_back(origin + a.turned(base, {p.x, p.y, p.z}));
        if (line.size() > 1)
            a.draw(VisualKind::Curve, joint.name, line);
    }
    void addRequirements(const Joint& joint, std::vector<Requirement>& out) const override
    {
        requireRebound(stated_.rebound, joint, out);
        requireRubbing(stated_.rubbing, joint, out);
        out.push_back(notNegative(stated_.radius, joint));
    }

    Stated stated_;
};

} // namespace

JointEntry curvedWallJoint()
{
    const JointKey curve{.name = "curve",
                         .label = "curve 0 <=",
                         .meaning =
                             "zero on the curve and above zero where the point of `to` may be, over `x` and `y` in the frame "
                             "of `from`, parameters and `t`",
                         .remedy = "write curve = \"y - x^2\", an expression that is above zero on the side of the body"};
    const JointKey radius{.name = "radius",
                          .unit = "m",
                          .label = "radius",
                          .meaning = "of a disc about the point of `to`, for its friction: `curve` is then that of its centre",
                          .fallback = "0"};
    const JointKey path{.name = "path",
                        .type = JointKeyType::Path,
                        .label = "path",
                        .meaning = "the line that is drawn: `{ x, y, from, to }` over `s`",
                        .fallback = "not drawn"};
    return {.word = "curved-wall",
            .meaning = "a curve that is not passed: a hill, a bowl",
            .keys = endsAnd(andRubbing(andRebound({curve, radius, path}))),
            .rows =
                "while it is touched `NAME`: that expression at the point of `to`; with friction while it sticks `NAME.slip`: "
                "the velocity of slip",
            .example = "[[joint]]\nname = \"bowl\"\nkind = \"curved-wall\"\nfrom = \"ground\"\nto = \"bead\"\n"
                       "curve = \"y - x^2 + 5\"\nradius = 0\nrestitution = 0.8\nrest = 1e-3\nfriction = 0.3\nsticking = 0.4\n"
                       "path = { x = \"s\", y = \"s^2 - 5\", from = -2, to = 2 }\n",
            .read = [](const JointTable& table, Joint&) -> std::unique_ptr<const JointForm> {
                return std::make_unique<CurvedWallForm>(
                    CurvedWallForm::Stated{.curve = readSurfaces(table, "curve").front(),
                                           .path = readPath(table),
                                           .radius = table.placed("radius", table.context().parameters),
                                           .rebound = readRebound(table),
                                           .rubbing = readRubbing(table)});
            }};
}

} // namespace driftless::model
