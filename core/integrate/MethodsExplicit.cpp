#include "core/integrate/Makers.h"
#include "core/integrate/RungeKutta.h"
#include "core/integrate/TableauFamilies.h"

namespace driftless::integrate {
namespace {

IntegratorInfo infoOf(const char* id, const char* summary)
{
    const ExactTableau& tableau = *findExactTableau(id);
    IntegratorInfo info;
    info.id = tableau.id;
    info.title = tableau.title;
    info.source = tableau.source;
    info.family = Family::Explicit;
    info.order = tableau.order;
    info.adaptive = tableau.embeddedOrder > 0;
    info.maxIndex = 1;
    info.tiedUnknowns = false;
    info.summary = summary;
    return info;
}

std::unique_ptr<Integrator> make(const IntegratorInfo& info)
{
    return makeExplicitRungeKutta(std::make_shared<RungeKuttaMethod>(
        RungeKuttaMethod{.info = info, .tableau = inDoubles(*findExactTableau(info.id)), .member = nullptr}));
}

/// A stepper of its own with a step that it chooses.
Method ofHighOrder(IntegratorInfo info, std::unique_ptr<Integrator> (*maker)(const IntegratorInfo&))
{
    info.family = Family::Explicit;
    info.adaptive = true;
    info.tiedUnknowns = false;
    return {std::move(info), maker};
}

Method single(const char* id, const char* summary) { return {infoOf(id, summary), make}; }

template <std::size_t Stages>
void fill(const FamilyMember<double, Stages>& m, RungeKuttaTableau& tableau)
{
    tableau.stages = Stages;
    tableau.c.assign(m.c.begin(), m.c.end());
    tableau.b.assign(m.b.begin(), m.b.end());
    tableau.a.clear();
    for (const auto& row : m.a)
        tableau.a.insert(tableau.a.end(), row.begin(), row.end());
}

void secondOrderAt(double alpha, RungeKuttaTableau& tableau) { fill(secondOrder(alpha), tableau); }
void thirdOrderAt(double alpha, RungeKuttaTableau& tableau) { fill(thirdOrder(alpha), tableau); }

template <void (*member)(double, RungeKuttaTableau&)>
std::unique_ptr<Integrator> makeMember(const IntegratorInfo& info)
{
    return makeExplicitRungeKutta(std::make_shared<RungeKuttaMethod>(
        RungeKuttaMethod{.info = info, .tableau = familyMember(info, info.parameter.usual), .member = member}));
}

Method family(const char* id, const char* title, const char* source, int order, MethodParameter parameter, const char* summary,
              std::unique_ptr<Integrator> (*maker)(const IntegratorInfo&))
{
    IntegratorInfo info;
    info.id = id;
    info.title = title;
    info.source = source;
    info.family = Family::Explicit;
    info.order = order;
    info.maxIndex = 1;
    info.tiedUnknowns = false;
    info.parameter = std::move(parameter);
    info.summary = summary;
    return {info, maker};
}

} // namespace

RungeKuttaTableau familyMember(const IntegratorInfo& info, double parameter)
{
    RungeKuttaTableau tableau;
    tableau.name = info.id;
    tableau.source = info.source;
    tableau.order = info.order;
    (info.order == 2 ? secondOrderAt : thirdOrderAt)(parameter, tableau);
    return tableau;
}

std::vector<Method> explicitMethods()
{
    return {
        single("euler", "The simplest of all: explicit, order one; swings grow."),
        single("midpoint", "Explicit with a fixed step: the slope of the whole step is that at its middle."),
        single("heun2", "Explicit with a fixed step: the mean of the slopes at both ends."),
        single("ralston2", "Explicit with a fixed step; the smallest error bound of all explicit methods of two stages."),
        family("rk2-alpha", "Explicit methods of order 2, alpha", "[DN] (1.27)", 2,
               {.name = "alpha", .least = 0.05, .most = 1, .usual = 0.75},
               "Explicit with a fixed step; alpha is where its second slope is taken: 1/2 midpoint, 2/3 Ralston, 1 Heun.",
               makeMember<secondOrderAt>),
        single("kutta3", "Explicit with a fixed step; Simpson's rule where the right side depends on time alone."),
        single("heun3", "Explicit with a fixed step and three stages."),
        single("ralston3", "Explicit with a fixed step; the smallest error bound of its kind."),
        single("ssprk3", "Explicit with a fixed step; a mean of Euler steps, so that it keeps the bounds that these keep."),
        family("rk3-alpha", "Explicit methods of order 3, alpha", "[DN] (1.32)", 3,
               {.name = "alpha", .least = 0.1, .most = 0.95, .usual = 0.5, .excluded = 2.0 / 3},
               "Explicit with a fixed step; alpha is where its second slope is taken, the third is at the end: 1/2 is Kutta's.",
               makeMember<thirdOrderAt>),
        single("rk4", "Explicit with a fixed step; shows the drift of a formulation without damping it."),
        single("ralston4", "Explicit with a fixed step; the smallest error bound of its kind."),
        single("rk38",
               "Explicit with a fixed step; Kutta's other method of four stages. Most of its error coefficients are smaller "
               "than those of the classical one."),
        single("bogacki-shampine", "Explicit, chooses its step from an embedded error estimate; cheap at coarse tolerances."),
        single("fehlberg", "Explicit, goes on with order four and chooses its step by comparison with order five."),
        single("dormand-prince", "Explicit, chooses its step from an embedded error estimate."),
        ofHighOrder({.id = "dop853",
                     .title = "Dormand-Prince 8(5,3)",
                     .source = "Hairer, Norsett, Wanner, Solving ODEs I, II.5",
                     .order = 8,
                     .summary =
                         "Explicit, of order 8 with a step from two error estimates: long steps, for smooth motions at small "
                         "tolerances."},
                    makeDop853),
        ofHighOrder(
            {.id = "odex",
             .title = "Extrapolation of the midpoint rule",
             .source = "Gragg 1965; Bulirsch and Stoer 1966; Hairer, Norsett, Wanner, Solving ODEs I, II.9",
             .summary = "Explicit, chooses its order, from 8 to 18, together with its step: for the smallest tolerances.",
             .endsAtKnots = true},
            makeExtrapolation)};
}

} // namespace driftless::integrate
