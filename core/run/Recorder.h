// What of a motion is recorded: a row for each step, or for those steps that a curve needs; and states inside of long steps.
//
// Inside of long steps, recorded beside the steps and for display alone: multipliers and the values of a general DAE by the
// method's dense output where it has one for them; positions and velocities by the cubic through values and rates at both ends,
// or by the method's dense output where that is of degree 5 or above (dop853, odex, adams, radau of order 9 and 13).
//
// A step is long where the chord of a curve would be seen: |x''| h^2 / 8 against the largest |x| so far, x'' from the slopes of
// two neighbouring steps (rows, where not every step is one). k equal parts divide that distance by k^2. Where the dense output
// of degree p is followed, a step has p + 1 parts at least: as many states as it takes to have the polynomial back, so that a
// step which spans a whole swing is not taken for a straight one. Residuals, energies,
// counts and monitors are those of steps: what an interpolant violates is its own affair, not the method's. Nothing here is
// read by the integration.
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "core/run/Interval.h"
#include "core/run/Recording.h"
#include "core/run/RunStatus.h"
#include "core/run/Samples.h"
#include "core/system/CompiledSystem.h"

namespace driftless::run {

/// What a row says beside its state.
struct RowNumbers {
    ResidualNorms residual;
    double energy = 0, energyError = 0, work = 0; ///< [J]
    double kinetic = 0, potential = 0;            ///< [J], whose sum is the energy
    double step = 0;                              ///< [s]
    int order = 0;
    double kappa = 1;
    double projected = 0;  ///< size of the last projection
    int steps = 0;         ///< accepted since the row before
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
    /// Until there are so many rows no step is passed over: what two runs differ by is far less than what a curve shows.
    void recordFirst(std::uint64_t rows) { recordedFirst_ = rows; }
    /// Records states inside of the interval where its chord would be seen. To be called before append.
    void appendBetween(const Interval& interval);
    /// Keeps states at the times that are asked for inside of the interval, where the method's polynomial reaches over it.
    /// complete: accelerations and multipliers of a state. To be called before append.
    template <class Complete>
    void sampleBetween(const Interval& interval, Samples& samples, Complete&& complete)
    {
        const double from = interval.before.t, h = interval.now.t - from;
        for (const double t : samples.inside(from, interval.now.t)) {
            model::ModelState state = interval.now;
            state.t = t;
            const bool general = state.q.empty();
            if (interval.steps > 1 || !interval.values || !interval.values->solved(t, state.lambda.data())
                || (!general && !(motionAt(interval, (t - from) / h, state.q.data(), state.v.data()) && complete(state))))
                continue;
            ordered(state.lambda.data());
            samples.keep(std::move(state));
        }
    }
    /// Records the row. No allocation except when a chunk of the recording fills.
    void append(const model::ModelState& state, const RowNumbers& numbers);
    /// The next interval is compared with none before.
    void forgetSlopes() { slopes_.end = std::numeric_limits<double>::quiet_NaN(); }

    /// Where the recorded multipliers stand in the states of the mode in force; empty: in the same order. Borrowed.
    void follow(const std::vector<int>* places) { places_ = places; }

    void truncateAfter(double t) { recording_.truncateAfter(t); }
    void clear()
    {
        recording_.clear();
        rows_ = 0;
    }
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
    int rowsInside(const Interval& interval, bool compared, double worst) const;
    double* ordered(double* lambda);
    bool motionAt(const Interval& interval, double share, double* q, double* v);

    std::shared_ptr<const model::CompiledSystem> system_;
    model::SystemEvaluator& evaluator_;
    Recording recording_;
    Slopes slopes_;
    std::uint64_t rows_ = 0, recordedFirst_ = 0; ///< rows that were appended, whatever became of them
    const std::vector<int>* places_ = nullptr;
    std::vector<double> ordered_, row_, between_, rate_, early_, late_, outputs_;
    std::vector<int> outputColumns_; ///< those of outputs_ that are recorded
};

} // namespace driftless::run
