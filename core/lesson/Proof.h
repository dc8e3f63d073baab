// The claims of a lesson, proved from the program: the runs of a step's bench and of its claims, as a study that decides them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/lesson/Lesson.h"
#include "core/study/Report.h"

namespace driftless::lesson {

/// The studies that decide the claims of a step, one for each time at which claims end. Their runs are run-1, run-2, ... as the
/// bench has them, each to that time, and claim-1, claim-2, ... where a claim has settings of its own (claim-1-step=0.1 where
/// it varies).
std::vector<study::Study> proofsOf(const Lesson& lesson, std::size_t step);

/// The runs of a step's bench to this time [s], with nothing claimed of them.
study::Study benchOf(const Lesson& lesson, std::size_t step, double end);

/// What stands against proving the claims of a lesson, before anything runs: models, names of measures and quantities, settings
/// of runs.
std::vector<Diagnostic> reviewClaims(const Lesson& lesson);

/// Runs one of them and judges its claims, in their order. An error where a run cannot be made at all.
Result<std::vector<study::ClaimResult>> prove(const study::Study& proof);

/// A claim that the program does not show.
struct FalseClaim {
    std::size_t step = 0;
    SourcePosition position;
    study::ClaimResult result;
};
/// Those of a lesson: every run of its claims is made. told: which share of the steps is done. An error where a run cannot be
/// made at all.
Result<std::vector<FalseClaim>> falseClaims(const Lesson& lesson, const std::function<void(double share)>& told = {});
/// What its author is told of it.
Diagnostic findingOf(const FalseClaim& claim);

} // namespace driftless::lesson
