// What a run shows of itself: how it stands, with what settings, how far the constraints are from being met.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/formulation/CompiledDae.h"
#include "core/formulation/Pivot.h"
#include "core/integrate/ErrorTest.h"
#include "core/reduction/DummyChooser.h"
#include "core/run/Settings.h"
#include "core/system/CompiledSystem.h"
#include "core/system/Modes.h"

namespace driftless::run {

enum class RunState { Ready, Completed, Failed };

struct ResidualNorms {
    double position = 0, velocity = 0, acceleration = 0;
    double setAside = 0; ///< of positions, rows that were set aside because they follow from others
};

/// The last row: its time, and how many steps had been accepted with it. What a session needs to come back to it.
struct RunMark {
    double t = 0;
    std::uint64_t steps = 0;
};

/// The equations in force and the dummies with which they are read.
struct EquationsInForce {
    std::shared_ptr<const formulation::CompiledDae> dae;
    formulation::Dummies dummies;
};

/// A consistent copy of what panels show. Nothing is computed for it.
struct RunStatus {
    RunState state = RunState::Ready;
    double t = 0;
    RunSettings settings;
    integrate::ErrorTest errorTest; ///< what the integrator tests of the unknowns of this form
    std::vector<double> parameters;
    std::string mode;                            ///< in force, as model::modeName says it; empty: the model has one mode
    model::Mode rowsInForce;                     ///< the same for each one-sided row; empty: the model has one mode
    std::map<std::string, double> gains;         ///< current gains of the formulation
    std::vector<model::Quantity> gainQuantities; ///< their names, units, meanings and ranges, as the form has them
    formulation::DaeSize form;                   ///< how large the form is
    integrate::Statistics statistics;            ///< over the whole run, restarts included
    std::uint64_t pivots = 0;
    ResidualNorms residual, maxResidual;
    double energy = 0, energyError = 0;
    double stepSize = 0;
    int order = 0;
    double cpuSeconds = 0; ///< of the thread that stepped, inside the integrator and the metrics
    double wallSeconds = 0;
    double kappa = 0;                     ///< of the selection; of the best one followed, where the form does not pivot
    std::optional<Diagnostic> diagnostic; ///< why it failed
    std::vector<int> dummies;             ///< current selection of the velocities (indices of coordinates)
    std::vector<int> positionDummies;     ///< of the positions: the same unless they are chosen apart
    /// The selection and its single exchanges with kappa, as they were when the run last came to rest (Run::judgeExchanges).
    std::vector<formulation::PivotCandidate> candidates;
    std::vector<formulation::PivotCandidate> positionCandidates;  ///< where positions are chosen apart
    std::vector<int> valueDummies;                                ///< of a general DAE: sorted places among the model's values
    std::vector<reduction::StageChoice> stages;                   ///< the stages of its index reduction that leave a choice
    std::vector<std::vector<reduction::StageExchange>> exchanges; ///< of each of these, while they are few enough to be shown
};

} // namespace driftless::run
