// What a command changes in a run, worked out before anything is touched.
//
// It is worked out once, in two halves. What follows from the command and the settings in force is its intent: names, numbers,
// the rows of another formulation. It is known, or refused, before the run makes a step for the command. What needs the state
// where the command acts is the plan: values made consistent, dummies, where the integrator starts. A plan is put
// in force without being judged again, so that several runs are changed together or not at all. One thing can still fail: an
// integrator that stays may refuse to start, for want of memory for instance; its run has the new settings then, and has
// failed.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/run/Event.h"
#include "core/run/RunCore.h"
#include "core/run/Settings.h"
#include "core/run/States.h"

namespace driftless::run {

/// What becomes of the core: the cheapest that the command can do with.
enum class CoreChange {
    Stays,
    /// Same equations and method, other numbers: parameters, gains, options of the integrator, dummies, or only another state.
    /// The integrator starts afresh: a multistep method loses its past.
    Retuned,
    Replaced ///< another formulation, option of the formulation or integrator
};

struct Intent {
    CommandPayload command;
    CoreChange core = CoreChange::Retuned;
    RunSettings settings;                   ///< after it
    std::vector<double> parameters;         ///< after it
    std::optional<formulation::Dae> form{}; ///< rewritten for it; none: that in force goes on
    Levels levels{};                        ///< those of the form, where the command restores them
    bool atCorner = false;                  ///< an input has a corner here
    const Core* alike = nullptr;            ///< of the system that is planned for, compiled before; null: the one in force
};

struct Plan {
    CommandPayload command;
    std::optional<Tuning> retuned{}; ///< of a core that stays
    std::unique_ptr<Core> core{};    ///< that replaces the present one
    model::ModelState state{};       ///< from which the run goes on
    Levels levels{};
    Moved moved{};
    bool restartsBalance = false;
    ValuesCorrected corrected{};          ///< what had to give way; empty: the sizes of the changes say enough
    std::optional<StartSettings> start{}; ///< the new start that it brings

    bool changesCore() const { return retuned || core; }
};

} // namespace driftless::run
