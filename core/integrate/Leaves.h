// The makers of the single methods, for the registry.
#pragma once

#include <memory>

#include "core/integrate/Integrator.h"

namespace driftless::integrate {

std::unique_ptr<Integrator> makeClassicalFour(const IntegratorInfo& info);
std::unique_ptr<Integrator> makeDormandPrince(const IntegratorInfo& info);
std::unique_ptr<Integrator> makeImplicitTrapezoidal(const IntegratorInfo& info);
std::unique_ptr<Integrator> makeRadauIIA5(const IntegratorInfo& info);
std::unique_ptr<Integrator> makeRadau(const IntegratorInfo& info);
std::unique_ptr<Integrator> makeBdf(const IntegratorInfo& info); ///< of order info.order
std::unique_ptr<Integrator> makeIda(const IntegratorInfo& info);

} // namespace driftless::integrate
