// The options that several commands share: which run of which model is meant.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/run/RunRequest.h"

namespace CLI {
class App;
}

namespace driftless::app {

using RunOptions = run::RunRequest;
using run::openSystem;
using run::parseNumber;
using run::PreparedRun;
using run::prepareRun;

/// The positional MODEL.
void addModelArgument(CLI::App& command, std::string& model, bool required = true);
/// --formulation, --integrator, --step, tolerances, --end, --set, --pivot, --allow-inconsistent.
void addRunOptions(CLI::App& command, RunOptions& options);
/// The id of an integrator: a name as it is; the tableau of a TOML file becomes a method of one's own.
Result<std::string> methodOf(const std::string& text);
/// FORMULATION:INTEGRATOR[:KEY=VALUE]... over the options that all runs share.
Result<RunOptions> parseRunSpec(const std::string& spec, const RunOptions& shared);
/// Says on standard error what of the options changes nothing: settings that the method does not have, names set twice.
void noteUnused(const RunOptions& options, const PreparedRun& prepared);
/// The values that a run begins with, as --set leaves them: one for each parameter of the system.
std::vector<double> parametersOf(const PreparedRun& prepared);
/// An option whose value is a finite number or a constant expression such as pi/2.
void addNumberOption(CLI::App& command, const std::string& name, std::optional<double>& target, const std::string& description);

} // namespace driftless::app
