#include "app/RunReport.h"

#include <iostream>

#include <nlohmann/json.hpp>

#include "app/Commands.h"
#include "app/Output.h"
#include "core/run/EventWords.h"
#include "core/run/RunJson.h"

namespace driftless::app {

nlohmann::ordered_json reportOf(const run::Run& run, int samples) { return run::toJson(run, samples); }

int verdict(const run::Run& run)
{
    const run::RunStatus status = run.status();
    if (status.state != run::RunState::Failed)
        return kExitDone;
    const auto events = run.events();
    if (!events.empty() && events.back().kind() == run::EventKind::Finished) { // the model ends its run itself
        const auto* end = events.back().as<run::Failure>();
        std::cerr << "driftless: note: " << (end ? end->diagnostic.what : run::words(events.back())) << '\n';
        return kExitDone;
    }
    if (status.diagnostic)
        complain(*status.diagnostic);
    return kExitNumericalFailure;
}

} // namespace driftless::app
