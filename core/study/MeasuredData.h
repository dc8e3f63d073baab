// Measured data: columns of a CSV file under the names that the runs of a model have for them.
#pragma once

#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/run/Recording.h"
#include "core/system/ConstrainedSystem.h"

namespace driftless::study {

struct MeasuredData {
    std::string file;                        ///< its name, for messages
    std::vector<run::Column> columns;        ///< as a run of the model records them
    std::vector<double> t;                   ///< [s], rising
    std::vector<std::vector<double>> values; ///< of each column, one per time
};

/// text: a header `t [s], bob.x [m]`, then numbers, as a table of inputs has them (InputTable.h). Refused where a column is
/// none that the model's runs record, or is written in another unit.
Result<MeasuredData> readMeasuredData(const std::string& text, const std::string& file, const model::ConstrainedSystem& system);

} // namespace driftless::study
