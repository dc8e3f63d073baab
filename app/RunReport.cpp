#include "app/RunReport.h"

#include <nlohmann/json.hpp>

#include "app/Commands.h"
#include "app/Output.h"
#include "core/run/RunJson.h"

namespace driftless::app {

nlohmann::ordered_json reportOf(const run::Run& run, int samples)
{
    return nlohmann::ordered_json::parse(run::runJson(run, samples));
}

int verdict(const run::Run& run)
{
    const run::RunStatus status = run.status();
    if (status.state != run::RunState::Failed)
        return kExitDone;
    if (status.diagnostic)
        complain(*status.diagnostic);
    return kExitNumericalFailure;
}

} // namespace driftless::app
