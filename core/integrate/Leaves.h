// The methods by family, and the makers of the single ones, for the registry.
#pragma once

#include <memory>
#include <vector>

#include "core/integrate/Integrator.h"

namespace driftless::integrate {

/// A method of the catalogue. The info that make() receives outlives the integrator.
struct Method {
    IntegratorInfo info;
    std::unique_ptr<Integrator> (*make)(const IntegratorInfo& info);
};
std::vector<Method> explicitMethods();
std::vector<Method> implicitMethods();
std::vector<Method> multistepMethods();

std::unique_ptr<Integrator> makeClassicalFour(const IntegratorInfo& info);
std::unique_ptr<Integrator> makeDormandPrince(const IntegratorInfo& info);
std::unique_ptr<Integrator> makeImplicitTrapezoidal(const IntegratorInfo& info);
std::unique_ptr<Integrator> makeRadauIIA5(const IntegratorInfo& info);
std::unique_ptr<Integrator> makeRadau(const IntegratorInfo& info);
std::unique_ptr<Integrator> makeBdf(const IntegratorInfo& info); ///< of order info.order
std::unique_ptr<Integrator> makeVariableBdf(const IntegratorInfo& info); ///< of variable order and step
std::unique_ptr<Integrator> makeIda(const IntegratorInfo& info);

} // namespace driftless::integrate
