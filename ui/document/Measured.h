// Measured data beside the runs of a bench: what a person has from elsewhere, as dots in the plots. Nothing is integrated, and
// no run depends on it.
#pragma once

#include <QString>

#include <memory>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/run/Recording.h"
#include "core/study/MeasuredData.h"
#include "ui/document/History.h"

namespace driftless::ui {

class OpenBench;

struct MeasuredCurves {
    static constexpr std::size_t kMost = 4; ///< files of one bench

    QString name;                                  ///< of the file, or as a study calls it
    std::string text;                              ///< of the file: a session keeps it
    std::shared_ptr<const run::Recording> columns; ///< its values as plots read them

    /// Refused where the model records no such column, or in another unit.
    static Result<MeasuredCurves> read(const QString& name, std::string text, const std::string& file,
                                       const model::ConstrainedSystem& system);
};

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
