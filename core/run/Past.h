// What a run was integrated with at an earlier time, worked out from the log of its laboratory: settings and parameters, and
// with them the rows and the selection of dummies.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "core/run/Laboratory.h"

namespace driftless::run {

/// A stretch of time in which a run kept its settings and parameters.
struct Regime {
    double from = 0; ///< [s]
    RunSettings settings{};
    std::vector<double> parameters{}; ///< one per parameter of the model
    bool present = false;             ///< the last one, in which the run goes on
};

/// In the order of time; never empty for a run that there is, and empty for another one. At a time at which several commands
/// acted the last one holds.
std::vector<Regime> regimesOf(const Laboratory& laboratory, RunId id);
/// The regime at t: that of the first one before it begins.
const Regime& regimeAt(const std::vector<Regime>& regimes, double t);

/// Parameters that other ones followed.
struct ParametersUntil {
    double until = 0; ///< [s]
    std::vector<double> values{};
};
/// Those that held between from and t [s] before others did, in the order of time.
std::vector<ParametersUntil> parametersBefore(const std::vector<Regime>& regimes, double from, double t);

/// Whether dummies that were chosen in one could go on in the other: a form or an integrator that comes new chooses anew.
bool choosesAlike(const RunSettings& a, const RunSettings& b);

/// The names of the dummies at t, as the events tell them: by the last exchange before t or the first one behind it. now: those
/// in force. Empty where none tells them before a change after which others were chosen.
std::vector<std::string> dummiesTold(const std::vector<Event>& events, double t, const std::vector<std::string>& now);

/// How every run goes on from t as it was integrated there. Parameters belong to the model: all runs take those that one of
/// them had.
std::map<RunId, Branch> branchesAsThen(const Laboratory& laboratory, double t, RunId parametersOf);

/// The mode in force at t, told by the changes up to then.
model::Mode modeAt(const model::ConstrainedSystem& base, const std::vector<Event>& events, double t);

/// Of forms that pivot, the dummies at t in a regime that holds there: told by the changes of the pivot or of the mode before
/// or after t. Empty where they are told by nothing: where the regime is over and had no change.
std::optional<formulation::Dummies> dummiesAt(const Laboratory& laboratory, RunId id, const std::vector<Regime>& regimes,
                                              double t);
/// Those that the run chose where the regime began, from the recorded state there.
formulation::Dummies dummiesChosen(const Laboratory& laboratory, RunId id, const Regime& regime);

} // namespace driftless::run
