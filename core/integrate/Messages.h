// Refusals and failures in words, once for the whole family.
#pragma once

#include <span>
#include <string>

#include "core/integrate/Integrator.h"
#include "core/solve/Newton.h"

namespace driftless::integrate {

/// options.check() and what this method needs of them.
Result<void> checkFor(const IntegratorInfo& method, const IntegratorOptions& options);
/// Sizes and finiteness of a start.
Result<void> checkStart(const solve::DaeSystem& system, double t, std::span<const double> y, std::span<const double> yp);

StepOutcome newtonFailure(const solve::DaeSystem& system, const solve::NewtonResult& result, double t, double h);
/// largest: the unknown whose share of the error is the largest, -1 where it is not known.
StepOutcome errorTestFailure(const solve::DaeSystem& system, double t, double h, double error, int largest = -1);
std::string projectionFailure(double t);

} // namespace driftless::integrate
