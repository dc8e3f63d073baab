// From a mechanism to its equations: bodies, starts and the order of it all. Joints, forces and drawings have files of their
// own.
//
//   rotation in space   T = w'^T J w' / 2, w' in the body's frame
//     quaternion        M = 4 G^T J G, f = -8 G(e')^T J G e'              Nikravesh 1988, chapter 11, from T = 2 e'^T G^T J G
//     e' angles            M = d2T/da'2, f = dT/da - d/dt (dT/da') + M a''
#include "core/mechanism/Assembly.h"

namespace driftless::model {

using expr::Expr;
using expr::Symbol;

ConstrainedSystem Assembly::assemble()
{
    system_.parameters = mechanism_.parameters;
    system_.derived = mechanism_.derived;
    system_.corners = mechanism_.corners;
    system_.knots = mechanism_.knots;
    system_.inputFiles = mechanism_.inputFiles;
    const int bodies = static_cast<int>(mechanism_.bodies.size());
    for (int b = 0; b < bodies; ++b)
        addBody(b);
    for (const GeneralCoordinate& c : mechanism_.general.coordinates)
        addGeneralCoordinate(c);
    startFromChart();
    forces_.resize(system_.coordinates.size());
    ends_.resize(mechanism_.bodies.size());
    for (int b = 0; b < bodies; ++b)
        if (body(b).space && rigid(b))
            addRotation(b);
    for (const Joint& joint : mechanism_.joints)
        addJoint(joint);
    for (int b = 0; b < bodies; ++b)
        if (body(b).orientation == Orientation::Quaternion)
            addNorm(b);
    for (const Force& force : mechanism_.forces)
        addForce(force);
    addGeneral(mechanism_.general, system_, forces_, potential_, power_);
    for (const Expr& energy : potential_)
        if (const Expr moved = expr::derivative(energy, *expr::time().symbol()); !moved.isZero())
            power_.push_back(moved);
    if (mechanism_.general.lagrangian)
        addLagrangian(*mechanism_.general.lagrangian, system_, forces_, kinetic_, potential_, power_);
    finishConstraints(system_, power_);
    for (const std::vector<Expr>& terms : forces_)
        system_.force.push_back(expr::sum(terms));
    system_.kinetic = expr::sum(kinetic_);
    system_.potential = expr::sum(potential_);
    system_.power = expr::sum(power_);
    system_.chart = mechanism_.chart;
    for (int b = 0; b < bodies; ++b)
        drawBody(b);
    system_.visuals.insert(system_.visuals.begin(), bodyVisuals_.begin(), bodyVisuals_.end());
    for (const StatedOutput& output : mechanism_.outputs)
        addOutput(output);
    for (const StatedStart& start : mechanism_.starts)
        addStart(start);
    if (mechanism_.space)
        turnUp();
    if (mechanism_.general.basis) {
        changeVelocities(*mechanism_.general.basis, system_);
        velocitiesFromChart();
    }
    return std::move(system_);
}

Vector Assembly::turned(int b, const Vector& u) const
{
    if (!rigid(b))
        return u;
    if (body(b).space)
        return rotations_[static_cast<std::size_t>(b)] * u;
    const Expr a = q(b, 2);
    return {u.x * expr::cos(a) - u.y * expr::sin(a), u.x * expr::sin(a) + u.y * expr::cos(a), Expr(0)};
}

Vector Assembly::local(int b, const Vector& a) const
{
    if (!rigid(b))
        return a;
    if (body(b).space)
        return components(rotations_[static_cast<std::size_t>(b)], a);
    const Expr c = expr::cos(q(b, 2)), s = expr::sin(q(b, 2));
    return {a.x * c + a.y * s, a.y * c - a.x * s, Expr(0)};
}

Vector Assembly::centre(int b) const { return {q(b, 0), q(b, 1), body(b).space ? q(b, 2) : Expr(0)}; }

Vector Assembly::place(const Attachment& at) const
{
    if (at.body == kGround)
        return lever(at);
    return centre(at.body) + turned(at.body, lever(at));
}

Vector Assembly::bodyAngularVelocity(int b) const
{
    if (!rigid(b))
        return {};
    if (body(b).orientation == Orientation::Quaternion)
        return bodyRate({q(b, 3), q(b, 4), q(b, 5), q(b, 6)}, {v(b, 3), v(b, 4), v(b, 5), v(b, 6)});
    // w' = R3^T R2^T u1 a1' + R3^T u2 a2' + u3 a3'
    Vector w;
    for (int k = 0; k < 3; ++k) {
        Turn turn{{}, q(b, 3 + k)};
        turn.axis[static_cast<std::size_t>(body(b).axes[static_cast<std::size_t>(k)] - 'x')] = 1;
        w = components(rotationOf(turn), w) + v(b, 3 + k) * vectorOf(turn.axis);
    }
    return w;
}

Vector Assembly::angularVelocity(int b) const
{
    if (!rigid(b))
        return {};
    if (!body(b).space)
        return {Expr(0), Expr(0), v(b, 2)};
    return turned(b, bodyAngularVelocity(b));
}

void Assembly::addBody(int b)
{
    const Body& body = this->body(b);
    Rotation rotation;
    for (int k = 0; k < body.coordinateCount(); ++k) {
        addCoordinate(b, k);
        if (k >= (body.space ? 3 : 2) && body.space)
            continue; // addRotation
        const Expr& inertia = k == 2 && !body.space ? body.inertia.value : body.mass.value;
        system_.mass.push_back({body.first + k, body.first + k, inertia});
        kinetic_.push_back(half(inertia * expr::pow(v(b, k), Expr(2))));
    }
    if (body.orientation == Orientation::Quaternion)
        rotation = rotationOf(Quaternion{q(b, 3), q(b, 4), q(b, 5), q(b, 6)});
    if (body.orientation == Orientation::Angles)
        for (int k = 0; k < 3; ++k) {
            Turn turn{{}, q(b, 3 + k)};
            turn.axis[static_cast<std::size_t>(body.axes[static_cast<std::size_t>(k)] - 'x')] = 1;
            rotation = rotation * rotationOf(turn);
        }
    rotations_.push_back(std::move(rotation));
}

void Assembly::addRotation(int b)
{
    const Body& body = this->body(b);
    const std::array<PlacedExpr, 6>& J = body.tensor;
    const auto times = [&J](const Vector& w) {
        return Vector{J[0].value * w.x + J[3].value * w.y + J[4].value * w.z,
                      J[3].value * w.x + J[1].value * w.y + J[5].value * w.z,
                      J[4].value * w.x + J[5].value * w.y + J[2].value * w.z};
    };
    const Vector w = bodyAngularVelocity(b);
    const Expr T = half(dot(w, times(w)));
    kinetic_.push_back(T);
    const int angles = body.coordinateCount() - 3;
    std::vector<Symbol> rates, positions;
    for (int k = 0; k < angles; ++k) {
        rates.push_back(coordinate(b, 3 + k).v);
        positions.push_back(coordinate(b, 3 + k).q);
    }
    // Columns of dw'/dv; M = (dw'/dv)^T J dw'/dv keeps the factors together, which differentiating T would multiply out.
    std::vector<Vector> columns;
    for (const Symbol& rate : rates)
        columns.push_back({expr::derivative(w.x, rate), expr::derivative(w.y, rate), expr::derivative(w.z, rate)});
    for (int i = 0; i < angles; ++i) {
        const Vector Jw = times(columns[static_cast<std::size_t>(i)]);
        for (int j = 0; j < angles; ++j) {
            const Expr entry = dot(Jw, columns[static_cast<std::size_t>(j)]);
            if (!entry.isZero())
                system_.mass.push_back({body.first + 3 + i, body.first + 3 + j, entry});
        }
    }
    // d/dt dT/dv_i at v' = 0, less dT/dq_i: with L = J w', sum over (dw'/dv_i)' . L + dw'/dv_i . J (w' at v' = 0)' - dw'/dq_i .
    // L.
    const expr::RateRule still = [&rates](const Symbol& s) -> std::optional<Expr> {
        for (const Symbol& rate : rates)
            if (s == rate)
                return Expr(0);
        return std::nullopt;
    };
    const auto rateAtRest = [&](const Vector& a) {
        return Vector{expr::timeDerivative(a.x, 1, still), expr::timeDerivative(a.y, 1, still),
                      expr::timeDerivative(a.z, 1, still)};
    };
    const Vector L = times(w), bias = times(rateAtRest(w));
    for (int i = 0; i < angles; ++i) {
        const Vector& column = columns[static_cast<std::size_t>(i)];
        const Symbol& position = positions[static_cast<std::size_t>(i)];
        const Vector slope{expr::derivative(w.x, position), expr::derivative(w.y, position), expr::derivative(w.z, position)};
        forces_[static_cast<std::size_t>(body.first + 3 + i)].push_back(
            -(dot(rateAtRest(column) - slope, L) + dot(column, bias)));
    }
}

void Assembly::addNorm(int b)
{
    const Body& body = this->body(b);
    Constraint c;
    c.name = body.name + ".norm";
    c.joint = c.name;
    c.bodies = {body.name};
    for (int k = 3; k < 7; ++k)
        c.g = c.g + expr::pow(q(b, k), Expr(2));
    c.g = c.g - Expr(1);
    c.multiplier = *expr::variable(c.name + ".lambda").symbol();
    c.position = body.position;
    system_.constraints.push_back(std::move(c));
}

namespace {

std::string wordsOf(const Body& body, int k)
{
    static const char* const plane[] = {"horizontal position of ", "vertical position of ", "angle of "};
    static const char* const space[] = {"x position of ", "y position of ", "z position of "};
    if (!body.space)
        return plane[k] + body.name;
    if (k < 3)
        return space[k] + body.name;
    return (body.orientation == Orientation::Quaternion ? "component " + std::to_string(k - 3) + " of the quaternion of "
                                                        : "angle " + std::to_string(k - 2) + " of ")
           + body.name;
}

std::string unitOf(const Body& body, int k)
{
    if (k < (body.space ? 3 : 2))
        return "m";
    return body.orientation == Orientation::Quaternion ? "1" : "rad";
}

void setStart(const CoordinateStart& start, const std::string& words, const SourcePosition& position, Coordinate& c)
{
    c.position = {.name = c.name,
                  .unit = c.unit,
                  .description = words,
                  .position = start.position && start.position->position.known() ? start.position->position : position};
    c.velocity = {.name = c.name + "'",
                  .unit = rateUnit(c.unit),
                  .description = "rate of the " + words,
                  .position = start.velocity && start.velocity->position.known() ? start.velocity->position : position};
    c.positionStatus = start.positionFixed ? InitialStatus::Fixed : InitialStatus::Guess;
    c.velocityStatus = start.velocityFixed ? InitialStatus::Fixed : InitialStatus::Guess;
    c.position.nominal = start.nominal;
    c.position.tolerance = start.tolerance;
    c.velocity.tolerance = start.velocityTolerance;
    if (start.position)
        c.positionStart = start.position->value;
    if (start.velocity)
        c.velocityStart = start.velocity->value;
}

Coordinate namedCoordinate(const std::string& name, const std::string& body, const std::string& unit)
{
    Coordinate c;
    c.name = name;
    c.body = body;
    c.unit = unit;
    c.q = *expr::variable(name, 0).symbol();
    c.v = *expr::variable(name, 1).symbol();
    c.a = *expr::variable(name, 2).symbol();
    c.rate = expr::symbol(c.v);
    return c;
}

} // namespace

void Assembly::addCoordinate(int b, int k)
{
    const Body& body = this->body(b);
    Coordinate c = namedCoordinate(coordinateName(body, k), body.name, unitOf(body, k));
    setStart(body.start[static_cast<std::size_t>(k)], wordsOf(body, k), body.position, c);
    if (c.unit == "1")
        c.velocity.unit = "1/s";
    system_.coordinates.push_back(std::move(c));
}

void Assembly::addGeneralCoordinate(const GeneralCoordinate& stated)
{
    Coordinate c = namedCoordinate(stated.name, stated.body, stated.unit);
    setStart(stated.start, "coordinate " + stated.name, stated.position, c);
    const int i = system_.n();
    if (!stated.mass.value.isZero()) {
        system_.mass.push_back({i, i, stated.mass.value});
        kinetic_.push_back(half(stated.mass.value * expr::pow(c.rate, Expr(2))));
    }
    system_.coordinates.push_back(std::move(c));
}

expr::Substitution Assembly::chartAtStart() const
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
void Assembly::startFromChart()
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

void Assembly::velocitiesFromChart()
{
    if (mechanism_.chartStarts.empty())
        return;
    const expr::Substitution start = chartAtStart();
    for (std::size_t i = 0; i < system_.coordinates.size(); ++i)
        system_.coordinates[i].velocityStart = expr::substitute(system_.chart->velocity[i], start);
}

std::string coordinateName(const Body& body, int k)
{
    static const char* const plane[] = {".x", ".y", ".angle"};
    static const char* const quaternion[] = {".x", ".y", ".z", ".e0", ".e1", ".e2", ".e3"};
    static const char* const angles[] = {".x", ".y", ".z", ".a1", ".a2", ".a3"};
    if (!body.space)
        return body.name + plane[k];
    return body.name + (body.orientation == Orientation::Angles ? angles : quaternion)[k];
}

ConstrainedSystem assemble(const Mechanism& mechanism) { return Assembly(mechanism).assemble(); }

} // namespace driftless::model
