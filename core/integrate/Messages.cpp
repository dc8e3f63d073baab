#include "core/integrate/Messages.h"

#include <cmath>
#include <utility>

#include "core/base/SettingRange.h"
#include "core/text/Numbers.h"

namespace driftless::integrate {
namespace {

Diagnostic bad(const char* field, double value, const char* remedy)
{
    return {.what = std::string(field) + " is " + text::rounded(value), .where = "integrator options", .remedy = remedy};
}

/// A limit below this is the round-off of the unknowns, for which nobody asked.
constexpr double kRoundoffLimit = 1e-13;

std::string atStep(double t, double h)
{
    return " at t = " + text::rounded(t) + " s" + (h > 0 ? " with a step of " + text::rounded(h) + " s" : "");
}

std::string lastCorrection(const solve::NewtonResult& result)
{
    if (!std::isfinite(result.norm))
        return "its corrections are no finite numbers any more";
    if (result.limit < kRoundoffLimit)
        return "the last correction was " + text::rounded(result.norm)
               + " of the size of the unknowns, and it should have vanished";
    return "the last correction was " + text::rounded(result.norm) + " in the weighted norm, the limit is "
           + text::rounded(result.limit);
}

std::string mostlyOf(const solve::DaeSystem& system, int unknown)
{
    return unknown < 0 ? std::string() : ", most of it in " + system.unknownName(unknown);
}

} // namespace

Result<void> IntegratorOptions::check() const
{
    const auto negative = [](double v) { return !(v >= 0) || !std::isfinite(v); };
    if (negative(step))
        return bad("The step", step, "a step above zero, in seconds");
    if (!(relativeTolerance >= 0 && relativeTolerance < 1))
        return bad("The relative tolerance", relativeTolerance, "a value between 0 and 1, for instance 1e-6");
    if (negative(absoluteTolerance))
        return bad("The absolute tolerance", absoluteTolerance, "a value above zero, for instance 1e-6");
    if (relativeTolerance == 0 && absoluteTolerance == 0)
        return bad("The absolute tolerance", 0, "an absolute or a relative tolerance above zero");
    if (negative(multiplierTolerance))
        return bad("The tolerance of the multipliers", multiplierTolerance, "zero or a positive value");
    if (negative(maxStep) || negative(minStep))
        return bad("The limit of the step", negative(minStep) ? minStep : maxStep, "limits of zero (none) or above");
    if (maxStep > 0 && minStep > maxStep)
        return Diagnostic{.what = "The longest step, " + text::rounded(maxStep) + " s, is below the shortest one, "
                                  + text::rounded(minStep) + " s",
                          .where = "integrator options",
                          .remedy = "a longest step (max_step) above the shortest one (min_step), or 0 for no limit"};
    if (minNewtonIterations < 0 || minNewtonIterations > 10)
        return bad("The least number of Newton iterations", minNewtonIterations, "a number from 0 to 10");
    const std::pair<const char*, double> sizes[] = {{"The step", step},
                                                    {"The relative tolerance", relativeTolerance},
                                                    {"The absolute tolerance", absoluteTolerance},
                                                    {"The tolerance of the multipliers", multiplierTolerance},
                                                    {"The longest step", maxStep},
                                                    {"The shortest step", minStep},
                                                    {"The size of the parameter of the method", std::abs(parameter)}};
    for (const auto& [field, value] : sizes)
        if (value != 0 && std::isfinite(value) && !isSetting(value))
            return bad(field, value, "a value between 1e-100 and 1e100: squares of others overflow or vanish");
    if (!std::isfinite(parameter))
        return bad("The parameter of the method", parameter, "a finite number, 0 for the usual one");
    return {};
}

Result<void> checkFor(const IntegratorInfo& method, const IntegratorOptions& options)
{
    if (auto sound = options.check(); !sound)
        return sound;
    if (!method.adaptive && options.step == 0)
        return Diagnostic{.what = method.id + " needs a step",
                          .where = "integrator options",
                          .why = "it works with a fixed step and chooses none itself",
                          .remedy = "a step above zero, for instance 0.01 s"};
    if (const auto& p = method.parameter; !p.name.empty() && options.parameter != 0) {
        constexpr double kApart = 0.01; // entries grow like one over the distance
        const bool excluded = p.excluded != 0 && std::abs(options.parameter - p.excluded) < kApart;
        if (!(options.parameter >= p.least && options.parameter <= p.most) || excluded)
            return Diagnostic{.what =
                                  "The parameter " + p.name + " of " + method.id + " is " + text::rounded(options.parameter),
                              .where = "integrator options",
                              .why = excluded ? "there is no method at " + text::rounded(p.excluded) : "",
                              .remedy = "a value from " + text::rounded(p.least) + " to " + text::rounded(p.most)
                                        + (p.excluded != 0 ? ", away from " + text::rounded(p.excluded) : "")};
    }
    if (method.adaptive && options.absoluteTolerance == 0)
        return bad("The absolute tolerance", 0, "a value above zero: a component may pass through zero");
    return {};
}

Result<void> checkStart(const solve::DaeSystem& system, double t, std::span<const double> y, std::span<const double> yp)
{
    const auto n = static_cast<std::size_t>(system.size());
    if (y.size() != n || yp.size() != n)
        return Diagnostic{.what = "The start has " + std::to_string(y.size()) + " values and " + std::to_string(yp.size())
                                  + " rates for " + std::to_string(n) + " unknowns",
                          .remedy = "one value and one rate for each unknown"};
    for (std::size_t i = 0; i < n; ++i)
        if (!std::isfinite(y[i]) || !std::isfinite(yp[i]))
            return Diagnostic{.what = "The start is not a number",
                              .where = system.unknownName(static_cast<int>(i)),
                              .remedy = "finite initial values"};
    if (!std::isfinite(t))
        return Diagnostic{.what = "The initial time is not a number", .remedy = "a finite initial time"};
    return {};
}

StepOutcome newtonFailure(const solve::DaeSystem& system, const solve::NewtonResult& result, double t, double h)
{
    StepOutcome outcome{.status = StepStatus::Failed,
                        .failure = StepFailure::Other,
                        .t = t,
                        .h = h,
                        .norm = result.norm,
                        .limit = result.limit};
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
    return {.status = StepStatus::Failed,
            .failure = StepFailure::ErrorTest,
            .t = t,
            .h = h,
            .norm = error,
            .limit = 1.0,
            .reason = "the error test failed at t = " + text::rounded(t * system.timeUnit()) + " s"
                      + (h > 0 ? " down to a step of " + text::rounded(h * system.timeUnit()) + " s" : "")
                      + ": the estimated error is " + text::rounded(error) + " times the tolerance"
                      + mostlyOf(system, largest)};
}

std::string projectionFailure(double t)
{
    return "the projection onto the constraints did not converge at t = " + text::rounded(t) + " s";
}

} // namespace driftless::integrate
