// Radau IIA of S stages and order 2 S - 1 as its steppers use it (Hairer and Wanner, Solving ODEs II, 2nd edition, sections
// IV.5 and IV.8).
//
// c_1 ... c_S: nodes; L_0 ... L_S: the polynomials of degree S that are one at 0, c_1 ... c_S in turn and zero at the others;
// Z_i: stage increments; the collocation polynomial is y_n + sum_i L_i(x) Z_i at the fraction x of the step.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <span>

#include "core/solve/DaeSystem.h"

namespace driftless::integrate {

template <std::size_t S>
struct RadauMethod {
    static_assert(S % 2 == 1, "with an even number of stages no eigenvalue is real");
    using Matrix = std::array<std::array<double, S>, S>;

    std::array<double, S> nodes;
    Matrix inverse; ///< D, inverse of the tableau's matrix: h times the rate of stage i is sum_j D_ij Z_j
    double gamma;   ///< the real eigenvalue of D
    std::array<std::complex<double>, S / 2> pairs; ///< alpha + i beta, by rising beta > 0
    Matrix fromModes;                ///< T: D = T Lambda T^-1, Lambda = diag(gamma, [alpha beta; -beta alpha], ...)
    Matrix toModes;                  ///< T^-1
    std::array<double, S> startRate; ///< L_i'(0): the polynomial's rate at the start of the step is their sum with Z_i, over h
    double rateNorm;                 ///< largest sum of moduli in a row of D
    double startNorm;                ///< sum of the moduli of startRate, over gamma
};

/// Made once, for S = 3, 5 and 7; good to round-off.
template <std::size_t S>
const RadauMethod<S>& radauMethod();

/// Weights L_1 ... L_S of the stage increments at the fraction x of the step (beyond 1 the polynomial is continued).
template <std::size_t S>
std::array<double, S> radauWeights(const std::array<double, S>& c, double x)
{
    std::array<double, S> out;
    for (std::size_t i = 0; i < S; ++i) {
        double above = x, below = c[i];
        for (std::size_t j = 0; j < S; ++j)
            if (j != i) {
                above *= x - c[j];
                below *= c[i] - c[j];
            }
        out[i] = above / below;
    }
    return out;
}

/// Component i of the sum of S blocks of n numbers each with the weights w.
template <std::size_t S>
double sumOfBlocks(const std::array<double, S>& w, const double* blocks, std::size_t n, std::size_t i)
{
    double sum = w[0] * blocks[i];
    for (std::size_t s = 1; s < S; ++s)
        sum += w[s] * blocks[s * n + i];
    return sum;
}

/// y = before + the polynomial's increment at the fraction x of a step with the stage increments Z (S blocks of the size of y).
template <std::size_t S>
void radauInterpolate(const std::array<double, S>& nodes, double x, std::span<const double> before, std::span<const double> Z,
                      std::span<double> y)
{
    const auto l = radauWeights(nodes, x);
    for (std::size_t i = 0; i < y.size(); ++i)
        y[i] = before[i] + sumOfBlocks(l, Z.data(), y.size(), i);
}

/// What radauInterpolate gave for y where a projection moved the end of the step to `after`: the polynomial goes along in
/// proportion to the time.
template <std::size_t S>
void radauFollowProjection(double x, std::span<const double> before, std::span<const double> Z, std::span<const double> after,
                           std::span<double> y)
{
    const std::size_t n = y.size();
    for (std::size_t i = 0; i < n; ++i)
        y[i] += x * (after[i] - (before[i] + Z[(S - 1) * n + i]));
}

/// First values of the increments Z (S blocks of n) of a step h that follows a step lastH with the increments last: its
/// polynomial continued.
template <std::size_t S>
void radauExtrapolate(const std::array<double, S>& nodes, double h, double lastH, std::span<const double> last, std::size_t n,
                      double* Z)
{
    for (std::size_t s = 0; s < S; ++s) {
        auto l = radauWeights(nodes, 1 + nodes[s] * h / lastH);
        l[S - 1] -= 1;
        for (std::size_t i = 0; i < n; ++i)
            Z[s * n + i] = sumOfBlocks(l, last.data(), n, i);
    }
}

/// The same where there is no step before: the tangent of the differential unknowns.
template <std::size_t S>
void radauTangent(const std::array<double, S>& nodes, double h, std::span<const double> yp,
                  std::span<const solve::UnknownRole> roles, double* Z)
{
    for (std::size_t s = 0; s < S; ++s)
        for (std::size_t i = 0; i < yp.size(); ++i)
            Z[s * yp.size() + i] = roles[i].differential ? nodes[s] * h * yp[i] : 0.0;
}

} // namespace driftless::integrate
