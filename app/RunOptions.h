// The options that several commands share: which run of which model is meant.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/Result.h"
#include "core/model/CompiledSystem.h"
#include "core/run/Settings.h"

namespace CLI {
class App;
}

namespace driftless::app {

/// As typed; what is not given comes from the model's [run] table.
struct RunOptions {
    std::string model;
    std::optional<std::string> formulation, integrator;
    std::optional<double> step;                 ///< [s]
    std::optional<double> relativeTolerance, absoluteTolerance, multiplierTolerance;
    std::optional<double> end;                  ///< [s]
    std::vector<std::string> set;               ///< NAME=VALUE
    std::vector<std::string> choices; ///< NAME=CHOICE: options of the formulation
    std::optional<std::string> pivot;           ///< "auto" or VAR,VAR...
    bool allowInconsistent = false;
};

/// The positional MODEL.
void addModelArgument(CLI::App& command, std::string& model, bool required = true);
/// --formulation, --integrator, --step, tolerances, --end, --set, --pivot, --allow-inconsistent.
void addRunOptions(CLI::App& command, RunOptions& options);
/// An option whose value is a finite number or a constant expression such as pi/2.
void addNumberOption(CLI::App& command, const std::string& name, std::optional<double>& target, const std::string& description);

/// A finite number or a constant expression.
Result<double> parseNumber(std::string_view text);

struct PreparedRun {
    std::shared_ptr<const model::CompiledSystem> system;
    run::StartSettings start;
    run::RunSettings settings;
    double end = 10; ///< [s]
};

/// Opens and compiles the model and resolves every name. Errors are bad input, not refusals.
Result<std::shared_ptr<const model::CompiledSystem>> openSystem(const std::string& model);
Result<PreparedRun> prepareRun(const RunOptions& options);
/// The same for a model that is open already.
Result<PreparedRun> prepareRun(std::shared_ptr<const model::CompiledSystem> system, const RunOptions& options);

} // namespace driftless::app
