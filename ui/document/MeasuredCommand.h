// Measured data put beside the runs or taken away, as an entry of the undo stack.
#pragma once

#include <vector>

#include "ui/document/History.h"
#include "ui/document/Measured.h"

namespace driftless::ui {

class OpenBench;

/// Other data beside the runs, as an entry of the undo stack.
class MeasuredCommand final : public DocumentCommand {
public:
    MeasuredCommand(OpenBench& open, std::vector<MeasuredCurves> before, std::vector<MeasuredCurves> after,
                    const QString& text);
    void undo() override;
    void redo() override;

private:
    OpenBench& open_;
    std::vector<MeasuredCurves> before_, after_;
};

} // namespace driftless::ui
