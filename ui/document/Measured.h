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

namespace driftless::ui {

struct MeasuredCurves {
    static constexpr std::size_t kMost = study::kMostMeasured;

    QString name;                                  ///< of the file, or as a study calls it
    std::string text;                              ///< of the file: a session keeps it
    std::shared_ptr<const run::Recording> columns; ///< its values as plots read them

    /// Refused where the model records no such column, or in another unit.
    static Result<MeasuredCurves> read(const QString& name, std::string text, const std::string& file,
                                       const model::ConstrainedSystem& system);
};

} // namespace driftless::ui
