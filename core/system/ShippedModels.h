// The files that come with the program.
#pragma once

#include <string>
#include <vector>

namespace driftless::model {

/// The folder of shipped models, studies and lessons: beside the executable, in the source tree, or installed.
std::string resourceFolder();
struct ShippedModel {
    std::string id, title, source, path;
};
std::vector<ShippedModel> shippedModels();

} // namespace driftless::model
