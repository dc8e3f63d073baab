// What the parts of the assembler share: the equations so far, and where the points of bodies are.
//
//   point of a body      p = r + R u                R of the plane angle, of the quaternion or of three angles
//   generalised force    Q_i = dp/dq_i . F          of a force F at p
//                        Q_i = F dw/dv_i            of an effort F along a rate w that is linear in v
#pragma once

#include <array>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/mechanism/Rotation.h"

namespace driftless::model {

class Assembly {
public:
    explicit Assembly(const Mechanism& mechanism) : mechanism_(mechanism) {}
    ConstrainedSystem assemble();

    // What the forms of joints are made of.
    const Body& body(int b) const { return mechanism_.bodies[static_cast<std::size_t>(b)]; }
    const Joint& joint(int j) const { return mechanism_.joints[static_cast<std::size_t>(j)]; }
    const Coordinate& coordinate(int b, int k) const
    {
        return system_.coordinates[static_cast<std::size_t>(body(b).first + k)];
    }
    expr::Expr q(int b, int k) const { return expr::symbol(coordinate(b, k).q); }
    expr::Expr v(int b, int k) const { return expr::symbol(coordinate(b, k).v); }
    bool rigid(int b) const { return b != kGround && body(b).kind == BodyKind::Rigid; }
    /// A body has an orientation of its own: rigid bodies and the ground.
    bool oriented(int b) const { return b == kGround || rigid(b); }
    std::string bodyName(int b) const { return b == kGround ? "ground" : body(b).name; }
    /// Plane.
    expr::Expr angleOf(int b) const { return rigid(b) ? q(b, 2) : expr::Expr(0); }

    Vector turned(int b, const Vector& u) const; ///< R u
    Vector local(int b, const Vector& a) const;  ///< R^T a
    Vector centre(int b) const;
    Vector place(const Attachment& at) const;
    Vector angularVelocity(int b) const;     ///< in ground components
    Vector bodyAngularVelocity(int b) const; ///< along the body's axes; space
    /// Adds g = 0 and returns its multiplier; part tells the rows of one joint apart.
    expr::Expr addConstraint(const Joint& joint, const std::string& part, const expr::Expr& g, bool holonomic = true);
    /// Adds a row that is in force by the mode, and returns its multiplier; what says how it acts, without the row itself.
    expr::Expr addOneSided(const Joint& joint, const std::string& part, const expr::Expr& g, bool holonomic, OneSided what);
    /// Friction of the one-sided row added last: slip is a velocity, friction and grip the coefficients for each unit of its
    /// multiplier. Returns the multiplier of sticking.
    expr::Expr addRubbing(const Joint& joint, const expr::Expr& slip, const expr::Expr& friction, const expr::Expr& grip,
                          const std::string& part = "slip");
    /// The constraint added last, the only one of its joint, breaks where load exceeds strength.
    void addBreaking(const expr::Expr& strength, const expr::Expr& load);
    /// The force of a joint on the body it leads to, or the opposite one on the first body where that is the ground.
    void addArrow(const Joint& joint, const Vector& onTo);
    void addArrowAt(const Joint& joint, const Vector& at, const Vector& force);
    /// dg/d(centre) of the body that the joint leads to, or of the first one where that is the ground.
    Vector slopeAtCentre(const Joint& joint, const expr::Expr& g) const;
    /// Plane: (cos, sin) of an angle in the frame of a body, in ground components.
    Vector direction(int b, const expr::Expr& angle) const;
    /// Space: normals and axis of a joint in ground components; turns: how its frame stands against the body's.
    std::array<Vector, 3> frame(int b, const std::array<double, 3>& axis, std::span<const Turn> turns = {}) const;
    /// Plane: of the uniform disc of the same mass and inertia, J = m r^2 / 2.
    expr::Expr drawnRadius(int b) const { return expr::sqrt(expr::Expr(2) * body(b).inertia.value / body(b).mass.value); }
    void draw(VisualKind kind, const std::string& owner, const std::vector<Vector>& points);
    void drawPoint(const Joint& joint);
    void drawRail(const Joint& joint, const std::array<double, 2>& ends, const Vector& along);

private:
    Vector lever(const Attachment& at) const { return {at.u, at.v, at.w}; }
    void addBody(int b);
    void addCoordinate(int b, int k);
    void addGeneralCoordinate(const GeneralCoordinate& stated);
    void addRotation(int b);
    expr::Substitution chartAtStart() const;
    void startFromChart();
    void velocitiesFromChart();
    void addNorm(int b);

    // AssembleJoints.cpp
    void addJoint(const Joint& joint);
    Constraint constraintOf(const Joint& joint, const std::string& part, const expr::Expr& g, bool holonomic) const;
    void noteEnd(const Attachment& end);

    // AssembleForces.cpp
    void apply(const Attachment& at, const Vector& force);
    void applyAlong(std::initializer_list<int> bodies, const expr::Expr& effort, const expr::Expr& rate);
    expr::Expr byBodies(std::initializer_list<int> bodies, const expr::Expr& rate) const;
    void addForce(const Force& force);
    void addGravity(const Force& force);
    void addSpring(const Force& force);
    void addFriction(const Force& force);
    void addApplied(const Force& force);
    void addTorsion(const Force& force);
    void addActuator(const Force& force);
    void addGravitation(const Force& force);

    // AssembleOutputs.cpp
    void addOutput(const StatedOutput& stated);
    void addStart(const StatedStart& stated);
    void addStartRow(const StatedStart& stated, const std::string& part, const expr::Expr& row, bool onPositions);
    void addComponents(const StatedOutput& stated, const Vector& value, const std::string& unit);

    // AssembleVisuals.cpp
    static Visual visual(VisualKind kind, const std::string& owner, const std::vector<Vector>& points);
    void drawBody(int b);
    void drawSpaceBody(int b);
    void turnUp(); ///< z up to the scene's y up

    const Mechanism& mechanism_;
    ConstrainedSystem system_;
    std::vector<Rotation> rotations_; ///< by body
    std::vector<std::vector<expr::Expr>> forces_;
    std::vector<expr::Expr> kinetic_, potential_, power_;
    std::vector<Visual> bodyVisuals_;
    std::vector<std::vector<Attachment>> ends_; ///< by body
};

inline expr::Expr half(const expr::Expr& e) { return expr::rational(1, 2) * e; }
inline expr::Expr square(const expr::Expr& e) { return expr::pow(e, expr::Expr(2)); }

} // namespace driftless::model
