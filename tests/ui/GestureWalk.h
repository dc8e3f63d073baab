// The walk of test_random_edits and of its long sibling.
#pragma once

#include <QtTest>

#include <cstdio>

#include "tests/ui/EditorGestures.h"

namespace driftless::ui::test {

/// From `seed` and over `count` mechanisms, unless the environment says otherwise.
inline void judgeGestures(std::uint64_t seed, int count)
{
    seed = driftless::test::seedOr(seed);
    count = driftless::test::countOr(count);
    qInfo("DRIFTLESS_SEED=%llu, %d mechanisms", static_cast<unsigned long long>(seed), count);
    std::map<std::string, int> carried;
    const std::string fault = walkGestures(seed, count, carried);
    std::string told;
    for (const auto& [what, times] : carried)
        told += what + ' ' + std::to_string(times) + ", ";
    qInfo("%s", told.c_str());
    if (!fault.empty())
        std::fputs(fault.c_str(), stderr); // longer than a message may be
    QVERIFY2(fault.empty(), "see above");
    QVERIFY(carried.size() > 5); // else the gestures were not tried
}

} // namespace driftless::ui::test
