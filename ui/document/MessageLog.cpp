#include "ui/document/MessageLog.h"

namespace driftless::ui {

void MessageLog::say(const Diagnostic& diagnostic, int key)
{
    if (messages_.size() == kMost)
        messages_.erase(messages_.begin());
    messages_.push_back({.diagnostic = diagnostic, .t = now_(), .runKey = key});
    emit changed();
    if (key < 0)
        emit refused(diagnostic);
}

bool MessageLog::say(const Result<void>& result)
{
    if (!result)
        say(result.error());
    return result.ok();
}

void MessageLog::clear()
{
    messages_.clear();
    emit changed();
}

} // namespace driftless::ui
