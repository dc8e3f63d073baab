// How large the quantities of a model usually are, from its own data and by rules that know no unit: a model that is written in
// millimetres has a thousand times the sizes of the same in metres.
//
//   S_i   of coordinate i: as stated (nominal); 1 of angles and quaternions; of all others with one unit together the largest
//         of their start values and of the arms and radii of gyration that the equations give them, else a parameter of that
//         unit, else v^2 / a with the largest speed and the largest |f_i| / M_ii at the start. What is round-off beside these
//         counts as none
//   T     [s]: 1/T^2 is the largest of |f_i| / (pi^2 M_ii S_i) and (v_i / S_i)^2 at the start; for a pendulum at rest half a
//         swing
//   V_i   S_i / T; with a velocity basis what q' = Z v makes of that
//   E     [J]: the largest M_ii V_i^2
//   R_k   of row k of W, T times the largest |W_ki| V_i: that of g_k, and T times that of a psi_k; a multiplier has E / R_k
//
// Values of equations are as large as the text says (nominal), else 1; there T follows from the rates, and is 1 s where no
// nominal is stated.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/system/CompiledSystem.h"

namespace driftless::model {

struct NominalScales {
    double time = 1;                ///< T [s]
    double energy = 1;              ///< E [J]
    double length = 1;              ///< S of coordinates in metres [m]
    std::vector<double> positions;  ///< S, n
    std::vector<double> moves;      ///< V T, n
    std::vector<double> velocities; ///< V, n
    std::vector<double> energies;   ///< M V^2 of each coordinate [J], n: E is the largest
    std::vector<double> rows;       ///< R, m
    std::vector<double> rowUnits;   ///< R rounded to powers of two, m
    std::vector<double> valueUnits; ///< of the values of equations, powers of two; empty where the text states no nominal
    /// unit: a product of powers of those of S, T, E and R, so that q' = v and the like keep their factors.
    struct Size {
        double usual = 1, unit = 1;
    };
    /// By the names of quantities ("bob.x", "bob.x'", "bob.x''", "rod.lambda"), chart coordinates, dynamic variables, efforts
    /// and values among them. What is not here has a size that only the equations know.
    std::map<std::string, Size> byName;
};

/// The power of two nearest to x > 0 as a factor: numbers divided by it keep all their digits. 1 for what has no such factor.
double nearestPowerOfTwo(double x);

/// With the evaluator's parameters. q, v: where it starts (n each); null: as the file states it. Never fails: what cannot be
/// evaluated says nothing.
NominalScales nominalScales(SystemEvaluator& evaluator, const double* q = nullptr, const double* v = nullptr);

} // namespace driftless::model
