// The pendulum of [MS91] section 4 (g = m = L = 1, y upwards) in six forms, with its reference digits.
//
//   x'' + lambda x = 0, y'' + lambda y + 1 = 0, (x^2 + y^2 - 1) / 2 = 0; u = x', v = y', a = x'', b = y''.
#pragma once

#include "tests/problems/HandCoded.h"

namespace driftless::problems {

using Roles = std::vector<solve::UnknownRole>;

/// Digits of the two cases of [MS91], computed in extended precision and checked against elliptic functions.
struct PendulumState {
    double x, y, u, v, lambda;
};
inline constexpr PendulumState kCase1Start{9.9833416646828152306814198e-02, -9.9500416527802576609556199e-01, 0, 0,
                                           9.9500416527802576609556199e-01};
inline constexpr PendulumState kCase1At10{-8.4150969025172853452820636e-02, -9.9645301666065741254266945e-01,
                                          5.3639379327723490504513914e-02, -4.5298731328683762667509532e-03,
                                          9.9935071942592070543688438e-01};
inline constexpr PendulumState kCase1At100{8.2811437801142600203369522e-02, -9.9656523407617802088751788e-01,
                                           5.5684170160265476626314412e-02, 4.6271794721092748041824016e-03,
                                           9.9968737167248253047142990e-01};
inline constexpr PendulumState kCase2Start{1, 0, 0, -1, 1};
inline constexpr PendulumState kCase2At10{-4.8363010530359630827236004e-01, -8.7527248399800181654806673e-01,
                                          -1.4516190217993989365593433e+00, 8.0208926158262447348999880e-01,
                                          3.6258174519940054496442019e+00};
inline constexpr PendulumState kCase2At100{-4.5766268834991196719500290e-01, -8.8912589867370939884827080e-01,
                                           1.4820029313186225214647680e+00, -7.6283622679473542108408949e-01,
                                           3.6673776960211281965447810e+00};

struct Start {
    std::vector<double> y, yp;
};

/// phi, omega: x = sin phi, y = -cos phi.
struct PendulumAngle {
    static constexpr std::size_t kSize = 2;
    static constexpr int kIndex = 0;
    Roles roles() const { return {{}, {}}; }
    template <class S>
    void residual(S, const S* y, const S* yp, S* F) const
    {
        using std::sin;
        F[0] = yp[0] - y[1];
        F[1] = yp[1] + sin(y[0]);
    }
};

/// x, y, u, v, lambda with the constraint differentiated 3 - Index times.
template <int Index>
struct PendulumLambda {
    static constexpr std::size_t kSize = 5;
    static constexpr int kIndex = Index;
    Roles roles() const
    {
        const int p = Index == 3 ? 1 : 0, v = Index - 1;
        return {{true, p, false}, {true, p, false}, {true, v, false}, {true, v, false}, {false, Index, true}};
    }
    template <class S>
    void residual(S, const S* y, const S* yp, S* F) const
    {
        F[0] = yp[0] - y[2];
        F[1] = yp[1] - y[3];
        F[2] = yp[2] + y[4] * y[0];
        F[3] = yp[3] + y[4] * y[1] + S(1);
        if constexpr (Index == 3)
            F[4] = (y[0] * y[0] + y[1] * y[1] - S(1)) / S(2);
        else if constexpr (Index == 2)
            F[4] = y[0] * y[2] + y[1] * y[3];
        else
            F[4] = y[2] * y[2] + y[3] * y[3] - y[4] * (y[0] * y[0] + y[1] * y[1]) - y[1];
    }
    static Start start(const PendulumState& s)
    {
        return {{s.x, s.y, s.u, s.v, s.lambda}, {s.u, s.v, -s.lambda * s.x, -s.lambda * s.y - 1, 0}};
    }
};

/// Gear, Gupta and Leimkuhler: x, y, u, v, lambda, mu; both constraints, of index two.
struct PendulumGgl {
    static constexpr std::size_t kSize = 6;
    static constexpr int kIndex = 2;
    Roles roles() const
    {
        return {{true, 1, false}, {true, 1, false}, {true, 1, false}, {true, 1, false}, {false, 2, true}, {false, 2, true}};
    }
    template <class S>
    void residual(S, const S* y, const S* yp, S* F) const
    {
        F[0] = yp[0] - y[2] + y[5] * y[0];
        F[1] = yp[1] - y[3] + y[5] * y[1];
        F[2] = yp[2] + y[4] * y[0];
        F[3] = yp[3] + y[4] * y[1] + S(1);
        F[4] = (y[0] * y[0] + y[1] * y[1] - S(1)) / S(2);
        F[5] = y[0] * y[2] + y[1] * y[3];
    }
    static Start start(const PendulumState& s)
    {
        return {{s.x, s.y, s.u, s.v, s.lambda, 0}, {s.u, s.v, -s.lambda * s.x, -s.lambda * s.y - 1, 0, 0}};
    }
};

/// Dummy derivatives with both a and b carried: x, y, u, v, a, b, lambda; links x' = u, u' = a or y' = v, v' = b ([MS91]
/// (4.2)).
struct PendulumDummy {
    static constexpr std::size_t kSize = 7;
    static constexpr int kIndex = 1;
    bool linkX = false;
    Roles roles() const
    {
        return {{linkX, 0, false}, {!linkX, 0, false}, {linkX, 0, false}, {!linkX, 0, false},
                {false, 1, false}, {false, 1, false},  {false, 1, true}};
    }
    template <class S>
    void residual(S, const S* y, const S* yp, S* F) const
    {
        F[0] = y[4] + y[6] * y[0];
        F[1] = y[5] + y[6] * y[1] + S(1);
        F[2] = (y[0] * y[0] + y[1] * y[1] - S(1)) / S(2);
        F[3] = y[0] * y[2] + y[1] * y[3];
        F[4] = y[0] * y[4] + y[1] * y[5] + y[2] * y[2] + y[3] * y[3];
        F[5] = linkX ? yp[0] - y[2] : yp[1] - y[3];
        F[6] = linkX ? yp[2] - y[4] : yp[3] - y[5];
    }
    static Start start(const PendulumState& s)
    {
        const double a = -s.lambda * s.x, b = -s.lambda * s.y - 1;
        return {{s.x, s.y, s.u, s.v, a, b, s.lambda}, {s.u, s.v, a, b, 0, 0, 0}};
    }
};

/// Automatic pivoting of [MS91] section 4 with hysteresis: the rate of the coordinate with the larger |dg/dq| is the dummy.
inline bool repivot(HandCoded<PendulumDummy>& dae, std::span<const double> y, double hysteresis = 0.5)
{
    const double x = std::abs(y[0]), z = std::abs(y[1]);
    // kappa = L / |dummy coordinate|; swap when the other choice is better by the factor 1 / hysteresis.
    const double now = dae.form.linkX ? z : x, other = dae.form.linkX ? x : z;
    if (now >= hysteresis * other)
        return false;
    dae.form.linkX = !dae.form.linkX;
    dae.structureChanged();
    return true;
}

} // namespace driftless::problems
