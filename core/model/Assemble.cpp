// From a mechanism to its equations.
//
//   point of a rigid body   p = (x + u cos a - v sin a, y + u sin a + v cos a)
//   generalised force       Q_i = dp/dq_i . F  of a force F at p
//   viscous joint friction  Q_i = -c w dw/dv_i, w the joint's rate, linear in v; power -c w^2
//   spring-damper           F = -(k (l - l0) + c l') r / l on the point it ends at, r from the other
//   constraint force        -lambda dg/dp on the point
#include "core/model/Mechanism.h"

namespace driftless::model {

namespace {

using expr::Expr;
using expr::Symbol;

struct Point {
    Expr x, y;
};

Point operator-(const Point& a, const Point& b)
{
    return {a.x - b.x, a.y - b.y};
}

Expr dot(const Point& a, const Point& b)
{
    return a.x * b.x + a.y * b.y;
}

Expr half(const Expr& e)
{
    return expr::rational(1, 2) * e;
}

class Assembler {
public:
    explicit Assembler(const Mechanism& mechanism) : mechanism_(mechanism) {}

    ConstrainedSystem assemble()
    {
        system_.parameters = mechanism_.parameters;
        for (const Body& body : mechanism_.bodies)
            addBody(body);
        for (const GeneralCoordinate& c : mechanism_.general.coordinates)
            addGeneralCoordinate(c);
        startFromChart();
        forces_.resize(system_.coordinates.size());
        ends_.resize(mechanism_.bodies.size());
        for (const Joint& joint : mechanism_.joints)
            addJoint(joint);
        for (const Force& force : mechanism_.forces)
            addForce(force);
        addGeneral(mechanism_.general, system_, forces_, potential_, power_);
        if (mechanism_.general.lagrangian)
            addLagrangian(*mechanism_.general.lagrangian, system_, forces_, kinetic_, potential_, power_);
        finishConstraints(system_, power_);
        for (const std::vector<Expr>& terms : forces_)
            system_.force.push_back(expr::sum(terms));
        system_.kinetic = expr::sum(kinetic_);
        system_.potential = expr::sum(potential_);
        system_.power = expr::sum(power_);
        system_.chart = mechanism_.chart;
        for (std::size_t b = 0; b < mechanism_.bodies.size(); ++b)
            drawBody(static_cast<int>(b));
        system_.visuals.insert(system_.visuals.begin(), bodyVisuals_.begin(), bodyVisuals_.end());
        if (mechanism_.general.basis) {
            changeVelocities(*mechanism_.general.basis, system_);
            velocitiesFromChart();
        }
        return std::move(system_);
    }

private:
    const Coordinate& coordinate(int body, int k) const
    {
        return system_.coordinates[static_cast<std::size_t>(mechanism_.bodies[static_cast<std::size_t>(body)].first + k)];
    }
    bool rigid(int body) const
    {
        return body != kGround && mechanism_.bodies[static_cast<std::size_t>(body)].kind == BodyKind::Rigid;
    }
    Expr q(int body, int k) const { return expr::symbol(coordinate(body, k).q); }
    std::string bodyName(int body) const
    {
        return body == kGround ? "ground" : mechanism_.bodies[static_cast<std::size_t>(body)].name;
    }
    Expr angleOf(int body) const { return rigid(body) ? q(body, 2) : Expr(0); }
    /// A body has an orientation of its own: rigid bodies and the ground.
    bool oriented(int body) const { return body == kGround || rigid(body); }

    /// (u, v) turned by the angle of the body.
    Point turned(int body, const Expr& u, const Expr& v) const
    {
        if (!rigid(body))
            return {u, v};
        const Expr a = q(body, 2);
        return {u * expr::cos(a) - v * expr::sin(a), u * expr::sin(a) + v * expr::cos(a)};
    }
    Point place(const Attachment& at) const
    {
        if (at.body == kGround)
            return {at.u, at.v};
        const Point offset = turned(at.body, at.u, at.v);
        return {q(at.body, 0) + offset.x, q(at.body, 1) + offset.y};
    }
    static Point velocity(const Point& p) { return {expr::timeDerivative(p.x), expr::timeDerivative(p.y)}; }

