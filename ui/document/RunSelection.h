// What a run selects as dummies, in the derivatives of its model's equations, and the request that exchanges one.
#pragma once

#include "core/run/Run.h"
#include "core/system/EquationSystem.h"
#include "ui/document/StructureModel.h"

namespace driftless::ui {

/// Names of coordinates pin positions and velocities alike; where the two are chosen apart or differ the velocities are named
/// themselves.
run::PivotChoice pinOf(const model::ConstrainedSystem& system, const run::RunStatus& status, const std::vector<int>& positions,
                       const std::vector<int>& velocities);

/// The equations of either kind of model, as they are analysed.
std::shared_ptr<const model::EquationSystem> equationsOfModel(const model::Model& model);

/// What the run has selected now. pivots is false where its formulation chooses nothing.
PresentSelection presentSelection(const StructureModel& structure, const model::Model& model, const QString& run,
                                  const run::RunStatus& status);

/// The pin that makes `wanted` a dummy, in place of the one whose exchange leaves the best conditioned selection; of general
/// equations the lower stages of its block follow, and the other blocks stay. One that is a dummy already pins the present
/// selection. Nothing where the run does not choose among them.
std::optional<run::PivotChoice> pinWith(const StructureModel& structure, const model::Model& model,
                                        const run::RunStatus& status, const structure::DerivativeRef& wanted);

} // namespace driftless::ui
