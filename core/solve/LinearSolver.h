// A x = b for the square matrices of Newton iterations, dense or sparse behind one face.
//
// Rows are equilibrated before elimination, because the rows of a discretised DAE carry different powers of the step.
#pragma once

#include <complex>
#include <memory>

#include "core/solve/SparsePattern.h"

namespace driftless::solve {

/// Up to this many unknowns a dense factorisation is cheaper than the bookkeeping of a sparse one.
inline constexpr int kDenseLimit = 64;

struct Factorization {
    bool ok = false;
    double pivotRatio = 0; ///< smallest over largest pivot after equilibration; 0 when singular
    int row = -1;          ///< singular: a row that became zero, -1 unknown
    int column = -1;       ///< singular: the unknown for which no pivot was left, -1 unknown
};

/// Number: double, or std::complex<double> where systems come in conjugate pairs.
template <class Number>
class LinearSolverOf {
public:
    virtual ~LinearSolverOf() = default;

    /// Fixes the pattern; allocates. Analysing again after a change of pattern is allowed.
    virtual void analyse(const SparsePattern& pattern) = 0;
    /// Factorises the matrix whose entries on the analysed pattern are values (nonzeros() numbers). The dense solver
    /// does not allocate.
    virtual Factorization factor(const Number* values) = 0;
    /// Overwrites b with A^-1 b. Needs a successful factor().
    virtual void solve(Number* b) = 0;
};
using LinearSolver = LinearSolverOf<double>;
using ComplexLinearSolver = LinearSolverOf<std::complex<double>>;

std::unique_ptr<LinearSolver> makeDenseSolver(int n);
std::unique_ptr<ComplexLinearSolver> makeDenseComplexSolver(int n);
std::unique_ptr<LinearSolver> makeSparseSolver();
/// Dense up to kDenseLimit unknowns, sparse beyond.
std::unique_ptr<LinearSolver> makeLinearSolver(int n);

} // namespace driftless::solve
