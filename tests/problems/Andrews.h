// Andrews' squeezing mechanism (Schiehlen 1990; Hairer and Wanner, Solving ODEs II, 1996, pp. 530-542; Test Set for IVP
// Solvers, report 40/2003, II-13): seven bodies in the plane, seven angles q, six closure conditions g, driven by a constant
// torque.
//
//   q' = v (- G^T mu with GGL), M(q) v' = f(q, v) - G^T lambda, and g = 0 (index 3), G v = 0 (index 2) or both (GGL). SI units,
//   rad.
#pragma once

#include "tests/problems/Pendulum.h"

namespace driftless::problems {

inline Dual sqrt(Dual a)
{
    const double root = std::sqrt(a.value);
    return {root, 0.5 * a.slope / root};
}

/// Level: 3 index 3, 2 index 2, 0 GGL.
template <int Level>
struct Andrews {
    static constexpr bool kBoth = Level == 0;
    static constexpr std::size_t kSize = kBoth ? 26 : 20;
    static constexpr int kIndex = kBoth ? 2 : Level;

    Roles roles() const
    {
        Roles out;
        for (int i = 0; i < 7; ++i)
            out.push_back({true, 1, false});
        for (int i = 0; i < 7; ++i)
            out.push_back({true, Level == 3 ? 2 : 1, false});
        for (std::size_t i = 14; i < kSize; ++i)
            out.push_back({false, kIndex, true});
        return out;
    }

