#include "core/run/Event.h"

namespace driftless::run {

std::string eventKindName(EventKind kind)
{
    switch (kind) {
    case EventKind::Start:
        return "start";
    case EventKind::Command:
        return "command";
    case EventKind::Pivot:
        return "pivot";
    case EventKind::Correction:
        return "correction";
    case EventKind::Restart:
        return "restart";
    case EventKind::Warning:
        return "warning";
    case EventKind::Stuck:
        return "stuck";
    case EventKind::Failure:
        return "failure";
    case EventKind::Finished:
        return "finished";
    }
    return "event";
}

} // namespace driftless::run
