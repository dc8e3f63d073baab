#include "core/integrate/Leaves.h"

namespace driftless::integrate {
namespace {

/// A method that takes the equations of motion apart, with the level of constraints that it needs stated.
Method apart(Method method, solve::Mechanics level)
{
    method.info.mechanics = level;
    return method;
}

Method withParameter(Method method, const MethodParameter& parameter)
{
    method.info.parameter = parameter;
    return method;
}

} // namespace

std::vector<Method> mechanicalMethods()
{
    using solve::Mechanics;
    return {withParameter({{"generalized-alpha", "Generalized alpha", "Chung and Hulbert 1993; Arnold and Bruels 2007",
                            Family::Mechanical, 2, false, true, false, 3, true,
                            "Implicit with a fixed step and chosen damping rho; order 2 in positions, velocities and "
                            "multipliers up to index 3, where "
                            "long steps want more damping: with rho near 1 the velocities leave their constraint."},
                           makeGeneralizedAlpha},
                          {"rho", 0.1, 0.95, 0.8}),
            apart({{"rattle", "RATTLE", "Andersen 1983; Hairer, Lubich, Wanner 2006, VII.1.4", Family::Mechanical, 2, false,
                    true, false, 3, true,
                    "Symplectic and symmetric, order 2: positions and velocities on their constraints, the energy error stays "
                    "bounded."},
                   makeRattle},
                  Mechanics::Position),
            apart({{"shake", "SHAKE", "Ryckaert, Ciccotti, Berendsen 1977", Family::Mechanical, 2, false, true, false, 3, true,
                    "The positions of RATTLE, without the projection of the velocities: these miss their constraint by the "
                    "square of the step."},
                   makeShake},
                  Mechanics::Position),
            apart({{"lobatto-iiia-iiib", "Lobatto IIIA-IIIB, three stages", "Jay 1996; Hairer, Lubich, Wanner 2006, VII.1.5",
                    Family::Mechanical, 4, false, true, false, 3, true,
                    "Symplectic and symmetric, order 4: positions and velocities on their constraints, the energy error stays "
                    "bounded."},
                   makeLobattoPair4},
                  Mechanics::Position),
            apart({{"variational-midpoint", "Variational midpoint rule", "Marsden and West 2001", Family::Mechanical, 2, false,
                    true, false, 3, true,
                    "From a discrete Lagrangian: symplectic and symmetric, order 2, with the momenta of symmetries kept to "
                    "round-off."},
                   makeVariationalMidpoint},
                  Mechanics::Position),
            apart({{"half-explicit-5", "Half-explicit Runge-Kutta, order 5", "Murua 1997; Brasey and Hairer 1993",
                    Family::Mechanical, 5, false, true, false, 2, true,
                    "Linear systems in place of iterations: velocities on their constraint, positions drift by the error of "
                    "the method."},
                   makeHalfExplicit5},
                  Mechanics::Velocity)};
}

} // namespace driftless::integrate
