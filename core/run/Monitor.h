// What watches a run: a family. A monitor watches one thing, owns the limit with its reason and what it must remember, is
// handed plain data of each recorded row, and returns a verdict with typed details. It knows no run: docs/monitors.md says what
// all of them look for, and why their limits are where they are.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/integrate/Integrator.h"
#include "core/run/Event.h"
#include "core/system/NominalScales.h"

namespace driftless::run {

/// A recorded row and the one before it, borrowed for the call. Vectors have the model's sizes: n coordinates.
struct Observation {
    double t = 0, tBefore = 0;                ///< [s]
    int steps = 1;                            ///< accepted from the row before to this one
    std::uint64_t accepted = 0, rejected = 0; ///< steps of the whole run
    std::span<const double> q, v, a;          ///< positions, velocities, accelerations
    std::span<const double> qBefore, vBefore, aBefore;
    std::span<const double> parameters; ///< in force
    const model::NominalScales* scales = nullptr;
    double usualEnd = 0; ///< [s] how long the model is usually run

    bool general = false; ///< a general DAE: it has no energy and no levels of constraints
    std::string_view formulation;
    bool holdsPositions = false; ///< the form enforces them, or its projection does
    bool yields = false;         ///< its constraints are springs
    bool needsRateRank = false;  ///< it is not determined where [G; L] loses rank
    bool adaptive = false;       ///< the method chooses its steps
    double step = 0;             ///< [s] of a method that does not
    double relativeTolerance = 0, absoluteTolerance = 0;

    bool pinned = false; ///< the dummies were chosen by hand
    double kappa = 1;    ///< of the selection in force

    double energy = 0, kinetic = 0;   ///< [J]
    double energyError = 0, work = 0; ///< [J] since the balance began
    double relativePosition = 0;      ///< residual of the positions in nominal sizes
    double relativeVelocity = 0;      ///< of the velocities
    /// g, and the multipliers: those of g first.
    std::span<const double> constraints{}, multipliers{};
    std::span<const double> setAside{}; ///< g of the rows set aside
    /// Of the rows on velocities that were set aside: psi, and against its terms at the usual velocities.
    std::span<const double> velocitiesSetAside{}, velocityShares{};

    double h() const { return (t - tBefore) / steps; } ///< [s] mean step
};

/// What a monitor may have computed at the observed row, or named. Each call costs an evaluation or an allocation.
class MonitorProbe {
public:
    virtual ~MonitorProbe() = default;
    /// g and the nonzeros of its Jacobian, in the order of the model's places; false where they cannot be computed.
    virtual bool positionRows(std::span<const double>& g) = 0;
    virtual bool positionJacobian(std::span<const double>& values) = 0;
    /// q' at the row before and at this one; n each.
    virtual bool coordinateRates(std::span<double> before, std::span<double> now) = 0;
    /// [G; L]: its smallest singular value against the largest, and the sign of its determinant (0 unless square).
    struct Rates {
        bool known = false;
        double ratio = 1;
        int orientation = 0;
    };
    virtual Rates rates() = 0;
    virtual std::vector<std::string> dummies() = 0;
};

// Why a run has to end. What to try is added by the run, which knows what it is.

/// The pinned selection is singular here, or nearly so.
struct PinnedSingular {};
/// Steps make no progress.
struct Standstill {
    /// Many attempts fail for next to no progress over the last window of steps.
    struct Creep {
        std::uint64_t steps = 0, rejected = 0;
        double advance = 0; ///< [s]
    };
    double step = 0; ///< [s] the last one
    std::optional<Creep> creep{};
};
struct EnergyExploded {
    double error = 0; ///< [J]
    double step = 0;  ///< [s]
};
struct ConstraintsExploded {
    double step = 0; ///< [s]
};
/// A step led to another solution of the equations where [G; L] is nearly singular.
struct RatesJumped {
    bool ofPositions = false; ///< else of the velocities
    double away = 0;          ///< from the motion carried on, in nominal sizes
    double explained = 0;     ///< by the accelerations
};
/// Rows that were set aside are further off than those kept allow.
struct LeftSetAside {
    std::size_t row = 0;   ///< the worst
    bool velocity = false; ///< among those on velocities
    double residual = 0;   ///< its g or psi
    double share = 0;      ///< of the mechanism's extent; of its terms at the usual velocities
    double rest = 0;       ///< largest share of the rows kept
    double limit = 0;      ///< share that this allows
};
/// What the model requires of a number that changes with time holds no more.
struct Unmet {
    std::size_t requirement = 0; ///< of Model::requirements
    double t = 0;                ///< [s] from which on
};
using StopCause =
    std::variant<PinnedSingular, Standstill, EnergyExploded, ConstraintsExploded, RatesJumped, LeftSetAside, Unmet>;

/// Nothing; a warning, with which the run goes on; or the end of the run.
using Verdict = std::variant<std::monostate, EventDetail, StopCause>;

class Monitor {
public:
    /// When a monitor is asked: of a row that is not yet recorded, which a stop takes back; or behind it.
    enum class Turn { BeforeRow, AfterRow };

    virtual ~Monitor() = default;
    Monitor(const Monitor&) = delete;
    Monitor& operator=(const Monitor&) = delete;

    Turn turn() const { return turn_; }
    /// From here on the run is judged against this row: after a start and after every change.
    void begin(const Observation& row, MonitorProbe& probe) { restart(row, probe); }
    /// Allocates nothing unless it finds something.
    Verdict judge(const Observation& row, MonitorProbe& probe) { return look(row, probe); }
    /// Whether it has said that the motion shown is not that of the model.
    bool lost() const { return hasLost(); }
    /// Whether it would look at rows that follow this one at all, until the next beginning.
    bool watches(const Observation& row) const { return concerns(row); }

protected:
    explicit Monitor(Turn turn) : turn_(turn) {}

private:
    virtual void restart(const Observation& row, MonitorProbe& probe) = 0;
    virtual Verdict look(const Observation& row, MonitorProbe& probe) = 0;
    virtual bool hasLost() const { return false; }
    virtual bool concerns(const Observation&) const { return true; }

    Turn turn_;
};

} // namespace driftless::run