    void addCoordinate(const Body& body, int k)
    {
        Coordinate c;
        c.name = coordinateName(body, k);
        c.body = body.name;
        c.unit = k == 2 ? "rad" : "m";
        c.q = *expr::variable(c.name, 0).symbol();
        c.v = *expr::variable(c.name, 1).symbol();
        c.a = *expr::variable(c.name, 2).symbol();
        c.rate = expr::symbol(c.v);
        const char* const words[] = {"horizontal position of ", "vertical position of ", "angle of "};
        setStart(body.start[static_cast<std::size_t>(k)], words[k] + body.name, body.position, c);
        system_.coordinates.push_back(std::move(c));
    }

    static void setStart(const CoordinateStart& start, const std::string& words, const SourcePosition& position, Coordinate& c)
    {
        c.position = {.name = c.name, .unit = c.unit, .description = words,
                      .position = start.position ? start.position->position : position};
        c.velocity = {.name = c.name + "'", .unit = c.unit + "/s", .description = "rate of the " + words,
                      .position = start.velocity ? start.velocity->position : position};
        c.positionStatus = start.positionFixed ? InitialStatus::Fixed : InitialStatus::Guess;
        c.velocityStatus = start.velocityFixed ? InitialStatus::Fixed : InitialStatus::Guess;
        if (start.position)
            c.positionStart = start.position->value;
        if (start.velocity)
            c.velocityStart = start.velocity->value;
    }

    void addGeneralCoordinate(const GeneralCoordinate& stated)
    {
        Coordinate c;
        c.name = stated.name;
        c.body = stated.body;
        c.unit = stated.unit;
        c.q = *expr::variable(c.name, 0).symbol();
        c.v = *expr::variable(c.name, 1).symbol();
        c.a = *expr::variable(c.name, 2).symbol();
        c.rate = expr::symbol(c.v);
        setStart(stated.start, "coordinate " + stated.name, stated.position, c);
        const int i = system_.n();
        if (!stated.mass.value.isZero()) {
            system_.mass.push_back({i, i, stated.mass.value});
            kinetic_.push_back(half(stated.mass.value * expr::pow(c.rate, Expr(2))));
        }
        system_.coordinates.push_back(std::move(c));
    }

    void addBody(const Body& body)
    {
        for (int k = 0; k < body.coordinateCount(); ++k) {
            addCoordinate(body, k);
            const Expr& inertia = k == 2 ? body.inertia.value : body.mass.value;
            const Expr v = expr::symbol(system_.coordinates.back().v);
            system_.mass.push_back({body.first + k, body.first + k, inertia});
            kinetic_.push_back(half(inertia * expr::pow(v, Expr(2))));
        }
    }

    expr::Substitution chartAtStart() const
    {
        expr::Substitution start;
        for (std::size_t i = 0; i < mechanism_.chartStarts.size(); ++i) {
            const ChartCoordinate& c = mechanism_.chart->coordinates[i];
            const ChartStart& s = mechanism_.chartStarts[i];
            start.emplace(c.s, s.position ? s.position->value : Expr(0));
            start.emplace(c.ds, s.velocity ? s.velocity->value : Expr(0));
        }
        start.emplace(*expr::time().symbol(), Expr(0));
        return start;
    }

    /// q = map(s0), v = d/dt map along s0' where the chart states the start.
    void startFromChart()
    {
        if (mechanism_.chartStarts.empty())
            return;
        const expr::Substitution start = chartAtStart();
        for (std::size_t i = 0; i < system_.coordinates.size(); ++i) {
            const Expr& map = mechanism_.chart->map[i];
            system_.coordinates[i].positionStart = expr::substitute(map, start);
            system_.coordinates[i].velocityStart = expr::substitute(expr::timeDerivative(map), start);
        }
    }

