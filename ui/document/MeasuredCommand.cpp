#include "ui/document/MeasuredCommand.h"

#include "ui/document/OpenBench.h"

namespace driftless::ui {

MeasuredCommand::MeasuredCommand(OpenBench& open, std::vector<MeasuredCurves> before, std::vector<MeasuredCurves> after,
                                 const QString& text)
    : DocumentCommand(text), open_(open), before_(std::move(before)), after_(std::move(after))
{
}

void MeasuredCommand::undo() { open_.setMeasured(before_); }

void MeasuredCommand::redo()
{
    if (!wasDone())
        open_.setMeasured(after_);
}

} // namespace driftless::ui
