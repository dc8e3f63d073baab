// The units in which a run is integrated: nominal sizes of the model (core/system/NominalScales.h) for the unknowns of the
// form, and the absolute tolerance of each.
#pragma once

#include <memory>

#include "core/integrate/Integrator.h"
#include "core/integrate/Scaled.h"
#include "core/system/ConstrainedSystem.h"
#include "core/system/NominalScales.h"

namespace driftless::run {

integrate::Scaling scalingOf(const solve::DaeSystem& dae, const model::ConstrainedSystem& system,
                             const model::NominalScales& scales);

/// One absolute tolerance for all unknowns, in the units of the file, is a measure of its own: such a run is integrated as it
/// is written.
bool countsInSizes(const integrate::IntegratorOptions& options, const model::ConstrainedSystem& system,
                   const model::NominalScales& scales);

/// The method, in nominal sizes where the options count in them. The system outlives it.
std::unique_ptr<integrate::Integrator> scaled(std::unique_ptr<integrate::Integrator> method,
                                              const integrate::IntegratorOptions& options,
                                              const model::ConstrainedSystem& system,
                                              std::shared_ptr<const model::NominalScales> scales);

/// What an integrator of that kind would say of the options.
Result<void> checkMethod(const integrate::IntegratorInfo& method, integrate::IntegratorOptions options,
                         const model::ConstrainedSystem& system, const model::NominalScales& scales);

} // namespace driftless::run
