// What a constrained system with a known motion consists of: drawn from a seed, and made simpler where it fails.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "tests/support/Draw.h"

namespace driftless::test {

/// What a case consists of; smaller ones are simpler.
struct MotionShape {
    std::uint64_t seed = 0;
    int free = 1, holonomic = 0, nonholonomic = 0;
    bool moving = false;  ///< rows depend on t
    bool coupled = false; ///< M is full and depends on q
    bool mixed = false;   ///< rows are mixed
    bool dynamic = false; ///< a dynamic variable drives a force
    bool effort = false;  ///< an effort is solved for
    bool basis = false;   ///< velocities other than q'

    int n() const { return free + holonomic + nonholonomic; }
    std::string told() const
    {
        std::ostringstream out;
        out << "DRIFTLESS_SEED=" << seed << ": " << free << " free, " << holonomic << " holonomic, " << nonholonomic
            << " nonholonomic" << (moving ? ", moving" : "") << (coupled ? ", coupled" : "") << (mixed ? ", mixed" : "")
            << (dynamic ? ", dynamic" : "") << (effort ? ", effort" : "") << (basis ? ", basis" : "");
        return out.str();
    }
};

inline MotionShape drawShape(std::uint64_t seed)
{
    Draw draw(seed);
    MotionShape s{.seed = seed};
    s.free = draw.upTo(1, 3);
    s.holonomic = draw.upTo(0, 2);
    s.nonholonomic = draw.chance(0.3) ? 1 : 0;
    for (bool* part : {&s.moving, &s.coupled, &s.mixed})
        *part = draw.chance(0.5);
    for (bool* part : {&s.dynamic, &s.effort, &s.basis})
        *part = draw.chance(0.2);
    return s;
}

inline std::vector<MotionShape> smallerShapes(const MotionShape& s)
{
    std::vector<MotionShape> out;
    for (bool MotionShape::*part : {&MotionShape::basis, &MotionShape::effort, &MotionShape::dynamic, &MotionShape::coupled,
                                    &MotionShape::moving, &MotionShape::mixed})
        if (s.*part) {
            out.push_back(s);
            out.back().*part = false;
        }
    for (int MotionShape::*part : {&MotionShape::nonholonomic, &MotionShape::holonomic, &MotionShape::free})
        if (s.*part > (part == &MotionShape::free ? 1 : 0)) {
            out.push_back(s);
            --(out.back().*part);
        }
    return out;
}

} // namespace driftless::test
