// A joint that holds a point of a body at a height above a point of the ground: y_to - y_from - height = 0, the force upwards.
#include "core/mechanism/Assembly.h"
#include "core/mechanism/JointTable.h"
#include "core/mechanism/Joints.h"

namespace driftless::model {
namespace {

using expr::Expr;

class LevelForm final : public JointForm {
public:
    explicit LevelForm(Expr height) : height_(std::move(height)) {}

private:
    JointRows countRows(const Mechanism&, const Joint&) const override { return {.holonomic = 1}; }
    void addRows(Assembly& a, const Joint& joint) const override
    {
        const Vector r = a.place(joint.to) - a.place(joint.from);
        const Expr lambda = a.addConstraint(joint, "", r.y - height_);
        a.addArrow(joint, {Expr(0), -lambda, Expr(0)});
        a.drawPoint(joint);
    }

    Expr height_; // [m]
};

std::unique_ptr<const JointForm> readLevel(const JointTable& table, Joint& joint)
{
    if (joint.from.body != kGround)
        table.refuseAt("from", "A level is counted from the ground", "a body's own height changes", "write from = \"ground\"");
    return std::make_unique<LevelForm>(table.moving("height"));
}

} // namespace

JointEntry levelJoint()
{
    const JointKey height{.name = "height",
                          .unit = "m",
                          .label = "height",
                          .meaning = "of `to` above `from`; may depend on `t`",
                          .fallback = "0"};
    return {.word = "level",
            .dimensions = 2,
            .meaning = "a height that is held",
            .keys = endsAnd({height}),
            .rows = "`NAME`: r_y - height",
            .example = "[[joint]]\nname = \"shelf\"\nkind = \"level\"\nfrom = { body = \"ground\", at = [0, 0.5] }\nto = "
                       "{ body = \"arm\", at = [-0.5, 0] }\nheight = 0.1\n",
            .read = readLevel};
}

} // namespace driftless::model
