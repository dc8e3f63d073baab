// "Did you mean": the nearest of the known names.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace driftless::model {

/// The known name nearest to what was typed, empty when none is near (Levenshtein distance, up to a third of the letters).
std::string nearestName(std::string_view typed, std::span<const std::string> known);
/// "a, b, c", cut after a readable number.
std::string joinNames(std::span<const std::string> names);

} // namespace driftless::model