    void velocitiesFromChart()
    {
        if (mechanism_.chartStarts.empty())
            return;
        const expr::Substitution start = chartAtStart();
        for (std::size_t i = 0; i < system_.coordinates.size(); ++i)
            system_.coordinates[i].velocityStart = expr::substitute(system_.chart->velocity[i], start);
    }

    Expr addConstraint(const Joint& joint, const std::string& part, const Expr& g)
    {
        Constraint c;
        c.name = part.empty() ? joint.name : joint.name + '.' + part;
        c.joint = joint.name;
        c.bodies = {bodyName(joint.from.body), bodyName(joint.to.body)};
        c.g = g;
        const Expr multiplier = expr::variable(joint.name + (part.empty() ? ".lambda" : ".lambda_" + part));
        c.multiplier = *multiplier.symbol();
        c.position = joint.position;
        system_.constraints.push_back(std::move(c));
        return multiplier;
    }

    void addJoint(const Joint& joint)
    {
        noteEnd(joint.from);
        noteEnd(joint.to);
        switch (joint.kind) {
        case JointKind::Rod: addRod(joint); break;
        case JointKind::Slider: addSlider(joint); break;
        case JointKind::Pin:
        case JointKind::Weld: addPin(joint); break;
        }
    }

    void addRod(const Joint& joint)
    {
        const Point a = place(joint.from), b = place(joint.to), r = b - a;
        const Expr lambda = addConstraint(joint, "", expr::pow(r.x, Expr(2)) + expr::pow(r.y, Expr(2))
                                                         - expr::pow(joint.length.value, Expr(2)));
        addArrow(joint, {Expr(-2) * lambda * r.x, Expr(-2) * lambda * r.y});
        draw(VisualKind::Rod, joint.name, {a, b});
        for (const Attachment* end : {&joint.from, &joint.to})
            if (end->body == kGround)
                draw(VisualKind::GroundPin, joint.name, {place(*end)});
    }

    void addPin(const Joint& joint)
    {
        const Point a = place(joint.from), b = place(joint.to), r = b - a;
        const Expr lambdaX = addConstraint(joint, "x", r.x);
        const Expr lambdaY = addConstraint(joint, "y", r.y);
        if (joint.kind == JointKind::Weld && oriented(joint.from.body) && oriented(joint.to.body))
            addConstraint(joint, "angle", angleOf(joint.to.body) - angleOf(joint.from.body) - joint.turn);
        addArrow(joint, {-lambdaX, -lambdaY});
        const bool grounded = joint.from.body == kGround || joint.to.body == kGround;
        draw(grounded ? VisualKind::GroundPin : VisualKind::Pin, joint.name, {joint.from.body == kGround ? a : b});
    }

    Point railDirection(const Joint& joint) const
    {
        return turned(joint.from.body, expr::cos(joint.angle), expr::sin(joint.angle));
    }

    void addSlider(const Joint& joint)
    {
        const Point a = place(joint.from), b = place(joint.to), d = railDirection(joint);
        const Point normal{-d.y, d.x};
        const bool locked = !joint.turns && rigid(joint.to.body) && oriented(joint.from.body);
        const Expr lambda = addConstraint(joint, locked ? "normal" : "", dot(normal, b - a));
        if (locked)
            addConstraint(joint, "angle", angleOf(joint.to.body) - angleOf(joint.from.body) - joint.turn);
        addArrow(joint, {-lambda * normal.x, -lambda * normal.y});
        const auto along = [&](double s) { return Point{a.x + Expr(s) * d.x, a.y + Expr(s) * d.y}; };
        draw(VisualKind::SliderRail, joint.name, {along(joint.drawn[0]), along(joint.drawn[1])});
        draw(VisualKind::Slider, joint.name, {b, {b.x + d.x, b.y + d.y}});
    }

    /// The force of a joint on the body it leads to, or the opposite one on the first body where that is the ground.
    void addArrow(const Joint& joint, const Point& onTo)
    {
        const bool toGround = joint.to.body == kGround;
        const Point at = place(toGround ? joint.from : joint.to);
        const Point force = toGround ? Point{-onTo.x, -onTo.y} : onTo;
        system_.arrows.push_back({joint.name, {at.x, at.y, Expr(0)}, {force.x, force.y, Expr(0)}});
    }

