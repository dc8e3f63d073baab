// The initial-condition doctor: what stands against the start values of a model, and what a correction would change.
//
//   consistent    g = 0, g' = 0 (psi = 0), g'' = 0 with M a = f - W^T lambda, Gamma = 0                          [Fa] after
//   (5.44) correction    the smallest change of the free values in the metric of the request; with as many independent values
//   fixed
//                 as there are degrees of freedom, the only one ([Fa]: choose an index set, solve for the rest)
//   redundant     a row of W that is a combination of others; the others with a part in it are its dependent set
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/consistency/Consistency.h"

namespace driftless::consistency {

/// One start value in the doctor's table.
struct StartValue {
    std::string name;
    std::string unit;
    double before = 0, after = 0;
    bool fixed = false;
};

struct LevelResidual {
    double before = 0, after = 0; ///< max norms
};

/// A constraint that follows from others.
struct Redundancy {
    int constraint = -1;
    std::vector<int> dependsOn;
    bool traced = true; ///< dependsOn is known; of a large system only that of the first rows is
    std::string text;   ///< names the joints and bodies
};

/// The same by names, for whoever shows it where the model is not at hand.
struct RedundantRow {
    std::string name;
    std::vector<std::string> bodies; ///< that the constraint binds
    /// Constraints that it is a combination of; empty: its gradient vanishes; none: they are not known.
    std::optional<std::vector<std::string>> follows;
};
RedundantRow rowOf(const model::ConstrainedSystem& system, const Redundancy& redundancy);
/// "D.y (between bar and ground) follows from A.y and B.y".
std::string sentence(const RedundantRow& row);

struct Diagnosis {
    std::vector<StartValue> positions, velocities; ///< n each
    std::vector<StartValue> forces;                ///< multipliers, dynamic variables, efforts
    LevelResidual position, velocity, acceleration;
    int positionFreedom = 0;      ///< n - rank G
    int velocityFreedom = 0;      ///< n - rank W
    std::vector<int> independent; ///< a well-conditioned set of coordinates to fix, by pivoting on W
    double kappa = 1;             ///< of the dependent columns against that choice; not a number for large systems
    std::vector<Redundancy> redundant;
    std::optional<Diagnostic> conflict; ///< why no correction exists; the after values are then those before
    model::ModelState before, after;
};

/// Dense up to some hundred coordinates, sparse beyond. Never fails: what cannot be done is in the diagnosis.
Diagnosis diagnose(std::shared_ptr<const model::CompiledSystem> system, std::span<const double> parameters,
                   const Request& request);

} // namespace driftless::consistency
