// The walk of test_known_motion and of its long sibling.
#pragma once

#include <QtTest>

#include <cstdio>

#include "tests/properties/MotionOracle.h"

namespace driftless::test {

/// From `seed` and over `count` systems, unless the environment says otherwise.
inline void judgeKnownMotions(std::uint64_t seed, int count)
{
    seed = seedOr(seed);
    count = countOr(count);
    qInfo("DRIFTLESS_SEED=%llu, %d systems", static_cast<unsigned long long>(seed), count);
    Tally tally;
    const std::string fault = walkMotions(seed, count, tally);
    for (const auto& [form, times] : tally.ran)
        qInfo("%-22s %4d ran, %4d refused, %4d stopped", form.c_str(), times, tally.refused[form], tally.stopped[form]);
    qInfo("largest error of a position %.1e m", tally.worst);
    if (!fault.empty())
        std::fputs(fault.c_str(), stderr); // longer than a message may be
    QVERIFY2(fault.empty(), "see above");
    QVERIFY(tally.ran.size() > 10); // else the forms were not tried
}

} // namespace driftless::test
