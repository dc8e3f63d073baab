// The marker of every run, so that curves can be told apart in grey and by every eye.
#pragma once

#include <QPainterPath>

namespace driftless::ui {

/// Closed shape of run colour index (eight of them), centred at the origin with the given radius.
QPainterPath markerShape(int index, double radius);

} // namespace driftless::ui
