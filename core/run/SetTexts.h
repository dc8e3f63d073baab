// What runs begin with otherwise than their model's file says, in words for captions and pages.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/run/Settings.h"
#include "core/system/Model.h"

namespace driftless::run {

/// "N = 3": the numbers of the table [structure] as they are, whether or not the file has them so.
std::vector<std::string> structureTexts(const model::Model& model);
/// "L = 2 m": parameters that are not what the file says; one value per parameter.
std::vector<std::string> parameterTexts(const model::ConstrainedSystem& system, std::span<const double> values);
/// "bob.y' = -0.2 m/s at the start": the first few values that a run was told to begin with, or how many there are.
std::vector<std::string> startTexts(const model::ConstrainedSystem& system, const StartSettings& start);

} // namespace driftless::run
