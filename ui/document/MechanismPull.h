// What a gesture of the mechanism editor holds while the mouse is down.
#pragma once

#include "core/consistency/Nearest.h"
#include "ui/document/MechanismEditor.h"

namespace driftless::ui {

/// A point is pulled by a mass of its own that is pinned to it: asking for that mass's position asks for the point's.
struct MechanismEditor::Pull {
    std::shared_ptr<const model::CompiledSystem> system;
    std::unique_ptr<consistency::ConsistencySolver> solver;
    std::unique_ptr<model::SystemEvaluator> evaluator;
    model::ModelState now;     ///< of system; the coordinates of the document's come first
    std::vector<int> x, y;     ///< coordinates that are asked for: of the pulled mass, or of each moved body
    std::vector<QPointF> from; ///< where these began
    int angle = -1;
    model::ModelState shown; ///< of the document's system
    QString words, held;
    double size = 1; ///< [m]
};

} // namespace driftless::ui
