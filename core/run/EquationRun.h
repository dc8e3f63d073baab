// A headless run of an equation model: index reduction by dummy derivatives, blockwise, then any integrator of the family.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/integrate/Integrator.h"
#include "core/model/EquationModel.h"

namespace driftless::run {

struct EquationRunSettings {
    std::string integrator = "ida";
    integrate::IntegratorOptions options;
    double end = 10;                          ///< [s]
    int samples = 0;                          ///< stops at this many equally spaced times
    std::map<std::string, double> set;        ///< parameters; start values, which then count as fixed
    bool allowInconsistent = false;
};

struct EquationSample {
    double t = 0;
    std::vector<double> y;
};

struct EquationRunResult {
    std::string model;
    EquationRunSettings settings;
    bool failed = false;
    double t = 0;
    std::vector<std::string> names;           ///< of y: x, x', ...
    std::vector<double> y;
    double residual[3] = {0, 0, 0};           ///< max norms of the equations, their first and second derivatives, where they hold no rate, at the end
    double maxResidual[3] = {0, 0, 0};        ///< over accepted steps
    std::vector<EquationSample> samples;
    integrate::Statistics statistics;
    std::vector<std::pair<double, std::string>> pivots;
    double wallSeconds = 0;
    std::optional<Diagnostic> diagnostic;
};

/// Refusals (singular systems, conflicting start values, a method that cannot carry the form) are Diagnostics.
Result<EquationRunResult> runEquations(const model::EquationModel& model, const EquationRunSettings& settings);

/// The JSON of `run`; energy is null, for a text of equations states none.
std::string equationRunJson(const EquationRunResult& result);

} // namespace driftless::run
