#include "core/integrate/Makers.h"

namespace driftless::integrate {
namespace {

Method ofOrder(int order, const char* summary)
{
    return {{.id = "bdf" + std::to_string(order),
             .title = "Backward differentiation, order " + std::to_string(order),
             .source = "[PP92] (3.7); Gear 1971; Brenan, Campbell, Petzold 1989",
             .family = Family::Multistep,
             .order = order,
             .implicitMethod = true,
             .multistep = true,
             .maxIndex = 3,
             .summary = summary},
            makeBdf};
}

/// A method that chooses order and step.
Method ofVariableOrder(Method method)
{
    method.info.family = Family::Multistep;
    method.info.adaptive = method.info.implicitMethod = method.info.multistep = true;
    method.info.maxIndex = 3;
    return method;
}

} // namespace

std::vector<Method> multistepMethods()
{
    return {
        ofOrder(1, "Implicit Euler: the most damping and the largest errors; swings die out."),
        ofOrder(2, "Implicit multistep with a fixed step; A-stable, damps mildly."),
        ofOrder(3, "Implicit multistep with a fixed step; stable but for hardly damped oscillations."),
        ofOrder(4, "Implicit multistep with a fixed step; amplifies fast oscillations that are damped little."),
        ofOrder(5, "Implicit multistep with a fixed step; needs small steps where something oscillates."),
        ofOrder(6, "Implicit multistep of the highest stable order; unstable for most fast oscillations."),
        ofVariableOrder(
            {{.id = "bdf",
              .title = "BDF of variable order and step",
              .source = "Brenan, Campbell, Petzold 1989, chapter 5; Jackson, Sacks-Davis 1980; Shampine, Reichelt 1997",
              .summary = "Implicit multistep method of orders 1 to 5 with order and step from the error; the program's own "
                         "DASSL, with numerical differentiation formulas."},
             makeVariableBdf}),
        ofVariableOrder({{.id = "ida",
                          .title = "IDA: BDF of variable order and step",
                          .source = "SUNDIALS IDA",
                          .summary = "Implicit multistep method of orders 1 to 5, the descendant of DASSL."},
                         makeIda}),
        {{.id = "adams",
          .title = "Adams of variable order and step",
          .source = "Shampine and Gordon 1975; Hairer, Norsett, Wanner, Solving ODEs I, III.5",
          .family = Family::Multistep,
          .adaptive = true,
          .summary = "Explicit multistep method of orders 1 to 12, predictor and corrector: two evaluations a step, for smooth "
                     "motions whose equations are expensive.",
          .tiedUnknowns = false},
         makeAdams}};
}

} // namespace driftless::integrate
