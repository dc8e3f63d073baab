#include "core/integrate/Leaves.h"

namespace driftless::integrate {
namespace {

constexpr const char* kBdfSource = "[PP92] (3.7); Gear 1971; Brenan, Campbell, Petzold 1989";

} // namespace

std::vector<Method> multistepMethods()
{
    return {{{"bdf1", "Backward differentiation, order 1", kBdfSource, Family::Multistep, 1, false, true, true, 3, true,
              "Implicit Euler: the most damping and the largest errors; swings die out."},
             makeBdf},
            {{"bdf2", "Backward differentiation, order 2", kBdfSource, Family::Multistep, 2, false, true, true, 3, true,
              "Implicit multistep with a fixed step; A-stable, damps mildly."},
             makeBdf},
            {{"bdf3", "Backward differentiation, order 3", kBdfSource, Family::Multistep, 3, false, true, true, 3, true,
              "Implicit multistep with a fixed step; stable but for hardly damped oscillations."},
             makeBdf},
            {{"bdf4", "Backward differentiation, order 4", kBdfSource, Family::Multistep, 4, false, true, true, 3, true,
              "Implicit multistep with a fixed step; amplifies fast oscillations that are damped little."},
             makeBdf},
            {{"bdf5", "Backward differentiation, order 5", kBdfSource, Family::Multistep, 5, false, true, true, 3, true,
              "Implicit multistep with a fixed step; needs small steps where something oscillates."},
             makeBdf},
            {{"bdf6", "Backward differentiation, order 6", kBdfSource, Family::Multistep, 6, false, true, true, 3, true,
              "Implicit multistep of the highest stable order; unstable for most fast oscillations."},
             makeBdf},
            {{"bdf", "BDF of variable order and step",
              "Brenan, Campbell, Petzold 1989, chapter 5; Jackson, Sacks-Davis 1980; Shampine, Reichelt 1997",
              Family::Multistep, 0, true, true, true, 3, true,
              "Implicit multistep method of orders 1 to 5 with order and step from the error; the program's own DASSL, with "
              "numerical differentiation formulas."},
             makeVariableBdf},
            {{"ida", "IDA: BDF of variable order and step", "SUNDIALS IDA", Family::Multistep, 0, true, true, true, 3, true,
              "Implicit multistep method of orders 1 to 5, the descendant of DASSL."},
             makeIda}};
}

} // namespace driftless::integrate
