// What a person chose once for every model: kept between starts of the program.
#pragma once

#include <QSettings>

#include "core/run/Settings.h"

namespace driftless::ui {

/// Where the program keeps what outlives it.
QSettings keptSettings();

/// Which accepted steps runs in the window record: as curves need them, unless every one is asked for.
run::Rows preferredRows();
void preferRows(run::Rows rows);
/// Memory of the recording of one run [MiB]: beyond it, older rows are thinned.
int preferredMemory();
void preferMemory(int mebibytes);
/// The workspace that the window was last used with; empty: none yet.
QString preferredWorkspace();
void preferWorkspace(const QString& id);
constexpr int kLeastMemory = 16, kMostMemory = 65536; ///< [MiB]

} // namespace driftless::ui
