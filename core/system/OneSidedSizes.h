// How large gaps, speeds and forces usually are where a one-sided row acts: what touches, rests or has no force is judged by
// these. Each row has the sizes of what it takes part in alone, the part of the model that joints, forces and other one-sided
// rows connect with it. What is elsewhere decides nothing there.
//
//   E     extent of a part [m]: as stated (nominal); else the largest of twice the distance of a body from the middle of all
//         bodies and of the arms of joints; else of the radii of gyration. No place of the scene is in it: a scene that is
//         shifted, or in the plane turned, has the sizes that it had.
//   S     of a row: the larger one of E and its own gap at the start; where there is neither, the smallest gap of the part,
//         else how far it flies, v^2 / a, or falls while it falls at all, a T^2 / pi^2, or goes, v T, with T a tenth of the run
//   V     the largest of v, sqrt(a S) / pi and omega E; V / S is the rate of the row
//
// v, a: the largest speed and acceleration of a body at the start, omega the rate of what has no length. Coordinates without a
// body have no distances: of those S is a gap, an arm or, where nothing moves, what they are at the start.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "core/system/CompiledSystem.h"
#include "core/system/Modes.h"

namespace driftless::model {

/// Of a gap [m], its velocity [m/s] and its force [N]; of an angle [rad], [rad/s] and [N m]. All for each unit of
/// OneSided::scale.
struct OneSidedSize {
    double gap = 1, speed = 1, force = 1;
    double time = 1;     ///< [s] in which such a speed covers such a gap
    double roundoff = 0; ///< [m] of what places differ by: they are known to so much
};

struct OneSidedSizes {
    std::vector<OneSidedSize> rows;
    std::vector<double> velocities; ///< n, of each coordinate among what it is connected with
    double time = 1;                ///< [s] the shortest one of a row
};

/// The parts of a system with one-sided rows: built once, by what its equations contain. All costs are linear in its size.
class OneSidedParts {
public:
    explicit OneSidedParts(const CompiledSystem& compiled);
    /// As the file states its start, with the parameters of the evaluators. Never fails: what cannot be evaluated says nothing.
    OneSidedSizes sizes(SystemEvaluator& evaluator, OneSidedEvaluator& rows) const;

private:
    struct Place {
        std::size_t part = 0;
        std::size_t group = 0;             ///< a body, or a coordinate that has none
        std::size_t colour = 0;            ///< of its velocity: velocities of one colour move no coordinate together
        bool length = false, free = false; ///< [m]; without a unit
        int axis = -1;                     ///< of the place of a body
    };
    struct Measured;
    void colourVelocities(const CompiledSystem& compiled);

    std::vector<Place> places_;                              ///< n
    std::vector<std::optional<std::size_t>> rows_;           ///< part of each one-sided row; none: it moves nothing
    std::vector<std::pair<std::size_t, std::size_t>> moves_; ///< coordinate and velocity in its rate, where rates are not plain
    std::size_t parts_ = 0, groups_ = 0, colours_ = 1;
};

} // namespace driftless::model
