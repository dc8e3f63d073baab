// Measured data: columns of a CSV file under the names that the runs of a model have for them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/run/Recording.h"
#include "core/system/ConstrainedSystem.h"

namespace driftless::study {

/// Files of measured data beside the runs of one bench.
inline constexpr std::size_t kMostMeasured = 4;

struct MeasuredData {
    std::string file;                        ///< its name, for messages
    std::vector<run::Column> columns;        ///< as a run of the model records them
    std::vector<double> t;                   ///< [s], rising
    std::vector<std::vector<double>> values; ///< of each column, one per time
};

/// text: a header `t [s], bob.x [m]`, then numbers (CsvColumns.h). Refused where a column is
/// none that the model's runs record, or is written in another unit.
Result<MeasuredData> readMeasuredData(const std::string& text, const std::string& file, const model::ConstrainedSystem& system);
/// Its rows as plots and pages read them.
std::shared_ptr<const run::Recording> recordingOf(const MeasuredData& data);

} // namespace driftless::study
