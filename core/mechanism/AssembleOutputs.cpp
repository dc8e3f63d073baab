// What sensors measure, as expressions.
//
//   position in a frame       R^T (r - centre of the frame's body)
//   velocity, acceleration    R^T r', R^T r'': against the ground, along the axes of the frame
#include "core/mechanism/Assembly.h"
#include "core/mechanism/JointEntry.h"
#include "core/system/Quantity.h"

namespace driftless::model {

using expr::Expr;

void Assembly::addOutput(const StatedOutput& stated)
{
    const auto add = [&](const Expr& value, const std::string& unit) {
        system_.outputs.push_back(
            {stated.name, stated.unit.empty() ? unit : stated.unit, stated.description, value, stated.position});
    };
    switch (stated.kind) {
    case OutputKind::Expression:
        add(Expr(0), ""); // readOutputExpressions
        break;
    case OutputKind::Position:
        addComponents(stated, stated.frame == kGround ? place(stated.to) : place(stated.to) - centre(stated.frame), "m");
        break;
    case OutputKind::Velocity: {
        const Vector at = place(stated.to), velocity = rateOf(at);
        addComponents(stated, velocity, "m/s");
        system_.velocities.push_back({stated.name, {at.x, at.y, at.z}, {velocity.x, velocity.y, velocity.z}});
        break;
    }
    case OutputKind::Acceleration:
        addComponents(stated, rateOf(rateOf(place(stated.to))), "m/s^2");
        break;
    case OutputKind::Distance: {
        const Vector r = place(stated.to) - place(stated.from);
        add(expr::sqrt(dot(r, r)), "m");
        break;
    }
    case OutputKind::Measure:
        add(joint(stated.joint).form->measure(*this, joint(stated.joint), stated.measure),
            stated.measure == JointMeasure::Angle ? "rad" : "m");
        break;
    case OutputKind::Rate: {
        const Joint& at = joint(stated.joint);
        add(at.form->rate(*this, at), at.entry->turns() || at.entry->freedom == JointFreedom::Direction ? "rad/s" : "m/s");
        break;
    }
    case OutputKind::AngularVelocity:
        if (mechanism_.space)
            addComponents(stated, angularVelocity(stated.body), "rad/s");
        else
            add(angularVelocity(stated.body).z, "rad/s");
        break;
    case OutputKind::Reaction: {
        Vector force;
        for (const ForceArrow& arrow : system_.arrows)
            if (arrow.owner == joint(stated.joint).name)
                force = force + Vector{arrow.force.x, arrow.force.y, arrow.force.z};
        addComponents(stated, force, "N");
        break;
    }
    case OutputKind::KineticEnergy:
        add(system_.kinetic, "J");
        break;
    case OutputKind::PotentialEnergy:
        add(system_.potential, "J");
        break;
    }
}

void Assembly::addComponents(const StatedOutput& stated, const Vector& value, const std::string& unit)
{
    const Vector along = stated.frame == kGround ? value : local(stated.frame, value);
    const std::pair<const char*, Expr> parts[] = {{".x", along.x}, {".y", along.y}, {".z", along.z}};
    for (std::size_t k = 0; k < (mechanism_.space ? 3U : 2U); ++k)
        system_.outputs.push_back({stated.name + parts[k].first, stated.unit.empty() ? unit : stated.unit, stated.description,
                                   parts[k].second, stated.position});
}

} // namespace driftless::model
