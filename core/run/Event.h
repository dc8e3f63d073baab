// What happens in a run, as data: the time line, figures, studies and panels read the fields. Words for people are made from
// them in EventWords.h alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/base/Diagnostic.h"
#include "core/consistency/Doctor.h"
#include "core/reduction/Events.h"
#include "core/run/Settings.h"
#include "core/system/ConstrainedSystem.h"
#include "core/system/Modes.h"

namespace driftless::run {

enum class EventKind { Start, Command, Pivot, Correction, Restart, Warning, Stuck, Failure, Mode, Impact, Crossing, Finished };
std::string eventKindName(EventKind kind); ///< "start", "command", "pivot", ...

// Details: one type for each thing that can happen. Names are full names of the model.

struct Started {
    std::string formulation, integrator;
    static constexpr EventKind kind() { return EventKind::Start; }
};

/// The start values did not satisfy the constraints and were moved.
struct StartCorrected {
    double moved = 0; ///< largest change of a value
    static constexpr EventKind kind() { return EventKind::Correction; }
};

struct CommandDone {
    CommandPayload payload;
    std::optional<double> energyJump{}; ///< [J] by which it changed the energy; the balance then starts afresh
    static constexpr EventKind kind() { return EventKind::Command; }
};

enum class RestartCause { Asked, StepInterrupted, AfterFailure };
/// The integrator started afresh at the same state.
struct Restarted {
    RestartCause cause = RestartCause::Asked;
    static constexpr EventKind kind() { return EventKind::Restart; }
};

/// The derivatives of other variables are dummies from now on.
struct PivotChange {
    std::vector<std::string> from, to;
    double kappaBefore = 1, kappa = 1;
    static constexpr EventKind kind() { return EventKind::Pivot; }
};

/// A basis was taken anew because the motion had turned out of it: kappa is 1 again.
struct BasisRenewed {
    double kappaBefore = 1;
    static constexpr EventKind kind() { return EventKind::Pivot; }
};

/// A change restored levels of the constraints.
struct Correction {
    double positions = 0, velocities = 0; ///< largest change of each
    static constexpr EventKind kind() { return EventKind::Correction; }
};

/// Values set by hand that the constraints did not allow, and what had to give way.
struct ValuesCorrected {
    struct Miss {
        std::string name;
        double became = 0, asked = 0;
    };
    struct Move {
        std::string name; ///< of the one that moved furthest
        double size = 0;
    };
    std::vector<Miss> missed{};
    std::optional<Move> positions{}, velocities{};
    bool empty() const { return missed.empty() && !positions && !velocities; }
    static constexpr EventKind kind() { return EventKind::Correction; }
};

/// The pinned selection of dummies comes close to a point where it is singular.
struct PinnedNearSingular {
    std::vector<std::string> dummies;
    double kappa = 1;
    static constexpr EventKind kind() { return EventKind::Warning; }
};

/// [G; L], and with it the matrix (3.24) of [PP92], comes close to losing rank.
struct RatesNearSingular {
    double ratio = 1;                      ///< smallest singular value of [G; L] against the largest
    std::optional<double> singularSince{}; ///< [s] of the last state before the determinant turned
    static constexpr EventKind kind() { return EventKind::Warning; }
};

/// The constraints lost their rank on the way.
struct RankLost {
    double t = 0; ///< [s]
    std::vector<std::string> constraints;
    static constexpr EventKind kind() { return EventKind::Warning; }
};

struct EnergyDrifted {
    double error = 0;                           ///< [J] of the balance, or its change within some steps
    double exchanged = 0;                       ///< [J] by the motion so far
    std::optional<std::uint64_t> withinSteps{}; ///< none: since the balance began
    std::optional<double> fixedStep{};          ///< [s] of a method that does not choose its steps
    bool inTheMean = false;                     ///< exchanged is the mean over the time, which a moment of much more exceeds
    bool withoutDrift = false;                  ///< error is without what violated constraints are worth
    bool yields = false;                        ///< the form has springs and dampers in place of constraints
    bool besideSpin = false;                    ///< exchanged is without T, most of which nothing changes
    static constexpr EventKind kind() { return EventKind::Warning; }
};

struct PositionsDrifted {
    std::string formulation, constraint; ///< the constraint that is violated most
    bool held = false;                   ///< the formulation claims to hold the positions
    bool yields = false;                 ///< it has springs in their place; share is then one of the usual size
    double residual = 0;                 ///< of the constraint, in its own unit
    double share = 0;                    ///< of the way that the mechanism has moved
    static constexpr EventKind kind() { return EventKind::Warning; }
};

/// Constraints that follow from others and are carried all the same.
struct RedundantConstraints {
    int among = 0; ///< all constraints
    std::vector<std::string> names;
    std::vector<consistency::RedundantRow> explained; ///< what they follow from; empty where that was not looked for
    std::vector<std::string> undetermined;            ///< constraints whose multipliers are not determined one by one
    static constexpr EventKind kind() { return EventKind::Warning; }
};

/// Constraints that follow from others and were set aside with the model.
struct ConstraintsSetAside {
    std::vector<model::Dependent> rows;
    bool confirmed = false; ///< they are met along the motion that the others leave
    bool moves = true;      ///< there is such a motion
    int places = 0;         ///< along it, at which that was confirmed
    static constexpr EventKind kind() { return EventKind::Warning; }
};

struct NoFreedom {
    int coordinates = 0, rank = 0; ///< of the position constraints
    static constexpr EventKind kind() { return EventKind::Warning; }
};

/// Contacts were hit: velocities jump, positions stay.
struct ImpactEvent {
    std::vector<std::string> contacts, bodies;
    // The impulse and the speed are the largest ones in usual sizes (OneSidedSizes.h): forces and moments have no other measure
    // in common. They may belong to two different contacts.
    double impulse = 0;                ///< [N s], of an angle [N m s]
    double energy = 0;                 ///< [J] that it brought: not above zero where nothing moves by itself
    int impacts = 1;                   ///< one after the other at this instant
    double speed = 0;                  ///< [m/s], of an angle [rad/s]: of approach
    bool cutShort = false;             ///< they did not end, and the rest was taken without rebound
    bool leastRestitution = false;     ///< different restitutions would have given energy, or cannot be met: the least counts
    std::vector<double> multipliers{}; ///< of each contact, integrated over the instant: what its force arrow becomes
    /// Of a contact with friction: its row of slip with its multiplier, and the slip before and after [m/s].
    struct Rubbed {
        std::string row, contact;
        double multiplier = 0, before = 0, after = 0;
    };
    std::vector<Rubbed> rubbed{};
    double gained = 0;                                 ///< [J] that the law of impact has brought; 0: none
    std::string law{};                                 ///< with friction: "energetic", "newton" or "poisson"
    bool angularImpulse = false, angularSpeed = false; ///< of an angle: a stop of a pin
    bool withoutCollision = false;                     ///< the force of a contact that slides was not determined
    static constexpr EventKind kind() { return EventKind::Impact; }
};

/// Other rows are in force: contacts closed or opened, friction sticks or slides, a link broke.
struct ModeChange {
    std::string from, to; ///< rows in force, as model::modeName says it
    int index = -1;       ///< differentiation index of the form from here on
    model::Mode fromMode{}, toMode{};
    std::vector<std::string> dummiesBefore{}, dummies{}; ///< of forms that choose; the mode has a choice of its own
    static constexpr EventKind kind() { return EventKind::Mode; }
};

/// An event of a model of equations: conditions changed, discrete variables were set, values were reinitialised.
struct Switched {
    using Change = reduction::EventOutcome::Change;
    std::vector<Change> switched, set, reinit;
    std::vector<std::string> conditions; ///< of the `when` that were done
    int index = -1;                      ///< differentiation index of the form
    static constexpr EventKind kind() { return EventKind::Mode; }
};

/// An assertion of the model that only warns does not hold any more.
struct AssertionBroken {
    std::string message;
    static constexpr EventKind kind() { return EventKind::Warning; }
};

/// Conditions of equations whose limits are nearer to zero than what counts as zero.
struct LimitsTooFine {
    std::vector<std::string> conditions;
    static constexpr EventKind kind() { return EventKind::Warning; }
};

/// Something came to zero, and nothing followed from it.
struct Crossing {
    std::vector<std::string> names;
    static constexpr EventKind kind() { return EventKind::Crossing; }
};

/// The run has ended here.
struct Failure {
    Diagnostic diagnostic;
    bool stuck = false; ///< nothing failed numerically: the run cannot get on
    bool asked = false; ///< the model ends its run itself
    EventKind kind() const
    {
        if (asked)
            return EventKind::Finished;
        return stuck ? EventKind::Stuck : EventKind::Failure;
    }
};

using EventDetail = std::variant<Started, StartCorrected, CommandDone, Restarted, PivotChange, BasisRenewed, Correction,
                                 ValuesCorrected, PinnedNearSingular, RatesNearSingular, RankLost, EnergyDrifted,
                                 PositionsDrifted, RedundantConstraints, ConstraintsSetAside, NoFreedom, ImpactEvent,
                                 ModeChange, Switched, AssertionBroken, LimitsTooFine, Crossing, Failure>;

struct Event {
    double t = 0; ///< [s]
    EventDetail detail;

    EventKind kind() const
    {
        return std::visit([](const auto& what) { return what.kind(); }, detail);
    }
    /// The detail if it is of this type, else null.
    template <class Detail>
    const Detail* as() const
    {
        return std::get_if<Detail>(&detail);
    }
};

} // namespace driftless::run
