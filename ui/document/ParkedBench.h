// A bench on which no time has passed, as what it is made from: hundreds of edits need no laboratories (and threads) to be
// undone.
#pragma once

#include "ui/document/Bench.h"

namespace driftless::ui {

class ParkedBench {
public:
    /// Null where something was computed or done that could not be made again.
    static std::shared_ptr<const ParkedBench> of(const Bench& bench);
    Result<BenchHandle> revive() const;

private:
    std::shared_ptr<const model::Model> model_;
    std::shared_ptr<const model::CompiledSystem> compiled_; ///< null where it is large: it is compiled again
    run::StartSettings start_;
    std::vector<WaitingRun> runs_, waiting_;
    std::optional<Diagnostic> problem_;
    std::vector<MeasuredCurves> measured_;
    std::optional<std::string> typed_;
    int selected_ = -1, reference_ = -1, document_ = 0;
};

} // namespace driftless::ui
