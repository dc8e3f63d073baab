// An integrator from a tableau of one's own: what it carries follows from the numbers.
#include "core/integrate/RungeKutta.h"

#include <algorithm>
#include <cmath>

#include "core/integrate/Messages.h"
#include "core/integrate/RootedTrees.h"
#include "core/integrate/Stability.h"
#include "core/text/Numbers.h"

namespace driftless::integrate {
namespace {

constexpr int kHighestOrder = 6;      ///< up to which conditions are examined
constexpr double kLargestEntry = 1e6; ///< beyond, a step would be round-off alone

Diagnostic wrong(const RungeKuttaTableau& t, std::string what, std::string why, std::string remedy)
{
    return {.what = std::move(what), .where = "tableau " + t.name, .why = std::move(why), .remedy = std::move(remedy)};
}

Result<void> checkShape(const RungeKuttaTableau& t)
{
    const std::size_t s = t.stages;
    if (s < 1 || s > RungeKuttaTableau::kMostStages || t.c.size() != s || t.b.size() != s || t.a.size() != s * s
        || (!t.embedded.empty() && t.embedded.size() != s))
        return wrong(t, "the tableau's sizes do not fit", "s stages need s numbers c, s rows of s numbers A and s numbers b",
                     "1 to " + std::to_string(RungeKuttaTableau::kMostStages) + " stages");
    for (const auto* list : {&t.c, &t.b, &t.a, &t.embedded})
        for (double v : *list)
            if (!(std::abs(v) <= kLargestEntry))
                return wrong(t, "an entry of the tableau is " + text::rounded(v), "", "finite entries below a million");
    for (std::size_t i = 0; i < s; ++i) {
        double sum = 0, size = 1;
        for (std::size_t j = 0; j < s; ++j) {
            sum += t.at(i, j);
            size += std::abs(t.at(i, j));
        }
        constexpr double kTyped = 1e-12; // entries may be given with as many digits
        if (std::abs(sum - t.c[i]) > kTyped * size)
            return wrong(t,
                         "row " + std::to_string(i + 1) + " of A adds up to " + text::rounded(sum) + ", c"
                             + std::to_string(i + 1) + " is " + text::rounded(t.c[i]),
                         "a stage takes its slope at the time that its row reaches", "correct the row, or c");
    }
    return {};
}

/// Whether the stages determine algebraic unknowns above index 1: A is regular, or all of it behind a first explicit stage.
bool determinesMultipliers(const RungeKuttaTableau& t)
{
    if (!t.startsInFirstStage())
        return t.isRegular();
    RungeKuttaTableau rest;
    rest.stages = t.stages - 1;
    for (std::size_t i = 1; i < t.stages; ++i) {
        rest.c.push_back(t.c[i]);
        rest.b.push_back(t.b[i]);
        for (std::size_t j = 1; j < t.stages; ++j)
            rest.a.push_back(t.at(i, j));
    }
    return rest.isRegular();
}

} // namespace

int highestIndex(const RungeKuttaTableau& t)
{
    if (t.isExplicit() || stageOrderOf(t, 1) < 1 || !determinesMultipliers(t))
        return 1;
    const double limit = std::abs(stabilityFunction(t).atInfinity());
    const bool ends = t.endsInLastStage();
    constexpr double kRoundoff = 1e-9;
    if (!(limit <= 1 + kRoundoff) || (t.startsInFirstStage() && !ends))
        return 1;
    // Hairer, Lubich, Roche 1989: index 3 needs stage order two and damping; implicit Euler keeps its order at a constant step.
    const bool dampsWell = ends && limit < 1 - kRoundoff;
    return dampsWell && (stageOrderOf(t, t.order) >= 2 || t.stages == 1) ? 3 : 2;
}

Result<RungeKuttaMethod> methodFrom(RungeKuttaTableau tableau)
{
    if (auto sound = checkShape(tableau); !sound)
        return sound.error();
    tableau.order = orderOf(orderConditions(tableau, kHighestOrder), kHighestOrder);
    tableau.embeddedOrder =
        tableau.embedded.empty() ? 0 : orderOf(orderConditions(tableau, kHighestOrder, true), kHighestOrder);
    if (tableau.order < 1)
        return wrong(tableau, "the tableau is no method", "its weights b do not add up to one", "weights whose sum is 1");
    if (!tableau.embedded.empty() && tableau.embeddedOrder < 1)
        return wrong(tableau, "the embedded rule is none", "its weights do not add up to one", "weights whose sum is 1");
    RungeKuttaMethod method;
    auto& info = method.info;
    info.id = tableau.name;
    info.title = tableau.name + ", order " + std::to_string(tableau.order);
    info.source = tableau.source;
    info.implicitMethod = !tableau.isExplicit();
    info.family = info.implicitMethod ? Family::Implicit : Family::Explicit;
    info.order = tableau.order;
    // Two rules of one order tell nothing of each other's error.
    info.adaptive = !info.implicitMethod && tableau.embeddedOrder > 0 && tableau.embeddedOrder != tableau.order;
    info.maxIndex = highestIndex(tableau);
    info.tiedUnknowns = info.implicitMethod && info.maxIndex >= 2 && tableau.endsInLastStage();
    info.summary = info.implicitMethod ? "A tableau of your own, implicit." : "A tableau of your own, explicit.";
    method.tableau = std::move(tableau);
    return method;
}

std::unique_ptr<Integrator> makeRungeKutta(std::shared_ptr<const RungeKuttaMethod> method)
{
    return method->info.implicitMethod ? makeImplicitRungeKutta(std::move(method)) : makeExplicitRungeKutta(std::move(method));
}

} // namespace driftless::integrate
