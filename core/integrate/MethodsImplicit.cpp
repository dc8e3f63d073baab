#include "core/integrate/Makers.h"
#include "core/integrate/RungeKutta.h"

namespace driftless::integrate {
namespace {

std::unique_ptr<Integrator> makeCollocation(const IntegratorInfo& info)
{
    return makeImplicitRungeKutta(std::make_shared<RungeKuttaMethod>(
        RungeKuttaMethod{.info = info, .tableau = inDoubles(*findExactTableau(info.id)), .member = nullptr}));
}

/// What the method carries: orders of convergence on forms of index 2 and 3 after Hairer, Lubich, Roche 1989 and Jay 1993,
/// 1995.
Method single(const char* id, int maxIndex, const char* summary,
              std::unique_ptr<Integrator> (*maker)(const IntegratorInfo&) = makeCollocation)
{
    const ExactTableau& tableau = *findExactTableau(id);
    IntegratorInfo info;
    info.id = tableau.id;
    info.title = tableau.title;
    info.source = tableau.source;
    info.family = Family::Implicit;
    info.order = tableau.order;
    info.implicitMethod = true;
    info.maxIndex = maxIndex;
    info.summary = summary;
    info.tiedUnknowns = inDoubles(tableau).endsInLastStage();
    return {info, maker};
}

std::unique_ptr<Integrator> makeSdirk43(const IntegratorInfo& info)
{
    return makeImplicitRungeKutta(std::make_shared<RungeKuttaMethod>(
        RungeKuttaMethod{.info = info, .tableau = inDoubles(*findExactTableau("sdirk-4")), .member = nullptr}));
}

std::unique_ptr<Integrator> makeEsdirk43(const IntegratorInfo& info)
{
    return makeImplicitRungeKutta(std::make_shared<RungeKuttaMethod>(
        RungeKuttaMethod{.info = info, .tableau = inDoubles(*findExactTableau("esdirk-4")), .member = nullptr}));
}

/// The same method with the step that its embedded rule of order three asks for. The estimate knows nothing of errors that grow
/// with the index: index 1 is where it holds.
Method adaptive(const char* id, const char* title, Method of, std::unique_ptr<Integrator> (*maker)(const IntegratorInfo&))
{
    of.info.id = id;
    of.info.title = title;
    of.info.adaptive = true;
    of.info.maxIndex = 1;
    of.info.summary = "Diagonally implicit, stiffly accurate, chooses its step from an embedded rule; stages share one matrix.";
    of.make = maker;
    return of;
}

/// Radau IIA with a step of its own.
Method adaptiveRadau(const char* id, int order, const char* source, const char* summary)
{
    return {{.id = id,
             .title = "Radau IIA, order " + std::to_string(order) + ", adaptive",
             .source = source,
             .order = order,
             .adaptive = true,
             .implicitMethod = true,
             .maxIndex = 3,
             .summary = summary},
            makeRadau};
}

} // namespace

std::vector<Method> implicitMethods()
{
    return {
        single("implicit-euler", 3, "Implicit, fixed step, damps most of all: swings die out; carries every form."),
        single("implicit-midpoint", 2,
               "Implicit, fixed step, no damping; multipliers of index-2 forms are those of the middle of the step."),
        single("implicit-trapezoidal", 3,
               "Implicit with a fixed step and no damping; hidden constraints of higher-index forms oscillate.",
               makeImplicitTrapezoidal),
        single("gauss-4", 2,
               "Implicit, fixed step, no damping; on index-2 forms its order falls to two, multipliers continue the stages."),
        single("gauss-6", 2,
               "Implicit, fixed step, no damping; on index-2 forms its order falls to four, multipliers continue the stages."),
        single(
            "lobatto-iiia-4", 2,
            "Implicit, fixed step, no damping; takes the slope at the start from the step before, keeps its order on index 2."),
        single("lobatto-iiib-2", 1,
               "Implicit, fixed step, no damping; its last stage has no multiplier, so it ends at index 1."),
        single("lobatto-iiib-4", 1,
               "Implicit, fixed step, no damping; its last stage has no multiplier, so it ends at index 1."),
        single("lobatto-iiic-2", 2, "Implicit, stiffly accurate, fixed step; damps what is stiff at once."),
        single("lobatto-iiic-4", 3, "Implicit, stiffly accurate, fixed step; damps what is stiff at once."),
        single("lobatto-iiic-star-4", 1,
               "Butcher's Lobatto method: explicit at both ends, implicit between; not for what is stiff."),
        single("radau-ia-1", 1, "Implicit Euler with the time of the start of the step: of order one, for comparison."),
        single("radau-ia-3", 2,
               "Implicit, fixed step, damps; on index-2 forms its order falls to two, and to one in the multipliers."),
        single("radau-ia-5", 2,
               "Implicit, fixed step, damps; on index-2 forms its order falls to three, and to two in the multipliers."),
        single("radau-iia-3", 3, "Implicit, stiffly accurate, fixed step of two stages; carries every form up to index 3."),
        single("radau-iia-5", 3, "Implicit, stiffly accurate, fixed step; carries every formulation up to index 3.",
               makeRadauIIA5),
        adaptiveRadau("radau", 5, "[DN] (1.48); Hairer and Wanner 1996, IV.8",
                      "Implicit, stiffly accurate, chooses its step; errors are weighed by the index of each unknown."),
        adaptiveRadau("radau-9", 9, "Hairer and Wanner 1996, IV.8; 1999",
                      "As radau with five stages: for small tolerances, where its steps are much longer."),
        adaptiveRadau("radau-13", 13, "Hairer and Wanner 1996, IV.8; 1999",
                      "As radau with seven stages: for the smallest tolerances."),
        single("sdirk-2", 2,
               "Diagonally implicit, stiffly accurate, fixed step: two stages with one matrix; damps what is stiff at once."),
        single("crouzeix-3", 2,
               "Diagonally implicit, fixed step: two stages with one matrix, order three; order two on index-2 forms."),
        single("sdirk-4", 2,
               "Diagonally implicit, stiffly accurate, fixed step: five stages with one matrix, order four on index 0 and 1."),
        adaptive("sdirk-43", "SDIRK of five stages, order 4, adaptive", single("sdirk-4", 1, ""), makeSdirk43),
        single(
            "tr-bdf2", 3,
            "Half a trapezoidal step and one of BDF2: diagonally implicit, first stage explicit, damps what is stiff at once."),
        single("esdirk-4", 3,
               "Diagonally implicit, first stage explicit, stiffly accurate: order four up to index 1, three and two beyond."),
        adaptive("esdirk-43", "ESDIRK of six stages, order 4, adaptive", single("esdirk-4", 1, ""), makeEsdirk43)};
}

} // namespace driftless::integrate
