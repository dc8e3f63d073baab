// Reading mechanisms (.toml) into models.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/Result.h"
#include "core/system/Model.h"
#include "core/text/Budget.h"

namespace driftless::model {

/// Limits against hostile files.
struct ReadLimits {
    std::size_t maxBytes = budget::kModelBytes;
    int maxBodies = budget::kBodies;
    int maxJoints = budget::kJoints;
    int maxParameters = budget::kParameters;
};

/// Reads a model from text; file is the name for messages.
Result<std::shared_ptr<const Model>> readModel(std::string_view text, const std::string& file, const ReadLimits& limits = {});
/// Reads a mechanism from a regular file, or a shipped one by name ("pendulum") from the resource folder. reduction::openModel
/// reads both kinds.
Result<std::shared_ptr<const Model>> openModel(const std::string& pathOrName);

/// The model with other numbers of its table [structure], by name: its text with these in place, read again.
Result<std::shared_ptr<const Model>> withStructure(const std::shared_ptr<const Model>& model,
                                                   const std::map<std::string, double>& numbers);

} // namespace driftless::model
