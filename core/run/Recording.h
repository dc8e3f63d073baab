// What a run leaves behind: accepted steps in immutable chunks, read by any thread while the run goes on.
//
// A row is one accepted step: column 0 is t, then the columns of the layout. Rows are only appended; a chunk has a fixed
// number of rows, and every complete chunk carries minima and maxima in a pyramid so that a plot of ten million samples
// costs a few thousand reads. Beyond a budget older chunks are thinned by step count (every second row, never by wall time).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace driftless::run {

enum class ColumnKind { Position, Velocity, Multiplier, Auxiliary, Residual, Energy, Step, Pivot, Other };

struct Column {
    std::string name; ///< "bob.x", "bob.x'", "rod.lambda", "residual.position", "energy_error", "h", "kappa", ...
    std::string unit;
    ColumnKind kind = ColumnKind::Other;
};

/// Fixed columns after t, in this order: q (n), v (n), lambda (m: multipliers, dynamic variables, efforts), q' (n) where it
/// is not v, then the metrics below; auxiliaries may follow later.
enum class Metric {
    ResidualPosition,
    ResidualVelocity,
    ResidualAcceleration,
    Energy,
    EnergyError,
    Work,
    StepSize,
    Order,
    Kappa,
    Count
};

struct MinMax {
    double minimum, maximum;
};

/// An immutable view of everything recorded when it was taken; cheap to copy, safe on any thread.
class RecordingView {
public:
    std::uint64_t rowCount() const;  ///< rows kept (after thinning)
    std::uint64_t stepCount() const; ///< rows ever recorded, thinned or not
    bool empty() const { return rowCount() == 0; }
    double firstTime() const;
    double lastTime() const;
    int columnCount() const;
    const std::vector<Column>& columns() const;
    int findColumn(std::string_view name) const; ///< -1 if there is none

    double time(std::uint64_t row) const;
    /// NaN where the row is older than the column.
    double value(std::uint64_t row, int column) const;
    /// Last row with time <= t (0 if before the first).
    std::uint64_t rowAt(double t) const;
    /// How many accepted steps the rows up to t stand for: more than there are rows where steps were passed over. Between rows,
    /// and where rows were thinned, as many as up to the row before.
    std::uint64_t stepsAt(double t) const;

    int n() const;
    int m() const;
    /// First column of the metrics.
    int metrics() const;
    /// q (n), v (n), lambda (m) at t: cubic Hermite in q from q', and in values of which the rate is recorded; in v and the
    /// other values the cubic through these rows and two before (NeighbourRows.h); clamped to the recorded range. Inside of a
    /// step whose method's polynomial was recorded (between()) by the polynomial through values and rates of the four nearest
    /// states of that step. At a jump (two rows with one t) the later row counts from t on.
    bool stateAt(double t, double* q, double* v, double* lambda) const;

    /// The curve of a column between t0 and t1 reduced to at most buckets min/max pairs, from the pyramid where dense.
    /// Writes t (bucket start), minimum, maximum; NaN gaps are skipped. Few rows: the rows themselves (min == max).
    void envelope(int column, double t0, double t1, int buckets, std::vector<double>& t, std::vector<MinMax>& values) const;
    /// min and max over the rows between t0 and t1.
    MinMax range(int column, double t0, double t1) const;
    /// States inside of long steps, as Recording::appendBetween left them: the first columns of this view, for curves alone.
    /// They are no steps, count nowhere, and may be missing or thinned.
    RecordingView between() const;
    /// The same in two views of one recording of which nothing was taken back in between: what was read of the one holds for
    /// the other (but for thinning). Never the same for two recordings.
    std::shared_ptr<const void> past() const;

    struct Data;
    explicit RecordingView(std::shared_ptr<const Data> data = {});

private:
    friend class Recording;
    std::shared_ptr<const Data> data_;
};

/// The writing end; one writer thread.
class Recording {
public:
    static constexpr std::uint64_t kDefaultBudgetBytes = 512ull << 20;

    /// ratesApart: the columns hold q' behind lambda. followed: of each of the m values, whether the next one is its rate.
    /// marked: behind the columns each row has a number of the recording's own.
    Recording(int n, int m, std::vector<Column> columns, std::uint64_t budgetBytes = kDefaultBudgetBytes,
              bool ratesApart = false, std::vector<char> followed = {}, bool marked = false);
    ~Recording();
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;

    /// Appends a row: t, then columns().size() values. steps: accepted since the row before. No allocation except when a chunk
    /// fills.
    void append(double t, std::span<const double> values, std::uint64_t steps = 1);
    /// A state inside of the step whose row is appended next: q, v, the m values and q' where it is apart (NaN: not known). An
    /// eighth of the budget is set aside for such rows when the first one comes. followed: it lies on the method's polynomial,
    /// so that stateAt() goes through it.
    void appendBetween(double t, std::span<const double> values, bool followed = false);
    /// Adds a column behind the existing ones; earlier rows read NaN.
    int addColumn(Column column);
    /// Forgets everything from row time > t on (a branch after scrubbing back).
    void truncateAfter(double t);
    void clear();

    /// Any thread.
    RecordingView view() const;
    /// The writer's thread: its rows as they are, without those between; changes with the next append. No allocation.
    RecordingView written() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace driftless::run
