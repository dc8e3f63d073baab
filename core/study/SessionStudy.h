// A session recorded in the window as a study: each run with its start, its settings and every command at its time, so that the
// study computes the same numbers without the window.
#pragma once

#include <string>
#include <vector>

#include "core/base/Result.h"

namespace driftless::study {

/// A file of measured data beside the runs.
struct DataFile {
    std::string name; ///< of the file
    std::string text;
    std::vector<std::string> columns{}; ///< of the model that it holds, where they are known
};
/// What a saved session keeps of measured data; none where it cannot be read.
std::vector<DataFile> measuredInSession(const std::string& json);

/// The text of a study file. json is that of Laboratory::sessionJson; file is the name for messages; data stands in files
/// beside the study, under these names. Bounded and checked.
Result<std::string> studyFromSession(const std::string& json, const std::string& file, const std::string& title,
                                     const std::vector<DataFile>& data = {});

} // namespace driftless::study
