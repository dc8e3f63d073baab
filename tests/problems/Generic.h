// Problems without symmetries, of index 0 to 3, with solutions in exponentials: for orders of convergence that no coincidence
// raises.
//
// Index 2 and 3 after the numerical examples of L. Jay, Convergence of a class of Runge-Kutta methods for
// differential-algebraic systems of index 2 (BIT 33, 1993) and Convergence of Runge-Kutta methods for differential-algebraic
// systems of index 3 (1995); index 1 with the same solution as index 2.
#pragma once

#include "tests/problems/HandCoded.h"

namespace driftless::problems {

/// y1 = e^t, y2 = e^-2t, y3 = 2 + sin t.
struct GenericOde {
    static constexpr std::size_t kSize = 3;
    static constexpr int kIndex = 0;
    std::vector<solve::UnknownRole> roles() const { return std::vector<solve::UnknownRole>(3); }
    template <class S>
    void residual(S t, const S* y, const S* yp, S* F) const
    {
        using std::cos;
        const S one = y[0] * y[0] * y[1];
        F[0] = yp[0] - y[0] * one;
        F[1] = yp[1] + S(2) * y[1] * one;
        F[2] = yp[2] - cos(t) * one;
    }
    static std::vector<double> at(double t) { return {std::exp(t), std::exp(-2 * t), 2 + std::sin(t)}; }
    static std::vector<double> ratesAt(double t) { return {std::exp(t), -2 * std::exp(-2 * t), std::cos(t)}; }
};

/// y1 = e^t, y2 = e^-2t, z = e^2t; Index 1: z from z^2 y2 + z = 2 y1^2; index 2: y1^2 y2 = 1.
template <int Index>
struct GenericHessenberg {
    static constexpr std::size_t kSize = 3;
    static constexpr int kIndex = Index;
    std::vector<solve::UnknownRole> roles() const
    {
        return {{true, Index - 1, false}, {true, Index - 1, false}, {false, Index, true}};
    }
    template <class S>
    void residual(S, const S* y, const S* yp, S* F) const
    {
        F[0] = yp[0] - y[0] * y[1] * y[1] * y[2] * y[2];
        F[1] = yp[1] - y[0] * y[0] * y[1] * y[1] + S(3) * y[1] * y[1] * y[2];
        if constexpr (Index == 1)
            F[2] = y[2] * y[2] * y[1] + y[2] - S(2) * y[0] * y[0];
        else
            F[2] = y[0] * y[0] * y[1] - S(1);
    }
    static std::vector<double> at(double t) { return {std::exp(t), std::exp(-2 * t), std::exp(2 * t)}; }
    static std::vector<double> ratesAt(double t) { return {std::exp(t), -2 * std::exp(-2 * t), 2 * std::exp(2 * t)}; }
};

/// y1 = e^2t, y2 = e^-t, z1 = e^2t, z2 = e^-t, u = e^t; y1 y2^2 = 1.
struct GenericIndex3 {
    static constexpr std::size_t kSize = 5;
    static constexpr int kIndex = 3;
    std::vector<solve::UnknownRole> roles() const
    {
        return {{true, 1, false}, {true, 1, false}, {true, 2, false}, {true, 2, false}, {false, 3, true}};
    }
    template <class S>
    void residual(S, const S* y, const S* yp, S* F) const
    {
        F[0] = yp[0] - S(2) * y[0] * y[1] * y[2] * y[3];
        F[1] = yp[1] + y[0] * y[1] * y[3] * y[3];
        F[2] = yp[2] - (y[0] * y[1] + y[2] * y[3]) * y[4];
        F[3] = yp[3] + y[0] * y[1] * y[1] * y[3] * y[3] * y[4];
        F[4] = y[0] * y[1] * y[1] - S(1);
    }
    static std::vector<double> at(double t)
    {
        return {std::exp(2 * t), std::exp(-t), std::exp(2 * t), std::exp(-t), std::exp(t)};
    }
    static std::vector<double> ratesAt(double t)
    {
        return {2 * std::exp(2 * t), -std::exp(-t), 2 * std::exp(2 * t), -std::exp(-t), std::exp(t)};
    }
};

} // namespace driftless::problems