    template <class S>
    void residual(S, const S* y, const S* yp, S* F) const
    {
        using std::cos, std::sin, std::sqrt;
        constexpr double m1 = 0.04325, m2 = 0.00365, m3 = 0.02373, m4 = 0.00706, m5 = 0.0705, m6 = 0.00706, m7 = 0.05498,
                         I1 = 2.194e-6, I2 = 4.41e-7, I3 = 5.255e-6, I4 = 5.667e-7, I5 = 1.169e-5, I6 = 5.667e-7, I7 = 1.912e-5,
                         xa = -0.06934, ya = -0.00227, xb = -0.03635, yb = 0.03273, xc = 0.014, yc = 0.072, c0 = 4530,
                         l0 = 0.07785, ss = 0.035, sa = 0.01874, sb = 0.01043, sc = 0.018, sd = 0.02, ta = 0.02308,
                         tb = 0.00916, u = 0.04, ua = 0.01228, ub = 0.00449, zf = 0.02, zt = 0.04, fa = 0.01421, mom = 0.033,
                         d = 0.028, da = 0.0115, e = 0.02, ea = 0.01421, rr = 0.007, ra = 0.00092;
        const S *q = y, *v = y + 7, *lambda = y + 14, *a = yp + 7;
        const S s1 = sin(q[0]), c1 = cos(q[0]), s2 = sin(q[1]), c2 = cos(q[1]), s3 = sin(q[2]), c3 = cos(q[2]), s4 = sin(q[3]),
                c4 = cos(q[3]), s5 = sin(q[4]), c5 = cos(q[4]), s6 = sin(q[5]), c6 = cos(q[5]), s7 = sin(q[6]), c7 = cos(q[6]),
                s12 = sin(q[0] + q[1]), c12 = cos(q[0] + q[1]), s45 = sin(q[3] + q[4]), c45 = cos(q[3] + q[4]),
                s67 = sin(q[5] + q[6]), c67 = cos(q[5] + q[6]);
        const S X = S(rr) * c1 - S(d) * c12, Y = S(rr) * s1 - S(d) * s12;
        const S g[6] = {X - S(ss) * s3 - S(xb),
                        Y + S(ss) * c3 - S(yb),
                        X - S(e) * s45 - S(zt) * c5 - S(xa),
                        Y + S(e) * c45 - S(zt) * s5 - S(ya),
                        X - S(zf) * c67 - S(u) * s7 - S(xa),
                        Y - S(zf) * s67 + S(u) * c7 - S(ya)};
        S G[6][7] = {};
        for (int i = 0; i < 6; ++i) {
            G[i][0] = i % 2 == 0 ? S(d) * s12 - S(rr) * s1 : S(rr) * c1 - S(d) * c12;
            G[i][1] = i % 2 == 0 ? S(d) * s12 : -(S(d) * c12);
        }
        G[0][2] = -(S(ss) * c3), G[1][2] = -(S(ss) * s3);
        G[2][3] = -(S(e) * c45), G[3][3] = -(S(e) * s45);
        G[2][4] = S(zt) * s5 - S(e) * c45, G[3][4] = -(S(e) * s45) - S(zt) * c5;
        G[4][5] = S(zf) * s67, G[5][5] = -(S(zf) * c67);
        G[4][6] = S(zf) * s67 - S(u) * c7, G[5][6] = -(S(zf) * c67) - S(u) * s7;

        const S m11 = S(m1 * ra * ra + m2 * (rr * rr + da * da) + I1 + I2) - S(2 * m2 * da * rr) * c2,
                m12 = S(m2 * da * da + I2) - S(m2 * da * rr) * c2;
        const S m45 = S(m4 * (e - ea) * (e - ea) + I4) + S(m4 * zt * (e - ea)) * s4;
        const S m55 =
            S(m4 * (zt * zt + (e - ea) * (e - ea)) + m5 * (ta * ta + tb * tb) + I4 + I5) + S(2 * m4 * zt * (e - ea)) * s4;
        const S m67 = S(m6 * (zf - fa) * (zf - fa) + I6) - S(m6 * u * (zf - fa)) * s6;
        const S m77 =
            S(m6 * ((zf - fa) * (zf - fa) + u * u) + m7 * (ua * ua + ub * ub) + I6 + I7) - S(2 * m6 * u * (zf - fa)) * s6;
        const S inertia[7] = {m11 * a[0] + m12 * a[1],
                              m12 * a[0] + S(m2 * da * da + I2) * a[1],
                              S(m3 * (sa * sa + sb * sb) + I3) * a[2],
                              S(m4 * (e - ea) * (e - ea) + I4) * a[3] + m45 * a[4],
                              m45 * a[3] + m55 * a[4],
                              S(m6 * (zf - fa) * (zf - fa) + I6) * a[5] + m67 * a[6],
                              m67 * a[5] + m77 * a[6]};
        const S xd = S(sd) * c3 + S(sc) * s3 + S(xb), yd = S(sd) * s3 - S(sc) * c3 + S(yb);
        const S length = sqrt((xd - S(xc)) * (xd - S(xc)) + (yd - S(yc)) * (yd - S(yc)));
        const S pull = S(-c0) * (length - S(l0)) / length, fx = pull * (xd - S(xc)), fy = pull * (yd - S(yc));
        const S force[7] = {
            S(mom) - S(m2 * da * rr) * v[1] * (v[1] + S(2) * v[0]) * s2,     S(m2 * da * rr) * v[0] * v[0] * s2,
            fx * (S(sc) * c3 - S(sd) * s3) + fy * (S(sd) * c3 + S(sc) * s3), S(m4 * zt * (e - ea)) * v[4] * v[4] * c4,
            -(S(m4 * zt * (e - ea)) * v[3] * (v[3] + S(2) * v[4]) * c4),     -(S(m6 * u * (zf - fa)) * v[6] * v[6] * c6),
            S(m6 * u * (zf - fa)) * v[5] * (v[5] + S(2) * v[6]) * c6};
        for (int j = 0; j < 7; ++j) {
            F[j] = yp[j] - v[j];
            F[7 + j] = inertia[j] - force[j];
            for (int i = 0; i < 6; ++i) {
                F[7 + j] = F[7 + j] + G[i][j] * lambda[i];
                if constexpr (kBoth)
                    F[j] = F[j] + G[i][j] * y[20 + i];
            }
        }
        for (int i = 0; i < 6; ++i) {
            S rate(0);
            for (int j = 0; j < 7; ++j)
                rate = rate + G[i][j] * v[j];
            F[14 + i] = Level == 2 ? rate : g[i];
            if constexpr (kBoth)
                F[20 + i] = rate;
        }
    }

    static Start start()
    {
        Start s{{-0.0617138900142764496358948458001,
                 0,
                 0.455279819163070380255912382449,
                 0.222668390165885884674473185609,
                 0.487364979543842550225598953530,
                 -0.222668390165885884674473185609,
                 1.23054744454982119249735015568,
                 0,
                 0,
                 0,
                 0,
                 0,
                 0,
                 0,
                 98.5668703962410896057654982170,
                 -6.12268834425566265503114393122,
                 0,
                 0,
                 0,
                 0},
                {0, 0, 0, 0, 0, 0, 0, 14222.4439199541138705911625887, -10666.8329399655854029433719415, 0, 0, 0, 0,
                 0, 0, 0, 0, 0, 0, 0}};
        s.y.resize(kSize);
        s.yp.resize(kSize);
        return s;
    }

    /// Angles at t = 0.03 s, extrapolation on the acceleration level in extended precision, two tolerances agreeing to 1e-18.
    static constexpr double kAt30ms[7] = {15.8107711951537070971,   -15.7563710584118394697, 0.0408222401196458048583,
                                          -0.534730116342079593770, 0.524409965879954069372, 0.534730116342079593770,
                                          1.04808074104193787307};
};

} // namespace driftless::problems
