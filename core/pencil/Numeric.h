// Floating-point analysis of a pencil with orthogonal transformations; private to this room.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/pencil/Pencil.h"
#include "core/solve/DenseDecompositions.h"

namespace driftless::pencil {

Eigen::MatrixXd toEigen(const Matrix& m);
Matrix fromEigen(const Eigen::MatrixXd& m);

/// Staircase form that separates the infinite from the finite eigenvalues (Van Dooren 1979): U^T (A - lambda E) V is block
/// upper triangular, first the infinite part in blocks of the sizes `steps` (A regular on the diagonal, E zero there), then the
/// finite one with regular E.
struct Staircase {
    bool regular = false;
    std::string why;
    std::vector<int> steps; ///< s_1 >= s_2 >= ...: s_k - s_(k+1) nilpotent blocks of size k
    int n1 = 0;
    Eigen::MatrixXd U, V, E, A;
    std::vector<RankDecision> decisions;
    bool uncertain = false;
    double tolerance = 0; ///< relative
};
Staircase staircase(const Eigen::MatrixXd& E, const Eigen::MatrixXd& A, double tolerance);

/// G S = S J with J in real Jordan form, or S orthogonal and J in real Schur form where eigenvalues lie too close to decide.
struct RealJordan {
    Eigen::MatrixXd S, J;
    bool jordan = false;
    std::vector<std::pair<double, double>> eigenvalues;
};
/// An eigenvalue that is known, with the sizes of its blocks, largest first.
struct KnownEigenvalue {
    double re, im;
    std::vector<int> blocks;
};
/// noise: of G as it was computed; one whose norm is no larger is zero, and eigenvalues that it tells apart are different.
RealJordan realJordan(const Eigen::MatrixXd& G, const std::vector<KnownEigenvalue>& known = {}, double noise = 0);

/// Fills P, Q, N, J, blocks and eigenvalues from a regular staircase.
void weierstrassForm(const Staircase& stairs, Analysis& analysis);

/// Consistent initial values (2.32) and the solution from there on, as far as there is one: solution and solutionNote.
void findSolution(const LinearDae& system, const Eigen::MatrixXd& inverseQ, Analysis& analysis);

} // namespace driftless::pencil
