// What of a motion is recorded: a row for each step, or for those steps that a curve needs; and states inside of long steps.
//
// Inside of long steps, recorded beside the steps and for display alone: positions and velocities by the cubic through values
// and rates at both ends, multipliers and the values of a general DAE by the method's dense output where it has one for them.
//
// A step is long where the chord of a curve would be seen: |x''| h^2 / 8 against the largest |x| so far, x'' from the slopes of
// two neighbouring steps (rows, where not every step is one). k equal parts divide that distance by k^2. Residuals, energies,
// counts and monitors are those of steps: what an interpolant violates is its own affair, not the method's. Nothing here is
// read by the integration.
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "core/run/Recording.h"
#include "core/run/RunStatus.h"
#include "core/system/CompiledSystem.h"
#include "core/system/State.h"

namespace driftless::run {

/// The method's polynomial over its last step, where it holds multipliers or values of equations.
class DenseValues {
public:
    virtual ~DenseValues() = default;
    /// Whether it holds them: methods that know no rates of algebraic unknowns would draw stairs.
    virtual bool known() const = 0;
    /// Multipliers and the like (w numbers) at a time of the last step; false where they cannot be computed.
    virtual bool at(double t, double* lambda) = 0;
};

/// From the last row to the step just accepted; borrowed for the call. Both states have q, v, a and lambda.
struct Interval {
    const model::ModelState &before, &now;
    int steps = 1;                 ///< accepted on the way
    double step = 0;               ///< [s] of the integrator's last one
    int order = 0;                 ///< of that
    bool everyStep = true;         ///< every step becomes a row
    DenseValues* values = nullptr; ///< of the last step; null: none
};

/// What a row says beside its state.
struct RowNumbers {
    ResidualNorms residual;
    double energy = 0, energyError = 0, work = 0; ///< [J]
    double kinetic = 0, potential = 0;            ///< [J], whose sum is the energy
    double step = 0;                              ///< [s]
    int order = 0;
    double kappa = 1;
    double projected = 0;  ///< size of the last projection
    bool setAside = false; ///< the model has rows that were set aside
};

class Recorder {
public:
    /// The evaluator computes q' where it is not v; it outlives the recorder.
    Recorder(std::shared_ptr<const model::CompiledSystem> system, model::SystemEvaluator& evaluator, std::uint64_t budget);

    /// Whether the step just accepted needs no row: not where the chord from the last row to the step that comes would be seen,
    /// or step or order have changed. conservative: no work of forces is integrated from row to row. multipliers: they are
    /// judged, too.
    bool passesOver(const Interval& interval, bool conservative, bool multipliers) const;
    /// Records states inside of the interval where its chord would be seen. To be called before append.
    void appendBetween(const Interval& interval);
    /// Records the row. No allocation except when a chunk of the recording fills.
    void append(const model::ModelState& state, const RowNumbers& numbers);
    /// The next interval is compared with none before.
    void forgetSlopes() { slopes_.end = std::numeric_limits<double>::quiet_NaN(); }

    /// Where the recorded multipliers stand in the states of the mode in force; empty: in the same order. Borrowed.
    void follow(const std::vector<int>* places) { places_ = places; }

    void truncateAfter(double t) { recording_.truncateAfter(t); }
    void clear() { recording_.clear(); }
    RecordingView view() const { return recording_.view(); } ///< any thread
    /// The thread that steps: rows as they are, until the next one. No allocation.
    RecordingView written() const { return recording_.written(); }

private:
    /// For each position and velocity, or each value of a general DAE.
    struct Slopes {
        std::vector<double> slopes, extents;                          ///< of the last step; largest magnitudes so far
        std::vector<double> multiplierSlopes, multiplierExtents;      ///< the same, where only some steps are recorded
        double end = std::numeric_limits<double>::quiet_NaN(), h = 0; ///< of the last step (of the last row's interval)
        double step = 0;                                              ///< [s] of the integrator there
        int order = 0;
    };
    double follow(const Interval& interval);
    void followMultipliers(const Interval& interval);
    double* ordered(double* lambda);
    bool motionAt(const Interval& interval, double share, double* q, double* v);

    std::shared_ptr<const model::CompiledSystem> system_;
    model::SystemEvaluator& evaluator_;
    Recording recording_;
    Slopes slopes_;
    const std::vector<int>* places_ = nullptr;
    std::vector<double> ordered_, row_, between_, rate_, early_, late_;
};

} // namespace driftless::run
