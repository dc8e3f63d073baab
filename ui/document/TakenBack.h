// What a branch takes back, in words: who changes something while looking back goes on with what was shown.
#pragma once

#include <QStringList>

#include "core/run/Settings.h"

namespace driftless::ui {

/// What holds then and did not hold now: "projection", "rk4", "h = 0.1 s", "alpha = 2". Empty where both are alike.
QStringList takenBack(const run::RunSettings& now, const run::RunSettings& then);
/// "a, b and c".
QString listed(const QStringList& words);

} // namespace driftless::ui