    /// Adds the generalised forces of a force F at the attachment.
    void apply(const Attachment& at, const Point& force)
    {
        if (at.body == kGround)
            return;
        const auto first = static_cast<std::size_t>(mechanism_.bodies[static_cast<std::size_t>(at.body)].first);
        forces_[first].push_back(force.x);
        forces_[first + 1].push_back(force.y);
        if (!rigid(at.body))
            return;
        const Point r = turned(at.body, at.u, at.v);
        forces_[first + 2].push_back(r.x * force.y - r.y * force.x);
    }

    void addForce(const Force& force)
    {
        switch (force.kind) {
        case ForceKind::Gravity: addGravity(force); break;
        case ForceKind::SpringDamper: addSpring(force); break;
        case ForceKind::JointFriction: addFriction(force); break;
        case ForceKind::Applied: addApplied(force); break;
        }
    }

    void addGravity(const Force& force)
    {
        for (const int b : force.bodies) {
            const Expr& m = mechanism_.bodies[static_cast<std::size_t>(b)].mass.value;
            apply({b, Expr(0), Expr(0)}, {m * force.x, m * force.y});
            potential_.push_back(-(m * (force.x * q(b, 0) + force.y * q(b, 1))));
        }
    }

    void addSpring(const Force& force)
    {
        const Point a = place(force.from), b = place(force.to), r = b - a;
        const Expr square = expr::pow(r.x, Expr(2)) + expr::pow(r.y, Expr(2));
        draw(VisualKind::Spring, force.name, {a, b});
        Expr pull; // magnitude / length: F = -pull r
        if (force.length.isZero()) {
            pull = force.stiffness;
            potential_.push_back(half(force.stiffness * square));
        } else {
            const Expr length = expr::sqrt(square);
            pull = force.stiffness * (length - force.length) / length;
            potential_.push_back(half(force.stiffness * expr::pow(length - force.length, Expr(2))));
        }
        if (!force.damping.isZero()) {
            const Expr stretch = dot(r, velocity(r)); // l l'
            pull = pull + force.damping * stretch / square;
            power_.push_back(-(force.damping * expr::pow(stretch, Expr(2)) / square));
        }
        apply(force.to, {-(pull * r.x), -(pull * r.y)});
        apply(force.from, {pull * r.x, pull * r.y});
    }

    /// The rate that viscous friction in the joint opposes: linear in the velocities.
    Expr jointRate(const Joint& joint) const
    {
        if (joint.kind == JointKind::Pin)
            return expr::timeDerivative(angleOf(joint.to.body)) - expr::timeDerivative(angleOf(joint.from.body));
        const Point r = place(joint.to) - place(joint.from), rate = velocity(r);
        if (joint.kind == JointKind::Rod)
            return (r.x * rate.y - r.y * rate.x) / expr::pow(joint.length.value, Expr(2));
        const Point d = railDirection(joint);
        return expr::timeDerivative(dot(d, r)); // position along the rail
    }

    void addFriction(const Force& force)
    {
        const Joint& joint = mechanism_.joints[static_cast<std::size_t>(force.joint)];
        const Expr rate = jointRate(joint);
        for (const int b : {joint.from.body, joint.to.body}) {
            if (b == kGround)
                continue;
            const Body& body = mechanism_.bodies[static_cast<std::size_t>(b)];
            for (int k = 0; k < body.coordinateCount(); ++k) {
                const Expr lever = expr::derivative(rate, coordinate(b, k).v);
                if (!lever.isZero())
                    forces_[static_cast<std::size_t>(body.first + k)].push_back(-(force.coefficient * rate * lever));
            }
        }
        power_.push_back(-(force.coefficient * expr::pow(rate, Expr(2))));
    }

