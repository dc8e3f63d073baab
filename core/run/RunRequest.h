// A run as a person asks for it, in words and numbers, and what it becomes once every name is resolved against the model:
// the options of the command line and the tables of a study are both read through this.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/Result.h"
#include "core/run/Settings.h"
#include "core/system/CompiledSystem.h"
#include "core/system/Model.h"

namespace driftless::run {

/// As written; what is not given comes from the model's [run] table.
struct RunRequest {
    std::string model;
    std::optional<std::string> formulation, integrator;
    std::optional<double> step; ///< [s]
    std::optional<double> relativeTolerance, absoluteTolerance, multiplierTolerance;
    std::vector<std::string> tolerances;    ///< NAME=VALUE: absolute tolerances of single quantities
    std::optional<double> maxStep, minStep; ///< [s]
    std::optional<int> minNewtonIterations; ///< per step (ida)
    std::optional<double> methodParameter;  ///< of a one-parameter family of methods
    std::optional<double> end;              ///< [s]
    std::vector<std::string> set;           ///< NAME=VALUE: parameters, start values, gains of the formulation
    std::vector<std::string> gains;         ///< NAME=VALUE: gains only, where a name means a quantity of the model too
    std::vector<std::string> choices;       ///< NAME=CHOICE: options of the formulation
    std::optional<std::string> pivot;       ///< "auto" or VAR,VAR...
    bool allowInconsistent = false;
    /// Takes the model's pair for the command, unless something is asked for that belongs to a form or a method.
    bool byCommand = false;
    Rows rows = Rows::EveryStep;
    std::optional<bool> massMetric;                ///< the start is corrected in the metric of M, else of the coordinates
    std::optional<std::vector<std::string>> fixed; ///< full names that count as fixed, in place of those that are set

    bool operator==(const RunRequest&) const = default;
};

struct PreparedRun {
    std::shared_ptr<const model::CompiledSystem> system;
    StartSettings start;
    RunSettings settings;
    double end = 10; ///< [s]
};

/// What of the request a run of its own says instead: what `by` has wins, what is set by name comes on top. Another model is
/// another set of names.
RunRequest overlaid(RunRequest request, const RunRequest& by);
/// The numbers of an integrator with those of a request in their places.
integrate::IntegratorOptions withNumbers(integrate::IntegratorOptions options, const RunRequest& request);
/// Whether the request says a number of the integrator.
bool hasNumbers(const RunRequest& request);
/// Whether the model's pair for the command counts. What belongs to a form or a method keeps the pair of the file: pivots,
/// options, gains, tolerances of single quantities or multipliers, values that need not be consistent, a step where the file's
/// is fixed.
bool takesCommandPair(const model::RunDefaults& defaults, const RunRequest& request);
/// Formulation, integrator and numbers as a model's file states them, and as the request says where it does. Names are taken as
/// they stand; a method that there is not keeps the usual step.
RunSettings settingsOf(const model::RunDefaults& defaults, const RunRequest& request = {});
/// The same with gains, options, tolerances and pivot as they are written, for a bench whose model is not open yet.
Result<RunSettings> benchSettings(const RunRequest& request);

/// A finite number or a constant expression such as pi/2.
Result<double> parseNumber(std::string_view text);
/// The same for what is set; a Boolean parameter also takes "true" and "false", which are 1 and 0.
Result<double> parseValue(std::string_view text, const Result<model::Target>& target, const model::ConstrainedSystem& system);
/// What is set, as far as it reads as NAME=NUMBER or NAME=true; the rest is refused when it is applied.
std::map<std::string, double> numbersOf(const std::vector<std::string>& set);
/// NAME and VALUE of what is set by name; key says which setting it is in messages.
Result<std::pair<std::string, std::string>> namedSetting(const std::string& text, const std::string& key);
/// "auto", or the names of the coordinates whose derivatives become dummies: VAR,VAR...
Result<PivotChoice> parsePivot(const std::string& text, const model::Model& model);

/// Whether the formulation of the settings, as it is written for the model, has a gain of that name.
bool takesGain(const std::string& name, const model::Model& model, const RunSettings& settings);

/// Opens a model as the values that are set ask for it: numbers of its table [structure] are taken out of `set`, and equations
/// are reduced near the others.
Result<std::shared_ptr<const model::Model>> openWith(const std::string& model, std::vector<std::string>& set);
/// Parameters and start values among what is set, by their full names; each has to be one, and within its range.
Result<StartSettings> startWith(const model::Model& model, const std::vector<std::string>& set);

/// Opens and compiles the model and resolves every name. Errors are bad input, not refusals.
Result<std::shared_ptr<const model::CompiledSystem>> openSystem(const std::string& model);
Result<PreparedRun> prepareRun(const RunRequest& request);
/// The same for a model that is open already.
Result<PreparedRun> prepareRun(std::shared_ptr<const model::CompiledSystem> system, const RunRequest& request);

} // namespace driftless::run
