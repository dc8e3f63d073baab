// Forces.
//
//   spring-damper        F = -(k (l - l0) + c l') r / l on the point it ends at, r from the other; or a stated tension F(l, l')
//   joint friction       Q_i = -(c w + K tanh(w / w0)) dw/dv_i, w the joint's rate, linear in v
//   torsional spring     as the spring, with the joint's angle
//   gravitation          V = -G m1 m2 / r of every pair
//
// The power of a force is sum Q_i v_i: what moves with t alone, as an end at a stated place, has no share in it. The energy of
// a spring changes by dV/dt (partial) there.
#include "core/mechanism/Assembly.h"
#include "core/mechanism/JointEntry.h"

namespace driftless::model {

using expr::Expr;

namespace {

Expr product(const Expr& a, const Expr& b) { return a.sameAs(b) ? square(a) : a * b; }

} // namespace

const Expr& Force::springLength()
{
    static const Expr symbol = expr::parameter("|l|"); // a name that no file can write
    return symbol;
}

const Expr& Force::springRate()
{
    static const Expr symbol = expr::parameter("|rate|");
    return symbol;
}

/// Adds the generalised forces of a force F at the attachment.
void Assembly::apply(const Attachment& at, const Vector& force)
{
    if (at.body == kGround)
        return;
    const Body& b = body(at.body);
    const auto first = static_cast<std::size_t>(b.first);
    forces_[first].push_back(force.x);
    forces_[first + 1].push_back(force.y);
    if (b.space)
        forces_[first + 2].push_back(force.z);
    if (!rigid(at.body))
        return;
    const Vector r = turned(at.body, lever(at));
    if (!b.space) {
        forces_[first + 2].push_back(r.x * force.y - r.y * force.x);
        return;
    }
    for (int k = 3; k < b.coordinateCount(); ++k) {
        const expr::Symbol& q = coordinate(at.body, k).q;
        forces_[first + static_cast<std::size_t>(k)].push_back(
            dot({expr::derivative(r.x, q), expr::derivative(r.y, q), expr::derivative(r.z, q)}, force));
    }
}

/// Adds Q_i = effort * drate/dv_i for the coordinates of some bodies.
void Assembly::applyAlong(std::initializer_list<int> bodies, const Expr& effort, const Expr& rate)
{
    for (const int b : bodies) {
        if (b == kGround)
            continue;
        for (int k = 0; k < body(b).coordinateCount(); ++k) {
            const Expr arm = expr::derivative(rate, coordinate(b, k).v);
            if (!arm.isZero())
                forces_[static_cast<std::size_t>(body(b).first + k)].push_back(effort * arm);
        }
    }
}

/// A rate, linear in v, without what moves with t alone.
Expr Assembly::byBodies(std::initializer_list<int> bodies, const Expr& rate) const
{
    if (!expr::dependsOn(rate, *expr::time().symbol()))
        return rate;
    expr::Substitution still;
    for (const int b : bodies)
        for (int k = 0; b != kGround && k < body(b).coordinateCount(); ++k)
            still.emplace(coordinate(b, k).v, Expr(0));
    return rate - expr::substitute(rate, still);
}

void Assembly::addForce(const Force& force)
{
    switch (force.kind) {
    case ForceKind::Gravity:
        addGravity(force);
        break;
    case ForceKind::SpringDamper:
        addSpring(force);
        break;
    case ForceKind::JointFriction:
        addFriction(force);
        break;
    case ForceKind::Applied:
        addApplied(force);
        break;
    case ForceKind::TorsionalSpring:
        addTorsion(force);
        break;
    case ForceKind::Actuator:
        addActuator(force);
        break;
    case ForceKind::Gravitation:
        addGravitation(force);
        break;
    }
}

void Assembly::addGravity(const Force& force)
{
    for (const int b : force.bodies) {
        const Expr& m = body(b).mass.value;
        apply({b, Expr(0), Expr(0), Expr(0)}, {m * force.x, m * force.y, m * force.z});
        potential_.push_back(-(m * dot({force.x, force.y, force.z}, centre(b))));
    }
}

void Assembly::addSpring(const Force& force)
{
    const Vector a = place(force.from), b = place(force.to), r = b - a;
    const Expr squared = square(r.x) + square(r.y) + square(r.z);
    draw(!force.tension && force.stiffness.isZero() ? VisualKind::Damper : VisualKind::Spring, force.name, {a, b});
    Expr pull; // magnitude / length: F = -pull r
    if (force.tension) {
        const Expr length = expr::sqrt(squared), rate = dot(r, rateOf(r)) / length;
        const Expr tension = expr::substitute(
            *force.tension, {{*Force::springLength().symbol(), length}, {*Force::springRate().symbol(), rate}});
        pull = tension / length;
        power_.push_back(-(tension * byBodies({force.from.body, force.to.body}, rate)));
    } else if (force.length.isZero()) {
        pull = force.stiffness;
        potential_.push_back(half(force.stiffness * squared));
    } else {
        const Expr length = expr::sqrt(squared);
        pull = force.stiffness * (length - force.length) / length;
        potential_.push_back(half(force.stiffness * square(length - force.length)));
    }
    if (!force.damping.isZero()) {
        const Expr stretch = dot(r, rateOf(r)); // l l'
        pull = pull + force.damping * stretch / squared;
        power_.push_back(-(force.damping * product(stretch, byBodies({force.from.body, force.to.body}, stretch)) / squared));
    }
    apply(force.to, {-(pull * r.x), -(pull * r.y), -(pull * r.z)});
    apply(force.from, {pull * r.x, pull * r.y, pull * r.z});
}

void Assembly::addFriction(const Force& force)
{
    const Joint& at = joint(force.joint);
    if (at.entry->freedom == JointFreedom::Ball) { // a moment against the relative angular velocity
        const Vector w = angularVelocity(at.to.body) - angularVelocity(at.from.body);
        for (const Expr& rate : {w.x, w.y, w.z}) {
            applyAlong({at.from.body, at.to.body}, -(force.coefficient * rate), rate);
            power_.push_back(-(force.coefficient * square(rate)));
        }
        return;
    }
    const Expr rate = at.form->rate(*this, at), own = byBodies({at.from.body, at.to.body}, rate);
    applyAlong({at.from.body, at.to.body}, -(force.coefficient * rate), rate);
    power_.push_back(-(force.coefficient * product(rate, own)));
    if (force.coulomb.isZero())
        return;
    const Expr dry = force.coulomb * expr::tanh(rate / force.speed);
    applyAlong({at.from.body, at.to.body}, -dry, rate);
    power_.push_back(-(dry * own));
}

void Assembly::addApplied(const Force& force)
{
    const int b = force.to.body;
    const bool turn = force.inBody && rigid(b);
    const Vector stated{force.x, force.y, force.z}, F = turn ? turned(b, stated) : stated;
    apply(force.to, F);
    power_.push_back(dot(F, rateOf(place(force.to))));
    if (!mechanism_.space) {
        if (force.torque.isZero())
            return;
        forces_[static_cast<std::size_t>(body(b).first + 2)].push_back(force.torque);
        power_.push_back(force.torque * expr::timeDerivative(q(b, 2)));
        return;
    }
    const Vector torque{force.torques[0], force.torques[1], force.torques[2]};
    if (torque.x.isZero() && torque.y.isZero() && torque.z.isZero())
        return;
    const Vector w = bodyAngularVelocity(b), along = turn ? torque : local(b, torque);
    for (const auto& [effort, rate] : {std::pair{along.x, w.x}, std::pair{along.y, w.y}, std::pair{along.z, w.z}}) {
        applyAlong({b}, effort, rate);
        power_.push_back(effort * rate);
    }
}

void Assembly::addTorsion(const Force& force)
{
    const Joint& at = joint(force.joint);
    const Expr rate = at.form->rate(*this, at), angle = at.form->measure(*this, at, JointMeasure::Angle),
               stretch = angle - force.length;
    potential_.push_back(half(force.stiffness * square(stretch)));
    for (const int b : {at.from.body, at.to.body}) // -dV/dq, so that energy is kept beside the manifold too
        for (int k = 0; b != kGround && k < body(b).coordinateCount(); ++k)
            if (const Expr slope = expr::derivative(angle, coordinate(b, k).q); !slope.isZero())
                forces_[static_cast<std::size_t>(body(b).first + k)].push_back(-(force.stiffness * stretch * slope));
    if (force.damping.isZero())
        return;
    applyAlong({at.from.body, at.to.body}, -(force.damping * rate), rate);
    power_.push_back(-(force.damping * product(rate, byBodies({at.from.body, at.to.body}, rate))));
}

void Assembly::addActuator(const Force& force)
{
    const Joint& at = joint(force.joint);
    const Expr rate = at.form->rate(*this, at);
    applyAlong({at.from.body, at.to.body}, force.effort, rate);
    power_.push_back(force.effort * byBodies({at.from.body, at.to.body}, rate));
}

void Assembly::addGravitation(const Force& force)
{
    for (std::size_t i = 0; i < force.bodies.size(); ++i)
        for (std::size_t j = i + 1; j < force.bodies.size(); ++j) {
            const int a = force.bodies[i], b = force.bodies[j];
            const Vector r = centre(b) - centre(a);
            const Expr squared = square(r.x) + square(r.y) + square(r.z);
            const Expr strength = force.coefficient * body(a).mass.value * body(b).mass.value;
            potential_.push_back(-(strength / expr::sqrt(squared)));
            const Vector pull = (strength / (squared * expr::sqrt(squared))) * r;
            apply({a, Expr(0), Expr(0), Expr(0)}, pull);
            apply({b, Expr(0), Expr(0), Expr(0)}, -pull);
        }
}

} // namespace driftless::model
