// What a person chose once for every model: kept between starts of the program.
#pragma once

#include "core/run/Settings.h"

namespace driftless::ui {

/// Which accepted steps runs in the window record: as curves need them, unless every one is asked for.
run::Rows preferredRows();
void preferRows(run::Rows rows);

} // namespace driftless::ui
