#include "core/integrate/ErrorTest.h"

#include "core/integrate/Messages.h"
#include "core/integrate/OpenDigits.h"

namespace driftless::integrate {

bool ErrorTest::takes(const solve::UnknownRole& role) const
{
    if (role.indexOrder >= 2)
        return false;
    if (isOpen(role))
        return multipliers;
    return role.differential || dependent;
}

ErrorTest errorTestOf(const IntegratorInfo& method, const IntegratorOptions& options, int index)
{
    ErrorTest test;
    test.any = method.adaptive;
    if (!test.any)
        return test;
    test.multiplierTolerance = method.implicitMethod ? options.multiplierTolerance : 0;
    if (!method.multistep || index >= 2)
        return test;
    test.dependent = true;
    test.asDetermined = method.id == "bdf" && options.multiplierTolerance == 0;
    test.multipliers = test.asDetermined || options.multiplierTolerance > 0;
    return test;
}

std::string inWords(const ErrorTest& test)
{
    if (!test.any)
        return "fixed steps: no error test";
    const std::string own = test.multiplierTolerance > 0 ? " (absolute tolerance " + number(test.multiplierTolerance) + ")" : "";
    if (test.asDetermined)
        return "error test: all unknowns, multipliers and accelerations as far as positions and velocities determine them";
    if (test.multipliers)
        return "error test: all unknowns, multipliers and accelerations too" + own;
    const std::string outside = own.empty() ? "; multipliers and accelerations follow from it, outside of the test"
                                            : "; multipliers are outside of it, their tolerance" + own + " is Newton's";
    return std::string("error test: ") + (test.dependent ? "positions and velocities" : "what is integrated") + outside;
}

} // namespace driftless::integrate
