#include "app/StartedRun.h"

#include <utility>

namespace driftless::app {

namespace {

Result<StartedRun> begun(PreparedRun prepared)
{
    auto run = run::Run::create(prepared.system, prepared.start, prepared.settings);
    if (!run)
        return run.error();
    return StartedRun{std::move(prepared), std::move(*run)};
}

} // namespace

Result<StartedRun> startedRun(RunOptions options, const PreparedRun& prepared)
{
    auto first = begun(prepared);
    for (const char* method : {"radau-iia-5", "rk4"}) {
        if (first)
            return first;
        options.integrator = method;
        if (auto other = prepareRun(prepared.system, options))
            if (auto run = begun(std::move(*other)))
                return run;
    }
    return first;
}

} // namespace driftless::app
