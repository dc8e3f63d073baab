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
std::vector<Method> mechanicalMethods();

std::unique_ptr<Integrator> makeDop853(const IntegratorInfo& info);
std::unique_ptr<Integrator> makeExtrapolation(const IntegratorInfo& info); ///< explicit, of variable order and step
std::unique_ptr<Integrator> makeAdams(const IntegratorInfo& info);         ///< of variable order and step
std::unique_ptr<Integrator> makeImplicitTrapezoidal(const IntegratorInfo& info);
std::unique_ptr<Integrator> makeRadauIIA5(const IntegratorInfo& info);
std::unique_ptr<Integrator> makeRadau(const IntegratorInfo& info);       ///< of order info.order: 5, 9 or 13, adaptive
std::unique_ptr<Integrator> makeBdf(const IntegratorInfo& info);         ///< of order info.order
std::unique_ptr<Integrator> makeVariableBdf(const IntegratorInfo& info); ///< of variable order and step
std::unique_ptr<Integrator> makeIda(const IntegratorInfo& info);
std::unique_ptr<Integrator> makeGeneralizedAlpha(const IntegratorInfo& info);
std::unique_ptr<Integrator> makeRattle(const IntegratorInfo& info);
std::unique_ptr<Integrator> makeShake(const IntegratorInfo& info);
std::unique_ptr<Integrator> makeLobattoPair4(const IntegratorInfo& info);
std::unique_ptr<Integrator> makeVariationalMidpoint(const IntegratorInfo& info);
std::unique_ptr<Integrator> makeHalfExplicit5(const IntegratorInfo& info);

} // namespace driftless::integrate
