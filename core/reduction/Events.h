// The events of a general DAE: when they are due, and what they make of its values.
//
// Conditions, discrete variables and branches are numbers that are held between events; they stand behind the values
// (Reduced::held). At an event, in each pass: conditions and discrete variables until they do not change, the values that
// follow from them after each change, then what is reinitialised; passes follow each other until nothing changes. pre() is what
// was before the pass.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/Result.h"
#include "core/reduction/Reduced.h"

namespace driftless::reduction {

/// Const and shareable. Banks of all tapes: those of Reduced::banks(), pre() of the second one, then initial() and the
/// samplers.
struct CompiledEvents {
    struct Condition {
        int held = 0;
        bool strict = true;
        bool ofTime = false;    ///< it depends on t alone
        bool timed = false;     ///< it depends on t alone, linearly: a time event
        bool rateKnown = false; ///< d/dt of its difference follows from the values
    };
    struct Action {
        model::EventAction stated;
        int place = -1;   ///< Set: among the held ones; Reinit: among the values
        expr::Tape value; ///< of one number; none for Terminate
    };
    struct Branch {
        expr::Tape conditions;
        std::vector<Action> actions;
        std::string written;
    };
    struct Statement {
        std::vector<Branch> branches;
        std::optional<Action> always;
    };
    std::vector<Condition> conditions;
    expr::Tape guards;                         ///< of each condition: left - right, then its rate, 0 where not known
    expr::Tape spread;                         ///< its partial derivatives
    std::vector<expr::JacobianEntry> partials; ///< row: condition, column: value
    expr::Tape timed;                          ///< slope and value at t = 0 of those that are timed, else 0
    expr::Tape samplers;                       ///< start and interval of each [s]
    std::size_t samplerCount = 0;
    std::vector<Statement> statements;
    std::vector<model::HeldVariable> held;
};

/// Null where the system has none.
Result<std::shared_ptr<const CompiledEvents>> compileEvents(const model::EquationSystem& system, const Reduced& reduced);

/// What has happened at an event.
struct EventOutcome {
    struct Change {
        std::string name;
        double before = 0, after = 0;
        bool logical = false;
    };
    std::vector<Change> set;        ///< discrete variables
    std::vector<Change> switched;   ///< conditions
    std::vector<Change> reinit;     ///< values that jump
    std::vector<int> reinitialised; ///< conditions whose difference, or its rate, a reinit changed
    std::vector<std::string> done;  ///< conditions of the branches that were done, as the text states them
    std::vector<std::string> warnings;
    std::optional<Diagnostic> stop;   ///< an assertion does not hold
    std::optional<std::string> ended; ///< the model ends itself, with this message
    bool unsettled = false;           ///< of a start: what is held has changed, and the values are to be found anew
    bool changed() const { return !set.empty() || !switched.empty() || !reinit.empty(); }
};

/// For given parameters; one per thread.
class EventEvaluator {
public:
    explicit EventEvaluator(std::shared_ptr<const Reduced> reduced);
    const CompiledEvents& events() const { return *reduced_->events; }
    void setParameters(std::span<const double> values) { parameters_.assign(values.begin(), values.end()); }

    /// Of each condition left - right and its rate, NaN where it is not known; of time events 1 and 0. No allocation.
    bool guards(double t, const std::vector<double>& values, std::span<double> z, std::span<double> rates);
    /// On which side each condition is frozen, 0 of time events, and below what its difference counts as zero. sizes: as in
    /// solveRows.
    void sides(double t, const std::vector<double>& values, const std::vector<double>& sizes, std::span<double> sides,
               std::span<double> tolerances);
    /// Of each condition its partial derivatives by the values.
    bool gradients(double t, const std::vector<double>& values, std::vector<double>& partials);
    /// For solveRows: 0 of values that are integrated in some selection, else 1.
    std::vector<double> followingWeights() const;
    /// Whether branches tie values (Reduced::lowerCount).
    bool tiesValues() const { return reduced_->lowerCount > 0; }
    /// The first time event behind t.
    double nextTime(double t, const std::vector<double>& values);
    /// Why samplers cannot be followed. end: of a usual run [s].
    std::optional<Diagnostic> wrongSampler(double end);

    enum class Cause {
        Start,     ///< initial() is true, and no other `when` is done
        Instant,   ///< of the time, and conditions whose guards have fired
        Condition, ///< a guard has fired, and no instant has come
        Change     ///< an input, a parameter or the state is another one
    };
    /// Changes the values as the event does; fired: conditions whose guards have. What cannot go on is an error.
    Result<EventOutcome> happen(ReducedEvaluator& rows, double t, std::vector<double>& values, std::span<const int> fired,
                                const std::vector<double>& sizes, Cause cause);

private:
    struct Pass;
    bool run(const expr::Tape& tape, double t, const std::vector<double>& values, std::span<double> out);
    bool timedTrue(std::size_t condition, double t) const;
    bool timedAt(std::size_t condition, double t) const;
    double timeOf(std::size_t condition) const;
    bool timeIsOther(std::size_t condition, const std::vector<double>& before) const;
    bool readTimes(double t, const std::vector<double>& values, const std::vector<double>& before);
    void raiseSamplers(double t, const std::vector<double>& values);

    std::shared_ptr<const Reduced> reduced_;
    std::vector<double> parameters_, pre_, flags_;
    std::vector<double> guards_, partials_, times_, samplers_;
    expr::TapeWorkspace guardsWork_, spreadWork_, timedWork_, samplersWork_;
};

} // namespace driftless::reduction
