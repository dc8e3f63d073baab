// Runge-Kutta methods as data: k_i = f(t_n + c_i h, y_n + h sum_j a_ij k_j), y_{n+1} = y_n + h sum_i b_i k_i.
#pragma once

#include <array>
#include <string_view>

namespace driftless::integrate {

template <int Stages>
struct Tableau {
    static constexpr int kStages = Stages;
    std::array<double, Stages> c{};
    std::array<std::array<double, Stages>, Stages> a{};
    std::array<double, Stages> b{};
    std::array<double, Stages> bEmbedded{}; ///< weights of the comparison rule, zero without one
    int order = 0;
    int embeddedOrder = 0;
    int stageOrder = 0;
    bool firstSameAsLast = false; ///< the last stage is the first one of the next step
    double stabilityAtInfinity = 0; ///< |R(infinity)| of implicit methods
    std::string_view source;
};

/// The classical method of order four, [DN] (1.33).
inline constexpr Tableau<4> kClassicalFour{
    .c = {0, 0.5, 0.5, 1},
    .a = {{{0, 0, 0, 0}, {0.5, 0, 0, 0}, {0, 0.5, 0, 0}, {0, 0, 1, 0}}},
    .b = {1.0 / 6, 2.0 / 6, 2.0 / 6, 1.0 / 6},
    .order = 4,
    .stageOrder = 1,
    .source = "[DN] (1.33)"};

/// Order five with an embedded order four. Dormand and Prince, J. Comput. Appl. Math. 6 (1980) 19-26, table 2.
inline constexpr Tableau<7> kDormandPrince{
    .c = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1},
    .a = {{{},
           {1.0 / 5},
           {3.0 / 40, 9.0 / 40},
           {44.0 / 45, -56.0 / 15, 32.0 / 9},
           {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
           {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
           {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}}},
    .b = {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84, 0},
    .bEmbedded = {5179.0 / 57600, 0, 7571.0 / 16695, 393.0 / 640, -92097.0 / 339200, 187.0 / 2100, 1.0 / 40},
    .order = 5,
    .embeddedOrder = 4,
    .stageOrder = 1,
    .firstSameAsLast = true,
    .source = "Dormand and Prince 1980"};

/// The implicit trapezoidal rule, [DN] (1.40).
inline constexpr Tableau<2> kTrapezoidal{
    .c = {0, 1},
    .a = {{{0, 0}, {0.5, 0.5}}},
    .b = {0.5, 0.5},
    .order = 2,
    .stageOrder = 2,
    .stabilityAtInfinity = 1,
    .source = "[DN] (1.40)"};

inline constexpr double kRootOf6 = 2.4494897427831780981972840747058914; ///< sqrt(6)

/// Radau IIA with three stages, stiffly accurate and L-stable, [DN] (1.48).
inline constexpr Tableau<3> kRadauIIA5{
    .c = {(4 - kRootOf6) / 10, (4 + kRootOf6) / 10, 1},
    .a = {{{(88 - 7 * kRootOf6) / 360, (296 - 169 * kRootOf6) / 1800, (-2 + 3 * kRootOf6) / 225},
           {(296 + 169 * kRootOf6) / 1800, (88 + 7 * kRootOf6) / 360, (-2 - 3 * kRootOf6) / 225},
           {(16 - kRootOf6) / 36, (16 + kRootOf6) / 36, 1.0 / 9}}},
    .b = {(16 - kRootOf6) / 36, (16 + kRootOf6) / 36, 1.0 / 9},
    .order = 5,
    .stageOrder = 3,
    .stabilityAtInfinity = 0,
    .source = "[DN] (1.48)"};

/// Inverse of the matrix a of kRadauIIA5: h times the stage rates are this times the stage increments.
inline constexpr std::array<std::array<double, 3>, 3> kRadauIIA5Inverse{
    {{2 + kRootOf6 / 2, -6.0 / 5 + 29 * kRootOf6 / 30, 2.0 / 5 - 4 * kRootOf6 / 15},
     {-6.0 / 5 - 29 * kRootOf6 / 30, 2 - kRootOf6 / 2, 2.0 / 5 + 4 * kRootOf6 / 15},
     {-1 + 8 * kRootOf6 / 3, -1 - 8 * kRootOf6 / 3, 5}}};

} // namespace driftless::integrate
