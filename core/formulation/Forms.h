// Building blocks shared by the formulations, and the makers of each; the registry lists them.
#pragma once

#include <memory>
#include <vector>

#include "core/expr/Tape.h"
#include "core/formulation/Formulation.h"
#include "core/system/ConstraintLevels.h"

namespace driftless::formulation {

/// Unknowns with their start values taken from the model state.
Unknown positionUnknown(const model::Coordinate& c, bool differential);
Unknown velocityUnknown(const model::Coordinate& c, bool differential);
Unknown accelerationUnknown(const model::Coordinate& c);
Unknown multiplierUnknown(const model::Constraint& c, int indexOrder);
/// A further multiplier or abbreviation, zero at the start unless start says otherwise.
Unknown auxiliaryUnknown(const std::string& name, int indexOrder, const expr::Expr& start = {});

/// Unknowns, rows and read-out of the dynamic variables and efforts.
void addExtraVariables(const model::ConstrainedSystem& system, Dae& dae);

/// der(q_i) - (Z v)_i = 0.
Row kinematicRow(const model::Coordinate& c);
void addKinematicRows(const model::ConstrainedSystem& system, Dae& dae);
/// W^T lambda, row by row; extra adds further multipliers of the same rows ("tau").
std::vector<expr::Expr> constraintForces(const model::ConstrainedSystem& system, const std::vector<expr::Expr>& multipliers);
/// M der(v) - f + W^T lambda = 0, row by row; useAcceleration writes the symbol a in place of der(v).
void addDynamicRows(const model::ConstrainedSystem& system, bool useAcceleration, Dae& dae);

/// Constraint i at level 0, 1, 2, where the accelerations are the symbols a or der(v). Nonholonomic ones begin at level 1.
expr::Expr constraintAtLevel(const model::ConstraintLevels& levels, int i, int level, bool useAcceleration);
Row constraintRow(const model::ConstraintLevels& levels, int i, int level, bool useAcceleration);
/// The rows of one level: of level 0 the holonomic ones.
void addConstraintRows(const model::ConstrainedSystem& system, int level, bool useAcceleration, Dae& dae);

/// Unknowns (q, v, lambda) with q, v differential, and what they say of the model's state.
void addDescriptorUnknowns(const model::ConstrainedSystem& system, int multiplierOrder, Dae& dae);
/// Unknowns (q, v, a, lambda) of which the rows in force say what is differential, and what they say of the model's state.
void addLocalUnknowns(const model::ConstrainedSystem& system, Dae& dae);
/// Read-out of q, v (and a, lambda) as symbols.
void readOut(const model::ConstrainedSystem& system, bool accelerations, bool multipliers, Dae& dae);

/// Symbols of a numeric basis: parameters named prefix[row,column].
Basis makeBasis(BasisKind kind, int rows, int columns, const std::string& prefix);
/// Weights of corrections of the coordinates (velocities: of those) by a multiple of constraint gradients: where lengths stand
/// beside angles, the square of the gain "length" for lengths, 1 for angles, so that the correction is the same in all units of
/// length. The gain is made when needed.
std::vector<expr::Expr> lengthMetric(const model::ConstrainedSystem& system, bool velocities, Dae& dae);
/// Weights of what a multiplier adds to q' = Z v where the same multiplier is a force in the equations of motion: lengthMetric
/// over the gain "stiffness", which makes a displacement of a force in all units. The gain is made here.
std::vector<expr::Expr> forceMetric(const model::ConstrainedSystem& system, Dae& dae);
model::Parameter makeGain(const std::string& form, const GainInfo& gain);
/// Those that the form has on every model, in the order of info.gains.
std::vector<model::Parameter> makeGains(const FormulationInfo& info);
/// The gains of lengthMetric and of forceMetric, for the info of forms that use them.
GainInfo lengthGain();
GainInfo stiffnessGain();
inline constexpr Enforces kAllLevels{.position = true, .velocity = true, .acceleration = true};
inline constexpr Enforces kPositionsAndVelocities{.position = true, .velocity = true};
/// The index a form has on this model: an ODE where nothing is constrained and no effort solved for.
int claimedIndex(const model::ConstrainedSystem& system, int index);
/// Whether M has no part along any of the constraints, so that the multipliers are functions of q and v: norms of quaternions
/// alone.
bool massSparesConstraints(const model::ConstrainedSystem& system);

/// The part (5.4) of [PP92] that dummy derivatives and coordinate partitioning share.
Dae partitioned(const model::ConstrainedSystem& system, const std::string& id);
/// The rows of a general DAE after index reduction, with the links of which the dummies take some out.
Dae reducedForm(const reduction::Reduced& reduced, const std::string& id);
/// Dense bases are refused beyond this many coordinates: n^2 numbers in every row.
inline constexpr int kBasisLimit = 200;
Result<void> checkBasisSize(const model::ConstrainedSystem& system, const FormulationInfo& info);

using Maker = std::unique_ptr<const Formulation> (*)();
std::unique_ptr<const Formulation> makeStateSpace();
std::unique_ptr<const Formulation> makeIndex3();
std::unique_ptr<const Formulation> makeIndex2();
std::unique_ptr<const Formulation> makeIndex1();
std::unique_ptr<const Formulation> makeBaumgarte();
std::unique_ptr<const Formulation> makeProjection();
std::unique_ptr<const Formulation> makeGgl();
std::unique_ptr<const Formulation> makeDummyDerivatives();
std::unique_ptr<const Formulation> makeUnderlyingOde();
std::unique_ptr<const Formulation> makeOdaeSsf();
std::unique_ptr<const Formulation> makeOdaeExplicitSsf();
std::unique_ptr<const Formulation> makeExtended316();
std::unique_ptr<const Formulation> makeExtended317();
std::unique_ptr<const Formulation> makeProjectedInvariants();
std::unique_ptr<const Formulation> makeCoordinatePartitioning();
std::unique_ptr<const Formulation> makeTangentPlane();
std::unique_ptr<const Formulation> makeStrangenessFree();
std::unique_ptr<const Formulation> makePenalty();
std::unique_ptr<const Formulation> makeAugmentedLagrangian();

} // namespace driftless::formulation
