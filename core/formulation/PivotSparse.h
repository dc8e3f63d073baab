// What PivotChooser decides for constraint matrices too large to be stored in full: the same questions, answered by sparse
// elimination.
#pragma once

#include <span>
#include <vector>

#include "core/solve/SparseElimination.h"
#include "core/system/CompiledSystem.h"

namespace driftless::formulation {

class PivotSparse {
public:
    PivotSparse(int n, int m);

    void load(std::span<const solve::MatrixPlace> places, std::span<const double> values);
    /// G := G M^-1; false where M is singular.
    bool throughMass(std::span<const solve::MatrixPlace> places, std::span<const double> mass);
    double kappa(std::span<const int> selection);
    int orientation(std::span<const int> selection) const;
    std::vector<int> choose() const;
    std::vector<int> dependentRows() const;
    std::vector<int> weakestRows(double& ratio, double* least = nullptr) const; ///< as PivotChooser
    /// det [G; A^T] with A a basis of the kernel of the kept G0 has the sign of det G G0^T.
    void keep();
    int orientationAgainstKept() const;

private:
    solve::SparseElimination eliminated(double tolerance) const;

    int n_, m_;
    std::vector<solve::MatrixPlace> entries_, kept_; ///< of G
    std::vector<double> values_, keptValues_;
    solve::SparseFactor block_; ///< of the selection last judged
    std::vector<int> blockSelection_;
    std::vector<std::size_t> blockEntries_;
    std::vector<double> blockValues_;
};

} // namespace driftless::formulation
