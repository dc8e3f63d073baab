// Choosing which derivatives become dummies: m columns G_sel of the constraint matrix G (m x n).
//
// A selection is judged by kappa = ||G||_2 ||G_sel^-1||_2: for the pendulum L/|x| against L/|y|, where the condition
// number of the 1 x 1 block would be 1 whatever its value ([MS91] section 4 leaves the criterion open).
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "core/system/CompiledSystem.h"

namespace driftless::formulation {

struct PivotCandidate {
    int leaves = -1;  ///< coordinate that stops being a dummy (-1: the current selection itself)
    int enters = -1;  ///< coordinate that becomes one
    double kappa = 0; ///< infinity when singular
};

class PivotChooser {
public:
    PivotChooser(int n, int m);
    ~PivotChooser();
    PivotChooser(PivotChooser&&) noexcept;
    PivotChooser& operator=(PivotChooser&&) noexcept;

    /// Usual sizes of coordinates (n) and rows (m): what is loaded is judged in these units. Empty: as it is.
    void setUnits(std::span<const double> columns, std::span<const double> rows);
    /// Loads G from its nonzeros.
    void load(std::span<const solve::MatrixPlace> places, std::span<const double> values);
    /// Right after load(): G := G M^-1, for choosing equations of motion. False where M is singular; G then stays.
    bool throughMass(std::span<const solve::MatrixPlace> places, std::span<const double> mass);
    int rows() const { return m_; }
    int columns() const { return n_; }
    /// kappa of a selection (exact for m <= 32, estimated from norms beyond); infinity when singular. Neither kappa nor
    /// orientation allocates up to 32 rows; beyond, matrices are sparse.
    /// enough: a number above it may stand for any other above it, which saves judging hopeless selections in full.
    double kappa(std::span<const int> selection, double enough = std::numeric_limits<double>::infinity());
    /// Sign of det G_sel, 0 when singular: a change between two steps means a crossing.
    int orientation(std::span<const int> selection);
    /// det G_sel over the lengths of the rows of G, of at most 32 rows: 1 where these are orthogonal and lie in the selection
    /// alone, 0 when singular; its sign is the orientation.
    double share(std::span<const int> selection);
    /// A well-conditioned selection by column-pivoted elimination; sorted. Empty when G has not full rank.
    /// exchanged: up to 32 rows, single exchanges improve it further.
    std::vector<int> choose(bool exchanged = true);
    /// The same into a vector that has its size. No allocation up to 32 rows and without exchanges.
    void chooseInto(std::vector<int>& selection, bool exchanged);
    /// All single-column exchanges of a selection with their kappa, the selection itself first (alone, beyond 128 rows).
    std::vector<PivotCandidate> exchanges(std::span<const int> selection);
    /// Rows that take part in the combination of rows nearest to zero, and its norm against that of G (1 / condition number);
    /// least: that norm itself, the smallest singular value.
    std::vector<int> weakestRows(double& ratio, double* least = nullptr);
    /// The smallest singular value. No allocation up to 32 rows.
    double leastSingularValue();
    /// Keeps a basis A of the kernel of the loaded G; then the sign of det [G; A^T] of a G loaded later: it turns where G loses
    /// rank on the way, since A itself turns by less than a right angle from step to step.
    void keepKernel();
    int orientationAgainstKernel();
    /// Rows of G that depend on the others at round-off level (empty when G has full rank).
    std::vector<int> dependentRows();

private:
    int n_, m_;
    void takePlaces(std::span<const solve::MatrixPlace> places);

    std::vector<double> columns_, rows_, factors_, scaled_; ///< units, these of each place; what is being loaded, in these
    std::vector<solve::MatrixPlace> places_;                ///< to which the factors belong
    std::vector<double> G_;                                 ///< m x n, column-major
    struct Work;
    std::unique_ptr<Work> work_;
    double norm2();
    double inverseNorm(std::span<const int> selection, double enough);
};

} // namespace driftless::formulation
