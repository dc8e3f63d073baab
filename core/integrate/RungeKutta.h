// Steppers for any Runge-Kutta tableau: explicit ones on forms of index 0 and 1, implicit ones on F(t, y, y') = 0 as far as the
// method carries.
#pragma once

#include <memory>

#include "core/integrate/Integrator.h"
#include "core/integrate/Tableau.h"

namespace driftless::integrate {

/// A tableau with what is known of it as an integrator.
struct RungeKuttaMethod {
    IntegratorInfo info;
    RungeKuttaTableau tableau;
    /// The member of a one-parameter family at a parameter, in place; nullptr for a single method.
    void (*member)(double parameter, RungeKuttaTableau& tableau) = nullptr;
};

std::unique_ptr<Integrator> makeExplicitRungeKutta(std::shared_ptr<const RungeKuttaMethod> method);
std::unique_ptr<Integrator> makeImplicitRungeKutta(std::shared_ptr<const RungeKuttaMethod> method);

/// The highest index of a form that the tableau carries, from its numbers alone: 1 for explicit methods and where the stages do
/// not determine multipliers, 3 where it ends in its last stage, damps at infinity and has stage order two, else 2.
int highestIndex(const RungeKuttaTableau& tableau);

/// An integrator from a tableau of one's own. Order, embedded order and what it carries follow from its order conditions;
/// explicit methods with an embedded rule choose their step. Refused: sizes that do not fit, entries that are no numbers, order
/// 0.
Result<RungeKuttaMethod> methodFrom(RungeKuttaTableau tableau);
std::unique_ptr<Integrator> makeRungeKutta(std::shared_ptr<const RungeKuttaMethod> method);

/// Makes a method of one's own known to findIntegrator() and makeIntegrator() while the program runs, from any thread. Its id
/// is own-<name>-<six digits>, the digits from the entries of the tableau: the same id is the same method wherever it is read.
std::shared_ptr<const RungeKuttaMethod> addOwnMethod(RungeKuttaMethod method);
/// All that were added, in that order; none is ever taken away.
std::vector<std::shared_ptr<const RungeKuttaMethod>> ownMethods();
/// nullptr for an id that is none of them.
std::shared_ptr<const RungeKuttaMethod> findOwnMethod(std::string_view id);

/// A member of the one-parameter family that info describes, [DN] (1.27) or (1.32).
RungeKuttaTableau familyMember(const IntegratorInfo& info, double parameter);

} // namespace driftless::integrate
