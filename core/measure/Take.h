// Takes measures: one evaluator for finished and for live runs.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/measure/Registry.h"

namespace driftless::measure {

/// The runs that a measure may speak of. Leaves: finished runs of a study, runs of a live bench.
class Runs {
public:
    virtual ~Runs() = default;
    /// Place of a run by its name.
    virtual std::optional<std::size_t> find(const std::string& name) const = 0;
    /// Why nothing can be measured of a run; nothing where something can.
    virtual Result<void> ready(std::size_t run, const MeasureText& text) const = 0;
    /// What a name says of a run: a variable, a row of the registry, a prefixed name, a column.
    virtual Result<Value> named(std::size_t run, const std::string& name, const MeasureText& text) const = 0;
    /// The rows of a run, up to the time of measuring.
    virtual Result<const Record*> record(std::size_t run, const MeasureText& text) const = 0;

    /// What the runs know without going over all rows.
    virtual std::optional<Value> known(std::size_t /*run*/, const MeasureCall& /*call*/) const { return {}; }

    /// One run of a family with the number that varies.
    struct Relative {
        std::size_t run = 0;
        double variable = 0;
    };
    /// The runs of the same family that have this variable.
    virtual std::vector<Relative> relatives(std::size_t run, const std::string& variable) const = 0;
};

/// The measure of one run.
Result<Value> take(const Runs& runs, std::size_t run, const MeasureText& text);
/// A measure that must be a number.
Result<double> takeNumber(const Runs& runs, std::size_t run, const MeasureText& text);

/// What a name says of a finished run, its variables aside.
Result<Value> namedOf(const Record& record, const std::string& name, const MeasureText& text);

} // namespace driftless::measure
