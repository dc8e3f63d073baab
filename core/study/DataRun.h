// Measured data in place of a run: columns of a CSV file beside the study, under the names that the model gives them. Tables,
// measures and figures take it as any finished run; nothing is integrated.
#pragma once

#include "core/base/Result.h"
#include "core/study/MeasuredData.h"
#include "core/study/RunData.h"
#include "core/study/Study.h"
#include "core/system/CompiledSystem.h"

namespace driftless::study {

/// The columns of the file beside the study. text: what stands in it, where it is asked for.
Result<MeasuredData> openMeasuredData(const Study& study, const PlannedRun& planned, const model::CompiledSystem& system,
                                      std::string* text = nullptr);

/// text: what stands in the file. Refused where a column is none that the model's
/// runs record, or is written in another unit.
Result<RunData> openDataRun(const Study& study, const PlannedRun& planned, const model::CompiledSystem& system,
                            std::string& text);

} // namespace driftless::study
