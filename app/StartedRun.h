// A run at its start, for what is told of a model before anything is integrated: the mode in force and the rows of it.
#pragma once

#include <memory>

#include "app/RunOptions.h"
#include "core/run/Run.h"

namespace driftless::app {

struct StartedRun {
    PreparedRun prepared;
    std::unique_ptr<run::Run> run;
};

/// Of what the options have been prepared to. The rows do not depend on the method, so one that cannot carry the form gives way
/// to one that can.
Result<StartedRun> startedRun(RunOptions options, const PreparedRun& prepared);

} // namespace driftless::app
