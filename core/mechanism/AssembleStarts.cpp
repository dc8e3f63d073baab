// What is fixed at the start, as rows that hold there alone.
//
//   joint    the expression that a prescribed motion would use; rate less the stated one
//   point    r_k less the stated coordinate
//   body     w less the stated angular velocity, along the body's axes
#include "core/mechanism/Assembly.h"
#include "core/text/TableReader.h"

namespace driftless::model {

using expr::Expr;

void Assembly::addStart(const StatedStart& stated)
{
    if (stated.joint >= 0) {
        const Joint& at = joint(stated.joint);
        if (stated.value)
            addStartRow(stated, "value", at.form->drive(*this, at, stated.measure, stated.value->value), true);
        if (stated.rate)
            addStartRow(stated, "rate", at.form->rate(*this, at) - stated.rate->value, false);
    } else if (stated.point) {
        const Vector r = place(*stated.point);
        const std::pair<const char*, Expr> parts[] = {{"x", r.x}, {"y", r.y}, {"z", r.z}};
        for (std::size_t k = 0; k < 3; ++k)
            if (stated.coordinates[k])
                addStartRow(stated, parts[k].first, parts[k].second - stated.coordinates[k]->value, true);
    } else if (stated.body != kGround) {
        const Vector w = mechanism_.space ? bodyAngularVelocity(stated.body) : angularVelocity(stated.body);
        if (mechanism_.space) {
            addStartRow(stated, "x", w.x - stated.angularVelocity[0], false);
            addStartRow(stated, "y", w.y - stated.angularVelocity[1], false);
        }
        addStartRow(stated, "z", w.z - stated.angularVelocity[2], false);
    } else {
        if (stated.value)
            addStartRow(stated, "position", stated.value->value, true);
        if (stated.rate)
            addStartRow(stated, "velocity", stated.rate->value, false);
    }
}

void Assembly::addStartRow(const StatedStart& stated, const std::string& part, const Expr& row, bool onPositions)
{
    Constraint c;
    c.name = stated.name + '.' + part;
    c.joint = stated.name;
    c.holonomic = onPositions;
    c.g = row;
    c.multiplier = *expr::variable(c.name + ".start").symbol();
    c.position = stated.position;
    bool binds = false;
    for (const Coordinate& a : system_.coordinates) {
        const Expr slope = expr::derivative(row, onPositions ? a.q : a.v);
        if (slope.isZero())
            continue;
        binds = true;
        for (const Coordinate& b : system_.coordinates)
            if (!onPositions && expr::dependsOn(slope, b.v))
                refuse(stated.position, "The relation is not linear in the velocities", stated.name, "",
                       "write it as a sum of velocities times functions of the positions");
    }
    if (!binds)
        refuse(stated.position, "The relation fixes nothing", stated.name,
               onPositions ? "no coordinate occurs in it" : "no velocity occurs in it", "");
    for (const std::string& name : [this] {
             std::vector<std::string> others;
             for (const DynamicVariable& d : mechanism_.general.dynamics)
                 others.push_back(d.name);
             for (const Effort& e : mechanism_.general.efforts)
                 others.push_back(e.name);
             return others;
         }())
        if (expr::dependsOn(row, *expr::variable(name, 0).symbol()))
            refuse(stated.position, "The relation depends on " + name, stated.name, "it fixes positions or velocities",
                   "write it over coordinates and velocities");
    system_.startRows.push_back(std::move(c));
}

} // namespace driftless::model
