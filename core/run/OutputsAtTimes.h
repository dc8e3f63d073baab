// The outputs of a model between the rows of a recording.
#pragma once

#include <span>
#include <vector>

#include "core/run/RunReport.h"
#include "core/system/CompiledSystem.h"

namespace driftless::run {

/// Parameters from a time on, until the next ones.
struct ParametersSince {
    double t = 0; ///< [s]
    std::vector<double> values;
};
/// Those of a start: the file's, but for what is set.
std::vector<double> parametersOf(const model::CompiledSystem& system, const StartSettings& start);
/// Those with which a run began, and after each change.
std::vector<ParametersSince> parametersOf(const Run& run);
/// first: at the beginning; present: now, whatever the events tell.
std::vector<ParametersSince> parametersOf(const model::CompiledSystem& system, std::vector<double> first,
                                          std::span<const Event> events, const std::vector<double>& present);

/// From the interpolated state, with the parameters in force at that time. An output of accelerations, of which a
/// recording has none, is linear between rows.
class OutputsAtTimes {
public:
    explicit OutputsAtTimes(const Run& run);
    /// Those with columns of their own. q, v, lambda: as RecordingView::stateAt gives them.
    NamedNumbers at(double t, std::span<const double> q, std::span<const double> v, std::span<const double> lambda);
    /// With the accelerations that a state has.
    NamedNumbers at(const model::ModelState& state);

private:
    void evaluate(double t, const double* q, const double* v, const double* a, const double* lambda);
    double linear(int column, double t) const;

    RecordingView view_;
    std::shared_ptr<const model::CompiledSystem> system_;
    model::SystemEvaluator evaluator_;
    std::vector<ParametersSince> parameters_;
    std::vector<int> outputs_;
    std::vector<double> values_;
    std::vector<double> accelerations_; ///< room for those that are not known
};

} // namespace driftless::run
