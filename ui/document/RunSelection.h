// What a run of a mechanism selects as dummies, in the derivatives of its equations, and the request that exchanges one.
#pragma once

#include "core/run/Run.h"
#include "ui/document/StructureModel.h"

namespace driftless::ui {

/// Names of coordinates pin positions and velocities alike; where the two are chosen apart or differ the velocities are named
/// themselves.
run::PivotChoice pinOf(const model::ConstrainedSystem& system, const run::RunStatus& status, const std::vector<int>& positions,
                       const std::vector<int>& velocities);

/// What the run has selected now. pivots is false where its formulation chooses nothing.
PresentSelection presentSelection(const StructureModel& structure, const model::ConstrainedSystem& system, const QString& run,
                                  const run::RunStatus& status);

/// The pin that makes `enters` a dummy, in place of the one whose exchange leaves the best conditioned selection; nothing where
/// `enters` is none that the run chooses among, or is a dummy already.
std::optional<run::PivotChoice> exchanged(const StructureModel& structure, const model::ConstrainedSystem& system, const run::RunStatus& status,
                                          const structure::DerivativeRef& enters);

} // namespace driftless::ui
