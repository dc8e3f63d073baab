// The files that come with the program.
#pragma once

#include <string>
#include <vector>

namespace driftless::model {

/// The folder of shipped models, studies and lessons: what DRIFTLESS_RESOURCES names, else share/driftless of the prefix (or
/// the build tree) that the executable stands in, so that an installation can be moved.
std::string resourceFolder();
struct ShippedModel {
    std::string id, title, source, path;
};
/// The mechanisms.
std::vector<ShippedModel> shippedModels();
/// Of all that ship, equation models too, in the order of the alphabet.
std::vector<std::string> shippedModelNames();

} // namespace driftless::model
