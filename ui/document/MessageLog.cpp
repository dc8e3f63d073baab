#include "ui/document/MessageLog.h"

#include <algorithm>
#include <iterator>

namespace driftless::ui {

std::vector<Message> MessageLog::of(int document) const
{
    std::vector<Message> out;
    std::ranges::copy_if(messages_, std::back_inserter(out), [&](const Message& m) { return m.document == document; });
    return out;
}

void MessageLog::say(const Diagnostic& diagnostic, int key)
{
    if (messages_.size() == kMost)
        messages_.erase(messages_.begin());
    messages_.push_back({.diagnostic = diagnostic, .t = now_(), .runKey = key, .document = document_ ? document_() : 0});
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
