#include "core/integrate/Messages.h"

#include <cmath>
#include <cstdio>
#include <utility>

#include "core/base/SettingRange.h"

namespace driftless::integrate {
namespace {

Diagnostic bad(const char* field, double value, const char* remedy)
{
    return {std::string(field) + " is " + number(value), "integrator options", "", remedy, {}};
}

/// A limit below this is the round-off of the unknowns, for which nobody asked.
constexpr double kRoundoffLimit = 1e-13;

std::string atStep(double t, double h)
{
    return " at t = " + number(t) + " s" + (h > 0 ? " with a step of " + number(h) + " s" : "");
}

std::string lastCorrection(const solve::NewtonResult& result)
{
    if (!std::isfinite(result.norm))
        return "its corrections are no finite numbers any more";
    if (result.limit < kRoundoffLimit)
        return "the last correction was " + number(result.norm) + " of the size of the unknowns, and it should have vanished";
    return "the last correction was " + number(result.norm) + " in the weighted norm, the limit is " + number(result.limit);
}

std::string mostlyOf(const solve::DaeSystem& system, int unknown)
{
    return unknown < 0 ? std::string() : ", most of it in " + system.unknownName(unknown);
}

} // namespace

std::string number(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

Result<void> IntegratorOptions::check() const
{
    const auto negative = [](double v) { return !(v >= 0) || !std::isfinite(v); };
    if (negative(step))
        return bad("the step", step, "a step above zero, in seconds");
    if (!(relativeTolerance >= 0 && relativeTolerance < 1))
        return bad("the relative tolerance", relativeTolerance, "a value between 0 and 1, for instance 1e-6");
    if (negative(absoluteTolerance))
        return bad("the absolute tolerance", absoluteTolerance, "a value above zero, for instance 1e-6");
    if (relativeTolerance == 0 && absoluteTolerance == 0)
        return bad("the absolute tolerance", 0, "an absolute or a relative tolerance above zero");
    if (negative(multiplierTolerance))
        return bad("the tolerance of the multipliers", multiplierTolerance, "zero or a positive value");
    if (negative(maxStep) || negative(minStep) || (maxStep > 0 && minStep > maxStep))
        return bad("the limit of the step", negative(minStep) ? minStep : maxStep,
                   "limits of zero (none) or above, the smallest below the largest");
    if (minNewtonIterations < 0 || minNewtonIterations > 10)
        return bad("the least number of Newton iterations", minNewtonIterations, "a number from 0 to 10");
    const std::pair<const char*, double> sizes[] = {{"the step", step},
                                                    {"the relative tolerance", relativeTolerance},
                                                    {"the absolute tolerance", absoluteTolerance},
                                                    {"the tolerance of the multipliers", multiplierTolerance},
                                                    {"the longest step", maxStep},
                                                    {"the shortest step", minStep},
                                                    {"the size of the parameter of the method", std::abs(parameter)}};
    for (const auto& [field, value] : sizes)
        if (value != 0 && std::isfinite(value) && !isSetting(value))
            return bad(field, value, "a value between 1e-100 and 1e100: squares of others overflow or vanish");
    if (!std::isfinite(parameter))
        return bad("the parameter of the method", parameter, "a finite number, 0 for the usual one");
    return {};
}

Result<void> checkFor(const IntegratorInfo& method, const IntegratorOptions& options)
{
    if (auto sound = options.check(); !sound)
        return sound;
    if (!method.adaptive && options.step == 0)
        return Diagnostic{method.id + " needs a step",
                          "integrator options",
                          "it works with a fixed step and chooses none itself",
                          "a step above zero, for instance 0.01 s",
                          {}};
    if (const auto& p = method.parameter; !p.name.empty() && options.parameter != 0) {
        constexpr double kApart = 0.01; // entries grow like one over the distance
        const bool excluded = p.excluded != 0 && std::abs(options.parameter - p.excluded) < kApart;
        if (!(options.parameter >= p.least && options.parameter <= p.most) || excluded)
            return Diagnostic{"the parameter " + p.name + " of " + method.id + " is " + number(options.parameter),
                              "integrator options",
                              excluded ? "there is no method at " + number(p.excluded) : "",
                              "a value from " + number(p.least) + " to " + number(p.most)
                                  + (p.excluded != 0 ? ", away from " + number(p.excluded) : ""),
                              {}};
    }
    if (method.adaptive && options.absoluteTolerance == 0)
        return bad("the absolute tolerance", 0, "a value above zero: a component may pass through zero");
    return {};
}

Result<void> checkStart(const solve::DaeSystem& system, double t, std::span<const double> y, std::span<const double> yp)
{
    const auto n = static_cast<std::size_t>(system.size());
    if (y.size() != n || yp.size() != n)
        return Diagnostic{"the start has " + std::to_string(y.size()) + " values and " + std::to_string(yp.size())
                              + " rates for " + std::to_string(n) + " unknowns",
                          "",
                          "",
                          "one value and one rate for each unknown",
                          {}};
    for (std::size_t i = 0; i < n; ++i)
        if (!std::isfinite(y[i]) || !std::isfinite(yp[i]))
            return Diagnostic{
                "the start is not a number", system.unknownName(static_cast<int>(i)), "", "finite initial values", {}};
    if (!std::isfinite(t))
        return Diagnostic{"the initial time is not a number", "", "", "a finite initial time", {}};
    return {};
}

StepOutcome newtonFailure(const solve::DaeSystem& system, const solve::NewtonResult& result, double t, double h)
{
    StepOutcome outcome{StepStatus::Failed, StepFailure::Other, t, h, result.norm, result.limit, {}};
    const double unit = system.timeUnit();
    const std::string at = atStep(t * unit, h * unit);
    switch (result.status) {
    case solve::NewtonStatus::Cancelled:
        outcome.status = StepStatus::Cancelled;
        outcome.failure = StepFailure::None;
        break;
    case solve::NewtonStatus::Singular: {
        outcome.failure = StepFailure::SingularMatrix;
        const int column = result.matrix.column;
        outcome.reason = "the iteration matrix is singular" + at;
        if (column >= 0 && column < system.size())
            outcome.reason += ": the equations do not determine " + system.unknownName(column);
        break;
    }
    case solve::NewtonStatus::OutsideDomain:
        outcome.failure = StepFailure::DomainError;
        outcome.reason = system.domainMessage() + " (" + at.substr(1) + ")";
        break;
    default:
        outcome.failure = StepFailure::NewtonDiverged;
        outcome.reason =
            "Newton's iteration did not converge" + at + ": " + lastCorrection(result) + mostlyOf(system, result.largest);
    }
    return outcome;
}

StepOutcome errorTestFailure(const solve::DaeSystem& system, double t, double h, double error, int largest)
{
    return {StepStatus::Failed,
            StepFailure::ErrorTest,
            t,
            h,
            error,
            1.0,
            "the error test failed at t = " + number(t * system.timeUnit()) + " s"
                + (h > 0 ? " down to a step of " + number(h * system.timeUnit()) + " s" : "") + ": the estimated error is "
                + number(error) + " times the tolerance" + mostlyOf(system, largest)};
}

std::string projectionFailure(double t)
{
    return "the projection onto the constraints did not converge at t = " + number(t) + " s";
}

} // namespace driftless::integrate
