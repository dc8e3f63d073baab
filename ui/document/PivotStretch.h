// Over which time a run chose dummies by one form: what the strip of pivots is made of, on the time line and in figures.
#pragma once

#include <QString>

#include "core/formulation/Dummies.h"
#include "core/system/ConstrainedSystem.h"

namespace driftless::ui {

/// From here on a run chose by one form, until the next stretch begins.
struct PivotStretch {
    double from = 0;     ///< [s]
    bool chooses = true; ///< the form has something to choose
    QString dummies{};   ///< that were in force where no event tells of an exchange, as dummyNames() says them
};

/// "bob.x, bob.y'" or "x', x''" of a model of equations, in the words of the events; empty where nothing is chosen.
QString dummyNames(const formulation::Dummies& dummies, const model::ConstrainedSystem& system);

} // namespace driftless::ui
