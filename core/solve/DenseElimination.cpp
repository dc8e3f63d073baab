#include "core/solve/DenseElimination.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/solve/DenseArithmetic.h"

namespace driftless::solve {
namespace {

std::size_t placeOf(int i, int j, int n)
{
    return static_cast<std::size_t>(j) * static_cast<std::size_t>(n) + static_cast<std::size_t>(i);
}

} // namespace

template <class Number>
int eliminateDense(Number* matrix, int n, int* rowOf, double& smallest, double& largest)
{
    const auto at = [&](int i, int j) -> Number& { return matrix[placeOf(i, j, n)]; };
    for (int i = 0; i < n; ++i)
        rowOf[i] = i;
    for (int k = 0; k < n; ++k) {
        int best = k;
        for (int i = k + 1; i < n; ++i)
            if (magnitude(at(i, k)) > magnitude(at(best, k)))
                best = i;
        const double pivot = magnitude(at(best, k));
        if (!(pivot > 0) || !std::isfinite(pivot))
            return k;
        if (best != k) {
            std::swap(rowOf[k], rowOf[best]);
            for (int j = 0; j < n; ++j)
                std::swap(at(k, j), at(best, j));
        }
        smallest = std::min(smallest, pivot);
        largest = std::max(largest, pivot);
        const typename Arithmetic<Number>::Divisor divided(at(k, k));
        for (int i = k + 1; i < n; ++i)
            at(i, k) = divided(at(i, k));
        for (int j = k + 1; j < n; ++j)
            if (const Number u = at(k, j); u != Number(0))
                for (int i = k + 1; i < n; ++i)
                    at(i, j) -= product(at(i, k), u);
    }
    return -1;
}

template <class Number>
void substituteDense(const Number* matrix, int n, Number* x)
{
    const auto at = [&](int i, int j) -> const Number& { return matrix[placeOf(i, j, n)]; };
    for (int k = 0; k < n; ++k)
        for (int i = k + 1; i < n; ++i)
            x[i] -= product(at(i, k), x[k]);
    for (int k = n - 1; k >= 0; --k) {
        x[k] /= at(k, k);
        for (int i = 0; i < k; ++i)
            x[i] -= product(at(i, k), x[k]);
    }
}

template int eliminateDense(double*, int, int*, double&, double&);
template int eliminateDense(std::complex<double>*, int, int*, double&, double&);
template void substituteDense(const double*, int, double*);
template void substituteDense(const std::complex<double>*, int, std::complex<double>*);

} // namespace driftless::solve
