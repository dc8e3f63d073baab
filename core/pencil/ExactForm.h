// Exact analysis of a rational pencil; private to this room.
#pragma once

#include "core/pencil/Rational.h"

namespace driftless::pencil {

/// Gauss-like reduction of a regular pencil ([DN] 2.3, with L E U for U E L and x transformed with U as well). Also gives
/// the hidden constraints: constraintRows x = constraintValues(t), index * (n - rank) rows that need not be independent.
struct Reduction {
    std::vector<ReductionStep> steps;
    RationalMatrix constraintRows;
    std::vector<expr::Expr> constraintValues;
    bool recordedAll = true; ///< false where matrices or f were too long to keep
};
Reduction gaussReduction(const RationalMatrix& E, const RationalMatrix& A, const std::vector<expr::Expr>& f);

/// P E Q = diag(N, I), P A Q = diag(I, W): N in Jordan blocks, W with the finite eigenvalues in no special form yet.
struct ExactForm {
    RationalMatrix P, Q, N, W;
    std::vector<int> blocks; ///< of N, largest first
    int index() const { return blocks.empty() ? 0 : blocks.front(); }
};
/// Nothing for a singular pencil.
std::optional<ExactForm> weierstrassForm(const RationalMatrix& E, const RationalMatrix& A);
/// Whether P E Q = diag(N, I) and P A Q = diag(I, W), entry by entry.
bool reproduces(const ExactForm& form, const RationalMatrix& E, const RationalMatrix& A);
/// Nilpotent Jordan blocks of these sizes along the diagonal.
RationalMatrix jordanBlocks(const std::vector<int>& sizes);

/// Jordan chains of B at the eigenvalue 0: B columns = columns * (upper Jordan blocks of the given sizes, largest first).
struct Chains {
    RationalMatrix columns;
    std::vector<int> blocks;
};
Chains jordanChains(const RationalMatrix& B);

/// What belongs to one rational eigenvalue, or to irrational ones whose Jordan blocks have the same sizes.
struct FinitePart {
    std::vector<Root> roots;
    std::vector<int> blocks; ///< of each of the roots, largest first
    RationalMatrix columns;  ///< W columns = columns * W of the part
    bool rational() const { return roots.front().exact.has_value(); }
    int n() const { return columns.columns; }
};
/// Takes W to block diagonal form, applied to the finite rows of P and columns of Q; the blocks of rational eigenvalues are
/// Jordan blocks. roots: those of `determinant`, det(A - lambda E). Nothing where W contradicts them.
std::optional<std::vector<FinitePart>> separateEigenvalues(const Polynomial& determinant, const std::vector<Root>& roots,
                                                           ExactForm& form);

/// Why det(A - lambda E) = 0 for every lambda: which combination of unknowns is free, which of equations is empty.
std::string whySingular(const RationalMatrix& E, const RationalMatrix& A);

/// A rational as an expression: exact where it fits, else the nearest double.
expr::Expr toExpr(const mpq_class& q);

} // namespace driftless::pencil
