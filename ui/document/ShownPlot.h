// What a plot shows, as a session keeps it.
#pragma once

#include <QString>

#include "core/run/PanelKind.h"

namespace driftless::ui {

struct ShownPlot {
    run::PanelKind kind = run::PanelKind::Residuals;
    QString quantity{};         ///< of a curve: its column
    QString phaseX{}, phaseY{}; ///< of a phase portrait
    bool inScene = false;       ///< in the place of the scene, where a model draws nothing
};

} // namespace driftless::ui
