// The two real systems of n unknowns that a conjugate pair of eigenvalues alpha +- i beta leaves of a collocation step:
//
//   [J + alpha E, beta E; -beta E, J + alpha E] (u, v) = (p, q),   that is   (J + (alpha - i beta) E) (u + i v) = p + i q.
//
// Few unknowns are solved in complex numbers, for half of the work; many as one sparse real system of 2 n.
#pragma once

#include <complex>
#include <memory>
#include <span>
#include <vector>

#include "core/solve/LinearSolver.h"

namespace driftless::integrate {

class ConjugatePair {
public:
    /// Fixes the pattern of J and E; allocates, but not where a new pattern replaces one of few unknowns.
    void analyse(const solve::SparsePattern& pattern);
    /// Entries of J and E on the analysed pattern. A column of the answer is that of an unknown.
    solve::Factorization factor(const solve::SparsePattern& pattern, std::span<const double> J, std::span<const double> E,
                                std::complex<double> lambda);
    /// Overwrites (p, q), n numbers each, with (u, v). Needs a successful factor().
    void solve(std::span<double> b);

private:
    void analyseReal(const solve::SparsePattern& pattern);
    solve::Factorization factorReal(const solve::SparsePattern& pattern, std::span<const double> J, std::span<const double> E,
                                    std::complex<double> lambda);

    int n_ = 0;
    std::unique_ptr<solve::ComplexLinearSolver> complex_; ///< one of the two
    std::unique_ptr<solve::LinearSolver> real_;
    std::vector<std::complex<double>> values_, b_;
    solve::SparsePattern realPattern_;
    std::vector<double> realValues_;
};

} // namespace driftless::integrate
