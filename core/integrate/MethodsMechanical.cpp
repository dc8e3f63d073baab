#include "core/integrate/Makers.h"
#include "core/integrate/MassAlone.h"

namespace driftless::integrate {

bool solvesWithMassAlone(const IntegratorInfo& method)
{
    return method.id == "rattle" || method.id == "shake" || method.id == "lobatto-iiia-iiib";
}

namespace {

/// A method that takes the equations of motion apart, with the level of constraints that it needs stated if it does.
Method apart(Method method, solve::Mechanics level = solve::Mechanics::None)
{
    method.info.family = Family::Mechanical;
    method.info.implicitMethod = true;
    method.info.mechanics = level;
    return method;
}

} // namespace

std::vector<Method> mechanicalMethods()
{
    using solve::Mechanics;
    return {
        apart({{.id = "generalized-alpha",
                .title = "Generalized alpha",
                .source = "Chung and Hulbert 1993; Arnold and Bruels 2007",
                .order = 2,
                .maxIndex = 3,
                .summary = "Implicit with a fixed step and chosen damping rho; order 2 in positions, velocities and "
                           "multipliers up to index 3, where "
                           "long steps want more damping: with rho near 1 the velocities leave their constraint.",
                .parameter = {.name = "rho", .least = 0.1, .most = 0.95, .usual = 0.8}},
               makeGeneralizedAlpha}),
        apart({{.id = "rattle",
                .title = "RATTLE",
                .source = "Andersen 1983; Hairer, Lubich, Wanner 2006, VII.1.4",
                .order = 2,
                .maxIndex = 3,
                .summary =
                    "Symplectic and symmetric, order 2: positions and velocities on their constraints, the energy error stays "
                    "bounded."},
               makeRattle},
              Mechanics::Position),
        apart({{.id = "shake",
                .title = "SHAKE",
                .source = "Ryckaert, Ciccotti, Berendsen 1977",
                .order = 2,
                .maxIndex = 3,
                .summary =
                    "The positions of RATTLE, without the projection of the velocities: these miss their constraint by the "
                    "square of the step."},
               makeShake},
              Mechanics::Position),
        apart({{.id = "lobatto-iiia-iiib",
                .title = "Lobatto IIIA-IIIB, three stages",
                .source = "Jay 1996; Hairer, Lubich, Wanner 2006, VII.1.5",
                .order = 4,
                .maxIndex = 3,
                .summary =
                    "Symplectic and symmetric, order 4: positions and velocities on their constraints, the energy error stays "
                    "bounded."},
               makeLobattoPair4},
              Mechanics::Position),
        apart({{.id = "variational-midpoint",
                .title = "Variational midpoint rule",
                .source = "Marsden and West 2001",
                .order = 2,
                .maxIndex = 3,
                .summary =
                    "From a discrete Lagrangian: symplectic and symmetric, order 2, with the momenta of symmetries kept to "
                    "round-off."},
               makeVariationalMidpoint},
              Mechanics::Position),
        apart({{.id = "half-explicit-5",
                .title = "Half-explicit Runge-Kutta, order 5",
                .source = "Murua 1997; Brasey and Hairer 1993",
                .order = 5,
                .maxIndex = 2,
                .summary =
                    "Linear systems in place of iterations: velocities on their constraint, positions drift by the error of "
                    "the method."},
               makeHalfExplicit5},
              Mechanics::Velocity)};
}

} // namespace driftless::integrate
