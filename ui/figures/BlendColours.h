// A colour between two others: opaque, where a transparent one would become a picture or a state of its own in PDF, and would
// depend on what lies below it on the screen.
#pragma once

#include <QColor>

#include <cmath>

namespace driftless::figures {

/// share: 0 is ground, 1 is ink.
inline QColor blended(const QColor& ground, const QColor& ink, double share)
{
    const auto channel = [share](int a, int b) { return static_cast<int>(std::lround(a + share * (b - a))); };
    return {channel(ground.red(), ink.red()), channel(ground.green(), ink.green()), channel(ground.blue(), ink.blue())};
}

} // namespace driftless::figures
