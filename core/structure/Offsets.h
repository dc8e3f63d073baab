// How often each equation has to be differentiated: by Pantelides' algorithm and by Pryce's Sigma-method.
//
// c_i differentiations of equation i (nu_i in [MS91]); d_j order of the highest derivative of x_j afterwards (mu_j).
// Both need a structurally nonsingular system, that is a perfect matching of its incidence.
#pragma once

#include <vector>

#include "core/structure/Signature.h"

namespace driftless::structure {

/// One differentiation step: the equations of a minimally singular subset, and the unknowns whose highest order rises with
/// them.
struct PantelidesStep {
    int equation = 0;           ///< for which no unknown was left
    std::vector<int> equations; ///< differentiated once more
    std::vector<int> unknowns;
};

struct PantelidesResult {
    std::vector<int> c, d;
    Matching matching; ///< with respect to the highest derivatives
    std::vector<PantelidesStep> steps;
    long differentiations = 0; ///< sum of c
    bool recordedAll = true;   ///< false: later steps were not kept
};
/// C. C. Pantelides, SIAM J. Sci. Stat. Comput. 9 (1988) 213-231, for derivatives of any order.
PantelidesResult pantelides(const Signature& signature);

struct SigmaResult {
    int value = 0;                ///< of a highest-value transversal: degrees of freedom when the method succeeds
    std::vector<int> transversal; ///< unknown of each equation
    std::vector<int> c, d;        ///< smallest canonical offsets: d_j - c_i >= sigma_ij, equal on the transversal
    int structuralIndex = 0;      ///< max c + (1 if some d_j = 0)
};
/// J. D. Pryce, BIT 41 (2001) 364-394; the assignment problem by shortest augmenting paths.
SigmaResult sigmaMethod(const Signature& signature);

/// max c + (1 if some d_j = 0).
int structuralIndex(const std::vector<int>& c, const std::vector<int>& d);

} // namespace driftless::structure
