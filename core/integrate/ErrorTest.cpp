#include "core/integrate/ErrorTest.h"

#include "core/integrate/Messages.h"
#include "core/text/Numbers.h"

namespace driftless::integrate {

bool ErrorTest::takes(const solve::UnknownRole& role) const
{
    if (role.indexOrder >= 2)
        return false;
    if (!role.differential && role.indexOrder == 1)
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
    const std::string own = test.multiplierTolerance > 0 ? text::rounded(test.multiplierTolerance) : "";
    if (test.asDetermined)
        return "error test: all unknowns; multipliers and accelerations as far as the others determine them";
    if (test.multipliers)
        return "error test: all unknowns"
               + (own.empty() ? "" : "; the absolute tolerance of multipliers and accelerations is " + own);
    const std::string inside =
        test.dependent ? "all unknowns but multipliers and accelerations" : "the unknowns that are integrated";
    return "error test: " + inside
           + (own.empty() ? "; multipliers and accelerations follow from them"
                          : "; Newton's method solves for the multipliers to the absolute tolerance " + own);
}

} // namespace driftless::integrate
