// By what changes of coordinates and velocities are weighed: sizes that do not depend on where the origin of the scene lies.
//
//   S_i   as stated (nominal); 1 of angles and quaternions; of all others with one unit together the largest of the arms that
//         the equations give them, else of their radii of gyration; else as in NominalScales.h
#pragma once

#include <vector>

#include "core/system/CompiledSystem.h"

namespace driftless::model {

struct NominalSpans {
    std::vector<double> positions; ///< S, n
    std::vector<double> moves;     ///< of velocities: V T, n
};

/// Of a mechanism, with the evaluator's parameters and as the file states its start.
NominalSpans nominalSpans(SystemEvaluator& evaluator);

} // namespace driftless::model
