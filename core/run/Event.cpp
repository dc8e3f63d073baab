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
    case EventKind::Mode:
        return "mode";
    case EventKind::Impact:
        return "impact";
    case EventKind::Crossing:
        return "crossing";
    }
    return "event";
}

} // namespace driftless::run
