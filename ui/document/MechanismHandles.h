// Numbers of a mechanism that are changed with handles in the scene: ends and radii of bodies, masses, stiffnesses, lengths at
// rest and of rods. What a table writes as a parameter is that parameter's value; an expression has no number of its own to
// change.
//
// False when refused; EditCommit::said() tells why.
#pragma once

#include <QCoreApplication>
#include <QPointF>

#include <optional>
#include <string>

#include "ui/document/EditCommit.h"

namespace driftless::ui {

/// A number of a table that a handle shows and changes.
struct EditQuantity {
    std::string id, path; ///< of the table; "mass", "stiffness", "length"
    double value = 0;
    std::string unit;
    std::string parameter;  ///< whose value it is, where the table names one
    std::string expression; ///< not empty: it has no number of its own
    double least = 0, most = 1e300;
    bool zero = false; ///< may be zero
};

class MechanismHandles {
    Q_DECLARE_TR_FUNCTIONS(MechanismHandles)
public:
    MechanismHandles(const OpenBench& open, const EditedMechanism& mechanism, EditCommit& commit);

    /// An end of a bar with what is joined there; the other end stays.
    bool moveEnd(const std::string& body, int end, QPointF to);
    bool setRadius(const std::string& body, double radius);
    /// Mass of a body, stiffness and length at rest of a spring, length of a rod. Nothing for what has no such number, and for
    /// a table that stands for many.
    std::optional<EditQuantity> quantity(const std::string& id, const std::string& path) const;
    /// Where it cannot be changed by hand a sentence is said.
    bool canSet(const EditQuantity& quantity);
    /// An inertia that is a number goes with the mass.
    bool setQuantity(const EditQuantity& quantity, double value);

private:
    const OpenBench& open_;
    const EditedMechanism& mechanism_;
    EditCommit& commit_;
};

} // namespace driftless::ui
