// Measures judged by their text and the names of a model, before anything runs.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/measure/Registry.h"

namespace driftless::measure {

/// Names that a run has once it is made.
struct RunNames {
    std::vector<std::string> columns; ///< behind t
    std::vector<std::string> parameters;
    std::vector<std::string> gains, options; ///< of its formulation
};

/// Runs that are planned, as far as measures of them can be judged. Leaves: the runs of a study, the bench of a lesson.
class PlannedRuns {
public:
    virtual ~PlannedRuns() = default;
    virtual std::optional<std::size_t> find(const std::string& name) const = 0;
    virtual const RunNames& names(std::size_t run) const = 0;
    virtual bool hasVariable(std::size_t run, const std::string& name) const = 0;
    /// The values of a variable over the family of a run.
    virtual std::vector<double> familyValues(std::size_t run, const std::string& variable) const = 0;
};

/// Whether the text is a measure at all; names of columns, parameters, variables and runs are not judged.
Result<void> checkMeasure(const MeasureText& text, Place place);
/// Whether the measure can be taken of a planned run. number: a word is refused.
Result<void> checkMeasure(const PlannedRuns& runs, std::size_t run, const MeasureText& text, Place place, bool number);
/// Whether an expression of columns, parameters and t can be taken of a run.
Result<void> checkExpression(const RunNames& names, const MeasureText& text);

/// Whether a run has such a column: by its name, or by the last part of it where that is unambiguous.
bool hasColumn(const RunNames& names, const std::string& wanted);

} // namespace driftless::measure
