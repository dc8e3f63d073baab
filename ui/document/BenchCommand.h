// The undo entry of another bench.
#pragma once

#include "ui/document/OpenBench.h"
#include "ui/document/ParkedBench.h"

namespace driftless::ui {

/// Another model, other start values, or a reset: the whole laboratory is exchanged, so that undo brings the old recordings
/// back as they were. It was carried out once when it is pushed.
class BenchCommand final : public DocumentCommand {
public:
    /// other: the bench that was open before.
    BenchCommand(OpenBench& open, MessageLog& messages, BenchHandle other, const QString& text);
    void undo() override { swap(); }
    void redo() override;

private:
    void swap();
    void park();
    OpenBench& open_;
    MessageLog& messages_;
    BenchHandle other_; ///< or, where nothing would be lost:
    std::shared_ptr<const ParkedBench> parked_;
};

} // namespace driftless::ui
