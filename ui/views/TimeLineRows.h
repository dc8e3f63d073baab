// Where things stand in the time line: shared by TimeLine.cpp (marks, words, pointer) and TimeLinePaint.cpp.
#pragma once

#include "core/run/Event.h"
#include "ui/views/Theme.h"

namespace driftless::ui {

// Rows from the top [px]: marks 13, reached bars 13, pivots 12, modes 12 where the model has several, axis 15.
constexpr double kTimeLineHeight = 56, kModeHeight = 12, kLineMargin = 12;
constexpr double kMarkTop = 2, kMarkHeight = 12, kBarTop = 16, kBarHeight = 11, kStripTop = 29, kStripHeight = 11,
                 kAxisTop = 41;
constexpr double kMarkRadius = 4.5, kHandleRadius = 5.5, kGrab = 7;
constexpr double kNearHandle = 70; // [px] the handle, and the labels that it hides

/// Which events choose their words first: what ended a run, what a person did, warnings, what followed, and the many pivots.
int timeLineRank(const run::Event& event);

inline const Theme& timeLineTheme(bool dark) { return dark ? Theme::darkTheme() : Theme::light(); }

} // namespace driftless::ui
