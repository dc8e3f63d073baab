// A joint: its two ends, and what its kind states besides and makes of them.
//
// Each kind of joint is one entry (JointEntry.h) that reads a form; a form holds the data of one joint and gives its
// constraint rows, its force, its drawing and the rate that friction and actuators act along.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "core/expr/Expr.h"
#include "core/system/Model.h"

namespace driftless::model {

class Assembly;
struct Joint;
struct JointEntry;
struct Mechanism;
struct Vector;

constexpr int kGround = -1;

/// A point fixed to a body: local coordinates from its centre of mass, or ground coordinates.
struct Attachment {
    int body = kGround;
    expr::Expr u, v, w;
};

struct JointRows {
    int holonomic = 0, nonholonomic = 0;
    int oneSided = 0; ///< in force by the mode; a link that may break is also among the others
};

/// What a joint measures: an angle [rad] or a displacement [m].
enum class JointMeasure { Angle, Displacement };

class JointForm {
public:
    virtual ~JointForm() = default;

    /// How many constraints it adds.
    JointRows rows(const Mechanism& mechanism, const Joint& joint) const { return countRows(mechanism, joint); }
    /// Adds its constraints, the arrow of its force and its drawing.
    void add(Assembly& assembly, const Joint& joint) const { addRows(assembly, joint); }
    /// The rate that friction and actuators act along, linear in the velocities; of kinds whose entry says that it exists.
    expr::Expr rate(const Assembly& assembly, const Joint& joint) const { return rateOf(assembly, joint); }
    /// Angle or displacement of `to` against `from`; in space an angle within half a turn of `about`. Of kinds that have it.
    expr::Expr measure(const Assembly& assembly, const Joint& joint, JointMeasure what, const expr::Expr& about = {}) const
    {
        return measured(assembly, joint, what, about);
    }
    /// An expression that is zero where the measure has the value.
    expr::Expr drive(const Assembly& assembly, const Joint& joint, JointMeasure what, const expr::Expr& value) const
    {
        return driven(assembly, joint, what, value);
    }
    /// Whether what slides along it may turn, too.
    bool leavesTurn() const { return turnsAside(); }
    /// Of what slides: the direction of its way, in ground components.
    Vector axis(const Assembly& assembly, const Joint& joint) const;
    /// Where the scene draws an end of its way, at this measure: a point, and another one along the way; empty where the joint
    /// does not say.
    std::vector<Vector> endOfWay(const Assembly& assembly, const Joint& joint, JointMeasure what, const expr::Expr& end) const;
    /// Conditions on its parameters.
    void require(const Joint& joint, std::vector<Requirement>& out) const { addRequirements(joint, out); }

private:
    virtual JointRows countRows(const Mechanism& mechanism, const Joint& joint) const = 0;
    virtual void addRows(Assembly& assembly, const Joint& joint) const = 0;
    virtual expr::Expr rateOf(const Assembly& assembly, const Joint& joint) const;
    virtual expr::Expr measured(const Assembly& assembly, const Joint& joint, JointMeasure what, const expr::Expr& about) const;
    virtual expr::Expr driven(const Assembly& assembly, const Joint& joint, JointMeasure what, const expr::Expr& value) const;
    virtual bool turnsAside() const { return false; }
    virtual Vector slidesAlong(const Assembly& assembly, const Joint& joint) const;
    virtual std::vector<Vector> wayEnds(const Assembly& assembly, const Joint& joint, JointMeasure what,
                                        const expr::Expr& end) const;
    virtual void addRequirements(const Joint& joint, std::vector<Requirement>& out) const;
};

struct Joint {
    std::string name;
    Attachment from, to;
    SourcePosition position;
    const JointEntry* entry = nullptr; ///< its kind
    std::unique_ptr<const JointForm> form;
};

} // namespace driftless::model
