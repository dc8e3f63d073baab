// Gaussian elimination with partial pivoting of a full matrix, the one that always can.
//
// matrix: n x n, columns one after another; afterwards L below the diagonal and U on and above it.
#pragma once

#include <complex>

namespace driftless::solve {

/// rowOf[k]: the row that gave pivot k. The smallest and the largest pivot are carried on. Returns the column for which no
/// pivot was left (then rowOf says how far exchanges had come), -1 where there were pivots for all.
template <class Number>
int eliminateDense(Number* matrix, int n, int* rowOf, double& smallest, double& largest);
/// Overwrites x, in the order of rowOf, with the solution.
template <class Number>
void substituteDense(const Number* matrix, int n, Number* x);

extern template int eliminateDense(double*, int, int*, double&, double&);
extern template int eliminateDense(std::complex<double>*, int, int*, double&, double&);
extern template void substituteDense(const double*, int, double*);
extern template void substituteDense(const std::complex<double>*, int, std::complex<double>*);

} // namespace driftless::solve
