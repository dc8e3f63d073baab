// A whole structural analysis, and its words.
#pragma once

#include <string>
#include <vector>

#include "core/structure/DummySelection.h"

namespace driftless::structure {

struct Names {
    std::vector<std::string> equations, unknowns;
};

/// "x", "x'", "x''", "x^(4)".
std::string derivativeName(const std::string& name, int order);

struct StructuralAnalysis {
    bool singular = false; ///< no perfect matching: nothing below the decomposition is filled
    Matching matching;
    DulmageMendelsohn parts;
    PantelidesResult pantelides;
    SigmaResult sigma;
    bool agree = true; ///< Pantelides and the Sigma-method give the same c and d
    int structuralIndex = 0, freedom = 0;
    std::vector<Block> blocks; ///< of the differentiated system, in solving order
    DummySelection selection;
};
StructuralAnalysis analyse(const Signature& signature, const ColumnChooser& chooser = {});

/// Which equations are too many for which unknowns, and which unknowns lack equations, in one sentence each.
std::string describeSingularity(const DulmageMendelsohn& parts, const Names& names);
/// Signature matrix with offsets and transversal, Pantelides' steps, blocks and the stages of the index reduction.
std::string describe(const Signature& signature, const StructuralAnalysis& analysis, const Names& names);

} // namespace driftless::structure
