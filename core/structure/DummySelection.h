// Index reduction by dummy derivatives, stage by stage ([MS91] section 3).
//
// Per block i of the differentiated system: g^[j] its equations with j - 1 differentiations undone, z^[j] the derivatives they
// are solved for, G^[j] = dg^[j]/dz^[j]; h^[j] the m equations of g^[j] that are still differentiated, H^[j] their rows; M^[j]
// m columns of H^[j] that are regular: their derivatives become dummies; G^[j+1] = M^[j].
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/structure/Offsets.h"
#include "core/structure/Signature.h"

namespace driftless::structure {

/// A derivative of an unknown.
struct DerivativeRef {
    int unknown = 0;
    int order = 0;
    auto operator<=>(const DerivativeRef&) const = default;
};
/// A derivative of an equation.
struct EquationRef {
    int equation = 0;
    int differentiations = 0;
    auto operator<=>(const EquationRef&) const = default;
};

struct SelectionStage {
    int block = 0;   ///< of the BLT form
    int stage = 1;   ///< j, from 1
    int repeats = 1; ///< stages j ... j + repeats - 1 alike, one order lower each: where all of g is differentiated, H = G
    std::vector<EquationRef> g; ///< most differentiated first (A2)
    std::vector<DerivativeRef> z;
    int m = 0;                           ///< the first m of g are differentiated: h
    std::vector<DerivativeRef> selected; ///< dummies of this stage, columns of M
    bool chosen = true;                  ///< false: no m regular columns were found (A3 violated)
};

/// Picks m of the columns for the m rows: positions in `columns`, empty where H has no regular choice. G at any point is the
/// same for every stage: dF_i^(c_i) / dx_j^(d_j).
using ColumnChooser = std::function<std::vector<int>(std::span<const int> equations, std::span<const int> columns)>;

/// The dummies of one unknown: its derivatives of the orders lowest ... highest. They have no gaps, for a stage chooses among
/// what the stage before has chosen.
struct DummyRange {
    int unknown = 0, lowest = 0, highest = 0;
};
/// One by one, at most `most`.
std::vector<DerivativeRef> expand(const std::vector<DummyRange>& ranges, std::size_t most);
long countOf(const std::vector<DummyRange>& ranges);

struct DummySelection {
    std::vector<SelectionStage> stages;
    std::vector<DummyRange> dummies; ///< by unknown
    long augmentedEquations = 0;     ///< n + sum c
    // After removing superfluous differentiations from blocks without algebraic unknowns ([MS91] section 3, Example 2):
    std::vector<EquationRef> superfluous;
    std::vector<DummyRange> reducedDummies;
    long reducedEquations = 0;
    bool complete = true; ///< every stage found its columns
};

/// chooser empty: a structural choice (matching), the columns of lowest order first.
DummySelection selectDummies(const Signature& signature, const std::vector<int>& c, const std::vector<int>& d,
                             const std::vector<Block>& blocks, const ColumnChooser& chooser = {});

} // namespace driftless::structure
