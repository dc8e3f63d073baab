// What a mechanism is drawn from, and what would be simpler.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "tests/support/Draw.h"

namespace driftless::test {

struct MechanismShape {
    std::uint64_t seed = 0;
    bool space = false;
    bool flat = false; ///< in space, but all axes are parallel: its loops repeat rows
    int bodies = 1;
    int loops = 0;         ///< joints that close one, as far as a degree of freedom is left
    bool repeated = false; ///< one joint twice
    bool springs = false, moving = false;
    bool rarer = false;  ///< screws, planar joints, what rolls
    bool driven = false; ///< one joint follows a function of time
    int wheels = 0;      ///< pairs of wheels that mesh, or of a wheel and its rack

    const char* where() const
    {
        if (!space)
            return "in the plane";
        return flat ? "in space, with parallel axes" : "in space";
    }
    std::string told() const
    {
        std::ostringstream out;
        out << "DRIFTLESS_SEED=" << seed << " DRIFTLESS_COUNT=1, " << bodies << " bodies " << where() << ", " << loops
            << " loops" << (repeated ? ", a joint twice" : "") << (springs ? ", springs" : "") << (moving ? ", moving" : "")
            << (rarer ? ", rarer joints" : "") << (driven ? ", driven" : "") << ", " << wheels << " pairs of wheels";
        return out.str();
    }
};

inline MechanismShape drawMechanism(std::uint64_t seed)
{
    Draw draw(seed);
    MechanismShape s;
    s.seed = seed;
    s.space = draw.chance(0.5);
    s.flat = s.space && draw.chance(0.3);
    s.bodies = draw.upTo(1, s.space ? 3 : 5);
    s.loops = draw.upTo(0, 2);
    s.repeated = draw.chance(0.15);
    s.springs = draw.chance(0.5);
    s.moving = draw.chance(0.7);
    s.rarer = draw.chance(0.6);
    s.driven = draw.chance(0.3);
    s.wheels = !s.space && draw.chance(0.5) ? draw.upTo(1, 2) : 0;
    return s;
}

inline std::vector<MechanismShape> smallerMechanisms(const MechanismShape& s)
{
    std::vector<MechanismShape> out;
    for (bool MechanismShape::*part : {&MechanismShape::springs, &MechanismShape::moving, &MechanismShape::repeated,
                                       &MechanismShape::driven, &MechanismShape::rarer})
        if (s.*part) {
            out.push_back(s);
            out.back().*part = false;
        }
    for (int MechanismShape::*part : {&MechanismShape::wheels, &MechanismShape::loops})
        if (s.*part > 0) {
            out.push_back(s);
            --(out.back().*part);
        }
    if (s.bodies > 1) {
        out.push_back(s);
        --out.back().bodies;
    }
    return out;
}

} // namespace driftless::test
