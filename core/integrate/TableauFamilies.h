// The one-parameter families of [DN] in any number type: exact for the order conditions, double for the stepper.
#pragma once

#include <array>
#include <cstddef>

namespace driftless::integrate {

template <class Number, std::size_t Stages>
struct FamilyMember {
    std::array<Number, Stages> c{}, b{};
    std::array<std::array<Number, Stages>, Stages> a{};
};

/// All explicit methods of two stages and order two, [DN] (1.27). alpha is not 0.
template <class Number>
FamilyMember<Number, 2> secondOrder(const Number& alpha)
{
    FamilyMember<Number, 2> m;
    m.c[1] = alpha;
    m.a[1][0] = alpha;
    m.b[1] = Number(1) / (Number(2) * alpha);
    m.b[0] = Number(1) - m.b[1];
    return m;
}

/// Explicit methods of three stages and order three with c3 = 1, [DN] (1.32) with b3 = (2 - 3 alpha) / (6 (1 - alpha)), where
/// the source has another alpha below the line. alpha is not 0, 2/3 or 1.
template <class Number>
FamilyMember<Number, 3> thirdOrder(const Number& alpha)
{
    FamilyMember<Number, 3> m;
    const Number rest = Number(1) - alpha;
    m.c[1] = alpha;
    m.c[2] = Number(1);
    m.a[1][0] = alpha;
    m.a[2][1] = rest / (alpha * (Number(2) - Number(3) * alpha));
    m.a[2][0] = Number(1) - m.a[2][1];
    m.b[0] = Number(1) / Number(2) - Number(1) / (Number(6) * alpha);
    m.b[1] = Number(1) / (Number(6) * alpha * rest);
    m.b[2] = (Number(2) - Number(3) * alpha) / (Number(6) * rest);
    return m;
}

} // namespace driftless::integrate