    void addApplied(const Force& force)
    {
        const Point v = velocity(place(force.to));
        apply(force.to, {force.x, force.y});
        power_.push_back(force.x * v.x + force.y * v.y);
        if (force.torque.isZero())
            return;
        const Body& body = mechanism_.bodies[static_cast<std::size_t>(force.to.body)];
        forces_[static_cast<std::size_t>(body.first + 2)].push_back(force.torque);
        power_.push_back(force.torque * expr::timeDerivative(q(force.to.body, 2)));
    }

    static Visual visual(VisualKind kind, const std::string& owner, std::initializer_list<Point> points)
    {
        Visual out;
        out.kind = kind;
        out.owner = owner;
        for (const Point& p : points)
            out.points.push_back({p.x, p.y, Expr(0)});
        return out;
    }
    void draw(VisualKind kind, const std::string& owner, std::initializer_list<Point> points)
    {
        system_.visuals.push_back(visual(kind, owner, points));
    }

    /// Remembers the first two different points where joints hold a body: a bar is drawn between them.
    void noteEnd(const Attachment& end)
    {
        if (!rigid(end.body))
            return;
        std::vector<Attachment>& ends = ends_[static_cast<std::size_t>(end.body)];
        const bool known = !ends.empty() && ends[0].u.sameAs(end.u) && ends[0].v.sameAs(end.v);
        if (ends.size() < 2 && !known)
            ends.push_back(end);
    }

    void drawBody(int b)
    {
        const Body& body = mechanism_.bodies[static_cast<std::size_t>(b)];
        const auto at = [&](const Expr& u, const Expr& v) { return place({b, u, v}); };
        const Point centre{q(b, 0), q(b, 1)};
        const std::vector<Expr>& n = body.shape.numbers;
        switch (body.kind == BodyKind::Point ? ShapeKind::Automatic : body.shape.kind) {
        case ShapeKind::Bar:
            bodyVisuals_.push_back(visual(VisualKind::RigidBar, body.name, {at(n[0], n[1]), at(n[2], n[3])}));
            return;
        case ShapeKind::Disc:
            bodyVisuals_.push_back(visual(VisualKind::RigidDisc, body.name, {centre, at(n[0], Expr(0))}));
            return;
        case ShapeKind::Block:
            bodyVisuals_.push_back(visual(VisualKind::RigidBlock, body.name, {centre, at(half(n[0]), Expr(0))}));
            bodyVisuals_.back().size2 = body.shape.aspect;
            return;
        case ShapeKind::Automatic: break;
        }
        if (body.kind == BodyKind::Point) {
            bodyVisuals_.push_back(visual(VisualKind::PointMass, body.name, {centre}));
            return;
        }
        const std::vector<Attachment>& ends = ends_[static_cast<std::size_t>(b)];
        if (ends.size() >= 2)
            bodyVisuals_.push_back(visual(VisualKind::RigidBar, body.name, {place(ends[0]), place(ends[1])}));
        else if (ends.size() == 1 && !(ends[0].u.isZero() && ends[0].v.isZero()))
            bodyVisuals_.push_back(visual(VisualKind::RigidBar, body.name, {place(ends[0]), at(-ends[0].u, -ends[0].v)}));
        else // the uniform disc of the same mass and inertia: J = m r^2 / 2
            bodyVisuals_.push_back(visual(VisualKind::RigidDisc, body.name,
                                          {centre, at(expr::sqrt(Expr(2) * body.inertia.value / body.mass.value), Expr(0))}));
    }

    const Mechanism& mechanism_;
    ConstrainedSystem system_;
    std::vector<std::vector<Expr>> forces_;
    std::vector<Expr> kinetic_, potential_, power_;
    std::vector<Visual> bodyVisuals_;
    std::vector<std::vector<Attachment>> ends_; // by body
};

} // namespace

std::string coordinateName(const Body& body, int k)
{
    const char* const names[] = {".x", ".y", ".angle"};
    return body.name + names[k];
}

ConstrainedSystem assemble(const Mechanism& mechanism)
{
    return Assembler(mechanism).assemble();
}

} // namespace driftless::model
