// The figures of a study from its finished runs.
#pragma once

#include <string>
#include <vector>

#include "core/base/Result.h"
#include "core/study/Execute.h"
#include "core/study/Measure.h"

namespace driftless::app {

/// Writes every figure as .png, .svg, .pdf, with its caption as .txt and .tex; the names of the files. A build that draws
/// nothing answers an empty list.
Result<std::vector<std::string>> drawFigures(const study::Finished& finished, const study::Executor& executor,
                                             const std::string& folder);

/// All the studies' figures on pages, each with its study and name; pictures are FOLDER/STUDY/figures/NAME.png. Answers the
/// files.
Result<std::vector<std::string>> drawContactSheet(const std::vector<std::pair<std::string, std::string>>& picturesAndNames,
                                                  const std::string& path);

} // namespace driftless::app
