// Building blocks shared by the formulations, and the makers of each; the registry lists them.
#pragma once

#include <memory>
#include <vector>

#include "core/expr/Tape.h"
#include "core/formulation/Formulation.h"

namespace driftless::formulation {

/// d/dt along the motion of a constrained system: q' = v, v' = a (as symbols).
expr::RateRule motionRule(const model::ConstrainedSystem& system);

/// Unknowns with their start values taken from the model state.
Unknown positionUnknown(const model::Coordinate& c, bool differential);
Unknown velocityUnknown(const model::Coordinate& c, bool differential);
Unknown accelerationUnknown(const model::Coordinate& c);
Unknown multiplierUnknown(const model::Constraint& c, int indexOrder);

/// der(q_i) - v_i = 0.
void addKinematicRows(const model::ConstrainedSystem& system, Dae& dae);
/// M der(v) - f + G^T lambda = 0, row by row; useAcceleration writes the symbol a in place of der(v).
void addDynamicRows(const model::ConstrainedSystem& system, bool useAcceleration, Dae& dae);

/// g, dg/dt or d2g/dt2 of constraint i; level 0, 1, 2. In level 2 the accelerations are the symbols a, or der(v).
expr::Expr constraintAtLevel(const model::ConstrainedSystem& system, int i, int level, bool useAcceleration);
Row constraintRow(const model::ConstrainedSystem& system, int i, int level, bool useAcceleration);

/// Unknowns (q, v, lambda) with q, v differential, and what they say of the model's state.
void addDescriptorUnknowns(const model::ConstrainedSystem& system, int multiplierOrder, Dae& dae);

using Maker = std::unique_ptr<const Formulation> (*)();
std::unique_ptr<const Formulation> makeStateSpace();
std::unique_ptr<const Formulation> makeIndex3();
std::unique_ptr<const Formulation> makeIndex2();
std::unique_ptr<const Formulation> makeIndex1();
std::unique_ptr<const Formulation> makeBaumgarte();
std::unique_ptr<const Formulation> makeProjection();
std::unique_ptr<const Formulation> makeGgl();
std::unique_ptr<const Formulation> makeDummyDerivatives();

} // namespace driftless::formulation
