// The walk of test_known_equations and of its long sibling.
#pragma once

#include <QtTest>

#include <cstdio>

#include "tests/properties/EquationOracle.h"

namespace driftless::test {

/// From `seed` and over `count` models, unless the environment says otherwise.
inline void judgeKnownEquations(std::uint64_t seed, int count)
{
    seed = seedOr(seed);
    count = countOr(count);
    qInfo("DRIFTLESS_SEED=%llu, %d models", static_cast<unsigned long long>(seed), count);
    EquationTally tally;
    const std::string fault = walkEquations(seed, count, tally);
    qInfo("%s", tally.told().c_str());
    if (!fault.empty())
        std::fputs(fault.c_str(), stderr); // longer than a message may be
    QVERIFY2(fault.empty(), "see above");
    QVERIFY(tally.judged > count / 2);
}

} // namespace driftless::test
