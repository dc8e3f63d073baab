// The picture of a model of which nothing is drawn: the pattern of its equations.
#pragma once

#include <QImage>

#include "core/reduction/EquationAnalysis.h"
#include "ui/views/Theme.h"

namespace driftless::ui {

/// Where unknowns (across) occur in equations (down), in the order of the blocks: blocks have a ground of their own, and a
/// derivative is darker than its unknown.
QImage structurePicture(const reduction::EquationAnalysis& analysis, QSize size, const Theme& theme);

} // namespace driftless::ui
