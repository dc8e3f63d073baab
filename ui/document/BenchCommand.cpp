#include "ui/document/BenchCommand.h"

namespace driftless::ui {

BenchCommand::BenchCommand(OpenBench& open, MessageLog& messages, BenchHandle other, const QString& text)
    : DocumentCommand(text), open_(open), messages_(messages), other_(std::move(other))
{
    park();
}

void BenchCommand::park()
{
    parked_ = ParkedBench::of(*other_);
    if (parked_)
        other_.reset();
}

void BenchCommand::swap()
{
    if (parked_) {
        auto revived = parked_->revive();
        if (!revived) {
            messages_.say(revived.error());
            setObsolete(true);
            return;
        }
        other_ = std::move(revived).value();
    }
    open_.exchange(other_);
    park();
}

void BenchCommand::redo()
{
    if (!wasDone())
        swap();
}

} // namespace driftless::ui
