// The body on the unit circle of [St02] (34) in the forms uODE (19), EoM1 (20), EoM2 (21) and EoM (1).
//
//   p' = v, v' = f(p, v) - 2 p lambda, f = (-p1 - 2 p1 v1 v2, -v1 + 2 p1 p2^2), g = p.p - 1.
//   g^I = 2 p.v, g^II = 2 v.v + 2 p.(f - 2 p lambda). Exact from (35): p = (sin t, cos t), lambda = sin t cos t.
#pragma once

#include "tests/problems/HandCoded.h"

namespace driftless::problems {

template <class S>
struct CircleLevels {
    S g, g1, g2;
};

template <class S>
CircleLevels<S> circleLevels(const S* y)
{
    const S f1 = -y[0] - S(2) * y[0] * y[2] * y[3], f2 = -y[2] + S(2) * y[0] * y[1] * y[1];
    const S a1 = f1 - S(2) * y[0] * y[4], a2 = f2 - S(2) * y[1] * y[4];
    return {y[0] * y[0] + y[1] * y[1] - S(1), S(2) * (y[0] * y[2] + y[1] * y[3]),
            S(2) * (y[2] * y[2] + y[3] * y[3]) + S(2) * (y[0] * a1 + y[1] * a2)};
}

/// Inconsistent start (37), with y' as the equations give it for the printed lambda.
struct CircleStart {
    std::vector<double> y{0.0001, 1.0001, 0.999, 0.001, 0.0001};
    std::vector<double> yp;
    CircleStart()
    {
        const double f1 = -y[0] - 2 * y[0] * y[2] * y[3], f2 = -y[2] + 2 * y[0] * y[1] * y[1];
        yp = {y[2], y[3], f1 - 2 * y[0] * y[4], f2 - 2 * y[1] * y[4], 0};
    }
    /// The rate of lambda that keeps g^II, for the form in which lambda is differential.
    template <class Ode>
    void completeFor(const Ode& ode)
    {
        double at0[5], at1[5];
        ode.template residual<double>(0, y.data(), yp.data(), at0);
        yp[4] = 1;
        ode.template residual<double>(0, y.data(), yp.data(), at1);
        yp[4] = at0[4] / (at0[4] - at1[4]);
    }
};

/// Index 3: EoM, 2: EoM2, 1: EoM1.
template <int Index>
struct Circle {
    static constexpr std::size_t kSize = 5;
    static constexpr int kIndex = Index;
    std::vector<solve::UnknownRole> roles() const
    {
        const int p = Index == 3 ? 1 : 0, v = Index - 1;
        return {{true, p, false}, {true, p, false}, {true, v, false}, {true, v, false}, {false, Index, true}};
    }
    template <class S>
    void residual(S, const S* y, const S* yp, S* F) const
    {
        F[0] = yp[0] - y[2];
        F[1] = yp[1] - y[3];
        F[2] = yp[2] + y[0] + S(2) * y[0] * y[2] * y[3] + S(2) * y[0] * y[4];
        F[3] = yp[3] + y[2] - S(2) * y[0] * y[1] * y[1] + S(2) * y[1] * y[4];
        const auto level = circleLevels(y);
        if constexpr (Index == 3)
            F[4] = level.g;
        else if constexpr (Index == 2)
            F[4] = level.g1;
        else
            F[4] = level.g2;
    }
};

/// The underlying ODE: lambda' from d(g^II)/dt = 0, which is linear in lambda'.
struct CircleOde {
    static constexpr std::size_t kSize = 5;
    static constexpr int kIndex = 0;
    std::vector<solve::UnknownRole> roles() const { return std::vector<solve::UnknownRole>(5); }
    template <class S>
    void residual(S, const S* y, const S* yp, S* F) const
    {
        const S a1 = -y[0] - S(2) * y[0] * y[2] * y[3] - S(2) * y[0] * y[4];
        const S a2 = -y[2] + S(2) * y[0] * y[1] * y[1] - S(2) * y[1] * y[4];
        F[0] = yp[0] - y[2];
        F[1] = yp[1] - y[3];
        F[2] = yp[2] - a1;
        F[3] = yp[3] - a2;
        // g^II = 2 v.v + 2 p.a; half its derivative: 2 v.v' + v.a + p.a', where a' contains lambda'.
        const S b1 =
            -y[2] - S(2) * (y[2] * y[2] * y[3] + y[0] * a1 * y[3] + y[0] * y[2] * a2) - S(2) * (y[2] * y[4] + y[0] * yp[4]);
        const S b2 = -a1 + S(2) * (y[2] * y[1] * y[1] + S(2) * y[0] * y[1] * y[3]) - S(2) * (y[3] * y[4] + y[1] * yp[4]);
        F[4] = S(3) * (y[2] * a1 + y[3] * a2) + y[0] * b1 + y[1] * b2;
    }
};

} // namespace driftless::problems
